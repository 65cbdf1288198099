"""Settling with a kernel: whether some function of it separates, where passes leave that open."""

from typing import Any

import numpy as np

from rosenblatt.core.keepers import count
from rosenblatt.core.loop import Array, Rows
from rosenblatt.estimators.runs import Outcome
from rosenblatt.estimators.settle import OPEN, settled
from rosenblatt.kernels.functions import Kernel
from rosenblatt.kernels.gram_matrix import interpolate, rescore
from rosenblatt.kernels.separability import ENOUGH_PASSES, decide_kernel
from rosenblatt.separability.answers import Separator

MOST_SOLVED = 2000  # rows, for which one linear system is solved
TOO_FINE_STEPS = (
    "some function of this kernel separates them, but its steps are beyond double precision"
)


def settle_kernel(outcome: Outcome, kernel: Kernel, X: Any, storage: Any, keep: str) -> Outcome:
    """Say whether some function of the kernel separates the rows, where a run leaves it open."""
    rows, run, k = outcome.rows, outcome.run, len(outcome.kept)
    if run.reason not in OPEN:
        return outcome
    answer = decide_kernel(kernel, X, rows, k)
    few = len(rows.train) <= MOST_SOLVED and keep not in ("average", "vote")
    if answer == ENOUGH_PASSES and few:
        found = interpolation(outcome, storage)
        return outcome._replace(note=TOO_FINE_STEPS) if found is None else settled(outcome, found)
    if isinstance(answer, Separator) or answer == ENOUGH_PASSES:
        return outcome._replace(note=ENOUGH_PASSES)
    if isinstance(answer, str):
        return outcome._replace(note=f"whether they can be separated is open: {answer}")
    return outcome if is_right(outcome, storage) else settled(outcome, answer)


def is_right(outcome: Outcome, storage: Any) -> bool:
    """Whether the hypothesis handed back makes no error, but for rounding."""
    return makes_no_error(outcome.kept[:, : len(outcome.rows.y)], outcome.rows, storage)


def makes_no_error(steps: Array, rows: Rows, storage: Any) -> bool:
    """Whether the hypothesis of some steps makes no error, its scores summed anew."""
    return not count(storage, np.hstack((steps, rescore(storage, steps))), rows)


def interpolation(outcome: Outcome, storage: Any) -> Separator | None:
    """A hypothesis whose scores are the labels, if one linear solve finds it."""
    y, k = outcome.rows.y, len(outcome.kept)
    targets = y[None].astype(float) if k == 1 else (y == np.arange(k)[:, None]).astype(float)
    steps = interpolate(storage, targets, outcome.rows.train)
    if steps is None or not makes_no_error(steps, outcome.rows, storage):
        return None
    return Separator(np.hstack((steps, rescore(storage, steps))))
