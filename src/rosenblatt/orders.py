"""Orders: who is visited next.

An order gives the visits of one pass, in stretches. A stretch may depend on the hypothesis as it
is when the stretch is asked for; none is asked for after one that moved no row.
"""

from collections.abc import Iterator

import numpy as np

from rosenblatt.geometry import margins
from rosenblatt.sweep import Array, Rows, Storage

Rng = np.random.RandomState


def sweep(storage: Storage, W: Array, rows: Rows, batch: int, rng: Rng) -> Iterator[Array]:
    """All rows, as they stand."""
    yield rows.train


def shuffled(storage: Storage, W: Array, rows: Rows, batch: int, rng: Rng) -> Iterator[Array]:
    """All rows, in a new order each pass."""
    yield rng.permutation(rows.train)


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


ORDERS = {"sweep": sweep, "shuffled": shuffled, "random": random, "worst": worst}
