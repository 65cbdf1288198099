"""Confirmation: what was found is checked on the rows themselves before it is claimed.

Deciding works on samples, frames and copies. A conflict counts only when its rows, taken from the
source again, add up to zero with its weights, in whole numbers.
"""

import math
from collections.abc import Sequence
from fractions import Fraction

from rosenblatt.exact import whole_rows
from rosenblatt.sweep import Array

MOST_NAMED = 8  # rows in a message


class SelfCheckError(RuntimeError):
    """A verdict failed its own check: an error of this program, never an answer."""

    def __init__(self, what: str) -> None:
        super().__init__(
            f"internal error: {what}. Nothing is claimed about the data. Please report this, with "
            "the version of rosenblatt and, if possible, the data"
        )


def confirm_conflict(Z: Array, weights: Sequence[Fraction], numbers: Array) -> None:
    """Refuse a conflict unless the rows Z = y x̂, which have these numbers, cancel out exactly."""
    if not cancels(Z, weights):
        named = ", ".join(map(str, numbers[:MOST_NAMED].tolist()))
        raise SelfCheckError(f"the rows in conflict ({named}, …) do not add up to zero")


def cancels(Z: Array, weights: Sequence[Fraction]) -> bool:
    """Whether the weights are positive, sum to 1, and add the rows of Z up to zero."""
    if len(Z) != len(weights) or not len(Z) or min(weights) <= 0 or sum(weights) != 1:
        return False
    rows, factors = whole_rows(Z)
    shares = [weight / factor for weight, factor in zip(weights, factors, strict=True)]
    below = math.lcm(*(share.denominator for share in shares))
    steps = [share.numerator * (below // share.denominator) for share in shares]
    columns = zip(*rows, strict=True)
    return not any(sum(s * x for s, x in zip(steps, column, strict=True)) for column in columns)


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
