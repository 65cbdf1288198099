"""Rows spread over blocks: what is done with one block, in this process or in another.

A hypothesis visits the rows of a block through the same loop as rows in memory; errors and smallest
margins are counted block by block and added up.
"""

import math
from collections.abc import Callable, Iterable
from functools import reduce
from typing import Any, NamedTuple, TypeVar

import numpy as np
from scipy.sparse import issparse

from rosenblatt import problem as border
from rosenblatt.fitting import Outcome, single, summarize
from rosenblatt.geometry import errs, margins, matrix, store
from rosenblatt.keepers import Average, Keeper, Last, Pocket, tally
from rosenblatt.orders import Rng
from rosenblatt.problem import Problem
from rosenblatt.sweep import Array, Dense, Rows, Sparse, Stretch
from rosenblatt.training import Plan, Run, go_over

T = TypeVar("T")
Primal = Dense | Sparse


class Block(NamedTuple):
    """Some of the rows."""

    start: int  # the number of the first
    storage: Primal
    rows: list[Rows]  # what each run has to learn from them


def features(block: Block) -> Any:
    """The rows of a block as a matrix."""
    storage = block.storage
    return storage.X if isinstance(storage, Dense) else matrix(storage)


Each = Callable[[Callable[[Block], T]], Iterable[T]]  # what a function says of every block


class Task(NamedTuple):
    """What is to be learned, wherever the rows are."""

    params: dict[str, Any]
    classes: Array
    bias: float
    specimen: Problem  # a zero row of each class
    kinds: list[Rows]  # what each run has to learn from these

    @property
    def storage(self) -> Primal:
        """The storage of the specimen."""
        return store(self.specimen.X, self.bias)

    def block(self, start: int, X: Any, y: Any, seen: bool = False) -> Block:
        """Validated rows. Dense ones that have been `seen` to be finite are believed."""
        known = seen and not issparse(X)
        problem = self._known(X, y) if known else border.pose(X, y, classes=self.classes)
        if problem.X.shape[1] != self.specimen.X.shape[1]:
            raise ValueError(
                f"the block from row {start} on has {problem.X.shape[1]} features, and the first "
                f"has {self.specimen.X.shape[1]}"
            )
        storage = store(problem.X, self.bias)
        return Block(start, storage, border.targets(problem, storage, self.params))

    def _known(self, X: Array, y: Array) -> Problem:
        everyone = np.arange(len(y), dtype=np.uint32)
        codes = border.encode(y, self.classes)
        return Problem(X, codes, self.classes, np.ones(len(y)), everyone, everyone[:0])


def set_task(params: dict[str, Any], classes: Array, features: int) -> Task:
    """The task of an estimator's parameters."""
    refuse(params)
    border.require_two(classes)
    bias = 1.0 if params["fit_intercept"] else 0.0
    specimen = border.pose(np.zeros((len(classes), features)), classes)
    kinds = border.targets(specimen, store(specimen.X, bias), params)
    if any(len(rows.train) < len(classes) for rows in kinds):
        raise ValueError("a class weight is zero: leave the rows of that class out of the blocks")
    return Task(params, classes, bias, specimen, kinds)


def refuse(p: dict[str, Any]) -> None:
    """Refuse what needs all rows at hand."""
    possible = {
        "order": ("sweep",),
        "keep": ("last", "average", "pocket"),
        "form": ("auto", "primal"),
        "batch_size": (1,),
        "early_stopping": (False,),
    }
    for name, values in possible.items():
        if p[name] not in values:
            listed = " or ".join(repr(value) for value in values)
            raise ValueError(
                f"{name}={p[name]!r} needs all rows in memory; over blocks, use {name}={listed}"
            )


# -- Learning --------------------------------------------------------------------------------------


class Ratchet(Pocket):
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
        return Ratchet(W, seen)
    return (Average if keep == "average" else Last)(storage, rows, W, seen)


def learn(
    run: Run, k: int, block: Block, plan: Plan, rng: Rng, log: Stretch, most: float
) -> tuple[int, float]:
    """Go on with run number k over a block, until `most` moves; its errors and losses there."""
    storage, rows = block.storage, block.rows[k]
    measure(run, float(rows.norm2[rows.train].max()))
    run.dual = np.zeros((len(run.W), len(rows.y)))
    vars(run.keeper).update(storage=storage, rows=rows)  # it folds the moves of these rows
    before = len(run.log)
    errors, loss = go_over(run, storage, rows, plan, rng, log, most)
    run.log[before:] = [s._replace(i=s.i + np.int64(block.start)) for s in run.log[before:]]
    return errors, loss


def measure(run: Run, longest: float) -> None:
    """Let a run know of a row, by its squared length."""
    radius = math.sqrt(longest * (1 if len(run.W) == 1 else 2))
    run.bracket.radius = max(run.bracket.radius, radius)


def candidates(run: Run, clean: bool) -> list[Array]:
    """The hypotheses of which the best is to be handed back."""
    keeper = run.keeper
    if not isinstance(keeper, Ratchet) or clean:
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


def assess(each: Each[list[Count]], hypotheses: list[list[Array]]) -> list[Count]:
    """The counts of all hypotheses of each run, in one look at all blocks."""

    def counted(block: Block) -> list[Count]:
        runs = zip(block.rows, hypotheses, strict=True)
        return [count(block.storage, rows, given) for rows, given in runs]

    def joined(a: list[Count], b: list[Count]) -> list[Count]:
        return [x + y for x, y in zip(a, b, strict=True)]

    return reduce(joined, each(counted))


def count(storage: Primal, rows: Rows, hypotheses: list[Array]) -> Count:
    """The counts of some hypotheses on some rows."""
    y, cost, longest = rows.y[rows.train], rows.cost[rows.train], rows.norm2[rows.train].max()
    found = []
    for W in hypotheses:
        m = margins(storage, W, rows)
        wrong = errs(m, y, rows.boundary)
        found.append((float(tally(wrong, cost)), np.count_nonzero(wrong), m.min(), longest))
    return Count(*np.array(found).reshape(-1, 4).T)


def adopt(model: Any, X: Any, task: Task, outcomes: list[Outcome], counts: list[Count]) -> None:
    """Let an estimator know what was learned; each outcome's hypothesis is counted alone."""
    errors, least = [int(c.errors[0]) for c in counts], [float(c.least[0]) for c in counts]
    if not np.isfinite(least).all():
        raise ValueError("scores overflowed: scale the features, for example with StandardScaler")
    learned = summarize(task.classes, task.storage, outcomes, errors, least)
    W = np.vstack([o.kept for o in outcomes])
    learned |= {
        "coef_": W[:, :-1].copy(),
        "intercept_": W[:, -1].copy(),
        "settled_": any(o.settled for o in outcomes),
        "conflict_": single([o.conflict for o in outcomes]),
        "dual_coef_": None,
    }
    if model.record:
        learned["log_"] = single([o.log for o in outcomes])
    model._know(X, learned, reset=True)
