"""Signs by digits are those of sums in whole numbers, at the lengths where carries matter."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosenblatt.core.vectors import store
from rosenblatt.separability.exact.certainty import exact_scores, exact_signs
from rosenblatt.separability.exact.digit_products import (
    DIGITS_AT_ONCE,
    exact_sums,
    sign_of_sums,
    signs,
)
from rosenblatt.separability.exact.rational import common

NUMBERS = st.one_of(
    st.integers(-300, 300).map(float),
    st.floats(-1e6, 1e6, width=32),
    st.floats(allow_nan=False, allow_infinity=False),
)


def plain(Z, w):
    return [int(np.sign(s)) for s in np.array(exact_sums(Z, w), object)]


@pytest.mark.parametrize("digits", [40, 1_000])
def test_signs_of_more_rows_than_are_multiplied_at_once_are_those_of_each(digits):
    rng = np.random.default_rng(digits)
    w = [int.from_bytes(rng.bytes(2 * digits), "little") for _ in range(2)]
    w[1] = w[0] + 1  # some sums are all but zero
    Z = rng.integers(-3, 4, (DIGITS_AT_ONCE // digits + 3, 2)).astype(float)
    sums = Z.astype(int).astype(object) @ np.array(w, object)
    assert signs(Z, w).tolist() == [(s > 0) - (s < 0) for s in sums]
    assert signs(Z[:0], w).shape == (0,)


@given(st.data(), st.integers(1, 6))
def test_signs_are_those_of_whole_numbers(data, d):
    Z = np.array(data.draw(st.lists(st.lists(NUMBERS, min_size=d, max_size=d), min_size=1)))
    w = data.draw(st.lists(st.integers(-(2**400), 2**400), min_size=d, max_size=d))
    assert signs(Z, w).tolist() == plain(Z, w)


@given(st.lists(st.integers(-(2**54), 2**54), min_size=1, max_size=8))
def test_carries_leave_the_sign(digits):
    total = sum(x << (16 * k) for k, x in enumerate(digits))
    found = sign_of_sums(np.array([[*digits, 0, 0, 0]], np.int64))
    assert found.tolist() == [(total > 0) - (total < 0)]


@pytest.mark.parametrize("unit", [1.0, 0.1])
def test_sums_that_cancel_to_the_last_digit(unit):
    """800 columns and weights of 4,000 bits, of which all but the lowest cancel."""
    rng = np.random.RandomState(0)
    Z = rng.randint(-255, 256, (60, 800)) * unit
    w = [int.from_bytes(rng.bytes(500), "little", signed=True) for _ in range(800)]
    below = Fraction(Z[0, -1])
    others = sum(Fraction(z) * x for z, x in zip(Z[0, :-1].tolist(), w[:-1], strict=True))
    last = -others / below if below else Fraction(0)
    for more in (-1, 0, 1):
        ratios = [Fraction(x) for x in w[:-1]] + [last + more * Fraction(1, 10**9)]
        found = signs(Z, common(ratios))
        assert found.tolist() == plain(Z, common(ratios))
        assert found[0] == more * np.sign(Z[0, -1])


def test_signs_of_rows_are_those_of_their_scores():
    rng = np.random.RandomState(1)
    X = rng.randint(-2, 3, (3000, 400)).astype(float)
    w = [Fraction(int(x), 3) for x in rng.randint(-2, 3, 401)]
    rows = np.arange(3000)
    slow = [int(np.sign(s)) for (s,) in exact_scores(store(X, 1.0), [w], rows)]
    assert exact_signs(store(X, 1.0), w, rows).tolist() == slow
    assert slow.count(0) > 10
