"""The documentation in a browser: it is navigated, searched and read in both languages."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The pages, built anew, without a warning."""
    pytest.importorskip("sphinx", reason="the documentation needs pip install '.[docs]'")
    folder = tmp_path_factory.mktemp("site")
    options = ["-q", "-W", "--keep-going", "-d", folder / "doctrees"]
    command = [sys.executable, "-m", "sphinx", *options, ROOT / "docs", folder / "html"]
    built = subprocess.run(command, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    return folder / "html"


@pytest.fixture
def page(browser):
    page = browser.new_page()
    yield page
    page.close()


@pytest.mark.parametrize(
    ("query", "chapter"),
    [
        ("口袋", "zh/course/noise.html"),
        ("口袋算法", "zh/course/noise.html"),
        ("对偶", "zh/course/dual.html"),
        ("间隔", "zh/course/convergence.html"),
        ("pocket", "course/noise.html"),
        ("Gram", "course/dual.html"),
    ],
)
def test_the_search_finds_the_chapter(site, page, query, chapter):
    page.goto(f"{site.as_uri()}/search.html?q={query}")
    page.wait_for_function("document.querySelectorAll('#search-results li').length > 3")
    page.wait_for_timeout(1000)  # results come in one by one
    links = page.eval_on_selector_all("#search-results li a", "all => all.map(a => a.href)")
    assert any(link.partition("?")[0].endswith(f"html/{chapter}") for link in links)


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        ("course/dual", "zh/course/dual"),
        ("howto/labels", "zh/howto/labels"),
        ("index", "zh/index"),
    ],
)
def test_the_switch_leads_to_the_same_page_in_the_other_language(site, page, english, chinese):
    for start, end in ((english, chinese), (chinese, english)):
        page.goto(f"{site.as_uri()}/{start}.html")
        page.click(".language-switch >> visible=true")
        assert page.url.partition("#")[0] == f"{site.as_uri()}/{end}.html"


def test_chinese_pages_have_a_chinese_header(site, page):
    page.goto(f"{site.as_uri()}/zh/course/dual.html")
    shown = page.locator(".bd-header .navbar-nav li >> visible=true").all_inner_texts()
    assert shown[:2] == ["课程", "操作指南"]
    assert all(re.search("[一-鿿]", text) for text in shown)
    page.click(".navbar-brand")
    assert page.url.partition("#")[0] == f"{site.as_uri()}/zh/index.html"


def test_every_page_has_navigation_and_a_switch(site):
    made = {"_static", "_modules"}
    pages = [path for path in site.rglob("*.html") if not made & set(path.parts)]
    assert len(pages) > 80
    for path in pages:
        text = path.read_text("utf-8")
        assert "language-switch" in text, path
        if path.parent != site or path.stem not in ("index", "search", "genindex", "py-modindex"):
            assert "bd-links__title" in text, path


def test_every_chapter_can_be_downloaded_as_a_notebook(site):
    chapters = [*site.glob("course/*.html"), *site.glob("zh/course/*.html")]
    links = {
        path: re.findall(r'class="nav-link notebook"[^>]*href="([^"]+)"', path.read_text("utf-8"))
        for path in chapters
        if path.name != "index.html"
    }
    assert len(links) == 24
    for path, (link, *_) in links.items():
        assert (path.parent / link).exists(), path


def test_the_reference_links_to_the_source_and_to_the_gallery(site):
    text = (site / "reference/rosenblatt.Perceptron.html").read_text("utf-8")
    assert "_modules/rosenblatt/estimators/perceptron.html" in text
    assert "gallery/credit.html" in text
