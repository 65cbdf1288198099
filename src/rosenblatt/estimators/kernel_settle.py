"""Settling with a kernel: whether some function of it separates, where passes leave that open."""

from typing import Any

import numpy as np

from rosenblatt.core.loop import Array, Rows
from rosenblatt.core.vectors import errs, leads, pick
from rosenblatt.estimators.runs import Outcome
from rosenblatt.estimators.settle import OPEN, settled
from rosenblatt.kernels.gram_matrix import KernelRows, interpolate, rescore
from rosenblatt.kernels.separability import ENOUGH_PASSES, decide_kernel
from rosenblatt.separability.answers import Separator
from rosenblatt.separability.feature_spaces import row_keys

MOST_SOLVED = 2000  # rows, for which one linear system is solved
TOO_FINE_STEPS = (
    "some function of this kernel separates them, but its steps are beyond double precision"
)


def settle_kernel(outcome: Outcome, table: KernelRows, keep: str) -> Outcome:
    """Say whether some function of the kernel separates the rows, where a run leaves it open."""
    rows, run, k = outcome.rows, outcome.run, len(outcome.kept)
    if run.reason not in OPEN:
        return outcome
    answer = decide_kernel(table.kernel, table.X, rows, k)
    few = len(rows.train) <= MOST_SOLVED and keep not in ("average", "vote")
    if answer == ENOUGH_PASSES and few:
        found = interpolation(outcome, distinct(table.X, rows.train), table)
        return outcome._replace(note=TOO_FINE_STEPS) if found is None else settled(outcome, found)
    if isinstance(answer, Separator) or answer == ENOUGH_PASSES:
        return outcome._replace(note=ENOUGH_PASSES)
    if isinstance(answer, str):
        return outcome._replace(note=f"whether they can be separated is open: {answer}")
    steps = outcome.kept[:, : len(rows.y)]
    return outcome if makes_no_error(steps, rows, table) else settled(outcome, answer)


def makes_no_error(steps: Array, rows: Rows, table: KernelRows) -> bool:
    """Whether the hypothesis of some steps makes no error, its scores summed anew, beyond doubt."""
    f, y = pick(rescore(table.storage, steps).T, rows.train), pick(rows.y, rows.train)
    return not errs(table.without_doubt(leads(f, y), rows, steps), y, rows.boundary).any()


def confirm(outcomes: list[Outcome], table: KernelRows) -> list[Outcome]:
    """Let runs be open whose last hypothesis separates the rows but for rounding."""
    for outcome in outcomes:
        run, rows = outcome.run, outcome.rows
        steps = outcome.online.W[:, : len(rows.y)]
        if run.reason == "separated" and not makes_no_error(steps, rows, table):
            run.reopen()
    return outcomes


def beyond_doubt(
    outcomes: list[Outcome], steps: Array, table: KernelRows, margins: list[Array]
) -> list[Array]:
    """The margins of each run, negative ones where these may be due to rounding."""
    each = zip(margins, outcomes, np.split(steps, len(outcomes)), strict=True)
    return [table.without_doubt(m, o.rows, part) for m, o, part in each]


def distinct(X: Any, train: Array) -> Array:
    """The first of all training rows that are equal."""
    first = {key: i for i, key in reversed(list(enumerate(row_keys(X[train]))))}
    return train[np.sort(np.fromiter(first.values(), int))]


def interpolation(outcome: Outcome, train: Array, table: KernelRows) -> Separator | None:
    """A hypothesis whose scores are the labels, if one linear solve finds it."""
    y, k = outcome.rows.y, len(outcome.kept)
    targets = y[None].astype(float) if k == 1 else (y == np.arange(k)[:, None]).astype(float)
    steps = interpolate(table.storage, targets, train)
    if steps is None or not makes_no_error(steps, outcome.rows, table):
        return None
    return Separator(np.hstack((steps, rescore(table.storage, steps))))
