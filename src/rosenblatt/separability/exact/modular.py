"""Independence modulo a prime: quick, and rows that it calls independent are.

A determinant that is not zero modulo a prime is not zero. One that is zero modulo 2**31 - 1 is
hardly ever anything else. Modulo this prime 2**31 is 1, so that floats of any size are shifts.
"""

from typing import NamedTuple

import numpy as np

from rosenblatt.core.loop import Array
from rosenblatt.separability.exact.modular_elimination import PRIME as PRIME
from rosenblatt.separability.exact.modular_elimination import eliminate, reduce_row

HALF = 2**16


def residues(Z: Array) -> Array:
    """Each row of floats or whole numbers, times a power of two, modulo the prime."""
    if Z.dtype == object:
        return (Z % PRIME).astype(np.int64)
    fraction, power = np.frexp(np.asarray(Z, np.float64))
    whole = (fraction * 2.0**53).astype(np.int64) % PRIME
    return (whole << (power.astype(np.int64) % 31)) % PRIME


class Echelon(NamedTuple):
    """Independent rows in echelon form: each is 1 at its pivot, and 0 at those before."""

    rows: Array
    pivots: Array

    def beyond(self, M: Array) -> Array:
        """What is left of rows without their combination of these."""
        rest = M.copy()
        for r in rest:
            reduce_row(r, self.rows, self.pivots, len(self.pivots))
        return rest

    def holds(self, M: Array) -> Array:
        """Which rows are combinations of these; hardly ever one that is none."""
        return times(M, self.across()) == 0

    def across(self) -> Array:
        """A random vector whose products with these rows are zero."""
        v = np.random.RandomState(0).randint(1, PRIME, self.rows.shape[1])
        v[self.pivots] = 0
        for row, j in zip(self.rows[::-1], self.pivots[::-1].tolist(), strict=True):
            v[j] = -times(row, v) % PRIME
        return v


class Minor(NamedTuple):
    """Rows and columns of a regular submatrix of the largest size, and the span of all rows."""

    rows: list[int]
    columns: list[int]
    span: Echelon


def times(M: Array, v: Array) -> Array:
    """The products of rows with a vector."""
    high, low = np.divmod(v, HALF)
    return (M @ high % PRIME * HALF + M @ low) % PRIME


def independent(M: Array) -> Minor:
    """Independent rows, the first ones first, and columns on which they are."""
    most = min(M.shape)
    span = Echelon(np.empty((most, M.shape[1]), np.int64), np.empty(most, np.int64))
    places = np.empty(most, np.int64)
    k = eliminate(M.copy(), *span, places)
    return Minor(places[:k].tolist(), span.pivots[:k].tolist(), Echelon(*(a[:k] for a in span)))


def rank_modulo(Z: Array) -> int:
    """The number of independent rows; not more, and hardly ever less."""
    return len(independent(residues(Z)).rows)
