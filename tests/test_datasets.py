"""Embedded and generated data."""

import numpy as np
import pytest

from rosenblatt import datasets


def test_credit_is_separable_by_the_stated_line():
    X, y = datasets.credit()
    side = X @ [1, 2, -3] - 60
    assert X.shape == (200, len(datasets.CREDIT_FEATURES))
    assert ((side > 0) == (y == "yes")).all()
    assert np.abs(side).min() >= 5


def normal_of(n, d, seed):
    """The hyperplane behind clouds(n, d, …, random_state=seed)."""
    rng = np.random.RandomState(seed)
    rng.standard_normal((n, d))
    normal = rng.standard_normal(d)
    return normal / np.linalg.norm(normal)


@pytest.mark.parametrize("tight", [False, True])
def test_clouds_keep_their_margin(tight):
    X, y = datasets.clouds(500, 6, 0.1, tight=tight, random_state=3)
    margins = y * (X @ normal_of(500, 6, 3))
    assert margins.min() == pytest.approx(0.1, abs=0.01 if not tight else 1e-12)
    assert margins.min() >= 0.1 - 1e-12
    assert np.count_nonzero(np.isclose(margins, 0.1, atol=1e-12)) == (250 if tight else 0)


def test_flipped_labels_are_on_the_wrong_side():
    X, y = datasets.clouds(300, 4, 0.1, flip=7)
    assert np.count_nonzero(y * (X @ normal_of(300, 4, 0)) < 0) == 7


def test_a_seed_decides_the_clouds():
    one, same, other = (datasets.clouds(20, 3, 0.1, random_state=s)[0] for s in (0, 0, 1))
    assert (one == same).all()
    assert (one != other).any()


@pytest.mark.parametrize("make", [datasets.textbook, datasets.xor, datasets.moons])
def test_small_sets_have_both_classes(make):
    X, y = make()
    assert X.ndim == 2
    assert len(X) == len(y)
    assert set(y.tolist()) == {-1, 1}


def test_circles_have_the_inner_one_positive():
    X, y = datasets.circles(noise=0.0)
    radius = np.linalg.norm(X, axis=1)
    assert radius[y == 1].max() < radius[y == -1].min()
