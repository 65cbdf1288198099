"""Training: when it ends, and why it says so."""

import math
import warnings

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Perceptron as Peer
from specimens import assert_same_log, plain, plans, tables

from rosenblatt import Perceptron, datasets
from rosenblatt.core.training import Plateau

XOR = datasets.xor()
THREE = np.array([[0.0, 1], [1, 0], [1, 1], [2, 1], [0, 0], [2, 2]]), [0, 1, 2, 0, 1, 2]


# -- Endings ---------------------------------------------------------------------------------------


def test_separated():
    model = plain(*datasets.textbook(), shuffle=False)
    assert (model.stop_reason_, model.converged_) == ("separated", True)
    assert (model.n_iter_, model.mistakes_.tolist()) == (6, [2, 1, 1, 2, 1, 0])


def test_max_iter():
    model = plain(*XOR, max_iter=7)
    assert (model.stop_reason_, model.converged_, model.n_iter_) == ("max_iter", False, 7)


@given(tables(), plans(), st.integers(1, 9))
def test_max_updates_is_exact_and_never_splits_a_batch(table, params, most):
    X, y = table
    model = plain(X, y, **params | {"max_updates": most})
    log, batch = model.log_, params["batch_size"]
    if model.stop_reason_ == "max_updates":
        assert model.n_updates_ == most or batch != 1
        assert np.count_nonzero(log.t != log.t[-1]) < most <= model.n_updates_
    else:
        assert model.n_updates_ <= most + (0 if batch == 1 else len(y))


def test_max_updates_stops_in_the_middle_of_a_pass():
    model = plain(*datasets.textbook(), shuffle=False, max_updates=4)
    assert model.log_.i.tolist() == [0, 2, 2, 2]
    assert model.log_.seen == 9
    assert model.mistakes_.tolist() == [2, 1, 1]


def test_max_updates_is_for_each_class():
    model = plain(*THREE, max_updates=5, multi_class="ovr")
    assert model.n_updates_ == [5, 5, 5]
    assert model.stop_reason_ == ["max_updates"] * 3


@pytest.mark.parametrize("min_margin", [0.5, 0.1, 0.03])
@pytest.mark.parametrize("order", ["sweep", "random", "worst"])
def test_a_plain_run_always_stops(order, min_margin):
    rng = np.random.RandomState(0)
    X, y = rng.standard_normal((40, 5)), rng.choice([-1, 1], 40)
    model = plain(X, y, order=order, min_margin=min_margin, max_iter=10**9)
    assert model.stop_reason_ == "margin"
    assert model.n_updates_ <= math.ceil(1 / min_margin**2)
    assert model.margin_bounds_[1] <= min_margin


def test_orthogonal_rows_need_the_whole_bound():
    X, y = np.eye(150), np.arange(150) % 2
    model = plain(X, y, min_margin=0.1, fit_intercept=False)
    assert (model.stop_reason_, model.n_updates_) == ("margin", 100)
    assert not model.converged_


@pytest.mark.parametrize("k", [5, 6, 11, 18, 20, 21, 24, 41])
def test_rounding_cannot_turn_the_margin_stop_into_a_separation(k):
    for radius in (19.135944838704567, 55.33253688880515, 55.70555191853995, 92.63406719097344):
        X, y = radius * np.eye(k + 5), np.arange(k + 5) % 2
        model = plain(X, y, min_margin=1 / math.sqrt(k), fit_intercept=False, form="primal")
        assert model.stop_reason_ == "margin"
        assert model.n_updates_ <= k + 1


def test_a_margin_of_zero_or_next_to_it_never_stops_a_run():
    assert plain(*XOR, min_margin=0, max_iter=50).stop_reason_ == "max_iter"
    for min_margin in (1e-12, 1e-200, 5e-324):
        X, y = datasets.clouds(100, 3, 0.01, flip=20)
        assert plain(X, y, min_margin=min_margin, max_iter=5).stop_reason_ == "max_iter"


def test_separable_data_with_a_margin_above_min_margin_are_separated():
    X, y = datasets.clouds(100, 3, 0.3)
    radius = np.sqrt(1 + (X * X).sum(axis=1).max())
    model = plain(X, y, min_margin=0.9 * 0.3 / radius, max_iter=10**9)
    assert model.stop_reason_ == "separated"


@pytest.mark.parametrize("order", ["sweep", "worst"])
def test_a_zero_row_that_errs_proves_that_there_is_no_margin(order):
    X, y = [[1.0], [0.0], [-1.0]], [1, 1, -1]
    model = plain(X, y, fit_intercept=False, order=order)
    assert (model.stop_reason_, model.margin_bounds_) == ("margin", (0.0, 0.0))
    assert not model.converged_


def test_rows_of_class_weight_zero_prove_nothing():
    X, y = [[1.0], [2.0], [-1.0]], [1, 1, 0]
    model = plain(X, y, class_weight={0: 0, 1: 1})
    assert model.stop_reason_ == "separated"
    assert model.margin_bounds_[1] > 0
    with pytest.raises(ValueError, match="all rows have class weight zero"):
        Perceptron(class_weight={0: 0, 1: 0}).fit(X, y)


def test_what_is_left_open_is_not_settled():
    model = plain(*XOR, max_iter=5)
    assert (model.settled_, model.conflict_) == (False, None)


def test_stop_reason_is_of_the_run_and_converged_of_the_hypothesis():
    X, y = datasets.textbook()
    model = plain(X, y, keep="average", shuffle=False)
    assert model.stop_reason_ == "separated"
    assert model.converged_ == (model.predict(X) == y).all() == False  # noqa: E712


# -- tol and early stopping ------------------------------------------------------------------------


@pytest.mark.parametrize("tol", [1e-3, 0.1, 0.0])
@pytest.mark.parametrize("patience", [1, 3, 5])
def test_tol_stops_at_scikit_learns_pass(tol, patience):
    X, y = datasets.clouds(80, 4, 0.0, flip=12, random_state=3)
    given = {"tol": tol, "n_iter_no_change": patience, "max_iter": 200, "shuffle": False}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        peer = Peer(**given).fit(X, y)
    model = plain(X, y, keep="last", **given)
    assert model.n_iter_ == peer.n_iter_
    assert model.stop_reason_ == ("tol" if peer.n_iter_ < 200 else "max_iter")
    np.testing.assert_allclose(model.coef_, peer.coef_, rtol=1e-9, atol=1e-9)


def test_without_tol_no_plateau_stops_a_run():
    assert plain(*XOR, max_iter=100, n_iter_no_change=1).n_iter_ == 100


def test_a_plateau_is_a_row_of_passes_without_improvement():
    plateau = Plateau(tol=0.1, patience=2)
    assert [plateau.reached(loss) for loss in (5, 4, 3.95, 3, 2.95, 2.94)] == [False] * 5 + [True]


@pytest.mark.parametrize("classes", [2, 3])
def test_early_stopping_never_learns_from_the_rows_held_back(classes):
    rng = np.random.RandomState(0)
    X, y = rng.standard_normal((120, 3)), np.arange(120) % classes
    model = plain(X, y, early_stopping=True, validation_fraction=0.25, n_iter_no_change=2)
    facts = zip(*map(by_class, (model.stop_reason_, model.log_, model.mistakes_)), strict=True)
    for reason, log, mistakes in facts:
        assert reason == "early_stopping"
        assert log.seen == 90 * len(mistakes)
    moved = np.atleast_2d(model.dual_coef_).any(axis=0)
    assert np.count_nonzero(moved) <= 90


def by_class(fact):
    return fact if isinstance(fact, list) else [fact]


def test_early_stopping_ends_when_the_score_is_stale():
    X, y = datasets.clouds(300, 2, 0.0, flip=60, random_state=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = Perceptron(early_stopping=True, settle="never", min_margin=0).fit(X, y)
    assert model.stop_reason_ == "early_stopping"
    assert model.n_iter_ < 1000


# -- Novikoff --------------------------------------------------------------------------------------

CLOUDS = [(200, 2, 0.02), (1000, 10, 0.02), (1000, 10, 0.005), (5000, 50, 0.02), (500, 100, 0.01)]


@pytest.mark.parametrize("seeds", [range(k, k + 10) for k in (0, 10, 20)], ids=["0", "10", "20"])
@pytest.mark.parametrize(("n", "d", "margin"), CLOUDS)
def test_separable_by_construction(n, d, margin, seeds):
    for seed in seeds:
        X, y = datasets.clouds(n, d, margin, random_state=seed)
        model = Perceptron(max_iter=10_000, random_state=seed, min_margin=0, settle="never")
        model.fit(X, y)
        assert model.stop_reason_ == "separated"
        assert model.converged_
        assert (model.predict(X) == y).all()
        radius2 = 1 + (X * X).sum(axis=1).max()
        assert model.n_updates_ <= radius2 / margin**2


@pytest.mark.parametrize("order", ["sweep", "random", "worst"])
@pytest.mark.parametrize("shuffle", [True, False])
def test_novikoffs_bound_holds_in_every_order(order, shuffle):
    for seed in range(5):
        X, y = datasets.clouds(50, 3, 0.1, random_state=seed)
        model = plain(X, y, order=order, shuffle=shuffle, random_state=seed, max_iter=10**5)
        assert model.stop_reason_ == "separated"
        assert model.n_updates_ <= (1 + (X * X).sum(axis=1).max()) / 0.01


@pytest.mark.parametrize("power", [-10, 10])
@pytest.mark.parametrize("shuffle", [True, False])
def test_scaling_without_intercept_changes_no_mistake(power, shuffle):
    for seed in range(5):
        X, y = datasets.clouds(100, 4, 0.05, random_state=seed)
        params = {"fit_intercept": False, "shuffle": shuffle, "max_iter": 10_000}
        one, other = plain(X, y, **params), plain(X * 2.0**power, y, **params)
        assert_same_log(one.log_, other.log_)
        assert (one.n_iter_, one.margin_bounds_) == (other.n_iter_, other.margin_bounds_)


# -- Overflow --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "params",
    [{}, {"form": "dual"}, {"order": "worst"}, {"batch_size": "all"}]
    + [{"keep": keep} for keep in naive.KEEPERS],
)
def test_weights_that_overflow_are_refused(params):
    X, y = [[1.0], [2.0], [-3.0]], [1, 0, 1]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ValueError, match=r"overflowed in pass \d+.*Scale the features"):
            Perceptron(eta0=1e308, settle="never", min_margin=0, **params).fit(X, y)


def test_the_overflow_names_its_pass():
    X, y = [[1.0], [-1e-9]], [1, 0]  # w grows by 6e307 in each pass
    model = Perceptron(rule="margin", margin=1.7e308, eta0=6e307, fit_intercept=False)
    with pytest.raises(ValueError, match="the weights overflowed in pass 3"):
        model.fit(X, y)


def test_rows_too_long_to_measure_are_refused():
    with pytest.raises(ValueError, match="row 1 of X is too long"):
        Perceptron().fit([[1.0], [1e200]], [0, 1])
