"""The page in a real browser: it shows what the library's log says, and hands change the data."""

import csv
import json
from urllib.parse import urlsplit

import numpy as np
import pytest

from browser.reading import (
    as_printed,
    downloaded,
    marks,
    own_points,
    settled,
    shown_weights,
    state,
    until,
)
from rosenblatt import Certificate, Perceptron, datasets, fewest_mistakes, verify

ROWS, LABELS = datasets.clouds(12, 2, 0.25, flip=2, random_state=3)
QUARTERS = np.round(4 * ROWS) / 4
POINTS = "~".join(f"{x}_{z}_{s}" for (x, z), s in zip(QUARTERS.tolist(), LABELS, strict=True))


# -- Truth -----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_vote_has_no_line_and_an_update_on_the_right_side_is_no_mistake(visit):
    page = visit("#data=clouds&n=40&margin=0.2&noise=0.1&seed=3&a.keep=vote&a.max_iter=5&k=9999")
    assert page.get_attribute("#figure-a .kept", "d") == ""
    assert "border is not a line" in page.inner_text("#ending")
    page = visit("#data=clouds&n=40&margin=0.2&noise=0&seed=3&a.rule=pa&k=0")
    for _ in range(int(page.get_attribute("#scrub", "max"))):
        page.keyboard.press("ArrowRight")
        assert page.inner_text("#sentence").startswith("Update ")
        if "right side" in page.inner_text("#sentence"):
            break
    else:
        pytest.fail("no update was on the right side")


@pytest.mark.slow
def test_updates_that_cancel_out_leave_no_margin(visit):
    page = visit("#data=points&p=1_0_1~1_0_-1&a.fit_intercept=false&k=2")
    assert "add up to zero" in page.inner_text("#bracket")
    assert page.inner_text("#bracket").count("0 and 0") == 0


@pytest.mark.slow
def test_one_mistake_is_told_in_the_singular(visit):
    page = visit("#data=textbook&k=1")
    assert page.inner_text("#bound").startswith("1 mistake so far")


@pytest.mark.slow
def test_the_legend_explains_what_is_drawn(visit):
    page = visit("#data=xor&k=0")
    assert "in conflict" not in page.inner_text("#legend")
    page.keyboard.press("End")
    told = page.inner_text("#legend")
    assert all(word in told for word in ("moves the line", "in conflict", "common point"))


@pytest.mark.slow
@pytest.mark.parametrize("locale", ["en-US", "zh-CN"])
def test_no_choice_is_cut_off(visit, locale):
    page = visit("#data=circles&n=20&noise=0&seed=1&a.kernel=rbf&k=0", locale=locale)
    cut = page.evaluate("""() => [...document.querySelectorAll("select")].flatMap((select) => {
        const pen = document.createElement("canvas").getContext("2d");
        const style = getComputedStyle(select);
        pen.font = style.font;
        const room = select.clientWidth - 2 * parseFloat(style.paddingLeft) - 20;
        const texts = [...select.options].map((option) => option.text);
        return texts.filter((text) => pen.measureText(text).width > room);
    })""")
    assert not cut, cut


@pytest.mark.slow
def test_formulas_and_proof_are_above_the_fold_of_a_small_screen(visit):
    page = visit(viewport={"width": 1280, "height": 720})
    for part in ("#formulas", "#bound .chart"):
        box = page.locator(part).bounding_box()
        assert box["y"] + box["height"] <= 720, part


# -- Replay ----------------------------------------------------------------------------------------


def test_the_first_view_teaches_without_a_click(visit):
    page = visit()
    assert "learns only from its mistakes" in page.inner_text(".lead")
    assert page.inner_text("#sentence").startswith("Mistake 7 of 7: point 3 is on the wrong side.")
    assert "(2, 2) + 1·(−1)·(1, 1) = (1, 1)" in page.inner_text("#formulas")
    assert page.inner_text("#stamp") == "Separable"
    assert "of at most (R/γ)² = 117" in page.inner_text("#bound")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fragment", "X", "y", "params"),
    [
        ("", *datasets.textbook(), {}),
        (f"#data=points&p={POINTS}&a.max_iter=3&k=0", QUARTERS, LABELS, {"max_iter": 3}),
    ],
)
def test_every_weight_shown_is_the_log_s_to_the_end_and_back(visit, fragment, X, y, params):
    path = Perceptron(shuffle=False, record=True, **params).fit(X, y).log_.path(X)
    page = visit(fragment)
    page.keyboard.press("Home")
    there = [shown_weights(page)]
    for _ in path[1:]:
        page.keyboard.press("ArrowRight")
        there.append(shown_weights(page))
    assert page.get_attribute("#forward", "aria-disabled") == "true"
    back = [shown_weights(page)]
    for _ in path[1:]:
        page.keyboard.press("ArrowLeft")
        back.append(shown_weights(page))
    assert there == [as_printed(w) for w in path]
    assert back == there[::-1]
    assert "no line yet" in page.inner_text("#sentence")


@pytest.mark.slow
def test_the_slider_and_the_player_move_through_the_run(visit):
    page = visit("#data=credit&a.order=shuffled&k=0")
    last = int(page.get_attribute("#scrub", "max"))
    page.locator("#scrub").fill(str(last // 2))
    assert page.inner_text("#place") == f"{last // 2:,} of {last:,}"
    page.locator("#speed").fill("4")  # 16 a second, so that a busy machine pauses before the end
    page.click("#play")
    until(page, lambda: int(page.input_value("#scrub")) > last // 2 + 3)
    page.click("#play")
    paused = page.input_value("#scrub")
    page.wait_for_timeout(100)
    assert page.input_value("#scrub") == paused


@pytest.mark.slow
def test_the_dual_form_shows_the_counts_of_the_library(visit):
    page = visit("#data=textbook&a.form=dual&k=7")
    counts = Perceptron(shuffle=False, record=True).fit(*datasets.textbook()).log_.counts(3)
    assert counts.tolist() == [2, 0, 5]
    assert page.inner_text("#counts") == "n₁ = 2, n₂ = 0, n₃ = 5"
    assert page.locator("#figure-a .counts text").all_text_contents() == ["2", "", "5"]
    assert page.locator("#dual canvas").is_visible()


# -- Hands -----------------------------------------------------------------------------------------


def test_points_are_added_dragged_and_deleted(visit):
    page = visit()
    box = page.locator("#figure-a svg").bounding_box()
    page.mouse.click(box["x"] + box["width"] * 0.2, box["y"] + box["height"] * 0.3)
    settled(page)
    assert {kind: len(places) for kind, places in marks(page).items()} == {"neg": 1, "pos": 3}
    page.check("#tool-0")
    page.mouse.click(box["x"] + box["width"] * 0.8, box["y"] + box["height"] * 0.8)
    settled(page)
    assert len(marks(page)["neg"]) == 2
    x, z = marks(page)["neg"][0]
    page.mouse.move(x, z)
    page.mouse.down()
    page.mouse.move(x + 60, z - 40, steps=4)
    page.mouse.up()
    settled(page)
    X, y = own_points(page)
    assert X[2, 0] > 1
    assert X[2, 1] > 1
    log = Perceptron(shuffle=False, record=True, max_iter=100).fit(X, y).log_
    page.keyboard.press("End")
    assert shown_weights(page) == as_printed(log.path(X)[-1])
    page.check("#tool-erase")
    page.mouse.click(*marks(page)["neg"][1])
    settled(page)
    assert len(marks(page)["neg"]) == 1


@pytest.mark.slow
def test_sliders_change_the_data(visit):
    page = visit("#data=clouds&n=30&margin=0.5&noise=0&seed=1&k=0")
    assert page.inner_text("#stamp") == "Separable"
    page.locator("#knob-noise").fill("0.2")
    settled(page)
    assert page.inner_text("#stamp") == "Overlapping"
    page.locator("#knob-n").fill("50")
    settled(page)
    assert sum(map(len, marks(page).values())) == 50


@pytest.mark.slow
def test_a_pasted_table_is_read(visit):
    page = visit()
    page.click("#data summary")
    until(page, lambda: page.input_value("#csv") == "x₁,x₂,class\n3,3,1\n4,3,1\n1,1,-1\n")
    page.fill("#csv", 'a,b,kind\n0,0,"low, so"\n1,0,"low, so"\n4,5,top\n5,5,top\n')
    page.click("#csv-apply")
    until(page, lambda: "● low, so and ■ top" in page.inner_text("#figure-a figcaption"))
    page.click("#data summary")
    page.click("#data summary")
    until(page, lambda: '"low, so"' in page.input_value("#csv"))
    page.click("#csv-apply")
    settled(page)
    assert "● low, so and ■ top" in page.inner_text("#figure-a figcaption")
    assert page.locator("#figure-a .name").all_text_contents() == ["a", "b"]
    assert state(page)["p"] == "0_0_-1~1_0_-1~4_5_1~5_5_1"
    page.reload()
    page.wait_for_selector("#stamp")
    assert page.locator("#figure-a .name").all_text_contents() == ["a", "b"]
    page.click("#data summary")
    table = b"u,v,z,kind\n0,0,1,low\n1,0,2,low\n4,5,0,top\n"
    page.set_input_files("#csv-file", {"name": "t.csv", "mimeType": "text/csv", "buffer": table})
    until(page, lambda: "3 features" in page.inner_text("#data"))


@pytest.mark.slow
def test_what_the_server_refuses_is_told_and_the_page_goes_on(open_page):
    page = open_page()
    page.wait_for_selector("#stamp")
    page.click("#data summary")
    until(page, lambda: page.input_value("#csv"))
    page.fill("#csv", "1,2,a\n3,4,a\n")
    page.click("#csv-apply")
    page.wait_for_selector("#notice:not([hidden])")
    assert "at least two classes" in page.inner_text("#notice")
    assert state(page)["data"] == "textbook"
    page.select_option("#data-name", "xor")
    page.wait_for_selector("#notice", state="hidden")
    assert page.inner_text("#stamp") == "Overlapping"


# -- Verdicts and kernels --------------------------------------------------------------------------


def test_xor_shows_the_conflict_and_its_certificate_is_valid(visit):
    page = visit()
    page.select_option("#data-name", "xor")
    settled(page)
    page.keyboard.press("End")
    assert page.inner_text("#stamp") == "Overlapping"
    cells = page.locator("#conflict td:nth-child(3)").all_inner_texts()
    assert cells == ["1/4"] * 4
    assert page.inner_text("#meeting") == "They meet at (0.5, 0.5)."
    assert page.get_attribute("#figure-a .meeting", "d").endswith("Z")
    assert page.get_attribute("#figure-a .crossed", "d").count("M") == 8
    certificate = Certificate.from_json(downloaded(page, "#certificate").decode())
    assert verify(certificate, *datasets.xor())


@pytest.mark.slow
def test_separable_data_have_a_band(visit):
    page = visit("#data=textbook&k=7")
    assert page.get_attribute("#figure-a .band", "d")
    page.click("#back")
    assert page.get_attribute("#figure-a .band", "d") == ""
    page.check("#draw-proof")
    assert page.get_attribute("#figure-a .band", "d")


@pytest.mark.slow
def test_a_kernel_draws_a_curve(visit):
    page = visit("#data=circles&n=60&noise=0.05&seed=1&k=0")
    page.select_option("#kernel", "rbf")
    settled(page)
    page.keyboard.press("End")
    assert page.inner_text("#stamp") == "Separable in the feature space"
    assert page.get_attribute("#figure-a .wrong", "d") == ""
    assert page.get_attribute("#figure-a .crossed", "d") == ""
    inside, outside = marks(page)["pos"], marks(page)["neg"]
    within = """(places) => places.map(([x, y]) => {
        const path = document.querySelector("#figure-a .line"), at = new DOMPoint(x, y);
        return path.isPointInFill(at.matrixTransform(path.getScreenCTM().inverse()));
    })"""
    assert all(page.evaluate(within, inside))
    assert not any(page.evaluate(within, outside))


@pytest.mark.slow
def test_the_pocket_line_is_beside_the_current_one(visit):
    page = visit("#data=clouds&n=40&margin=0.2&noise=0.1&seed=3&k=30")
    assert page.get_attribute("#figure-a .kept", "d") not in ("", None)
    assert page.get_attribute("#figure-a .kept", "d") != page.get_attribute("#figure-a .line", "d")


# -- The address, languages, looks -----------------------------------------------------------------


def test_the_address_holds_everything(visit):
    page = visit("#data=clouds&n=25&margin=0.4&noise=0.05&seed=7&k=0")
    page.select_option("#order", "shuffled")
    page.fill("#eta0", "0.5")
    page.keyboard.press("Enter")
    settled(page)
    page.click("#forward")
    page.click("[data-lang=zh]")
    page.click("#theme")
    before = page.inner_text("#sentence"), shown_weights(page)
    assert state(page)["a.eta0"] == "0.5"
    page.reload()
    page.wait_for_selector("#stamp")
    assert (page.inner_text("#sentence"), shown_weights(page)) == before
    assert page.input_value("#eta0") == "0.5"
    assert page.get_attribute("html", "data-theme") == "dark"
    other = visit(f"#{urlsplit(page.url).fragment}")
    assert (other.inner_text("#sentence"), shown_weights(other)) == before


@pytest.mark.slow
def test_two_tabs_do_not_disturb_each_other(visit):
    page = visit("#data=textbook&k=3")
    other = visit.beside(page, "#data=xor&k=2")
    other.click("#forward")
    assert shown_weights(page) == [1, 1, -1]
    page.click("#forward")
    assert shown_weights(page) == [0, 0, -2]
    assert other.inner_text("#place") == "3 of 4"


@pytest.mark.slow
@pytest.mark.parametrize("link", ["#data=nowhere&k=x", "#data=xor&a.start=1%2C2", "#data=points"])
def test_a_link_that_cannot_be_shown_is_told_and_a_fresh_start_is_offered(open_page, link):
    page = open_page(link)
    page.wait_for_selector("#stamp")
    settled(page)
    assert "could not be shown" in page.inner_text("#notice")
    assert page.inner_text("#place") == "7 of 7"
    page.click("#way-out")
    page.wait_for_selector("#notice", state="hidden")
    settled(page)
    assert state(page) == {"data": "textbook", "k": "7"}


@pytest.mark.slow
def test_what_is_refused_is_not_written_into_the_address_and_can_be_undone(open_page):
    page = open_page("#data=xor&k=2&lang=zh")
    page.wait_for_selector("#stamp")
    page.fill("#start", "1, 2")
    page.keyboard.press("Enter")
    page.wait_for_selector("#notice:not([hidden])")
    assert "3 个数" in page.inner_text("#notice")
    page.keyboard.press("Tab")
    page.click("#forward")
    assert state(page) == {"data": "xor", "k": "3", "lang": "zh"}
    page.click("#way-out")
    page.wait_for_selector("#notice", state="hidden")
    settled(page)
    assert page.input_value("#start") == ""
    page.fill("#batch_size", "2")
    page.keyboard.press("Enter")
    settled(page)
    assert state(page)["a.batch_size"] == "2"
    page.go_back()
    until(page, lambda: page.input_value("#batch_size") == "1")
    page.click("#redo")
    until(page, lambda: page.input_value("#batch_size") == "2")


@pytest.mark.slow
def test_the_server_s_refusals_are_told_in_the_page_s_words(open_page):
    page = open_page("#data=circles&n=20&noise=0&seed=1&a.kernel=rbf&lang=zh&k=0")
    page.wait_for_selector("#stamp")
    page.fill("#gamma", "0")
    page.keyboard.press("Enter")
    page.wait_for_selector("#notice:not([hidden])")
    assert "“核参数 γ”不能取这个值。" in page.inner_text("#notice")
    page.click("[data-lang=en]")
    assert "This value of “γ of the kernel” cannot be used." in page.inner_text("#notice")
    page.click("#way-out")
    page.wait_for_selector("#notice", state="hidden")
    page.click("#data summary")
    until(page, lambda: page.input_value("#csv"))
    for table, told in (("1,2,a\n3,b\n", "Line 2"), ("1,2,a\n,4,b\n", "missing in line 2")):
        page.fill("#csv", table)
        page.click("#csv-apply")
        until(page, lambda told=told: told in page.inner_text("#notice"))


@pytest.mark.slow
def test_a_field_in_which_somebody_types_is_not_drawn_anew(visit):
    page = visit("#data=xor&k=1")
    page.route("**/run", lambda route: (page.wait_for_timeout(150), route.continue_()))
    page.select_option("#order", "shuffled")
    page.focus("#eta0")
    page.keyboard.press("Control+A")
    page.keyboard.type("0.5", delay=120)
    page.keyboard.press("Enter")
    settled(page)
    assert page.input_value("#eta0") == "0.5"
    assert page.locator("#random_state").count() == 1  # which belongs to the order
    assert state(page)["a.eta0"] == "0.5"


@pytest.mark.slow
def test_the_link_that_is_copied_is_of_this_moment_and_without_the_secret(visit, address):
    page = visit("#data=xor&k=0")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.click("#forward")
    page.click("#copy-link")
    until(page, lambda: page.inner_text("#copy-link") == "Copied")
    link = page.evaluate("navigator.clipboard.readText()")
    assert link.endswith("/#data=xor&k=1")
    assert urlsplit(address).path.strip("/") not in link


@pytest.mark.slow
def test_without_a_clipboard_the_link_is_there_to_be_copied_by_hand(visit):
    page = visit("#data=xor&k=2")
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page.click("#copy-link")
    assert page.input_value("#link").endswith("#data=xor&k=2")
    assert page.inner_text("#copy-link") == "Copy link"


@pytest.mark.slow
def test_it_speaks_the_browser_s_language_and_switches_in_place(visit):
    page = visit("#data=xor&k=1", locale="zh-CN")
    assert page.get_attribute("html", "lang") == "zh-CN"
    assert page.inner_text("#stamp") == "重叠"
    assert page.inner_text("#sentence").startswith("第 1 次误分类")
    page.click("[data-lang=en]")
    assert page.inner_text("#stamp") == "Overlapping"
    assert page.inner_text("#sentence").startswith("Mistake 1 of")
    assert page.inner_text("#place") == "1 of 4"


@pytest.mark.slow
def test_it_is_dark_where_that_is_preferred_and_when_asked(visit):
    paper = "getComputedStyle(document.body).backgroundColor"
    dark, light = visit(color_scheme="dark"), visit(color_scheme="light")
    assert dark.evaluate(paper) != light.evaluate(paper)
    light.click("#theme")
    assert light.evaluate(paper) == dark.evaluate(paper)


@pytest.mark.slow
@pytest.mark.parametrize("locale", ["en-US", "zh-CN"])
def test_on_a_phone_everything_fits(visit, locale):
    page = visit(viewport={"width": 360, "height": 740}, has_touch=True, locale=locale)
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    for button in page.locator(".player button").all():
        assert button.bounding_box()["width"] >= 36
    box = page.locator("#figure-a svg").bounding_box()
    page.touchscreen.tap(box["x"] + 200, box["y"] + 40)
    settled(page)
    assert len(marks(page)["pos"]) == 3
    page.click("#compare")
    settled(page)
    assert page.evaluate("document.documentElement.scrollWidth") == 360


# -- Without a mouse -------------------------------------------------------------------------------


@pytest.mark.slow
def test_with_keys_only(visit):
    page = visit("#data=textbook&k=3")
    press = page.keyboard.press
    reached = set()
    for _ in range(60):
        press("Tab")
        reached.add(
            page.evaluate("document.activeElement.id || document.activeElement.className.baseVal")
        )
    assert {"plot", "scrub", "play", "theme", "data-name", "order", "draw-proof"} <= reached
    page.focus("#figure-a svg")
    press("ArrowRight")
    assert page.inner_text("#place") == "4 of 7"
    press("End")
    press("Shift+ArrowLeft")
    assert page.inner_text("#place") == "0 of 7"
    press("n")
    assert "Selected: point 1 at (3, 3), class 1." in page.get_attribute(
        "#figure-a svg", "aria-label"
    )
    press("Alt+ArrowUp")
    settled(page)
    assert own_points(page)[0][0, 1] > 3
    press("-")
    settled(page)
    assert len(marks(page)["neg"]) == 2
    press("Delete")
    settled(page)
    assert len(marks(page)["neg"]) == 1
    page.focus("#order")
    press("ArrowDown")
    settled(page)
    assert state(page)["a.order"] == "shuffled"
    assert page.evaluate("document.activeElement.id") == "order"


@pytest.mark.slow
def test_everything_has_a_name_for_a_screen_reader(visit):
    page = visit("#data=clouds&n=30&margin=0.5&noise=0&seed=1&compare=1&k=1")
    nameless = page.evaluate("""() => [...document.querySelectorAll(
        'button, input, select, textarea, svg[role], canvas')].filter((node) => !(
            node.getAttribute('aria-label') || node.labels?.length || node.textContent.trim()
        )).map((node) => node.outerHTML.slice(0, 80))""")
    assert nameless == []
    assert page.get_attribute("#sentence", "aria-live") == "polite"


# -- Comparing and taking away ---------------------------------------------------------------------


@pytest.mark.slow
def test_two_learners_side_by_side(visit):
    page = visit("#data=clouds&n=40&margin=0.3&noise=0&seed=1&k=1")
    page.check("#compare")
    settled(page)
    page.select_option("#rule", "pa")
    settled(page)
    assert page.locator("figure:visible").count() == 2
    X, y = datasets.clouds(40, 2, 0.3, random_state=1)
    a = Perceptron(shuffle=False, max_iter=100).fit(X, y).n_updates_
    b = Perceptron(order="worst", rule="pa", max_iter=100).fit(X, y).n_updates_
    assert page.locator("#summary tr:nth-child(2) td").all_inner_texts() == [str(a), str(b)]
    assert state(page)["b.rule"] == "pa"
    page.click("#tab-A")
    assert page.input_value("#rule") == "rosenblatt"


@pytest.mark.slow
def test_pictures_the_trace_and_the_code_can_be_taken_away(visit):
    page = visit("#data=textbook&k=7")
    X, y = datasets.textbook()
    path = Perceptron(shuffle=False, record=True).fit(X, y).log_.path(X)
    picture = downloaded(page, "#save-svg").decode()
    assert picture.startswith("<svg")
    assert "var(" not in picture
    assert downloaded(page, "#save-png").startswith(b"\x89PNG")
    trace = json.loads(downloaded(page, "#save-json"))
    assert [[*step["w"], step["b"]] for step in trace["trace"]] == path[1:].tolist()
    rows = list(csv.DictReader(downloaded(page, "#save-csv").decode().splitlines()))
    assert [float(row["w1"]) for row in rows] == path[1:, 0].tolist()
    assert [row["point"] for row in rows] == list("1333133")  # from 1, as in the sentences
    page.click("#share summary")
    until(page, lambda: page.inner_text("#code"))
    assert "datasets.textbook()" in page.inner_text("#code")


# -- More hands ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_labels_are_flipped_and_all_points_removed_and_drawn_anew(visit):
    page = visit("#data=textbook&k=7")
    page.check("#tool-flip")
    page.mouse.click(*marks(page)["pos"][0])
    settled(page)
    assert own_points(page)[1].tolist() == [-1, 1, -1]
    page.click("#clear")
    assert marks(page) == {"neg": [], "pos": []}
    assert "at least two classes" in page.inner_text("#notice")
    box = page.locator("#figure-a svg").bounding_box()
    page.check("#tool-1")
    page.mouse.click(box["x"] + 100, box["y"] + 100)
    page.check("#tool-0")
    page.mouse.click(box["x"] + 300, box["y"] + 200)
    settled(page)
    assert own_points(page)[1].tolist() == [1, -1]
    assert page.locator("#notice").is_hidden()
    page.click("#undo")
    until(page, lambda: len(marks(page)["neg"]) == 2)


@pytest.mark.slow
def test_the_curves_end_at_what_is_handed_back(visit):
    page = visit("#data=clouds&n=40&margin=0.2&noise=0.1&seed=3&k=9999")
    X, y = datasets.clouds(40, 2, 0.2, flip=4, random_state=3)
    model = Perceptron(shuffle=False, max_iter=100, settle="after").fit(X, y)
    wrong = np.count_nonzero(model.predict(X) != y)
    assert f"kept: {wrong} (dotted)" in page.inner_text("#curves-note")
    assert f"Fewest mistakes: {fewest_mistakes(X, y).mistakes}." in page.inner_text("#fewest")
    page.click("#repair")
    until(page, lambda: page.inner_text("#stamp") == "Separable")


@pytest.mark.slow
def test_a_projector_has_large_type(visit):
    page = visit(viewport={"width": 1920, "height": 1080})
    size = "parseFloat(getComputedStyle(document.querySelector('#sentence')).fontSize)"
    before = page.evaluate(size)
    page.click("#large")
    assert page.evaluate(size) > 1.25 * before
    assert page.evaluate("document.documentElement.scrollWidth") == 1920


@pytest.mark.slow
def test_the_version_space_holds_the_weights_that_separate_and_no_others(visit):
    page = visit("#data=textbook&k=0")
    inside = """() => {
        const [, , x, y] = document.querySelector(".vectors .after").getAttribute("d")
            .match(/-?[\\d.]+/g).map(Number);
        return document.querySelector(".vectors .space").isPointInFill(new DOMPoint(x, y));
    }"""
    for k in range(1, 8):
        page.keyboard.press("ArrowRight")
        if k != 4:  # where w = 0 has no arrow
            assert page.evaluate(inside) == (k == 7), k
    least, progress, length, most = (
        float(number)
        for number in page.inner_text("#chain").split("\n")[1].replace("−", "-").split(" ≤ ")
    )
    assert least <= progress <= length <= most
