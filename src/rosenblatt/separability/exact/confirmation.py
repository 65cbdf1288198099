"""Confirmation: what was found is checked on the rows themselves before it is claimed.

Deciding works on samples, frames and copies. A conflict counts only when its rows, taken from the
source again, add up to zero with its weights, in whole numbers.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from rosenblatt.core.loop import Array
from rosenblatt.core.vectors import UNIT_ROUNDOFF, dense
from rosenblatt.separability.exact.bounded_conflict import is_conflict
from rosenblatt.separability.exact.column_relations import Bound, with_constant
from rosenblatt.separability.exact.digit_products import signs
from rosenblatt.separability.exact.rational import FloatRatios, common, product, whole_rows

MOST_NAMED = 8  # rows in a message
UNDERFLOW = 2.0**-1074  # the smallest float: what a product may lose besides its rounding


class SelfCheckError(RuntimeError):
    """A verdict failed its own check: an error of this program, never an answer."""

    def __init__(self, what: str) -> None:
        super().__init__(
            f"internal error: {what}. Nothing is claimed about the data. Please report this, with "
            "the version of rosenblatt and, if possible, the data"
        )


def confirm_conflict(
    Z: Array,
    weights: Sequence[Fraction],
    numbers: Array,
    bound: Bound | None = None,
) -> None:
    """Refuse a conflict unless the rows Z = y x̂, which have these numbers, cancel out exactly.

    With a `bound`, they do with weights near these.
    """
    if not (cancels(Z, weights) if bound is None else is_conflict(Z, weights, bound)):
        named = ", ".join(map(str, numbers[:MOST_NAMED].tolist()))
        raise SelfCheckError(f"the rows in conflict ({named}, …) do not add up to zero")


def cancels(Z: Array, weights: Sequence[Fraction]) -> bool:
    """Whether the weights are positive, sum to 1, and add the rows of Z up to zero."""
    *shares, one = common([*weights, 1])  # as whole numbers: sums of long fractions take long
    if len(Z) != len(weights) or not len(Z) or min(shares) <= 0 or sum(shares) != one:
        return False
    rows, factors = whole_rows(Z)
    parts = common([1 / factor for factor in factors])
    return not any(product([[a * b for a, b in zip(shares, parts, strict=True)]], rows)[0])


def confirm_errors(reason: str | None, boundary: int, errors: int) -> str | None:
    """The reason why a run ended, given the errors that its hypothesis makes, counted exactly.

    Deciding is strict: a point on the hyperplane is on no side. Where `boundary` gives such points
    to a class, a hypothesis may be without error though no other separates the rows strictly.
    """
    if reason != "inseparable" or errors:
        return reason
    if boundary == 0:
        raise SelfCheckError("rows in conflict were found, and a hypothesis gets all rows right")
    return "separated"


# -- Exact where floating point is not certain -----------------------------------------------------


@np.errstate(all="ignore")  # a bound that is not finite makes nothing certain
def sides(X: Any, w: Sequence[Fraction]) -> Array:
    """The sign of each row's product with w, whose last number is the bias if X has one fewer.

    In floating point it is off by at most slack Σ|x_j w_j|, and by what underflow takes.
    """
    v, d = scaled(w), X.shape[1]
    b = float(v[d:].sum())
    f = X @ v[:d] + b
    result, unsure = np.sign(f), unsure_rows(np.abs(f), X, v)
    result[unsure] = signs(dense(with_constant(X[unsure], 1.0))[:, : len(w)], common(w))
    return result


def unsure_rows(sizes: Array, X: Any, v: Array) -> Array:
    """The rows whose products with v, of these sizes, may have another sign. One bound for all rows
    leaves few of them; these have their own."""
    largest = dense(abs(X).max(axis=0)).reshape(1, -1)
    unsure = np.flatnonzero(~(sizes > error_bound(largest, v)))
    return unsure[~(sizes[unsure] > error_bound(abs(X[unsure]), v))]


def scaled(w: Sequence[Fraction]) -> Array:
    """Weights times a power of two, so that the largest is about 1, rounded."""
    if isinstance(w, FloatRatios):
        return np.ldexp(w.floats, 1 - np.frexp(np.abs(w.floats).max(initial=0))[1])
    sizes = [x.numerator.bit_length() - x.denominator.bit_length() for x in w if x]
    unit = Fraction(2) ** max(sizes, default=0)
    return np.array([float(x / unit) if x else 0.0 for x in w])


def error_bound(sizes: Any, v: Array) -> Array:
    """How far the products of rows with v may be off, given the absolute values of the rows."""
    d = sizes.shape[1]
    total = sizes @ np.abs(v[:d]) + np.abs(v[d:]).sum()
    return 2 * (d + 6) * UNIT_ROUNDOFF * total + 2 * UNDERFLOW * (sizes.sum(axis=1) + d + 1)
