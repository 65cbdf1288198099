"""Pickles name classes by their modules; those of earlier versions name these."""

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

HOMES = {  # former module: where what pickles hold of it is now
    "bounds": "mistake_bound",
    "columns": "tables.encoding",
    "delimited": "tables.delimited_text",
    "dual": "estimators.kernel_perceptron",
    "expansion": "estimators.kernel_expansion",
    "files": "tables.files",
    "fitting": "estimators.runs",
    "formats": "tables.formats",
    "log": "core.log",
    "parquet": "tables.parquet",
    "survey": "tables.schema",
    "sweep": "core.loop",
    "verdicts": "separability.certificate",
    "widest": "separability.max_margin",
    "wishes": "tables.column_selection",
    "dependence": "separability.dependent_columns",
    "fewest": "separability.fewest_mistakes",
    "mistakes": "separability.counting.mistakes_certificate",
    "packing": "separability.counting.packing",
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
