"""The nearest points of two convex hulls; of one hull and the origin, if the other is not given.

Wolfe (1976), Finding the nearest point in a polytope. The differences u - v of the rows of two
hulls span a polytope, whose point x nearest to the origin is the maximum margin between them, or
nothing at all. A corral is a set of differences, affinely independent, such that the nearest point
of their affine hull lies inside their simplex. Take in the difference furthest behind x, walk
towards the nearest point of the new affine hull, and drop the differences whose weight would turn
negative. The point comes nearer at every step, so no corral returns, and the end is exact but for
rounding. Any difference behind x will do: of one hull, many rows are looked at a share at a time,
until some are behind it, and the furthest of these is taken in.
"""

from typing import NamedTuple

import numpy as np

from rosenblatt.core.jit import compiled
from rosenblatt.core.loop import Array
from rosenblatt.separability.convex_hull.corral import (
    FEEBLE,
    Corral,
    admit,
    copy,
    foot,
    settle_corral,
    square,
)

VANISHED = 1e-12  # the length of a combination of rows of length 1 that may be nothing
NEAR = 16.0  # how many times |x| the constant may be
SAME = 1 + 1e-6  # by which the squares of lengths may differ and be the same
ERROR = 1e-14  # more than that of products, if the constant is 1
SHARES = 8  # of the rows of one hull, one of which often has a row behind the point,
MANY_IN_HULL = 2**10  # if they are so many
WALK_STEPS = 100  # for each row and column: more than there ever are


class Nearest(NamedTuple):
    """The nearest point, and the rows, or the pairs of rows, of which it is a combination."""

    x: Array
    corral: Array
    weights: Array


def nearest_point(U: Array, gap: float, known: Nearest | None = None) -> Nearest:
    """The point nearest to the origin in the convex hull of rows of length about 1.

    It ends when every row's product with the point is at least 1 - gap of the point's with
    itself, when the point has vanished, or when rounding prevents further progress. `known` is the
    answer for the first of the rows, from which to go on.
    """
    if known is not None:
        i = known.corral
        known = known._replace(corral=np.column_stack((i, np.zeros_like(i))))
    found = nearest_points(U, np.zeros((1, U.shape[1])), gap, known, apart=False)
    return found._replace(corral=found.corral[:, 0])


def nearest_points(
    U: Array, V: Array, gap: float, known: Nearest | None = None, apart: bool = True
) -> Nearest:
    """The shortest difference of two convex hulls of rows of length about 1, and its pairs.

    Where the hulls are known to be `apart`, the point does not vanish, weights of any size count,
    and steps by which its length falls too little to be seen are made: beside columns of very
    different scale, they turn it.
    """
    U, V = np.ascontiguousarray(U), np.ascontiguousarray(V)
    corral, x = empty_corral(U, V), np.zeros(U.shape[1])
    first = survey(U, V[0], corral.scale)
    survey(V, U[first], corral.scale)
    if known is None:
        known = Nearest(U[first] - V[0], np.array([[first, 0]]), np.ones(1))
    k = len(known.corral)
    corral.members[:k], corral.weights[:k] = known.corral, known.weights
    k = approach(U, V, gap, apart, corral, k, x)
    return Nearest(x, corral.members[:k], corral.weights[:k])


def empty_corral(U: Array, V: Array) -> Corral:
    """An empty corral, large enough for all that can be independent, and one more."""
    (n, d), m = U.shape, len(V)
    most = min(d + 1, n + m - 1) + 1
    shapes = (most,), (most, d + 1), (most, most), (d + 1,)
    return Corral(np.zeros((most, 2), np.int64), *map(np.zeros, shapes))


@compiled
def survey(U, v, scale):
    """The row of U nearest to v; the largest differences from it in each column, into scale."""
    nearest, least = 0, np.inf
    for i in range(len(U)):
        length2 = 0.0
        for j in range(len(v)):
            difference = abs(U[i, j] - v[j])
            length2 += difference * difference
            scale[j] = max(scale[j], difference)
        if length2 < least:
            nearest, least = i, length2
    return nearest


@compiled
def approach(U, V, gap, apart, corral, k, x):
    """Walk from a corral of k pairs to the origin; the size of the last one, its point in x."""
    vanished, feeble, patience = (0.0, 0.0, 2 * len(x)) if apart else (VANISHED, FEEBLE, 0)
    c, length2, idle, nearer = np.inf, combine(U, V, corral, k, x), 0, np.empty_like(x)
    share = -(-len(U) // SHARES) if len(U) > MANY_IN_HULL and len(V) == 1 else len(U)
    i = np.int64(0)
    for _ in range(WALK_STEPS * (len(U) + len(V) + len(x))):
        if c > NEAR * constant(length2, gap):
            if length2 <= vanished**2:
                break
            c = constant(length2, gap)
            if not factor_members(U, V, corral, k, c):
                break
            foot(corral, k, x)
        enough = (1 - gap) * square(x)
        i, j, product = furthest_behind(U, V, x, i, share, enough)
        if k > len(x) or product >= enough or holds(corral, k, i, j):
            break
        most = length2 * SAME if apart else length2
        k, below = take_in_pair(U, V, corral, k, i, j, feeble, most, nearer)
        idle = idle + 1 if below >= length2 else 0
        if not below < most or idle > patience:
            break
        copy(nearer, x, len(x))
        length2 = min(below, length2)
    if length2 <= vanished**2 and c < 1.0 and factor_members(U, V, corral, k, 1.0):
        k = settle_corral(corral, k, feeble)
        combine(U, V, corral, k, x)
    return k


@compiled
def take_in_pair(U, V, corral, k, i, j, feeble, most, x):
    """Take in a pair, and settle, if the square of the point's length stays below `most`."""
    members, weights = corral.members.copy(), corral.weights.copy()
    if k < len(corral.weights) and admit(corral, k, difference(U[i], V[j])):
        corral.members[k, 0], corral.members[k, 1], corral.weights[k] = i, j, 0.0
        m = settle_corral(corral, k + 1, feeble)
        below = foot(corral, m, x)
        if below < most:
            return m, below
    copy(weights, corral.weights, k)
    for q in range(k):
        corral.members[q, 0], corral.members[q, 1] = members[q, 0], members[q, 1]
    return k, np.inf


@compiled
def difference(u, v):
    """u - v."""
    d = np.empty(len(u))
    for j in range(len(u)):
        d[j] = u[j] - v[j]
    return d


@compiled
def constant(length2, gap):
    """The constant c beside differences: about |x|, or 1 where the gap can be told from ε/|x|²."""
    return 1.0 if gap * length2 > ERROR else np.sqrt(length2)


@compiled
def furthest_behind(U, V, x, begin, share, enough):
    """The pair whose difference has the smallest product with x, and that product.

    Rows of U are looked at from `begin` on, a share of them at a time, until the product of one
    is below `enough`.
    """
    j, high = lowest(V, x, -1.0, 0, len(V))
    i, low = np.int64(0), np.inf
    for first in range(begin, begin + len(U), share):
        at, least = lowest(U, x, 1.0, first, min(share, begin + len(U) - first))
        if least < low:
            i, low = at, least
        if low + high < enough:
            break
    return i, j, low + high


@compiled
def lowest(U, x, sign, begin, count):
    """Of so many rows in a circle, the one with the smallest product with x or its opposite."""
    behind, least = np.int64(0), np.inf
    for k in range(begin, begin + count):
        i = k if k < len(U) else k - len(U)
        product = 0.0
        for j in range(len(x)):
            product += U[i, j] * x[j]
        product *= sign
        if product < least:
            behind, least = i, product
    return behind, least


@compiled
def holds(corral, k, i, j):
    """Whether a pair is one of the first k members."""
    found = False
    for q in range(k):
        found |= corral.members[q, 0] == i and corral.members[q, 1] == j
    return found


@compiled
def combine(U, V, corral, k, x):
    """The point that the weights make of the first k members, into x, and its squared length."""
    for p in range(len(x)):
        x[p] = 0.0
    for q in range(k):
        i, j = corral.members[q, 0], corral.members[q, 1]
        for p in range(len(x)):
            x[p] += corral.weights[q] * (U[i, p] - V[j, p])
    return square(x)


@compiled
def factor_members(U, V, corral, k, c):
    """Factor the first k members anew; whether rounding can tell them from each other."""
    corral.scale[-1] = c
    for q in range(k):
        i, j = corral.members[q, 0], corral.members[q, 1]
        if not admit(corral, q, difference(U[i], V[j])):
            return False
    return True
