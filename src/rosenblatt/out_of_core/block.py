"""Tasks: what is to be learned from blocks of rows, wherever these are."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np
from scipy.sparse import issparse

from rosenblatt.core.loop import Array, Primal, Rows
from rosenblatt.core.training import Plan
from rosenblatt.core.vectors import UNIT_ROUNDOFF, store
from rosenblatt.estimators.scaling import Columns
from rosenblatt.inputs import validation as border
from rosenblatt.inputs.labels import encode_labels, require_two
from rosenblatt.inputs.plan import make_plan
from rosenblatt.inputs.validation import Problem
from rosenblatt.separability.exact.certainty import TINY, product_error
from rosenblatt.separability.row_sources.source import Source
from rosenblatt.tables.column_matrix import ByColumn

FEW_HYPOTHESES = 2  # of which a block is judged by its columns; for more, rows are worth making

T = TypeVar("T")


@dataclass
class Block:
    """Some of the rows. They are laid out for the loop when they are first asked for."""

    numbers: Array  # of the rows
    task: "Task"
    X: Any
    codes: Array

    @property
    def bias(self) -> float:
        return self.task.bias

    @cached_property
    def storage(self) -> Primal:
        return store(self.X, self.task.bias)

    @cached_property
    def rows(self) -> list[Rows]:
        """What each run has to learn from them."""
        everyone = np.arange(len(self.codes), dtype=np.uint32)
        ones = np.ones(len(everyone))
        problem = Problem(self.X, self.codes, self.task.classes, ones, everyone, everyone[:0])
        return border.targets(problem, self.storage, self.task.params, int(self.numbers[0]))

    def scaled_by(self, task: "Task") -> "Block":
        """The same rows, as another task scales them."""
        assert task.columns is not None
        return Block(self.numbers, task, task.columns.rows(self.X), self.codes)

    def only(self, i: Array | slice) -> "Block":
        """A part of a block."""
        return Block(self.numbers[i], self.task, self.X[i], self.codes[i])

    def undecided(self, hypotheses: list[Array]) -> "Block":
        """The rows that may err for some hypothesis, or be the nearest or the longest."""
        if not worth_screening(self, hypotheses):
            return self
        lengths2 = self.X.lengths2() + self.bias
        longest = float(lengths2.max())
        tells = lengths2 >= longest * (1 - 4 * (self.X.shape[1] + 1) * UNIT_ROUNDOFF)
        for W in hypotheses:
            m = screened_margins(self, W[0])
            tells |= ~(m > max(0.0, m.min()) + doubt(W[0], math.sqrt(longest)))
        return self.only(np.flatnonzero(tells))


# Blocks that are held column by column are judged without making rows of them: to turn columns into
# rows takes longer than a product with all of them. The product rounds otherwise than the loop
# does, by no more than slack·|w||x̂|, so it is believed where it is beyond doubt. Rows in doubt are
# made, and the loop has its say, as it has in memory.


def worth_screening(block: Block, hypotheses: list[Array]) -> bool:
    """Whether a block can be judged by its columns, and had better be."""
    single = len(block.task.kinds) == 1 and all(len(W) == 1 for W in hypotheses)
    return isinstance(block.X, ByColumn) and single and len(hypotheses) <= FEW_HYPOTHESES


def certainly_correct(block: Block, W: Array, margin: float, radius: float) -> bool:
    """Whether no row of a block, none longer than the radius, has too small a margin."""
    if not worth_screening(block, [W]):
        return False
    return bool(screened_margins(block, W[0]).min() > margin + doubt(W[0], radius))


def screened_margins(block: Block, w: Array) -> Array:
    """The margins of all rows, but for their rounding."""
    m = block.X @ w[:-1]
    m += block.bias * w[-1]
    m *= 2 * block.codes - 1
    return m


def doubt(w: Array, radius: float) -> float:
    """How far apart two ways of rounding a margin can be."""
    return 2 * product_error(w) * radius + TINY


Each = Callable[[Callable[[Block], T]], Iterable[T]]  # what a function says of every block


class RowSource(Protocol):
    """The rows of a task, wherever they are."""

    @property
    def task(self) -> "Task": ...
    @property
    def n(self) -> int: ...  # all rows
    @property
    def head(self) -> Any: ...  # a few of them, or none, with the names of the features
    def each(self, function: Callable[[Block], T]) -> Iterable[T]: ...
    def take(self, numbers: Array) -> Block: ...  # these rows, read again


def source_of(rows: RowSource) -> Source:
    """The rows of a task, as those who decide ask for them."""
    task = rows.task
    d, k = task.specimen.X.shape[1], len(task.classes)
    return Source(rows.n, d, k, task.bias, rows.each, rows.take)


class Task(NamedTuple):
    """What is to be learned, wherever the rows are."""

    params: dict[str, Any]
    classes: Array
    bias: float
    specimen: Problem  # a zero row of each class
    kinds: list[Rows]  # what each run has to learn from these
    plan: Plan
    columns: Columns | None = None  # by which rows are scaled

    @property
    def storage(self) -> Primal:
        """The storage of the specimen."""
        return store(self.specimen.X, self.bias)

    def block(self, start: int, X: Any, y: Any, seen: bool = False) -> Block:
        """Validated rows. Dense ones that have been `seen` to be finite are believed."""
        if seen and not issparse(X):
            codes = encode_labels(y, self.classes)
        else:
            X, codes, *_ = border.validate_data(X, y, classes=self.classes)
        if X.shape[1] != self.specimen.X.shape[1]:
            raise ValueError(
                f"the block from row {start} on has {X.shape[1]} features, and the first has "
                f"{self.specimen.X.shape[1]}"
            )
        block = Block(np.arange(start, start + len(codes)), self, X, codes)
        return block if self.columns is None else block.scaled_by(self)


def set_task(params: dict[str, Any], classes: Array, features: int) -> Task:
    """The task of an estimator's parameters."""
    refuse(params)
    require_two(classes)
    bias = 1.0 if params["fit_intercept"] else 0.0
    specimen = border.validate_data(np.zeros((len(classes), features)), classes)
    kinds = border.targets(specimen, store(specimen.X, bias), params)
    if any(len(rows.train) < len(classes) for rows in kinds):
        raise ValueError("a class weight is zero: leave the rows of that class out of the blocks")
    return Task(params, classes, bias, specimen, kinds, make_plan(params, 1))


def refuse(p: dict[str, Any]) -> None:
    """Refuse what needs all rows at hand."""
    possible = {
        "order": ("sweep",),
        "keep": ("last", "average", "pocket"),
        "form": ("auto", "primal"),
        "batch_size": (1,),
        "early_stopping": (False,),
        "penalty": (None,),
    }
    for name, values in possible.items():
        if p[name] not in values:
            listed = " or ".join(repr(value) for value in values)
            raise ValueError(
                f"{name}={p[name]!r} needs all rows in memory; over blocks, use {name}={listed}"
            )
