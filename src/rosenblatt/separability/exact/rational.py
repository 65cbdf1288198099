"""Exact rational linear algebra on floating-point data.

A float is a whole number times a power of two, so rows of floats become rows of whole numbers by
positive factors, which change neither signs nor spans nor who is in conflict with whom.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.core.loop import Array

INTEGER_BITS = 62  # of a machine integer, without its sign
LARGE_POWER = 4096  # beyond that of any float

Integers = list[list[int]]
Rational = Fraction | int


@cache
def flint() -> Any:
    """The library of the extra "exact", which is faster; loaded when rows are in conflict."""
    try:
        import flint
    except ImportError:
        return None
    return flint


def whole_rows(Z: Array) -> tuple[Integers, list[Fraction]]:
    """Each row as whole numbers without common factor, and the factor that made it so."""
    odd, powers = odd_parts(np.asarray(Z, float))
    lowest, highest = binary_digits(Z)
    kind = np.int64 if (highest - lowest <= INTEGER_BITS).all() else object
    N = odd.astype(kind) << np.where(odd == 0, 0, powers - lowest[:, None]).astype(kind)
    divisors = np.maximum(np.gcd.reduce(N, axis=1, initial=0), 1)
    both = zip(lowest.tolist(), divisors.tolist(), strict=True)
    factors = [Fraction(1 << max(-k, 0), q << max(k, 0)) for k, q in both]
    return (N // divisors[:, None]).tolist(), factors


def odd_parts(Z: Array) -> tuple[Array, Array]:
    """Numbers as odd ones times powers of two; of zero, any."""
    mantissas, powers = np.frexp(Z)
    m = np.ldexp(mantissas, 53).astype(np.int64)
    trailing = np.maximum(np.frexp((m & -m).astype(float))[1] - 1, 0)
    return m >> trailing, powers + trailing - 53


def binary_digits(Z: Array) -> tuple[Array, Array]:
    """The powers of two of the lowest and of the highest binary digit of each row; 0 if it has
    none."""
    odd, powers = odd_parts(Z)
    none = odd == 0
    lowest = np.where(none, LARGE_POWER, powers).min(axis=1, initial=LARGE_POWER)
    highest = np.where(none, -LARGE_POWER, np.frexp(Z)[1]).max(axis=1, initial=-LARGE_POWER)
    return np.where(none.all(axis=1), 0, lowest), np.where(none.all(axis=1), 0, highest)


def reduce(M: Integers) -> tuple[Integers, int, list[int]]:
    """The reduced row echelon form: a matrix over one denominator, and its pivot columns."""
    if not M or not M[0]:
        return M, 1, []
    rows, below = _reduce_flint(M) if flint() else _reduce_plain([list(row) for row in M])
    pivots = [next(j for j, x in enumerate(row) if x) for row in rows]
    return rows, below, pivots


def _reduce_flint(M: Integers) -> tuple[Integers, int]:
    R, below, rank = flint().fmpz_mat(M).rref()
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


def solve(A: Integers, B: Integers) -> tuple[Integers, int]:
    """X with A X = B, for a regular A: whole numbers over one positive denominator."""
    if flint():
        solution: Any = flint().fmpz_mat(A).solve(flint().fmpz_mat(B))
        X, below = solution.numer_denom()
        return [[int(x) for x in row] for row in X.tolist()], int(below)
    rows, below = _reduce_plain([[*a, *b] for a, b in zip(A, B, strict=True)])
    sign = 1 if below > 0 else -1
    return [[sign * x for x in row[len(A) :]] for row in rows], sign * below


def product(A: Integers, B: Integers) -> Integers:
    """The product of two matrices."""
    if flint():
        C = flint().fmpz_mat(A) * flint().fmpz_mat(B)
        return [[int(x) for x in row] for row in C.tolist()]
    return (np.array(A, object) @ np.array(B, object)).tolist()


class Span(NamedTuple):
    """The span of some rows, as their reduced row echelon form."""

    rows: Integers
    below: int  # the denominator of all of them
    pivots: list[int]
    width: int

    def is_whole(self, bias: float) -> bool:
        """Whether it is the space of all rows; without bias, their last number is always zero."""
        return len(self.pivots) == self.width - (bias == 0)

    def across(self) -> Integers:
        """Independent vectors whose products with the span are zero, as columns."""
        pivots = set(self.pivots)
        columns = [self._across(free) for free in range(self.width) if free not in pivots]
        return [list(row) for row in zip(*columns, strict=True)]

    def _across(self, free: int) -> list[int]:
        v = [0] * self.width
        v[free] = self.below
        for row, p in zip(self.rows, self.pivots, strict=True):
            v[p] = -row[free]
        common = math.gcd(*v)
        return [x // common for x in v]

    def holds(self, X: Array) -> Array:
        """Which rows of X are in the span, exactly."""
        if len(self.pivots) == self.width or not len(X):
            return np.ones(len(X), bool)
        X, place = np.unique(X, axis=0, return_inverse=True)
        products = product(whole_rows(X)[0], self.across())
        return np.array([not any(row) for row in products])[place.ravel()]


def span(Z: Array) -> Span:
    """The span of the rows of Z."""
    return Span(*reduce(whole_rows(Z)[0]), Z.shape[1])


def rounded(x: Rational) -> float:
    """The nearest float, infinity included."""
    try:
        return float(x)
    except OverflowError:
        return math.inf if x > 0 else -math.inf


class FloatRatios(Sequence[Fraction]):
    """Floats as the fractions that they are, made when asked for: there may be millions."""

    def __init__(self, floats: Array) -> None:
        self.floats = floats

    def __len__(self) -> int:
        return len(self.floats)

    def __getitem__(self, k: Any) -> Any:
        few = self.floats[k]
        return FloatRatios(few) if isinstance(k, slice) else Fraction(few)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    def __repr__(self) -> str:
        return repr(list(self))


def in_line(parts: Sequence[Sequence[Fraction]]) -> Sequence[Fraction]:
    """All ratios, one after the other."""
    floats = [part.floats for part in parts if isinstance(part, FloatRatios)]
    if len(floats) == len(parts):
        return FloatRatios(np.concatenate(floats))
    return [ratio for part in parts for ratio in part]


def floats_of(ratios: Sequence[Rational]) -> Array:
    """The nearest floats."""
    if isinstance(ratios, FloatRatios):
        return ratios.floats
    return np.array([rounded(x) for x in ratios])


def exact_conflict(Z: Array, guess: Sequence[float | Rational]) -> list[Fraction] | None:
    """Positive weights, summing to 1, under which the rows of Z add up to nothing.

    The weights that elimination leaves free are taken from the guess; the others follow. None if
    not all come out positive.
    """
    rows, factors = whole_rows(Z)
    columns = [list(column) for column in zip(*rows, strict=True)]
    R, below, pivots = reduce(columns)
    free = sorted(set(range(len(rows))) - set(pivots))
    if not free:
        return None
    guessed = common([Fraction(guess[j]) / factors[j] for j in free])
    weights = dict(zip(free, (abs(below) * g for g in guessed), strict=True))
    for row, p in zip(R, pivots, strict=True):
        total = sum(row[j] * g for j, g in zip(free, guessed, strict=True))
        weights[p] = -total if below > 0 else total
    if min(weights.values()) <= 0:
        return None
    return normalized([weights[j] * f for j, f in enumerate(common(factors))])


def normalized(weights: Sequence[Rational]) -> list[Fraction]:
    """Weights that sum to 1."""
    whole = common(weights)
    total = sum(whole)
    return [Fraction(w, total) for w in whole]


def exact_dot(x: Sequence[float], w: Sequence[Any]) -> Fraction:
    """The exact product of a row of floats and a row of rationals."""
    return sum((Fraction(a) * b for a, b in zip(x, w, strict=True) if a), Fraction(0))


def common(weights: Sequence[float | Rational]) -> list[int]:
    """Numbers as whole numbers, times a positive factor that they have in common."""
    ratios = [x.as_integer_ratio() for x in weights]
    below = math.lcm(*(q for _, q in ratios))
    return [p * (below // q) for p, q in ratios]
