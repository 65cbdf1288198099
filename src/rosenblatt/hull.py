"""The point of a convex hull nearest to the origin: the maximum margin, or none at all.

Wolfe (1976), Finding the nearest point in a polytope. A corral is a set of rows, affinely
independent, such that the nearest point of their affine hull lies inside their simplex. Take in
the row furthest behind the point, walk towards the nearest point of the new affine hull, and drop
the rows whose weight would turn negative. The point comes nearer at every step, so no corral
returns, and the end is exact but for rounding.
"""

from typing import NamedTuple

import numpy as np

from rosenblatt.compiling import compiled
from rosenblatt.sweep import Array

VANISHED = 1e-12  # the length of a combination of rows of length 1 that may be nothing
FEEBLE = 1e-13  # a weight that may be nothing
DEPENDENT = 1e-15  # the share of a row beyond the others that may be nothing


class Nearest(NamedTuple):
    """The nearest point, and the rows of which it is a combination."""

    x: Array
    corral: Array
    weights: Array


class Corral(NamedTuple):
    """Rows u and their weights, with a QR factorization of the columns (u, 1)."""

    members: Array
    weights: Array
    Q: Array  # its columns, as rows
    R: Array


def nearest_point(U: Array, gap: float, known: Nearest | None = None) -> Nearest:
    """The point nearest to the origin in the convex hull of rows of length about 1.

    It ends when every row's product with the point is at least 1 - gap of the point's with
    itself, when the point has vanished, or when rounding has the last word. `known` is the answer
    for the first of the rows, from which to go on.
    """
    if known is None:
        j = np.argmin(np.einsum("ij,ij->i", U, U), keepdims=True)
        known = Nearest(U[j[0]], j, np.ones(1))
    d, k = U.shape[1], len(known.corral)
    shapes = (d + 2,), (d + 2, d + 1), (d + 2, d + 2)
    corral = Corral(np.zeros(d + 2, np.int64), *map(np.zeros, shapes))
    corral.members[:k], corral.weights[:k] = known.corral, known.weights
    x = np.zeros(d)
    k = approach(np.ascontiguousarray(U), gap, corral, k, x)
    return Nearest(x, corral.members[:k], corral.weights[:k]) if k else known


@compiled
def approach(U, gap, corral, k, x):
    """Walk from a corral of k rows towards the origin; the size of the last one, its point in x."""
    for j in range(k):
        if not admit(corral, j, U[corral.members[j]]):
            return 0
    k = settle(corral, k)
    length2 = combine(U, corral, k, x)
    nearer = np.empty_like(x)
    while length2 > VANISHED**2 and k <= len(x):
        j, product = furthest_behind(U, x)
        if product >= (1 - gap) * length2 or j in corral.members[:k]:
            break
        before = corral.members[:k].copy(), corral.weights[:k].copy()
        if not admit(corral, k, U[j]):
            break
        corral.members[k], corral.weights[k] = j, 0.0
        k = settle(corral, k + 1)
        below = combine(U, corral, k, nearer)
        if not below < length2:
            k = len(before[0])
            corral.members[:k], corral.weights[:k] = before
            break
        x[:], length2 = nearer, below
    return k


@compiled
def furthest_behind(U, x):
    """The row with the smallest product with x, and that product."""
    behind, least = 0, np.inf
    for i in range(len(U)):
        product = 0.0
        for j in range(len(x)):
            product += U[i, j] * x[j]
        if product < least:
            behind, least = i, product
    return behind, least


@compiled
def combine(U, corral, k, x):
    """The point that the weights make of the first k members, into x, and its squared length."""
    x[:] = 0.0
    for q in range(k):
        for j in range(len(x)):
            x[j] += corral.weights[q] * U[corral.members[q], j]
    return np.sum(x * x)


@compiled
def settle(corral, k):
    """Walk to the nearest point of the affine hull, dropping what turns negative on the way."""
    while True:
        target = affine_weights(corral, k)
        out, step = -1, np.inf
        for q in range(k):
            if target[q] <= FEEBLE:
                fall = corral.weights[q] - target[q]
                reach = corral.weights[q] / fall if fall > 0.0 else 0.0
                if reach < step:
                    out, step = q, reach
        if out < 0:
            corral.weights[:k] = target
            return k
        step = min(1.0, max(0.0, step))
        for q in range(k):
            corral.weights[q] += step * (target[q] - corral.weights[q])
        drop(corral, k, out)
        k -= 1


@compiled
def affine_weights(corral, k):
    """The weights, summing to 1 but of any sign, whose combination is the shortest.

    They are those of the least squares problem Σ a (u, 1) ≈ (0, 1), but for a factor.
    """
    a, total = corral.Q[:k, -1].copy(), 0.0
    for i in range(k - 1, -1, -1):
        for j in range(i + 1, k):
            a[i] -= corral.R[i, j] * a[j]
        a[i] /= corral.R[i, i]
        total += a[i]
    return a / total


@compiled
def admit(corral, k, u):
    """Take in a row, after k others, unless rounding cannot tell it from a combination of them.

    What the others hold of it is taken away twice, which makes the rest as good as orthogonal.
    """
    Q, R, dim = corral.Q, corral.R, len(u) + 1
    Q[k, :-1], Q[k, -1], R[:, k] = u, 1.0, 0.0
    size = length(Q, k)
    for _ in range(2):
        for i in range(k):
            along = 0.0
            for j in range(dim):
                along += Q[i, j] * Q[k, j]
            for j in range(dim):
                Q[k, j] -= along * Q[i, j]
            R[i, k] += along
    R[k, k] = length(Q, k)
    Q[k] /= R[k, k]
    return R[k, k] > DEPENDENT * size


@compiled
def length(M, i):
    """The length of a row of a matrix."""
    return np.sqrt(np.sum(M[i] * M[i]))


@compiled
def drop(corral, k, out):
    """Let one of k rows go; rotations make R triangular again."""
    members, weights, Q, R = corral
    for q in range(out, k - 1):
        members[q], weights[q] = members[q + 1], weights[q + 1]
        R[: q + 2, q] = R[: q + 2, q + 1]
    for i in range(out, k - 1):
        length = np.hypot(R[i, i], R[i + 1, i])
        c, s = R[i, i] / length, R[i + 1, i] / length
        turn(R[:, : k - 1], i, c, s)
        turn(Q, i, c, s)


@compiled
def turn(M, i, c, s):
    """Rotate rows i and i + 1 of a matrix."""
    for j in range(M.shape[1]):
        M[i, j], M[i + 1, j] = c * M[i, j] + s * M[i + 1, j], c * M[i + 1, j] - s * M[i, j]
