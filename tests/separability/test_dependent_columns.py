"""Bounds on rounding errors where columns depend on each other: relations, proofs, forgeries."""

import json
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from adversary.judge import verdict_of

from rosenblatt import Perceptron, certify, checker, verify
from rosenblatt.blocks import certify_blocks, fit_blocks, verify_blocks
from rosenblatt.core.vectors import store
from rosenblatt.inputs.validation import rows_of
from rosenblatt.separability.certificate import Certificate
from rosenblatt.separability.floating_point import squared_slacks
from rosenblatt.separability.floating_point.squared_slacks import least_slack, slack_rows


def one_hot(n, sizes, seed=0):
    """Levels of categories, a column each."""
    rng = np.random.RandomState(seed)
    return np.hstack([np.eye(size)[rng.randint(size, size=n)] for size in sizes])


def noisy(X, seed=0, noise=3.0):
    """Labels that some hyperplane gets right but for noise."""
    rng = np.random.RandomState(seed)
    return np.where(X @ rng.randn(X.shape[1]) + noise * rng.randn(len(X)) > 0, 1, 0)


def overlapping(seed=0):
    """Three categories in conflict, as certify proves it."""
    X = one_hot(60, (4, 3, 3), seed)
    y = noisy(X, seed)
    return X, y, json.loads(certify(X, y).to_json())


def derived(seed):
    """Columns, and others made of them: copies, multiples, sums, thirds, levels and a constant."""
    rng = np.random.RandomState(seed)
    B = 3.0 * rng.randint(-2, 3, (14 + seed % 20, 2 + seed % 3))
    level = np.eye(3)[rng.randint(3, size=len(B))]
    more = [B[:, :1], 2 * B[:, :1], B.sum(axis=1)[:, None], B[:, :1] / 3, level, level[:, :1] * 0.5]
    more += [np.ones((len(B), 1)), B[:, :1] - B[:, 1:2] / 3, B[:, 1:2] * 2.0**-40]
    some = [column for column in more if rng.rand() < 0.5]
    X = np.hstack([B, *some])[:, :]
    X = X[:, rng.permutation(X.shape[1])]
    return X, noisy(B, seed, noise=seed % 4)


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("seed", range(25))
def test_verdicts_on_dependent_columns_are_those_of_the_judge(
    as_if_wide, seed, fit_intercept, form
):
    X, y = derived(seed)
    if len(set(y)) < 2:
        return
    found = certify(form(X), y, fit_intercept=fit_intercept)
    assert found.verdict in (verdict_of(X, y, fit_intercept), "undecided")
    if found.verdict != "undecided":
        assert verify(found, form(X), y)
        assert checker.verify(found, X, y)


@pytest.mark.slow
def test_no_verdict_on_thousands_of_tables_with_dependent_columns_is_false(as_if_wide):
    told = {"overlapping": 0, "undecided": 0, "named": 0}
    for seed in range(3000):
        X, y = derived(seed)
        if len(set(y)) < 2:
            continue
        found, truth = certify(X, y, fit_intercept=bool(seed % 3)), verdict_of(X, y, bool(seed % 3))
        assert found.verdict in (truth, "undecided")
        told["overlapping"] += truth == "overlapping"
        told["undecided"] += found.verdict == "undecided" and truth == "overlapping"
        told["named"] += bool(found.dependent)
        assert found.verdict == "undecided" or verify(found, X, y)
    assert told["named"] > 500
    assert told["undecided"] < told["overlapping"] / 20


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_levels_of_categories_in_conflict(as_if_wide, form, fit_intercept):
    X = one_hot(60, (4, 3, 3))
    y = noisy(X)
    found = certify(form(X), y, fit_intercept=fit_intercept)
    assert (found.verdict, found.proof) == ("overlapping", "bounded")
    assert len(found.dependent) == 2 + fit_intercept
    assert {abs(v) for shares in found.dependent.values() for v in shares.values()} == {1}
    text = found.to_json()
    assert Certificate.from_json(text) == found
    assert Certificate.from_json(text).to_json() == text
    for table in (X, sp.csr_array(X)):
        assert verify(text, table, y)
    assert checker.verify(text, X, y)
    model = Perceptron(settle="first", fit_intercept=fit_intercept).fit(form(X), y)
    assert model.stop_reason_ == "inseparable"


def test_where_columns_are_independent_none_is_named(as_if_wide):
    rng = np.random.RandomState(0)
    X, y = rng.randn(60, 5), rng.choice([-1, 1], 60)
    told = json.loads(certify(X, y).to_json())
    assert told["proof"] == "bounded"
    assert "dependent" not in told


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_levels_in_blocks(as_if_wide, form):
    X = one_hot(90, (4, 3, 3))
    y = noisy(X)
    blocks = [(form(X[k : k + 20]), y[k : k + 20]) for k in range(0, len(y), 20)]
    found = certify_blocks(blocks)
    assert (found.verdict, found.proof, len(found.dependent)) == ("overlapping", "bounded", 3)
    assert verify(found, X, y)
    assert verify_blocks(found, blocks)
    assert checker.verify(found, X, y)
    assert fit_blocks(Perceptron(settle="first"), blocks).stop_reason_ == "inseparable"


def test_a_row_that_breaks_a_relation_refutes_a_bound_over_blocks(as_if_wide, monkeypatch):
    monkeypatch.setattr("rosenblatt.separability.row_sources.hard_rows.BYTES_AT_ONCE", 1)
    X = one_hot(4000, (3, 3))
    y = noisy(X)
    cut = [slice(0, 2000), slice(2000, 4000)]
    assert len(certify_blocks([(X[k], y[k]) for k in cut]).dependent) == 2
    X[3777, 2] += 1  # none of the hardest rows
    found = certify_blocks([(X[k], y[k]) for k in cut])
    assert found.verdict in (certify(X, y).verdict, "undecided")
    assert found.verdict == "undecided" or verify(found, X, y)


def test_columns_of_hashed_text_keep_their_places(as_if_wide):
    X = one_hot(60, (4, 3, 3))
    y = noisy(X)
    places = np.sort(np.random.RandomState(0).choice(500, X.shape[1], replace=False))
    spread = sp.csr_array((np.ones(len(places)), (np.arange(len(places)), places)), (10, 500))
    wide = sp.csr_array(sp.csr_array(X) @ spread)
    found = certify(wide, y)
    assert (found.verdict, len(found.dependent)) == ("overlapping", 3)
    assert verify(found, wide, y)
    assert checker.verify(found, wide, y)


def test_squares_of_levels_are_their_copies(as_if_wide):
    X = one_hot(80, (3, 3))
    y = np.random.RandomState(0).choice([-1, 1], 80)
    found = certify(X, y, kernel="poly", degree=2)
    assert found.verdict in ("overlapping", "touching")
    assert verify(found, X, y)
    assert checker.verify(found, X, y)


# -- Classes that touch ----------------------------------------------------------------------------


def touching(seed=0):
    """Levels in conflict, but for one that only the second class has, and another column beside."""
    X = np.column_stack((one_hot(80, (4, 3, 3), seed), np.arange(80) / 16))
    y = noisy(X, seed, noise=9)
    X = np.column_stack((X, np.zeros(80), X[:, 1]))
    X[77:, -2], X[74:77, -1], y[74:] = 1.0, 7.0, 1
    return X, y


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("seed", range(3))
def test_rows_beside_those_in_conflict_are_separated(as_if_wide, seed, form, fit_intercept):
    X, y = touching(seed)
    found = certify(form(X), y, fit_intercept=fit_intercept)
    assert found.verdict == verdict_of(X, y, fit_intercept) == "touching"
    assert found.proof == "bounded"
    assert found.dependent
    text = found.to_json()
    assert Certificate.from_json(text) == found
    assert verify(text, form(X), y)
    assert checker.verify(text, X, y)
    blocks = [(form(X[k : k + 30]), y[k : k + 30]) for k in range(0, len(y), 30)]
    streamed = certify_blocks(blocks, fit_intercept=fit_intercept)
    assert streamed.verdict == "touching"
    assert verify(streamed, X, y)
    assert checker.verify(streamed, X, y)


def test_of_classes_that_touch_the_rows_in_conflict_obey_the_relations(as_if_wide):
    X, y = touching()
    told = json.loads(certify(X, y).to_json())
    first = next(iter(told["dependent"]))
    forged = told | {"dependent": told["dependent"] | {first: {}}}
    both_refuse(forged, X, y, f"column {first} .* is not the combination given")
    spanning = told | {"verdict": "overlapping", "separator": None}
    both_refuse(spanning, X, y, "is not the combination given|does not span all rows")
    told["conflict"]["weights"][:2] = told["conflict"]["weights"][1::-1]
    told["conflict"]["rows"] = [77, *told["conflict"]["rows"][1:]]
    both_refuse(told, X, y, "is not the combination given|bound on rounding errors does not hold")


# -- Forgeries -------------------------------------------------------------------------------------


def both_refuse(told, X, y, why):
    for check in (verify, checker.verify):
        with pytest.raises(ValueError, match=why):
            check(told, X, y)


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_relations_that_do_not_hold_are_refused(as_if_wide, form):
    X, y, told = overlapping()
    first = next(iter(told["dependent"]))
    shares = told["dependent"][first]
    for wrong in ({**shares, next(iter(shares)): "2"}, dict(list(shares.items())[1:]), {}):
        forged = told | {"dependent": told["dependent"] | {first: wrong}}
        both_refuse(forged, form(X), y, f"column {first} .* is not the combination given")


def test_relations_that_hold_in_the_rows_in_conflict_only_are_refused(as_if_wide):
    X, y, told = overlapping()
    X, y = np.vstack((X, X[:1])), np.append(y, y[0])
    X[-1, X[-1].argmax()] = 2.0
    told |= {"n_samples": len(y), "sha256": certify(X, y).sha256}
    both_refuse(told, X, y, "is not the combination given")


def test_a_column_that_is_not_dependent_cannot_be_left_out(as_if_wide):
    """Weights that cancel out in some columns, and in the others do not."""
    X, y, told = overlapping()
    Z = np.column_stack((X, 2.0 * y - 1))
    named = told | {"n_features": Z.shape[1], "sha256": certify(Z, y).sha256}
    both_refuse(named, Z, y, "the bound on rounding errors does not hold")
    left = named | {"dependent": told["dependent"] | {str(X.shape[1]): {}}}
    both_refuse(left, Z, y, f"column {X.shape[1]} .* is not the combination given")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda d: d | {"99": {"0": "1"}}, "a dependent column is not there"),
        (lambda d: d | {"-1": {"0": "1"}}, "a dependent column is not there"),
        (lambda d: d | {"00": {}}, "a dependent column is not there"),
        (lambda d: [*d], "a dependent column is not there"),
        (lambda d: {k: {"99": "1"} for k in d}, "must be a combination of independent ones"),
        (lambda d: {k: {k: "1"} for k in d}, "must be a combination of independent ones"),
        (lambda d: {k: dict.fromkeys(d, "1") for k in d}, "must be a combination of independent"),
        (lambda d: {k: [1] for k in d}, "must be a combination of independent ones"),
        (lambda d: {k: {"intercept": 1} for k in d}, "a malformed number"),
        (lambda d: {k: {"intercept": "1/0"} for k in d}, "a malformed number"),
        (lambda d: {k: {"intercept": "1e5"} for k in d}, "a malformed number"),
        (lambda d: {k: {"intercept": "9" * 5000} for k in d}, "is not the combination given"),
    ],
)
def test_malformed_relations_are_refused(as_if_wide, change, why):
    X, y, told = overlapping()
    both_refuse(told | {"dependent": change(told["dependent"])}, X, y, why)


def test_without_intercept_there_is_no_such_column(as_if_wide):
    X = one_hot(60, (4, 3, 3))
    y = noisy(X)
    told = json.loads(certify(X, y, fit_intercept=False).to_json())
    told["dependent"]["intercept"] = {}
    both_refuse(told, X, y, "a dependent column is not there")


def test_only_bounds_leave_columns_out(as_if_wide):
    X, y, told = overlapping()
    named = told["dependent"]
    del told["proof"]
    both_refuse(told, X, y, "dependent columns are no part of this proof")
    with pytest.raises(ValueError, match="dependent columns are no part of its proof"):
        Certificate.from_json(json.dumps(told))
    told |= {"proof": "bounded"}
    for wrong in ([], {"x": {}}, {"0": []}, {"0": {"01": "1"}}, {"0": {"1": "one"}}):
        with pytest.raises(ValueError, match="malformed"):
            Certificate.from_json(json.dumps(told | {"dependent": wrong}))
    assert verify(told | {"dependent": named}, X, y)


def test_a_bound_in_columns_that_still_depend_on_each_other_does_not_hold(as_if_wide):
    X, y, told = overlapping()
    told["dependent"].popitem()
    both_refuse(told, X, y, "the bound on rounding errors does not hold")


@pytest.mark.parametrize("seed", range(20))
def test_forged_relations_are_judged_alike_by_both_checkers(as_if_wide, seed):
    X, y, told = overlapping(seed % 5)
    rng = np.random.RandomState(seed)
    for shares in told["dependent"].values():
        for name in list(shares):
            if rng.rand() < 0.05:
                shares[name] = str(Fraction(int(rng.randint(-2, 3)), int(rng.randint(1, 3))))
    answers = []
    for check in (verify, checker.verify):
        try:
            answers.append(check(told, X, y))
        except ValueError as error:
            answers.append(str(error))
    assert answers[0] == answers[1]


def test_slacks_are_the_same_where_all_rows_are_spread_alike(monkeypatch):
    X = np.column_stack((one_hot(200, (9, 8, 7)), np.arange(200) / 7))
    X = np.column_stack((X, X[:, -1] * 3 + 1e-4 * np.random.RandomState(0).randn(200)))
    y = np.random.RandomState(1).choice([-1, 1], 200)
    primal = store(X, 1.0)
    Z = slack_rows(primal, rows_of(primal, y))
    monkeypatch.setattr(squared_slacks, "FEW_STEPS", 1)
    for form in (Z, Z._replace(X=sp.csr_array(Z.X))):
        found = least_slack(form)
        assert found.solved
        assert np.allclose(Z.products(found.w), found.margins)
        assert np.linalg.norm(Z.combine(found.slacks)) < 1e-9


@pytest.mark.parametrize("seed", range(4))
def test_levels_whose_columns_were_standardized_are_related_by_long_fractions(as_if_wide, seed):
    X = one_hot(150, (4, 3, 5), seed)
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    y = noisy(X, seed)
    found = certify(Z, y)
    assert (found.verdict, found.proof, len(found.dependent)) == ("overlapping", "bounded", 3)
    assert verify(found, Z, y)
    assert checker.verify(found, Z, y)
