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
from rosenblatt.separability.exact.rational import common

NODES = 1000  # of the search for a hitting set
PROGRAM_STEPS = 50  # of a linear program for each of its rows and columns: many times what it needs
GRAIN = 2.0**24  # weights are multiples of 1 / GRAIN or, if they are large, of more


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
EMPTY_PACKING = Packing({}, Fraction(0))


def incidence(conflicts: Sequence[Array], n: int) -> sp.csr_array:
    """Which of n rows (down) are in which conflicts (across)."""
    sizes = [len(rows) for rows in conflicts]
    place = np.concatenate(conflicts), np.repeat(np.arange(len(sizes)), sizes)
    narrow = tuple(each.astype(np.int32) for each in place)  # as HiGHS wants them before scipy 1.15
    return sp.csr_array((np.ones(sum(sizes)), narrow), shape=(n, len(sizes)))


def price(A: sp.csr_array, cost: Array) -> tuple[Packing, Array]:
    """The best packing of conflicts, made exact, and the prices of rows, but for rounding."""
    used = np.flatnonzero(np.diff(A.indptr))
    most = {"maxiter": PROGRAM_STEPS * (len(used) + A.shape[1])}
    gain = -np.ones(A.shape[1])
    answer = linprog(gain, A_ub=A[used], b_ub=cost[used], method="highs", options=most)
    prices = np.zeros(A.shape[0])
    if answer.status != 0:
        return EMPTY_PACKING, prices
    prices[used] = -answer.ineqlin.marginals
    return exactly(A, answer.x, cost), prices


def hitting_set(A: sp.csr_array, cost: Array) -> Array | None:
    """The cheapest rows that hit every conflict, but for rounding; None if that is too hard."""
    used = np.flatnonzero(np.diff(A.indptr))
    hit = LinearConstraint(A[used].T, lb=1)
    options = {"node_limit": NODES, "mip_rel_gap": 0.0}
    answer = milp(cost[used], integrality=1, bounds=Bounds(0, 1), constraints=hit, options=options)
    return used[answer.x > 0.5] if answer.status == 0 else None


def exactly(A: sp.csr_array, weights: Array, cost: Array) -> Packing:
    """Weights as fractions, scaled until no row carries more than it costs."""
    weights = np.maximum(weights, 0)
    grain = min(GRAIN, 2.0 ** (52 - int(np.frexp(weights.sum())[1])))
    units = np.floor(weights * grain)
    carried = A @ units
    over = np.flatnonzero(carried > cost * grain)  # both sides are exact
    ratios = [Fraction(cost[i]) * Fraction(grain) / int(carried[i]) for i in over]
    scale = min([Fraction(1), *ratios]) / Fraction(grain)
    held = {k: int(units[k]) * scale for k in np.flatnonzero(units).tolist()}
    return Packing(held, sum(held.values(), Fraction(0)))


def unit_of(cost: Array) -> Fraction:
    """The largest number of which all costs are whole multiples."""
    *units, one = common([*np.unique(cost).tolist(), 1])
    return Fraction(math.gcd(*units), one)


def rounded_up(total: Fraction, unit: Fraction) -> Fraction:
    """The least number of mistakes, by cost, that is not below a bound."""
    return math.ceil(total / unit) * unit


def least_total(bound: Fraction, cost: Array) -> Fraction:
    """The least total cost of mistakes that is no less than a bound: exact where rows have two
    costs, else rounded up to their unit."""
    distinct, counts = np.unique(cost, return_counts=True)
    unit = unit_of(cost)
    if len(distinct) != 2:
        return rounded_up(bound, unit)
    a, b = (int(Fraction(c) / unit) for c in distinct.tolist())
    least = math.ceil(bound / unit)
    if counts[0] > counts[1]:
        a, b, counts = b, a, counts[::-1]
    most = min(int(counts[0]), least // a + 1)
    totals = (k * a + max(0, -((k * a - least) // b)) * b for k in range(most + 1))
    return min(totals) * unit


def proved_by(tree: Tree, cost: Array) -> Fraction:
    """What mistakes cost at least in each of the cases of a tree."""
    if isinstance(tree, Packing):
        return tree.total
    wrong = Fraction(float(cost[tree.row])) + proved_by(tree.wrong, cost)
    return min(wrong, proved_by(tree.right, cost))


# -- Branching -------------------------------------------------------------------------------------


class Brancher:
    """Branches over a list of conflicts until every leaf reaches a target, or there are too many.

    `unit` is that of the costs of all rows, to which checkers round; `spare` is how many leaves
    there may still be.
    """

    def __init__(self, A: sp.csr_array, cost: Array, unit: Fraction, target: Fraction, spare: int):
        self.rows = np.flatnonzero(np.diff(A.indptr))
        self.A, self.cost, self.target, self.spare = A[self.rows], cost[self.rows], target, spare
        self.unit = unit

    def grow(self, wrong: frozenset[int], right: frozenset[int]) -> Tree | None:
        """A tree whose leaves reach the target; None if it would be too large.

        `wrong` and `right` are places in `rows`.
        """
        spent = sum((Fraction(self.cost[i]) for i in wrong), Fraction(0))
        leaf, prices = self.leaf(wrong, right)
        if rounded_up(spent + leaf.total, self.unit) >= self.target:
            return leaf
        self.spare -= 1
        place = int(np.argmax(np.minimum(prices, 1 - prices)))
        if self.spare < 0 or prices[place] < 1e-6:
            return None
        yes = self.grow(wrong | {place}, right)
        no = self.grow(wrong, right | {place}) if yes else None
        return Branch(int(self.rows[place]), yes, no) if yes and no else None

    def leaf(self, wrong: frozenset[int], right: frozenset[int]) -> tuple[Packing, Array]:
        """The packing of the conflicts that are not settled, where rows that are right are free."""
        open_ones = np.flatnonzero(self.A[sorted(wrong)].sum(axis=0) == 0)
        bound = np.ones(len(self.rows))
        bound[list(right)] = 0.0
        B = sp.csr_array(sp.diags_array(bound) @ self.A[:, open_ones])
        B.eliminate_zeros()
        sizes = np.asarray((B != 0).sum(axis=0)).ravel()
        if not sizes.all():  # a conflict of rows that are all right
            k = int(open_ones[np.argmin(sizes)])
            return Packing({k: self.target}, self.target), np.zeros(len(bound))
        if not len(open_ones):
            return EMPTY_PACKING, np.zeros(len(bound))
        held, prices = price(B, self.cost)
        return Packing({int(open_ones[k]): w for k, w in held.weights.items()}, held.total), prices
