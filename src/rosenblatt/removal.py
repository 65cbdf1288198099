"""Rows in the way: a small set whose removal makes the rest separable."""

from typing import Any

import numpy as np

from rosenblatt.frames import frame
from rosenblatt.geometry import errs, margins, take
from rosenblatt.problem import pose, rows_of, two_sides
from rosenblatt.rules import Rule
from rosenblatt.separate import Primal, Separator, decide
from rosenblatt.sweep import Array, Dense, Rows
from rosenblatt.training import Plan, begin, train

WORK = 5e9  # of n d² each, what trying to put rows back may cost
TRIES = 10, 200  # but at least and at most so many
PASSES = 50


def obstacles(X: Any, y: Any, *, fit_intercept: bool = True) -> Array:
    """Find a small set of rows whose removal makes the rest linearly separable.

    The smallest such set is hard to find; this one is found greedily, and its size is an upper
    bound: the rows that the best hypothesis met gets wrong, less those that can be put back.

    Parameters
    ----------
    X, y : array-like
        Rows and their two labels.
    fit_intercept : bool
        Whether the hyperplane may be anywhere, or must go through the origin.

    Returns
    -------
    ndarray of int
        The rows, in order; none if the data are separable.

    Examples
    --------
    >>> from rosenblatt import datasets, obstacles
    >>> X, y = datasets.clouds(500, 5, margin=0.1)
    >>> y[7] = -y[7]
    >>> obstacles(X, y)
    array([7])
    """
    primal, rows = two_sides(pose(X, y), fit_intercept, "take them two at a time")
    if isinstance(decide(primal, rows), Separator):
        return np.empty(0, int)
    return np.sort(put_back(primal, rows, most_wrong_last(primal, rows)).astype(int))


def most_wrong_last(primal: Primal, rows: Rows) -> Array:
    """The rows that the best hypothesis met gets wrong, those nearest to being right first."""
    basis = frame(primal, rows.train)
    spread = primal if basis is None else Dense(take(primal, rows.train) @ basis, 0.0)
    even = rows_of(spread, rows.y)
    plan = Plan(Rule(rate=1.0), keep="pocket", max_iter=PASSES)
    d = take(spread, rows.train[:1]).shape[1]
    run = begin(spread, np.zeros((1, d)), even, plan, 1.0)
    for _ in train(run, spread, even, plan, np.random.RandomState(0), rows.train[:0]):
        pass
    assert run.kept is not None
    m = margins(spread, run.kept, even)
    wrong = np.flatnonzero(errs(m, even.y, 0))
    return wrong[np.argsort(-m[wrong], kind="stable")]


def put_back(primal: Primal, rows: Rows, wrong: Array) -> Array:
    """Leave out of the set what can go back without spoiling the rest."""
    out, d = list(wrong), take(primal, rows.train[:1]).shape[1]
    tries = int(np.clip(WORK / (len(rows.train) * d * d), *TRIES))
    for i in wrong[:tries]:
        rest = np.setdiff1d(rows.train, [j for j in out if j != i]).astype(np.uint32)
        if isinstance(decide(primal, rows._replace(train=rest)), Separator):
            out.remove(i)
    return np.array(out, int)
