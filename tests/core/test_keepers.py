"""Keepers: which hypothesis is handed back."""

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from specimens import csr, kept, plain, plans, tables, twin

from rosenblatt import datasets
from rosenblatt.core import keepers, training
from rosenblatt.core.vectors import store
from rosenblatt.inputs.validation import rows_of

# Three passes over a line: the zero hypothesis, then one after each mistake.
LINE, SIGNS = np.array([[1.0], [2.0], [-1.0], [3.0], [-2.0]]), np.array([1, -1, -1, 1, 1])
SEVERAL = {"shuffle": False, "max_iter": 3, "fit_intercept": False}


def hypothesis_of(model):
    return np.column_stack((model.coef_, model.intercept_))


def test_last_is_the_last_of_the_path():
    model = plain(LINE, SIGNS, keep="last", **SEVERAL)
    np.testing.assert_array_equal(hypothesis_of(model)[0], model.log_.path(LINE)[-1])


def test_average_weighs_every_hypothesis_by_its_survival():
    model = plain(LINE, SIGNS, keep="average", **SEVERAL)
    log = model.log_
    wanted = np.average(log.path(LINE), axis=0, weights=log.survival())
    np.testing.assert_allclose(hypothesis_of(model)[0], wanted)


def test_best_counts_after_every_update_and_keeps_the_first():
    model = plain(LINE, SIGNS, keep="best", **SEVERAL)
    wrong = [
        naive.errors(w[None], naive.augment(LINE, False), SIGNS) for w in model.log_.path(LINE)
    ]
    first = model.log_.path(LINE)[int(np.argmin(wrong))]
    np.testing.assert_array_equal(hypothesis_of(model)[0], first)


def test_best_starts_with_the_zero_hypothesis():
    X, y = [[1.0], [1.0], [1.0]], [1, -1, -1]
    on_the_line = plain(X, y, keep="best", boundary=-1, shuffle=False, max_iter=2)
    assert hypothesis_of(on_the_line).tolist() == [[0, 0]]  # one error, and none met has fewer
    assert not on_the_line.converged_


@pytest.mark.parametrize("keep", ["best", "pocket"])
@given(table=tables(), params=plans(), cost=st.sampled_from([None, {0: 2, 1: 1}, {0: 0.5, 1: 4}]))
def test_errors_are_weighted_by_class_only(keep, table, params, cost):
    X, codes = table
    y, params = 2 * codes - 1, params | {"keep": keep}
    sample = np.arange(len(y)) % 3 + 1.0
    factor = np.ones(len(y)) if cost is None else np.array([cost[c] for c in codes])
    slow = twin(X, y, params, weight=factor * sample)
    fast = plain(X, codes, {"sample_weight": sample}, class_weight=cost, **params)
    wanted = kept(slow, X, y, params, cost=None if cost is None else factor)
    np.testing.assert_array_equal(hypothesis_of(fast), wanted)


def test_the_ratchet_can_miss_what_best_finds():
    rng = np.random.RandomState(0)
    missed = 0
    for seed in range(20):
        X, y = rng.randint(-4, 5, (12, 2)) / 4, rng.choice([-1, 1], 12)
        wrong = {
            keep: naive.errors(
                hypothesis_of(plain(X, y, keep=keep, max_iter=4, random_state=seed)),
                naive.augment(X),
                y,
            )
            for keep in ("best", "pocket")
        }
        assert wrong["best"] <= wrong["pocket"]
        missed += wrong["best"] < wrong["pocket"]
    assert missed


def test_the_run_of_the_start_counts_towards_the_record():
    params = {"keep": "pocket", "max_iter": 2, "shuffle": False}
    rng = np.random.RandomState(0)
    for _ in range(200):
        X, codes = rng.randint(-4, 5, (9, 2)) / 4, rng.permutation(9) % 2
        start = rng.randint(-2, 3, 2) / 4
        slow = twin(X, 2 * codes - 1, params, start=[[*start, 0.25]])
        fast = plain(X, codes, {"coef_init": start, "intercept_init": 0.25}, **params)
        wanted = kept(slow, X, 2 * codes - 1, params)
        np.testing.assert_array_equal(hypothesis_of(fast), wanted)


@pytest.mark.parametrize("params", [{"batch_size": 2}, {"batch_size": "all"}, {"order": "worst"}])
def test_where_runs_mean_nothing_pocket_is_best(params):
    rng = np.random.RandomState(1)
    X, y = rng.randint(-4, 5, (20, 2)) / 4, rng.choice([-1, 1], 20)
    one, other = (plain(X, y, keep=k, max_iter=5, **params) for k in ("pocket", "best"))
    np.testing.assert_array_equal(hypothesis_of(one), hypothesis_of(other))


@pytest.mark.parametrize("keep", ["last", "best", "pocket"])
def test_a_clean_pass_hands_back_the_clean_hypothesis(keep):
    X, y = datasets.clouds(60, 3, 0.1)
    model = plain(X, y, keep=keep)
    assert (model.stop_reason_, model.converged_) == ("separated", True)
    np.testing.assert_allclose(hypothesis_of(model)[0], model.log_.path(X)[-1])


@given(tables(), plans(orders=("sweep", "random")))
def test_the_vote_is_the_mean_of_the_signs(table, params):
    X, codes = table
    y, params = 2 * codes - 1, params | {"keep": "vote"}
    slow, full = twin(X, y, params), naive.augment(X, params["fit_intercept"])
    wanted = [naive.vote(slow, full, y, x) for x in full]
    np.testing.assert_allclose(plain(X, y, **params).decision_function(X), wanted, atol=1e-12)


def test_voters_are_all_hypotheses():
    X, y = datasets.textbook()
    model = plain(X, y, keep="vote", shuffle=False)
    assert model.hypotheses_[0].shape == (8, 1, 3)
    assert model.survival_[0].tolist() == model.log_.survival().tolist()
    average = plain(X, y, keep="average", shuffle=False)
    np.testing.assert_array_equal(hypothesis_of(model), hypothesis_of(average))


def test_a_vote_on_several_classes():
    X, y = np.eye(3)[[0, 1, 2, 0, 1, 2]] * [[1], [1], [1], [2], [2], [2]], [0, 1, 2, 0, 1, 2]
    for multi_class in ("ovr", "direct"):
        model = plain(X, y, keep="vote", multi_class=multi_class)
        assert model.decision_function(X).shape == (6, 3)
        assert (model.predict(X) == y).all()
    shares = model.decision_function(X)  # of the direct form
    np.testing.assert_allclose(shares.sum(axis=1), 1)


@pytest.mark.parametrize("keep", ["best", "pocket", "average", "vote"])
@pytest.mark.parametrize("params", [{}, {"batch_size": 3}, {"multi_class": "direct"}])
def test_the_stretches_of_the_log_do_not_matter(monkeypatch, keep, params):
    rng = np.random.RandomState(2)
    X, y = rng.randint(-4, 5, (40, 3)) / 4, rng.choice(3, 40)
    for form in ("primal", "dual"):
        whole = plain(X, y, keep=keep, max_iter=6, form=form, **params)
        with monkeypatch.context() as patched:
            patched.setattr(training, "ROOM", 5)
            patched.setattr(keepers, "STRETCH_BYTES", 300)
            parts = plain(X, y, keep=keep, max_iter=6, form=form, **params)
        np.testing.assert_array_equal(hypothesis_of(whole), hypothesis_of(parts))


def test_best_on_many_rows_drops_hypotheses_early_and_rightly(monkeypatch):
    rng = np.random.RandomState(4)
    X, y = rng.randint(-8, 9, (400, 3)) / 4, rng.choice([-1, 1], 400)
    params = {"keep": "best", "max_iter": 1, "shuffle": False}
    monkeypatch.setattr(keepers, "ROWS_COUNTED", 64)
    wanted = kept(twin(X, y, params), X, y, params)
    np.testing.assert_array_equal(hypothesis_of(plain(X, y, **params)), wanted)
    np.testing.assert_array_equal(hypothesis_of(plain(csr(X), y, **params)), wanted)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("hypotheses", [1, 20, 128])
def test_hypotheses_that_waited_are_counted_as_those_that_did_not(classes, hypotheses, monkeypatch):
    rng = np.random.RandomState(classes)
    X, y = rng.standard_normal((60, 3)), rng.randint(classes, size=60)
    monkeypatch.setattr(keepers, "HYPOTHESES", hypotheses)
    waited = hypothesis_of(plain(X, y, keep="best", max_iter=9))
    monkeypatch.setattr(keepers, "WEIGHTS_WAITING", 0)
    np.testing.assert_array_equal(waited, hypothesis_of(plain(X, y, keep="best", max_iter=9)))


@pytest.mark.parametrize("classes", [1, 3, 5])
def test_many_hypotheses_are_counted_as_one(classes):
    rng = np.random.RandomState(classes)
    X = rng.randint(-2, 3, (50, 2)) / 4.0  # so that some classes tie
    y = rng.choice([-1, 1], 50) if classes == 1 else rng.randint(classes, size=50)
    rows = rows_of(store(X, 1.0), y.astype(np.int32))
    rows = rows._replace(cost=rng.randint(1, 9, 50) / 8, boundary=-1)
    hypotheses = rng.randint(-2, 3, (40, classes, 3)).astype(float)
    each = keepers.count_each(store(X, 1.0), hypotheses, rows, rows.train)
    slow = [keepers.count(store(X, 1.0), W, rows) for W in hypotheses]
    np.testing.assert_array_equal(each, slow)
