"""Several classes jointly: verdicts against fractions, machines that lead, pairs that cancel."""

import json
from fractions import Fraction
from typing import NamedTuple

import naive
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_digits, load_iris, load_wine, make_classification
from specimens import csr, quietly, tables

import rosenblatt
from rosenblatt import Certificate, Perceptron, certify, certify_each, checker, fit_blocks, verify
from rosenblatt.blocks import certify_blocks, verify_blocks
from rosenblatt.separability.several_classes import joint_passes, kesler_construction, row_pairs


class Run(NamedTuple):
    reason: str


def verdict(X, y, fit_intercept=True):
    """The verdict on the pairs (row, rival) in fractions, by a linear program for each."""
    rows = [[Fraction(v) for v in [*x, 1.0][: len(x) + fit_intercept]] for x in X.tolist()]
    k = int(y.max()) + 1
    Z = [z for x, own in zip(rows, y.tolist(), strict=True) for z in checker.pairs(x, own, k)]
    count = sum(naive.is_combination(Z, [-v for v in z]) for z in Z)
    return "separable" if not count else "overlapping" if count == len(Z) else "touching"


def clusters(centres, n=40, scale=0.3, seed=0):
    rng = np.random.default_rng(seed)
    X = np.concatenate([rng.normal(c, scale, (n, 2)) for c in centres])
    return X, np.repeat(np.array(["a", "b", "c", "d"])[: len(centres)], n)


@given(tables(classes=3, most=6), st.booleans())
def test_verdicts_are_those_of_fractions(table, fit_intercept):
    X, y = table
    certificate = certify(X[:, :2], y, fit_intercept=fit_intercept)
    assert certificate.verdict == verdict(X[:, :2], y, fit_intercept)
    assert verify(certificate, X[:, :2], y)
    assert checker.verify(certificate, X[:, :2], y)


@pytest.mark.slow
def test_thousands_of_tiny_tables_of_three_and_four_classes():
    for seed in range(2000):
        rng = np.random.default_rng(seed)
        k, d = int(rng.integers(3, 5)), int(rng.integers(1, 4))
        y = rng.permutation(np.append(np.arange(k), rng.integers(0, k, rng.integers(0, 5))))
        X = rng.integers(-3, 4, (len(y), d)) / rng.choice([1.0, 3.0])
        found = certify(X, y, fit_intercept=bool(seed % 4))
        assert found.verdict == verdict(X, y, bool(seed % 4)), seed
        assert verify(found, X, y)


@pytest.mark.slow
@given(tables(classes=4, most=7))
def test_a_model_and_a_certificate_agree(table):
    X, y = table
    found = certify(X, y).verdict
    for settle in ("first", "after"):
        model = quietly(Perceptron(multi_class="direct", settle=settle), X, y)
        assert (model.stop_reason_ == "separated") == (found == "separable")
        assert model.converged_ == (found == "separable")
        if model.conflict_ is not None:
            rows, weights, rivals = model.conflict_
            assert min(weights) > 0
            assert_cancel(X, y, rows, rivals, weights)


def assert_cancel(X, y, rows, rivals, weights):
    for c in range(len(np.unique(y))):
        total = [Fraction(0)] * (X.shape[1] + 1)
        for i, rival, weight in zip(rows, rivals, weights, strict=True):
            share = weight * (int(y[i] == c) - int(rival == c))
            total = [
                t + share * Fraction(v) for t, v in zip(total, [*X[i].tolist(), 1.0], strict=True)
            ]
        assert not any(total)


def test_clusters_on_a_line_are_separated():
    X, y = clusters([0, 4, 8])
    model = Perceptron(multi_class="direct").fit(X, y)
    assert (model.stop_reason_, model.score(X, y)) == ("separated", 1.0)
    assert certify(X, y).verdict == "separable"
    assert certify_each(X, y)["b"].verdict == "overlapping"  # which is another question


def test_groups_that_are_apart_touch_though_every_class_overlaps_the_rest():
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(0, 1, (60, 2)), rng.normal(12, 1, (60, 2))])
    y = np.r_[rng.integers(0, 2, 60), rng.integers(2, 4, 60)]
    assert {c.verdict for c in certify_each(X, y).values()} == {"overlapping"}
    certificate = certify(X, y)
    assert certificate.verdict == "touching"
    assert verify(certificate, X, y)


@pytest.mark.parametrize(
    ("load", "wanted"),
    [(load_iris, "touching"), (load_wine, "separable"), (load_digits, "separable")],
)
def test_real_tables(load, wanted):
    X, y = load(return_X_y=True)
    certificate = certify(X, y)
    assert certificate.verdict == wanted
    assert verify(certificate, X, y)
    assert Certificate.from_json(certificate.to_json()) == certificate
    model = quietly(Perceptron(multi_class="direct"), X, y)
    assert model.stop_reason_ == ("separated" if wanted == "separable" else "inseparable")


@pytest.mark.parametrize("kind", ["csr_matrix", "csc_matrix", "coo_matrix", "csc_array"])
def test_sparse_matrices_are_sparse_arrays(kind):
    """The * of a matrix is @, which ended in an IndexError."""
    X, y = np.array([[0.0, 1], [1, 0], [2, 3], [1, 1], [1, 1]]), [0, 1, 2, 0, 1]
    for rows in (slice(3), slice(5)):
        given = getattr(sp, kind)(X[rows])
        found = certify(given, y[rows])
        assert found == certify(X[rows], y[rows])
        assert verify(found, given, y[rows])


def test_sparse_rows_blocks_and_memory_agree():
    X, y = clusters([0, 2, 4], scale=0.8)
    wanted = certify(X, y)
    assert certify(csr(X), y).verdict == wanted.verdict
    order = np.random.default_rng(0).permutation(len(X))
    X, y = X[order], y[order]
    blocks = [(X[k : k + 25], y[k : k + 25]) for k in range(0, len(X), 25)]
    found = certify_blocks(blocks)
    assert found.verdict == certify(X, y).verdict
    assert verify(found, X, y)
    assert verify_blocks(found, blocks)
    model = fit_blocks(Perceptron(multi_class="direct"), blocks)
    assert model.stop_reason_ == quietly(Perceptron(multi_class="direct"), X, y).stop_reason_


def test_a_separable_certificate_tells_the_distance_from_the_nearest_border():
    X, y = np.array([[0.0], [2.0], [8.0]]), [0, 1, 2]
    certificate = certify(X, y)
    (w, b), nearest = certificate.separator, np.inf
    for i, x in enumerate(X[:, 0]):
        for r in {0, 1, 2} - {i}:
            slope, lead = w[i][0] - w[r][0], (w[i][0] - w[r][0]) * Fraction(x) + b[i] - b[r]
            nearest = min(nearest, float(lead / abs(slope)))
    assert certificate.margin == pytest.approx(nearest)


@pytest.mark.parametrize("name", ["rivals", "rows", "weights", "w", "b", "classes", "kind"])
def test_changed_certificates_are_refused(name):
    X, y = load_iris(return_X_y=True)
    facts = json.loads(certify(X, y).to_json())
    part = facts if name in facts else facts["separator" if name in "wb" else "conflict"]
    changed = {"kind": "fewest mistakes", "classes": ["0", "1"], "w": part.get("b")}
    part[name] = changed.get(name, part[name][::-1] if name != "rivals" else [0, *part[name][1:]])
    for way in (verify, checker.verify):
        with pytest.raises(ValueError, match="refuted"):
            way(facts, X, y)


def test_model_files_keep_the_rivals(tmp_path):
    X, y = load_iris(return_X_y=True)
    model = quietly(Perceptron(multi_class="direct"), X, y)
    rosenblatt.save(model, tmp_path / "model")
    again = rosenblatt.load(tmp_path / "model").conflict_
    np.testing.assert_array_equal(again[0], model.conflict_[0])
    np.testing.assert_array_equal(again[2], model.conflict_[2])
    assert again[1] == model.conflict_[1]


@pytest.mark.parametrize(("n", "d", "k"), [(300, 8, 3), (800, 14, 5)])
def test_columns_that_nearly_depend_on_others_leave_nothing_open(n, d, k):
    """Two of the columns are combinations of others, but for rounding."""
    how = {"n_informative": d // 2 + 2, "n_classes": k, "flip_y": 0.05, "random_state": 1}
    X, y = make_classification(n, d, **how)
    found = certify(X, y)
    assert found.verdict == "overlapping"
    assert verify(found, X, y)
    assert checker.verify(found, X, y)
    assert Perceptron().fit(X, y).stop_reason_ == "inseparable"


# -- Sparse rows in many dimensions ----------------------------------------------------------------


def too_wide(patched):
    """Decide as in tens of thousands of columns: plain passes, then all pairs as sparse rows."""
    patched.setattr(kesler_construction, "FEW_DIMENSIONS", 0)
    patched.setattr(kesler_construction, "PAIR_BYTES", 0)
    patched.setattr(joint_passes, "initial_passes", lambda *given: Run("max_iter"))


@given(tables(classes=3, most=6), st.booleans())
def test_all_pairs_of_sparse_rows_give_the_verdicts_of_fractions(table, fit_intercept):
    X, y = table
    with pytest.MonkeyPatch.context() as patched:
        too_wide(patched)
        certificate = certify(csr(X), y, fit_intercept=fit_intercept)
        model = quietly(Perceptron(settle="first", fit_intercept=fit_intercept), csr(X), y)
    assert certificate.verdict == verdict(X, y, fit_intercept)
    assert verify(certificate, csr(X), y)
    assert checker.verify(certificate, X, y)
    assert model.converged_ == (certificate.verdict == "separable")
    assert (model.stop_reason_ == "inseparable") == (certificate.verdict != "separable")


@given(tables(classes=4, most=8), st.data())
def test_sparse_pairs_are_the_dense_ones(table, data):
    X, own = table
    rival = np.array([data.draw(st.sampled_from([r for r in range(4) if r != c])) for c in own])
    dense = row_pairs.design(X, own, rival, 4)
    assert np.array_equal(row_pairs.design(csr(X), own, rival, 4).toarray(), dense)


def test_more_pairs_than_fit_in_memory_are_undecided(monkeypatch):
    too_wide(monkeypatch)
    monkeypatch.setattr(kesler_construction, "MOST_NUMBERS", 10)
    found = certify(csr(load_iris().data), load_iris().target)
    assert "too many to decide on them jointly" in found.reason
