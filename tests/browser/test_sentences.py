"""What the page says of a run: its sentences and its formulas, in both languages."""

import pytest

pytestmark = pytest.mark.slow

TEXTBOOK = "#data=textbook&k=9999"
WITHOUT_BIAS = "&a.fit_intercept=false"
NARROW = "#data=points&p=1_1_1~-1_2_-1~3_1_1&k=9999"


def lines(page):
    """The formulas, one string each."""
    return page.locator("#formulas p").all_inner_texts()


# -- Without a bias --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lang", "fewest", "ending", "theorem", "reason"),
    [
        (
            "en",
            "No line through the origin has fewer, which is proved",
            "because no line through the origin separates these points, which is proved",
            "no hyperplane through the origin separates these points",
            "Every line through the origin has a point on its wrong side or on itself.",
        ),
        (
            "zh",
            "已证明没有过原点的直线更少",
            "因为已证明没有过原点的直线能分开这些点",
            "没有过原点的超平面能分开这些点",
            "任何过原点的直线都有分错或恰好落在其上的点。",
        ),
    ],
)
def test_without_a_bias_all_that_is_denied_is_of_lines_through_the_origin(
    visit, lang, fewest, ending, theorem, reason
):
    page = visit(f"{TEXTBOOK}{WITHOUT_BIAS}&lang={lang}")
    assert fewest in page.inner_text("#fewest")
    assert ending in page.inner_text("#ending")
    assert theorem in page.inner_text("#bound")
    assert reason in page.inner_text("#verdict")


def test_without_a_bias_the_widest_band_is_symmetric_about_the_origin(visit):
    page = visit(NARROW)
    assert "The widest band between the classes is 2.236 wide" in page.inner_text("#verdict")
    page = visit(NARROW + WITHOUT_BIAS)
    told = page.inner_text("#verdict")
    assert "A line through the origin has every point on its side." in told
    assert "between the classes that is symmetric about the origin is 2 wide" in told
    page.click("[data-lang=zh]")
    told = page.inner_text("#verdict")
    assert "存在过原点的直线把所有点分对。两类之间关于原点对称的最宽的带子宽 2，" in told


@pytest.mark.parametrize(
    ("state", "told"),
    [
        (
            "#data=groups&n=30&classes=3&noise=2&seed=1&k=9999",
            "In every linear machine without biases the own class of some point is behind.",
        ),
        (
            "#data=textbook&a.kernel=linear&k=9999",
            "No hyperplane through the origin of the kernel's feature space separates the points.",
        ),
        (
            "#data=points&p=1_0_1~2_0_-1&a.features=products&k=9999",
            "Every hyperplane through the origin of these features",
        ),
    ],
)
def test_without_a_bias_machines_kernels_and_features_are_told_so(visit, state, told):
    assert told in visit(state + WITHOUT_BIAS).inner_text("#verdict")


# -- Formulas --------------------------------------------------------------------------------------


def test_the_dual_form_adds_to_the_start(visit):
    page = visit("#data=textbook&a.form=dual&a.start=1%2C0%2C0&k=9999")
    test, *_, w = lines(page)
    assert w == "w = w0 + Σ αj yj xj = (1, 0)"
    assert test.startswith("yi (w0·xi + Σ αj yj xj·xi + b) = ")
    page = visit("#data=textbook&a.form=dual&k=7")
    test, *_, w = lines(page)
    assert w == "w = Σ αj yj xj = (1, 1)"
    assert test.startswith("yi (Σ αj yj xj·xi + b) = ")


def test_the_dual_form_of_several_classes_adds_to_the_start(visit):
    start = "%2C".join("100000000")
    page = visit(f"#data=groups&n=30&classes=3&noise=1&seed=1&a.form=dual&a.start={start}&k=1")
    assert lines(page)[0].startswith("(w0,")


@pytest.mark.parametrize(
    ("state", "bias"),
    [
        ("#data=textbook&a.rule=pa1&a.form=dual&k=1", "b ← b + τ y = 0 + 0.05263·1 = 0.05263"),
        ("#data=textbook&a.class_weight=1%2C3&a.form=dual&k=1", "b ← b + η v y = 0 + 3·1 = 3"),
        ("#data=textbook&a.class_weight=1%2C3&k=1", "b ← b + η v y = 0 + 3·1 = 3"),
        ("#data=textbook&a.form=dual&k=1", "b ← b + η y = 0 + 1·1 = 1"),
        ("#data=textbook&a.batch_size=2&k=1", "b ← b + η Σ yi = 0 + 2 = 2"),
        ("#data=textbook&a.batch_size=2&a.form=dual&k=1", "b ← b + η Σ yi = 0 + 2 = 2"),
        (
            "#data=textbook&a.batch_size=2&a.class_weight=1%2C3&k=1",
            "b ← b + η Σ vi yi = 0 + 6 = 6",
        ),
    ],
)
def test_the_bias_moves_by_the_step_of_the_rule_and_the_weight_of_the_class(visit, state, bias):
    page = visit(state)
    assert [line for line in lines(page) if line.startswith("b ←")] == [bias]


@pytest.mark.parametrize("more", ["", "&a.batch_size=2", "&a.form=dual"])
def test_where_there_is_no_bias_none_moves(visit, more):
    for data in ("textbook", "groups&n=30&classes=3&noise=1&seed=1"):
        with_bias, without = (
            [line for line in lines(visit(f"#data={data}{bias}{more}&k=1")) if moves_bias(line)]
            for bias in ("", WITHOUT_BIAS)
        )
        assert (bool(with_bias), without) == (True, [])


def moves_bias(line):
    return "←" in line.partition("b")[2]


# -- How a run ended -------------------------------------------------------------------------------


def test_the_best_line_is_not_compared_with_the_curve_of_a_kernel(visit):
    state = "#data=moons&n=80&noise=0.1&seed=1&k=9999"
    assert visit(state).locator("#curves .curve.best").count() == 1
    assert visit(f"{state}&a.kernel=rbf").locator("#curves .curve.best").count() == 0


def test_a_run_without_mistakes_left_does_not_end_with_some(visit):
    page = visit("#data=points&p=0.001_0.002_1~0.002_0.001_-1&k=9999")
    assert "No point is wrong any more." in page.inner_text("#sentence")
    assert page.inner_text("#ending") == (
        "Training ended here, before a whole pass without a mistake. "
        "A second stage then found a separator, which is drawn in green."
    )


def test_without_updates_there_is_nothing_to_bound(visit):
    page = visit("#data=textbook&a.settle=first&k=9999")
    told = page.inner_text("#bound")
    assert told == "No update was made, so there are no mistakes to bound."


@pytest.mark.parametrize("data", ["xor", "touching"])
def test_one_suspect_is_one(visit, data):
    page = visit(f"#data={data}&k=9999")
    assert page.inner_text("#repair") == "Remove its one suspect"
    on_line = "A point on the line counts as wrong here." in page.inner_text("#fewest")
    assert on_line == (data == "touching")
