"""Pickles name classes by their modules; those of earlier versions name these."""

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

HOMES = {  # former module: where what pickles hold of it is now
    "bounds": "mistake_bound",
    "columns": "tables.encoding",
    "delimited": "tables.file_formats.delimited_text",
    "dual": "estimators.kernel_perceptron",
    "expansion": "estimators.kernel_expansion",
    "files": "tables.files",
    "fitting": "estimators.runs",
    "formats": "tables.file_formats.formats",
    "log": "core.log",
    "parquet": "tables.file_formats.parquet",
    "survey": "tables.schema",
    "sweep": "core.loop",
    "verdicts": "separability.certificate",
    "widest": "separability.max_margin",
    "wishes": "tables.column_selection",
    "dependence": "separability.coefficients.dependent_columns",
    "fewest": "separability.fewest_mistakes",
    "mistakes": "separability.counting.mistakes_certificate",
    "packing": "separability.counting.packing",
    "separability.dependent_columns": "separability.coefficients.dependent_columns",
    "tables.delimited_text": "tables.file_formats.delimited_text",
    "tables.feather": "tables.file_formats.feather",
    "tables.formats": "tables.file_formats.formats",
    "tables.parquet": "tables.file_formats.parquet",
}
FORMER_NAMES = {
    "Ballots": "VotedExpansion",
    "Clash": "ConflictWeights",
    "PairClash": "PairConflictWeights",
    "Tally": "ColumnStatistics",
    "Wish": "ReadOptions",
}


class FormerModule(ModuleType):
    """A module that has moved; what is asked of it is looked up in its new place."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # asked of every module there is
            raise AttributeError(name)
        home = HOMES[self.__name__.removeprefix("rosenblatt.")]
        return getattr(import_module(f"rosenblatt.{home}"), FORMER_NAMES.get(name, name))


def register() -> None:
    """Let the former modules be found. Nothing is loaded before it is asked for."""
    for name in HOMES:
        sys.modules[f"rosenblatt.{name}"] = FormerModule(f"rosenblatt.{name}")
