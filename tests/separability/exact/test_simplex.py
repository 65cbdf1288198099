"""Exact arithmetic from end to end: products, contradictions, frames, and the simplex method."""

from fractions import Fraction

import naive
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import make_classification
from specimens import csr, quietly, tables

from rosenblatt import Perceptron, certify, verify
from rosenblatt.core.vectors import store, take
from rosenblatt.inputs.validation import rows_of
from rosenblatt.separability.exact import compensated_products, integer_basis, rational, simplex
from rosenblatt.separability.exact.contradictions import find_contradictions
from rosenblatt.separability.exact.simplex import Circuit, Separated, SignedRows

floats = st.floats(-1e150, 1e150)


def table_of(X, y, bias=1.0):
    primal = store(np.asarray(X, float), bias)
    return SignedRows.of(primal, rows_of(primal, np.asarray(y)))


# -- Twofold precision -----------------------------------------------------------------------------


@given(st.lists(st.tuples(floats, floats, st.floats(-1, 1)), min_size=1, max_size=9))
def test_products_in_twofold_precision_are_off_by_less_than_they_say(terms):
    z, high, share = map(np.array, zip(*terms, strict=True))
    low = share * np.spacing(high) / 2
    with np.errstate(all="ignore"):
        value, error = compensated_products.products(z[None], high, low)
    terms = zip(z, high, low, strict=True)
    exactly = sum(Fraction(a) * (Fraction(h) + Fraction(v)) for a, h, v in terms)
    if np.isfinite(value[0]):
        assert abs(Fraction(value[0]) - exactly) <= Fraction(error[0]) + Fraction(1e-300)


def test_terms_that_cancel_keep_their_digits():
    Z = np.array([[1e16, 1.0, -1e16], [1e16, 2.0**-60, -1e16]])
    value, error = compensated_products.products(Z, np.ones(3), np.zeros(3))
    assert value.tolist() == [1.0, 2.0**-60]
    assert (error < 1e-12).all()


# -- Contradictions --------------------------------------------------------------------------------


@given(tables(), st.sampled_from([np.asarray, csr]))
def test_contradictory_rows_are_those_that_are_equal(table, kind):
    X, codes = table
    y = 2 * codes - 1
    primal = store(kind(X), 1.0)
    pairs = find_contradictions(primal, rows_of(primal, y))
    both = {tuple(x) for x in X[y == 1].tolist()} & {tuple(x) for x in X[y == -1].tolist()}
    assert len(pairs) == len(both)
    for i, j in pairs:
        assert (X[i] == X[j]).all()
        assert y[i] != y[j]


def test_stored_zeros_and_signs_of_zero_do_not_hide_a_contradiction():
    S = sp.csr_array(([1.0, 0.0, 1.0], [1, 0, 1], [0, 2, 3]), shape=(2, 3))
    assert sorted(certify(S, [0, 1]).conflict.rows) == [0, 1]
    assert sorted(certify([[-0.0, 1], [0.0, 1]], [0, 1]).conflict.rows) == [0, 1]


# -- The simplex method ----------------------------------------------------------------------------


@given(tables(), st.booleans(), st.randoms())
def test_the_simplex_method_decides_from_any_rows(table, bias, random):
    X, codes = table
    y = 2 * codes - 1
    keep = X.any(axis=1) | bias
    if not keep.any():
        return
    X, y = X[keep], y[keep]
    given = table_of(X, y, float(bias))
    order = np.array(random.sample(range(len(X)), random.randint(1, len(X))))
    Z = naive.signed_rows(X, y, bias)
    for found in (simplex.settle(given, order, 200), integer_basis.refine(given, order, 200)):
        if naive.quick_verdict(X, y, bias) == "separable":
            assert isinstance(found, Separated)
            assert all(sum(a * b for a, b in zip(z, found.w, strict=False)) > 0 for z in Z)
        else:
            assert isinstance(found, Circuit)
            assert min(found.weights) > 0
            columns = zip(*(Z[i] for i in found.rows), strict=True)
            assert not any(
                sum(a * b for a, b in zip(found.weights, c, strict=True)) for c in columns
            )


def test_hypotheses_vanish_on_fixed_rows():
    X, y = np.array([[0.0, 1], [0, 3], [1, 5], [2, -7], [-1, 0.1]]), [1, -1, 1, 1, -1]
    given = table_of(X, y)
    given = given._replace(rows=given.rows._replace(train=np.array([2, 3, 4], np.uint32)))
    for found in (
        simplex.settle(given, np.array([0, 1, 2]), 50, fixed=2),
        integer_basis.refine(given, np.array([2]), 50, fixed=np.array([0, 1])),
    ):
        sides = [rational.exact_dot(z, found.w) for z in take(given.primal, np.arange(5)).tolist()]
        assert sides[:2] == [0, 0]
        assert min(sides[2], sides[3], -sides[4]) > 0


def test_both_ways_of_the_arithmetic(monkeypatch):
    X, y = make_classification(60, 6, n_informative=3, n_redundant=3, random_state=1)
    wanted = certify(X, y)
    monkeypatch.setattr(rational, "flint", lambda: None)
    assert certify(X, y) == wanted


def test_a_frame_in_whole_numbers_spreads_what_is_nearly_dependent():
    x = np.random.RandomState(0).standard_normal((40, 3))
    Z = np.column_stack((x, x @ [0.1, 0.2, 0.3], x[:, 0] / 3 * 1e200))
    rows = rational.whole_rows(Z)[0]
    T, _ = integer_basis.unit_rows(rows, integer_basis.whiten(rows))
    assert np.linalg.cond(Z / np.abs(Z).max(axis=0)) > 1e15
    assert np.linalg.cond(T) < 1e3


# -- Tables that people have -----------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("n", "d"), [(100, 20), (300, 20), (1000, 20)])
def test_made_up_tables_are_decided(n, d, seed):
    X, y = make_classification(n, d, random_state=seed)
    assert verify(certify(X, y), X, y)


def derived(A):
    total = np.abs(A).sum(axis=1, keepdims=True)
    yield from (A[:, :1] + A[:, 1:2], 1.8 * A[:, :1] + 32, A[:, :1] * 3, A[:, :1] / 7)
    yield from (A.mean(axis=1, keepdims=True), np.abs(A) / total, A[:, :1] * 2.54)


def test_tables_with_derived_columns_are_decided():
    rng = np.random.default_rng(1)
    A = rng.normal(size=(100, 4)).round(2)
    y = np.where(A @ rng.normal(size=4) + 0.3 * rng.normal(size=100) > 0, 1, 0)
    for more in derived(A):
        X = np.column_stack((A, more))
        found = certify(X, y)
        assert found.verdict == "overlapping"
        assert verify(found, X, y)


@pytest.mark.parametrize("n", [5, 13, 20, 30])
def test_the_hilbert_matrix_is_separable(n):
    X, y = 1 / (np.arange(n)[:, None] + np.arange(n) + 1.0), np.arange(n) % 2
    found = certify(X, y)
    assert found.verdict == "separable"
    assert found.margin > 0
    assert verify(found, X, y)


def test_a_separator_finer_than_floats_is_told_and_not_claimed():
    n = 30
    X, y = 1 / (np.arange(n)[:, None] + np.arange(n) + 1.0), np.arange(n) % 2
    with pytest.warns(match="finer than double precision"):
        model = Perceptron(max_iter=5).fit(X, y)
    assert not model.converged_
    assert model.stop_reason_ == "max_iter"
    assert not quietly(Perceptron(settle="first", max_iter=5), X, y).converged_


# -- Columns that depend on others -----------------------------------------------------------------


def test_dependent_columns_are_named():
    X, y = make_classification(200, 6, n_informative=3, n_redundant=2, shuffle=False, flip_y=0.2)
    found = certify(np.column_stack((X, X[:, 0] / 7 + 1)), y).dependence()
    three = ["x0", "x1", "x2"]
    assert found.columns == {"x3": three, "x4": three, "x6": ["intercept", "x0"]}
    assert found.verdict == certify(X[:, [0, 1, 2, 5]], y).verdict
    assert certify(X[:, :3], y).dependence() is None
    S = sp.csr_array(np.column_stack((X, X[:, 0] / 7 + 1)))
    assert certify(S, y).dependence() == found


def test_rounding_errors_alone_can_separate():
    x = np.repeat([0.1, 0.2, 0.3, 0.7], 2)
    X = np.column_stack((x, x * 3))
    X[::2, 1] = np.nextafter(X[::2, 1], 9)
    found = certify(X, np.arange(8) % 2)
    assert found.verdict == "separable"
    assert found.dependence() == ({"x1": ["x0"]}, "overlapping")


def test_columns_that_are_constant_depend_on_the_intercept():
    found = certify([[1, 5], [1, 5]], [0, 1]).dependence()
    assert found == ({"x0": ["intercept"], "x1": ["intercept"]}, "overlapping")
    assert certify([[1, 0], [2, 0]], [0, 1], fit_intercept=False).dependence().columns == {"x1": []}
