"""Exact rational linear algebra on floating-point data.

A float is a whole number times a power of two, so rows of floats become rows of whole numbers by
positive factors, which change neither signs nor spans nor who is in conflict with whom.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.geometry import margins, pick, take
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
    return len(span(Z).pivots)


class Span(NamedTuple):
    """The span of some rows, as their reduced row echelon form."""

    rows: Integers
    below: int  # the denominator of all of them
    pivots: list[int]
    width: int

    def is_whole(self, bias: float) -> bool:
        """Whether it is the space of all rows; without bias, their last number is always zero."""
        return len(self.pivots) == self.width - (bias == 0)

    def floats(self) -> Array:
        """The echelon form, rounded; what is too large for floating point is infinite."""
        values = [[rounded(Fraction(x, self.below)) for x in row] for row in self.rows]
        return np.array(values, float).reshape(-1, self.width)

    def holds(self, X: Array) -> Array:
        """Which rows of X are in the span, exactly.

        Whole numbers whose products stay below 2**53 are exact in floating point.
        """
        X, place = np.unique(X, axis=0, return_inverse=True)
        if (np.rint(X) == X).all() and max_abs(self.rows) * max_abs(X) * len(self.rows) < 2**52:
            R, below = self.matrix(float), float(self.below)
        else:
            X = np.array(whole_rows(X)[0], object).reshape(X.shape)
            R, below = self.matrix(object), self.below
        return (X * below == X[:, self.pivots] @ R).all(axis=1)[place.ravel()]

    def matrix(self, dtype: type) -> Array:
        """The rows without their denominator."""
        return np.array(self.rows, dtype).reshape(-1, self.width)

    def against(self, w: Sequence[float]) -> list[Fraction]:
        """The vector with the values of w off the pivots whose product with the span is zero."""
        ratios = [Fraction(x) for x in w]
        for p in self.pivots:
            ratios[p] = Fraction(0)
        products = [
            sum((x * r for x, r in zip(row, ratios, strict=True) if x and r), Fraction(0))
            for row in self.rows
        ]
        for p, product in zip(self.pivots, products, strict=True):
            ratios[p] = -product / self.below
        return ratios


def span(Z: Array) -> Span:
    """The span of the rows of Z."""
    return Span(*reduce(whole_rows(Z)[0]), Z.shape[1])


def max_abs(rows: Any) -> int:
    """The largest of some numbers without their signs."""
    return max((abs(int(x)) for row in rows for x in row), default=0)


def rounded(x: Fraction) -> float:
    """The nearest float, infinity included."""
    try:
        return float(x)
    except OverflowError:
        return math.inf if x > 0 else -math.inf


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


@np.errstate(all="ignore")  # a bound that is not finite clears nothing
def doubtful(
    primal: Primal,
    w: Array,
    rows: Rows,
    m: Array | None = None,
    ratios: Sequence[Fraction] | None = None,
) -> Array:
    """The rows that w does not certainly get right, the worst first.

    `m` are their margins, where they are known; `ratios` are the weights that w rounds, where they
    are not w itself.
    """
    if not np.isfinite(w).all():
        return rows.train
    m = margins(primal, w[None], rows) if m is None else m
    lengths2 = pick(rows.norm2, rows.train)
    error = slack(w) * float(np.linalg.norm(w))
    near = np.flatnonzero(~(m > error * math.sqrt(lengths2.max()) + TINY))
    m, lengths = m[near], np.sqrt(lengths2[near])
    bound = error * lengths + TINY
    doubts = np.flatnonzero(~(m > bound))
    doubts = doubts[np.argsort(m[doubts] / lengths[doubts], kind="stable")]
    if (m < -bound).any() or len(doubts) > MOST_EXACT:
        return rows.train[near[doubts]]
    return not_right(primal, w, rows, rows.train[near[doubts]], ratios)


def not_right(
    primal: Primal, w: Array, rows: Rows, i: Array, ratios: Sequence[Fraction] | None
) -> Array:
    """Those of the rows i that w does not get right: exact where floating point is not sure."""
    Z = take(primal, i) * rows.y[i, None]
    unsure = ~(Z @ w > slack(w) * (np.abs(Z) @ np.abs(w)) + TINY)
    ratios = [Fraction(x) for x in w.tolist()] if ratios is None else ratios
    wrong = [dot(z, ratios) <= 0 for z in Z[unsure].tolist()]
    return i[unsure][np.array(wrong, bool)]


def misjudged(primal: Primal, W: Array, rows: Rows, margins: Array) -> Array:
    """The training rows that err although their computed margins say otherwise."""
    top = float(np.abs(W).max()) or 1.0
    error = 2 * slack(W[0]) * float(np.linalg.norm(W / top)) * top
    lengths2 = pick(rows.norm2, rows.train)
    near = np.flatnonzero(~(margins > error * math.sqrt(lengths2.max()) + TINY))
    i = rows.train[near[~(margins[near] > error * np.sqrt(lengths2[near]) + TINY)]]
    ratios = [[Fraction(x) for x in w] for w in W.tolist()]
    labelled = zip(take(primal, i).tolist(), rows.y[i].tolist(), strict=True)
    leads = [lead([dot(x, w) for w in ratios], y) for x, y in labelled]
    wrong = [
        m < 0 or (m == 0 and y != rows.boundary) for m, y in zip(leads, rows.y[i], strict=True)
    ]
    return i[np.array(wrong, bool)]


def lead(scores: list[Fraction], y: int) -> Fraction:
    """The margin of a row: y f(x), or the lead of its own class over the highest other."""
    if len(scores) == 1:
        return y * scores[0]
    return scores[y] - max(f for k, f in enumerate(scores) if k != y)


def slack(w: Array) -> float:
    """The relative error of a product, with room for that of lengths and of rounded weights."""
    return 2 * (w.size + 4) * EPS
