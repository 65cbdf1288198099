"""Tables with many columns: the hash of sparse ones, several classes, dense conflicts."""

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.optimize import minimize
from sklearn.feature_extraction.text import HashingVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import OneHotEncoder
from specimens import quietly

from rosenblatt import Perceptron, certify, checker, fewest_mistakes, verify
from rosenblatt.blocks import certify_blocks
from rosenblatt.core.vectors import store, take
from rosenblatt.inputs.validation import rows_of
from rosenblatt.separability import fingerprint
from rosenblatt.separability.certificate import Certificate
from rosenblatt.separability.counting.annealing import (
    Chart,
    Search,
    logistic,
    sparse_logistic,
    starts,
    unit_vector,
)
from rosenblatt.separability.exact.bounded_conflict import is_conflict
from rosenblatt.separability.exact.modular import PRIME, independent, reduce_row
from rosenblatt.separability.floating_point.squared_slacks import least_slack, slack_rows
from rosenblatt.separability.narrowed_rows import narrowed
from rosenblatt.separability.proofs import prove
from rosenblatt.separability.several_classes import kesler_construction


def sparse_table(n=30, d=40, random_state=0):
    rng = np.random.RandomState(random_state)
    X = sp.csr_array(np.where(rng.rand(n, d) < 0.1, rng.randint(-3, 4, (n, d)), 0) * 0.5)
    return X, np.where(rng.rand(n) < 0.5, "no", "yes")


@pytest.fixture
def hashed_sparsely(monkeypatch):
    monkeypatch.setattr(fingerprint, "MOST_DENSE", 0)


@pytest.mark.parametrize("classes", [2, 3])
def test_large_sparse_tables_are_hashed_by_their_nonzero_numbers(hashed_sparsely, classes):
    X, y = sparse_table()
    y = y if classes == 2 else np.arange(len(y)) % 3
    text = certify(X, y).to_json()
    told = json.loads(text)
    assert (told["format"], told["hash"]) == ("rosenblatt-certificate/2", "nonzero")
    for table in (X, X.toarray(), with_explicit_zeros(X)):
        assert verify(text, table, y)
        assert checker.verify(text, table, y)
    assert Certificate.from_json(text).to_json() == text


def with_explicit_zeros(X):
    again = X.copy()
    again.resize((X.shape[0], X.shape[1]))
    dense = sp.csr_array(np.ones(X.shape))
    dense.data[:] = X.toarray().ravel()
    return dense


def test_the_hash_of_nonzero_numbers_is_of_these_data(hashed_sparsely):
    X, y = sparse_table()
    text = certify(X, y).to_json()
    X = X.copy()
    X.data[0] += 1
    for check in (verify, checker.verify):
        with pytest.raises(ValueError, match="the hash is of other data"):
            check(text, X, y)


def test_a_hash_of_unknown_form_is_refused(hashed_sparsely):
    X, y = sparse_table()
    told = json.loads(certify(X, y).to_json())
    for wrong in ({"hash": "some"}, {"format": "rosenblatt-certificate/1", "kind": None}):
        for check in (verify, checker.verify):
            with pytest.raises(ValueError, match="the hash is of an unknown form"):
                check(told | wrong, X, y)
    with pytest.raises(ValueError, match="its hash is of an unknown form"):
        Certificate.from_json(json.dumps(told | {"hash": "some"}))


def test_small_sparse_tables_have_the_certificates_of_dense_ones():
    X, y = sparse_table()
    sparse, dense = certify(X, y), certify(X.toarray(), y)
    assert sparse.margin == pytest.approx(dense.margin, rel=1e-12)
    assert replace(sparse, margin=dense.margin) == dense


@pytest.mark.parametrize("seed", range(12))
def test_passes_over_rows_agree_with_pairs_of_several_classes(monkeypatch, seed):
    rng = np.random.RandomState(seed)
    X = rng.randint(-2, 3, (12, 2 + seed % 4)).astype(float)
    y = rng.randint(3, size=12)
    slow = certify(X, y)
    monkeypatch.setattr(kesler_construction, "FEW_DIMENSIONS", 0)
    quick = certify(X, y)
    assert quick.verdict == slow.verdict
    assert verify(quick, X, y)


def test_several_classes_in_many_dimensions_without_their_pairs(monkeypatch):
    monkeypatch.setattr(kesler_construction, "FEW_DIMENSIONS", 0)
    monkeypatch.setattr(kesler_construction, "PAIR_BYTES", 0)
    X = np.eye(4, 200)
    X[3] = X[2]
    assert certify(X[:3], [0, 1, 2]).verdict == "separable"
    known = certify(X, [0, 1, 2, 1])
    assert known.verdict == "undecided"
    assert "rows 2 and 3 (counted from 0) are in conflict" in known.reason
    assert "there are too many dimensions to make pairs" in known.reason
    assert Perceptron().fit(X, [0, 1, 2, 1]).stop_reason_ == "inseparable"
    X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), [0, 1, 0, 2]
    assert "pairs of rows and rivals have 4 dimensions" in certify(X, y).reason


def test_the_sum_of_rows_is_made_without_making_them_dense():
    X, y = sparse_table()
    primal = store(X, 1.0)
    rows = rows_of(primal, np.where(y == "yes", 1, -1))
    chart = Chart(np.linspace(1, 2, X.shape[1] + 1))
    Z = chart.rows(take(primal, rows.train) * rows.y[:, None])
    found, _ = starts(Search(primal, rows, chart))
    assert np.allclose(found, unit_vector(Z.sum(axis=0)), rtol=1e-12)


def test_a_regression_that_makes_no_row_dense_is_that_of_dense_rows():
    rng = np.random.default_rng(0)
    X = sp.csr_array(sp.random(300, 40, density=0.2, random_state=rng))
    y = np.where(X @ rng.normal(size=40) + 0.3 * rng.normal(size=300) > 0, 1, -1)
    primal = store(X, 1.0)
    rows = rows_of(primal, y)
    search = Search(primal, rows, Chart(np.linspace(1, 2, 41)))
    Z = search.chart.rows(take(primal, rows.train) * y[:, None])

    def loss(u):
        return np.logaddexp(0, -Z @ u).sum() + 0.5e-3 * (u @ u)

    newton, gradient = logistic(Z, np.ones(300)), sparse_logistic(search, rows.train)
    assert loss(gradient) < 1.01 * loss(newton)
    assert np.corrcoef(newton, gradient)[0, 1] > 0.99


def test_many_sparse_features_leave_few_mistakes():
    rng = np.random.default_rng(0)
    codes = np.column_stack([rng.integers(0, levels, 5000) for levels in (600, 150, 20, 5)])
    X = OneHotEncoder().fit_transform(codes)
    y = X @ rng.normal(size=X.shape[1]) + rng.normal(size=5000) > 0
    regressed = LogisticRegression(C=100, max_iter=1000).fit(X, y)
    theirs = int(np.count_nonzero(regressed.predict(X) != y))
    model = Perceptron().fit(X, y)
    assert model.mistake_bounds_[0] == 1
    assert model.mistake_bounds_[1] <= 1.1 * theirs
    found = fewest_mistakes(X, y, effort=0.02)
    assert 1 <= found.at_least <= found.mistakes <= model.mistake_bounds_[1]


def test_what_a_fit_proves_a_bound_of_fewest_mistakes_knows():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(4000, 600))
    y = X @ rng.normal(size=600) > 0
    y[::4] ^= True
    found = fewest_mistakes(X, y, effort=0.01)
    assert (found.at_least, found.proof) == (1, "inseparable")
    certificate = found.certificate()
    assert certificate.at_least == 0
    assert verify(certificate, X, y)


# -- Squared slacks --------------------------------------------------------------------------------


def random_table(seed, n=40, d=6):
    rng = np.random.RandomState(seed)
    X = rng.randint(-8, 9, (n, d)) / 4
    return X, np.where(X @ rng.randn(d) + (seed % 3) * rng.randn(n) > 0.1, 1, -1)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_squared_slacks_agree_with_exact_arithmetic(request, seed, form):
    X, y = random_table(seed)
    slow = certify(X, y)
    request.getfixturevalue("as_if_wide")
    quick = certify(form(X), y)
    assert quick.verdict == slow.verdict
    assert verify(quick, X, y)
    assert checker.verify(quick, X, y)
    if quick.verdict == "overlapping":
        assert quick.proof == "bounded"
        assert Certificate.from_json(quick.to_json()).to_json() == quick.to_json()


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_bounds_prove_conflicts_of_blocks_too(as_if_wide, seed, form):
    X, y = random_table(seed)
    blocks = [(form(X[k : k + 9]), y[k : k + 9]) for k in range(0, len(y), 9)]
    found, whole = certify_blocks(blocks), certify(X, y)
    assert (found.verdict, found.proof) == (whole.verdict, whole.proof)
    assert verify(found, X, y)
    assert checker.verify(found, X, y)


def test_a_row_in_another_column_refutes_a_bound_over_blocks(as_if_wide, monkeypatch):
    monkeypatch.setattr("rosenblatt.separability.row_sources.hard_rows.BYTES_AT_ONCE", 1)
    X, y = random_table(2, 4000)
    X = np.insert(X, 2, 0.0, axis=1)
    assert certify_blocks([(X[:2000], y[:2000]), (X[2000:], y[2000:])]).proof == "bounded"
    X[3777, 2] = 1.0  # none of the hardest rows
    found = certify_blocks([(X[:2000], y[:2000]), (X[2000:], y[2000:])])
    assert found.verdict in ("touching", "undecided")  # it touches


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_contradictory_rows_of_wide_tables_touch(as_if_wide, form):
    rng = np.random.RandomState(0)
    X = rng.randn(30, 60)
    X[3:6], y = X[:3], rng.choice([-1, 1], 30)
    y[3:6] = -y[:3]
    found = certify(form(X), y)
    assert found.verdict == "touching"
    assert verify(found, X, y)
    assert checker.verify(found, X, y)


def test_contradictory_rows_among_others_in_conflict_overlap(as_if_wide):
    X, y = random_table(2)
    X, y = np.vstack((X, X[:1])), np.append(y, -y[0])
    found = certify(X, y)
    assert (found.verdict, found.proof) == ("overlapping", "bounded")
    assert verify(found, X, y)


def test_columns_of_zeros_do_not_hinder_a_bound(as_if_wide):
    X, y = random_table(2)
    X = np.insert(X, 2, 0.0, axis=1)
    found = certify(X, y)
    assert (found.verdict, found.proof) == ("overlapping", "bounded")
    assert verify(found, X, y)
    told = json.loads(found.to_json())
    extra = np.vstack((X, np.eye(1, X.shape[1], 2))), np.append(y, 1)
    told |= {"n_samples": len(y) + 1}
    told |= {"sha256": certify(*extra).sha256}
    for check in (verify, checker.verify):
        with pytest.raises(ValueError, match="the conflict does not span all rows"):
            check(told, *extra)
    assert certify(*extra).verdict in ("touching", "undecided")  # it touches


def test_a_bounded_conflict_whose_bound_does_not_hold_is_refused(as_if_wide):
    X, y = random_table(2)
    told = json.loads(certify(X, y).to_json())
    weights = told["conflict"]["weights"]
    weights[0], weights[1] = weights[1], weights[0]
    for check in (verify, checker.verify):
        with pytest.raises(ValueError, match="the bound on rounding errors does not hold"):
            check(told, X, y)
        with pytest.raises(ValueError, match="the proof is of an unknown kind"):
            check(told | {"proof": "short"}, X, y)
        with pytest.raises(ValueError, match="the proof is of an unknown kind"):
            check(told | {"verdict": "separable", "conflict": None}, X, y)
    with pytest.raises(ValueError, match="its proof is of an unknown kind"):
        Certificate.from_json(json.dumps(told | {"proof": "short"}))


def test_a_perceptron_on_wide_tables_says_what_certify_says(as_if_wide):
    X, y = random_table(2)
    assert Perceptron(settle="first").fit(X, y).stop_reason_ == "inseparable"


@pytest.mark.parametrize("seed", range(5))
def test_the_least_sum_of_squared_slacks(seed):
    X, y = random_table(seed)
    primal = store(X, 1.0)
    found = least_slack(slack_rows(primal, rows_of(primal, y)))
    Z = np.column_stack((X, np.ones(len(X)))) * y[:, None]
    Z /= np.linalg.norm(Z, axis=1, keepdims=True)
    slow = minimize(lambda w: np.sum(np.maximum(0, 1 - Z @ w) ** 2), np.zeros(7), tol=1e-12)
    if found.solved:
        assert np.sum(found.slacks**2) == pytest.approx(slow.fun, rel=1e-6)
        assert np.abs(found.slacks @ Z).max() < 1e-9
    else:
        assert found.margins.min() > 0
    assert np.allclose(found.margins, Z @ found.w)


def test_a_bound_is_never_proved_of_rows_that_can_be_separated():
    rng = np.random.RandomState(0)
    for _ in range(200):
        Z = rng.randint(-3, 4, (8, 3)) + 0.0
        weights = [Fraction(int(k), 1000) for k in rng.randint(1, 1000, 8)]
        if is_conflict(Z, weights):
            primal = store(Z, 0.0)
            assert prove(primal, rows_of(primal, np.ones(8))).verdict == "overlapping"


def test_columns_whose_squares_are_lost_count():
    Z = np.vstack((np.eye(3), -np.ones((1, 3))))
    weights = [Fraction(1, 4)] * 4
    assert is_conflict(Z, weights)
    for tiny in (1e-200, 5e-324):
        assert not is_conflict(np.column_stack((Z, np.full(4, tiny))), weights)


def test_weights_that_products_underflow_with_prove_nothing(as_if_wide):
    X, y = random_table(2)
    told = json.loads(certify(X, y).to_json())
    first, second, *rest = map(Fraction, told["conflict"]["weights"])
    tiny = Fraction(1, 10**60)
    told["conflict"]["weights"] = list(map(str, [tiny, first + second - tiny, *rest]))
    for check in (verify, checker.verify):
        with pytest.raises(ValueError, match="the bound on rounding errors does not hold"):
            check(told, X, y)


def test_the_checker_scales_columns_of_every_size(as_if_wide):
    X, y = random_table(2)
    X = X * 2.0 ** np.array([-1000, -300, 0, 300, 900, 0])[: X.shape[1]]
    told = json.loads(certify(X, y).to_json())
    if told["verdict"] != "undecided":
        assert checker.verify(told, X, y)
        assert verify(told, X, y)


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_columns_that_no_row_uses_change_nothing(seed, fit_intercept):
    rng = np.random.RandomState(seed)
    X = rng.randint(-2, 3, (12, 3)) / 3.0
    y = np.where(X @ [1, -2, 1] + (seed % 3) * rng.randn(12) > 0, 1, -1)
    y[:2] = 1, -1
    places = np.sort(rng.choice(5000, 3, replace=False))
    spread = sp.csr_array((np.ones(3), (np.arange(3), places)), shape=(3, 5000))
    wide = sp.csr_array(sp.csr_array(X) @ spread)
    narrow, found = (certify(each, y, fit_intercept=fit_intercept) for each in (X, wide))
    assert found.verdict == narrow.verdict
    assert verify(found, wide, y)
    params = {"fit_intercept": fit_intercept, "form": "primal"}
    models = [quietly(Perceptron(**params), each, y) for each in (X, wide)]
    assert models[0].stop_reason_ == models[1].stop_reason_
    if found.verdict == "separable":
        assert np.array_equal(models[1].predict(wide), y)


@pytest.mark.slow
def test_documents_of_a_million_columns_pay_for_the_words_they_use():
    rng = np.random.RandomState(0)
    words = np.array(["alpha", "beta", "gamma", "delta", "eps", "zeta"])
    X = HashingVectorizer().transform([" ".join(rng.choice(words, 20)) for _ in range(60)])
    y = rng.randint(2, size=60)
    primal = store(X, 1.0)
    few = narrowed(primal)
    assert len(few.places) - 1 <= len(words)
    w = rng.randn(len(few.places))
    assert np.array_equal(few.widen(w)[few.places], w)
    assert few.widen_ratios([Fraction(v) for v in w]) == few.widen(w).tolist()
    assert verify(certify(X, y), X, y)
    assert Perceptron().fit(X, y).stop_reason_ == "inseparable"


def test_rows_in_a_span_by_one_product():
    rng = np.random.RandomState(0)
    M = rng.randint(-9, 10, (6, 12))
    rows = np.vstack((rng.randint(-9, 10, (20, 6)) @ M, rng.randint(-9, 10, (20, 12)))) % PRIME
    echelon = independent(M % PRIME).span
    inside = echelon.holds(rows)
    for r in rows:
        reduce_row(r, echelon.rows, echelon.pivots, len(echelon.pivots))
    assert np.array_equal(inside, ~rows.any(axis=1))


@pytest.mark.slow
def test_rows_far_shorter_than_others_do_not_end_in_an_error():
    """Without all but two of them, nothing is left in conflict."""
    rng = np.random.RandomState(2)
    X, y = rng.randn(2300, 1010), rng.randint(0, 2, 2300)
    X[0] *= 1e-13
    X[1], y[:2] = X[0], 1
    assert certify(X, y, fit_intercept=False).verdict in ("undecided", "overlapping")


@pytest.mark.parametrize(
    ("X", "y"),
    [
        ([[-1e-182], [0.0], [-1e186]], [1, 0, 2]),
        ([[0.0], [-3e185], [-2e185], [-2e185], [-3e185]], [0, 2, 1, 0, 3]),
        ([[1e163], [0], [-3e163], [-3e163], [-1e163], [3e163]], [0, 1, 0, 0, 0, 0]),
    ],
)
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_of_rows_whose_squares_overflow_nothing_false_is_said(request, X, y, fit_intercept):
    slow = certify(X, y, fit_intercept=fit_intercept)
    request.getfixturevalue("as_if_wide")
    quick = certify(X, y, fit_intercept=fit_intercept)
    assert quick.verdict in ("undecided", slow.verdict)
    if quick.verdict != "undecided":
        assert verify(quick, X, y)
        assert checker.verify(quick, X, y)


@pytest.mark.parametrize("scale", [1e-170, 1e170])
def test_slacks_need_rows_whose_lengths_have_squares(scale):
    X, y = np.array([[1.0, 2], [3, -1], [-2, 1]]), np.array([1, -1, 1], np.int32)
    plain = store(X, 0.0)
    found = least_slack(slack_rows(plain, rows_of(plain, y)))
    assert found.solved or found.margins.min() > 0
    X[0] *= scale
    beyond = store(X, 0.0)
    found = least_slack(slack_rows(beyond, rows_of(beyond, y)))
    assert not found.solved
    assert not found.w.any()
