"""Parameters are declared once, and told everywhere as they are declared."""

import re
from dataclasses import fields
from inspect import getdoc, signature

import numpy as np
import pytest

from rosenblatt import KernelPerceptron, Perceptron
from rosenblatt.core.budget import FORGET
from rosenblatt.core.keepers import KEEPERS
from rosenblatt.core.orders import ORDERS
from rosenblatt.core.rules import RULES
from rosenblatt.dask import DaskPerceptron
from rosenblatt.inputs.parameters import KERNEL_NAMES, CommonParameters, defaults
from rosenblatt.kernels.functions import KERNELS

DECLARED = re.compile(r"^(\w+) : .*default=(.+)$", re.MULTILINE)
REGISTERED = {"order": ORDERS, "keep": KEEPERS, "forget": FORGET, "rule": RULES, "kernel": KERNELS}


@pytest.mark.parametrize("estimator", [Perceptron, KernelPerceptron, DaskPerceptron])
def test_scikit_learn_reads_the_declared_defaults(estimator):
    assert estimator().get_params() == defaults(estimator)
    assert set(signature(estimator).parameters) == set(defaults(estimator))


@pytest.mark.parametrize("estimator", [Perceptron, KernelPerceptron])
def test_docstrings_tell_the_declared_defaults(estimator):
    told = {name: eval(value) for name, value in DECLARED.findall(getdoc(estimator))}
    known = defaults(estimator)
    assert told.items() <= known.items()
    listed = set(re.findall(r"\w+", estimator.__doc__.split("Attributes\n")[0]))
    assert known.keys() <= listed
    assert known.keys() - told.keys() <= {p.name for p in fields(CommonParameters)}


@pytest.mark.parametrize("name", REGISTERED)
def test_every_declared_word_is_registered(name):
    model = KernelPerceptron(**{name: "no such word"})
    with pytest.raises(ValueError, match="is not known") as refusal:
        model.fit(np.eye(2), [0, 1])
    words = set(re.findall(r"'(\w+)'", str(refusal.value).split("one of")[1]))
    assert words - {"precomputed", "auto"} <= REGISTERED[name].keys()


def test_every_kernel_is_declared():
    assert set(KERNEL_NAMES) == KERNELS.keys()
