"""Rational linear algebra, and what floating point may be sure of."""

import math
from fractions import Fraction

import naive
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from specimens import quarters, tables

from rosenblatt.core.vectors import store
from rosenblatt.inputs.validation import rows_of
from rosenblatt.separability.exact import certainty, modular, rational
from rosenblatt.separability.exact.confirmation import scaled

numbers = st.one_of(quarters, st.sampled_from([1e-300, 1e300, 0.1, -(2.0**-1074), 1 + 2.0**-52]))


@st.composite
def matrices(draw, entries=quarters):
    d = draw(st.integers(1, 5))
    row = st.lists(entries, min_size=d, max_size=d)
    return np.array(draw(st.lists(row, min_size=1, max_size=6)))


def fractions(Z):
    return [[Fraction(x) for x in z] for z in Z.tolist()]


def rank(Z):
    return len(Z) - len(naive.kernel(fractions(Z)))


@pytest.fixture(params=["flint", "fractions"])
def arithmetic(request, monkeypatch):
    """Both ways of elimination."""
    if request.param == "flint":
        pytest.importorskip("flint")
    else:
        monkeypatch.setattr(rational, "flint", lambda: None)


@given(matrices(numbers))
def test_whole_rows_are_the_rows_times_a_factor(Z):
    rows, factors = rational.whole_rows(Z)
    assert [*zip(rows, factors, strict=True)] == [naive.whole_row(z) for z in Z.tolist()]
    assert [[x / f for x in row] for row, f in zip(rows, factors, strict=True)] == fractions(Z)
    assert all(math.gcd(*row) in (0, 1) for row in rows)
    assert min(factors) > 0


@given(matrices(numbers))
def test_elimination_is_the_same_with_and_without_flint(Z):
    pytest.importorskip("flint")
    flint = rational.flint
    answers = []
    for library in (flint, lambda: None):
        rational.flint = library
        try:
            rows, below, pivots = rational.reduce(rational.whole_rows(Z)[0])
        finally:
            rational.flint = flint
        answers.append(([[Fraction(x, below) for x in row] for row in rows], pivots))
    assert answers[0] == answers[1]
    assert len(rational.span(Z).pivots) == len(answers[0][1]) == rank(Z)


@given(matrices(), matrices(), st.data())
def test_a_span_holds_its_combinations_and_nothing_else(Z, W, data):
    d = min(Z.shape[1], W.shape[1])
    Z, W = Z[:, :d], W[:, :d]
    weights = data.draw(st.lists(st.integers(-3, 3), min_size=len(Z), max_size=len(Z)))
    X = np.vstack((W, weights @ Z, np.zeros(d)))
    inside = [rank(np.vstack((Z, x))) == rank(Z) for x in X]
    for scale in (1.0, 2.0**-70, 2.0**90):
        assert rational.span(Z).holds(X * scale).tolist() == inside


@given(matrices(numbers))
def test_what_is_across_a_span_has_a_product_of_zero(Z):
    span = rational.span(Z)
    vectors = [list(column) for column in zip(*span.across(), strict=True)]
    assert all(rational.exact_dot(z, v) == 0 for z in Z.tolist() for v in vectors)
    whole = rational.span(np.eye(Z.shape[1]))
    assert len(vectors) == Z.shape[1] - rank(Z) == len(whole.pivots) - rank(Z)


@given(matrices(numbers), st.data())
def test_solutions_are_the_same_with_and_without_flint(Z, data):
    pytest.importorskip("flint")
    flint = rational.flint
    minor = modular.independent(Z)
    A = [[z[j] for j in minor.columns] for z in rational.whole_rows(Z[minor.rows])[0]]
    assume(A)
    b = [[data.draw(st.integers(-9, 9))] for _ in A]
    answers = []
    for library in (flint, lambda: None):
        rational.flint = library
        try:
            X, below = rational.solve(A, b)
            assert rational.product(A, X) == [[below * x] for (x,) in b]
        finally:
            rational.flint = flint
        answers.append([Fraction(x, below) for (x,) in X])
    assert answers[0] == answers[1]


@given(matrices(numbers))
def test_independence_modulo_a_prime_is_independence(Z):
    minor = modular.independent(Z)
    assert len(minor.rows) == len(minor.columns) == modular.rank_modulo(Z) == rank(Z)
    assert rank(Z[np.ix_(minor.rows, minor.columns)]) == len(minor.rows)
    for k in range(len(Z) + 1):  # the first ones first
        assert sum(i < k for i in minor.rows) == (rank(Z[:k]) if k else 0)


@pytest.mark.parametrize("width", [1, 2**15, 2**15 + 1, 300_000])
def test_products_modulo_a_prime_do_not_overflow_in_many_columns(width):
    largest = np.full(width, modular.PRIME - 1)  # which is -1
    assert modular.times(np.stack((largest, largest * 0 + 1)), largest).tolist() == [
        width % modular.PRIME,
        -width % modular.PRIME,
    ]


def test_a_span_of_many_columns_holds_its_rows():
    Z = np.random.RandomState(0).randint(-9, 10, (4, 300_000)).astype(float)
    span = modular.independent(Z[:3]).span
    assert span.holds(np.vstack((Z, Z[0] - 2 * Z[2]))).tolist() == [True] * 3 + [False, True]


def test_numbers_beyond_floating_point_are_no_obstacle(arithmetic):
    Z = np.random.RandomState(0).standard_normal((30, 40))
    span = rational.span(Z)
    assert len(span.pivots) == 30
    assert max(x.bit_length() for row in span.rows for x in row) > 1024
    assert span.holds(np.vstack((Z, np.ones(40)))).tolist() == [True] * 30 + [False]


@pytest.mark.parametrize(
    ("Z", "guess", "weights"),
    [
        ([[1.0, 2], [-1, -2]], [1, 1], [Fraction(1, 2)] * 2),
        ([[1.0, 0], [0, 1], [-0.25, -0.5]], [0.1, 0.2, 0.4], [Fraction(k, 7) for k in (1, 2, 4)]),
        ([[0.0, 0]], [5], [Fraction(1)]),
        ([[1.0], [2.0]], [1, 1], None),
        ([[1.0, 0], [0, 1]], [1, 1], None),
        ([[1.0, 0], [-1, 1e-300]], [1, 1], None),
    ],
)
def test_a_conflict_is_exact_or_none(Z, guess, weights, arithmetic):
    assert rational.exact_conflict(np.array(Z), guess) == weights


def test_a_conflict_is_of_the_numbers_as_stored(arithmetic):
    a, b = Fraction(0.1), Fraction(0.3)  # which is not thrice the first
    assert rational.exact_conflict(np.array([[0.1], [-0.3]]), [3, 1]) == [b / (a + b), a / (a + b)]


@given(matrices(numbers), st.data(), st.booleans())
def test_conflicts_in_whole_numbers_are_those_of_fractions(Z, data, plain):
    guess = data.draw(st.lists(quarters, min_size=len(Z), max_size=len(Z)))
    flint = rational.flint
    try:
        rational.flint = (lambda: None) if plain else flint
        assert rational.exact_conflict(Z, guess) == naive.exact_conflict(Z, guess)
    finally:
        rational.flint = flint


@given(tables(), st.booleans(), st.data())
def test_no_row_is_cleared_that_is_not_right(table, bias, data):
    X, codes = table
    y, d = 2 * codes - 1, X.shape[1] + 1
    assume(bias or X.any(axis=1).all())
    w = np.array(data.draw(st.lists(quarters, min_size=d, max_size=d)))
    nudge = data.draw(st.sampled_from([0.0, 1e-17, 1e-9, 1e-300]))
    w[0] += nudge
    primal = store(X, float(bias))
    left = certainty.doubtful(primal, rational.FloatRatios(w), rows_of(primal, y)).tolist()
    full = naive.augment(X, bias)
    sides = [
        s * rational.exact_dot(x, fractions(w[None])[0])
        for x, s in zip(full, y.tolist(), strict=True)
    ]
    wrong = {i for i, side in enumerate(sides) if side <= 0}
    assert wrong <= set(left) if min(sides) < 0 else wrong == set(left)


def test_a_product_that_cancels_is_told_exactly():
    X, w = np.array([[1e16, 1.0, -1e16], [1e16, -1.0, -1e16]]), np.array([1.0, 1.0, 1.0, 0.0])
    primal, w = store(X, 1.0), rational.FloatRatios(w)
    assert certainty.doubtful(primal, w, rows_of(primal, np.array([1, -1]))).tolist() == []
    assert certainty.doubtful(primal, w, rows_of(primal, np.array([1, 1]))).tolist() == [1]


def test_what_is_not_finite_is_not_certain():
    primal = store(np.ones((2, 1)), 1.0)
    w = rational.FloatRatios(np.array([np.inf, 0.0]))
    assert len(certainty.doubtful(primal, w, rows_of(primal, np.array([1, 1])))) == 2


@given(st.lists(numbers, max_size=5))
def test_floats_are_the_fractions_that_they_are(values):
    ratios, plain = rational.FloatRatios(np.array(values)), [Fraction(x) for x in values]
    assert ratios == plain == ratios
    assert plain != [*ratios, Fraction(1)]
    assert repr(ratios) == repr(plain)
    assert ratios[1:] == plain[1:]
    assert rational.floats_of(ratios).tolist() == rational.floats_of(plain).tolist() == values
    assert rational.in_line([ratios, ratios]) == rational.in_line([ratios, plain]) == plain * 2
    assert np.array_equal(scaled(ratios), scaled(plain))
