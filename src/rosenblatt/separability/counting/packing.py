"""Fractional packings of conflicts: lower bounds on the fewest mistakes, made exact.

Every hypothesis gets at least one row of every conflict wrong. Give each conflict a weight such
that no row carries more than a mistake in it costs; then the mistakes cost at least the sum of the
weights. The best weights are a linear program, whose dual is the fractional hitting set: a price
for every row, such that the rows of every conflict cost 1 or more together.

Where that is not enough, branch on a row: either it is wrong, which costs what it costs and settles
the conflicts that have it, or it is right, and carries nothing of any packing. HiGHS finds the
weights, within its tolerances; they are rounded to fractions, and scaled until they hold exactly.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from scipy.optimize import Bounds, LinearConstraint, linprog, milp

from rosenblatt.core.loop import Array

NODES = 2000  # of the search for a hitting set
GRAIN = 2**24  # weights are multiples of 1 / GRAIN, before they are scaled


class Packing(NamedTuple):
    """Weights of conflicts, by their places in a list, and what they add up to."""

    weights: dict[int, Fraction]
    total: Fraction


class Branch(NamedTuple):
    """A row that is wrong, or right, and what follows in either case."""

    row: int
    wrong: "Packing | Branch"
    right: "Packing | Branch"


Tree = Packing | Branch
NOTHING = Packing({}, Fraction(0))


def incidence(conflicts: Sequence[Array], n: int) -> sp.csr_array:
    """Which of n rows (down) are in which conflicts (across)."""
    sizes = [len(rows) for rows in conflicts]
    place = np.concatenate(conflicts), np.repeat(np.arange(len(sizes)), sizes)
    narrow = tuple(each.astype(np.int32) for each in place)  # as HiGHS wants them before scipy 1.15
    return sp.csr_array((np.ones(sum(sizes)), narrow), shape=(n, len(sizes)))


def price(A: sp.csr_array, cost: Array) -> tuple[Array, Array]:
    """The best weights of conflicts, and the prices of rows, but for rounding."""
    used = np.flatnonzero(np.diff(A.indptr))
    answer = linprog(-np.ones(A.shape[1]), A_ub=A[used], b_ub=cost[used], method="highs")
    prices = np.zeros(A.shape[0])
    if answer.status != 0:
        return np.zeros(A.shape[1]), prices
    prices[used] = -answer.ineqlin.marginals
    return answer.x, prices


def hitting_set(A: sp.csr_array, cost: Array) -> Array | None:
    """The cheapest rows that hit every conflict, but for rounding; None if that is too hard."""
    used = np.flatnonzero(np.diff(A.indptr))
    hit = LinearConstraint(A[used].T, lb=1)
    options = {"node_limit": NODES, "mip_rel_gap": 0.0}
    answer = milp(cost[used], integrality=1, bounds=Bounds(0, 1), constraints=hit, options=options)
    return used[answer.x > 0.5] if answer.status == 0 else None


def exactly(A: sp.csr_array, weights: Array, cost: Sequence[Fraction]) -> Packing:
    """Weights as fractions, scaled until no row carries more than it costs."""
    units = np.floor(np.maximum(weights, 0) * GRAIN)
    carried = A @ units
    rows = np.flatnonzero(carried)
    ratios = [cost[i] * GRAIN / int(carried[i]) for i in rows.tolist() if carried[i] > 0]
    scale = min([Fraction(1), *ratios]) / GRAIN
    held = {k: int(units[k]) * scale for k in np.flatnonzero(units).tolist()}
    return Packing(held, sum(held.values(), Fraction(0)))


def unit_of(cost: Sequence[Fraction]) -> Fraction:
    """The largest number of which all costs are whole multiples."""
    some = set(cost)
    below = math.lcm(*(c.denominator for c in some))
    return Fraction(math.gcd(*(int(c * below) for c in some)), below)


def rounded_up(total: Fraction, unit: Fraction) -> Fraction:
    """The least number of mistakes, by cost, that is not below a bound."""
    return math.ceil(total / unit) * unit


# -- Branching -------------------------------------------------------------------------------------


class Brancher:
    """Branches over a list of conflicts until every leaf reaches a target, or there are too many.

    `spare` is how many leaves there may still be.
    """

    def __init__(self, A: sp.csr_array, cost: Sequence[Fraction], target: Fraction, spare: int):
        self.A, self.cost, self.target, self.spare = A, cost, target, spare
        self.unit = unit_of(cost)

    def grow(self, wrong: frozenset[int], right: frozenset[int]) -> Tree | None:
        """A tree whose leaves reach the target; None if it would be too large."""
        spent = sum((self.cost[i] for i in wrong), Fraction(0))
        leaf, prices = self.leaf(wrong, right)
        if rounded_up(spent + leaf.total, self.unit) >= self.target:
            return leaf
        self.spare -= 1
        row = int(np.argmax(np.minimum(prices, 1 - prices)))
        if self.spare < 0 or prices[row] < 1e-6:
            return None
        yes = self.grow(wrong | {row}, right)
        no = self.grow(wrong, right | {row}) if yes else None
        return Branch(row, yes, no) if yes and no else None

    def leaf(self, wrong: frozenset[int], right: frozenset[int]) -> tuple[Packing, Array]:
        """The packing of the conflicts that are not settled, where rows that are right are free."""
        live = np.ones(self.A.shape[1], bool)
        for i in wrong:
            live[self.A[[i]].indices] = False
        places, bound = np.flatnonzero(live), np.ones(self.A.shape[0], bool)
        bound[list(right)] = False
        B = sp.csr_array(sp.diags_array(bound.astype(float)) @ self.A[:, places])
        B.eliminate_zeros()
        if np.diff(B.tocsc().indptr).min(initial=1) == 0:  # a conflict of rows that are all right
            k = int(places[np.argmin(np.diff(B.tocsc().indptr))])
            return Packing({k: self.target}, self.target), np.zeros(len(bound))
        if not len(places):
            return NOTHING, np.zeros(len(bound))
        weights, prices = price(B, np.array([float(c) for c in self.cost]))
        held = exactly(B, weights, self.cost)
        return Packing({int(places[k]): w for k, w in held.weights.items()}, held.total), prices
