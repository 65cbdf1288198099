"""A Gram matrix larger than memory: rows are computed when they err, and kept for a while.

The loop stops at a mistake whose row is not at hand. It is then computed together with those that
are likely to be next, so that the work is one matrix product, and the least recently used make
room.
"""

from collections.abc import Callable
from typing import Self

import numpy as np

from rosenblatt.core.log import LogSegment
from rosenblatt.core.loop import Array, Rows, Support, sweep
from rosenblatt.core.row_loops import replay
from rosenblatt.core.rules import Rule
from rosenblatt.core.vectors import dual_rows, margins, relearn, take

ROWS_TOGETHER = 16  # rows computed together; most of more would make room before they are used
AHEAD = 1024  # visits to look ahead for them


class Cache(Support):
    """A storage that knows how to get its rows."""

    compute: Callable[[Array], Array]  # rows of the Gram matrix
    holds: Array  # which row is in each place
    used: Array  # when it was last asked for
    clock: int

    @classmethod
    def open(cls, compute: Callable[[Array], Array], norm2: Array, places: int) -> Self:
        """An empty cache of so many places."""
        n = len(norm2)
        cache = cls(np.zeros((places, n)), np.full(n, -1), norm2)
        cache.compute, cache.clock = compute, 0
        cache.holds, cache.used = np.full(places, -1), np.zeros(places, int)
        return cache

    def fetch(self, i: Array, likely: Array | None = None) -> None:
        """Have rows at hand, no more than there are places; and likely ones, if there is room."""
        self.clock += 1
        i = np.unique(i).astype(np.int64)
        here = self.place[i] >= 0
        self.touch(i[here])
        missing = i[~here]
        if not len(missing):
            return
        if likely is not None:
            missing = np.concatenate((missing, self._likely(likely, i)))
        self._put(missing)

    def touch(self, i: Array) -> None:
        """Take note that rows at hand were used."""
        self.used[self.place[i]] = self.clock

    def _likely(self, rows: Array, beside: Array) -> Array:
        """The first of some rows that are not at hand, as many as fit into a block."""
        fit = max(0, min(ROWS_TOGETHER, len(self.K) // 2) - len(beside))
        rows = rows[self.place[rows] < 0].astype(np.int64)
        fresh, first = np.unique(rows, return_index=True)
        return np.setdiff1d(fresh[np.argsort(first)], beside, assume_unique=True)[:fit]

    def _put(self, rows: Array) -> None:
        """Compute rows, in place of the least recently used."""
        out = np.argpartition(self.used, len(rows) - 1)[: len(rows)]
        old = self.holds[out]
        self.place[old[old >= 0]] = -1
        self.K[out] = self.compute(rows)
        self.holds[out], self.place[rows], self.used[out] = rows, out, self.clock


@take.register
def _(storage: Cache, i: Array) -> Array:
    if len(i) > len(storage.K):
        return dual_rows(i, storage.compute(i))
    storage.fetch(i)
    return dual_rows(i, storage.K[storage.place[i]])


@relearn.register
def _(storage: Cache, W: Array, y: Array, i: Array, c: Array, rival: Array) -> None:
    size = len(storage.K)
    for k in range(0, len(i), size):
        part = slice(k, k + size)
        storage.fetch(i[part])
        replay(storage, W, y, i[part], c[part], rival[part])


def sweep_fetching(
    storage: Cache,
    W: Array,
    rows: Rows,
    rule: Rule,
    batch: int,
    visit: Array,
    seen: int,
    log: LogSegment,
    most: int,
) -> tuple[int, int, int, float, int]:
    """The loop over rows that are sent for when a mistake needs them; what `sweep` returns."""
    visits, moves, errors, loss = 0, 0, 0, 0.0
    while visits < len(visit) and moves < most:
        rest, log_left = visit[visits:], LogSegment(*(column[moves:] for column in log))
        these = rest, seen + visits, log_left, most - moves
        made, moved, erred, lost, learned = sweep(storage, W, rows, rule, batch, *these)
        if learned < moved:
            moving = LogSegment(*(column[:moved] for column in log_left))
            likely = likely_moves(storage, W, rows, rest[made:], rule.margin)
            catch_up(storage, W, rows, moving, learned, likely)
        visits, moves, errors, loss = visits + made, moves + moved, errors + erred, loss + lost
    return visits, moves, errors, loss, moves


def catch_up(
    storage: Cache, W: Array, rows: Rows, log: LogSegment, learned: int, likely: Array
) -> None:
    """Learn the moves that were left for want of their rows."""
    late = LogSegment(*(column[learned:] for column in log))
    storage.touch(log.i[:learned])
    if len(late.i) == 1:
        storage.fetch(late.i, likely)
    relearn(storage, W, rows.y, late.i, late.c, late.rival)


def likely_moves(storage: Cache, W: Array, rows: Rows, ahead: Array, margin: float) -> Array:
    """Which of the next visits would move the hypothesis as it is."""
    ahead = ahead[:AHEAD]
    return ahead[margins(storage, W, rows, ahead) <= margin]
