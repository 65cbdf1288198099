"""Orders: which rows are visited next.

An order gives the visits of one pass, in stretches. A stretch may depend on the hypothesis as it
is when the stretch is asked for; none is asked for after one that moved no row.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np

from rosenblatt.core.loop import Array, Rows, Storage
from rosenblatt.core.row_loops import shuffle
from rosenblatt.core.vectors import margins, pick

Rng = np.random.RandomState
UNDRAWN = Rng(0)  # for orders that draw no random numbers
SPARE: list[Rng] = []  # sources of random numbers that nobody draws from
ACTIVE_ROUNDS = 100  # the most times that "active" visits a working set
ACTIVE_ROWS = 4  # for each weight, in a working set,
FEW_ACTIVE = 8, 6  # where an eighth of the rows, or six times those that are wrong, are not fewer
DISTANCES_SAMPLED = 2**12  # distances from which others are guessed


def in_turn(storage: Storage, W: Array, rows: Rows, batch: int, rng: Rng) -> Iterator[Array]:
    """All rows, as they stand."""
    yield rows.train


def shuffled(storage: Storage, W: Array, rows: Rows, batch: int, rng: Rng) -> Iterator[Array]:
    """All rows, in a new order each pass."""
    visit = rows.train.copy()
    shuffle(visit, rng.randint(1, 2**31 - 1))
    yield visit


def random(storage: Storage, W: Array, rows: Rows, batch: int, rng: Rng) -> Iterator[Array]:
    """As many visits as there are rows, drawn with replacement."""
    yield rows.train[rng.randint(len(rows.train), size=len(rows.train))]


def worst(storage: Storage, W: Array, rows: Rows, batch: int, rng: Rng) -> Iterator[Array]:
    """The row with the smallest margin, again and again, until it does not move the hypothesis."""
    y, zero = rows.y[rows.train], rows.norm2[rows.train] == 0
    for _ in range(0, len(rows.train), batch):
        m = margins(storage, W, rows)
        m[zero | ((m == 0) & (y == rows.boundary))] = np.inf  # these never move it
        yield rows.train[np.argsort(m, kind="stable")[:batch] if batch > 1 else [np.argmin(m)]]


def active(storage: Storage, W: Array, rows: Rows, batch: int, rng: Rng) -> Iterator[Array]:
    """All rows; then those wrong or nearly wrong, again and again, until they are all right."""
    yield rows.train
    lengths = np.sqrt(np.maximum(pick(rows.norm2, rows.train), np.finfo(float).tiny))
    m = margins(storage, W, rows)
    near = rows.train[nearest(m / lengths, active_rows(m, W.size))]
    for rounds in doubling(ACTIVE_ROUNDS) if len(near) % batch == 0 else [1] * ACTIVE_ROUNDS:
        yield np.tile(near, rounds)


def active_rows(m: Array, weights: int) -> int:
    """How many rows are visited again, given the margins of all."""
    share, times = FEW_ACTIVE
    few = max(len(m) // share, times * int(np.count_nonzero(m <= 0)), 1)
    return min(ACTIVE_ROWS * weights, few)


def doubling(total: int) -> Iterator[int]:
    """Numbers that add up to the total, each twice the one before but for the last.

    A stretch costs more than visits to a few rows, so the longer they err, the longer it is.
    """
    part = 1
    while total > 0:
        yield min(part, total)
        total, part = total - part, 2 * part


def nearest(distances: Array, k: int) -> Array:
    """The places of the k smallest, in the order they stand."""
    k = min(k, len(distances))
    few = np.flatnonzero(distances <= likely_limit(distances, k))
    if len(few) < k:
        few = np.arange(len(distances))
    return np.sort(few[np.argpartition(distances[few], k - 1)[:k]])


def likely_limit(distances: Array, k: int) -> float:
    """A distance that, as a sample goes, about 2k are within."""
    sample = distances[:: max(1, len(distances) // DISTANCES_SAMPLED)]
    place = min(2 * k * len(sample) // len(distances) + 8, len(sample) - 1)
    return float(np.partition(sample, place)[place])


# -- Random numbers --------------------------------------------------------------------------------


@contextmanager
def seeded(seeds: Sequence[int]) -> Iterator[list[Rng]]:
    """For each seed the numbers of RandomState(seed), drawn from a source that was used before: to
    make one takes as long as fitting a small table."""
    rngs = [a_spare_one() for _ in seeds]
    for rng, seed in zip(rngs, seeds, strict=True):
        rng.seed(seed)
    try:
        yield rngs
    finally:
        SPARE.extend(rngs)


def a_spare_one() -> Rng:
    """A source that no other thread draws from."""
    try:
        return SPARE.pop()
    except IndexError:
        return Rng(0)


ORDERS = {
    "sweep": in_turn,
    "shuffled": shuffled,
    "random": random,
    "worst": worst,
    "active": active,
}
