"""Facial reduction: the whole face at once, as floating point sees it, and conflict by conflict."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from specimens import tables

from rosenblatt import certify, verify
from rosenblatt.separability import facial_reduction
from rosenblatt.separability.convex_hull.nearest_point import Nearest
from rosenblatt.separability.floating_point.minimal_face import (
    heaviest,
    minimal_face,
    positive_weights,
)


def step_by_step(monkeypatch):
    monkeypatch.setattr(facial_reduction, "by_nearest_points", lambda *given: None)


@given(tables(), st.booleans())
@settings(max_examples=200)
def test_both_ways_give_one_verdict(table, fit_intercept):
    X, y = table
    quick = certify(X, y, fit_intercept=fit_intercept)
    with pytest.MonkeyPatch.context() as patched:
        step_by_step(patched)
        slow = certify(X, y, fit_intercept=fit_intercept)
    assert quick.verdict == slow.verdict
    assert verify(quick, X, y)


@pytest.mark.parametrize("seed", range(20))
def test_faces_of_many_steps(seed, monkeypatch):
    """Every column is lit only in rows that the columns before do not tell apart."""
    rng = np.random.RandomState(seed)
    X, y = np.zeros((60, 12)), rng.choice([-1, 1], 60)
    for j in range(12):
        rows = rng.choice(60, 5 * (j + 1))
        X[rows, j] = rng.randint(-3, 4, len(rows)) * 2.0 ** rng.randint(-8, 8)
    quick = certify(X, y)
    assert verify(quick, X, y)
    step_by_step(monkeypatch)
    assert certify(X, y).verdict == quick.verdict != "separable"


def test_the_face_takes_in_conflict_after_conflict():
    """Rows ±a are in conflict, and with them b + a and a - b; only c is told apart."""
    a, b, c = np.eye(3)
    Z = np.array([a, -a, (a + b) / np.sqrt(2), (a - b) / np.sqrt(2), c])
    face = minimal_face(Z, np.array([0, 1]))
    assert sorted(face.rows.tolist()) == [0, 1, 2, 3]
    np.testing.assert_allclose(Z @ face.x, [0, 0, 0, 0, 1], atol=1e-12)
    weights = positive_weights(Z[face.rows])
    np.testing.assert_allclose(weights @ Z[face.rows], 0, atol=1e-12)
    assert weights.min() >= 1
    assert minimal_face(Z[:4], np.array([0, 1])).x is None


def test_rows_of_hardly_any_weight_do_not_join_the_face():
    """Rounding may let them in, though a weak separator gets them right."""
    weights = np.array([0.5, 0.4, 0.1 - 1e-5, 1e-5])
    for length, rows in ((1e-16, [4, 5, 6, 7]), (1e-9, [4, 5, 6]), (1.0, [4])):
        near = Nearest(np.array([length, 0.0]), np.array([4, 5, 6, 7]), weights)
        assert heaviest(near, 0.5).tolist() == rows
    assert heaviest(near._replace(x=np.array([1e-6])), 1.0).tolist() == [4, 5, 6, 7]
