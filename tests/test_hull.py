"""The point of a convex hull nearest to the origin."""

import numpy as np
import pytest
from hypothesis import given
from scipy.optimize import nnls
from specimens import tables

from rosenblatt.hull import VANISHED, nearest_point


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
