"""The maximum margin."""

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.svm import SVC
from specimens import csr, tables
from test_hull import shortest

from rosenblatt import datasets, max_margin


def assert_bracket(found, X, y, fit_intercept=True):
    """The margin is that of the separator, and not above its bound."""
    full = naive.augment(X, fit_intercept)
    w = np.append(found.w, found.b)
    assert found.margin <= found.upper
    assert (y * (full @ w)).min() == pytest.approx(1)
    assert 1 / np.linalg.norm(w) == pytest.approx(found.margin)
    assert fit_intercept or found.b == 0


@given(tables(), st.booleans())
def test_no_separator_is_wider(table, fit_intercept):
    X, codes = table
    y = 2 * codes - 1
    Z = naive.augment(X, fit_intercept) * y[:, None]
    if shortest(Z) < 1e-6:
        with pytest.raises(ValueError, match="not separable"):
            max_margin(X, y, fit_intercept=fit_intercept)
        return
    found = max_margin(X, y, fit_intercept=fit_intercept)
    assert_bracket(found, X, y, fit_intercept)
    assert found.margin == pytest.approx(shortest(Z), rel=2e-6)
    assert found.upper == pytest.approx(found.margin, rel=2e-6)
    assert len(found.support)


@pytest.mark.parametrize("kind", [np.asarray, csr, lambda X: X.astype(np.float32)])
@pytest.mark.parametrize(("n", "d"), [(40, 2), (400, 5), (30, 60)])
def test_it_is_that_of_a_support_vector_machine(n, d, kind):
    X, y = datasets.clouds(n, d, 0.2)
    X = X.astype(np.float32).astype(float)
    found = max_margin(kind(X), y)
    full = naive.augment(X)  # a margin in the space of (x, 1) has no other bias
    machine = SVC(kernel="linear", C=1e10, tol=1e-6).fit(np.vstack((full, -full)), np.append(y, -y))
    np.testing.assert_allclose(np.append(found.w, found.b), machine.coef_[0], rtol=2e-3, atol=2e-4)
    assert set(found.support) <= set((machine.support_ % n).tolist())
    assert_bracket(found, X, y)


@pytest.mark.parametrize(
    ("load", "gap"),
    [(load_iris, 1e-6), (load_breast_cancer, 0.1)],  # where rounding does not allow more
)
def test_real_data(load, gap):
    X, y = load(return_X_y=True)
    y = np.where(y == 0, -1, 1)
    found = max_margin(X, y)
    assert_bracket(found, X, y)
    assert found.margin >= (1 - gap) * found.upper


@pytest.mark.parametrize("margin", [1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-13])
def test_margins_of_all_sizes_stay_below_their_bound(margin):
    X = np.array([[0.0, 1.0], [margin, 1.0], [0.0, -3.0], [margin, 2.0], [5.0, 1.0]])
    y = np.array([-1, 1, -1, 1, 1])
    assert_bracket(max_margin(X, y), X, y)


def test_a_tolerance_is_kept_with_repeated_rows():
    X, y = datasets.clouds(100, 3, 0.1)
    X, y = np.vstack((X, X)), np.append(y, y)
    for tol in (0.5, 1e-3, 1e-9, 1e-15):
        found = max_margin(X, y, tol=tol)
        assert_bracket(found, X, y)
        assert found.margin >= (1 - max(tol, 1e-9)) * found.upper


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (*datasets.xor(), "rows .* are in conflict"),
        ([[1], [2], [3]], [0, 1, 2], "3 classes"),
        ([[1], [2]], [1, 1], "one class"),
        ([[1e200], [-1e200]], [0, 1], "scale"),
    ],
)
def test_what_is_refused(X, y, message):
    with pytest.raises(ValueError, match=message):
        max_margin(X, y)


@pytest.mark.parametrize("tol", [0, -1, 1, "small"])
def test_a_tolerance_is_between_0_and_1(tol):
    with pytest.raises(ValueError, match="tol"):
        max_margin(*datasets.textbook(), tol=tol)
