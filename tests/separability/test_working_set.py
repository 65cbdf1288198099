"""A few rows first, then all of them: the verdicts are those of looking at all rows every time."""

import families
import numpy as np
import pytest
import scipy.sparse as sp

from rosenblatt import certify, datasets, verify
from rosenblatt.core.vectors import store
from rosenblatt.inputs.validation import rows_of
from rosenblatt.separability import decide
from rosenblatt.separability.answers import Conflict, Separator, Undecided, check
from rosenblatt.separability.floating_point import working_set


@pytest.fixture
def few(monkeypatch):
    """Two rows are checked first, and four are many."""
    monkeypatch.setattr(working_set, "CHECKED_FIRST", (2, 0))
    monkeypatch.setattr(working_set, "MANY", 2)
    monkeypatch.setattr(working_set, "NEAREST", 2)


@pytest.mark.parametrize("family", families.FAMILIES)
def test_no_verdict_that_began_with_two_rows_is_wrong_or_missing(family, few):
    counts = families.count(family, 12, seed=2)
    assert counts["wrong"] == counts["undecided"] == 0


def test_many_rows_are_checked_only_if_some_are_right(monkeypatch):
    X, y = datasets.clouds(70_000, 4, margin=1e-3)
    looks = []

    def counted(primal, w, rows):
        looks.append(len(rows.train))
        return check(primal, w, rows)

    for module in (decide, working_set):
        monkeypatch.setattr(module, "check", counted)
    assert certify(X, y).verdict == "separable"
    assert looks.count(len(y)) <= 2 < len(looks)


def test_few_rows_are_all_checked():
    X, y = datasets.clouds(1000, 4, margin=1e-3)
    rows = rows_of(store(X, 1.0), y)
    assert working_set.checked_first(rows, 5) is rows


def test_contradictory_rows_among_many_are_the_conflict():
    X, y = datasets.clouds(70_000, 4, margin=0.1)
    X[60_001], y[60_001] = X[12_345], -y[12_345]
    primal = store(X, 1.0)
    found = decide.decide(primal, rows_of(primal, y))
    assert sorted(found.rows.tolist()) == [12_345, 60_001]


# -- Conflicts beside rows that are right by very little -------------------------------------------


def chained(seed, links, factor):
    """400 rows that overlap in 60 columns, and chains of rows that a hypothesis gets right only if
    each weight of a chain is many times the one before; columns are then mixed, so none is rare."""
    rng = np.random.default_rng(seed)
    core, chains, n = 60, 8, 400 + 3 * 8 * links
    Z, y = np.zeros((n, core + chains * links)), rng.choice([-1, 1], n)
    Z[:, :core] = rng.integers(0, 256, (n, core)) * (rng.random((n, core)) < 0.3)
    for i in range(400, n):
        k = (i - 400) // 3
        Z[i, core + k] = y[i] * rng.integers(1, 4)
        if k % links:
            Z[i, core + k - 1] = -y[i] * factor * rng.integers(1, 4)
    return Z @ rng.integers(-2, 3, (Z.shape[1], Z.shape[1])).astype(float), y


HARD = [
    (links, factor, seed) for links, factor in [(5, 20), (4, 100), (6, 50)] for seed in range(4)
]


def decided(monkeypatch):
    """How many of the hard tables are decided without the simplex method, and their conflicts."""
    monkeypatch.setattr(decide, "REACH", 0)
    for links, factor, seed in HARD:
        X, y = chained(seed, links, factor)
        primal = store(X, 1.0)
        answer = decide.decide(primal, rows_of(primal, y))
        assert not isinstance(answer, Separator)
        if isinstance(answer, Conflict):
            assert answer.rows.max() < 400
            yield answer


def test_conflicts_are_found_in_a_face(monkeypatch):
    quick = len(list(decided(monkeypatch)))
    monkeypatch.setattr(working_set.WorkingSet, "conflict_in_face", lambda self: None)
    monkeypatch.setattr(decide, "decide_by_slacks", lambda *given: Undecided("not asked"))
    plain = len(list(decided(monkeypatch)))
    assert quick >= plain + len(HARD) // 3  # how many depends on how linear algebra rounds


@pytest.mark.parametrize("family", families.FAMILIES)
def test_no_verdict_without_the_simplex_method_is_wrong(family, monkeypatch):
    monkeypatch.setattr(decide, "REACH", 0)
    assert families.count(family, 12, seed=3)["wrong"] == 0


# -- At size ---------------------------------------------------------------------------------------


def arranged(name):
    """A table of many rows, as it was drawn or as it may come."""
    rng = np.random.default_rng(0)
    if name.endswith("flipped"):
        return datasets.clouds(100_000, 20, margin=0.02, flip=int(name.split()[0]))
    X, y = datasets.clouds(100_000, 20, margin=0.02, tight=name == "tight")
    order = {"by class": np.argsort(y, kind="stable"), "by a column": np.argsort(X[:, 0])}
    X, y = X[order.get(name, slice(None))], y[order.get(name, slice(None))]
    changed = {
        "scaled": lambda: X * 10.0 ** rng.integers(-8, 8, 20),
        "dependent": lambda: np.column_stack((X, X[:, :3].sum(axis=1))),
        "single precision": lambda: X.astype(np.float32),
        "whole numbers": lambda: np.round(X * 20),
        "rare column": lambda: np.column_stack((X, np.arange(len(y)) == 77_777)),
        "sparse": lambda: sp.csr_array(np.where(np.abs(X) > 0.3, X, 0)),
    }
    return changed.get(name, lambda: X)(), y


TABLES = ["as drawn", "by class", "by a column", "scaled", "dependent", "single precision"]
TABLES += ["whole numbers", "rare column", "sparse", "tight"]
TABLES += ["1 flipped", "100 flipped", "20000 flipped"]


@pytest.mark.slow
@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("name", TABLES)
def test_verdicts_at_size_are_those_of_looking_at_all_rows(name, fit_intercept, monkeypatch):
    X, y = arranged(name)
    found = certify(X, y, fit_intercept=fit_intercept)
    monkeypatch.setattr(decide, "checked_first", lambda rows, d: rows)
    assert found.verdict == certify(X, y, fit_intercept=fit_intercept).verdict
    assert verify(found, X, y)
