"""The maximum-margin separator: the nearest point of the hull of all rows y (x, 1)."""

from typing import Any, NamedTuple

import numpy as np

from rosenblatt.geometry import margins, take
from rosenblatt.hull import nearest_point
from rosenblatt.orders import nearest
from rosenblatt.parameters import number
from rosenblatt.problem import pose, two_sides
from rosenblatt.separate import Conflict, Primal, Separator, decide
from rosenblatt.sweep import Array, Rows
from rosenblatt.threads import one_thread

ROUNDS = 500
ROUNDING = 1e-9  # by which margins may differ and be the same


class MaxMargin(NamedTuple):
    """The separator with the largest margin in the space of (x, 1).

    Attributes
    ----------
    w, b : ndarray of shape (n_features,), float
        The hyperplane, scaled so that the nearest rows have y (w·x + b) = 1.
    margin : float
        The smallest y (w·x + b) / |(w, b)|.
    upper : float
        No hyperplane has a larger margin than this.
    support : ndarray of int
        The rows of which (w, b) is a combination.
    """

    w: Array
    b: float
    margin: float
    upper: float
    support: Array


def max_margin(X: Any, y: Any, *, fit_intercept: bool = True, tol: float = 1e-6) -> MaxMargin:
    """Find the separator with the largest margin.

    Parameters
    ----------
    X, y : array-like
        Rows and their two labels.
    fit_intercept : bool
        Whether there is a bias. Without it the space is that of x alone.
    tol : float
        How far, relatively, `margin` may be below `upper`. Where rounding does not allow it, they
        end up further apart, and both stay true.

    Examples
    --------
    >>> from rosenblatt import datasets, max_margin
    >>> found = max_margin(*datasets.textbook())
    >>> found.w.round(3).tolist(), round(found.b, 3), found.support.tolist()
    ([0.5, 0.5], -2.0, [0, 2])
    """
    number("tol", tol, 0, 1)
    primal, rows = two_sides(pose(X, y), fit_intercept, "a margin is between two")
    answer = decide(primal, rows)
    if isinstance(answer, Conflict):
        told = ", ".join(map(str, answer.rows[:8].tolist()))
        raise ValueError(f"the data are not separable: rows {told} are in conflict")
    if not isinstance(answer, Separator):
        raise ValueError(f"no separator is known: {answer.reason}")
    return widest(primal, rows, answer.w / np.abs(answer.w).max(), tol)


@one_thread
@np.errstate(over="ignore", invalid="ignore", divide="ignore")  # refused at the end
def widest(primal: Primal, rows: Rows, w: Array, tol: float) -> MaxMargin:
    """Widen the margin of a separator.

    The nearest point of the hull of some rows bounds the margin from above; its own margin on all
    rows bounds it from below. The rows behind it join, until the two meet.
    """
    radius = float(np.sqrt(rows.norm2[rows.train].max()))
    members = rows.train[nearest(margins(primal, w[None], rows), 4 * len(w))]
    best, lower, upper = w, float(margins(primal, w[None], rows).min() / np.linalg.norm(w)), np.inf
    support = members[:0]
    for _ in range(ROUNDS):
        near = nearest_point(take(primal, members) * rows.y[members, None] / radius, gap=tol / 4)
        m, length = margins(primal, near.x[None], rows), float(np.linalg.norm(near.x))
        upper = min(upper, radius * length)
        if m.min() / length >= lower * (1 - ROUNDING):
            best, lower, support = near.x, float(m.min() / length), members[near.corral]
        behind = rows.train[nearest(m, max(64, 2 * len(w)))]
        fresh = np.setdiff1d(behind[m[behind] < radius * length**2], members)
        if lower >= (1 - tol) * upper or not len(fresh):
            break
        members = np.append(members, fresh)
    scaled = best / (lower * np.linalg.norm(best))
    if not (lower > 0 and np.isfinite(scaled).all()):
        raise ValueError("the margin is too fine for floating point: scale the features")
    return MaxMargin(scaled[:-1], float(scaled[-1]), lower, max(lower, upper), np.sort(support))
