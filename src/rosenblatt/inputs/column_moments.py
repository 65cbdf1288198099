"""Means and sizes of columns, in one look at the rows, wherever they are."""

from collections.abc import Iterable
from functools import reduce
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from rosenblatt.core.loop import Array
from rosenblatt.core.vectors import UNIT_ROUNDOFF

MEASURED_NUMBERS = 2**20  # numbers that are measured at a time


class Moments(NamedTuple):
    """What is known of columns: those of sparse rows are not centred, only their sizes count."""

    n: int
    mean: Array
    squares: Array  # the sum of (x - mean)²
    largest: Array  # |x|
    sparse: bool

    @property
    def deviations(self) -> Array:
        """The standard deviation of each column, 0 if only rounding tells it from a constant; of
        sparse columns, the largest value."""
        if self.sparse:
            return self.largest
        deviation = np.sqrt(self.squares / self.n)
        return np.where(deviation > 4 * UNIT_ROUNDOFF * self.n * self.largest, deviation, 0.0)

    @np.errstate(over="ignore", invalid="ignore")
    def joined(self, other: "Moments") -> "Moments":
        """The moments of both (Chan, Golub and LeVeque 1983)."""
        n, apart = self.n + other.n, other.mean - self.mean
        mean = self.mean + apart * (other.n / n)
        squares = self.squares + other.squares + apart**2 * (self.n * other.n / n)
        largest = np.maximum(self.largest, other.largest)
        return Moments(n, mean, squares, largest, self.sparse or other.sparse)


def moments(X: Any) -> Moments:
    """The moments of the columns of some rows."""
    n, d = X.shape
    if sp.issparse(X):
        largest = np.zeros(d)
        np.maximum.at(largest, X.indices, np.abs(X.data))
        return Moments(n, np.zeros(d), np.zeros(d), largest, True)
    X, rows = np.asarray(X), max(1, MEASURED_NUMBERS // max(d, 1))
    return joined_moments(dense_moments(X[k : k + rows]) for k in range(0, n, rows))


@np.errstate(over="ignore")  # what is not finite is refused by name
def dense_moments(X: Array) -> Moments:
    X = X.astype(np.float64, copy=False)
    mean = X.mean(axis=0)
    return Moments(len(X), mean, ((X - mean) ** 2).sum(axis=0), np.abs(X).max(axis=0), False)


def joined_moments(parts: Iterable[Moments]) -> Moments:
    """The moments of all rows."""
    return reduce(Moments.joined, parts)
