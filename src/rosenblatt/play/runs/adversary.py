"""An adversary: an order of the points that makes the perceptron err often.

Whoever chooses which misclassified point comes next chooses how many mistakes there will be, up to
(R/γ)². This one is greedy, by three measures of the points that are wrong now: after which w is at
the largest angle from w*, the widest separator; which is most wrong; which moves w least along w*.
The longest of the three orders is taken. Not every order is tried, so there may be longer ones.
"""

from collections.abc import Callable

import numpy as np

from rosenblatt.core.loop import Array
from rosenblatt.play.json_fields import Refused
from rosenblatt.play.requests import TRACE
from rosenblatt.play.runs.points import LabelledPoints
from rosenblatt.separability.max_margin import augmented_margin


def game_of(cloud: LabelledPoints, fit_intercept: bool) -> tuple[Array, Array]:
    """What the adversary knows: rows z = y x̂, and w*, of length 1.

    The points must be separable: on others the game need not end.
    """
    try:
        found = augmented_margin(cloud.X, cloud.labels, fit_intercept)
    except ValueError:
        raise Refused("an adversary needs points that are separable", code="adversary") from None
    constant = np.full(len(cloud.X), float(fit_intercept))
    best = np.append(found.w, found.b)
    Z = np.column_stack((cloud.X, constant)) * cloud.signs[:, None]
    return Z, best / np.linalg.norm(best)


def presented_rows(Z: Array, best: Array, w: Array, eta: float) -> Array:
    """The rows in the order in which they are presented: the longest of the greedy ones."""
    return max((greedy_order(Z, best, w, eta, measure) for measure in MEASURES), key=len)


def greedy_order(Z: Array, best: Array, w: Array, eta: float, measure: "Measure") -> Array:
    """Rows, each of them wrong when it comes, and the one whose measure is least."""
    rows: list[int] = []
    while len(rows) < TRACE and len(wrong := np.flatnonzero(Z @ w <= 0)):
        rows.append(int(wrong[np.argmin(measure(best, w, eta * Z[wrong]))]))
        w = w + eta * Z[rows[-1]]
    return np.array(rows, int)


# -- Measures: of the best hypothesis, another one and steps from it -------------------------------

Measure = Callable[[Array, Array, Array], Array]


def cosines(best: Array, w: Array, steps: Array) -> Array:
    """Of the angle between the best hypothesis and each that a step leads to."""
    lengths = np.linalg.norm(w + steps, axis=1)
    return (w + steps) @ best / np.where(lengths > 0, lengths, 1.0)


def margins(best: Array, w: Array, steps: Array) -> Array:
    """Of the rows that the steps are of."""
    return steps @ w


def progress(best: Array, w: Array, steps: Array) -> Array:
    """Along the best hypothesis."""
    return steps @ best


MEASURES: tuple[Measure, ...] = (cosines, margins, progress)
