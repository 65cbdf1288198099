"""Tasks: what is to be learned from blocks of rows, wherever these are."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeVar

import numpy as np
from scipy.sparse import issparse

from rosenblatt import problem as border
from rosenblatt.geometry import matrix, store
from rosenblatt.problem import Problem
from rosenblatt.sweep import Array, Dense, Rows, Sparse

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
