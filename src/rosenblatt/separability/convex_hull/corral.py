"""A corral: affinely independent vectors u whose affine hull is nearest to the origin inside.

With an orthonormal basis of the columns (u, c), let r be what is left of (0, 1) beyond them. The
weights a of the least squares problem Σ a (u, c) ≈ (0, 1) are those of the nearest point x of the
affine hull, but for a factor: their sum is (1 - r_last) / c, and so x = -c r / (1 - r_last).

The error of x is c ε, so c is kept near |x|; products u·x, which are |x|² where it matters, are
then off by ε/|x| of themselves. A sum of weighted vectors of length 1 would be off by ε, and its
products by ε/|x|². What the basis holds of a vector is taken away again and again, until nothing
of it is left: so columns of very different scale keep their digits, each to its own scale.
"""

from typing import NamedTuple

import numpy as np

from rosenblatt.core.jit import compiled
from rosenblatt.core.loop import Array

FEEBLE = 1e-13  # a weight that may be nothing
DEPENDENT = 1e-15  # the share of its columns' scale that a vector may be beyond others by rounding
TIMES = 6  # more than it takes to leave nothing


class Corral(NamedTuple):
    """Pairs of rows, whose differences are the vectors u, and a QR factorization of (u, c)."""

    members: Array
    weights: Array
    Q: Array  # its columns, as rows
    R: Array
    scale: Array  # the largest number in each column of u, and c


@compiled
def settle_corral(corral, k, feeble):
    """Walk to the nearest point of the affine hull, dropping what turns negative on the way."""
    while True:
        target = affine_weights(corral, k)
        out, step = np.int64(-1), np.inf  # no literal: `drop` would be compiled for it, too
        for q in range(k):
            if target[q] <= feeble:
                fall = corral.weights[q] - target[q]
                reach = corral.weights[q] / fall if fall > 0.0 else 0.0
                if reach < step:
                    out, step = q, reach
        if out < 0:
            copy(target, corral.weights, k)
            return k
        step = min(1.0, max(0.0, step))
        for q in range(k):
            corral.weights[q] += step * (target[q] - corral.weights[q])
        drop(corral, k, out)
        k -= 1


@compiled
def affine_weights(corral, k):
    """The weights, summing to 1 but of any sign, whose combination is the shortest."""
    a, total, last = np.empty(k), 0.0, corral.Q.shape[1] - 1
    for i in range(k - 1, -1, -1):
        a[i] = corral.Q[i, last]
        for j in range(i + 1, k):
            a[i] -= corral.R[i, j] * a[j]
        a[i] /= corral.R[i, i]
        total += a[i]
    for i in range(k):
        a[i] /= total
    return a


@compiled
def foot(corral, k, x):
    """The nearest point of the affine hull of the first k members, into x; its squared length."""
    r = np.zeros(len(x) + 1)
    for i in range(k):
        for j in range(len(r)):
            r[j] -= corral.Q[i, -1] * corral.Q[i, j]
    r[-1] += 1.0
    if corral.scale[-1] < 1.0:
        for i in range(k):
            remove(r, corral.Q[i])
    factor = -corral.scale[-1] / (1 - r[-1])
    for j in range(len(x)):
        x[j] = r[j] * factor
    return square(x)


@compiled
def remove(r, q):
    """Take what a row of length 1 holds of r away from it, and say how much that was."""
    along = 0.0
    for j in range(len(r)):
        along += q[j] * r[j]
    for j in range(len(r)):
        r[j] -= along * q[j]
    return along


@compiled
def admit(corral, k, u):
    """Take in a vector after k others, unless rounding makes it a combination of them."""
    Q, R = corral.Q, corral.R
    copy(u, Q[k], len(u))
    Q[k, len(u)] = corral.scale[-1]
    for i in range(len(R)):
        R[i, k] = 0.0
    R[k, k], before = np.sqrt(square(Q[k])), np.inf
    for times in range(TIMES):
        if times > 1 and R[k, k] > before / 2:
            break
        before = R[k, k]
        for i in range(k):
            R[i, k] += remove(Q[k], Q[i])
        R[k, k] = np.sqrt(square(Q[k]))
    size = 0.0
    for j in range(Q.shape[1]):
        Q[k, j] /= R[k, k]
        size += abs(Q[k, j]) * corral.scale[j]
    return R[k, k] > DEPENDENT * size


@compiled
def square(x):
    """The squared length of a vector."""
    total = 0.0
    for j in range(len(x)):
        total += x[j] * x[j]
    return total


@compiled
def copy(a, b, k):
    """The first k numbers of a, into b. Slices would take seconds to compile."""
    for i in range(k):
        b[i] = a[i]


@compiled
def drop(corral, k, out):
    """Let one of k members go; rotations make R triangular again."""
    members, weights, Q, R = corral.members, corral.weights, corral.Q, corral.R
    for q in range(out, k - 1):
        members[q, 0], members[q, 1] = members[q + 1, 0], members[q + 1, 1]
        weights[q] = weights[q + 1]
        for i in range(q + 2):
            R[i, q] = R[i, q + 1]
    for i in range(out, k - 1):
        length = np.hypot(R[i, i], R[i + 1, i])
        c, s = R[i, i] / length, R[i + 1, i] / length
        rotate_rows(R, i, c, s, k - 1)
        rotate_rows(Q, i, c, s, Q.shape[1])


@compiled
def rotate_rows(M, i, c, s, columns):
    """Rotate rows i and i + 1 of a matrix."""
    for j in range(columns):
        M[i, j], M[i + 1, j] = c * M[i, j] + s * M[i + 1, j], c * M[i + 1, j] - s * M[i, j]
