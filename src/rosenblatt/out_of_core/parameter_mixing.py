"""Iterative parameter mixing (McDonald, Hall and Mann 2010).

Each round, every partition makes one pass from the same hypothesis w, in which it errs k_p times
and comes to w_p; the next hypothesis is Σ μ_p w_p with μ_p >= 0 and Σ μ_p = 1. A round in which no
partition errs shows that w separates them all. With a unit u of margin γ on rows of length R,

    w·u grows by at least Σ μ_p k_p γ, and |w|² by at most Σ μ_p k_p R²  (Jensen),

so that the sum of Σ μ_p k_p over all rounds is at most (R/γ)², as Novikoff has it for one
partition. All of w is a sum of rows with positive weights, so the margin bracket holds too, with
steps weighted by μ.
"""

import math
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils import check_random_state

from rosenblatt.core.keepers import Average
from rosenblatt.core.log import empty_log
from rosenblatt.core.loop import Array
from rosenblatt.core.orders import Rng
from rosenblatt.core.training import ROOM, Run
from rosenblatt.out_of_core.block import Block
from rosenblatt.out_of_core.block_learning import DeferredPocket, conclude_pass, learn_block
from rosenblatt.out_of_core.dask_partitions import Partitions
from rosenblatt.out_of_core.sequential_passes import evaluate_candidates
from rosenblatt.progress import RunWatch


class Visit(NamedTuple):
    """What a partition makes of a hypothesis in one pass."""

    run: Run
    rng: Rng
    errors: int
    loss: float
    rows: int  # that were visited


def visit(block: Block, runs: dict[int, Run], rngs: dict[int, Rng]) -> dict[int, Visit]:
    """A pass of each run over a partition. Whatever is given stays as it is."""
    return {k: _visit(block, k, run, rngs[k]) for k, run in runs.items()}


def _visit(block: Block, k: int, run: Run, rng: Rng) -> Visit:
    run, rng, before = deepcopy(run), deepcopy(rng), run.seen
    errors, loss = learn_block(run, k, block, rng, empty_log(ROOM + 1))
    return Visit(without_its_rows(run), rng, errors, loss, run.seen - before)


def without_its_rows(run: Run) -> Run:
    """A run without the rows it has been through, to be sent."""
    for name in ("storage", "rows"):
        vars(run.keeper).pop(name, None)
    return replace(run, dual=np.zeros((len(run.W), 0)))


def to_send(run: Run) -> Run:
    """A run as partitions go on with it: they report what is new."""
    run = deepcopy(without_its_rows(run))
    run.mistakes[-1] = 0
    if isinstance(run.keeper, DeferredPocket):
        run.keeper.waiting = []
    if isinstance(run.keeper, Average):
        run.keeper.sums[:] = 0.0
    return run


def shares(moves: Array, mix: str) -> Array:
    """The weight μ of each partition."""
    if mix == "uniform" or not moves.any():
        return np.full(len(moves), 1 / len(moves))
    return moves / moves.sum()


def blend(run: Run, visits: list[Visit], mix: str) -> float:
    """Take what all partitions made of a run into it; Σ μ_p k_p."""
    parts = [v.run for v in visits]
    moves = np.array([part.mistakes[-1] for part in parts])
    mu, before = shares(moves, mix), run.W.copy()
    if moves.any():  # otherwise w has just been seen to be right, to the last digit
        run.W[:] = sum(m * part.W for m, part in zip(mu, parts, strict=True))
        each = zip(mu.tolist(), parts, strict=True)
        run.bracket.travelled = sum(m * part.bracket.travelled for m, part in each)
        run.bracket.roundings += int(moves.sum()) + 2 * (len(parts) - 1)
    run.bracket.radius = max(part.bracket.radius for part in parts)
    if isinstance(run.keeper, Average):
        add_up(run, run.keeper, visits, before)
    run.seen += sum(v.rows for v in visits)
    run.moves += int(moves.sum())
    run.mistakes[-1] += int(moves.sum())
    if isinstance(run.keeper, DeferredPocket):
        consider(run, run.keeper, parts)
    return float(mu @ moves)


def add_up(run: Run, keeper: Average, visits: list[Visit], before: Array) -> None:
    """The average over all visits of all partitions.

    With S visits the average is w - sums/S, so that sums is S w less all hypotheses held. Each
    partition tells Σ c t x̂, its visits t counted on from those of the rounds before.
    """
    drift = (run.W - before) - sum(v.run.W - before for v in visits)
    keeper.sums += run.seen * drift
    for v in visits:
        assert isinstance(v.run.keeper, Average)
        keeper.sums += v.run.keeper.sums + v.rows * (run.W - v.run.W)


def consider(run: Run, keeper: DeferredPocket, parts: list[Run]) -> None:
    """The candidates for the pocket.

    Those of every partition, and of the mixed hypotheses the one after every round that made fewer
    mistakes than all before it.
    """
    ratchets = [part.keeper for part in parts if isinstance(part.keeper, DeferredPocket)]
    for other in ratchets:
        keeper.waiting += other.waiting
    keeper.longest = max(other.longest for other in ratchets)
    keeper.born = ratchets[0].born
    if len(parts) > 1:
        keeper.born = run.seen - 1
        if run.mistakes[-1] < min(run.mistakes[:-1], default=np.inf):
            keeper.waiting.append(run.W.copy())


class Rounds:
    """The rounds of all runs."""

    def __init__(self, runs: list[Run], partitions: Partitions, mix: str, seed: Any) -> None:
        self.runs, self.partitions, self.mix = runs, partitions, mix
        self.bounded = [run.limits.steady for run in runs]
        if len(partitions.blocks) > 1:  # what bounds the margin is mistakes by their weights
            most = partitions.task.plan.max_updates
            for run in runs:
                run.limits = run.limits._replace(steady=False, settled=math.inf, moves=most)
        shape = len(partitions.blocks), len(runs)  # one partition has the numbers of rows in memory
        seeds = check_random_state(seed).randint(2**31 - 1, size=shape)
        self.rngs = [{k: Rng(s) for k, s in enumerate(part)} for part in seeds]
        self.effective = [0.0] * len(runs)  # Σ μ k of all rounds, which Novikoff bounds

    def make_all(self, watches: list[RunWatch], between: Callable[[], None]) -> None:
        """Round after round, until every run has a reason to stop; `between` is called after each
        round, and may give one."""
        while active := [k for k, run in enumerate(self.runs) if run.reason is None]:
            for k in active:
                self.runs[k].mistakes.append(0)
            visits = self._visit(active)
            for k in active:
                own = [found[k] for found in visits]
                self.effective[k] += blend(self.runs[k], own, self.mix)
                self._conclude(k, own)
                watches[k](self.runs[k])
            evaluate_candidates(self.runs, self.partitions.each)
            between()

    def _visit(self, active: list[int]) -> list[dict[int, Visit]]:
        """What each partition makes of the runs, where it is."""
        sent = {k: to_send(self.runs[k]) for k in active}
        visits = self.partitions.each(visit, [sent] * len(self.rngs), self.rngs)
        for rngs, found in zip(self.rngs, visits, strict=True):
            rngs.update((k, found[k].rng) for k in active)
        return visits

    def _conclude(self, k: int, visits: list[Visit]) -> None:
        """What follows from a round of run k."""
        run = self.runs[k]
        if self.bounded[k]:
            run.bracket.close(self.partitions.task.storage, run.W, self.effective[k])
        errors = sum(v.errors for v in visits)
        loss = sum(v.loss for v in visits) / max(1, sum(v.rows for v in visits))
        conclude_pass(run, k, self.partitions, errors, loss)
