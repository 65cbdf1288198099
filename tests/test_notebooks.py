"""The chapters as notebooks: all cells run, in order, and print what the chapters say."""

import ast
import contextlib
import doctest
import io
import runpy
from pathlib import Path

import matplotlib.pyplot as plt
import pytest

DOCS = Path(__file__).parent.parent / "docs"
NOTEBOOKS = runpy.run_path(str(DOCS / "notebooks.py"))
PAGES = [page for language in ("en", "zh") for page in NOTEBOOKS["chapters"](language)]
each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS)))


@each_page
def test_prose_has_no_links_into_the_site_and_answers_are_folded(page):
    cells = NOTEBOOKS["notebook"](page)["cells"]
    prose = "".join(cell["source"] for cell in cells if cell["cell_type"] == "markdown")
    assert ".md" not in prose
    assert "```" not in prose
    assert prose.count("<details>") == prose.count("</details>")


@pytest.mark.slow
@each_page
def test_all_cells_run_and_print_what_the_chapter_says(page, monkeypatch):
    monkeypatch.setattr(plt, "show", lambda: None)
    plt.switch_backend("Agg")
    examples = doctest.DocTestParser().get_examples(page.read_text("utf-8"))
    told = "".join(example.want for example in examples)
    names, printed = {}, ""
    for cell in NOTEBOOKS["notebook"](page)["cells"]:
        if cell["cell_type"] == "code":
            printed += run(cell["source"], names)
    plt.close("all")
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    assert doctest.OutputChecker().check_output(told, printed, flags), printed


def run(source, names):
    """A cell as Jupyter runs it: the value of its last expression is shown."""
    *statements, last = ast.parse(source).body
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(ast.Module(statements, []), "cell", "exec"), names)
        exec(compile(ast.Interactive([last]), "cell", "single"), names)
    return output.getvalue()
