"""Every sentence of the page is in both languages, and everything can be read aloud."""

import re
from importlib.resources import files

import pytest

pytestmark = pytest.mark.slow

PAGE = files("rosenblatt.play").joinpath("page")
SOURCES = {file.name: file.read_text("utf-8") for file in PAGE.iterdir()}
CHINESE = re.compile("[\u4e00-\u9fff]")
SAME = {
    "colon",
    "comma",
    "gap",
    "rosenblatt",
    "pa1",
    "pa2",
    "place",
    "why else",
}  # in both languages


@pytest.fixture(scope="module")
def words(browser, address):
    """All words of the page: English and Chinese, by their keys."""
    page = browser.new_page()
    page.goto(address)
    found = page.evaluate("import('./words.js').then((words) => words.WORDS)")
    page.close()
    return found


def test_every_sentence_is_in_both_languages_with_the_same_gaps(words):
    for key, pair in words.items():
        assert len(pair) == 2, key
        english, chinese = pair
        gaps = [sorted(re.findall(r"\{(\w+)\}", text)) for text in pair]
        assert gaps[0] == gaps[1], key
        assert not CHINESE.search(english), key
        assert key in SAME or CHINESE.search(chinese), key


def test_every_word_that_the_page_says_is_there_and_every_word_there_is_said(words):
    code = "".join(text for name, text in SOURCES.items() if name != "words.js")
    said = set(re.findall(r'(?:say|many)\(\s*"([^"]+)"', code))
    said |= set(re.findall(r'data-(?:word|label)="([^"]+)"', code))
    missing = {key for key in said if key not in words and f"n {key}" not in words}
    assert missing == set()
    quoted = set(re.findall(r'["`]([^"`\n]+)["`]', code)) | set(re.findall(r"\b(\w+)\b", code))
    made = [re.sub(r"\$\{[^}]*\}", ".+", q) for q in quoted if "${" in q]
    unused = {
        key
        for key in words
        if key not in quoted
        and not any(re.fullmatch(pattern, key) for pattern in made if plain(pattern))
        and not re.match(r"(1|n) ", key)
    }
    assert unused == set()


def plain(pattern):
    """Whether what a template makes can be a key."""
    return re.fullmatch(r"[\w .+]+", pattern) and len(pattern) > 4


@pytest.mark.parametrize(
    "state",
    [
        "#data=xor&k=2&a.form=dual&compare=1",
        "#data=groups&n=30&classes=4&noise=2&seed=1&held=3&k=9999",
        "#data=clouds&n=30&margin=0.1&noise=0&seed=1&a.order=adversary&a.features=sines&k=9999",
    ],
)
def test_nothing_on_the_page_is_in_the_other_language(visit, state):
    page = visit(state, locale="zh-CN")
    page.evaluate("document.querySelectorAll('details').forEach((box) => { box.open = true; })")
    code = page.inner_text("#code")
    assert code.endswith("print(certify(X, y))\n")
    text = page.inner_text("body").replace(code, "")
    text = text.replace("rosenblatt verify certificate.json certified.csv", "")
    text = re.sub(r"rosenblatt play|class$|Rosenblatt|Gram|Laplac\w+|Novikoff", "", text)
    sentences = re.findall(r"[A-Za-z]{3,}(?: [A-Za-z]{2,})+", text)
    assert sentences == []


@pytest.mark.parametrize(
    ("state", "how"),
    [
        ("", {}),
        ("#data=xor&k=9999&a.form=dual&lesson=separability.1", {"color_scheme": "dark"}),
        ("#data=iris&k=20&compare=1&a.class_weight=1, 2, 3&held=4", {"color_scheme": "dark"}),
        ("#data=moons&n=30&noise=0.2&seed=1&a.features=squares.sines&a.boundary=1&k=5", {}),
        pytest.param(
            "#data=circles&n=30&noise=0.1&seed=1&a.kernel=rbf&compare=1&k=9",
            {"viewport": {"width": 360, "height": 740}, "locale": "zh-CN"},
            marks=pytest.mark.slow,
        ),
    ],
)
def test_axe_finds_nothing_serious(visit, state, how):
    pytest.importorskip("axe_playwright_python")
    page = visit(state, **how)
    page.evaluate("document.querySelectorAll('details').forEach((box) => { box.open = true; })")
    page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8"))
    found = page.evaluate("axe.run().then(({ violations }) => violations)")
    serious = [
        (each["id"], [node["html"][:120] for node in each["nodes"]])
        for each in found
        if each["impact"] in ("serious", "critical")
    ]
    assert serious == []
