"""What the columns of a matrix are: their names, and which of them code a column of text."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.core.loop import Array
from rosenblatt.inputs.exact_numbers import refuse_rounded
from rosenblatt.tables import Table, read
from rosenblatt.tables.encoding import Column, Encoding, Numbered
from rosenblatt.tables.frames import (
    Frame,
    column_names,
    frame_columns,
    is_frame,
    is_numeric,
    refuse_missing,
)

INTERCEPT = "intercept"


class CodedColumn(NamedTuple):
    """A column of text, and the features that code it: one for each of its levels."""

    column: Column
    features: range


class Coding(NamedTuple):
    """What the features are."""

    names: Sequence[str] | None = None  # x0, x1, … if None
    groups: tuple[CodedColumn, ...] = ()

    def coefficients(self, d: int, fit_intercept: bool) -> list[str]:
        """The names of d features and of the bias, which comes last; where several are the same,
        with their positions."""
        names = [*(self.names or Numbered("x", range(d))), *[INTERCEPT] * fit_intercept]
        return told_apart(names) if self.names and len(set(names)) < len(names) else names

    def references(self, X: Any, codes: Array, fit_intercept: bool) -> list[int]:
        """The reference level of each text column, by the position of its feature.

        With a bias, the features of a column add up to a constant, so that only differences from
        one level, the reference, are determined. Without, the first column stands for the bias.
        """
        groups = self.groups if fit_intercept else self.groups[1:]
        return [g.features.start + reference_level(X, codes, g.features) for g in groups]


def told_apart(names: list[str]) -> list[str]:
    """Names of columns, with their positions where there are several of one name."""
    count = Counter(names)
    numbered = [f"{n} (column {j})" if count[n] > 1 else n for j, n in enumerate(names)]
    return [*numbered[:-1], names[-1]] if names[-1] == INTERCEPT else numbered


class Coded(NamedTuple):
    """Rows as numbers, and what these are."""

    X: Any
    y: Any
    coding: Coding


def coded(X: Any, y: Any = None) -> Coded:
    """Rows as numbers: text, categories and dates of a data frame are encoded as `read` does.

    X may also be a table that `read` gave, which has the labels too.
    """
    if isinstance(X, Coded):
        return X._replace(y=y)
    if isinstance(X, Table):
        return Coded(X.X, X.y if y is None else y, Coding(X.feature_names, groups(X.encoding)))
    if not is_frame(X):
        return Coded(X, y, Coding())
    if all(map(is_numeric, frame_columns(X))):
        return Coded(X, y, Coding(column_names(X)))
    for column in filter(is_numeric, frame_columns(X)):
        refuse_rounded(np.asarray(column))
    refuse_missing(Frame(X))
    return coded(read(X, target=None), y)


def refuse_uncoded(X: Any) -> None:
    """Refuse a block of a data frame with columns that are no numbers: others may have words, and
    with them features, that are not in this one."""
    if is_frame(X):
        columns = zip(column_names(X), frame_columns(X), strict=True)
        if odd := [name for name, column in columns if not is_numeric(column)]:
            raise ValueError(
                "a block has columns that are no numbers, which each block might encode in its own "
                f"way: {', '.join(odd)}. Encode them for all blocks alike"
            )


def groups(encoding: Encoding) -> tuple[CodedColumn, ...]:
    """The features of each text column."""
    ends = np.cumsum([0, *(column.width for column in encoding.columns)]).tolist()
    spans = zip(encoding.columns, pairwise(ends), strict=True)
    return tuple(CodedColumn(c, range(*span)) for c, span in spans if c.levels is not None)


def reference_level(X: Any, codes: Array, features: range) -> int:
    """The most frequent level, of those that more than one class has: if a level tells the class,
    its own coefficient is to be infinite, and not those of all others."""
    counts = sums_by_class(X[:, features.start : features.stop], codes)
    shared = (counts > 0).sum(axis=0) > 1
    return int(np.argmax(counts.sum(axis=0) * (shared if shared.any() else 1)))


def sums_by_class(X: Any, codes: Array) -> Array:
    """The sum of each column (across) over the rows of each class (down)."""
    by_class = [X[codes == c].sum(axis=0) for c in range(codes.max() + 1)]
    return np.array([np.asarray(sums).ravel() for sums in by_class])
