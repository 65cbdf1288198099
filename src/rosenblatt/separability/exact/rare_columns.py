"""Rows that rare columns separate: set aside before anything else is asked.

Let z = y x̂. A column in which no row is negative and some are positive, or the other way round, is
a weak separator by itself. So the rows in which it is not zero are in no conflict. Without them,
other columns may have one sign; and so on, layer by layer, until none has. Of images, these are
pixels near the edge; of text, rare words.

What is left is the same question in fewer rows and columns. Its answer u is zero in the columns of
all layers, and these are zero in the rows left and in all layers after. So u plus large multiples
of the columns, those of the last layer first, gets right what u does, and all rows of the layers.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from rosenblatt.core.loop import Array, Primal, Rows
from rosenblatt.core.vectors import margins, matrix, pick, store
from rosenblatt.inputs.validation import rows_of
from rosenblatt.separability.exact.certainty import in_range, n_weights
from rosenblatt.separability.exact.rational import floats_of

FEW_COLUMNS = 100  # with fewer, other ways are quick
ROWS_TRIED = 256  # in which a column has one sign or none, if it has so in all
NEARLY_ALL = 0.98  # of the numbers: a copy of so many would save little
MOST_LAYERS = 50  # each is a look at all rows
FAINTEST = 2.0**-1000  # a multiple of a column, at least; its inverse at most
NUMBERS_COUNTED = 2**19  # numbers looked at together


class Layer(NamedTuple):
    """Columns of one sign, as a hypothesis, and the rows in which they are not zero."""

    w: Array
    rows: Array


class Remainder(NamedTuple):
    """What is left of rows: the same question in fewer rows and columns."""

    primal: Primal
    rows: Rows
    left: Array  # the rows, numbered as they were
    columns: Array  # and the columns, the bias as the last
    layers: list[Layer]

    def places(self, i: Array) -> Array:
        """Where rows are among those left; without those that are not."""
        i = i[np.isin(i, self.left)]
        return np.searchsorted(self.left, i).astype(np.uint32)

    def lifted(self, primal: Primal, rows: Rows, u: Sequence[Fraction]) -> list[Fraction]:
        """A hypothesis of all columns, from one of those left. On the rows left it is the same; it
        gets those of all layers right, as rounding goes."""
        w = [Fraction(0)] * n_weights(primal)
        for j, x in zip(self.columns.tolist(), u, strict=True):
            w[j] = x
        added = self.multiples(primal, rows, floats_of(w)).tolist()
        return [x + Fraction(more) for x, more in zip(w, added, strict=True)]

    def multiples(self, primal: Primal, rows: Rows, w: Array) -> Array:
        """What to add to w in the columns of layers, so that every row of them scores about 1."""
        added = np.zeros_like(w)
        for layer in reversed(self.layers):
            part = rows._replace(train=layer.rows)
            gains = margins(primal, layer.w[None], part)
            short = 1 - margins(primal, (w + added)[None], part)
            most = min(max(float((short / gains).max()), FAINTEST), 1 / FAINTEST)
            added += math.ldexp(1.0, math.frexp(most)[1]) * layer.w
        return added


def remainder(primal: Primal, rows: Rows) -> Remainder | None:
    """What is left without the rows that rare columns separate; None if that is nearly all."""
    X, train = matrix(primal), rows.train
    if X.shape[1] < FEW_COLUMNS or not in_range(pick(rows.norm2, train)):
        return None
    if not rare(sign_counts(X, rows.y, train[:: 1 + len(train) // ROWS_TRIED])).any():
        return None
    left, layers, counts = peel(X, rows.y, train)
    columns = np.flatnonzero(counts.any(axis=0))
    if len(left) * len(columns) > NEARLY_ALL * len(train) * X.shape[1]:
        return None
    few = store(X[left][:, columns] if sp.issparse(X) else X[np.ix_(left, columns)], primal.bias)
    columns = np.append(columns, X.shape[1])
    return Remainder(few, rows_of(few, rows.y[left]), left, columns, layers)


def peel(X: Any, y: Array, train: Array) -> tuple[Array, list[Layer], Array]:
    """The rows left, the layers before them, and how often each column has which sign in those."""
    left, layers, counts = train, list[Layer](), sign_counts(X, y, train)
    while len(layers) < MOST_LAYERS and (one := counts.any(axis=0) & rare(counts)).any():
        lit = not_zero(X, np.flatnonzero(one))[left]
        w = np.where(one, np.sign(counts[0] - counts[1]), 0)
        layers.append(Layer(np.append(w, 0.0), left[lit]))
        counts, left = counts - sign_counts(X, y, left[lit]), left[~lit]
    return left, layers, counts


def not_zero(X: Any, columns: Array) -> Array:
    """Which rows are not zero in some of the columns."""
    if not sp.issparse(X):
        return np.asarray((X[:, columns] != 0).any(axis=1))
    chosen = np.zeros(X.shape[1])
    chosen[columns] = 1
    parts = (X.data != 0).astype(float), X.indices, X.indptr  # abs(X) would sort them in place
    return np.asarray(sp.csr_array(parts, shape=X.shape) @ chosen > 0)


def rare(counts: Array) -> Array:
    """The columns that are not positive in some rows and negative in others."""
    return np.asarray(~counts.all(axis=0))


def sign_counts(X: Any, y: Array, i: Array) -> Array:
    """In how many rows y x is positive, and in how many negative, for each column."""
    if sp.issparse(X):
        Z = X[i]
        signs = np.sign(Z.data) * np.repeat(y[i], np.diff(Z.indptr))
        found = [np.bincount(Z.indices[signs == s], minlength=X.shape[1]) for s in (1, -1)]
        return np.array(found)
    counts = np.zeros((2, X.shape[1]), np.int64)
    size = max(1, NUMBERS_COUNTED // X.shape[1])
    for k in range(0, len(i), size):
        part = i[k : k + size]
        Z = X[part] * y[part, None]
        counts += (Z > 0).sum(axis=0), (Z < 0).sum(axis=0)
    return counts
