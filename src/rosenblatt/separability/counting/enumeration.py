"""The fewest mistakes in low dimension, by enumeration of hyperplanes.

Rows z cut the space of hypotheses into cells. With rows that span r dimensions, every cell has an
edge: a hypothesis u on r - 1 independent rows. So all edges are met by turning around r - 2 rows
(`pencils`). From u the cell is reached by a small step, which leaves the rows off u on their sides
and puts those on u where it will: they are a problem of the same kind in r - 1 dimensions. In
general position they are independent, and all come out right.

At a cell with the fewest mistakes every facet is a row that is right, and with an intercept some
facet is of the smaller class, unless one class gets everything: so one of the rows turned around
may be taken from the smaller class.

Floating point counts, leniently; the rows on u, and what they span, are looked at exactly. Costs
are whole numbers, whose sums are exact.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import solve_triangular

from rosenblatt.core.loop import Array
from rosenblatt.core.threads import CORES, one_thread
from rosenblatt.separability.counting.pencils import (
    CANDIDATES,
    FAINT,
    Arrangement,
    Found,
    bench,
    room,
    turn,
)
from rosenblatt.separability.exact import rational
from rosenblatt.separability.exact.compensated_products import products

WORTH = 2**18  # rows turned around that are worth a thread
PENCILS_AT_ONCE = 16  # first rows of pencils, for each thread, between looks at what was found
SINGULAR = 1e-7  # a column of length 1 this close to the others is not told from them


class Inconclusive(Exception):
    """Rounding does not allow to tell all hyperplanes apart."""


class Cell(NamedTuple):
    """A cell of hypotheses: its mistakes, by cost, and which rows are right."""

    mistakes: float
    right: Array


class Merged(NamedTuple):
    """Rows of different directions: of opposite ones, only what one side has more is left."""

    Z: Array
    cost: Array
    lost: float  # what opposite rows cost, whatever the hypothesis
    group: Array  # which of them each row belongs to; -1 if to none
    agrees: Array  # whether it is on their side


def whole_costs(cost: Array) -> tuple[Array, float]:
    """Costs as whole numbers, rounded down, and the unit; all of their sums are exact."""
    grain = 2.0 ** (int(np.frexp(cost.sum())[1]) - 52)
    return np.floor(cost / grain), grain


def fewest_by_cells(
    Z: Array, cost: Array, bound: float, first: int = 0, jobs: int | None = 1
) -> Cell | None:
    """The cell with the fewest mistakes, if they are fewer than the bound; costs are whole numbers.

    `first` says that one of the first rows is a facet of every such cell; 0 if that is not known.
    `jobs` are threads, None as many as there are cores.
    """
    merged = merge(Z, cost)
    if merged.lost >= bound:
        return None
    count = int(merged.group[:first].max(initial=-1)) + 1 if first else len(merged.Z)
    cell = among_different(merged.Z, merged.cost, bound - merged.lost, count, jobs)
    if cell is None:
        return None
    right = np.append(cell.right, False)[merged.group] == merged.agrees
    return Cell(cell.mistakes + merged.lost, right & (merged.group >= 0))


def among_different(
    Z: Array, cost: Array, bound: float, first: int, jobs: int | None
) -> Cell | None:
    """The same for rows of different directions; columns they do not need are left out."""
    if len(Z) <= Z.shape[1] or (Q := spread(Z)) is None:
        Z = Z[:, rational.span(Z).pivots]
        if len(Z) == Z.shape[1]:  # they are independent, so all can be right
            return Cell(0.0, np.ones(len(Z), bool))
        Q = spread(Z)
    if Q is None:
        raise Inconclusive
    return Enumeration(Z, Q, cost, bound).run(first, jobs or CORES)


def merge(Z: Array, cost: Array) -> Merged:
    """Take rows of the same or the opposite direction together, exactly."""
    group, sign = directions(Z)
    named, size = group >= 0, int(group.max(initial=-1)) + 1
    ahead = np.bincount(group[named], (cost * (sign > 0))[named], size)
    behind = np.bincount(group[named], (cost * (sign < 0))[named], size)
    lost = float(np.minimum(ahead, behind).sum() + cost[~named].sum())
    return _without_ties(Z, group, sign, ahead - behind, lost)


def directions(Z: Array) -> tuple[Array, Array]:
    """The number of each row's direction, by first appearance, and which way it goes; -1 if none.

    Rows (x, 1) or their opposites have the same direction only if they are equal. Others are
    compared as whole numbers without common factor.
    """
    sign = np.sign(Z[:, -1])
    if not (np.abs(Z[:, -1]) == 1).all():
        sign, Z = np.ones(len(Z)), np.array(rational.whole_rows(Z)[0], object).reshape(Z.shape)
        for i, z in enumerate(Z):
            sign[i] = next((1 if x > 0 else -1 for x in z if x), 0)
    keys: dict[Any, int] = {}
    rows = (Z * sign.astype(int)[:, None] + 0).tolist()
    group = [
        keys.setdefault(tuple(z), len(keys)) if s else -1 for z, s in zip(rows, sign, strict=True)
    ]
    return np.array(group, np.int64), sign


def _without_ties(Z: Array, group: Array, sign: Array, lead: Array, lost: float) -> Merged:
    """Leave out directions with as much on one side as on the other."""
    agrees = sign == np.sign(np.append(lead, 0))[group]
    kept = np.flatnonzero(lead)
    place = np.full(len(lead) + 1, -1)
    place[kept] = np.arange(len(kept))
    group = place[group]
    some = np.flatnonzero(agrees & (group >= 0))
    one = some[np.unique(group[some], return_index=True)[1]]
    return Merged(Z[one], np.abs(lead[kept]), lost, group, agrees)


# -- One arrangement -------------------------------------------------------------------------------


@dataclass
class Enumeration:
    """Rows of different directions, and the best cell found so far."""

    Z: Array
    Q: Array  # the same of length 1, in a frame
    cost: Array
    bound: float
    cell: Cell | None = None
    known: dict[bytes, tuple[float, Cell | None]] = field(default_factory=dict)

    def run(self, first: int, jobs: int) -> Cell | None:
        """Turn around every pencil whose first row is one of the first."""
        n, r = self.Q.shape
        marks = np.random.RandomState(0).randint(1, 2**63 - 1, n).astype(np.uint64)
        space = Arrangement(self.Q, self.cost, marks)
        firsts = range(min(first, n - r + 3)) if r > 2 else range(1)
        jobs = min(jobs, -(-len(firsts) * n // WORTH))
        tools = [(bench(n), room(n, r)) for _ in range(jobs)]
        with ThreadPoolExecutor(jobs) as pool:
            at_once = pool.map if jobs > 1 else map
            for k in range(0, len(firsts), PENCILS_AT_ONCE * jobs):
                chunk = firsts[k : k + PENCILS_AT_ONCE * jobs]
                parts = [(space, chunk[j::jobs], self.limit, *tools[j]) for j in range(jobs)]
                found = at_once(lambda part: list(pencils(*part)), parts)
                for _, _, rows in sorted(chain.from_iterable(found)):
                    self.look(np.array(rows))
        return self.cell

    @property
    def limit(self) -> float:
        """What a better cell costs less than, in whole numbers."""
        return self.bound - 0.5

    def look(self, rows: Array) -> None:
        """Look at the hyperplane through some rows, both ways round."""
        u, faint = normal(self.Q[rows])
        value = self.Q @ u
        on = np.flatnonzero(np.abs(value) <= faint)
        for side in (value, -value):
            off = float(self.cost[side < -faint].sum())
            if off < self.limit and (sub := self.among(on, self.bound - off)) is not None:
                right = side > faint
                right[on] = sub.right
                if off + sub.mistakes < self.limit:
                    self.cell = Cell(off + sub.mistakes, right)
                    self.bound = self.cell.mistakes

    def among(self, on: Array, bound: float) -> Cell | None:
        """The best that a small step does to the rows on a hyperplane."""
        if len(on) == self.Q.shape[1] - 1:
            return Cell(0.0, np.ones(len(on), bool))
        key = on.tobytes()
        tried, cell = self.known.get(key, (-np.inf, None))
        if cell is None and tried < bound:
            cell = self.solve(on, bound)
            self.known[key] = bound, cell
        return cell

    def solve(self, on: Array, bound: float) -> Cell | None:
        """The problem of the rows on a hyperplane, in as many dimensions as they span."""
        if len(on) == len(self.Z):
            raise Inconclusive
        columns = rational.span(self.Z[on]).pivots
        return fewest_by_cells(self.Z[on][:, columns], self.cost[on], bound)


def pencils(
    space: Arrangement, firsts: range, bound: float, work: object, found: Found
) -> Iterator[tuple[float, int, list[int]]]:
    """The hyperplanes of some pencils with fewer mistakes than the bound."""
    for first in firsts:
        made = CANDIDATES + 1
        while made > CANDIDATES:
            made = turn(space, first, bound, work, found)
            found.met[0] += min(made, CANDIDATES)
            if found.met[0] > len(found.seen) // 2:
                raise Inconclusive
            for k in range(min(made, CANDIDATES)):
                yield float(found.cost[k]), int(found.mark[k]), found.rows[k].tolist()


@one_thread
def spread(Z: Array) -> Array | None:
    """Rows of length 1 in a nearly orthonormal frame, turned so that no angle in it is a round one.

    None if columns are not told from combinations of others.
    """
    powers = np.frexp(np.abs(Z).max(axis=0))[1]
    scaled = np.ldexp(Z, -powers)
    if not (Z.any(axis=0).all() and np.array_equal(np.ldexp(scaled, powers), Z)):
        return None
    _, R = np.linalg.qr(scaled)
    if (np.abs(np.diag(R)) < SINGULAR * np.linalg.norm(scaled, axis=0)).any():
        return None
    turn = np.linalg.qr(np.random.RandomState(1).standard_normal(R.shape))[0]
    return images(scaled, solve_triangular(R, turn))


def images(Z: Array, M: Array) -> Array | None:
    """Rows times an invertible matrix, of length 1, which cut the space as the rows do.

    Each is as exact as FAINT says, however the terms of a product cancel; None if one is not.
    """
    values, errors = zip(*(products(Z, w, np.zeros_like(w)) for w in M.T), strict=True)
    Q = np.column_stack(values)
    lengths = np.linalg.norm(Q, axis=1)
    if not (np.max(errors, axis=0) <= FAINT / 8 * lengths).all() or not lengths.all():
        return None
    return np.ascontiguousarray(Q / lengths[:, None])


@one_thread
def normal(Q: Array) -> tuple[Array, float]:
    """The vector of length 1 perpendicular to rows, and how far off rounding may put a row."""
    _, sizes, V = np.linalg.svd(Q)
    return V[-1], 1e3 * FAINT / max(float(sizes[-1]), 1e-9)
