"""What is certain of a hypothesis: floating point where it is sure, exact arithmetic where not.

A computed product of d numbers is off by at most d ε Σ|x_j w_j| <= d ε |x| |w|, in whatever order
it was summed. Rows beyond that bound are certainly on their side. The others are computed again in
twofold precision, and what remains, in whole numbers.
"""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np

from rosenblatt.core.loop import Array, Dense, Primal, Rows
from rosenblatt.core.vectors import UNIT_ROUNDOFF, margins, matrix, pick, take
from rosenblatt.separability.exact import compensated_products
from rosenblatt.separability.exact.rational import (
    Rational,
    common,
    exact_dot,
    product,
    rounded,
    whole_rows,
)

TINY = 1e-300  # more than what underflow can hide of a sum of products; a divisor is at least this
SHORTEST, LONGEST = 1e-140, 1e140  # rows whose products neither vanish nor overflow
MOST_EXACT = 20_000  # rows looked at exactly, if that finds some
NUMBERS_JUDGED, SPARSE_ROWS_JUDGED = 2**20, 256  # numbers, or sparse rows, looked at together


@np.errstate(all="ignore")  # a bound that is not finite clears nothing
def doubtful(
    primal: Primal,
    w: Array,
    rows: Rows,
    m: Array | None = None,
    ratios: Sequence[Rational] | None = None,
) -> Array:
    """The rows that w does not certainly get right, the worst first.

    `m` are their margins, where they are known; `ratios` are the weights that w rounds, where they
    are not w itself.
    """
    if not np.isfinite(w).all():
        return rows.train
    lengths2 = pick(rows.norm2, rows.train)
    if not in_range(lengths2):
        return not_right(primal, w, rows, rows.train, ratios)
    m = margins(primal, w[None], rows) if m is None else m
    error = slack(w) * float(np.linalg.norm(w))
    near = np.flatnonzero(~(m > error * math.sqrt(lengths2.max()) + TINY))
    m, lengths = m[near], np.sqrt(lengths2[near])
    bound = error * lengths + TINY
    doubts = np.flatnonzero(~(m > bound))
    doubts = doubts[np.argsort(m[doubts] / lengths[doubts], kind="stable")]
    if (m < -bound).any():
        return rows.train[near[doubts]]
    return not_right(primal, w, rows, rows.train[near[doubts]], ratios)


def in_range(lengths2: Array) -> bool:
    """Whether rows are of a length whose products neither vanish nor overflow."""
    return bool(SHORTEST**2 < lengths2.min() <= lengths2.max() < LONGEST**2)


def not_right(
    primal: Primal, w: Array, rows: Rows, i: Array, ratios: Sequence[Rational] | None = None
) -> Array:
    """Those of the rows i that w does not get right.

    If twofold precision is sure of some, the rows that it is not sure of remain in doubt.
    """
    m, error = twofold_margins(primal, w, rows, i, ratios)
    doubts, sure = np.flatnonzero(~(m > error + TINY)), m < -error - TINY
    order = m[doubts] / np.sqrt(np.maximum(rows.norm2[i[doubts]], TINY))
    doubts = doubts[np.lexsort((order, ~sure[doubts]))]
    if sure.any():
        return i[doubts]
    return surely_not_right(primal, w if ratios is None else ratios, rows, i[doubts])


def surely_not_right(primal: Primal, w: Array | Sequence[Rational], rows: Rows, i: Array) -> Array:
    """The rows that w does not get right, exactly; if some of the first are, the others remain."""
    for k in range(0, len(i), MOST_EXACT):
        few = i[k : k + MOST_EXACT]
        scores = zip(exact_scores(primal, [w], few), rows.y[few].tolist(), strict=True)
        wrong = np.array([y * s <= 0 for (s,), y in scores], bool)
        if wrong.any():
            return np.append(few[wrong], i[k + MOST_EXACT :])
    return i[:0]


def twofold_margins(
    primal: Primal, w: Array, rows: Rows, i: Array, ratios: Sequence[Rational] | None
) -> tuple[Array, Array]:
    """The margins of rows in twofold precision, and how far they may be off."""
    m, error = np.empty(len(i)), np.empty(len(i))
    for block, Z, columns in in_blocks(primal, i):
        high, low = twofold_weights(w, ratios, columns)
        m[block], error[block] = compensated_products.products(
            Z * rows.y[i[block], None], high, low
        )
    return m, error


def exact_scores(
    primal: Primal, W: Sequence[Sequence[Rational] | Array] | Array, i: Array
) -> Iterator[list[int]]:
    """The scores of rows under each hypothesis, times a positive factor for each row."""
    for _, Z, columns in in_blocks(primal, i):
        numbers = common([w[j] for j in columns.tolist() for w in W])
        weights = [numbers[k : k + len(W)] for k in range(0, len(numbers), len(W))]
        yield from product(whole_rows(Z)[0], weights)


def in_blocks(primal: Primal, i: Array) -> Iterator[tuple[slice, Array, Array]]:
    """Rows some at a time, as a matrix of those columns in which they have numbers."""
    size = (
        max(1, NUMBERS_JUDGED // n_weights(primal))
        if isinstance(primal, Dense)
        else SPARSE_ROWS_JUDGED
    )
    for k in range(0, len(i), size):
        columns = used_columns(primal, i[k : k + size])
        yield slice(k, k + size), entries(primal, i[k : k + size], columns), columns


def n_weights(primal: Primal) -> int:
    """The number of weights, the bias included."""
    return int(primal.X.shape[1] if isinstance(primal, Dense) else primal.n_features) + 1


def used_columns(primal: Primal, i: Array) -> Array:
    """The columns in which rows may have numbers."""
    if isinstance(primal, Dense):
        return np.arange(n_weights(primal))
    return np.append(np.unique(matrix(primal)[i].indices), primal.n_features)


def entries(primal: Primal, i: Array, columns: Array) -> Array:
    """The numbers of rows in some columns, the last of which is the bias."""
    if isinstance(primal, Dense):
        return take(primal, i)[:, columns]
    few = matrix(primal)[i][:, columns[:-1]].toarray()
    return np.column_stack((few, np.full(len(i), primal.bias)))


def twofold_weights(
    w: Array, ratios: Sequence[Rational] | None, columns: Array
) -> tuple[Array, Array]:
    """The weights of some columns as sums of two floats."""
    high = w[columns]
    if ratios is None:
        return high, np.zeros(len(high))
    rest = [ratios[j] - Fraction(x) for j, x in zip(columns.tolist(), high.tolist(), strict=True)]
    return high, np.array([rounded(x) for x in rest])


@np.errstate(all="ignore")
def nearest_distance(primal: Primal, ratios: Sequence[Fraction], rows: Rows) -> float:
    """The distance of the nearest row from a hyperplane that has all rows on their sides."""
    w = np.array([rounded(x) for x in ratios])
    if not SHORTEST < np.abs(w[:-1]).max() <= np.abs(w).max() < LONGEST:
        top = max(map(abs, ratios[:-1]))
        ratios = [x / top for x in ratios]
        w = np.array([rounded(x) for x in ratios])
    m, lengths = margins(primal, w[None], rows), np.sqrt(pick(rows.norm2, rows.train))
    least, error = float(m.min()), slack(w) * float(np.linalg.norm(w)) * lengths + TINY
    if not 1e3 * error.max() < least < math.inf:
        least = closest(primal, w, rows, rows.train[~(m - error > (m + error).min())], ratios)
    return least / float(np.linalg.norm(w[:-1]))


def closest(primal: Primal, w: Array, rows: Rows, i: Array, ratios: Sequence[Fraction]) -> float:
    """The smallest margin of some rows, from twofold precision or exact."""
    m, error = twofold_margins(primal, w, rows, i, ratios)
    least = float(m.min())
    if 1e3 * float(error.max()) + TINY < least < math.inf:
        return least
    nearest = i[~(m - error > (m + error).min())]
    signed = zip(take(primal, nearest).tolist(), rows.y[nearest].tolist(), strict=True)
    return rounded(min(y * exact_dot(x, ratios) for x, y in signed))


def misjudged(primal: Primal, W: Array, rows: Rows, margins: Array) -> Array:
    """The training rows that err although their computed margins say otherwise."""
    top = float(np.abs(W).max()) or 1.0
    error = 2 * slack(W[0]) * float(np.linalg.norm(W / top)) * top
    lengths2 = pick(rows.norm2, rows.train)
    near = np.flatnonzero(~(margins > error * math.sqrt(lengths2.max()) + TINY))
    i = rows.train[near[~(margins[near] > error * np.sqrt(lengths2[near]) + TINY)]]
    leads = [
        lead(s, y) for s, y in zip(exact_scores(primal, W, i), rows.y[i].tolist(), strict=True)
    ]
    wrong = [
        m < 0 or (m == 0 and y != rows.boundary) for m, y in zip(leads, rows.y[i], strict=True)
    ]
    return i[np.array(wrong, bool)]


def lead(scores: list[int], y: int) -> int:
    """The margin of a row: y f(x), or the lead of its own class over the highest other."""
    if len(scores) == 1:
        return y * scores[0]
    return scores[y] - max(f for k, f in enumerate(scores) if k != y)


def slack(w: Array) -> float:
    """The relative error of a product, with room for that of lengths and of rounded weights."""
    return 2 * (w.size + 4) * UNIT_ROUNDOFF
