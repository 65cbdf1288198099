"""Sparse rows that use few of their columns, as hashed text does: the same question in those alone.

A weight of a column in which all rows are zero changes no score, so it may be zero.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from rosenblatt.core.loop import Array, Primal, Sparse
from rosenblatt.core.vectors import unwritable
from rosenblatt.separability.exact.column_relations import Bound
from rosenblatt.separability.exact.rational import FloatRatios


class NarrowedRows(NamedTuple):
    """Rows in the columns that they use."""

    primal: Sparse
    places: Array  # of their weights, the bias last, among those of all columns

    def widen(self, w: Array) -> Array:
        """The weights of all columns, and the bias; of several hypotheses, row by row."""
        wide = np.zeros((*w.shape[:-1], self.places[-1] + 1))
        wide[..., self.places] = w
        return wide

    def widen_ratios(self, ratios: Sequence[Fraction]) -> Sequence[Fraction]:
        """The same in fractions."""
        if isinstance(ratios, FloatRatios):
            return FloatRatios(self.widen(ratios.floats))
        wide = [Fraction(0)] * (self.places[-1] + 1)
        for j, ratio in zip(self.places.tolist(), ratios, strict=True):
            wide[j] = ratio
        return wide

    def widen_bound(self, bound: Bound | None) -> Bound | None:
        """A bound in used columns as one in all columns, and the bias."""
        return bound and Bound(*bound.renamed(self.places.tolist()))


def narrowed(primal: Primal) -> NarrowedRows | None:
    """The rows in the columns that they use; None if these are most of them, or rows are dense."""
    if not isinstance(primal, Sparse):
        return None
    used = np.zeros(primal.n_features, bool)
    for some in (primal.indices[: primal.n_features], primal.indices):
        used[some] = True
        if 2 * np.count_nonzero(used) > primal.n_features:
            return None
    columns = np.flatnonzero(used)
    if not len(columns):
        return None
    places = np.empty(primal.n_features, primal.indices.dtype)
    places[columns] = np.arange(len(columns))
    indices = unwritable(places[primal.indices])
    narrow = primal._replace(indices=indices, n_features=len(columns))
    return NarrowedRows(narrow, np.append(columns, primal.n_features))
