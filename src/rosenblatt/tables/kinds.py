"""What columns hold: numbers, text, or a matrix; of the same kind as those of another table."""

from typing import Any

import numpy as np
import scipy.sparse as sp

from rosenblatt.tables.decimal_marks import numeric
from rosenblatt.tables.encoding import ColumnStatistics, Encoding, Text
from rosenblatt.tables.file_formats.delimited_text import Delimited
from rosenblatt.tables.file_formats.several import Several


def kind_of(values: Any) -> str:
    """What a column holds."""
    if isinstance(values, Text):
        return "text"
    return "a matrix" if sp.issparse(values) else "numbers"


def kind_wanted(like: Encoding, k: int | None) -> str:
    """What column k of another table held; None is its target."""
    if k is None:
        return "text" if like.label == "text" else "numbers"
    if like.columns[k].levels is not None:
        return "text"
    return "numbers" if like.columns[k].first is None else "a matrix"


def text_places(like: Encoding, places: list[int], target: int | None) -> set[int]:
    """Where there is text in a table like another, even if it looks like numbers."""
    found = {j for k, j in enumerate(places) if kind_wanted(like, k) == "text"}
    return found | ({target} if target is not None and like.label == "text" else set())


def labels_in(values: Any, tally: ColumnStatistics) -> set[str]:
    """The labels of a batch, as text."""
    if isinstance(values, Text):
        return set(tally.counts)
    return {repr(v) for v in np.unique(values[~np.isnan(values)]).tolist()}


def first_word(source: Any, j: int) -> str:
    """Where a column of text files that looks like numbers has its first word."""
    if not isinstance(source, Delimited | Several):
        return ""
    total = words = 0
    for line, row in source.rows():
        total += 1
        if not numeric(row[j], source.decimal):
            words += 1
            if words == 1:
                found = f", such as {row[j]!r} in line {line}"
        if total >= 100_000:
            break
    return found if words and 2 * words < total else ""
