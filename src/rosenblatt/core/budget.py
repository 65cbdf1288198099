"""Budgets: no more than so many rows in the support of a dual hypothesis.

To forget a row is to take back its steps. That is logged like any other step, at the time of the
mistake that made it necessary, so that a run is still its log.
"""

from typing import NamedTuple

import numpy as np

from rosenblatt.core.log import LogSegment
from rosenblatt.core.loop import Array, Rows, Storage
from rosenblatt.core.vectors import leads, relearn, take

RIDGE = 1e-10  # of the mean diagonal, so that rows that depend on each other do no harm
DUST = 1e-12  # of the largest step: what rounding leaves of a row that is forgotten


class Budget(NamedTuple):
    """How many rows may be held, and what becomes of one too many."""

    size: int
    forget: str = "margin"


# Rows that are forgotten, their heirs, and what each class gives to each of these instead.
Change = tuple[Array, Array, Array]


def held(W: Array) -> Array:
    """The rows that a dual hypothesis is made of."""
    return np.flatnonzero(W[:, : W.shape[1] // 2].any(axis=0))


def forget_by_margin(storage: Storage, W: Array, rows: Rows, latest: Array, over: int) -> Change:
    """Forget the row with the largest margin once its own contribution is removed (Crammer, Kandola
    and Singer 2004)."""
    n, old = W.shape[1] // 2, np.setdiff1d(held(W), latest)
    f, y = (W[:, n + old] - W[:, old] * rows.norm2[old]).T, rows.y[old]
    gone = np.append(old[np.argsort(-leads(f, y), kind="stable")], latest)[:over]
    return gone, old[:0], np.zeros((len(W), 0))


def forget_by_projection(
    storage: Storage, W: Array, rows: Rows, latest: Array, over: int
) -> Change:
    """Replace the new row by its projection on the others (Orabona, Keshet, Caputo 2008)."""
    gone = np.append(np.setdiff1d(held(W), latest), latest)[-over:]
    heirs = np.setdiff1d(held(W), gone)
    K = take(storage, heirs)[:, W.shape[1] // 2 :]
    among = K[:, heirs]
    ridge = RIDGE * float(np.mean(np.diag(among))) * np.eye(len(heirs))
    return gone, heirs, W[:, gone] @ solved(among + ridge, K[:, gone]).T


def solved(A: Array, B: Array) -> Array:
    """The solution of A X = B, or the shortest of all that come nearest to one."""
    try:
        return np.linalg.solve(A, B)
    except np.linalg.LinAlgError:  # of kernels that are no inner products, or vanish
        return np.linalg.lstsq(A, B, rcond=None)[0]


FORGET = {"margin": forget_by_margin, "project": forget_by_projection}


def trim(storage: Storage, W: Array, rows: Rows, log: LogSegment, budget: Budget) -> LogSegment:
    """The log, and after it the steps that bring the hypothesis back to its budget."""
    over = len(held(W)) - budget.size
    if over <= 0:
        return log
    latest = np.unique(log.i[log.t == log.t[-1]]).astype(np.int64)
    gone, heirs, shares = FORGET[budget.forget](storage, W, rows, latest, over)
    i, D = np.append(heirs, gone).astype(np.int64), np.hstack((shares, -W[:, gone]))
    steps = as_steps(i, D, rows.y, log.t[-1])
    relearn(storage, W, rows.y, steps.i, steps.c, steps.rival)
    W[:, gone] = 0.0  # to the last digit
    return LogSegment(*(np.concatenate(pair) for pair in zip(log, steps, strict=True)))


def as_steps(i: Array, D: Array, y: Array, t: int) -> LogSegment:
    """What is added to the steps of rows i in each class, as the log has it.

    With several classes it sums to zero over them: what a row's own class gets, its rivals lose.
    """
    if len(D) == 1:
        c, rival = D[0], np.full(len(i), -1)
    else:
        D = D.copy()
        D[y[i], np.arange(len(i))] = 0.0
        rival, place = np.nonzero(D)
        i, c = i[place], -D[rival, place]
    times = np.full(len(i), t, np.int64)
    return LogSegment(times, i.astype(np.uint32), c, rival.astype(np.int32))


def drop_rounding(steps: Array) -> Array:
    """Steps from a replayed log, whose sums may leave the last digits of forgotten rows."""
    return np.where(np.abs(steps) > DUST * np.abs(steps).max(initial=0.0), steps, 0.0)
