"""What columns hold: numbers, text, or a matrix; of the same kind as those of another table."""

from itertools import islice
from typing import Any

import numpy as np
import scipy.sparse as sp

from rosenblatt.tables.decimal_marks import numeric
from rosenblatt.tables.encoding import ColumnStatistics, Encoding, Text
from rosenblatt.tables.file_formats.delimited_text import Delimited
from rosenblatt.tables.file_formats.several import Several

LOOKED_AT = 100_000  # rows, for a word among numbers


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
    cells = [(line, row[j]) for line, row in islice(source.rows(), LOOKED_AT)]
    words = [(line, cell) for line, cell in cells if not numeric(cell, source.decimal)]
    if not 0 < 2 * len(words) < len(cells):
        return ""
    return f", such as {words[0][1]!r} in line {words[0][0]}"
