"""Independence modulo a prime: quick, and rows that it calls independent are.

A determinant that is not zero modulo a prime is not zero. One that is zero modulo 2**31 - 1 is
hardly ever anything else. Modulo this prime 2**31 is 1, so that floats of any size are shifts.
"""

from typing import NamedTuple

import numpy as np

from rosenblatt.core.loop import Array

PRIME = 2**31 - 1
HALF = 2**16
ROWS_REDUCED = 64  # rows reduced together


def residues(Z: Array) -> Array:
    """Each row of floats or whole numbers, times a power of two, modulo the prime."""
    if Z.dtype == object:
        return (Z % PRIME).astype(np.int64)
    fraction, power = np.frexp(np.asarray(Z, np.float64))
    whole = (fraction * 2.0**53).astype(np.int64) % PRIME
    return (whole << (power.astype(np.int64) % 31)) % PRIME


class Echelon:
    """Independent rows in reduced echelon form, which grows."""

    def __init__(self, width: int) -> None:
        self.rows, self.pivots = np.empty((0, width), np.int64), list[int]()

    def beyond(self, M: Array) -> Array:
        """What is left of rows without their combination of these."""
        along, (high, low) = M[:, self.pivots], np.divmod(self.rows, HALF)
        return (M - (along @ high % PRIME * HALF + along @ low) % PRIME) % PRIME

    def holds(self, M: Array) -> Array:
        """Which rows are combinations of these; hardly ever one that is none."""
        return times(M, self.across()) == 0

    def across(self) -> Array:
        """A random vector whose products with these rows are zero."""
        v = np.random.RandomState(0).randint(1, PRIME, self.rows.shape[1])
        v[self.pivots] = (v[self.pivots] - times(self.rows, v)) % PRIME
        return v

    def admit(self, rest: Array) -> Array:
        """Take in what is left of a row, scaled to 1 at its pivot, which leaves all others."""
        j = int(np.flatnonzero(rest)[0])
        top = rest * pow(int(rest[j]), -1, PRIME) % PRIME
        self.rows = np.vstack(((self.rows - self.rows[:, j, None] * top) % PRIME, top))
        self.pivots.append(j)
        return top


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
    echelon, rows = Echelon(M.shape[1]), list[int]()
    for k in range(0, len(M), ROWS_REDUCED):
        rest = echelon.beyond(M[k : k + ROWS_REDUCED])
        for i in range(len(rest)):
            if len(rows) == M.shape[1]:
                return Minor(rows, echelon.pivots, echelon)
            if rest[i].any():
                top = echelon.admit(rest[i])
                rows.append(k + i)
                after = rest[i + 1 :]
                after[:] = (after - after[:, echelon.pivots[-1], None] * top) % PRIME
    return Minor(rows, echelon.pivots, echelon)


def rank_modulo(Z: Array) -> int:
    """The number of independent rows; not more, and hardly ever less."""
    return len(independent(residues(Z)).rows)
