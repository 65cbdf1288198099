"""What a kernel perceptron says where training ends without separating."""

import itertools
import warnings
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning

from rosenblatt import KernelPerceptron, certify, datasets
from rosenblatt.kernels import cholesky
from rosenblatt.separability.exact.monomials import exact_product, monomials


def fitted(X, y, **params):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return KernelPerceptron(**({"max_iter": 20} | params)).fit(X, y)


@pytest.mark.parametrize("kernel", ["linear", "poly", "rbf", "laplacian", "sigmoid", "cosine"])
@pytest.mark.parametrize("labels", [[0, 1, 1, 0], [0, 1, 2, 0]])
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_contradictory_rows_refute_every_kernel(kernel, labels, form):
    X = np.array([[1.0, 2.0], [0.5, -1.0], [3.0, 1.0], [0.5, -1.0]])
    model = fitted(form(X), labels, kernel=kernel)
    assert model.stop_reason_ == "inseparable"
    assert not model.converged_
    rows, weights, *rivals = model.conflict_
    assert sorted(rows.tolist()) == [1, 3]
    assert weights == [Fraction(1, 2)] * 2
    assert [r.tolist() for r in rivals] == (
        [[labels[i] for i in rows[::-1]]] if 2 in labels else []
    )


def test_a_polynomial_of_too_low_a_degree_is_refuted():
    X, y = datasets.xor()
    assert fitted(X, y, kernel="poly", degree=1).stop_reason_ == "inseparable"
    assert fitted(X, y, kernel="linear").stop_reason_ == "inseparable"
    assert fitted(X, y, kernel="poly", degree=2).stop_reason_ == "separated"
    line = np.arange(8.0)[:, None]
    for degree in (1, 2):
        model = fitted(line, [0, 0, 1, 1, 0, 0, 1, 1], kernel="poly", degree=degree)
        assert model.stop_reason_ == "inseparable"
    model = fitted(line, [0, 0, 1, 1, 2, 0, 1, 1], kernel="poly", degree=2)
    assert model.stop_reason_ == "inseparable"


@pytest.mark.parametrize("seed", range(10))
def test_polynomials_are_decided_like_their_monomials(seed):
    rng = np.random.RandomState(seed)
    X, y = rng.randint(-3, 4, (14, 2)) / 2, rng.randint(2, size=14)
    table = np.column_stack((X, X[:, 0] ** 2, X[:, 0] * X[:, 1], X[:, 1] ** 2))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = KernelPerceptron("poly", 1.0, 2, max_iter=3).fit(X, y)
    wanted = certify(table, y).verdict
    assert (model.stop_reason_ == "inseparable") == (wanted != "separable")


def test_without_a_conflict_the_warning_says_what_is_known():
    X, y = datasets.xor()
    assert fitted(X, y, kernel="rbf", gamma=1e-6, max_iter=1).converged_
    with pytest.warns(ConvergenceWarning, match="some function of this kernel separates them"):
        KernelPerceptron("poly", 1.0, 2, max_iter=1).fit(X, y)
    with pytest.warns(ConvergenceWarning, match="its monomials are not exact"):
        KernelPerceptron("poly", 1.0, 2, max_iter=1).fit(X + 0.1, y)
    with pytest.warns(ConvergenceWarning, match="it has more than 1000 monomials"):
        KernelPerceptron("poly", 1.0, 12, max_iter=1).fit(np.hstack([X] * 5), y)
    with pytest.warns(ConvergenceWarning, match="cannot be decided exactly for this kernel"):
        KernelPerceptron("precomputed", max_iter=1).fit(X @ X.T, y)


def test_monomials_are_all_products_of_so_many_features():
    X = np.array([[2.0, 3.0, -5.0]])
    every = [
        np.prod(c) for n in (1, 2, 3) for c in itertools.combinations_with_replacement(X[0], n)
    ]
    assert sorted(monomials(X, 3, lower=True)[0].tolist()) == sorted(every)
    assert sorted(monomials(X, 3, lower=False)[0].tolist()) == sorted(every[-10:])


def test_a_vote_may_be_right_where_no_function_is():
    """A row that every hypothesis scores 0 is voted into the class that ties go to."""
    model = KernelPerceptron("linear", fit_intercept=False, keep="vote", min_margin=0, max_iter=5)
    model.fit([[1.0], [0.0]], [0, 1])
    assert (model.stop_reason_, model.converged_) == ("inseparable", True)
    assert model.predict([[1.0], [0.0]]).tolist() == [0, 1]


def test_rounded_products_are_not_exact():
    a = np.array([0.1, 0.5, 3.0, 2.0**-600, 1e200, 0.0])
    for x, y in itertools.product(a.tolist(), repeat=2):
        found = exact_product(np.array([x]), np.array([y]))
        true = Fraction(x) * Fraction(y)
        assert found is None or Fraction(found[0]) == true
    assert exact_product(a[1:3], a[1:3]).tolist() == [0.25, 9.0]
    assert exact_product(a[:1], a[:1]) is None


# -- One linear solve ------------------------------------------------------------------------------


@pytest.mark.parametrize("kernel", ["rbf", "laplacian"])
@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("cache_size", [200, 0.1])
def test_one_solve_separates_where_passes_are_slow(kernel, classes, cache_size):
    rng = np.random.RandomState(0)
    X, y = rng.randn(300, 3), rng.randint(classes, size=300)
    model = fitted(X, y, kernel=kernel, gamma=3.0, max_iter=1, cache_size=cache_size)
    assert (model.stop_reason_, model.converged_, model.score(X, y)) == ("separated", True, 1.0)
    assert certify(X, y, kernel=kernel).verdict == "separable"


def test_what_double_precision_cannot_hold_is_not_called_separated():
    rng = np.random.RandomState(0)
    X, y = rng.randn(400, 2), rng.randint(2, size=400)
    with pytest.warns(ConvergenceWarning, match="its steps are beyond double precision"):
        model = KernelPerceptron("rbf", 0.05, max_iter=5).fit(X, y)
    assert not model.converged_
    with pytest.warns(ConvergenceWarning, match="which more passes would find"):
        KernelPerceptron("rbf", 3.0, max_iter=1, keep="average").fit(X, y)


@pytest.mark.parametrize("n", [1, 2, 7, 60])
def test_the_factor_solves_what_linear_algebra_solves(n):
    rng = np.random.RandomState(n)
    A = rng.randn(n, n)
    A, B = A @ A.T + np.eye(n), rng.randn(n, 3)
    L, X = A.copy(), B.copy()
    assert cholesky.factor(L)
    cholesky.substitute(L, X)
    np.testing.assert_allclose(np.tril(L), np.linalg.cholesky(A), atol=1e-10)
    np.testing.assert_allclose(X, np.linalg.solve(A, B), atol=1e-8)
    assert not cholesky.factor(A - 2 * np.linalg.eigvalsh(A)[-1] * np.eye(n))


def test_what_one_solve_found_narrows_no_bound_of_partial_fit():
    for seed in range(10):
        X, y = datasets.moons(60, random_state=seed)
        model = KernelPerceptron(gamma=20.0, max_iter=1).fit(X, y)
        for part in np.split(np.arange(60), 4):
            model.partial_fit(X[part], y[part])
        K = np.exp(-20.0 * ((X[:, None] - X) ** 2).sum(axis=2)) + 1.0
        sure = 1 / np.sqrt(y @ np.linalg.solve(K, y))  # a margin that some function has
        assert sure <= model.margin_bounds_[1] * model.radius_ * (1 + 1e-9)
