"""The margin between two hulls, from below and from above.

Let |w| = 1 and let w·x + b have the margin γ on rows u of the one class and v of the other. Then
w·(u - v) >= 2γ for every pair, and so for a convex combination x = Σ λ (u - v)

    2γ <= w·x <= |x|

Half the length of any such combination is a bound that no hyperplane exceeds. Of the shortest, all
products (u - v)·x are at least |x|², so that the hyperplane half way between the hulls, with normal
x, attains it (Bennett and Bredensteiner 2000, Duality and geometry in SVM classifiers). Where the
hyperplane has to go through the origin, γ <= |Σ λ y x|: one hull, and the origin is the other.

Margins and bounds are measured here in double-double arithmetic, with what that may be off.
"""

import math
from typing import NamedTuple

import numpy as np

from rosenblatt.core.loop import Array, Primal, Rows
from rosenblatt.core.vectors import margins, pick, take
from rosenblatt.separability.exact.certainty import product_error
from rosenblatt.separability.exact.double_double import ROUNDING, Twofold, join, twofold

NUMBERS_MEASURED = 2**16  # numbers measured together
HIDDEN = 1e-290  # more than underflow can hide


class Sides(NamedTuple):
    """Rows as one hull of y x̂, against the origin, or as two hulls of x."""

    primal: Primal
    rows: Rows
    places: list[Array]  # of each hull's rows in rows.train
    unit: float  # a power of two by which the rows have a length of about 1

    @property
    def are_two(self) -> bool:
        return len(self.places) == 2

    def points(self, places: Array) -> Array:
        """Rows, scaled. With two hulls their constant feature cancels in every difference."""
        i = self.rows.train[places]
        Z = take(self.primal, i) * self.unit
        return Z if self.are_two else Z * self.rows.y[i, None]

    def differences(self, pairs: Array) -> Twofold:
        """The exact differences of pairs of places; of the first of them and the origin."""
        U = twofold(self.points(pairs[:, 0]))
        return U - twofold(self.points(pairs[:, 1])) if self.are_two else U

    def products(self, x: Array) -> Array:
        """y x·x̂ of all rows, as they are."""
        return margins(self.primal, x[None], self.rows)

    def measured(self, x: Twofold, places: Array) -> Twofold:
        """The same of some rows, in double-double numbers, scaled."""
        size, parts = max(1, NUMBERS_MEASURED // len(x.hi)), [twofold(np.empty(0))]
        for k in range(0, len(places), size):
            i = self.rows.train[places[k : k + size]]
            Z = take(self.primal, i) * self.unit * self.rows.y[i, None]
            parts.append((twofold(Z) * x).total())
        return join(parts)


def hulls_of(primal: Primal, rows: Rows, augmented: bool) -> Sides:
    """Two hulls of x; one of y x̂, if there is no bias or it counts as a weight."""
    y = pick(rows.y, rows.train)
    two = primal.bias != 0 and not augmented
    places = [np.flatnonzero(y > 0), np.flatnonzero(y < 0)] if two else [np.arange(len(y))]
    return Sides(primal, rows, places, 1.0)


def plane(hulls: Sides, x: Array) -> tuple[Array, float]:
    """The hyperplane with normal x half way between the hulls, and its margin: the nearest rows
    have y (w·x + b) = 1. Zeros if it does not separate, or by less than underflow may hide."""
    x = x / np.abs(x).max()
    if hulls.are_two:
        x[-1] = 0.0
    near = [closest_rows(hulls, x, places) for places in hulls.places]
    gap = float(sum(lows(hulls, x, near), twofold(0.0)))
    if not gap > HIDDEN:
        return np.zeros_like(x), 0.0
    w = x * (len(near) * hulls.unit / gap)
    ends = lows(hulls, w, near)  # w has been rounded
    if hulls.are_two:
        between = twofold(float(ends[1] - ends[0]) / 2)
        w[-1] = float(between) / hulls.unit
        ends = [ends[0] + between, ends[1] - between]
    length = twofold(w[:-1] if hulls.are_two else w).length()
    return w, min(float(end / length) for end in ends) / hulls.unit


def lows(hulls: Sides, w: Array, near: list[Array]) -> list[Twofold]:
    """The smallest product of some rows of each hull."""
    values = [hulls.measured(twofold(w), places) for places in near]
    return [each[least(each)] for each in values]


def closest_rows(hulls: Sides, x: Array, places: Array) -> Array:
    """The places of a hull's rows that may have the smallest product, as rounding goes."""
    m = hulls.products(x)[places]
    length2 = pick(hulls.rows.norm2, hulls.rows.train)[places]
    lengths = np.where(length2 > HIDDEN, np.sqrt(length2), np.inf)
    error = product_error(x) * lengths
    return places[~(m - error > np.min(m + error))]


def least(values: Twofold) -> int:
    """The place of the smallest of some numbers."""
    return int(np.lexsort((values.lo, values.hi))[0])


def upper_bound(hulls: Sides, pairs: Array, weights: Twofold) -> float:
    """What no hyperplane's margin exceeds: the length of a convex combination, rounded up."""
    D = hulls.differences(pairs)
    terms, total = D * weights[:, None], weights.total()
    point = Twofold(terms.hi.T, terms.lo.T).total()
    operations = len(pairs).bit_length() + 8  # each number goes through, as sums are made in halves
    off = operations * ROUNDING * float(np.abs(terms.hi).sum()) + HIDDEN
    length = (point.length() + twofold(off)) / total
    longer = length + twofold(float(length) * 64 * len(D.hi.T) * ROUNDING)
    upper = math.nextafter(float(longer), math.inf) if float(longer.lo) > 0 else float(longer)
    return upper / len(hulls.places) / hulls.unit
