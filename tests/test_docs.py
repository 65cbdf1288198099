"""Documents run: the README, the examples, and what the package says of itself."""

import doctest
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import rosenblatt

ROOT = Path(__file__).parent.parent
EXAMPLES = sorted(ROOT.glob("examples/*.py"))


def test_the_readme_runs():
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False, optionflags=flags)
    assert result.attempted > 0
    assert result.failed == 0


@cache
def run(*arguments):
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_an_example_runs(example):
    ran = run(example)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.strip()


def test_the_demo_separates_the_credit_data():
    shown = run(ROOT / "examples" / "credit.py").stdout
    assert re.search(r"ended because +separated", shown)
    assert re.search(r"training errors +0\n", shown)


def test_the_attributes_of_the_readme_exist():
    table = re.findall(r"^\| (`\w+_`.*?) \|", (ROOT / "README.md").read_text(), re.MULTILINE)
    names = [name for cell in table for name in re.findall(r"`(\w+_)`", cell)]
    model = rosenblatt.Perceptron(record=True).fit(*rosenblatt.datasets.textbook())
    assert {"stop_reason_", "converged_", "log_"} <= set(names)
    assert all(hasattr(model, name) for name in names)


@pytest.mark.parametrize("name", rosenblatt.__all__)
def test_every_public_name_loads_and_is_described(name):
    assert getattr(rosenblatt, name).__doc__
    assert name in dir(rosenblatt)


def test_a_name_that_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'perceptron'"):
        rosenblatt.perceptron  # noqa: B018


def test_importing_the_package_loads_nothing_heavy():
    code = "import rosenblatt, sys; print([m for m in ('numba', 'sklearn') if m in sys.modules])"
    assert run("-c", code).stdout.strip() == "[]"


@pytest.mark.parametrize("parameter", rosenblatt.Perceptron().get_params())
def test_every_parameter_is_documented(parameter):
    assert re.search(rf"^    {parameter} : ", rosenblatt.Perceptron.__doc__, re.MULTILINE)
