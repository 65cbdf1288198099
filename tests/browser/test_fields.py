"""Fields say what they take; an emptied picture is a state; certificates can be checked."""

import json

import numpy as np
import pytest

from browser.reading import downloaded, marks, settled, state, until
from rosenblatt import verify
from rosenblatt.tables import read

pytestmark = pytest.mark.slow


# -- Fields ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("start", ["1, 1, −3", "1，1，-3", "１、１、－３"])
def test_minus_signs_and_commas_of_print_are_read(visit, start):
    page = visit("#data=textbook&lesson=model.2&k=0")
    page.fill("#start", start)
    page.keyboard.press("Enter")
    settled(page)
    until(page, lambda: "Right." in page.inner_text("#guide .then"))
    assert state(page)["a.start"].replace(" ", "") == "1,1,-3"


def test_the_example_of_the_lesson_is_no_solution(visit):
    page = visit("#data=textbook&lesson=model.2&k=0")
    example = page.inner_text("#guide p").partition("as in ")[2].rstrip(".")
    page.fill("#start", example)
    page.keyboard.press("Enter")
    until(page, lambda: state(page).get("a.start") == "1, -1, 2")
    settled(page)
    assert page.inner_text("#guide .then") == ""


@pytest.mark.parametrize(
    ("field", "value", "takes", "good"),
    [
        ("start", "one", "numbers with commas between them, as in 1, −1, 2", "2, 2, 2"),
        ("class_weight", "heavy", "a number for each class, as in 1, 2; or “balanced”", "1, 2"),
        ("eta0", "-1", "a number of at least 0.01", "2"),
        ("max_iter", "5000", "a whole number from 1 to 1000", "2"),
        ("batch_size", "abc", "a whole number from 1 on, or “all”", "2"),
    ],
)
def test_a_field_says_what_it_takes_until_it_gets_it(visit, field, value, takes, good):
    page = visit("#data=textbook&k=7")
    page.fill(f"#{field}", value)
    page.keyboard.press("Enter")
    assert page.locator(".refused").all_inner_texts() == [
        f"This value is not used; it takes {takes}."
    ]
    page.fill(f"#{field}", good)
    page.keyboard.press("Enter")
    settled(page)
    assert page.locator(".refused").count() == 0


def test_what_a_field_takes_is_told_in_chinese(visit):
    page = visit("#data=textbook&k=7&lang=zh")
    page.fill("#max_iter", "0")
    page.keyboard.press("Enter")
    assert page.inner_text(".refused") == "没有采用这个值；这里应填从 1 到 1000 的整数。"


def test_an_emptied_picture_hears_no_late_refusal(open_page):
    page, held = open_page("#data=textbook&k=7"), []
    settled(page)
    page.route("**/run", lambda route: held.append(route))
    page.fill("#eta0", "2")
    page.keyboard.press("Enter")
    until(page, lambda: held)
    page.click("#clear")
    told = page.inner_text("#notice")
    held[0].fulfill(status=500, json={"error": "late", "code": "failed"})
    settled(page)
    assert page.inner_text("#notice") == told


@pytest.mark.parametrize(
    ("link", "told"),
    [
        ("a.start=1e400%2C1%2C1", "Numbers must be 0, or between 10⁻⁹ and 10⁹ in size."),
        ("a.start=one%2C1%2C1", "This value of “start (w, b)” cannot be used."),
        ("a.max_iter=5000", "This value of “maximum passes” cannot be used."),
    ],
)
def test_a_link_with_a_wrong_setting_is_told_in_words(open_page, link, told):
    page = open_page(f"#data=textbook&{link}&k=0")
    page.wait_for_selector("#notice:not([hidden])")
    assert told in page.inner_text("#notice")


# -- An empty picture ------------------------------------------------------------------------------


def test_an_emptied_picture_knows_nothing_and_is_in_the_address(visit):
    page = visit("#data=points&p=3_3_1~4_3_1~1_1_-1&k=0")
    page.click("#clear")
    assert (
        page.locator("#verdict, #bound, #sentence, #share").evaluate_all(
            "(all) => all.map((node) => getComputedStyle(node).visibility)"
        )
        == ["hidden"] * 4
    )
    assert page.inner_text("#figure-a figcaption") == "0 points, ● −1 and ■ 1."
    assert page.locator("#figure-a .name").all_text_contents() == ["x₁", "x₂"]
    page.keyboard.press("ArrowRight")
    assert page.inner_text("#place") == "0 of 0"
    assert state(page) == {"data": "points", "p": "", "k": "0"}
    page.reload()
    until(page, lambda: page.inner_text("#figure-a figcaption") == "0 points, ● −1 and ■ 1.")
    box = page.locator("#figure-a svg").bounding_box()
    for tool, x in ((1, 100), (0, 300)):
        page.check(f"#tool-{tool}")
        page.mouse.click(box["x"] + x, box["y"] + x)
    page.wait_for_selector("#stamp")
    assert page.inner_text("#stamp") == "Separable"
    assert page.locator("#verdict").is_visible()


def test_emptying_a_picture_can_be_undone(visit):
    page = visit("#data=credit&k=0")
    page.click("#clear")
    assert "at least two classes" in page.inner_text("#notice")
    page.click("#way-out")
    until(page, lambda: len(marks(page)["pos"]) > 0)
    assert state(page)["data"] == "credit"


# -- Certificates ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "link",
    [
        "#data=clouds&n=40&margin=0&noise=0.1&seed=1&held=4",
        "#data=xor&a.features=products",
        "#data=groups&n=30&classes=3&noise=1&seed=1&held=3",
        "#data=points&p=0_1_1~2_3_-1&classes=z~a",
    ],
)
def test_a_certificate_is_verified_with_its_table(visit, tmp_path, link):
    page = visit(f"{link}&k=0")
    certificate = json.loads(downloaded(page, "#certificate"))
    path = tmp_path / "certified.csv"
    path.write_bytes(downloaded(page, "#certified"))
    table = read(path)
    assert verify(certificate, np.asarray(table.X), table.y)


@pytest.mark.parametrize("link", ["#data=textbook", "#data=textbook&a.order=adversary"])
def test_a_certificate_of_all_points_is_verified_with_the_points(visit, tmp_path, link):
    page = visit(f"{link}&k=0")
    assert page.locator("#certified").count() == 0
    page.click("#data summary")
    until(page, lambda: page.input_value("#csv"))
    path = tmp_path / "points.csv"
    path.write_text(page.input_value("#csv"), "utf-8")
    table = read(path)
    assert verify(json.loads(downloaded(page, "#certificate")), np.asarray(table.X), table.y)


# -- Layout ----------------------------------------------------------------------------------------


def test_a_quotient_is_not_broken_and_labels_do_not_overlap(visit):
    page = visit("#data=points&p=1_1_1~-1_-1_-1&k=1", viewport={"width": 1280, "height": 900})
    heights = "(all) => all.map((node) => node.getClientRects().length)"
    assert page.locator("#bound .whole").evaluate_all(heights) == [1, 1]
    script = """(all) => all.map((node) => node.getBBox())
        .map(({ x, y, width, height }) => [x, y, x + width, y + height])"""
    boxes = page.locator("#bound .label").evaluate_all(script)
    pairs = [(a, b) for i, a in enumerate(boxes) for b in boxes[:i]]
    assert [p for p in pairs if clash(*p)] == []


def clash(a, b):
    """Whether two boxes overlap."""
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def test_the_mark_of_a_verdict_is_round_beside_two_lines(visit):
    page = visit("#data=xor&a.features=products&k=0", viewport={"width": 1280, "height": 900})
    sizes = page.eval_on_selector(
        "#stamp", "(n) => ['width', 'height'].map((key) => getComputedStyle(n, '::before')[key])"
    )
    assert sizes[0] == sizes[1]
