"""The hard rows of two classes, or of one class against the rest: gathered, and decided on."""

from functools import partial
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from rosenblatt.core.loop import Array, Primal, Rows
from rosenblatt.core.vectors import margins, store, take
from rosenblatt.inputs.validation import rows_of
from rosenblatt.separability.answers import Answer, Conflict, Separator, Undecided
from rosenblatt.separability.decide import decide
from rosenblatt.separability.exact import certainty
from rosenblatt.separability.exact.confirmation import confirm_conflict
from rosenblatt.separability.row_sources.gathering import Capacity, Find, decide_everywhere, gather
from rosenblatt.separability.row_sources.source import LabelledRows, Source

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
        X = (self.X, other.X)
        both = sp.vstack(X, format="csr") if sp.issparse(self.X) else np.vstack(X)
        return HardRows(i, both, y, distance, self.bias).cut(np.unique(i, return_index=True)[1])

    def hardest(self, most: int) -> "HardRows":
        return self.cut(np.sort(np.argsort(self.distance, kind="stable")[:most]))

    @property
    def nbytes(self) -> int:
        return int(self.X.data.nbytes)

    def problem(self) -> tuple[Primal, Rows]:
        """These rows as a problem of their own."""
        primal = store(self.X, self.bias)
        return primal, rows_of(primal, self.y)


def pick_rows(block: LabelledRows, k: int, i: Array, distance: Array) -> HardRows:
    """Some rows of a block."""
    X = block.X[i]
    rows = X if sp.issparse(X) else np.asarray(X)
    return HardRows(block.numbers[i], rows, block.rows[k].y[i], distance, block.bias)


def row_capacity(d: int) -> Capacity:
    """Rows to gather in one look, and bytes in all."""
    most = min(max(BYTES_AT_ONCE // (8 * d), 4 * d, 256), 2**16)
    return Capacity(most, BYTES_IN_ALL)


def starting_rows(source: Source, k: int, W: Array) -> HardRows:
    """Rows to begin with: every so many, and those nearest to the hypothesis or beyond it."""
    most = row_capacity(W.shape[1]).most
    stride = max(1, 2 * source.n // most)

    def find(block: LabelledRows) -> HardRows:
        rows = block.rows[k]
        lengths = np.sqrt(np.maximum(rows.norm2[rows.train], np.finfo(float).tiny))
        distance = (
            margins(block.storage, W, rows) / lengths if W.any() else np.full(len(lengths), 1.0)
        )
        distance[block.numbers[rows.train] % stride == 0] = -np.inf
        near = np.argsort(distance, kind="stable")[:most]
        return pick_rows(block, k, rows.train[near], distance[near])

    return gather(source, find, most)


def sampled_rows(source: Source, k: int) -> HardRows:
    """Every so many rows of run k."""
    rows, size = SAMPLED
    step = -(-source.n // min(rows, size // (8 * source.d)))

    def find(block: LabelledRows) -> HardRows:
        i = np.flatnonzero(block.numbers % step == 0)
        return pick_rows(block, k, i, np.zeros(len(i)))

    return gather(source, find, source.n)


def settle_rows(source: Source, k: int, W: Array) -> Answer:
    """Separate the rows of run k, or find some in conflict."""
    most = row_capacity(W.shape[1])
    answer, found, holds = decide_everywhere(
        source,
        starting_rows(source, k, W),
        most,
        lambda found: decide(*found.problem(), bounded=True),
        partial(doubted, k, most.most),
    )
    if isinstance(answer, Conflict):
        return confirm_rows(answer._replace(rows=found.i[answer.rows]), source, k)
    return answer if holds else Undecided(no_answer(found))


def doubted(k: int, most: int, answer: Answer, _: HardRows) -> Find[HardRows] | None:
    """What finds the rows that a separator does not certainly get right, the hardest of them."""
    if not isinstance(answer, Separator):
        return None
    w, ratios = answer.w, answer.exactly()

    def find(block: LabelledRows) -> HardRows:
        few = block.undecided([w[None]])
        rows = few.rows[k]._replace(boundary=0)
        i = certainty.doubtful(few.storage, ratios, rows)[:most]
        m = margins(few.storage, w[None], rows, i)
        return pick_rows(few, k, i, m / np.sqrt(np.maximum(rows.norm2[i], np.finfo(float).tiny)))

    return find


def confirm_rows(conflict: Conflict, source: Source, k: int) -> Conflict:
    """A conflict of run k, whose rows were read again and cancel out."""
    block = source.take(conflict.rows)
    Z = take(block.storage, np.arange(len(block.codes))) * block.rows[k].y[:, None]
    confirm_conflict(Z, conflict.weights, conflict.rows, conflict.bounded, conflict.relations)
    return conflict


def no_answer(found: HardRows) -> str:
    """Why there is no answer."""
    return f"no answer on the {len(found.i)} hardest rows holds for all of them"
