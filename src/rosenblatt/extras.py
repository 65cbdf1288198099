"""Optional dependencies, or one sentence that names the extra."""

from importlib import import_module
from typing import Any


def need(module: str, extra: str, what: str) -> Any:
    """A module of an extra, or one sentence that names the extra."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        package = module.partition(".")[0]
        raise ImportError(
            f"{what} needs {package}: pip install 'rosenblatt[{extra}]'", name=package
        ) from error
