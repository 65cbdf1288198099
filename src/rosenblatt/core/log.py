"""The log: the list of updates of a run, from which everything else is computed."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from rosenblatt.core.loop import Array, Storage
from rosenblatt.core.vectors import store, take


class LogSegment(NamedTuple):
    """A stretch of the log: the visits that moved the hypothesis."""

    t: Array  # visits before this one; the rows of one batch share it
    i: Array  # the row
    c: Array  # the signed step
    rival: Array  # with a hypothesis for each class, the one it was taken from


def empty_log(capacity: int) -> LogSegment:
    """An empty stretch for so many moves."""
    columns = (np.int64, np.uint32, np.float64, np.int32)
    return LogSegment(*(np.empty(capacity, dtype) for dtype in columns))


def births(t: Array) -> Array:
    """Where in the log each new hypothesis is complete: the last move of each batch."""
    last = np.ones(len(t), bool)
    last[:-1] = t[1:] != t[:-1]
    return last.nonzero()[0]


def path(storage: Storage, W: Array, y: Array, log: LogSegment) -> Array:
    """The hypothesis after each birth of a stretch that starts from W: (births, classes, dim)."""
    moves = log.c[:, None] * take(storage, log.i)
    if len(W) == 1:
        return (W + moves[:, None].cumsum(axis=0))[births(log.t)]
    deltas, rows = np.zeros((len(log.c), *W.shape)), np.arange(len(log.c))
    deltas[rows, y[log.i]] += moves
    deltas[rows, log.rival] -= moves
    return (W + deltas.cumsum(axis=0))[births(log.t)]


@dataclass(frozen=True, eq=False)
class Log:
    """The updates of a run, in order.

    Attributes
    ----------
    t : ndarray of int
        Number of visits before each update; the same for all rows of a batch.
    i : ndarray of int
        The row of each update.
    c : ndarray of float
        The signed step: the hypothesis after update k is ``start + sum(c[:k+1] * x̂[i[:k+1]])``.
    seen : int
        Number of visits in all.
    start : ndarray of shape (1 or n_classes, n_features + 1)
        The hypothesis before the first update, the bias last.
    begin : int
        Number of visits before this log began (not zero after ``partial_fit``).
    bias : float
        The constant feature: 1, or 0 without intercept.
    own, rival : ndarray of int or None
        With ``multi_class="direct"``: the class each step was added to, and the one it was taken
        from.
    """

    t: Array
    i: Array
    c: Array
    seen: int
    start: Array
    begin: int = 0
    bias: float = 1.0
    own: Array | None = None
    rival: Array | None = None

    def __len__(self) -> int:
        return len(self.t)

    def survival(self) -> Array:
        """The number of visits after which each hypothesis was held, the start included.

        A hypothesis begins with the update at t and is held until the t of the next.
        """
        born = self.t[births(self.t)]
        return np.diff(np.concatenate(([self.begin], born, [self.seen])))

    def counts(self, n: int) -> Array:
        """How often each of n rows moved the hypothesis."""
        return np.bincount(self.i, minlength=n)

    def path(self, X: Any) -> Array:
        """Every hypothesis (w, b), the start first: one row each, the bias last.

        With ``multi_class="direct"`` the result has one more axis, for the class.
        """
        storage = store(sp.csr_array(X) if sp.issparse(X) else np.asarray(X), self.bias)
        y = np.zeros(int(self.i.max(initial=0)) + 1, np.int32)
        rival = self.t if self.rival is None else self.rival
        if self.own is not None:
            y[self.i] = self.own
        steps = path(storage, self.start, y, LogSegment(self.t, self.i, self.c, rival))
        hypotheses = np.concatenate((self.start[None], steps))
        return hypotheses if self.own is not None else hypotheses[:, 0]
