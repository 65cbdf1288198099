"""Decide on rows that are not all at hand: gather the hard ones, decide on those, check everywhere.

A conflict among gathered rows is a conflict of all. A separator of the gathered rows is checked on
all rows where they are; those that it does not get right for certain are gathered too, and the
question is put again. Each time the answer is one that the rows before did not give, so this ends.
"""

from collections.abc import Callable
from functools import partial, reduce
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from rosenblatt.core.loop import Array, Primal, Rows
from rosenblatt.core.vectors import margins, store, take
from rosenblatt.inputs.validation import rows_of
from rosenblatt.out_of_core.block import Block, Each, RowSource, T, stack
from rosenblatt.out_of_core.column_screening import undecided_rows
from rosenblatt.separability.answers import Answer, Conflict, Separator, Undecided
from rosenblatt.separability.decide import decide
from rosenblatt.separability.exact import certainty
from rosenblatt.separability.exact.confirmation import confirm_conflict
from rosenblatt.separability.several_classes.row_pairs import Source

CHECKS = 100  # the most times that all rows are checked
BYTES_AT_ONCE = 2**22  # bytes gathered in one look, or a few rows for each feature
BYTES_IN_ALL = 2**29  # bytes gathered
SAMPLED = 2**17, 2**26  # rows on which few mistakes are searched for, and their bytes, at most


class HardRows(NamedTuple):
    """Rows worth gathering."""

    i: Array
    X: Any
    y: Array  # ±1
    distance: Array  # from the hypothesis; the smallest are the hardest
    bias: float

    def cut(self, places: Array) -> "HardRows":
        return HardRows(
            self.i[places], self.X[places], self.y[places], self.distance[places], self.bias
        )

    def join(self, other: "HardRows") -> "HardRows":
        """Both, each row once."""
        columns = zip(
            (self.i, self.y, self.distance), (other.i, other.y, other.distance), strict=True
        )
        i, y, distance = (np.concatenate(pair) for pair in columns)
        return HardRows(i, stack((self.X, other.X)), y, distance, self.bias).cut(
            np.unique(i, return_index=True)[1]
        )

    def hardest(self, most: int) -> "HardRows":
        return self.cut(np.sort(np.argsort(self.distance, kind="stable")[:most]))

    @property
    def nbytes(self) -> int:
        return int(self.X.data.nbytes)

    def problem(self) -> tuple[Primal, Rows]:
        """These rows as a problem of their own."""
        primal = store(self.X, self.bias)
        return primal, rows_of(primal, self.y)


def pick_rows(block: Block, k: int, i: Array, distance: Array) -> HardRows:
    """Some rows of a block."""
    X = block.X[i]
    rows = X if sp.issparse(X) else np.asarray(X)
    return HardRows(block.numbers[i], rows, block.rows[k].y[i], distance, block.task.bias)


def capacity(d: int) -> int:
    """Rows to gather in one look."""
    return min(max(BYTES_AT_ONCE // (8 * d), 4 * d, 256), 2**16)


def gather_rows(each: Each[HardRows], find: Callable[[Block], HardRows], most: int) -> HardRows:
    """The hardest rows that are found in all blocks."""
    return reduce(lambda a, b: a.join(b).hardest(most), each(find))


def starting_rows(each: Each[HardRows], k: int, W: Array, stride: int) -> HardRows:
    """Rows to begin with: every so many, and those nearest to the hypothesis or beyond it."""
    most = capacity(W.shape[1])

    def find(block: Block) -> HardRows:
        rows = block.rows[k]
        lengths = np.sqrt(np.maximum(rows.norm2[rows.train], np.finfo(float).tiny))
        distance = (
            margins(block.storage, W, rows) / lengths if W.any() else np.full(len(lengths), 1.0)
        )
        distance[block.numbers[rows.train] % stride == 0] = -np.inf
        near = np.argsort(distance, kind="stable")[:most]
        return pick_rows(block, k, rows.train[near], distance[near])

    return gather_rows(each, find, most)


def sampled_rows(source: RowSource, k: int) -> HardRows:
    """Every so many rows of run k."""
    rows, size = SAMPLED
    step = -(-source.n // min(rows, size // (8 * source.task.specimen.X.shape[1])))

    def find(block: Block) -> HardRows:
        i = np.flatnonzero(block.numbers % step == 0)
        return pick_rows(block, k, i, np.zeros(len(i)))

    return gather_rows(source.each, find, source.n)


Find = Callable[[Block], HardRows]


def doubted(k: int, answer: Answer, primal: Primal, most: int) -> Find | None:
    """What finds the rows that a separator does not certainly get right, the hardest of them."""
    if not isinstance(answer, Separator):
        return None
    w, ratios = answer.w, answer.ratios

    def find(block: Block) -> HardRows:
        few = undecided_rows(block, [w[None]])
        rows = few.rows[k]._replace(boundary=0)
        i = certainty.doubtful(few.storage, w, rows, ratios=ratios)[:most]
        m = margins(few.storage, w[None], rows, i)
        return pick_rows(few, k, i, m / np.sqrt(np.maximum(rows.norm2[i], np.finfo(float).tiny)))

    return find


# -- Deciding --------------------------------------------------------------------------------------


def decide_everywhere(
    source: RowSource,
    k: int,
    W: Array,
    decide_here: Callable[[Primal, Rows], T],
    refuted: Callable[[T, Primal, int], Find | None],
) -> tuple[T, HardRows, bool]:
    """An answer on gathered rows of run k, the rows, and whether no other row refutes it."""
    most = capacity(W.shape[1])
    found = starting_rows(source.each, k, W, stride(source.n, most))
    for _ in range(CHECKS):
        primal, rows = found.problem()
        answer = decide_here(primal, rows)
        find = refuted(answer, primal, most)
        more = found.cut(np.arange(0)) if find is None else gather_rows(source.each, find, most)
        if not len(more.i):
            return answer, found, True
        found = found.join(more)
        if found.nbytes > BYTES_IN_ALL:
            break
    return answer, found, False


def settle_rows(source: RowSource, k: int, W: Array) -> Answer:
    """Separate the rows of run k, or find some in conflict."""
    answer, found, holds = decide_everywhere(source, k, W, decide, partial(doubted, k))
    if isinstance(answer, Conflict):
        return confirm_rows(Conflict(found.i[answer.rows], answer.weights), source, k)
    return answer if holds else Undecided(no_answer(found))


def joint(source: RowSource) -> Source:
    """The rows of several classes, to be decided jointly."""
    task = source.task
    d, k = task.specimen.X.shape[1], len(task.classes)
    return Source(source.n, d, k, task.bias, source.each, source.take)


def confirm_rows(conflict: Conflict, source: RowSource, k: int) -> Conflict:
    """A conflict of run k, whose rows were read again and cancel out."""
    block = source.take(conflict.rows)
    Z = take(block.storage, np.arange(len(block.codes))) * block.rows[k].y[:, None]
    confirm_conflict(Z, conflict.weights, conflict.rows)
    return conflict


def stride(n: int, most: int) -> int:
    """The distance of about most/2 rows out of n."""
    return max(1, 2 * n // most)


def no_answer(found: HardRows) -> str:
    """Why there is no answer."""
    return f"no answer on the {len(found.i)} hardest rows holds for all of them"
