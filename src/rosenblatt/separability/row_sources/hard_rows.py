"""The hard rows of two classes, or of one class against the rest: gathered, and decided on."""

from functools import partial

import numpy as np

from rosenblatt.core.loop import Array, Primal, Rows
from rosenblatt.core.vectors import margins, store, take
from rosenblatt.inputs.validation import rows_of
from rosenblatt.separability.answers import Answer, Conflict, Separator, Undecided
from rosenblatt.separability.decide import decide
from rosenblatt.separability.exact import certainty
from rosenblatt.separability.exact.confirmation import confirm_conflict
from rosenblatt.separability.row_sources.gathering import (
    Capacity,
    Find,
    Gathered,
    decide_everywhere,
    gather,
)
from rosenblatt.separability.row_sources.source import LabelledRows, Source, csr_or_array

BYTES_AT_ONCE = 2**22  # bytes gathered in one look, or a few rows for each feature
BYTES_IN_ALL = 2**29  # bytes gathered
SAMPLED = 2**17, 2**26  # rows on which few mistakes are searched for, and their bytes, at most


def pick_rows(block: LabelledRows, k: int, i: Array, distance: Array) -> Gathered:
    """Some rows of a block."""
    X, y = csr_or_array(block.X[i]), block.rows[k].y[i]
    return Gathered(block.numbers[i], y, np.zeros_like(y), X, distance)


def problem_of(found: Gathered, bias: float) -> tuple[Primal, Rows]:
    """Rows as a problem of their own."""
    primal = store(found.X, bias)
    return primal, rows_of(primal, found.own)


def row_capacity(d: int) -> Capacity:
    """Rows to gather in one look, and bytes in all."""
    most = min(max(BYTES_AT_ONCE // (8 * d), 4 * d, 256), 2**16)
    return Capacity(most, BYTES_IN_ALL)


def starting_rows(source: Source, k: int, W: Array) -> Gathered:
    """Rows to begin with: every so many, and those nearest to the hypothesis or beyond it."""
    most = row_capacity(W.shape[1]).most
    stride = max(1, 2 * source.n // most)

    def find(block: LabelledRows) -> Gathered:
        rows = block.rows[k]
        lengths = np.sqrt(np.maximum(rows.norm2[rows.train], np.finfo(float).tiny))
        distance = (
            margins(block.storage, W, rows) / lengths if W.any() else np.full(len(lengths), 1.0)
        )
        distance[block.numbers[rows.train] % stride == 0] = -np.inf
        near = np.argsort(distance, kind="stable")[:most]
        return pick_rows(block, k, rows.train[near], distance[near])

    return gather(source, find, most)


def sampled_rows(source: Source, k: int) -> tuple[Primal, Rows]:
    """Every so many rows of run k, as a problem of their own."""
    rows, size = SAMPLED
    step = -(-source.n // min(rows, max(1, size // (8 * source.d))))

    def find(block: LabelledRows) -> Gathered:
        i = np.flatnonzero(block.numbers % step == 0)
        return pick_rows(block, k, i, np.zeros(len(i)))

    return problem_of(gather(source, find, source.n), source.bias)


def settle_rows(source: Source, k: int, W: Array) -> Answer:
    """Separate the rows of run k, or find some in conflict."""
    most = row_capacity(W.shape[1])
    answer, found, holds = decide_everywhere(
        source,
        starting_rows(source, k, W),
        most,
        lambda found: decide(*problem_of(found, source.bias), bounded=True),
        partial(doubted, k, most.most),
    )
    if isinstance(answer, Conflict):
        return confirm_rows(answer._replace(rows=found.i[answer.rows]), source, k)
    return answer if holds else Undecided(no_answer(found))


def doubted(k: int, most: int, answer: Answer, _: Gathered) -> Find | None:
    """What finds the rows that a separator does not certainly get right, the hardest of them."""
    if not isinstance(answer, Separator):
        return None
    w, ratios = answer.w, answer.exactly()

    def find(block: LabelledRows) -> Gathered:
        few = block.undecided([w[None]])
        rows = few.rows[k]
        i = certainty.doubtful(few.storage, ratios, rows)[:most]
        m = margins(few.storage, w[None], rows, i)
        return pick_rows(few, k, i, m / np.sqrt(np.maximum(rows.norm2[i], np.finfo(float).tiny)))

    return find


def confirm_rows(conflict: Conflict, source: Source, k: int) -> Conflict:
    """A conflict of run k, whose rows were read again and cancel out."""
    block = source.take(conflict.rows)
    Z = take(block.storage, np.arange(len(block.codes))) * block.rows[k].y[:, None]
    confirm_conflict(Z, conflict.weights, conflict.rows, conflict.bound)
    return conflict


def no_answer(found: Gathered) -> str:
    """Why there is no answer."""
    return f"no answer on the {len(found.i)} hardest rows holds for all of them"
