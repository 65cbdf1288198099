"""Exact rational linear algebra on floating-point data.

A float is a whole number times a power of two, so rows of floats become rows of whole numbers by
positive factors, which change neither signs nor spans nor who is in conflict with whom.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from rosenblatt.geometry import margins, take
from rosenblatt.sweep import Array, Dense, Rows, Sparse

try:
    import flint
except ImportError:  # the extra "exact" is faster, not needed
    flint = None  # type: ignore[assignment]

Integers = list[list[int]]
Primal = Dense | Sparse

EPS = np.finfo(float).eps / 2
TINY = 1e-300  # more than what underflow can hide
MOST_EXACT = 20_000  # rows looked at exactly


def whole_rows(Z: Array) -> tuple[Integers, list[Fraction]]:
    """Each row as whole numbers without common factor, and the factor that made it so."""
    rows, factors = [], []
    for z in np.asarray(Z, float).tolist():
        ratios = [x.as_integer_ratio() for x in z]
        below = max(q for _, q in ratios)  # a power of two, so all others divide it
        numbers = [p * (below // q) for p, q in ratios]
        common = math.gcd(*numbers) or 1
        rows.append([p // common for p in numbers])
        factors.append(Fraction(below, common))
    return rows, factors


def reduce(M: Integers) -> tuple[Integers, int, list[int]]:
    """The reduced row echelon form: a matrix over one denominator, and its pivot columns."""
    if not M or not M[0]:
        return M, 1, []
    rows, below = _reduce_flint(M) if flint else _reduce_plain([list(row) for row in M])
    pivots = [next(j for j, x in enumerate(row) if x) for row in rows]
    return rows, below, pivots


def _reduce_flint(M: Integers) -> tuple[Integers, int]:
    R, below, rank = flint.fmpz_mat(M).rref()
    return [[int(x) for x in row] for row in R.tolist()[:rank]], int(below)


def _reduce_plain(M: Integers) -> tuple[Integers, int]:
    """Bareiss's elimination: every division is exact."""
    rank, below = 0, 1
    for j in range(len(M[0])):
        k = next((k for k in range(rank, len(M)) if M[k][j]), None)
        if k is None:
            continue
        M[rank], M[k] = M[k], M[rank]
        pivot, top = M[rank][j], M[rank]
        for i, row in enumerate(M):
            if i != rank:
                f = row[j]
                M[i] = [(pivot * x - f * t) // below for x, t in zip(row, top, strict=True)]
        rank, below = rank + 1, pivot
    return M[:rank], below


def rank(Z: Array) -> int:
    """The number of independent rows."""
    return len(reduce(whole_rows(Z)[0])[2])


def null_space(Z: Array) -> Integers:
    """A basis, in whole numbers, of all u with Z u = 0."""
    R, below, pivots = reduce(whole_rows(Z)[0])
    free = [j for j in range(Z.shape[1]) if j not in set(pivots)]
    basis = []
    for f in free:
        u = [0] * Z.shape[1]
        u[f] = below
        for row, p in zip(R, pivots, strict=True):
            u[p] = -row[f]
        common = math.gcd(*u)
        basis.append([x // common for x in u])
    return basis


def conflict(Z: Array, guess: Sequence[float]) -> list[Fraction] | None:
    """Positive weights, summing to 1, under which the rows of Z add up to nothing.

    The weights that elimination leaves free are taken from the guess; the others follow. None if
    not all come out positive.
    """
    rows, factors = whole_rows(Z)
    columns = [list(column) for column in zip(*rows, strict=True)]
    R, below, pivots = reduce(columns)
    weights = [Fraction(g) / f for g, f in zip(guess, factors, strict=True)]
    free = [j for j in range(len(rows)) if j not in set(pivots)]
    if not free:
        return None
    for row, p in zip(R, pivots, strict=True):
        weights[p] = Fraction(-sum(row[j] * weights[j] for j in free), below)
    if min(weights) <= 0:
        return None
    return normalized([w * f for w, f in zip(weights, factors, strict=True)])


def vanish(X: Array, N: Integers) -> Array:
    """Which rows have a product of zero with every vector of N.

    Whole numbers whose products stay below 2**53 are exact in floating point.
    """
    basis = np.array([[float(x) for x in u] for u in N]).T
    if (np.rint(X) == X).all() and (np.abs(X) @ np.abs(basis)).max(initial=0) < 2**53:
        return (X @ basis == 0).all(axis=1)
    rows, place = np.unique(X, axis=0, return_inverse=True)
    whole = np.array(whole_rows(rows)[0], object).reshape(len(rows), -1)
    products = whole @ np.array(N, object).T
    return (products == 0).all(axis=1)[place.ravel()]


def normalized(weights: list[Fraction]) -> list[Fraction]:
    """Weights that sum to 1."""
    total = sum(weights, Fraction(0))
    return [w / total for w in weights]


def dot(x: Sequence[float], w: Sequence[Any]) -> Fraction:
    """The exact product of a row of floats and a row of rationals."""
    return sum((Fraction(a) * b for a, b in zip(x, w, strict=True) if a), Fraction(0))


# -- Certainty -------------------------------------------------------------------------------------
# A computed product of d numbers is off by at most d ε Σ|x_j w_j| <= d ε |x| |w|, in whatever order
# it was summed. Rows beyond that bound are certainly on their side; the others are computed again
# with the sharper bound, and what remains, exactly.


def doubtful(
    primal: Primal, w: Array, rows: Rows, ratios: Sequence[Fraction] | None = None
) -> Array:
    """The rows that w does not certainly get right, the worst first.

    `ratios` are the weights that w rounds, where they are not w itself.
    """
    if not np.isfinite(w).all():
        return rows.train
    m, lengths = margins(primal, w[None], rows), np.sqrt(rows.norm2[rows.train])
    bound = slack(w) * float(np.linalg.norm(w)) * lengths + TINY
    doubts = np.flatnonzero(~(m > bound))
    doubts = doubts[np.argsort((m / lengths)[doubts], kind="stable")]
    if (m < -bound).any() or len(doubts) > MOST_EXACT:
        return rows.train[doubts]
    return not_right(primal, w, rows, rows.train[doubts], ratios)


def not_right(
    primal: Primal, w: Array, rows: Rows, i: Array, ratios: Sequence[Fraction] | None
) -> Array:
    """Those of the rows i that w does not get right: exact where floating point is not sure."""
    Z = take(primal, i) * rows.y[i, None]
    unsure = ~(Z @ w > slack(w) * (np.abs(Z) @ np.abs(w)) + TINY)
    ratios = [Fraction(x) for x in w.tolist()] if ratios is None else ratios
    wrong = [dot(z, ratios) <= 0 for z in Z[unsure].tolist()]
    return i[unsure][np.array(wrong, bool)]


def slack(w: Array) -> float:
    """The relative error of a product, with room for that of lengths and of rounded weights."""
    return 2 * (w.size + 4) * EPS
