"""Contradictory rows: equal but for their labels. Two of them are the shortest proof there is."""

from functools import lru_cache

import numpy as np

from rosenblatt.core.loop import Array, Primal, Rows
from rosenblatt.core.vectors import margins, values
from rosenblatt.separability.exact.certainty import entries, n_weights, used_columns

MOST_PAIRS = 4096  # pairs looked for
PAIRS_TOGETHER = 256  # pairs compared together


def find_contradictions(primal: Primal, rows: Rows) -> Array:
    """Pairs of rows with the same numbers and different labels, one for each such row.

    Equal rows have equal scores under random weights. Where others do too, they are told apart by
    their numbers.
    """
    scores = random_scores(primal, rows)
    order = np.sort(scores)
    again = order[1:][order[1:] == order[:-1]]
    if not len(again):
        return np.empty((0, 2), rows.train.dtype)
    i = np.flatnonzero(np.isin(scores, again))
    i = i[np.lexsort((rows.y[rows.train[i]], scores[i]))]
    meet = (scores[i[1:]] == scores[i[:-1]]) & np.diff(rows.y[rows.train[i]]).astype(bool)
    pairs = rows.train[np.column_stack((i[:-1], i[1:]))[meet][:MOST_PAIRS]]
    blocks = [pairs[k : k + PAIRS_TOGETHER] for k in range(0, len(pairs), PAIRS_TOGETHER)]
    return np.concatenate([pairs[:0], *(block[equal(primal, block)] for block in blocks)])


def random_scores(primal: Primal, rows: Rows) -> Array:
    """The scores of the training rows under random weights; rows that are not asked for are not
    read."""
    w = random_weights(n_weights(primal))
    if len(rows.train) == len(rows.y):
        return values(primal, w, len(rows.y))
    return margins(primal, w[None], rows._replace(y=np.ones_like(rows.y)))


@lru_cache(maxsize=8)
def random_weights(d: int) -> Array:
    """The same random weights each time; drawing them takes longer than using them."""
    return np.random.RandomState(0).standard_normal(d)


def equal(primal: Primal, pairs: Array) -> Array:
    """Which pairs of rows have the same numbers."""
    columns = used_columns(primal, pairs.ravel())
    first, second = (entries(primal, i, columns) for i in pairs.T)
    return (first == second).all(axis=1)
