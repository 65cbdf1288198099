"""Documents run, agree with each other, and leave nothing out.

Their code blocks are doctests of their own: see testpaths in pyproject.toml.
"""

import ast
import doctest
import inspect
import re
import runpy
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from matplotlib.ft2font import FT2Font

import rosenblatt
from rosenblatt.cli import cli
from rosenblatt.play import requests, samples
from rosenblatt.plots.labels import WORDS

ROOT = Path(__file__).parent.parent
MADE = ("docs/gallery", "docs/reference/")  # by the build
PAGES = [
    page
    for page in sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
    if not str(page.relative_to(ROOT)).startswith(MADE)
]
CHINESE = {
    page: ROOT / "docs" / page.relative_to(ROOT / "docs/zh")
    for page in ROOT.glob("docs/zh/**/*.md")
}
CHINESE[ROOT / "README.zh-CN.md"] = ROOT / "README.md"
FENCE = re.compile(r"^```(?P<kind>[^\n]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


def prose(page):
    """A page without its code."""
    return FENCE.sub("", page.read_text("utf-8"))


def headings(page):
    return re.findall(r"^(#+) (.+)$", prose(page), re.MULTILINE)


# -- Pages -----------------------------------------------------------------------------------------


def test_the_pages_are_tests():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["pytest"]["ini_options"]
    run = {page for pattern in settings["testpaths"] for page in ROOT.glob(pattern)}
    with_code = {page for page in PAGES if examples(page)}
    assert "--doctest-glob=*.md" in settings["addopts"]
    assert with_code - run == set(CHINESE) & with_code  # which have the code of the English ones


@every_page
def test_every_block_of_python_is_a_doctest(page):
    for block in FENCE.finditer(page.read_text("utf-8")):
        if block["kind"].startswith(("py", "{plot")) or ".. plot::" in block["body"]:
            assert doctest.DocTestParser().get_examples(block["body"])


@every_page
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if not target.startswith("https://"):
            path, _, anchor = target.partition("#")
            found = (page.parent / path if path else page).resolve()
            assert found.exists() or source_of(found).exists(), target
            assert not anchor or anchor in map(slug, headings(found)), target


def source_of(path):
    """The example that a page of the gallery is made from."""
    name = "GALLERY_HEADER.rst" if path.stem == "index" else f"{path.stem}.py"
    return ROOT / "examples" / name if path.parent.name == "gallery" else path


def slug(heading):
    """The anchor of a heading."""
    return re.sub(r"[^\w -]", "", heading[1].lower()).replace(" ", "-")


OTHERS = "numpy|pandas|pathlib|scipy|sklearn"


@every_page
def test_links_to_other_projects_are_in_their_inventories(page):
    """Sphinx leaves out a link that it does not find, without a word."""
    named = re.findall(rf"{{\w+}}`~?((?:{OTHERS})\.[\w.]+)`", prose(page))
    known = " ".join(path.read_text() for path in ROOT.glob("docs/inventories/*.inv"))
    assert set(named) <= set(known.split())


@every_page
def test_tables_of_contents_name_pages(page):
    for block in FENCE.finditer(page.read_text("utf-8")):
        entries = block["body"].splitlines() if block["kind"] == "{toctree}" else []
        for entry in entries:
            if entry and not entry.startswith(":"):
                name = re.sub(r".*<(.*)>", r"\1", entry)
                found = (page.parent / f"{name}.md").resolve()
                assert found.exists() or source_of(found).exists(), entry


@pytest.mark.parametrize("page", sorted(CHINESE), ids=lambda page: str(page.relative_to(ROOT)))
def test_a_chinese_page_has_the_headings_and_the_code_of_the_english_one(page):
    ours, theirs = page, CHINESE[page]
    assert [level for level, _ in headings(ours)] == [level for level, _ in headings(theirs)]
    assert examples(ours) == examples(theirs)
    assert re.search("[\u4e00-\u9fff]", prose(ours))


def examples(page):
    found = doctest.DocTestParser().get_examples(page.read_text("utf-8"))
    return [(example.source, example.want) for example in found]


@pytest.mark.parametrize("folder", ["docs", "docs/zh"])
def test_every_topic_of_lecture_notes_is_taught_in_a_chapter(folder):
    taught = {topic: anchors for topic, anchors in notes(folder) if not topic.startswith("**")}
    assert len(taught) >= 44
    for topic, anchors in taught.items():
        assert anchors, topic
        for chapter, anchor in anchors:
            page = ROOT / folder / "course" / chapter
            assert anchor in map(slug, headings(page)), (topic, anchor)


def notes(folder):
    """The rows of the table of lecture notes: a topic, and where it is taught."""
    page = (ROOT / folder / "notes.md").read_text("utf-8")
    rows = re.findall(r"^\| ([^|]+) \| ([^|]*)\| [^|]*\|$", page, re.MULTILINE)
    return [(topic, re.findall(r"\(course/([^)#]+)#([^)]+)\)", where)) for topic, where in rows[1:]]


def test_both_tables_of_lecture_notes_teach_in_the_same_chapters():
    english, chinese = (
        [[chapter for chapter, _ in where] for _, where in notes(folder)]
        for folder in ("docs", "docs/zh")
    )
    assert english == chinese


def test_every_chapter_ends_with_what_to_read_and_what_to_try():
    chapters = [page for page in ROOT.glob("docs/course/*.md") if page.name != "index.md"]
    assert len(chapters) == 12
    for page in chapters:
        assert headings(page)[-1] == ("##", "Read and try")
        ending = page.read_text("utf-8").partition("## Read and try")[2]
        assert "](" in ending
        assert "rosenblatt play '#" in ending


def test_links_to_the_playground_name_data_and_settings_that_exist():
    links = [playground_links(folder) for folder in ("docs", "docs/zh")]
    assert links[0] == links[1] != []
    settings = {*requests.LINEAR_FIELDS, *requests.KERNEL_FIELDS, *requests.BOTH}
    for link in links[0]:
        asked = dict(part.split("=") for part in link.split("&"))
        knobs = samples.KNOBS[asked.pop("data")]
        asked.pop("compare", None)
        assert int(asked.pop("held", 0)) in samples.HELD
        assert asked.pop("k").isdigit()
        assert all(key in knobs or key.partition(".")[2] in settings for key in asked)


def playground_links(folder):
    pages = [*(ROOT / folder).glob("course/*.md"), *(ROOT / folder).glob("howto/*.md")]
    text = "".join(page.read_text("utf-8") for page in sorted(pages))
    return re.findall(r"rosenblatt play '#([^']+)'", text)


def test_the_figures_of_chinese_pages_have_a_font():
    font = FT2Font(str(ROOT / "docs/fonts/NotoSansCJKsc-subset.otf"))
    used = re.findall(
        "[\u3000-\u9fff\uff00-\uffef]", "".join(chinese for _, chinese in WORDS.values())
    )
    assert used
    assert {char for char in used if ord(char) not in font.get_charmap()} == set()


def test_what_is_quoted_of_the_source_is_there():
    page = ROOT / "docs" / "inside.md"
    quoted = re.findall(r"^```{literalinclude} (\S+)\n(.*?)^```", page.read_text(), re.M | re.S)
    assert len(quoted) >= 6
    for path, options in quoted:
        source = (page.parent / path).read_text("utf-8")
        names = {getattr(node, "name", None) for node in ast.parse(source).body}
        for option, value in re.findall(r":([\w-]+): \"?([^\"\n]+)", options):
            if option == "pyobject":
                assert value in names
            elif option in ("start-after", "end-before"):
                assert value in source


# -- Nothing left out ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", rosenblatt.__all__)
def test_every_public_name_is_in_the_reference(name):
    page = (ROOT / "docs/reference.md").read_text()
    assert re.search(rf"^   {name}(\.\w+)?$", page, re.MULTILINE)


@pytest.mark.parametrize("module", ["plots", "datasets"])
def test_every_function_of_a_public_module_is_in_the_reference(module):
    functions = [
        name
        for name, value in vars(getattr(rosenblatt, module)).items()
        if inspect.isfunction(value) and value.__module__.startswith(f"rosenblatt.{module}")
    ]
    page = (ROOT / "docs/reference.md").read_text()
    assert functions
    assert all(f"   {module}.{name}\n" in page for name in functions)


def test_the_checker_is_as_short_as_is_told():
    lines = (ROOT / "src/rosenblatt/checker.py").read_text().splitlines()
    assert f"{len(lines)} lines" in (ROOT / "docs/howto/proofs.md").read_text()


@pytest.mark.parametrize("folder", ["docs", "docs/zh"])
def test_every_extra_is_in_the_page_on_installation(folder):
    page = (ROOT / folder / "howto/install.md").read_text("utf-8")
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"][
        "optional-dependencies"
    ]
    for name in extras.keys() - {"all", "test", "bench", "docs"}:
        (line,) = re.findall(rf"^\| `{name}` .*$", page, re.MULTILINE)
        packages = [re.match(r"[\w-]+", needed)[0] for needed in extras[name]]
        assert all(package in line for package in packages), (name, packages)


@pytest.mark.parametrize("command", cli.commands)
def test_every_command_is_documented(command):
    page = (ROOT / "docs/command-line.md").read_text("utf-8")
    assert re.search(rf"^## rosenblatt {command}\b", page, re.MULTILINE)


@pytest.mark.parametrize("name", ["README.md", "README.zh-CN.md"])
def test_the_errors_that_are_told_of_are_those_computed(name):
    computed = (ROOT / "docs/howto/scikit-learn.md").read_text()
    pairs = re.findall(r"\((\d+), (\d+)\)[,)]", computed)
    told = (ROOT / name).read_text("utf-8").replace("*", "")
    assert re.findall(r"^\|.*\| (\d+) \| (\d+) \|", told, re.MULTILINE) == pairs


def test_the_measured_table_is_not_stale():
    peers = runpy.run_path(ROOT / "docs" / "peers.py")
    for name in peers["PAGES"]:
        assert (ROOT / name).read_text("utf-8") == peers["page"](name)


# -- The package ----------------------------------------------------------------------


def test_the_attributes_that_are_told_of_exist():
    page = (ROOT / "docs/howto/warnings.md").read_text()
    table = re.findall(r"^\| (`\w+_`.*?) \|", page, re.MULTILINE)
    names = [name for cell in table for name in re.findall(r"`(\w+_)`", cell)]
    model = rosenblatt.Perceptron(record=True).fit(*rosenblatt.datasets.textbook())
    assert {"stop_reason_", "converged_", "log_"} <= set(names)
    assert all(hasattr(model, name) for name in names)


def test_the_citation_names_this_version():
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text()


@pytest.mark.parametrize("name", rosenblatt.__all__)
def test_every_public_name_loads_and_is_described(name):
    assert getattr(rosenblatt, name).__doc__
    assert name in dir(rosenblatt)


def test_a_name_that_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'perceptron'"):
        rosenblatt.perceptron  # noqa: B018


def test_importing_the_package_loads_nothing_heavy():
    code = "import rosenblatt, sys; print([m for m in ('numba', 'sklearn') if m in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ran.stdout.strip() == "[]"


def test_a_separable_fit_loads_nothing_that_it_does_not_need():
    code = """
import sys, rosenblatt
rosenblatt.Perceptron().fit([[0.0], [1.0]], [0, 1])
names = "flint", "matplotlib", "rosenblatt.kernels", "rosenblatt.tables.files"
print([m for m in names if m in sys.modules])"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ran.stdout.strip() == "[]"


@pytest.mark.parametrize("parameter", rosenblatt.Perceptron().get_params())
def test_every_parameter_is_documented(parameter):
    assert re.search(rf"^{parameter} : ", inspect.getdoc(rosenblatt.Perceptron), re.MULTILINE)
