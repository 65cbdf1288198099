"""What columns hold: numbers, text, or a matrix; of the same kind as those of another table."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np
import scipy.sparse as sp

from rosenblatt.tables.decimal_marks import MISSING_WORDS, looks_numeric, numeric
from rosenblatt.tables.encoding import ColumnStatistics, Encoding, Text
from rosenblatt.tables.file_formats.delimited_text import Delimited
from rosenblatt.tables.file_formats.several import Several
from rosenblatt.tables.troubles import CORRECT, Trouble

LOOKED_AT = 100_000  # rows, for a word among numbers
FEW, MOST = 0.1, 0.5  # of the cells: words that are misprints in a column of numbers, if there
FEW_WORDS = 2  # are more different ones than this, and if there are not
SPELLED = ("bool", "text")  # kinds of labels
MOST_CODES = 20  # different numbers that may be codes, among other categories


def kind_of(values: Any) -> str:
    """What a column holds."""
    if isinstance(values, Text):
        return "text"
    return "a matrix" if sp.issparse(values) else "numbers"


def kind_wanted(like: Encoding, k: int | None) -> str:
    """What column k of another table held; None is its target."""
    if k is None:
        return "text" if like.label in SPELLED else "numbers"
    if like.columns[k].levels is not None:
        return "text"
    return "numbers" if like.columns[k].first is None else "a matrix"


def text_places(like: Encoding, places: list[int], target: int | None) -> set[int]:
    """Where there is text in a table like another, even if it looks like numbers."""
    found = {j for k, j in enumerate(places) if kind_wanted(like, k) == "text"}
    return found | ({target} if target is not None and like.label in SPELLED else set())


def labels_in(values: Any, tally: ColumnStatistics) -> set[str]:
    """The labels of a batch, as text."""
    if isinstance(values, Text):
        return set(tally.counts)
    return {repr(v) for v in np.unique(values[~np.isnan(values)]).tolist()}


def first_word(source: Any, j: int, most: float) -> tuple[Any, str] | None:
    """Line and cell of the first word in a column of text files, if at most a share are words."""
    if not isinstance(source, Delimited | Several):
        return None
    cells = [(line, row[j]) for line, row in islice(source.rows(), LOOKED_AT)]
    words = [(line, cell) for line, cell in cells if not numeric(cell, source.decimal)]
    return words[0] if 0 < len(words) <= most * len(cells) else None


def words_among_numbers(counts: dict[str, int]) -> set[str]:
    """The words in a column that is numeric but for a few of them; none in one of categories."""
    words = {level for level in counts if not looks_numeric(level)}
    numbers = set(counts) - words - set(MISSING_WORDS)
    most = MOST if len(words) <= FEW_WORDS else FEW
    few = sum(counts[word] for word in words) <= most * sum(counts.values())
    return words if few and len(numbers) > MOST_CODES else set()


def numeric_but_for(source: Any, tallies: dict[int, ColumnStatistics]) -> Iterator[Trouble]:
    """The columns of text files that are numbers but for a few words, such as misprints."""
    if not isinstance(source, Delimited | Several):
        return
    for j, tally in tallies.items():
        words = words_among_numbers(tally.counts)
        cells = ((line, row[j].strip()) for line, row in source.rows()) if words else ()
        for line, cell in islice((found for found in cells if found[1] in words), 1):
            odd = f"is numeric but for {cell!r} in line {line}"
            yield Trouble(source.names[j], odd, advice=CORRECT)
