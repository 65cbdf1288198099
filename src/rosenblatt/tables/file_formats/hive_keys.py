"""Folders of Parquet files whose names hold values, key=value, as Hive, Spark and Dask write them.

The keys come before the columns of the files, so that the last column stays what it was.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

import numpy as np

from rosenblatt.tables.decimal_marks import (
    BEYOND,
    MISSING_WORDS,
    is_beyond,
    number_of_text,
    numeric,
)
from rosenblatt.tables.encoding import Text, Values

MISSING_KEY = "__HIVE_DEFAULT_PARTITION__"  # stands for a missing value


class Keys(NamedTuple):
    """The keys of a folder, and their values for each of its files."""

    values: dict[Path, dict[str, str]]
    names: tuple[str, ...]
    texts: frozenset[str] = frozenset()  # keys that are not numbers everywhere

    def columns(self, part: Path, rows: int) -> Iterator[Values]:
        """The columns that the name of a file stands for."""
        for name in self.names:
            value = self.values[part][name]
            if name in self.texts:
                yield Text(np.full(rows, 0 if value else -1), [value])
            elif is_beyond(value):
                yield BEYOND
            else:
                yield np.full(rows, np.nan if value in MISSING_WORDS else number_of_text(value))


def parquet_files(folder: Path) -> list[Path]:
    """The Parquet files in a folder and those below, in order; hidden ones are passed over."""
    found = [
        path
        for path in sorted(folder.rglob("*.parquet"))
        if not any(name.startswith(("_", ".")) for name in path.relative_to(folder).parts)
    ]
    if not found:
        raise ValueError(
            f"{folder} is a folder, and there are no .parquet files in it; name files of other "
            f"kinds by a pattern, such as {folder}/*.csv"
        )
    return found


def keys_of(folder: Path, parts: list[Path]) -> Keys:
    """The keys in the names of folders; all files must have the same."""
    values = {part: dict(_pairs(part.relative_to(folder))) for part in parts}
    names = tuple(values[parts[0]])
    for part in parts:
        if set(values[part]) != set(names):
            told = ", ".join(names) or "none", ", ".join(values[part]) or "none"
            raise ValueError(f"{parts[0]} has the keys {told[0]}, and {part} has {told[1]}")
    texts = {name for name in names for found in values.values() if not numeric(found[name])}
    return Keys(values, names, frozenset(texts))


def _pairs(path: Path) -> Iterator[tuple[str, str]]:
    for name in path.parts[:-1]:
        key, equal, value = name.partition("=")
        if key and equal:
            yield unquote(key), "" if value == MISSING_KEY else unquote(value).strip()
