"""Passes over a stream of blocks, and what follows from each."""

from collections.abc import Callable
from copy import deepcopy
from itertools import islice
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from rosenblatt.core.keepers import STRETCH_BYTES
from rosenblatt.core.log import empty_log
from rosenblatt.core.orders import Rng
from rosenblatt.core.training import ROOM, Run
from rosenblatt.estimators.runs import Online
from rosenblatt.out_of_core.block import Each, Task
from rosenblatt.out_of_core.block_learning import (
    DeferredPocket,
    assess,
    conclude_pass,
    learn_block,
    make_run,
)
from rosenblatt.out_of_core.block_stream import Stream
from rosenblatt.out_of_core.checkpoint import Checkpoint, RunProgress, Training
from rosenblatt.progress import RunWatch


def begin_training(seed: Any, task: Task, states: list[Online]) -> Training:
    """Runs that have not made a pass yet. Their random numbers are those of rows in memory."""
    rng = check_random_state(seed)
    seeds = rng.randint(2**31 - 1, size=len(states))
    runs = [RunProgress(make_run(s, task, k), Rng(seeds[k])) for k, s in enumerate(states)]
    return Training(runs, Rng(rng.randint(2**31 - 1)))


def make_passes(
    training: Training,
    stream: Stream,
    file: Checkpoint | None,
    watches: list[RunWatch],
    between: Callable[[], None],
) -> None:
    """Pass after pass over all blocks, until every run has a reason to stop; `between` is called
    after each pass, and may give one."""
    if file:
        file.recall(training)
    if not training.done:
        between()
    while any(progress.open for progress in training.runs):
        one_pass(training, stream, file)
        for k, progress in enumerate(training.runs):
            if progress.open:
                loss = progress.loss / max(progress.run.seen - progress.seen, 1)
                conclude_pass(progress.run, k, stream, progress.errors, loss)
                watches[k](progress.run)
        evaluate_candidates([progress.run for progress in training.runs], stream.each)
        training.done = 0
        training.rng.permutation(stream.supply.pieces)
        between()
        if file:
            file.remember(training, now=not any(progress.open for progress in training.runs))


def one_pass(training: Training, stream: Stream, file: Checkpoint | None) -> None:
    """A pass of all runs that are open, or what is left of it."""
    open_runs, log = [(k, c) for k, c in enumerate(training.runs) if c.open], empty_log(ROOM + 1)
    if not training.done:
        for _, progress in open_runs:
            progress.run.mistakes.append(0)
            progress.errors, progress.loss, progress.seen = 0, 0.0, progress.run.seen
    blocks = stream.each(lambda block: block, order(training, stream))
    for block in islice(blocks, training.done, None):
        for k, c in open_runs:
            errors, loss = learn_block(c.run, k, block, c.rng, log)
            c.errors, c.loss = c.errors + errors, c.loss + loss
        training.done += 1
        if file:
            file.remember(training)
        # The first pass is read to its end, because it also measures the longest row.
        if all(c.run.passes > 1 and c.run.moves >= c.run.limits.moves for _, c in open_runs):
            break


def order(training: Training, stream: Stream) -> list[int] | None:
    """The pieces of the table in the order of this pass; None as they stand."""
    if stream.task.plan.order != "shuffled" or not stream.supply.pieces:
        return None
    return deepcopy(training.rng).permutation(stream.supply.pieces).tolist()


def evaluate_candidates(runs: list[Run], each: Each) -> None:
    """Count the hypotheses that wait for the pocket, when they are too many to be held."""
    keepers = [run.keeper for run in runs]
    waiting = [keeper.waiting if isinstance(keeper, DeferredPocket) else [] for keeper in keepers]
    if sum(W.nbytes for some in waiting for W in some[1:]) > STRETCH_BYTES:
        for keeper, count in zip(keepers, assess(each, waiting), strict=True):
            if isinstance(keeper, DeferredPocket):
                keeper.waiting = [keeper.waiting[int(np.argmin(count.cost))]]
