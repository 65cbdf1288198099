"""Hyperplanes through all but one of the rows that they need: turn around these and sort.

Through r - 2 rows in r dimensions goes a pencil of hyperplanes. Reflections take the rows to the
plane that is left, as vectors (a, b), and u = (cos θ, sin θ) has the side of each: it changes where
u is perpendicular to the vector. Angles are put into buckets; only those buckets are sorted in
which the mistakes can be fewer than the bound.

Rows that rounding cannot tell from being on a hyperplane count as right, so that no count is above
the true one; what is below the bound is looked at exactly.
"""

from typing import NamedTuple

import numpy as np

from rosenblatt.core.jit import compiled
from rosenblatt.core.loop import Array

FAINT = 1e-13  # the rounding error of rows of length 1
CANDIDATES = 2**12  # hyperplanes of one call that there is room for
SEEN = 2**15, 2**18  # places for the marks of those met, in small and in large tables
MANY_ROWS = 2**10  # rows


class Arrangement(NamedTuple):
    """Rows of length 1, what a mistake in each costs, and a number that marks each."""

    Q: Array
    cost: Array
    mark: Array  # uint64


class Found(NamedTuple):
    """Hyperplanes through r - 1 rows with fewer mistakes than the bound, as far as is known."""

    rows: Array  # the rows that span each
    cost: Array  # of the mistakes, at least
    mark: Array  # of the set of rows on it: equal for equal sets
    seen: Array  # marks of all that were met
    met: Array  # their number


class Bench(NamedTuple):
    """Space to work in."""

    tau: Array
    fuzz: Array
    falls: Array  # whether a row goes from right to wrong as θ grows
    place: Array  # its bucket; -1 where it is on all hyperplanes of the pencil
    after: Array  # the row before it in its bucket, if any
    last: Array  # by buckets: the last row
    rising: Array  # the cost of rows that become right
    falling: Array
    soft: Array  # of rows that may belong to the next bucket


def room(n: int, r: int) -> Found:
    """Space for what is found."""
    rows = np.zeros((CANDIDATES, max(r - 1, 1)), np.int64)
    marks = np.zeros(CANDIDATES, np.uint64), np.zeros(SEEN[n > MANY_ROWS], np.uint64)
    return Found(rows, np.zeros(CANDIDATES), *marks, np.zeros(1, np.int64))


def bench(n: int) -> Bench:
    """Space for the pencils of n rows."""
    buckets = min(max(n // 4, 8), 512)
    each = np.zeros(n), np.zeros(n), np.zeros(n, np.bool_), np.zeros(n, np.int64)
    last = np.zeros(n, np.int64), np.zeros(buckets, np.int64)
    return Bench(*each, *last, *(np.zeros(buckets) for _ in range(3)))


@compiled
def turn(space, first, bound, work, found):
    """All pencils whose first row is `first`; how many hyperplanes were found.

    The other rows of a pencil come after it. More than there is room for are counted all the same.
    """
    n, r = space.Q.shape
    pivots = np.zeros(max(r - 2, 1), np.int64)
    levels = [space.Q]
    for k in range(r - 2):
        levels.append(np.empty((n, r - 1 - k)))  # noqa: PERF401 (numba)
    if r < 3:
        return around(space, levels[0], pivots[:0], FAINT, bound, work, found, 0)
    faint = np.zeros(r)
    faint[0] = FAINT
    pivots[0], depth, made = first, 0, 0
    while depth >= 0:
        if pivots[depth] >= n or (depth == 0 and pivots[0] > first):
            depth -= 1
            if depth >= 0:
                pivots[depth] += 1
            continue
        faint[depth + 1] = project(levels[depth], pivots[depth], faint[depth], levels[depth + 1])
        if faint[depth + 1] == 0.0:
            pivots[depth] += 1
        elif depth < r - 3:
            depth += 1
            pivots[depth] = pivots[depth - 1] + 1
        else:
            made = around(
                space, levels[r - 2], pivots[: r - 2], faint[r - 2], bound, work, found, made
            )
            pivots[depth] += 1
    return made


@compiled
def project(Q, i, faint, P):
    """Rows without their part along row i, by a reflection, into P; the rounding error there.

    0 if rounding cannot tell row i from nothing.
    """
    n, k = Q.shape
    size = np.sqrt(np.sum(Q[i] * Q[i]))
    if size <= 100 * faint:
        return 0.0
    v = Q[i] / size
    v[0] += 1.0 if v[0] >= 0 else -1.0
    v *= np.sqrt(2.0 / np.sum(v * v))
    for j in range(n):
        along = 0.0
        for q in range(k):
            along += v[q] * Q[j, q]
        for q in range(1, k):
            P[j, q - 1] = Q[j, q] - along * v[q]
    return faint * (1.0 + 4.0 / size)


@compiled
def around(space, P, pivots, faint, bound, work, found, made):
    """Turn once around: sort the buckets in which fewer mistakes than the bound are possible."""
    wrong, total, mark = fill(space, P, faint, work)
    for i in pivots:
        mark ^= space.mark[i] if work.place[i] >= 0 else np.uint64(0)
    for k in range(len(work.rising)):
        here = wrong - work.rising[k] - work.soft[k]
        there = total - wrong - work.falling[k] - work.soft[k]
        if here < bound or there < bound:
            made = sort_bucket(space, pivots, k, wrong, total, mark, bound, work, found, made)
        wrong += work.falling[k] - work.rising[k]
    return made


@compiled
def fill(space, P, faint, work):
    """Put rows into buckets; the cost of those wrong at θ = 0, of all, and the mark of those on.

    τ grows with the angle at which a row changes sides, from 0 to 2 over half a turn.
    """
    buckets = len(work.rising)
    work.rising[:], work.falling[:], work.soft[:], work.last[:] = 0.0, 0.0, 0.0, -1
    wrong, total, mark = 0.0, 0.0, np.uint64(0)
    for j in range(len(P)):
        a, b = P[j, 0], P[j, 1]
        size = abs(a) + abs(b)
        if size <= 8.0 * faint:
            work.place[j] = -1
            mark ^= space.mark[j]
            continue
        falls = a > 0 or (a == 0 and b < 0)
        tau = 1.0 + b / size if falls else 1.0 - b / size
        fuzz = 4.0 * faint / size
        at = tau * 0.5 * buckets
        k = min(int(at), buckets - 1)
        work.tau[j], work.fuzz[j], work.falls[j], work.place[j] = tau, fuzz, falls, k
        work.after[j], work.last[k] = work.last[k], j
        cost = space.cost[j]
        total += cost
        if falls:
            work.falling[k] += cost
        else:
            work.rising[k] += cost
            wrong += cost
        if min(at - k, k + 1 - at) <= fuzz * buckets:
            work.soft[k] += cost
            work.soft[(k + 1) % buckets] += cost
            work.soft[k - 1] += cost
    return wrong, total, mark


@compiled
def sort_bucket(space, pivots, k, wrong, total, mark, bound, work, found, made):
    """Go through the angles of a bucket in their order."""
    members, widest = gather_bucket(k, work)
    order = np.argsort(work.tau[members])
    n, low, high, gone = len(order), 0, 0, 0.0
    down, up = 0.0, 0.0  # costs of rows on the hyperplane: those that fall, and those that rise
    for q in range(n):
        tau = work.tau[members[order[q]]]
        if work.place[members[order[q]]] != k:
            continue
        while high < n and work.tau[members[order[high]]] <= tau + widest:
            j = members[order[high]]
            if work.place[j] == k:
                down += space.cost[j] if work.falls[j] else 0.0
                up += 0.0 if work.falls[j] else space.cost[j]
            high += 1
        while work.tau[members[order[low]]] < tau - widest:
            j = members[order[low]]
            if work.place[j] == k:
                down -= space.cost[j] if work.falls[j] else 0.0
                up -= 0.0 if work.falls[j] else space.cost[j]
                gone += space.cost[j] if work.falls[j] else -space.cost[j]
            low += 1
        here = wrong + gone - up - work.soft[k]
        there = total - wrong - gone - down - work.soft[k]
        if min(here, there) < bound:
            note = mark
            for p in range(low, high):
                note ^= space.mark[members[order[p]]]
            made = put(found, made, pivots, members[order[q]], min(here, there), note)
    return made


@compiled
def gather_bucket(k, work):
    """The rows of a bucket and of its neighbours, and the angle within which they are together."""
    buckets, count, widest = len(work.last), 0, 0.0
    members = np.empty(len(work.place), np.int64)
    for near in range(-1, 2):
        j = work.last[(k + near) % buckets] if near == 0 or work.soft[k] > 0 else -1
        while j >= 0:
            members[count] = j
            count += 1
            widest = max(widest, work.fuzz[j])
            j = work.after[j]
    return members[:count], 2.0 * widest


@compiled
def put(found, made, pivots, row, count, note):
    """Keep a hyperplane, unless one through the same rows has been met."""
    size = np.uint64(len(found.seen) - 1)
    at = note & size
    while found.seen[at] != 0:
        if found.seen[at] == note:
            return made
        at = (at + np.uint64(1)) & size
    if made < len(found.cost):
        found.seen[at] = note
        found.rows[made, : len(pivots)] = pivots
        found.rows[made, len(pivots)] = row
        found.cost[made], found.mark[made] = count, note
    return made + 1
