"""The shape of the source: what CONTRIBUTING promises of folders, modules, functions and names."""

import ast
from collections import defaultdict
from inspect import stack
from pathlib import Path
from statistics import median

from rosenblatt import Perceptron, datasets
from rosenblatt.core import training

SOURCE = Path(__file__).parent.parent / "src" / "rosenblatt"
MODULES = {path: ast.parse(path.read_text("utf-8")) for path in SOURCE.rglob("*.py")}


def length(function):
    """Lines of a function without its docstring."""
    lines = function.end_lineno - function.lineno + 1
    if ast.get_docstring(function) is None:
        return lines
    return lines - (function.body[0].end_lineno - function.body[0].lineno + 1)


def names(tree):
    """What a module defines at its top."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign):
            yield from (target.id for target in node.targets if isinstance(target, ast.Name))


def test_no_folder_has_more_than_15_modules():
    folders = defaultdict(list)
    for path in MODULES:
        if path.name != "__init__.py":
            folders[path.parent].append(path.name)
    assert {folder.name: len(held) for folder, held in folders.items() if len(held) > 15} == {}


def test_no_module_is_longer_than_300_lines_but_the_checker_which_is_one_file_to_copy():
    lines = {path.name: len(path.read_text("utf-8").splitlines()) for path in MODULES}
    assert [name for name, count in lines.items() if count > 300] == ["checker.py"]


def test_functions_are_short():
    kinds = ast.FunctionDef | ast.AsyncFunctionDef
    functions = [n for tree in MODULES.values() for n in ast.walk(tree) if isinstance(n, kinds)]
    lengths = sorted(map(length, functions))
    assert median(lengths) <= 6
    assert lengths[int(0.9 * len(lengths))] <= 15


def test_few_names_are_defined_twice():
    homes = defaultdict(set)
    for path, tree in MODULES.items():
        for name in names(tree):
            homes[name].add(path.relative_to(SOURCE).as_posix())
    twice = {name for name, held in homes.items() if len(held) > 1 and name.strip("_")}
    assert len(twice) <= 40, sorted(twice)


def test_fit_passes_five_calls_before_the_loop(monkeypatch):
    above, sweep = [], training.sweep

    def seen(*given):
        above.append([frame.function for frame in stack()][1:])
        return sweep(*given)

    monkeypatch.setattr(training, "sweep", seen)
    Perceptron().fit(*datasets.textbook())
    calls = above[0][: above[0].index("fit") + 1]
    assert calls == ["go_over", "train", "learn_auto", "_train", "fit"]
