"""Writes the chapters of the course as notebooks: python docs/notebooks.py FOLDER"""

import json
import re
import sys
from doctest import DocTestParser
from pathlib import Path

HERE = Path(__file__).parent
COURSES = {"en": HERE / "course", "zh": HERE / "zh" / "course"}
BLOCK = re.compile(r"^```(?P<kind>[^\n]*)\n(?P<body>.*?)^```\n", re.MULTILINE | re.DOTALL)
ANSWER = re.compile(r"<details>(<summary>.*?</summary>)(.*?)</details>\n", re.DOTALL)
KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}


def chapters(language: str) -> list[Path]:
    """The pages of a course, in the order of its table of contents."""
    contents = (COURSES[language] / "index.md").read_text("utf-8").partition("```{toctree}")[2]
    names = re.findall(r"^(\w+)$", contents, re.MULTILINE)
    return [COURSES[language] / f"{name}.md" for name in names]


def notebook(page: Path) -> dict:
    """A chapter as a notebook: prose without links to other pages, code without prompts."""
    text, cells, end = page.read_text("utf-8"), [], 0
    for answer in ANSWER.finditer(text):
        cells += cells_of(text[end : answer.start()])
        cells += [folded(cell, answer[1]) for cell in cells_of(answer[2])]
        end = answer.end()
    cells += cells_of(text[end:])
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": KERNEL}, "cells": cells}


def cells_of(text: str) -> list[dict]:
    """Prose and code in turn."""
    cells, end = [], 0
    for block in BLOCK.finditer(text):
        cells += prose(text[end : block.start()]) + code(block["body"])
        end = block.end()
    return cells + prose(text[end:])


def prose(text: str) -> list[dict]:
    """Markdown, in which pages and pictures of the site are named and not linked."""
    text = re.sub(r"!?\[([^\]]+)\]\((?!https:)[^)]+\)", r"\1", text)
    text = re.sub(r"\{\w+\}(`[^`]+`)", r"\1", text).strip()
    return [{"cell_type": "markdown", "metadata": {}, "source": text}] if text else []


def code(block: str) -> list[dict]:
    """Doctests, or a plot directive's: a cell ends where something is printed."""
    cells, source = [], ""
    for example in DocTestParser().get_examples(block):
        source += example.source
        if example.want:
            cells, source = [*cells, source], ""
    sources = [*cells, source] if source else cells
    return [
        {"cell_type": "code", "metadata": {}, "source": source.rstrip(), "outputs": []}
        | {"execution_count": None}
        for source in sources
    ]


def folded(cell: dict, summary: str) -> dict:
    """A cell of an answer, hidden until it is asked for."""
    if cell["cell_type"] == "code":
        return cell | {"metadata": {"jupyter": {"source_hidden": True}}}
    return cell | {"source": f"<details>{summary}\n\n{cell['source']}\n\n</details>"}


def write(folder: Path) -> None:
    """All chapters, in both languages."""
    for language in COURSES:
        (folder / language).mkdir(parents=True, exist_ok=True)
        for page in chapters(language):
            text = json.dumps(notebook(page), ensure_ascii=False, indent=1)
            (folder / language / f"{page.stem}.ipynb").write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
