"""Relations of columns: guessed in floating point, and checked exactly."""

from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp

from rosenblatt.separability.exact import column_relations
from rosenblatt.separability.exact.column_relations import (
    broken,
    kept_columns,
    repeated,
    strays,
)
from rosenblatt.separability.exact.rational import span
from rosenblatt.separability.floating_point.column_rank import guess_relations


def breaks(relations, A):
    """Which relations fail in some row, in fractions."""
    rows = [[Fraction(v) for v in row] for row in A.tolist()]
    return {
        k
        for k, shares in relations.items()
        if any(row[k] != sum(v * row[j] for j, v in shares.items()) for row in rows)
    }


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("scale", [1.0, 0.1, 2.0**-300, 1e15, 3e-310])
@pytest.mark.parametrize("seed", range(10))
def test_relations_are_checked_as_in_fractions(seed, scale, form, monkeypatch):
    monkeypatch.setattr(column_relations, "NUMBERS_RELATED", 20)
    rng = np.random.RandomState(seed)
    A = rng.randint(-4, 5, (30, 4)) * scale
    A = np.column_stack((A, A[:, 0], 2 * A[:, 1], A[:, 0] + A[:, 2], A[:, 3] / 3, np.ones(30)))
    A[7, 4] = np.nextafter(A[7, 4], 9) if seed % 2 else A[7, 4]
    relations = {
        4: {0: Fraction(1)},
        5: {1: Fraction(2)},
        6: {0: Fraction(1), 2: Fraction(1)},
        7: {3: Fraction(1, 3)},
        8: {},
    }
    truth = breaks(relations, A)
    assert {8} <= truth
    assert broken(relations, form(A)) == truth
    assert broken(relations, form(A[:, :-1]), 1.0) == truth
    for k, shares in relations.items():
        wrong = [i for i in range(30) if breaks({k: shares}, A[i : i + 1])]
        assert strays({k: shares}, form(A[:, :-1]), 1.0).tolist() == wrong


def test_numbers_of_any_length_are_related_exactly():
    rng = np.random.RandomState(0)
    x = rng.randn(50)
    A = np.column_stack((x, x, np.ones(50)))
    tiny = Fraction(1, 10**40)
    assert broken({1: {0: Fraction(1)}}, A) == set()
    assert broken({1: {0: 1 + tiny}}, A) == {1}
    assert broken({1: {0: Fraction(1), 2: tiny}}, A) == {1}
    assert broken({1: {0: Fraction(10**5000)}}, A) == {1}


@pytest.mark.parametrize("seed", range(20))
def test_what_is_guessed_holds_and_leaves_independent_columns(seed):
    rng = np.random.RandomState(seed)
    B = rng.randint(-5, 6, (40, 5)).astype(float)
    M = rng.randint(-3, 4, (5, 4)) / rng.choice([1, 2, 4], 4) * 2.0 ** rng.randint(-60, 60, 4)
    Z = np.column_stack((B, np.zeros(40), B @ M))
    Z = Z[:, rng.permutation(Z.shape[1])]
    relations = guess_relations(Z)
    assert broken(relations, Z) == set()
    assert breaks(relations, Z) == set()
    kept = kept_columns(relations, Z.shape[1])
    ranks = [len(span(M).pivots) for M in (Z[:, kept], Z)]
    assert ranks == [len(kept) - (~Z.any(axis=0)).sum()] * 2


def test_thirds_are_guessed():
    x = 3.0 * np.random.RandomState(0).randint(-9, 10, (30, 2))
    Z = np.column_stack((x, x[:, 0] / 3 + 5 * x[:, 1] / 3))
    relations = guess_relations(Z)
    assert len(relations) == 1
    assert broken(relations, Z) == set()


def test_columns_equal_but_for_rounding_are_not_related():
    x = np.random.RandomState(0).randn(30, 2)
    Z = np.column_stack((x, x @ [0.1, 0.7]))
    assert broken(guess_relations(Z), Z)


def test_relations_of_several_blocks():
    one = {2: {0: Fraction(1), 1: Fraction(-1)}}
    assert repeated(one, 3, 2) == one | {5: {3: Fraction(1), 4: Fraction(-1)}}
