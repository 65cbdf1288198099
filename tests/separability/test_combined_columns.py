"""Bounds on rounding errors where columns were computed from others with rounding."""

import json
from fractions import Fraction

import numpy as np
import pytest
from adversary.judge import verdict_of
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import make_classification

from rosenblatt import Perceptron, certify, checker, verify
from rosenblatt.blocks import certify_blocks, fit_blocks, verify_blocks
from rosenblatt.separability import slack_conflicts
from rosenblatt.separability.certificate import Certificate
from rosenblatt.separability.exact import digit_products
from rosenblatt.separability.exact.column_relations import replaced
from rosenblatt.separability.exact.digit_products import rounded_products
from rosenblatt.separability.floating_point.column_rank import near_relations

WEIGHTS = st.integers(-(2**120), 2**120)
ANY_SIZE = st.floats(-1e9, 1e9).map(lambda x: x if abs(x) > 1e-9 else 0.0)


def computed(n, d, more, seed, classes=2, noise=2.0):
    """Columns, others that are combinations of them but for rounding, and noisy labels."""
    rng = np.random.RandomState(seed)
    B = rng.randn(n, d) * 10.0 ** rng.randint(-2, 3, d) + rng.randn(d)
    X = np.column_stack((B, B @ rng.randn(d, more) + rng.randn(more)))
    scores = (B - B.mean(axis=0)) / B.std(axis=0) @ rng.randn(d, classes)
    return X, (scores + noise * d**0.5 * rng.randn(*scores.shape)).argmax(axis=1)


def both_accept(certificate, X, y):
    text = certificate.to_json()
    assert Certificate.from_json(text) == certificate
    assert verify(text, X, y)
    assert checker.verify(text, X, y)


@given(st.data(), st.integers(1, 5), st.integers(1, 3))
def test_rounded_products_are_near_to_the_exact_ones(data, d, m):
    Z = np.array(data.draw(st.lists(st.lists(ANY_SIZE, min_size=d, max_size=d), min_size=1)))
    V = data.draw(st.lists(st.lists(WEIGHTS, min_size=d, max_size=d), min_size=m, max_size=m))
    found = rounded_products(Z, V)
    assert found is not None
    for row, products in zip(Z.tolist(), found.tolist(), strict=True):
        for v, product in zip(V, products, strict=True):
            exact = sum(Fraction(x) * w for x, w in zip(row, v, strict=True))
            assert abs(Fraction(product) - exact) <= abs(exact) / 2**51


def test_products_are_the_same_in_parts(monkeypatch):
    rng = np.random.RandomState(0)
    Z, V = rng.randn(50, 7), [[int(x) for x in v] for v in rng.randn(3, 7) * 2.0**60]
    whole = rounded_products(Z, V)
    monkeypatch.setattr(digit_products, "DIGITS_AT_ONCE", 100)
    assert np.array_equal(rounded_products(Z, V), whole)


def test_what_is_left_does_not_depend_on_the_others():
    X, _ = computed(200, 12, 4, seed=0)
    Z = np.column_stack((X, np.ones(len(X))))
    near = near_relations(Z)
    assert len(near) == 4
    left = replaced(near, Z)
    conditions = [np.linalg.cond(A / np.linalg.norm(A, axis=0)) for A in (Z, left)]
    assert conditions[0] > 1e13
    assert conditions[1] < 100


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("seed", range(12))
def test_verdicts_are_those_of_the_judge(as_if_wide, seed, fit_intercept):
    X, y = computed(30 + 5 * seed, 2 + seed % 4, 1 + seed % 3, seed, noise=seed % 3)
    if len(set(y)) < 2:
        return
    found = certify(X, y, fit_intercept=fit_intercept)
    assert found.verdict in (verdict_of(X, y, fit_intercept), "undecided")
    if found.verdict != "undecided":
        both_accept(found, X, y)


@pytest.mark.parametrize("classes", [2, 3])
def test_a_conflict_is_proved_in_what_is_left(as_if_wide, classes):
    X, y = computed(120, 4, 2, seed=1, classes=classes)
    found = certify(X, y)
    assert (found.verdict, found.proof, len(found.combined)) == ("overlapping", "bounded", 2)
    both_accept(found, X, y)
    blocks = [(X[k::4], y[k::4]) for k in range(4)]
    streamed = certify_blocks(blocks)
    assert (streamed.verdict, len(streamed.combined)) == ("overlapping", 2)
    assert verify_blocks(streamed, blocks)
    assert fit_blocks(Perceptron(max_iter=5), blocks).stop_reason_ == "inseparable"


def test_a_copy_of_a_computed_column_depends_on_it(as_if_wide):
    X, y = computed(120, 4, 2, seed=1)
    Z = np.column_stack((X, X[:, 4:]))
    found = certify(Z, y)
    assert (found.verdict, len(found.combined)) == ("overlapping", 2)
    assert sorted(found.dependent.values(), key=str) == [{"4": 1}, {"5": 1}]
    both_accept(found, Z, y)
    told = json.loads(found.to_json())
    told["combined"] |= {"0": {"6": "1"}}
    both_refuse(told, Z, y, "must be a combination of independent ones")


@pytest.mark.parametrize("seed", range(4))
def test_another_combination_is_another_proof_or_none(as_if_wide, seed):
    """Any combination may be taken away: nothing is left out, so that nothing can be hidden."""
    X, y = computed(120, 4, 2, seed=1)
    told = json.loads(certify(X, y).to_json())
    rng = np.random.RandomState(seed)
    for name, shares in told["combined"].items():
        told["combined"][name] = {k: str(rng.randint(-3, 4)) for k in shares}
    for check in (verify, checker.verify):
        with pytest.raises(ValueError, match="the bound on rounding errors does not hold"):
            check(told, X, y)


def both_refuse(told, X, y, why):
    for check in (verify, checker.verify):
        with pytest.raises(ValueError, match=why):
            check(told, X, y)


def test_separable_rows_have_no_conflict_in_any_columns(as_if_wide):
    X, y = computed(120, 4, 2, seed=1)
    told = json.loads(certify(X, y).to_json())
    B = X.copy()
    B[:, 0] = 100.0 * (2 * y - 1)
    told |= {"sha256": certify(B, y).sha256}
    both_refuse(told, B, y, "the bound on rounding errors does not hold")


def test_what_depends_exactly_cannot_be_combined(as_if_wide):
    """Nothing would be left of it, in the rows in conflict; and elsewhere nobody would look."""
    X, y = computed(120, 4, 2, seed=1)
    Z = np.column_stack((X, 2 * X[:, 0]))
    told = json.loads(certify(Z, y).to_json())
    (name, shares), *_ = told["dependent"].items()
    forged = told | {"dependent": {}, "combined": told["combined"] | {name: shares}}
    reasons = "nothing is left of a combined column|the bound on rounding errors does not hold"
    both_refuse(forged, Z, y, reasons)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda d: d | {"99": {"0": "1"}}, "a combined column is not there"),
        (lambda d: [*d], "a combined column is not there"),
        (lambda d: 7, "a combined column is not there"),
        (lambda d: {k: {k: "1"} for k in d}, "must be a combination of independent ones"),
        (lambda d: {k: dict.fromkeys(d, "1") for k in d}, "must be a combination of independent"),
        (lambda d: {k: {"intercept": "1/0"} for k in d}, "a malformed number"),
        (lambda d: {k: {"0": "9" * 5000} for k in d}, "bound on rounding errors does not hold"),
    ],
)
def test_malformed_combinations_are_refused(as_if_wide, change, why):
    X, y = computed(120, 4, 2, seed=1)
    told = json.loads(certify(X, y).to_json())
    both_refuse(told | {"combined": change(told["combined"])}, X, y, why)


def test_only_bounds_combine_columns(as_if_wide):
    X, y = computed(120, 4, 2, seed=1)
    told = json.loads(certify(X, y).to_json())
    del told["proof"]
    both_refuse(told, X, y, "combined columns are no part of this proof")
    with pytest.raises(ValueError, match="combined columns are no part of its proof"):
        Certificate.from_json(json.dumps(told))


@pytest.mark.parametrize(("n", "d", "classes"), [(4000, 320, 2), (4000, 90, 5)])
def test_wide_tables_with_redundant_columns_are_decided(n, d, classes):
    X, y = make_classification(
        n,
        d,
        n_informative=d // 2,
        n_redundant=3,
        n_classes=classes,
        n_clusters_per_class=1,
        random_state=0,
    )
    found = certify(X, y)
    assert (found.verdict, found.proof) == ("overlapping", "bounded")
    assert verify(found, X, y)
    model = Perceptron(max_iter=2).fit(X, y)
    assert model.stop_reason_ == "inseparable"


def test_products_at_size_are_near_to_the_exact_ones():
    """Where linear algebra works in blocks and threads, whose order must not matter."""
    rng = np.random.RandomState(0)
    Z = rng.randn(6000, 700) * 10.0 ** rng.randint(-3, 4, 700)
    V = [[int(x) << 60 for x in v] for v in rng.randn(8, 700) * 2.0**50]
    Z[:, -1], V[0][-1] = Z[:, 0], -V[0][0] + 1  # all but cancels
    found = rounded_products(Z, V)
    for i in rng.choice(len(Z), 12, replace=False):
        row = [Fraction(x) for x in Z[i].tolist()]
        for v, product in zip(V, found[i].tolist(), strict=True):
            exact = sum(x * w for x, w in zip(row, v, strict=True))
            assert abs(Fraction(product) - exact) <= abs(exact) / 2**51


@pytest.mark.parametrize("flipped", [0, 60, 900])
def test_the_bound_that_comes_first_agrees_with_exact_weights(flipped, monkeypatch):
    rng = np.random.RandomState(flipped)
    X = rng.randn(6000, 320)
    y = (X @ rng.randn(320) > 0).astype(int)
    y[:flipped] = 1 - y[:flipped]
    first = certify(X, y)
    monkeypatch.setattr(slack_conflicts, "SOONER_BOUNDED", 10**6)
    exact = certify(X, y)
    assert (first.verdict, exact.proof) == (exact.verdict, "exact")
    assert verify(first, X, y)


def test_in_hundreds_of_columns_a_bound_is_sooner_than_exact_weights():
    rng = np.random.RandomState(0)
    X = rng.randn(3000, 310)
    y = (X[:, 0] + rng.randn(3000) > 0).astype(int)
    for columns, proof in ((310, "bounded"), (30, "exact")):
        found = certify(X[:, :columns], y)
        assert (found.verdict, found.proof) == ("overlapping", proof)
        assert verify(found, X[:, :columns], y)


@pytest.mark.slow
def test_no_verdict_on_a_thousand_tables_with_computed_columns_is_false(as_if_wide):
    told = {"overlapping": 0, "undecided": 0, "combined": 0}
    for seed in range(1000):
        X, y = computed(20 + seed % 60, 1 + seed % 5, 1 + seed % 3, seed, noise=seed % 4)
        if len(set(y)) < 2:
            continue
        found, truth = certify(X, y), verdict_of(X, y, True)
        assert found.verdict in (truth, "undecided")
        assert found.verdict == "undecided" or verify(found, X, y)
        told["overlapping"] += truth == "overlapping"
        told["undecided"] += found.verdict == "undecided" and truth == "overlapping"
        told["combined"] += bool(found.combined)
    assert told["combined"] > 500
    assert told["undecided"] < told["overlapping"] / 20
