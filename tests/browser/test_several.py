"""Several classes, explicit features, points held out, an adversary, and a line in the hand."""

import json
import re

import numpy as np
import pytest

from browser.reading import downloaded, marks, own_points, settled, shown_weights, state, until
from rosenblatt import Certificate, Perceptron, datasets, play, verify

GROUPS = "#data=groups&n=45&classes=3&noise=0.9&seed=1&a.max_iter=20"
CIRCLES = "#data=circles&n=60&noise=0.05&seed=1"
MARKS = """() => ["neg", "pos", "third", "fourth"].map((kind) =>
    document.querySelectorAll(`#figure-a .points .${kind}`).length)"""
SIDES = """(places) => places.map(([x, y]) => ["neg", "pos", "third", "fourth"].filter((kind) => {
    const path = document.querySelector(`#figure-a .side-${kind}`);
    return path.isPointInFill(new DOMPoint(x, y).matrixTransform(path.getScreenCTM().inverse()));
}))"""
KINDS = ("neg", "pos", "third", "fourth")


def places(page, kind):
    script = """(kind) => [...document.querySelectorAll(`#figure-a .points .${kind}`)]
        .map((node) => node.getBoundingClientRect())
        .map((box) => [box.x + box.width / 2, box.y + box.height / 2])"""
    return page.evaluate(script, kind)


def rows_of(page):
    """The numbers of "A: w = (1, 1),  b = −3", line by line."""
    lines = page.inner_text("#now").replace("−", "-").splitlines()
    return [[float(x) for x in re.findall(r"-?\d[\d.e-]*", line.split(":")[1])] for line in lines]


# -- Several classes -------------------------------------------------------------------------------


def test_three_classes_are_replayed_with_the_two_weight_vectors_that_moved(visit):
    X, y = datasets.groups(45, classes=3, spread=0.9, random_state=1)
    model = Perceptron(shuffle=False, max_iter=20, settle="after", record=True).fit(X, y)
    page = visit(f"{GROUPS}&k=0")
    assert page.evaluate(MARKS) == [np.count_nonzero(y == c) for c in "ABC"] + [0]
    assert "all weights are 0" in page.inner_text("#sentence")
    before = model.log_.path(X)[0]
    for k, W in enumerate(model.log_.path(X)[1:9], 1):
        page.keyboard.press("ArrowRight")
        assert np.allclose(rows_of(page), W, rtol=1e-3)
        own, rival = (model.classes_[c[k - 1]] for c in (model.log_.own, model.log_.rival))
        told = f"The weights of {own} move towards it and those of {rival} away from it"
        assert told in page.inner_text("#sentence")
        moved = [c for c, b, w in zip("ABC", before, W, strict=True) if (b != w).any()]
        assert sorted((own, rival)) == moved
        for name, sign in ((own, "+"), (rival, "−")):
            assert f"w{name} ← w{name} {sign} η x" in page.inner_text("#formulas")
        before = W


@pytest.mark.slow
@pytest.mark.parametrize("learner", ["", "&a.kernel=rbf", "&a.features=squares.products"])
def test_each_point_is_in_the_region_of_its_class_where_it_is_right(visit, learner):
    page = visit(f"#data=groups&n=60&classes=4&noise=0.5&seed=1{learner}&k=9999")
    assert "No point is wrong any more" in page.inner_text("#figure-a figcaption")
    for kind in KINDS:
        found = page.evaluate(SIDES, places(page, kind))
        assert found
        assert all(sides == [kind] for sides in found), kind
    assert page.get_attribute("#figure-a .line", "d").count("M") >= 3


@pytest.mark.slow
def test_the_joint_verdict_is_told_with_rivals(visit):
    page = visit("#data=iris&k=9999")
    assert page.inner_text("#stamp") == "Touching"
    assert "on a border" in page.inner_text("#verdict")
    assert page.locator("#conflict th").all_inner_texts() == ["point", "class", "rival", "weight"]
    certificate = Certificate.from_json(downloaded(page, "#certificate").decode())
    page.click("#share summary")
    until(page, lambda: page.inner_text("#code"))
    names = {}
    exec(page.inner_text("#code"), names)
    assert verify(certificate, names["X"], names["y"])
    assert "two classes" in page.inner_text("#bound")
    trace = json.loads(downloaded(page, "#save-json"))["trace"][0]
    assert (len(trace["w"]), trace["own"]) == (3, "setosa")
    head = downloaded(page, "#save-csv").decode().splitlines()[0].split(",")
    assert head[4:9] == ["own", "rival", "w1_setosa", "w2_setosa", "b_setosa"]


@pytest.mark.slow
def test_a_third_and_a_fourth_class_are_added_by_hand_and_go_again(visit):
    page = visit("#data=textbook&k=7")
    box = page.locator("#figure-a svg").bounding_box()

    def click(x, y):
        page.mouse.click(box["x"] + box["width"] * x, box["y"] + box["height"] * y)
        settled(page)

    page.check("#tool-new")
    click(0.2, 0.2)
    assert page.evaluate(MARKS) == [1, 2, 1, 0]
    assert page.is_checked("#tool-2")
    assert "● A, ■ B and ▲ C" in page.inner_text("#figure-a figcaption")
    assert state(page)["classes"] == "A~B~C"
    assert own_points(page)[1].tolist() == [1, 1, 0, 2]
    page.check("#tool-new")
    click(0.8, 0.85)
    assert page.evaluate(MARKS) == [1, 2, 1, 1]
    assert page.locator("#tool-new").count() == 0
    assert state(page)["classes"] == "A~B~C~D"
    page.reload()
    page.wait_for_selector("#stamp")
    assert page.evaluate(MARKS) == [1, 2, 1, 1]
    page.focus("#figure-a svg")
    page.keyboard.press("3")
    settled(page)
    assert page.evaluate(MARKS) == [1, 2, 2, 1]
    page.check("#tool-erase")
    for _ in range(3):  # when C has no points any more, D is the third class
        page.mouse.click(*places(page, "third")[0])
        settled(page)
        state(page)  # each is a step of its own
    assert page.evaluate(MARKS) == [1, 2, 0, 0]
    assert page.inner_text("#stamp") == "Separable"
    page.click("#undo")
    until(page, lambda: page.evaluate(MARKS) == [1, 2, 1, 0])


# -- Settings --------------------------------------------------------------------------------------


@pytest.mark.slow
def test_boundary_class_weights_and_settling_are_controls_and_in_the_link(visit):
    page = visit("#data=textbook&k=1")
    page.select_option("#boundary", "1")
    settled(page)
    page.click("#first")
    assert "counts as class 1 here" in page.inner_text("#sentence")
    page.fill("#class_weight", "1, 2")
    page.keyboard.press("Enter")
    settled(page)
    page.select_option("#settle", "never")
    settled(page)
    asked = {"boundary": 1, "class_weight": {-1: 1, 1: 2}, "settle": "never", "max_iter": 100}
    X, y = datasets.textbook()
    log = Perceptron(shuffle=False, record=True, **asked).fit(X, y).log_
    link = state(page)
    assert (link["a.boundary"], link["a.class_weight"]) == ("1", "1, 2")
    other = visit("#" + page.url.partition("#")[2])
    for each in (page, other):
        each.focus("#figure-a svg")
        each.keyboard.press("Home")
        for _ in log.i:
            each.keyboard.press("ArrowRight")
        assert shown_weights(each) == log.path(X)[-1].tolist()
        assert "weighted" in each.inner_text("#bound")
        assert "η v" in each.inner_text("#formulas")
    page.select_option("#settle", "first")
    settled(page)
    assert "decided first" in page.inner_text("#ending")


@pytest.mark.slow
def test_the_wrong_number_of_class_weights_is_told_in_both_languages(open_page):
    page = open_page("#data=iris&k=1")
    page.wait_for_selector("#stamp")
    page.fill("#class_weight", "1, 2")
    page.keyboard.press("Enter")
    page.wait_for_selector("#notice:not([hidden])")
    assert "3 weights are needed" in page.inner_text("#notice")
    page.click("[data-lang=zh]")
    assert "需要 3 个权重" in page.inner_text("#notice")
    assert page.locator("#boundary").count() == 0


# -- The line in the hand --------------------------------------------------------------------------

LINE = """() => {
    const numbers = document.querySelector("#figure-a .line").getAttribute("d");
    const [ax, ay, bx, by] = numbers.match(/-?[\\d.]+/g).map(Number);
    const box = document.querySelector("#figure-a svg").getBoundingClientRect();
    const at = (t) => [box.x + ax + t * (bx - ax), box.y + ay + t * (by - ay)];
    return [at(0.42), at(0.85)];
}"""


def drag(page, start, by):
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(start[0] + by[0], start[1] + by[1], steps=5)
    page.mouse.up()
    settled(page)


def test_the_line_is_dragged_and_becomes_the_start_and_that_is_undone(visit):
    page = visit("#data=textbook&k=7")
    assert shown_weights(page) == [1, 1, -3]
    middle, _ = page.evaluate(LINE)
    drag(page, middle, (40, -40))
    assert page.inner_text("#place").startswith("0 of")
    w1, w2, b = shown_weights(page)
    assert (w1, w2) == (1, 1)
    assert b < -3
    assert state(page)["a.start"] == f"1, 1, {b:g}"
    assert "starts from the given line" in page.inner_text("#sentence")
    assert len(marks(page)["pos"]) == 2  # a drag is no click
    _, end = page.evaluate(LINE)
    drag(page, end, (0, 60))
    turned = shown_weights(page)
    assert turned[0] != turned[1]
    assert np.hypot(*turned[:2]) == pytest.approx(np.hypot(1, 1), rel=1e-3)
    state(page)
    page.click("#undo")
    until(page, lambda: page.input_value("#start") == f"1, 1, {b:g}")
    page.click("#undo")
    until(page, lambda: page.input_value("#start") == "")
    page.go_forward()
    until(page, lambda: page.input_value("#start") == f"1, 1, {b:g}")


@pytest.mark.slow
def test_without_a_bias_the_line_is_turned_about_the_origin(visit):
    page = visit("#data=textbook&a.fit_intercept=false&a.start=1%2C-1%2C0&k=0")
    middle, _ = page.evaluate(LINE)
    drag(page, middle, (0, -30))
    w1, w2, b = shown_weights(page)
    assert b == 0
    assert (w1, w2) != (1, -1)


# -- Explicit features -----------------------------------------------------------------------------


@pytest.mark.slow
def test_explicit_features_bend_the_border(visit):
    page = visit(f"{CIRCLES}&k=9999")
    assert page.inner_text("#stamp") == "Overlapping"
    page.check("#feature-squares")
    settled(page)
    page.keyboard.press("End")
    assert page.inner_text("#stamp") == "Separable in the feature space"
    for kind in ("neg", "pos"):
        found = page.evaluate(SIDES, places(page, kind))
        assert all(sides == [kind] for sides in found), kind
    assert state(page)["a.features"] == "squares"
    X, y = datasets.circles(60, noise=0.05, random_state=1)
    model = Perceptron(shuffle=False, max_iter=100).fit(np.column_stack((X, X**2)), y)
    told = page.inner_text("#now").replace("−", "-").splitlines()
    assert [line.split(":")[0] for line in told] == ["x₁", "x₂", "x₁²", "x₂²", "b"]
    shown = [float(line.split(":")[1]) for line in told]
    assert np.allclose(shown, [*model.coef_[0], *model.intercept_], rtol=1e-5)


@pytest.mark.slow
def test_features_that_do_not_suffice_come_with_a_conflict(visit):
    page = visit("#data=clouds&n=40&margin=0.1&noise=0.2&seed=1&a.features=sines&k=9999")
    assert page.inner_text("#stamp") == "Not separable in the feature space"
    assert page.get_attribute("#figure-a .crossed", "d")
    assert page.get_attribute("#figure-a .hull", "d") == ""
    assert page.locator("#meeting").count() == 0


# -- Points held out -------------------------------------------------------------------------------


@pytest.mark.slow
def test_curves_of_the_points_held_out(visit):
    page = visit("#data=clouds&n=60&margin=0.1&noise=0.1&seed=3&k=9999")
    page.select_option("#held", "3")
    settled(page)
    page.keyboard.press("End")
    assert state(page)["held"] == "3"
    X, y = datasets.clouds(60, 2, 0.1, flip=6, random_state=3)
    held = np.arange(60) % 3 == 2
    model = Perceptron(shuffle=False, max_iter=100, settle="after").fit(X[~held], y[~held])
    wrong = np.count_nonzero(model.predict(X[held]) != y[held])
    note = page.inner_text("#curves-note")
    assert "Of 20 points held out" in note
    assert f"and {wrong} under the one kept" in note
    assert page.locator("#figure-a .points .out").count() == 20
    assert page.locator("#curves .curve.out").count() >= 2
    assert "20 are held out (hollow)" in page.inner_text("#figure-a figcaption")


# -- The adversary ---------------------------------------------------------------------------------


@pytest.mark.slow
def test_an_adversary_races_against_the_bound(visit):
    page = visit("#data=textbook&compare=1&k=0")
    page.click("#tab-B")
    page.select_option("#order", "adversary")
    settled(page)
    page.click("#last")
    assert page.inner_text("#place") == "11 of 11"
    bars = "(all) => all.map((bar) => [bar.dataset.name, bar.firstChild.style.width])"
    names, widths = zip(*page.locator("#race .bar").evaluate_all(bars), strict=True)
    assert names == ("A  7", "B  11")
    assert [round(float(w.rstrip("%"))) for w in widths] == [6, 9]  # of 117


@pytest.mark.slow
def test_the_lesson_of_novikoff_tells_the_race_as_it_is(visit):
    state = "#data=clouds&n=30&margin=0.1&noise=0&seed=1&compare=1&b.order=adversary&k=9999"
    page = visit(f"{state}&lesson=novikoff.2")
    told = page.inner_text("#guide")
    names = page.locator("#race .bar").evaluate_all("(all) => all.map((bar) => bar.dataset.name)")
    for name in names:
        assert f"with {name.split()[1]}" in told
    bound = page.inner_text("#bound").partition(" = ")[2].split()[0]
    assert f"(R/γ)² is {bound}." in told


@pytest.mark.slow
def test_an_adversary_without_an_end_is_refused(open_page):
    page = open_page("#data=xor&k=1")
    page.wait_for_selector("#stamp")
    page.select_option("#order", "adversary")
    page.wait_for_selector("#notice:not([hidden])")
    assert "two separable classes" in page.inner_text("#notice")


# -- Repair, Back, files ---------------------------------------------------------------------------


@pytest.mark.slow
def test_a_repaired_run_is_watched_to_its_end_and_back_undoes_it(visit):
    page = visit("#data=clouds&n=40&margin=0.5&noise=0.1&seed=3&k=9999")
    page.locator("#speed").fill("10")
    page.click("#repair")
    until(page, lambda: page.inner_text("#stamp") == "Separable")
    until(page, lambda: page.input_value("#scrub") == page.get_attribute("#scrub", "max"))
    assert "the points are separated" in page.inner_text("#ending")
    state(page)
    page.go_back()
    until(page, lambda: page.inner_text("#stamp") == "Overlapping")
    assert sum(map(len, marks(page).values())) == 40


@pytest.mark.slow
def test_a_table_of_three_classes_and_four_columns_is_projected(visit):
    page = visit()
    page.click("#data summary")
    rows = ["sl,sw,pl,pw,kind"]
    rng = np.random.default_rng(0)
    for c, kind in enumerate(("red", "green", "blue")):
        rows += [",".join(f"{v:.2f}" for v in rng.normal(np.eye(4)[c] * 4)) + f",{kind}"] * 1
        rows += [
            ",".join(f"{v:.2f}" for v in rng.normal(np.eye(4)[c] * 4)) + f",{kind}"
            for _ in range(9)
        ]
    table = "\n".join(rows).encode()
    page.set_input_files("#csv-file", {"name": "t.csv", "mimeType": "text/csv", "buffer": table})
    until(page, lambda: "4 features" in page.inner_text("#data"))
    assert page.evaluate(MARKS) == [10, 10, 10, 0]


@pytest.mark.slow
@pytest.mark.parametrize(
    "fragment",
    [
        f"{GROUPS}&k=5",
        f"{CIRCLES}&a.features=squares.sines&held=3&k=3",
        "#data=groups&n=40&classes=4&noise=1&seed=2&a.kernel=rbf&k=9999",
        "#data=textbook&compare=1&b.order=adversary&a.boundary=1&k=5",
    ],
)
def test_new_states_are_saved_to_files_that_replay(visit, from_disk, tmp_path, fragment):
    page = visit(fragment)
    with page.expect_download() as caught:
        page.click("#save-html")
    caught.value.save_as(tmp_path / "page.html")
    other = from_disk(tmp_path / "page.html")
    for part in ("#sentence", "#formulas", "#stamp", "#curves-note", "figcaption"):
        assert other.inner_text(part) == page.inner_text(part)
    for layer in (".line", ".side-neg", ".side-pos"):
        assert other.get_attribute(f"#figure-a {layer}", "d")


@pytest.mark.slow
def test_a_model_of_three_classes_is_exported(from_disk, tmp_path):
    X, y = datasets.groups(30, classes=3)
    model = Perceptron(shuffle=False, record=True).fit(X, y)
    play.export(model, X, y, tmp_path / "run.html")
    page = from_disk(tmp_path / "run.html")
    page.keyboard.press("End")
    assert np.allclose(rows_of(page), model.log_.path(X)[-1], rtol=1e-3)
