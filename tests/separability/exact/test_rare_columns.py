"""Rows that rare columns separate are set aside; verdicts are those of asking about all rows."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from specimens import tables

from rosenblatt import certify, checker, verify
from rosenblatt.core.vectors import store
from rosenblatt.inputs.validation import rows_of
from rosenblatt.separability import decide, facial_reduction
from rosenblatt.separability.exact import rare_columns
from rosenblatt.separability.exact.certainty import exact_signs
from rosenblatt.separability.exact.confirmation import cancels


def of_all_rows(patched):
    for module in (decide, facial_reduction):
        patched.setattr(module, "remainder", lambda *given: None)


def rest_of(X, y):
    primal = store(X, 1.0)
    return rare_columns.remainder(primal, rows_of(primal, y))


def images(seed, separable=False):
    """Whole numbers from 0 to 255, a fifth of them not zero, in 160 columns that are common and 60
    that are rare: each is lit in a few rows, of one class but for those lit in the one before."""
    rng = np.random.RandomState(seed)
    n, common, rare = 900, 160, 60
    X = np.zeros((n, common + rare + 20))  # the last are always zero
    X[:, :common] = rng.randint(0, 256, (n, common)) * (rng.rand(n, common) < 0.2)
    y = np.sign(X[:, :common] @ rng.randn(common)) if separable else rng.choice([-1, 1], n)
    y[y == 0] = 1
    for k in range(rare):
        own = np.flatnonzero(y == rng.choice([-1, 1]))
        lit = rng.choice(own, 3)
        if k % 3:
            lit = np.append(lit, np.flatnonzero(X[:, common + k - 1])[:2])
        X[lit, common + k] = rng.randint(1, 256, len(lit))
    return X, y.astype(int)


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("separable", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_verdicts_at_size_are_those_of_all_rows(seed, separable, form, monkeypatch):
    X, y = images(seed, separable)
    rest = rest_of(form(X), y)
    assert len(rest.layers) > 1
    assert len(rest.left) < len(X)
    assert len(rest.columns) <= 161
    quick = certify(form(X), y)
    assert quick.verdict == ("separable" if separable else "touching")
    assert verify(quick, form(X), y)
    of_all_rows(monkeypatch)
    slow = certify(form(X), y)
    assert slow.verdict == quick.verdict
    if not separable:
        assert np.array_equal(off_hyperplane(quick, X), off_hyperplane(slow, X))


def off_hyperplane(certificate, X):
    w = [*certificate.separator.w, certificate.separator.b]
    return exact_signs(store(X, 1.0), w, np.arange(len(X))) != 0


def test_the_independent_checker_agrees():
    X, y = images(7)
    assert checker.verify(certify(X, y).to_json(), X.tolist(), y.tolist())


@given(tables(), st.booleans(), st.integers(1, 3))
@settings(max_examples=300)
def test_verdicts_of_small_tables_are_the_same(table, fit_intercept, most):
    X, y = table
    X = np.where(np.abs(X) < 2, 0.0, X)  # columns of few numbers
    slow = certify(X, y, fit_intercept=fit_intercept)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(rare_columns, "FEW_COLUMNS", 0)
        patched.setattr(rare_columns, "NEARLY_ALL", 1.0)
        patched.setattr(rare_columns, "MOST_LAYERS", most)
        patched.setattr(decide, "first_look", lambda primal, rows: (None, rows.train[:0]))
        quick = certify(X, y, fit_intercept=fit_intercept)
    assert quick.verdict == slow.verdict
    assert verify(quick, X, y)


def test_layers_by_hand(monkeypatch):
    """Column 0 is positive only; without its rows, column 1 is negative only; 2 and 3 stay."""
    monkeypatch.setattr(rare_columns, "FEW_COLUMNS", 0)
    X = np.array(
        [[5, 1, 0, 1], [0, 2, 1, 0], [0, 0, 1, 0], [0, 0, 2, 1], [0, 0, 1, 1], [0, 0, 1, 3]]
    )
    y = np.array([1, -1, 1, -1, -1, 1])
    rest = rest_of(np.array(X, float), y)
    assert [layer.rows.tolist() for layer in rest.layers] == [[0], [1]]
    assert [layer.w.tolist() for layer in rest.layers] == [[1, 0, 0, 0, 0], [0, -1, 0, 0, 0]]
    assert rest.left.tolist() == [2, 3, 4, 5]
    assert rest.columns.tolist() == [2, 3, 4]
    primal = store(np.array(X, float), 1.0)
    w = rest.lifted(primal, rows_of(primal, y), [0, 0, 0])
    assert (exact_signs(primal, w, np.arange(6)) * y).tolist() == [1, 1, 0, 0, 0, 0]


def test_all_rows_may_be_separated_by_rare_columns(monkeypatch):
    X, y = np.zeros((300, 300)), np.tile([-1, 1], 150)
    X[np.arange(300), np.arange(300)] = np.arange(1, 301)
    X[1:, 0] = 1e-3
    monkeypatch.setattr(decide, "first_look", lambda primal, rows: (None, rows.train[:0]))
    certificate = certify(X, y)
    assert certificate.verdict == "separable"
    assert verify(certificate, X, y)


def test_columns_of_both_signs_are_asked_of_a_few_rows_only():
    rng = np.random.RandomState(0)
    X, y = rng.randn(4000, 200), rng.choice([-1, 1], 4000)
    assert rest_of(X, y) is None
    X[:, :3] = 0
    assert rest_of(X, y) is None  # nearly all is left


def test_a_face_has_the_numbers_of_all_rows():
    """Some rows are left out of training, and some columns are zero."""
    X, y = images(3)
    X[:, 160:] = 0
    primal = store(X, 1.0)
    rows = rows_of(primal, y)._replace(train=np.arange(100, 900, dtype=np.uint32))
    conflict = decide.decide(primal, rows)
    face = facial_reduction.find_face(primal, rows, conflict)
    assert face.w is None
    for found in (conflict, face.conflict):
        assert found.rows.min() >= 100
        Z = np.column_stack((X, np.ones(900))) * y[:, None]
        assert cancels(Z[found.rows], found.weights)


@given(tables(), st.data())
def test_signs_are_counted_alike_in_dense_and_sparse_rows(table, data):
    X, y = table
    i = np.array(data.draw(st.lists(st.sampled_from(range(len(y))), unique=True)), int)
    chosen = data.draw(st.lists(st.sampled_from(range(X.shape[1])), unique=True, min_size=1))
    y = np.where(y == y.max(), 1, -1)
    rows = sp.csr_array(X)
    counted = rare_columns.sign_counts(rows, y, i).tolist()
    assert counted == rare_columns.sign_counts(X, y, i).tolist()
    lit = rare_columns.not_zero(rows, np.array(chosen)).tolist()
    assert lit == rare_columns.not_zero(X, np.array(chosen)).tolist()


def test_sparse_rows_that_are_not_sorted_and_cannot_be_written_are_not_sorted_in_place():
    X = sp.csr_array(np.array([[1.0, 2.0, 0.0], [0.0, 3.0, 0.0], [0.0, 1.0, 4.0]]))
    X.indices, X.data = np.array([1, 0, 1, 2, 1]), np.array([2.0, 1.0, 3.0, 4.0, 1.0])
    X.has_sorted_indices = False
    for part in (X.data, X.indices, X.indptr):
        part.setflags(write=False)
    assert rare_columns.not_zero(X, np.array([0, 2])).tolist() == [True, False, True]
