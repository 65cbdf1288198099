"""Independence modulo a prime: quick, and rows that it calls independent are.

A determinant that is not zero modulo a prime is not zero. One that is zero modulo 2**31 - 1 is
hardly ever anything else. Modulo this prime 2**31 is 1, so that floats of any size are shifts.
"""

from typing import NamedTuple

import numpy as np

from rosenblatt.core.jit import compiled
from rosenblatt.core.loop import Array

PRIME = 2**31 - 1
HALF = 2**16
COLUMNS_SUMMED = 2**15  # of products below 2**47: their sum is below 2**63


def residues(Z: Array) -> Array:
    """Floats, times a power of two, modulo the prime."""
    fraction, power = np.frexp(np.asarray(Z, np.float64))
    whole = (fraction * 2.0**53).astype(np.int64) % PRIME
    return (whole << (power.astype(np.int64) % 31)) % PRIME


class Echelon(NamedTuple):
    """Independent rows in echelon form: each is 1 at its pivot, and 0 at those before."""

    rows: Array
    pivots: Array

    def holds(self, Z: Array) -> Array:
        """Which rows of floats are combinations of these; hardly ever one that is none."""
        return times(residues(Z), self.across()) == 0

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
    total = np.zeros(M.shape[:-1], np.int64)
    for k in range(0, len(v), COLUMNS_SUMMED):
        some = M[..., k : k + COLUMNS_SUMMED]
        high, low = np.divmod(v[k : k + COLUMNS_SUMMED], HALF)
        total = (total + some @ high % PRIME * HALF + some @ low) % PRIME
    return total


def independent(Z: Array) -> Minor:
    """Independent rows of floats, the first ones first, and columns on which they are."""
    most = min(Z.shape)
    span = Echelon(np.empty((most, Z.shape[1]), np.int64), np.empty(most, np.int64))
    places = np.empty(most, np.int64)
    k = eliminate(np.ascontiguousarray(residues(Z)), *span, places)
    return Minor(places[:k].tolist(), span.pivots[:k].tolist(), Echelon(*(a[:k] for a in span)))


def rank_modulo(Z: Array) -> int:
    """The number of independent rows; not more, and hardly ever less."""
    return len(independent(Z).rows)


# -- Elimination, compiled -------------------------------------------------------------------------


@compiled
def eliminate(M, rows, pivots, places):
    """Take in rows that are independent of those before; how many there are."""
    k = 0
    for i in range(len(M)):
        if k == len(pivots):
            break
        reduce_row(M[i], rows, pivots, k)
        j = first_nonzero(M[i])
        if j < M.shape[1]:
            inverse = power(M[i, j], PRIME - 2)
            for q in range(M.shape[1]):
                rows[k, q] = M[i, q] * inverse % PRIME
            pivots[k], places[k] = j, i
            k += 1
    return k


@compiled
def reduce_row(r, rows, pivots, k):
    """Take away from r its combination of the first k rows of an echelon.

    As 2**31 is 1 modulo the prime, higher digits are added to the lower ones. That leaves less than
    2**33, to which the next product, below 2**62, can be added.
    """
    for q in range(k):
        factor = PRIME - r[pivots[q]] % PRIME
        if factor < PRIME:
            for j in range(len(r)):
                x = r[j] + rows[q, j] * factor
                r[j] = (x & PRIME) + (x >> 31)
    for j in range(len(r)):
        r[j] %= PRIME


@compiled
def first_nonzero(r):
    """The place of the first number that is not zero; if there is none, the length."""
    for j in range(len(r)):
        if r[j]:
            return j
    return len(r)


@compiled
def power(x, n):
    """x**n modulo the prime."""
    result = 1
    while n:
        if n & 1:
            result = result * x % PRIME
        x, n = x * x % PRIME, n >> 1
    return result
