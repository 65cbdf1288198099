"""Keepers: which hypothesis is handed back. Each is a fold over the log.

A keeper is told of every stretch, with the hypothesis before it, and asked for its choice at the
end. `clean` says that the last hypothesis is known to make no mistake.
"""

import numpy as np

from rosenblatt.core.log import LogSegment, births, path
from rosenblatt.core.loop import Array, Rows, Storage
from rosenblatt.core.row_loops import add_class_errors, add_errors
from rosenblatt.core.threads import one_thread
from rosenblatt.core.vectors import errs, margins, pick, relearn, scores

STRETCH_BYTES = 2**25  # the hypotheses that `best` holds at a time, at most
HYPOTHESES, ROWS_COUNTED = 128, 512  # of which it counts the errors at a time
WEIGHTS_WAITING = 2**9  # of a hypothesis that may wait to be counted


class Keeper:
    """Rosenblatt's: the last hypothesis. Other keepers know more."""

    def __init__(self, storage: Storage, rows: Rows, W: Array, seen: int) -> None:
        self.storage, self.rows = storage, rows

    def fold(self, before: Array, log: LogSegment) -> None:
        pass

    def choose(self, W: Array, seen: int, clean: bool) -> Array:
        return W.copy()


class Average(Keeper):
    """The mean of the hypotheses held after each visit (Freund and Schapire 1999, Collins 2002).

    A step c taken at t is in S - t of the S hypotheses, so the mean is w - Σ c t x̂ / S.
    """

    def __init__(self, storage: Storage, rows: Rows, W: Array, seen: int) -> None:
        super().__init__(storage, rows, W, seen)
        self.sums = np.zeros_like(W)

    def fold(self, before: Array, log: LogSegment) -> None:
        relearn(self.storage, self.sums, self.rows.y, log.i, log.c * log.t, log.rival)

    def choose(self, W: Array, seen: int, clean: bool) -> Array:
        return W - self.sums / max(seen, 1)


class Best(Keeper):
    """The hypothesis with the fewest training errors, counted after every update.

    The hypotheses of a stretch are a matrix, so their errors are counted by matrix products, block
    of rows by block. A hypothesis is dropped once it has no fewer errors than the best, which is
    soon: the rows that the mean of the stretch gets most wrong come first. Where rows are few, they
    are counted at once, and short stretches wait for each other.
    """

    def __init__(self, storage: Storage, rows: Rows, W: Array, seen: int) -> None:
        super().__init__(storage, rows, W, seen)
        self.kept, self.errors = W.copy(), count(storage, W, rows)
        self.waiting: list[Array] = []  # hypotheses that are not counted yet

    def fold(self, before: Array, log: LogSegment) -> None:
        few = len(self.rows.train) <= ROWS_COUNTED and before.size <= WEIGHTS_WAITING
        if few and len(log.c) <= HYPOTHESES:
            self.waiting.append(path(self.storage, before, self.rows.y, log))
            if sum(map(len, self.waiting)) > HYPOTHESES:
                self._catch_up()
        else:
            self._catch_up()
            self._fold(before, log)

    @one_thread
    def _catch_up(self) -> None:
        """Count the hypotheses that have been waiting."""
        if self.waiting:
            self._consider(np.concatenate(self.waiting), self.rows.train)
            self.waiting = []

    @one_thread
    def _fold(self, before: Array, log: LogSegment) -> None:
        hard = self._hardest_first(before, log)
        most = max(1, min(HYPOTHESES, STRETCH_BYTES // (8 * before.size)))
        W, begin = before.copy(), 0
        for end in _cuts(births(log.t) + 1, most):
            part = LogSegment(*(column[begin:end] for column in log))
            hypotheses = path(self.storage, W, self.rows.y, part)
            self._consider(hypotheses, hard)
            W, begin = hypotheses[-1], end

    def _hardest_first(self, before: Array, log: LogSegment) -> Array:
        """The rows, ordered by their margins under the mean of a stretch of hypotheses."""
        mean, end = before.copy(), log.t[-1] + 1
        share = (end - log.t) / (end - log.t[0])  # of the hypotheses, those that have the step
        relearn(self.storage, mean, self.rows.y, log.i, log.c * share, log.rival)
        return self.rows.train[np.argsort(margins(self.storage, mean, self.rows))]

    def _consider(self, hypotheses: Array, hard: Array) -> None:
        errors, alive = np.zeros(len(hypotheses)), np.arange(len(hypotheses))
        for begin in range(0, len(hard), ROWS_COUNTED):
            block = hard[begin : begin + ROWS_COUNTED]
            errors[alive] += count_each(self.storage, hypotheses[alive], self.rows, block)
            alive = alive[errors[alive] < self.errors]
            if not len(alive):
                return
        best = alive[np.argmin(errors[alive])]
        self.kept, self.errors = hypotheses[best].copy(), errors[best]

    def choose(self, W: Array, seen: int, clean: bool) -> Array:
        self._catch_up()
        return W.copy() if clean else self.kept


class Pocket(Keeper):
    """Gallant's pocket with the ratchet (1990).

    A mistake at t gives birth to a hypothesis; it is right until the next mistake. It is counted
    on all rows only when that run is longer than every run counted before, and goes into the
    pocket only with strictly fewer errors.
    """

    def __init__(self, storage: Storage, rows: Rows, W: Array, seen: int) -> None:
        super().__init__(storage, rows, W, seen)
        self.kept, self.errors = W.copy(), count(storage, W, rows)
        self.born, self.longest = seen - 1, 0

    def fold(self, before: Array, log: LogSegment) -> None:
        runs = np.diff(log.t, prepend=self.born) - 1
        records = np.flatnonzero(runs > np.maximum.accumulate(np.append(self.longest, runs[:-1])))
        W, done = before.copy() if len(records) else before, 0
        for k in records.tolist():
            relearn(self.storage, W, self.rows.y, log.i[done:k], log.c[done:k], log.rival[done:k])
            self._consider(W, int(runs[k]))
            done = k
        self.born = int(log.t[-1])

    def _consider(self, W: Array, run: int) -> None:
        self.longest, errors = run, count(self.storage, W, self.rows)
        if errors < self.errors:
            self.kept, self.errors = W.copy(), errors

    def choose(self, W: Array, seen: int, clean: bool) -> Array:
        if clean:
            return W.copy()
        if seen - self.born - 1 > self.longest:
            self._consider(W, seen - self.born - 1)
        return self.kept


def count(storage: Storage, W: Array, rows: Rows) -> float:
    """The training errors of a hypothesis."""
    wrong = errs(margins(storage, W, rows), pick(rows.y, rows.train), rows.boundary)
    return float(wrong @ pick(rows.cost, rows.train))


def count_each(storage: Storage, hypotheses: Array, rows: Rows, block: Array) -> Array:
    """The errors of each of several hypotheses on a block of rows."""
    n, classes, dim = hypotheses.shape
    f = scores(storage, hypotheses.reshape(n * classes, dim), block)
    about, errors = (rows.y[block], rows.boundary, rows.cost[block]), np.zeros(n)
    if classes == 1:
        add_errors(f, *about, errors)
    else:
        add_class_errors(f.reshape(len(block), n, classes), *about, errors)
    return errors


def _cuts(ends: Array, most: int) -> Array:
    """Those of the ends that cut the log into parts of at most so many hypotheses."""
    return np.unique(np.append(ends[most - 1 :: most], ends[-1:]))


KEEPERS: dict[str, type[Keeper]] = {
    "last": Keeper,
    "average": Average,
    "best": Best,
    "pocket": Pocket,
    "vote": Average,
}
