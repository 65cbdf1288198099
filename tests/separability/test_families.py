"""Families of hard tables: every verdict is right, and hardly any is missing."""

import families
import numpy as np
import pytest
from sklearn.datasets import make_classification

from rosenblatt import certify, verify


@pytest.mark.parametrize("family", families.FAMILIES)
def test_no_verdict_is_wrong_or_missing(family):
    counts = families.count(family, 12)
    assert counts["wrong"] == counts["undecided"] == 0


@pytest.mark.slow
@pytest.mark.parametrize("family", families.FAMILIES)
def test_no_verdict_of_many_is_wrong_or_missing(family):
    counts = families.count(family, 300, seed=1)
    assert counts["wrong"] == counts["undecided"] == 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(200))
def test_made_up_tables_of_all_sizes_are_decided(seed):
    X, y = made_up(np.random.default_rng(seed))
    certificate = certify(X, y)
    assert certificate.verdict != "undecided"
    if X.size < 20_000:
        assert verify(certificate, X, y)


def made_up(rng):
    """Redundant and repeated features, and up to 30 % of the labels at random."""
    d, n = int(rng.integers(4, 61)), int(50 * 100 ** rng.random())
    informative = max(2, int(d * rng.uniform(0.2, 0.5)))
    redundant = int((d - informative) * rng.uniform(0, 0.7))
    repeated = int((d - informative - redundant) * rng.uniform(0, 0.7))
    return make_classification(
        n,
        d,
        n_informative=informative,
        n_redundant=redundant,
        n_repeated=repeated,
        flip_y=float(rng.choice([0, 0.01, 0.05, 0.1, 0.3])),
        class_sep=float(rng.choice([0.5, 1, 2])),
        random_state=int(rng.integers(2**31)),
    )
