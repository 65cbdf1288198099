"""Columns: how those of a table become features, and how they become them again next time.

A batch of rows is a list of columns: numbers (NaN where there is none), text as codes into its
levels, or a CSR matrix, which is many columns at once. A string says why a column is none of these.
"""

import operator
import warnings
from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from rosenblatt.core.loop import Array
from rosenblatt.tables.column_matrix import ByColumn
from rosenblatt.tables.decimal_marks import number_of_text
from rosenblatt.tables.troubles import INFINITY, WITHOUT, Unusable

TRUTH = "true", "false"
MAX_LEVELS = 1000  # of a text column, and of the target
SPARSE_BYTES = 2**26  # a dense matrix may take this much even if it is mostly zeros


class Text(NamedTuple):
    """A column of text."""

    codes: Array  # positions in levels, -1 where there is nothing
    levels: Sequence[str]


Values = Any  # Array | Text | sp.csr_array | str
Batch = list[Values]


class Column(NamedTuple):
    """A column of a table, and the features it becomes."""

    name: str
    place: int  # its position in the file
    levels: tuple[str, ...] | None = None  # of text; None for numbers
    width: int = 1  # more than one for the columns of a matrix
    first: int | None = None  # the number in the name of the first of these
    fill: tuple[float, ...] | None = None  # what stands for a missing value

    def features(self) -> Sequence[str]:
        if self.levels is not None:
            return [f"{self.name}={level}" for level in self.levels]
        if self.first is not None:
            return Numbered(self.name, range(self.first, self.first + self.width))
        return [self.name]


class Numbered(Sequence[str]):
    """The names of the columns of a matrix, made when they are asked for: there may be millions."""

    def __init__(self, stem: str, numbers: range) -> None:
        self.stem, self.numbers = stem, numbers

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, k: Any) -> Any:
        if isinstance(k, slice):
            return [f"{self.stem}{number}" for number in self.numbers[k]]
        return f"{self.stem}{self.numbers[operator.index(k)]}"


class Encoding(NamedTuple):
    """How a table was read, so that the next one can be read the same way."""

    columns: tuple[Column, ...]
    target: str | None  # the name of the target
    target_place: int
    label: str  # what a label is: "int", "float", "bool" or "text"
    n_columns: int  # of the file, the target included
    named: bool  # whether the file names its columns

    def features(self) -> Sequence[str]:
        names = [column.features() for column in self.columns]
        return names[0] if len(names) == 1 else [name for each in names for name in each]

    @property
    def n_features(self) -> int:
        return sum(column.width for column in self.columns)


# -- What is in a table ----------------------------------------------------------------------------


class ColumnStatistics:
    """What a column holds, over all batches."""

    def __init__(self) -> None:
        self.counts: dict[str, int] = {}  # rows of each level
        self.total, self.number = 0.0, 0  # of the numbers that are there
        self.is_matrix = False
        self.low, self.high = np.inf, 0  # the columns of a matrix that are used

    def add(self, values: Values) -> Array:
        """Take in a batch; the rows in which there is nothing."""
        if self.counts if not isinstance(values, Text) else self.number:
            what = "holds text in one part of it, and numbers in another"
            raise Unusable(what, advice=WITHOUT)
        if sp.issparse(values):
            return self._matrix(values)
        return self._text(values) if isinstance(values, Text) else self._numbers(values)

    def _matrix(self, X: Any) -> Array:
        self.is_matrix = True
        if X.nnz:
            self.low, self.high = min(self.low, X.indices.min()), max(self.high, X.indices.max())
        rows = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))
        if np.isinf(X.data).any():
            raise Unusable(INFINITY, int(rows[np.isinf(X.data).argmax()]))
        return np.unique(rows[np.isnan(X.data)])

    @np.errstate(over="ignore", invalid="ignore")
    def _numbers(self, values: Array) -> Array:
        total, none = values.sum(), np.empty(0, np.intp)
        if not np.isfinite(total):
            if (infinite := np.isinf(values)).any():
                raise Unusable(INFINITY, int(infinite.argmax()))
            none = np.flatnonzero(np.isnan(values))
            total = np.nansum(values)
        self.total, self.number = self.total + total, self.number + len(values) - len(none)
        return none

    def _text(self, text: Text) -> Array:
        rows = np.bincount(text.codes[text.codes >= 0], minlength=len(text.levels))
        for level, count in zip(text.levels, rows.tolist(), strict=True):
            if (level := level.strip()) and count:
                self.counts[level] = self.counts.get(level, 0) + count
        empty = np.array([not level.strip() for level in text.levels] + [True])
        return np.flatnonzero(empty[text.codes])

    def column(self, name: str, place: int, mean: bool) -> Column:
        """The column that holds this."""
        if self.is_matrix:
            first = int(min(self.low, 1))
            return Column(name, place, width=int(self.high) + 1 - first, first=first)
        if self.counts:
            counts = truth_values(self.counts)
            levels, rows = tuple(sorted(counts)), sum(counts.values())
            shares = tuple(counts[level] / rows for level in levels) if mean else None
            return Column(name, place, levels, len(levels), fill=shares)
        fill = (self.total / self.number,) if mean and self.number else None
        return Column(name, place, fill=fill)


def are_truth_values(levels: Iterable[str]) -> bool:
    """Whether they are true and false, in whatever letters."""
    return {level.lower() for level in levels} <= set(TRUTH)


def truth_values(counts: dict[str, int]) -> dict[str, int]:
    """The rows of each level; those of a column of truth values as Parquet spells them."""
    if not are_truth_values(counts):
        return counts
    spelled = {value: sum(n for k, n in counts.items() if k.lower() == value) for value in TRUTH}
    return {value: rows for value, rows in spelled.items() if rows}


def kind_of_labels(levels: Collection[str]) -> str:
    """What labels are: whole numbers, numbers, truth values, or text."""
    try:
        values = np.array([number_of_text(level) for level in levels])
    except ValueError:
        return "bool" if are_truth_values(levels) else "text"
    return "int" if (values == np.floor(values)).all() and (abs(values) < 2**53).all() else "float"


# -- Encoding --------------------------------------------------------------------------------------


def batch_labels(values: Values, kind: str) -> Array:
    """The labels of a batch. Where there is none, in a row to be dropped, anything may stand."""
    if isinstance(values, Text):
        texts = [level.strip() for level in values.levels]
        if kind == "bool":  # as Python spells them
            texts = [text.capitalize() for text in texts]
        if kind in ("bool", "text"):
            return np.array([*texts, ""])[values.codes]
        numbers = [number_of_text(text) if text else np.nan for text in texts]
        values = np.array([*numbers, np.nan])[values.codes]
    with np.errstate(invalid="ignore"):
        return values.astype(np.int64) if kind == "int" else values


def encode(batch: Batch, columns: Sequence[Column]) -> ByColumn:
    """The features of a batch. What is missing is filled where a column says how."""
    return ByColumn([x for column in columns for x in _features(batch[column.place], column)])


def encode_sparse(batch: Batch, columns: Sequence[Column]) -> Any:
    """The features of a batch as a CSR matrix."""
    return sp.csr_array(sp.hstack([_sparse(batch[c.place], c) for c in columns], format="csr"))


def n_rows(batch: Batch) -> int:
    """The rows of a batch."""
    values = next(values for values in batch if not isinstance(values, str))
    return len(values.codes) if isinstance(values, Text) else values.shape[0]


def _features(values: Values, column: Column) -> list[Array]:
    if column.levels is None:
        return [np.where(np.isnan(values), column.fill[0], values) if column.fill else values]
    codes = recode(values, column)
    rows = np.flatnonzero(codes >= 0)
    features = np.zeros((column.width, len(codes)))
    features[codes[rows], rows] = 1.0
    if column.fill:
        features[:, codes == MISSING] = np.array(column.fill)[:, None]
    return list(features)


def _sparse(X: Values, column: Column) -> Any:
    """The features of a column, or the known ones of a matrix."""
    if column.first is None:
        return sp.csr_array(np.stack(_features(X, column), axis=1))
    end = column.first + column.width
    if X.shape[1] > end:
        warnings.warn(f"features beyond number {end - 1} are not known; left out", stacklevel=2)
    X = sp.csr_array((X.data, X.indices, X.indptr), shape=(X.shape[0], max(X.shape[1], end)))
    return X[:, column.first : end]


UNKNOWN, MISSING = -2, -1


def recode(text: Text, column: Column) -> Array:
    """Codes into the levels of a column. A level it does not have becomes UNKNOWN, with a warning:
    all its features are 0."""
    assert column.levels is not None
    levels = [level.strip() for level in text.levels]
    spelled = str.lower if are_truth_values(column.levels) else str
    exactly = {level: k for k, level in enumerate(column.levels)}
    known = {spelled(level): k for level, k in exactly.items()} | exactly | {"": MISSING}
    found = [known.get(level, known.get(spelled(level), UNKNOWN)) for level in levels]
    codes = np.array([*found, MISSING])[text.codes]
    if strange := np.unique(text.codes[codes == UNKNOWN]).tolist():
        warnings.warn(
            f"column {column.name!r} has levels that the model has not seen, such as "
            f"{levels[strange[0]]!r}; their features are all 0",
            stacklevel=2,
        )
    return codes


def is_wide(columns: Sequence[Column], rows: int) -> bool:
    """Whether the features are better held as CSR: a matrix already, or large and mostly zeros."""
    if any(column.first is not None for column in columns):
        return True
    width = sum(column.width for column in columns)
    return 8 * rows * width > SPARSE_BYTES and 4 * len(columns) < width
