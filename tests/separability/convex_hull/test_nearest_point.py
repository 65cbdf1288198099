"""The point of a convex hull nearest to the origin."""

import numpy as np
import pytest
from hypothesis import given
from scipy.optimize import nnls
from specimens import tables

from rosenblatt import datasets
from rosenblatt.separability.convex_hull.nearest_point import (
    MANY_IN_HULL,
    VANISHED,
    nearest_point,
    nearest_points,
)


def unit(Z):
    return Z / np.linalg.norm(Z, axis=1, keepdims=True)


def shortest(Z):
    """The length of the shortest convex combination, by least squares without negative weights."""
    weights, _ = nnls(np.vstack((Z.T, np.ones(len(Z)))), np.append(np.zeros(Z.shape[1]), 1.0))
    return float(np.linalg.norm(weights @ Z) / weights.sum()) if weights.any() else 0.0


def assert_nearest(U):
    found = nearest_point(U, gap=1e-9)
    np.testing.assert_allclose(found.weights @ U[found.corral], found.x, atol=1e-12)
    assert found.weights.min() > 0
    assert found.weights.sum() == pytest.approx(1)
    assert len(set(found.corral.tolist())) == len(found.corral) <= U.shape[1] + 1
    assert np.linalg.norm(found.x) == pytest.approx(shortest(U), abs=1e-7)
    return found


@given(tables())
def test_no_combination_is_shorter(table):
    X, y = table
    assert_nearest(unit(np.column_stack((X, np.ones(len(X)))) * (2 * y - 1)[:, None]))


@pytest.mark.parametrize("seed", range(20))
def test_no_combination_of_many_rows_is_shorter(seed):
    rng = np.random.RandomState(seed)
    assert_nearest(unit(rng.standard_normal((200, 6)) + rng.choice([0, 0.5, 2]) * np.eye(6)[0]))


@pytest.mark.parametrize("shift", [0.0, 0.5, 2.0])
@pytest.mark.parametrize("d", [3, 40])
def test_rows_looked_at_by_shares_have_the_point_of_those_looked_at_together(d, shift):
    rng = np.random.RandomState(d)
    U = unit(rng.standard_normal((5 * MANY_IN_HULL + 3, d)) + shift * np.eye(d)[0])
    found = nearest_point(U, gap=1e-9)
    support = np.union1d(found.corral, np.arange(MANY_IN_HULL - d - 1))  # few enough for one look
    together = nearest_point(U[support], gap=1e-9)
    vanished = found.x @ found.x <= VANISHED**2
    assert vanished == (together.x @ together.x <= VANISHED**2)
    if not vanished:
        assert (U @ found.x).min() >= (1 - 2e-9) * (found.x @ found.x)
        np.testing.assert_allclose(found.x, together.x, atol=1e-7)
    np.testing.assert_allclose(found.weights @ U[found.corral], found.x, atol=1e-12)


def test_a_hull_around_the_origin_vanishes():
    found = assert_nearest(np.vstack((np.eye(4), -unit(np.ones((1, 4))))))
    assert np.linalg.norm(found.x) <= VANISHED
    assert sorted(found.corral) == [0, 1, 2, 3, 4]


def test_opposite_rows_are_found_among_others():
    z = [-0.89113279, 0.06854868, -0.44853476]
    U = [[-0.69282032, -0.47964484, 0.53846154], [0, 0.53293871, 0.84615385], z]
    U = unit(np.array([*U[:2], [-0.37696852, 0.89892493, -0.22322346], z, np.negative(z)]))
    found = assert_nearest(U)
    assert sorted(found.corral) == [3, 4]


@pytest.mark.parametrize("U", [[[1.0, 0]], [[1.0, 0]] * 3, [[1.0, 0], [0, 1.0], [0, 1.0]]])
def test_single_and_repeated_rows(U):
    assert_nearest(np.array(U))


# -- Two hulls -------------------------------------------------------------------------------------


@given(tables())
def test_two_hulls_are_one_of_differences(table):
    X, y = table
    U, V = X[y == 1] / 16, X[y == 0] / 16
    D = (U[:, None] - V[None]).reshape(-1, X.shape[1])
    found, least = nearest_points(U, V, gap=1e-9), shortest(D)
    if least < 1e-6:  # then they are not apart, and nothing is said of them
        return
    i, j = found.corral.T
    np.testing.assert_allclose(found.weights @ (U[i] - V[j]), found.x, atol=1e-12)
    assert np.linalg.norm(found.x) == pytest.approx(least, rel=1e-6)
    assert found.weights.min() > 0
    assert found.weights.sum() == pytest.approx(1)


@pytest.mark.parametrize("margin", 10.0 ** -np.arange(1, 10))
@pytest.mark.parametrize("d", [3, 10, 30])
def test_fine_margins_keep_their_digits(d, margin):
    X, y = datasets.clouds(20 * d, d, margin, tight=True)
    U = unit(X * y[:, None])
    found = nearest_point(U, gap=1e-6)
    assert (U @ found.x).min() >= (1 - 2e-6) * (found.x @ found.x)


@pytest.mark.parametrize("seed", range(5))
def test_columns_keep_their_digits_each_to_its_own_scale(seed):
    X, y = datasets.clouds(200, 10, 0.01, random_state=seed)
    X = X * 2.0 ** np.random.RandomState(seed).choice([-30, 0, 30], 10) / 2.0**33
    U, V = X[y > 0], X[y < 0]
    found = nearest_points(U, V, gap=1e-6)
    products = (U @ found.x).min() - (V @ found.x).max()
    assert products >= (1 - 1e-4) * (found.x @ found.x) > 0


def test_it_goes_on_from_what_is_known():
    X, y = datasets.clouds(400, 8, 0.01)
    U = unit(X * y[:, None])
    first = nearest_point(U[:100], gap=1e-9)
    again, anew = nearest_point(U, gap=1e-9, known=first), nearest_point(U, gap=1e-9)
    np.testing.assert_allclose(again.x, anew.x, rtol=1e-6)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_it_ends_whatever_the_numbers(bad):
    U = np.array([[1.0, 0], [bad, 1.0], [0, 1.0]])
    assert len(nearest_point(U, gap=1e-9).corral)
