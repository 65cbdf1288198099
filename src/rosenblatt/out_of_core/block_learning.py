"""Rows spread over blocks: what is done with one block, in this process or in another.

A hypothesis visits the rows of a block through the same loop as rows in memory; errors and smallest
margins are counted block by block and added up.
"""

import math
from functools import reduce
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.core.keepers import Average, Keeper, Last, Pocket
from rosenblatt.core.log import LogSegment
from rosenblatt.core.loop import Array, Primal, Rows
from rosenblatt.core.orders import ORDERS, Rng
from rosenblatt.core.training import Plan, Run, go_over
from rosenblatt.core.vectors import errs, margins, pick
from rosenblatt.estimators.attributes import linear_attributes, refuse_overflow, summarize
from rosenblatt.estimators.linear_model import LinearModel
from rosenblatt.estimators.runs import Outcome
from rosenblatt.out_of_core.block import Block, Each, Task
from rosenblatt.out_of_core.column_screening import certainly_correct
from rosenblatt.separability.exact import certainty

# -- Learning --------------------------------------------------------------------------------------


class DeferredPocket(Pocket):
    """Gallant's pocket, whose counts wait: all of them take one look at all blocks."""

    def __init__(self, W: Array, seen: int) -> None:
        self.waiting = [W.copy()]
        self.born, self.longest = seen - 1, 0

    def _consider(self, W: Array, run: int) -> None:
        self.longest = run
        self.waiting.append(W.copy())


def make_keeper(keep: str, storage: Primal, rows: Rows, W: Array, seen: int) -> Keeper:
    """The keeper of a run over blocks."""
    if keep == "pocket":
        return DeferredPocket(W, seen)
    return (Average if keep == "average" else Last)(storage, rows, W, seen)


def learn_block(
    run: Run, k: int, block: Block, plan: Plan, rng: Rng, log: LogSegment, most: float
) -> tuple[int, float]:
    """Go on with run number k over a block, until `most` moves; its errors and losses there.

    The first pass measures the longest row. In others, a block that is surely right is believed,
    and only its random numbers are drawn.
    """
    measured = run.passes > 1 and run.moves < most
    if measured and certainly_correct(block, run.W, plan.rule.margin, run.bracket.radius):
        next(ORDERS[plan.order](block.task.storage, run.W, block.task.kinds[k], plan.batch, rng))
        run.seen += len(block.codes)
        return 0, 0.0
    storage, rows = block.storage, block.rows[k]
    note_length(run, float(pick(rows.norm2, rows.train).max()))
    run.dual = np.zeros((len(run.W), len(rows.y)))
    vars(run.keeper).update(storage=storage, rows=rows)  # it folds the moves of these rows
    before = len(run.log)
    errors, loss = go_over(run, storage, rows, plan, rng, log, most)
    run.log[before:] = [s._replace(i=block.numbers[s.i]) for s in run.log[before:]]
    return errors, loss


def note_length(run: Run, longest: float) -> None:
    """Let a run know of a row, by its squared length."""
    radius = math.sqrt(longest * (1 if len(run.W) == 1 else 2))
    run.bracket.radius = max(run.bracket.radius, radius)


def candidates(run: Run, clean: bool) -> list[Array]:
    """The hypotheses of which the best is to be handed back."""
    keeper = run.keeper
    if not isinstance(keeper, DeferredPocket) or clean:
        return [keeper.choose(run.W, run.seen, clean)]
    if run.seen - keeper.born - 1 > keeper.longest:
        keeper._consider(run.W, run.seen - keeper.born - 1)
    return keeper.waiting


# -- Counting --------------------------------------------------------------------------------------


class Count(NamedTuple):
    """What hypotheses do to all rows, each in its place."""

    cost: Array
    errors: Array
    least: Array  # the smallest margin
    longest: Array  # the largest |x̂|² of a row

    def __add__(self, other: "Count") -> "Count":  # type: ignore[override]
        cost, errors = self.cost + other.cost, self.errors + other.errors
        extremes = np.minimum(self.least, other.least), np.maximum(self.longest, other.longest)
        return Count(cost, errors, *extremes)

    def one(self, place: int) -> "Count":
        """That of one hypothesis."""
        return Count(*(column[place : place + 1] for column in self))


def assess(
    each: Each[list[Count]], hypotheses: list[list[Array]], exactly: bool = False
) -> list[Count]:
    """The counts of all hypotheses of each run, in one look at all blocks.

    If asked for, that a hypothesis makes no error is exact.
    """

    def counted(block: Block) -> list[Count]:
        few = block.undecided([W for given in hypotheses for W in given])
        runs = zip(few.rows, hypotheses, strict=True)
        return [count_on_block(few.storage, rows, given, exactly) for rows, given in runs]

    def joined(a: list[Count], b: list[Count]) -> list[Count]:
        return [x + y for x, y in zip(a, b, strict=True)]

    return reduce(joined, each(counted))


def count_on_block(
    storage: Primal, rows: Rows, hypotheses: list[Array], exactly: bool = False
) -> Count:
    """The counts of some hypotheses on some rows."""
    y, cost, norm2 = (pick(each, rows.train) for each in (rows.y, rows.cost, rows.norm2))
    found = []
    for W in hypotheses:
        m = margins(storage, W, rows)
        wrong = errs(m, y, rows.boundary)
        errors = int(np.count_nonzero(wrong))
        if exactly:
            errors = certainty.count_errors(storage, W, rows, m)
        found.append((cost[wrong].sum(), errors, m.min(), norm2.max()))
    return Count(*np.array(found).reshape(-1, 4).T)


def adopt(
    model: LinearModel, X: Any, task: Task, outcomes: list[Outcome], counts: list[Count]
) -> None:
    """Let an estimator know what was learned; each outcome's hypothesis is counted alone."""
    errors, least = [int(c.errors[0]) for c in counts], [float(c.least[0]) for c in counts]
    refuse_overflow(np.array(least))
    learned = summarize(task.classes, task.storage, outcomes, errors, least)
    learned |= linear_attributes(outcomes, None, model.record)
    model._set_fitted(X, learned, reset=True)
