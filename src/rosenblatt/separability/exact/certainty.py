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
from rosenblatt.core.vectors import (
    SMALLEST_NORMAL,
    UNIT_ROUNDOFF,
    errs,
    first_leads,
    leads,
    margins,
    matrix,
    pick,
    take,
)
from rosenblatt.separability.exact import compensated_products
from rosenblatt.separability.exact.digit_products import signs
from rosenblatt.separability.exact.rational import (
    FloatRatios,
    Rational,
    common,
    exact_dot,
    floats_of,
    product,
    rounded,
    whole_rows,
)

TINY = 1e-300  # more than what underflow can hide of a sum of products; a divisor is at least this
SHORTEST, LONGEST = 1e-140, 1e140  # rows whose products neither vanish nor overflow
SHORT = 2.0**-10  # of multiples of this, sums of products are exact up to 2**53 of its squares
MOST_EXACT = 20_000  # rows looked at exactly, if that finds some
NUMBERS_JUDGED, SPARSE_ROWS_JUDGED = 2**20, 256  # numbers, or sparse rows, looked at together


@np.errstate(all="ignore")  # a bound that is not finite clears nothing
def doubtful(
    primal: Primal, ratios: Sequence[Rational], rows: Rows, m: Array | None = None
) -> Array:
    """The rows that a hypothesis does not certainly get right, the worst first.

    `m` are their margins in floating point, where they are known.
    """
    w = floats_of(ratios)
    if not np.isfinite(w).all():
        return rows.train
    lengths2 = pick(rows.norm2, rows.train)
    if not in_range(lengths2):
        return not_right(primal, ratios, rows, rows.train)
    m = margins(primal, w[None], rows) if m is None else m
    error = product_error(w)
    near = np.flatnonzero(~(m > error * math.sqrt(lengths2.max()) + TINY))
    m, lengths = m[near], np.sqrt(lengths2[near])
    bound = error * lengths + TINY
    doubts = np.flatnonzero(~(m > bound))
    doubts = doubts[np.argsort(m[doubts] / lengths[doubts], kind="stable")]
    if (m < -bound).any():
        return rows.train[near[doubts]]
    return not_right(primal, ratios, rows, rows.train[near[doubts]])


def in_range(lengths2: Array) -> bool:
    """Whether rows are of a length whose products neither vanish nor overflow."""
    return bool(SHORTEST**2 < lengths2.min() <= lengths2.max() < LONGEST**2)


def not_right(primal: Primal, ratios: Sequence[Rational], rows: Rows, i: Array) -> Array:
    """Those of the rows i that a hypothesis does not get right.

    If twofold precision is sure of some, the rows that it is not sure of remain in doubt.
    """
    m, error = twofold_margins(primal, ratios, rows, i)
    doubts, sure = np.flatnonzero(~(m > error + TINY)), m < -error - TINY
    order = m[doubts] / np.sqrt(np.maximum(rows.norm2[i[doubts]], TINY))
    doubts = doubts[np.lexsort((order, ~sure[doubts]))]
    if sure.any():
        return i[doubts]
    return surely_not_right(primal, ratios, rows, i[doubts])


def surely_not_right(primal: Primal, ratios: Sequence[Rational], rows: Rows, i: Array) -> Array:
    """The rows that are not right, exactly; if some of the first are, the others remain."""
    for k in range(0, len(i), MOST_EXACT):
        few = i[k : k + MOST_EXACT]
        wrong = exact_signs(primal, ratios, few) * rows.y[few] <= 0
        if wrong.any():
            return np.append(few[wrong], i[k + MOST_EXACT :])
    return i[:0]


def twofold_margins(
    primal: Primal, ratios: Sequence[Rational], rows: Rows, i: Array
) -> tuple[Array, Array]:
    """The margins of rows in twofold precision, and how far they may be off."""
    m, error = np.empty(len(i)), np.empty(len(i))
    for block, Z, columns in in_blocks(primal, i):
        signed, weights = Z * rows.y[i[block], None], twofold_weights(ratios, columns)
        m[block], error[block] = compensated_products.products(signed, *weights)
    return m, error


def exact_scores(
    primal: Primal, W: Sequence[Sequence[Rational] | Array] | Array, i: Array
) -> Iterator[list[int]]:
    """The scores of rows under each hypothesis, times a positive factor for each row."""
    for _, Z, columns in in_blocks(primal, i):
        numbers = common([w[j] for j in columns.tolist() for w in W])
        weights = [numbers[k : k + len(W)] for k in range(0, len(numbers), len(W))]
        yield from product(whole_rows(Z)[0], weights)


def exact_signs(primal: Primal, w: Sequence[Rational] | Array, i: Array) -> Array:
    """The signs of the scores of rows."""
    found = np.empty(len(i), np.int64)
    for block, Z, columns in in_blocks(primal, i):
        found[block] = signs(Z, common([w[j] for j in columns.tolist()]))
    return found


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


def twofold_weights(ratios: Sequence[Rational], columns: Array) -> tuple[Array, Array]:
    """The weights of some columns as sums of two floats."""
    if isinstance(ratios, FloatRatios):
        return ratios.floats[columns], np.zeros(len(columns))
    few = [ratios[j] for j in columns.tolist()]
    high = floats_of(few)
    return high, floats_of([x - Fraction(h) for x, h in zip(few, high.tolist(), strict=True)])


@np.errstate(all="ignore")
def nearest_distance(
    primal: Primal, ratios: Sequence[Fraction], rows: Rows, least: float | None = None
) -> float:
    """The distance of the nearest row from a hyperplane that has all rows on their sides.

    `least` is its margin in floating point, where it is known.
    """
    w = floats_of(ratios)
    if not SHORTEST < np.abs(w[:-1]).max() <= np.abs(w).max() < LONGEST:
        top = max(map(abs, ratios[:-1]))
        ratios = [x / top for x in ratios]
        w, least = floats_of(ratios), None
    error, lengths2 = product_error(w), pick(rows.norm2, rows.train)
    known = 1e3 * (error * math.sqrt(lengths2.max()) + TINY)
    if least is None or not known < least < math.inf:
        m = margins(primal, w[None], rows)
        least, off = float(m.min()), error * np.sqrt(lengths2) + TINY
        if not known < least < math.inf:
            least = closest(primal, ratios, rows, rows.train[~(m - off > (m + off).min())])
    return least / float(np.linalg.norm(w[:-1]))


def closest(primal: Primal, ratios: Sequence[Fraction], rows: Rows, i: Array) -> float:
    """The smallest margin of some rows, from twofold precision or exact."""
    m, error = twofold_margins(primal, ratios, rows, i)
    least = float(m.min())
    if 1e3 * float(error.max()) + TINY < least < math.inf:
        return least
    nearest = i[~(m - error > (m + error).min())]
    signed = zip(take(primal, nearest).tolist(), rows.y[nearest].tolist(), strict=True)
    return rounded(min(y * exact_dot(x, ratios) for x, y in signed))


def count_errors(primal: Primal, W: Array, rows: Rows, margins: Array) -> int:
    """The training rows that W gets wrong, given its computed margins.

    That there are none is exact, and so is that there are some. If a row errs beyond doubt, the
    others are counted as computed.
    """
    wrong = errs(margins, pick(rows.y, rows.train), rows.boundary)
    near = in_doubt(primal, W, rows, margins)
    computed = int(np.count_nonzero(wrong))
    if computed > np.count_nonzero(wrong[near]):
        return computed
    near = near[np.argsort(~wrong[near], kind="stable")]
    for k in range(0, len(near), MOST_EXACT):
        if found := len(err_exactly(primal, W, rows, rows.train[near[k : k + MOST_EXACT]])):
            return max(found, computed)
    return 0


def in_doubt(primal: Primal, W: Array, rows: Rows, margins: Array) -> Array:
    """The places of the training rows whose computed margins may have the wrong sign."""
    error = 2 * product_error(W)
    lengths2 = pick(rows.norm2, rows.train)
    near = np.flatnonzero(~(np.abs(margins) > error * math.sqrt(lengths2.max()) + TINY))
    near = near[~(np.abs(margins[near]) > error * np.sqrt(lengths2[near]) + TINY)]
    return near[rounded_scores(primal, W, rows.train[near])]


@np.errstate(over="ignore")
def rounded_scores(primal: Primal, W: Array, i: Array) -> Array:
    """Whether scores of rows may have been rounded.

    Those of the hypothesis zero are not, nor sums of short numbers, in whatever order.
    """
    rounded = np.full(len(i), bool(W.any()))
    if not rounded.any() or not np.isfinite(W).all() or not is_short(W).all():
        return rounded
    for block, Z, columns in in_blocks(primal, i):
        largest = (np.abs(Z) @ np.abs(W[:, columns]).T).max(axis=1)
        rounded[block] = ~(is_short(Z).all(axis=1) & (largest < 2.0**53 * SHORT**2))
    return rounded


def is_short(values: Array) -> Array:
    """Which numbers are whole multiples of SHORT."""
    return np.asarray(np.rint(values / SHORT) * SHORT == values)


def err_exactly(primal: Primal, W: Array, rows: Rows, i: Array) -> Array:
    """Those of the rows i that W gets wrong, exactly."""
    f, y = np.array(list(exact_scores(primal, W, i)), object), rows.y[i]
    return i[errs(f[:, 0] * y if len(W) == 1 else leads(f, y), y, rows.boundary)]


@np.errstate(over="ignore")  # a bound that is not finite clears nothing
def correct_signs(primal: Primal, W: Array, f: Array, radius: float) -> None:
    """Give the scores f of rows no longer than the radius the signs that they have exactly.

    Of several hypotheses, the one that leads exactly leads. A score keeps its size, which is then
    no more than rounding.
    """
    error = product_error(W) * radius + TINY
    near = np.flatnonzero((np.abs(f[:, 0]) if len(W) == 1 else first_leads(f)) <= 2 * error)
    near = near[rounded_scores(primal, W, near)][:MOST_EXACT]
    for i, exact in zip(near, exact_scores(primal, W, near), strict=True):
        if len(W) == 1:
            sign = (exact[0] > 0) - (exact[0] < 0)
            f[i] = sign * max(abs(f[i, 0]), SMALLEST_NORMAL)
        else:
            highest = f[i].max()
            f[i] = np.minimum(f[i], np.nextafter(highest, -np.inf))
            f[i, [s == max(exact) for s in exact]] = highest


def product_error(W: Array) -> float:
    """How far products with a row of length 1 may be off, of weights of any size."""
    top = float(np.abs(W).max(initial=0.0)) or 1.0
    return slack(np.atleast_2d(W)[0]) * float(np.linalg.norm(W / top)) * top


def slack(w: Array) -> float:
    """The relative error of a product, with room for that of lengths and of rounded weights."""
    return 2 * (w.size + 4) * UNIT_ROUNDOFF
