"""Rows in the way."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from specimens import csr, tables

from rosenblatt import certify, datasets, obstacles


def assert_frees(X, y, rows, **given):
    """What is left without them is separable."""
    left = np.setdiff1d(np.arange(len(y)), rows)
    assert len(left)
    if len(set(y[left].tolist())) == 2:
        assert certify(X[left], y[left], **given).verdict == "separable"


@pytest.mark.parametrize("seed", range(5))
def test_one_flipped_label_is_that_row(seed):
    X, y = datasets.clouds(500, 5, 0.1, random_state=seed)
    assert obstacles(X, y).tolist() == []
    y[7 * seed] *= -1
    assert obstacles(X, y).tolist() == obstacles(csr(X), y).tolist() == [7 * seed]


@given(tables(), st.booleans())
def test_without_them_the_rest_is_separable(table, fit_intercept):
    X, y = table
    rows = obstacles(X, y, fit_intercept=fit_intercept)
    assert rows.tolist() == sorted(set(rows.tolist()))
    if not fit_intercept:  # a zero row is always in the way
        zero = np.flatnonzero(~X.any(axis=1))
        assert set(zero) <= set(rows)
    if len(rows) < len(y):
        assert_frees(X, y, rows, fit_intercept=fit_intercept)
    if not len(rows):
        assert certify(X, y, fit_intercept=fit_intercept).verdict == "separable"


@pytest.mark.parametrize("flip", [5, 40])
def test_several_flipped_labels(flip):
    X, y = datasets.clouds(400, 4, 0.05, flip=flip)
    rows = obstacles(X, y)
    assert 0 < len(rows) <= 3 * flip
    assert_frees(X, y, rows)


def test_iris_and_columns_of_any_scale():
    X, y = load_iris(return_X_y=True)
    X, y = X[50:], y[50:]
    for scale in (1.0, np.array([1e6, 1e-6, 1, 1e3])):
        rows = obstacles(X * scale, y)
        assert 0 < len(rows) <= 5
        assert_frees(X * scale, y, rows)


def test_more_classes_are_refused():
    with pytest.raises(ValueError, match="two at a time"):
        obstacles([[1], [2], [3]], [0, 1, 2])
