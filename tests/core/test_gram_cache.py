"""A Gram matrix of which only some rows are at hand gives what the whole one gives."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from specimens import tables

from rosenblatt.core.gram_cache import ROWS_TOGETHER, Cache
from rosenblatt.core.loop import Gram
from rosenblatt.core.training import Plan, begin, train
from rosenblatt.inputs.validation import rows_of
from rosenblatt.rules import Rule


def opened(K, places):
    """A cache of a matrix, and the list of what was asked of it."""
    asked = []

    def compute(i):
        asked.append(i.tolist())
        return K[i]

    return Cache.open(compute, K.diagonal().copy(), places), asked


def run(storage, y, plan):
    rows = rows_of(storage, y)
    begun = begin(storage, np.zeros((1, 2 * len(y))), rows, plan, 1.0)
    *_, ended = train(begun, storage, rows, plan, np.random.RandomState(0), rows.train[:0])
    return ended


plans = st.builds(
    Plan,
    rule=st.sampled_from([Rule(rate=1.0), Rule(margin=2.0, rate=0.5)]),
    order=st.sampled_from(["sweep", "shuffled", "random", "worst", "active"]),
    batch=st.sampled_from([1, 1, 2, 5]),
    keep=st.sampled_from(["last", "average", "best", "pocket"]),
    max_iter=st.integers(1, 8),
    max_updates=st.sampled_from([np.inf, 7]),
    record=st.just(True),
    budget=st.none(),
)


@given(tables(most=12), plans, st.integers(1, 12))
def test_some_rows_at_hand_give_what_all_rows_give(table, plan, places):
    X, y = table
    K = (X @ X.T + 1) ** 2
    whole, some = (run(s, 2 * y - 1, plan) for s in (Gram(K), opened(K, places)[0]))
    np.testing.assert_array_equal(whole.W, some.W)
    np.testing.assert_array_equal(whole.kept, some.kept)
    assert (whole.mistakes, whole.reason) == (some.mistakes, some.reason)
    for one, other in zip(zip(*whole.log, strict=True), zip(*some.log, strict=True), strict=True):
        np.testing.assert_array_equal(np.concatenate(one), np.concatenate(other))


def test_the_least_recently_used_make_room():
    cache, asked = opened(np.eye(9), 3)
    for i in ([0], [1], [2], [0], [3], [1]):
        cache.fetch(np.array(i))
    assert asked == [[0], [1], [2], [3], [1]]  # 3 took the place of 1, and 1 that of 2
    assert sorted(cache.holds.tolist()) == [0, 1, 3]
    assert np.flatnonzero(cache.place >= 0).tolist() == [0, 1, 3]


def test_likely_rows_come_along_in_one_product():
    cache, asked = opened(np.eye(400), 300)
    cache.fetch(np.array([7]), np.arange(400))
    assert len(asked) == 1
    assert sorted(asked[0]) == list(range(ROWS_TOGETHER))
    cache.fetch(np.array([7]), np.arange(400))
    assert len(asked) == 1


@pytest.mark.parametrize("places", [1, 2, 30])
def test_a_cache_never_holds_more_than_it_has_places(places):
    rng = np.random.RandomState(0)
    X = rng.standard_normal((60, 3))
    y = np.where(rng.randint(2, size=60), 1, -1)
    cache, asked = opened(X @ X.T, places)
    run(cache, y, Plan(Rule(rate=1.0), max_iter=5))
    assert np.count_nonzero(cache.place >= 0) <= places
    assert max(map(len, asked)) <= places
