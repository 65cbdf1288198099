"""A short search for linear machines with few mistakes."""

import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_digits, load_iris, load_wine, make_classification
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from specimens import quarters

from rosenblatt import Perceptron, fit_blocks
from rosenblatt.separability.counting.line_search import NARROW, best_joint_step
from rosenblatt.separability.several_classes.fewer_mistakes import Searched


@st.composite
def lines(draw):
    """Scores of some classes, how they change along a line, own classes and costs."""
    n, k = draw(st.integers(1, 6)), draw(st.integers(2, 4))
    row = st.lists(quarters, min_size=k, max_size=k)
    F, G = (np.array(draw(st.lists(row, min_size=n, max_size=n))) for _ in range(2))
    own = draw(st.lists(st.integers(0, k - 1), min_size=n, max_size=n))
    cost = draw(st.lists(st.sampled_from([1.0, 2.0, 0.5]), min_size=n, max_size=n))
    return F, G, np.array(own), np.array(cost)


def mistakes(F, own, cost):
    """What it costs that other classes lead or tie, row by row."""
    wrong = [max(v for r, v in enumerate(f) if r != y) >= f[y] for f, y in zip(F, own, strict=True)]
    return cost[np.array(wrong)].sum()


@given(lines(), st.sampled_from([0.25, 1.0, 100.0]))
def test_no_step_along_a_line_costs_less(line, reach):
    F, G, own, cost = line
    step = best_joint_step(F, G, own, cost, reach)
    ends = [-a / b for f, g in zip(F, G, strict=True) for a, b in differences(f, g) if b]
    ends = np.unique([t for t in [*ends, -reach, reach] if abs(t) <= reach])
    middles = (ends[1:] + ends[:-1])[np.diff(ends) > 2 * NARROW] / 2
    assert all(mistakes(F + t * G, own, cost) >= step.mistakes for t in middles)
    assert abs(step.t) < reach
    there = Searched(F + step.t * G, own, cost, F.shape[1]).mistakes(np.eye(F.shape[1]))
    assert mistakes(F + step.t * G, own, cost) == there == step.mistakes


def differences(f, g):
    return [(f[y] - f[r], g[y] - g[r]) for y in range(len(f)) for r in range(len(f))]


def noisy(X, y, share=0.1):
    """The same rows, some of whose labels are drawn anew."""
    rng = np.random.default_rng(0)
    return X, np.where(rng.random(len(y)) < share, rng.integers(0, y.max() + 1, len(y)), y)


TABLES = {
    "iris, two columns": lambda: (load_iris().data[:, :2], load_iris().target),
    "wine": lambda: noisy(*load_wine(return_X_y=True)),
    "digits": lambda: noisy(*load_digits(return_X_y=True)),
    "made up": lambda: make_classification(900, 12, n_informative=8, n_classes=5, random_state=1),
}


@pytest.mark.parametrize("name", TABLES)
def test_several_classes_are_fitted_no_worse_than_by_logistic_regression(name):
    X, y = TABLES[name]()
    X = (X - X.mean(axis=0)) / np.maximum(X.std(axis=0), 1e-9)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        peer = LogisticRegression(max_iter=200).fit(X, y).score(X, y)
    model = Perceptron().fit(X, y)
    assert model.stop_reason_ == "inseparable"
    assert model.score(X, y) >= peer
    assert model.mistake_bounds_[1] == np.count_nonzero(model.predict(X) != y)


def test_dense_sparse_and_streamed_rows_lead_to_the_same_machine():
    X, y = TABLES["made up"]()
    model = Perceptron().fit(X, y)
    assert model.settled_
    assert np.allclose(Perceptron().fit(sp.csr_array(X), y).coef_, model.coef_)
    blocks = [(X[k : k + 100], y[k : k + 100]) for k in range(0, len(y), 100)]
    assert fit_blocks(Perceptron(), blocks).mistake_bounds_[1] <= 1.1 * model.mistake_bounds_[1]
