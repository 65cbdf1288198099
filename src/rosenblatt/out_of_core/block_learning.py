"""Rows spread over blocks: what is done with one block, in this process or in another.

A hypothesis visits the rows of a block through the same loop as rows in memory; errors and smallest
margins are counted block by block and added up.
"""

from functools import reduce
from typing import NamedTuple

import numpy as np

from rosenblatt.core.keepers import Average, Pocket
from rosenblatt.core.log import LogSegment
from rosenblatt.core.loop import Array, Primal, Rows
from rosenblatt.core.margin_bound import Bracket, longest_move
from rosenblatt.core.orders import ORDERS, Rng
from rosenblatt.core.training import Run, begin, conclude, go_over
from rosenblatt.core.vectors import errs, margins, pick
from rosenblatt.estimators.runs import Online
from rosenblatt.estimators.scaling import Columns, standard
from rosenblatt.inputs.column_moments import joined_moments, moments
from rosenblatt.out_of_core.block import Block, Each, RowSource, Task, certainly_correct
from rosenblatt.separability.exact import certainty

# -- Learning --------------------------------------------------------------------------------------


def column_scales(source: RowSource) -> Columns | None:
    """The scale of each column, by one look at all rows, where it is asked for."""
    if source.task.params["scale"] is None:
        return None
    found = joined_moments(source.each(lambda block: moments(block.X)))
    return standard(found, source.task.params["fit_intercept"])


def make_run(state: Online, task: Task, k: int) -> Run:
    """A run that has not made a pass yet, over rows as the task scales them."""
    W = state.W.copy() if task.columns is None else task.columns.inward(state.W)
    run = begin(task.storage, W, task.kinds[k], task.plan, radius=0.0)
    if task.plan.keep == "pocket":
        run.keeper = DeferredPocket(run.W, run.seen)
    return run


def outward(run: Run, columns: Columns) -> None:
    """Let a run over scaled rows be one about the rows as they are, of which no margin is known."""
    run.W[:] = columns.outward(run.W)
    run.bracket = Bracket(np.zeros_like(run.W), 0.0)
    if isinstance(run.keeper, DeferredPocket):
        run.keeper.waiting = [columns.outward(W) for W in run.keeper.waiting]
    if isinstance(run.keeper, Average):
        run.keeper.sums = columns.outward(run.keeper.sums)


class DeferredPocket(Pocket):
    """Gallant's pocket, whose counts wait: all of them take one look at all blocks."""

    def __init__(self, W: Array, seen: int) -> None:
        self.waiting = [W.copy()]
        self.born, self.longest = seen - 1, 0

    def _consider(self, W: Array, run: int) -> None:
        self.longest = run
        self.waiting.append(W.copy())


def learn_block(run: Run, k: int, block: Block, rng: Rng, log: LogSegment) -> tuple[int, float]:
    """Go on with run number k over a block; its errors and losses there.

    The first pass measures the longest row. In others, a block that is surely right is believed,
    and only its random numbers are drawn.
    """
    task, plan = block.task, block.task.plan
    measured = run.passes > 1 and run.moves < run.limits.moves
    if measured and certainly_correct(block, run.W, plan.rule.margin, run.bracket.radius):
        next(ORDERS[plan.order](task.storage, run.W, task.kinds[k], plan.batch, rng))
        run.seen += len(block.codes)
        return 0, 0.0
    storage, rows = block.storage, block.rows[k]
    note_length(run, float(pick(rows.norm2, rows.train).max()))
    run.dual = np.zeros((len(run.W), len(rows.y)))
    vars(run.keeper).update(storage=storage, rows=rows)  # it folds the moves of these rows
    before = len(run.log)
    errors, loss = go_over(run, storage, rows, plan, rng, log)
    run.log[before:] = [s._replace(i=block.numbers[s.i]) for s in run.log[before:]]
    return errors, loss


def conclude_pass(run: Run, k: int, source: RowSource, errors: int, loss: float) -> None:
    """What follows from a pass of run k, given its errors and its mean loss."""

    def check() -> bool:
        alone = [[run.W] if j == k else [] for j in range(len(source.task.kinds))]
        return not assess(source.each, alone)[k].errors[0]

    conclude(run, source.task.storage, source.task.plan, errors, loss, check)


def note_length(run: Run, longest: float) -> None:
    """Let a run know of a row, by its squared length."""
    run.bracket.radius = max(run.bracket.radius, longest_move(longest, len(run.W)))


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
