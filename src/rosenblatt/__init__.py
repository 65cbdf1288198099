"""The perceptron: separate your data, or prove that no hyperplane can."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from rosenblatt import former_paths

if TYPE_CHECKING:
    from rosenblatt import dask, datasets, plots
    from rosenblatt.blocks import fit_blocks
    from rosenblatt.core.log import Log
    from rosenblatt.estimators.kernel_perceptron import KernelPerceptron
    from rosenblatt.estimators.perceptron import Perceptron
    from rosenblatt.geometry import distance, perceptron_loss
    from rosenblatt.html_report.report import report
    from rosenblatt.mistake_bound import novikoff
    from rosenblatt.model_files.file import load, save
    from rosenblatt.model_files.onnx_export import to_onnx
    from rosenblatt.separability.certificate import Certificate
    from rosenblatt.separability.certify import certify, certify_each
    from rosenblatt.separability.counting.mistakes_certificate import MistakesCertificate
    from rosenblatt.separability.fewest_mistakes import FewestMistakes, fewest_mistakes, obstacles
    from rosenblatt.separability.max_margin import max_margin
    from rosenblatt.separability.verify import verify
    from rosenblatt.tables import read, scan

former_paths.register()

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
    "report",
    "save",
    "scan",
    "to_onnx",
    "verify",
]

_HOME = {
    "Certificate": "separability.certificate",
    "certify": "separability.certify",
    "certify_each": "separability.certify",
    "max_margin": "separability.max_margin",
    "FewestMistakes": "separability.fewest_mistakes",
    "MistakesCertificate": "separability.counting.mistakes_certificate",
    "fewest_mistakes": "separability.fewest_mistakes",
    "obstacles": "separability.fewest_mistakes",
    "verify": "separability.verify",
    "Log": "core.log",
    "KernelPerceptron": "estimators.kernel_perceptron",
    "Perceptron": "estimators.perceptron",
    "distance": "geometry",
    "fit_blocks": "blocks",
    "perceptron_loss": "geometry",
    "load": "model_files.file",
    "novikoff": "mistake_bound",
    "read": "tables",
    "report": "html_report.report",
    "save": "model_files.file",
    "scan": "tables",
    "to_onnx": "model_files.onnx_export",
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
