"""Separate, or find rows in conflict."""

from fractions import Fraction

import naive
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from specimens import csr, tables

from rosenblatt import certify, datasets
from rosenblatt.core.vectors import store, take
from rosenblatt.inputs.validation import rows_of
from rosenblatt.separability import decide as deciding
from rosenblatt.separability.answers import Conflict, Separator, Undecided
from rosenblatt.separability.decide import decide
from rosenblatt.separability.exact import certainty, integer_basis, rational
from rosenblatt.separability.floating_point import working_set


def ask(X, y, bias=1.0, erred=None):
    """The answer, after an exact look at its proof."""
    primal = store(X, bias)
    rows = rows_of(primal, np.asarray(y))
    answer = decide(primal, rows, erred)
    if isinstance(answer, Separator):
        assert len(certainty.doubtful(primal, answer.exactly(), rows)) == 0
    if isinstance(answer, Conflict):
        assert_conflict(take(primal, answer.rows) * rows.y[answer.rows, None], answer.weights)
    return answer


def assert_conflict(Z, weights):
    """Positive weights under which rows add up to zero, at most two more than dimensions."""
    assert min(weights) > 0
    assert sum(weights) == 1
    for column in Z.T.tolist():
        assert rational.exact_dot(column, weights) == 0
    assert len(Z) <= Z.shape[1] + 1


@given(tables(), st.booleans())
def test_the_answer_is_right(table, bias):
    X, codes = table
    X, y = X[:7], 2 * codes[:7] - 1
    wanted = naive.in_conflict(naive.signed_rows(X, y, bias))
    answer = ask(X, y, float(bias))
    assert isinstance(answer, Conflict if wanted else Separator)
    if wanted:
        assert set(answer.rows.tolist()) <= wanted


@pytest.mark.parametrize("erred", [np.array([0, 1], np.uint32), np.empty(0, np.uint32)])
def test_rows_that_have_erred_are_only_a_hint(erred):
    X, y = datasets.clouds(500, 5, 0.01)
    assert isinstance(ask(X, y, erred=erred), Separator)
    X, y = datasets.clouds(500, 5, 0.01, flip=1)
    assert isinstance(ask(X, y, erred=erred), Conflict)


@pytest.mark.parametrize("flip", [0, 1, 30])
def test_sparse_rows_get_the_answer_of_dense_ones(flip):
    X, y = datasets.clouds(300, 6, 0.05, flip=flip)
    X[np.abs(X) < 0.1] = 0
    kinds = {type(ask(rows, y)) for rows in (X, csr(X), csr(X, np.int64))}
    assert len(kinds) == 1


def test_a_zero_row_is_a_conflict_of_its_own_only_without_bias():
    X, y = np.array([[1.0, 2], [0, 0], [-1, -2]]), [1, 1, -1]
    assert ask(X, y, 0.0)[:2] == (np.array([1]), [Fraction(1)])
    assert isinstance(ask(X, y), Separator)


@pytest.mark.parametrize("size", [5e-324, 1e-200, 1e200, 1e308])
def test_rows_whose_squares_floating_point_has_not_are_decided(size):
    X = np.array([[size], [-size]])
    assert isinstance(ask(X, [1, -1], 0.0), Separator)
    assert isinstance(ask(X, [1, -1]), Separator)
    assert isinstance(ask(np.vstack((X, X)), [1, -1, -1, 1]), Conflict)


def test_a_tiny_column_beside_the_bias_is_told():
    assert isinstance(ask(np.array([[1e-200], [-1e-200]]), [1, -1]), Separator)
    assert isinstance(ask(np.array([[5e-324], [1e-323]]), [1, -1]), Separator)


def test_without_steps_the_answer_is_open(monkeypatch):
    monkeypatch.setattr(working_set, "ROUNDS", 0)
    monkeypatch.setattr(deciding, "steps", lambda d: 0)
    monkeypatch.setattr(integer_basis, "NEAREST_POINTS", 0)
    answer = ask(*datasets.clouds(1000, 10, 1e-6, tight=True))
    assert isinstance(answer, Undecided)
    assert "0 steps" in answer.reason


@pytest.mark.parametrize("rounds", [0, 20])
def test_exact_arithmetic_decides_without_consultations(monkeypatch, rounds):
    monkeypatch.setattr(working_set, "ROUNDS", 0)
    monkeypatch.setattr(integer_basis, "NEAREST_POINTS", rounds)
    assert isinstance(ask(*datasets.clouds(1000, 5, 1e-6, tight=True)), Separator)
    assert isinstance(ask(*datasets.clouds(1000, 5, 0.05, flip=5)), Conflict)


# -- Fine margins ----------------------------------------------------------------------------------


def test_half_of_the_rows_at_a_millionth():
    X, y = datasets.clouds(100_000, 10, 1e-6, tight=True)
    assert isinstance(ask(X, y), Separator)


@pytest.mark.parametrize("d", [3, 10, 30])
@pytest.mark.parametrize("margin", [1e-8, 1e-10, 1e-12])
def test_the_finest_margins_are_never_told_wrongly(margin, d):
    """Rounding may have made the data themselves inseparable; then the conflict is exact."""
    for seed in range(2):
        ask(*datasets.clouds(5000, d, margin, tight=True, random_state=seed))


@pytest.mark.parametrize("margin", [2.0**-27, 2.0**-34, 2.0**-40])
@pytest.mark.parametrize("d", [3, 10, 30])
def test_fine_margins_that_are_exact_in_floating_point(margin, d):
    """The first column is the margin; the others are whole numbers and hide it by a shear."""
    rng = np.random.RandomState(d)
    X = rng.randint(-8, 9, (5000, d)).astype(float)
    y = rng.choice([-1, 1], 5000)
    X[:2500, 0], X[2500:, 0] = margin * y[:2500], y[2500:] * rng.randint(1, 5, 2500)
    X[:, 1] += X[:, 0]
    X[:, 0] += X[:, 2]
    assert not isinstance(ask(X, y), Conflict)
    y[0] *= -1
    assert not isinstance(ask(X, y), Separator) or certify(X, y).verdict == "separable"


def scaled(n, d, seed, flip):
    """Columns of very different scale."""
    X, y = datasets.clouds(n, d, 0.05, flip=flip, random_state=seed)
    return X * np.random.RandomState(seed).lognormal(0, 3, d), y


@pytest.mark.parametrize("flip", [0, 300])
@pytest.mark.parametrize("d", [5, 20])
def test_columns_of_any_scale_are_decided(d, flip):
    for seed in range(3):
        answer = ask(*scaled(3000, d, seed, flip))
        assert isinstance(answer, Conflict if flip else Separator)


@pytest.mark.slow
@pytest.mark.parametrize("flip", [0, 300])
@pytest.mark.parametrize("d", [5, 20, 50, 100])
def test_columns_of_any_scale_are_decided_in_all_of_ten(d, flip):
    for seed in range(10):
        assert isinstance(ask(*scaled(3000, d, seed, flip)), Conflict if flip else Separator)


@pytest.mark.slow
def test_one_flipped_label_among_a_million():
    X, y = datasets.clouds(1_000_000, 10, 0.002)
    assert isinstance(ask(X, y), Separator)
    y[123_456] *= -1
    answer = ask(X, y)
    assert isinstance(answer, Conflict)
    assert 123_456 in answer.rows
    certificate = certify(X, y)
    assert certificate.verdict == "overlapping"
    assert 123_456 in certificate.conflict.rows


# -- Many columns ----------------------------------------------------------------------------------


def test_few_sparse_rows_are_decided_in_their_own_space():
    S = sp.random(60, 5000, density=0.01, format="csr", random_state=0)
    y = np.where(np.arange(60) % 2, 1, -1)
    assert isinstance(ask(S, y), Separator)
    answer = ask(sp.vstack((S, S[:1])).tocsr(), np.append(y, -y[0]))
    assert sorted(answer.rows) == [0, 60]


def between(S, y):
    """The same rows, and one of the other class between two of one class."""
    i, j = np.flatnonzero(y == y[0])[:2]
    return sp.vstack((S, (S[[i]] + S[[j]]) / 2)).tocsr(), np.append(y, -y[0])


def test_rare_columns_leave_a_conflict_of_few_rows():
    S = sp.random(3000, 5000, density=0.002, format="csr", random_state=0)
    y = np.where(np.arange(3000) % 2, 1, -1)
    assert sorted(ask(*between(S, y)).rows) == [0, 2, 3000]


@pytest.mark.slow
def test_many_rows_of_many_columns_are_left_open():
    S = sp.random(3000, 5000, density=0.01, format="csr", random_state=0)
    y = np.where(np.arange(3000) % 2, 1, -1)
    answer = ask(*between(S, y))
    assert isinstance(answer, Undecided)
    assert "500 at most" in answer.reason


@pytest.mark.parametrize("n", [60, 3000])
def test_contradictory_rows_are_found_in_any_number_of_columns(n):
    S = sp.random(n, 5000, density=0.002, format="csr", random_state=0)
    S = sp.vstack((S, S[:1])).tocsr()
    y = np.where(np.arange(n + 1) % 2, 1, -1)
    y[-1] = -y[0]
    answer = ask(S, y)
    assert sorted(answer.rows) == [0, n]
    assert answer.weights == [Fraction(1, 2)] * 2


@pytest.mark.parametrize("again", [1, 3])
@pytest.mark.parametrize("kind", [sp.csr_array, lambda S: S.toarray()])
def test_contradictory_rows_of_many_columns_touch(kind, again):
    S = sp.random(1100, 1500, density=0.01, format="csr", random_state=0)
    y = np.random.RandomState(0).choice([-1, 1], 1100)
    X, y = kind(sp.vstack((S, S[:again])).tocsr()), np.append(y, -y[:again])
    found = certify(X, y)
    assert found.verdict == "touching"
    assert sorted(found.conflict.rows) in [[i, 1100 + i] for i in range(again)]
    sides = (y[:, None] * take(store(X, 1.0), np.arange(len(y)))) @ np.array(
        [float(v) for v in (*found.separator.w, found.separator.b)]
    )
    assert np.flatnonzero(sides < 1e-9).tolist() == [*range(again), *range(1100, 1100 + again)]
