"""Every example runs, tells something, and draws one legible figure."""

import ast
import runpy
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest
from pictures import assert_legible

EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("*.py"))


@pytest.fixture
def shown(monkeypatch):
    """How often figures were shown; all are closed in the end."""
    mpl.use("Agg")
    plt.close("all")
    calls = []
    monkeypatch.setattr(plt, "show", lambda: calls.append(plt.get_fignums()))
    yield calls
    plt.close("all")


@pytest.mark.slow
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_draws_one_legible_figure(path, shown, capsys):
    before = sorted(path.parent.iterdir())
    runpy.run_path(str(path))
    assert capsys.readouterr().out.strip()
    assert [len(figures) for figures in shown] == [1]
    assert_legible(plt.gcf())
    assert sorted(path.parent.iterdir()) == before


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_has_a_title_for_the_gallery(path):
    title, line, blank, *story = ast.get_docstring(ast.parse(path.read_text())).splitlines()
    assert line == "=" * len(title)
    assert blank == ""
    assert story
