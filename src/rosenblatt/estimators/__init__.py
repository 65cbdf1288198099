"""The scikit-learn API: named configurations of the loop."""

from importlib import import_module
from typing import Any

MODULES = {"Perceptron": "perceptron", "KernelPerceptron": "kernel_perceptron"}


def __getattr__(name: str) -> Any:
    """The estimators, of which pickles of earlier versions ask this package."""
    if name not in MODULES:
        raise AttributeError(name)
    return getattr(import_module(f"{__name__}.{MODULES[name]}"), name)
