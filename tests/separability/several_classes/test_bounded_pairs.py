"""Several classes whose conflict a bound on rounding errors proves."""

import json

import numpy as np
import pytest
import scipy.sparse as sp
from adversary.judge import verdict_of

from rosenblatt import Perceptron, certify, checker, verify
from rosenblatt.blocks import certify_blocks, verify_blocks
from rosenblatt.separability.certificate import Certificate


def table(seed, n=60):
    """Three or four classes in columns of which some depend on others, or none does."""
    rng = np.random.RandomState(seed)
    X = rng.randint(-4, 5, (n, 2)) / 2
    if seed % 2:
        X = np.column_stack((X, X[:, :1], np.eye(3)[rng.randint(3, size=n)]))
    k = 3 + seed % 3 // 2
    scores = X @ rng.randn(X.shape[1], k) + (seed % 4) * rng.randn(n, k)
    return X, np.append(np.arange(k), scores.argmax(axis=1)[k:])


@pytest.mark.parametrize("seed", range(24))
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_verdicts_are_those_of_the_judge(as_if_wide, seed, fit_intercept):
    X, y = table(seed, 30)
    found = certify(X, y, fit_intercept=fit_intercept)
    assert found.verdict in (verdict_of(X, y, fit_intercept), "undecided")
    if found.verdict != "undecided":
        assert verify(found, X, y)
        assert checker.verify(found, X, y)


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("seed", [2, 3])
def test_a_bound_proves_that_several_classes_overlap(as_if_wide, seed, form):
    X, y = table(seed)
    found = certify(form(X), y)
    assert (found.verdict, found.proof) == ("overlapping", "bounded")
    assert len(found.dependent or {}) == 2 * (seed % 2)
    text = found.to_json()
    assert Certificate.from_json(text) == found
    assert verify(text, form(X), y)
    assert checker.verify(text, X, y)
    assert Perceptron(settle="first").fit(form(X), y).stop_reason_ == "inseparable"
    blocks = [(form(X[k : k + 20]), y[k : k + 20]) for k in range(0, len(y), 20)]
    streamed = certify_blocks(blocks)
    assert (streamed.verdict, streamed.proof) == ("overlapping", "bounded")
    assert verify_blocks(streamed, blocks)
    assert checker.verify(streamed, X, y)


def forged(change, X, y, why):
    told = json.loads(certify(X, y).to_json())
    change(told)
    for check in (verify, checker.verify):
        with pytest.raises(ValueError, match=why):
            check(told, X, y)


def test_forged_bounds_are_refused(as_if_wide):
    X, y = table(3)

    def swap(told):
        weights = told["conflict"]["weights"]
        at = next(i for i, w in enumerate(weights) if w != weights[0])
        weights[0], weights[at] = weights[at], weights[0]

    def name(told):
        told["dependent"] = dict(list(told["dependent"].items())[:1])

    def invent(told):
        told["dependent"]["1"] = {"intercept": "1"}
        for shares in told["dependent"].values():
            shares.pop("1", None)

    forged(swap, X, y, "the bound on rounding errors does not hold")
    forged(name, X, y, "the bound on rounding errors does not hold")
    forged(invent, X, y, "is not the combination given")


def test_a_conflict_without_one_of_the_classes_spans_less(as_if_wide):
    """The classes 0 and 1 overlap, and 2 is far from both."""
    rng = np.random.RandomState(0)
    X = rng.randint(-4, 5, (60, 2)) / 2
    y = rng.randint(2, size=60)
    far = np.vstack((X, X[:9] + 100)), np.append(y, [2] * 9)
    two, told = json.loads(certify(X, y).to_json()), json.loads(certify(*far).to_json())
    assert two["proof"] == "bounded"
    assert told["verdict"] in ("touching", "undecided")
    rivals = [int(1 - y[i]) for i in two["conflict"]["rows"]]
    told |= {"verdict": "overlapping", "proof": "bounded", "separator": None}
    told["conflict"] = two["conflict"] | {"rivals": rivals}
    for check in (verify, checker.verify):
        with pytest.raises(ValueError, match="the conflict does not span all rows"):
            check(told, *far)


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_rows_outside_a_bound_are_found_in_blocks(as_if_wide, monkeypatch, form):
    monkeypatch.setattr("rosenblatt.separability.row_sources.source.AT_ONCE", 1)
    X, y = table(3, 4000)
    X[3777, 2] += 1  # its copy is another column
    blocks = [(form(X[k : k + 1000]), y[k : k + 1000]) for k in range(0, 4000, 1000)]
    found = certify_blocks(blocks)
    assert found.verdict in (certify(X, y).verdict, "undecided")
    assert found.verdict == "undecided" or verify(found, X, y)
