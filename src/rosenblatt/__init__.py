"""The perceptron: separate your data, or know why nothing can."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rosenblatt import dask, datasets, plots
    from rosenblatt.blocks import fit_blocks
    from rosenblatt.bounds import novikoff
    from rosenblatt.certificates import certify, certify_each
    from rosenblatt.dual import KernelPerceptron
    from rosenblatt.estimators import Perceptron
    from rosenblatt.fewest import FewestMistakes, fewest_mistakes, obstacles
    from rosenblatt.geometry import distance, perceptron_loss
    from rosenblatt.graphs import to_onnx
    from rosenblatt.log import Log
    from rosenblatt.mistakes import MistakesCertificate
    from rosenblatt.models import load, save
    from rosenblatt.tables import read, scan
    from rosenblatt.verdicts import Certificate
    from rosenblatt.verification import verify
    from rosenblatt.widest import max_margin

__all__ = [
    "Certificate",
    "FewestMistakes",
    "KernelPerceptron",
    "Log",
    "MistakesCertificate",
    "Perceptron",
    "certify",
    "certify_each",
    "dask",
    "datasets",
    "distance",
    "fewest_mistakes",
    "fit_blocks",
    "load",
    "max_margin",
    "novikoff",
    "obstacles",
    "perceptron_loss",
    "plots",
    "read",
    "save",
    "scan",
    "to_onnx",
    "verify",
]

_HOME = {
    "Certificate": "verdicts",
    "certify": "certificates",
    "certify_each": "certificates",
    "max_margin": "widest",
    "FewestMistakes": "fewest",
    "MistakesCertificate": "mistakes",
    "fewest_mistakes": "fewest",
    "obstacles": "fewest",
    "verify": "verification",
    "Log": "log",
    "KernelPerceptron": "dual",
    "Perceptron": "estimators",
    "distance": "geometry",
    "fit_blocks": "blocks",
    "perceptron_loss": "geometry",
    "load": "models",
    "novikoff": "bounds",
    "read": "tables",
    "save": "models",
    "scan": "tables",
    "to_onnx": "graphs",
}
_MODULES = {"dask", "datasets", "plots"}


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used, so that importing the package costs nothing."""
    if name in _MODULES:
        return import_module(f"rosenblatt.{name}")
    if name in _HOME:
        return getattr(import_module(f"rosenblatt.{_HOME[name]}"), name)
    raise AttributeError(f"module 'rosenblatt' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
