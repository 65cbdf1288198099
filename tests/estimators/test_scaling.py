"""Passes over scaled columns; everything else is about the columns as they are."""

import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.exceptions import ConvergenceWarning
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler, StandardScaler
from specimens import quietly

from rosenblatt import Perceptron, certify, datasets, fit_blocks, novikoff, verify
from rosenblatt.inputs.column_moments import joined_moments, moments

TABLES = {"cancer": load_breast_cancer, "iris": load_iris, "wine": load_wine}


def table(name):
    return TABLES[name](return_X_y=True)


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("keep", ["last", "average", "pocket"])
@pytest.mark.parametrize("form", ["dense", "sparse"])
def test_plain_passes_are_those_of_a_pipeline(name, keep, form):
    X, y = table(name)
    X, scaler = (X, StandardScaler()) if form == "dense" else (sp.csr_array(X), MaxAbsScaler())
    params = {"keep": keep, "max_iter": 3, "settle": "never", "shuffle": False}
    ours = quietly(Perceptron(scale="standard", **params), X, y)
    piped = quietly(make_pipeline(scaler, Perceptron(**params)), X, y)
    np.testing.assert_array_equal(ours.mistakes_, piped[-1].mistakes_)
    scores = piped.decision_function(X)
    np.testing.assert_allclose(ours.decision_function(X), scores, rtol=1e-6, atol=1e-6)


def test_without_a_bias_nothing_is_centred():
    X, y = table("wine")
    params = {"keep": "last", "max_iter": 3, "settle": "never", "fit_intercept": False}
    ours = quietly(Perceptron(scale="standard", **params), X, y)
    piped = quietly(make_pipeline(StandardScaler(with_mean=False), Perceptron(**params)), X, y)
    np.testing.assert_allclose(ours.decision_function(X), piped.decision_function(X), rtol=1e-6)
    assert not ours.intercept_.any()


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("settle", ["auto", "first", "after"])
def test_what_is_decided_is_about_the_columns_as_they_are(name, settle):
    X, y = table(name)
    model = Perceptron(scale="standard", settle=settle).fit(X, y)
    assert (model.stop_reason_ == "separated") == (certify(X, y).verdict == "separable")
    assert model.converged_ == (model.score(X, y) == 1.0)
    assert model.mistake_bounds_[1] == np.sum(model.predict(X) != y)


@pytest.mark.slow
def test_rounding_in_scaled_columns_decides_nothing():
    rng = np.random.RandomState(0)
    for _ in range(60):
        X = rng.randint(-3, 4, (8, 2)) * [1.0, 0.1]
        y = np.resize([0, 1], 8)
        model = quietly(Perceptron(scale="standard"), X, y)
        certificate = certify(X, y)
        assert verify(certificate, X, y)
        wanted = "separated" if certificate.verdict == "separable" else "inseparable"
        assert model.stop_reason_ == wanted


@pytest.mark.parametrize("keep", ["last", "average", "pocket"])
def test_blocks_and_rows_in_memory_are_scaled_alike(keep):
    X, y = datasets.clouds(3000, 4, 0.01, flip=60)
    X = X * [1e-3, 1.0, 1e4, 1e6] + 7
    params = {"scale": "standard", "keep": keep, "max_iter": 2, "settle": "never", "shuffle": False}
    whole = quietly(Perceptron(**params), X, y)
    blocks = [(X[k : k + 500], y[k : k + 500]) for k in range(0, 3000, 500)]
    with pytest.warns(ConvergenceWarning):
        parts = fit_blocks(Perceptron(**params), blocks)
    np.testing.assert_array_equal(parts.mistakes_, whole.mistakes_)
    np.testing.assert_allclose(parts.coef_, whole.coef_, rtol=1e-6)
    assert parts.n_reads_ == 4  # the moments, two passes, a count


def test_moments_of_blocks_are_those_of_all_rows():
    rng = np.random.RandomState(1)
    X = rng.standard_normal((1000, 3)) * [1, 1e-6, 1e6] + [0, 1e3, -1e9]
    whole, parts = moments(X), joined_moments(moments(part) for part in np.array_split(X, 7))
    for one, other in zip(whole[:4], parts[:4], strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-7)
    np.testing.assert_allclose(whole.deviations, X.std(axis=0), rtol=1e-6)


def test_constant_columns_and_columns_of_zeros_stay_as_they_are():
    X, y = table("iris")
    X = np.column_stack((X, np.full(150, 0.1), np.zeros(150)))
    dense, sparse = (Perceptron(scale="standard").fit(M, y > 0) for M in (X, sp.csr_array(X)))
    assert dense.score(X, y > 0) == sparse.score(X, y > 0) == 1.0


def test_a_warm_start_is_in_the_units_of_the_columns():
    X, y = table("cancer")
    model = Perceptron(scale="standard", warm_start=True).fit(X, y)
    before = model.coef_.copy()
    assert model.fit(X, y).n_updates_ == 0
    np.testing.assert_allclose(model.coef_, before, rtol=1e-9)


def test_the_warning_tells_of_columns_of_very_different_size():
    X, y = datasets.clouds(300, 2, 0.1, flip=20)
    plain = Perceptron(settle="never", max_iter=3, min_margin=0)
    with pytest.warns(
        ConvergenceWarning, match=r"scale='standard'.*differ by a factor of 1e4"
    ) as told:
        plain.fit(X * [1, 2e4], y)
    assert str(told[0].message).startswith("Maximum number of iteration reached before convergence")
    with pytest.warns(ConvergenceWarning, match="to a common range.$"):
        plain.fit(X, y)


@pytest.mark.parametrize("params", [{"keep": "vote"}, {"record": True}])
def test_hypotheses_about_scaled_columns_are_not_handed_back(params):
    with pytest.raises(ValueError, match="does not go with scale='standard'; put a StandardScaler"):
        Perceptron(scale="standard", **params).fit(*table("iris"))


def test_a_stream_of_unknown_columns_cannot_be_scaled():
    with pytest.raises(AttributeError, match="scale='standard' needs all rows at once"):
        Perceptron(scale="standard").partial_fit([[1.0], [2.0]], [0, 1], classes=[0, 1])


def test_novikoffs_theorem_is_about_the_scaled_rows():
    X, y = table("cancer")
    assert "made on scaled columns" in str(novikoff(Perceptron(scale="standard").fit(X, y), X, y))


@pytest.mark.parametrize("settle", ["first", "after", "auto"])
def test_a_separator_of_scaled_columns_that_is_none_of_the_columns_is_told(settle):
    X, y = [[1.0, 1.0], [np.nextafter(1, 2), 1.0]], [1, 0]
    with pytest.warns(ConvergenceWarning, match="finer than double precision"):
        model = Perceptron(scale="standard", settle=settle, boundary=-1, max_updates=3).fit(X, y)
    assert not model.converged_
    assert model.stop_reason_ in ("max_iter", "margin", "max_updates")


@pytest.mark.parametrize("kind", [np.array, sp.csr_array])
def test_columns_without_a_reciprocal_are_not_scaled(kind):
    X, y = np.array([[0.0], [-5e-324], [-5e-324], [0.0]]), [0, 1, 0, 1]
    blocks = [(kind(X[:2]), y[:2]), (kind(X[2:]), y[2:])]
    for rule in ("rosenblatt", "pa"):
        params = {"scale": "standard", "settle": "first", "rule": rule, "max_iter": 5}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            models = Perceptron(**params).fit(kind(X), y), fit_blocks(Perceptron(**params), blocks)
        for model in models:
            assert np.isfinite(model.coef_).all()
            assert not model.converged_


def test_columns_too_large_for_their_squares_are_refused_everywhere():
    X, y = [[1e160, 1.0], [3e160, 2], [2e160, 3], [-1e160, 4]], [0, 1, 0, 1]
    for learn in (
        lambda model: model.fit(X, y),
        lambda model: fit_blocks(model, [(X[:2], y[:2]), (X[2:], y[2:])]),
    ):
        with pytest.raises(ValueError, match=r"(is too large|is too long) for floating point"):
            learn(Perceptron(scale="standard"))
