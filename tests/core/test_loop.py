"""The loop: all storages make the mistakes of the textbook."""

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from specimens import assert_same_log, csr, kept, plain, plans, tables, twin

from rosenblatt.core.log import empty_log
from rosenblatt.core.loop import Dense, Gram, Rows, Sparse, norm2, score, sweep
from rosenblatt.core.row_loops import replay
from rosenblatt.core.vectors import lengths2, margins, store
from rosenblatt.rules import Rule

STORAGES = ["dense", "dense32", "csr", "csr64", "csr32", "dual", "dual csr"]


def forms(X):
    """The same rows as every storage gets them: (X, form)."""
    return {
        "dense": (X, "primal"),
        "dense32": (X.astype(np.float32), "primal"),
        "csr": (csr(X), "primal"),
        "csr64": (csr(X, np.int64), "primal"),
        "csr32": (csr(X.astype(np.float32)), "primal"),
        "dual": (X, "dual"),
        "dual csr": (csr(X), "dual"),
    }


@given(tables(), plans(), st.sampled_from(["mistake", 1, -1]))
def test_every_storage_makes_the_naive_mistakes(table, params, boundary):
    X, codes = table
    y, params = 2 * codes - 1, params | {"boundary": boundary}
    slow = twin(X, y, params)
    assert_same_log(twin(X, y, params, naive.Dual), slow)
    for rows, form in forms(X).values():
        fast = plain(rows, y, form=form, **params)
        assert_same_log(fast.log_, slow)
        assert fast.mistakes_.tolist() == slow.mistakes
        assert fast.stop_reason_ == slow.reason


@given(tables(), plans(), st.sampled_from(["mistake", 1, -1]))
def test_every_storage_keeps_the_naive_hypothesis(table, params, boundary):
    X, codes = table
    y, params = 2 * codes - 1, params | {"boundary": boundary}
    slow = twin(X, y, params)
    matters = boundary != "mistake" and params["rule"] == "rosenblatt"  # only at margin 0
    wanted = kept(slow, X, y, params, boundary=boundary if matters else None)
    for rows, form in forms(X).values():
        fast = plain(rows, y, form=form, **params)
        got = np.column_stack((fast.coef_, fast.intercept_))
        if params["keep"] not in ("average", "vote"):
            np.testing.assert_array_equal(got, wanted)
        assert_same_to_rounding(got, wanted)


@given(tables(classes=3), plans())
def test_one_vs_rest_is_a_naive_run_for_each_class(table, params):
    X, codes = table
    for rows, form in forms(X).values():
        fast = plain(rows, codes, form=form, multi_class="ovr", **params)
        for k in range(3):
            slow = twin(X, np.where(codes == k, 1, -1), params, run=k, runs=3)
            assert_same_log(fast.log_[k], slow)
            assert fast.stop_reason_[k] == slow.reason


@given(tables(classes=3), plans())
def test_the_direct_form_takes_from_the_rival(table, params):
    X, codes = table
    start = np.zeros((3, X.shape[1] + 1))
    slow = twin(X, codes, params, naive.Direct, start=start)
    wanted = kept(slow, X, codes, params)
    for rows, form in forms(X).values():
        fast = plain(rows, codes, form=form, multi_class="direct", **params)
        assert_same_log(fast.log_, slow)
        np.testing.assert_array_equal(fast.log_.rival, slow.rival)
        assert_same_to_rounding(np.column_stack((fast.coef_, fast.intercept_)), wanted)


def assert_same_to_rounding(got, wanted):
    """Weights of rows in single precision are handed back in it."""
    close = {np.dtype(np.float64): 1e-12, np.dtype(np.float32): 1e-7}[got.dtype]
    np.testing.assert_allclose(got, wanted, rtol=close, atol=1e-12)


@given(tables(), plans(rules=("pa", "pa1", "pa2", "relaxation"), orders=("sweep", "random")))
def test_the_rules_with_divisions_agree_to_rounding(table, params):
    X, codes = table
    y, params = 2 * codes - 1, params | {"keep": "last", "max_iter": 2, "max_updates": None}
    slow = twin(X, y, params)
    for rows, form in forms(X).values():
        fast = plain(rows, y, form=form, **params)
        got = np.column_stack((fast.coef_, fast.intercept_))
        np.testing.assert_allclose(got, slow.last, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("d", [3, 64, 65, 200])
@pytest.mark.parametrize("storage", STORAGES)
def test_long_rows_and_many_rows(storage, d):
    rng = np.random.RandomState(d)
    X, y = rng.randint(-4, 5, (150, d)) / 4, rng.choice([-1, 1], 150)
    rows, form = forms(X)[storage]
    params = {"max_iter": 4, "keep": "last"}
    assert_same_log(plain(rows, y, form=form, **params).log_, twin(X, y, params))


# -- The kernels themselves ------------------------------------------------------------------------


def rows_of(X, y, storage, boundary=0):
    """What the loop asks of rows beside their values."""
    n, ones = len(y), np.ones(len(y))
    y = np.asarray(y, np.int32)
    return Rows(y, ones, lengths2(storage, n), boundary, np.arange(n, dtype=np.uint32), ones)


def one_sweep(X, y, visit, batch=1, most=100):
    """The log of one call, and the visits and moves it reports."""
    storage = store(np.asarray(X, float), 1.0)
    W, log = np.zeros((1, len(X[0]) + 1)), empty_log(100)
    visit = np.array(visit, np.uint32)
    rows = rows_of(X, y, storage)
    visits, moves, *_ = sweep(storage, W, rows, Rule(rate=1.0), batch, visit, 7, log, most)
    return visits, log.t[:moves].tolist(), log.i[:moves].tolist()


def test_t_counts_the_visits_before_a_move():
    X, y = [[3, 3], [4, 3], [1, 1]], [1, 1, -1]
    assert one_sweep(X, y, [0, 1, 2]) == (3, [7, 9], [0, 2])


def test_the_loop_stops_at_the_move_it_was_allowed():
    X, y = [[1], [-1], [2], [-2]], [1, 1, -1, -1]
    assert one_sweep(X, y, [0, 1, 2, 3], most=1) == (1, [7], [0])


def test_a_batch_is_never_split_and_shares_its_t():
    X, y = [[1], [2], [3], [4], [5]], [1, 1, 1, -1, -1]
    assert one_sweep(X, y, [0, 1, 2, 3, 4], batch=3, most=1) == (3, [7, 7, 7], [0, 1, 2])
    assert one_sweep(X, y, [3, 4], batch=5) == (2, [7, 7], [3, 4])


@pytest.mark.parametrize("bias", [0.0, 1.0])
def test_storages_agree_on_scores_and_lengths(bias):
    X = np.array([[1.0, 0.0, 2.0], [0.0, 0.0, 0.0], [-1.5, 0.25, 0.0]])
    w = np.array([1.0, 2.0, 0.5, 4.0])
    dense, sparse, full = store(X, bias), store(csr(X), bias), naive.augment(X, bias)
    gram = Gram(full @ full.T)
    dual = np.concatenate((np.zeros(3), full @ w))
    assert isinstance(dense, Dense)
    assert isinstance(sparse, Sparse)
    for i in range(3):
        assert score.dispatch(Dense)(dense, w, i) == full[i] @ w
        assert score.dispatch(Sparse)(sparse, w, i) == full[i] @ w
        assert score.dispatch(Gram)(gram, dual, i) == full[i] @ w
    for storage in (dense, sparse, gram):
        np.testing.assert_array_equal(lengths2(storage, 3), (full * full).sum(axis=1))
        assert norm2.dispatch(type(storage))(storage, 2) == full[2] @ full[2]


def test_replaying_a_log_gives_its_hypothesis():
    X, y = np.array([[3.0, 3.0], [4.0, 3.0], [1.0, 1.0]]), np.array([1, 1, -1], np.int32)
    log = plain(X, y, shuffle=False).log_
    W = np.zeros((1, 3))
    replay(store(X, 1.0), W, y, log.i.astype(np.uint32), log.c, np.full(len(log), -1, np.int32))
    assert W.tolist() == [[1, 1, -3]]


def test_margins_with_several_hypotheses_are_leads():
    X = np.array([[1.0], [2.0]])
    storage = store(X, 0.0)
    W = np.array([[1.0, 0], [3.0, 0], [2.0, 0]])
    assert margins(storage, W, rows_of(X, [1, 0], storage)).tolist() == [1.0, -4.0]


def test_indices_are_unsigned_of_the_width_they_came_in():
    assert store(csr(np.eye(2)), 1.0).indices.dtype == np.uint32
    assert store(csr(np.eye(2), np.int64), 1.0).indptr.dtype == np.uint64


def test_a_zero_row_never_moves_the_hypothesis():
    X, y = np.array([[0.0], [1.0], [-1.0]]), [1, 1, -1]
    model = plain(X, y, fit_intercept=False, shuffle=False)
    assert model.log_.counts(3).tolist() == [0, 1, 0]
    assert (model.stop_reason_, model.margin_bounds_[1]) == ("margin", 0.0)
