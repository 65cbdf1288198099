"""Families of small tables that floating point finds hard, and a count of their verdicts.

    python tests/families.py 1000

prints, for each family, how many of so many tables were decided, left open, or decided wrongly,
by comparison with linear programs in fractions.
"""

import sys
import time
from collections import Counter

import naive
import numpy as np

from rosenblatt import certify, verify


def labels(rng, n):
    """Labels ±1 that both occur."""
    return rng.permutation(np.append([-1, 1], rng.choice([-1, 1], n - 2)))


def shape(rng, rows=10, columns=4):
    return int(rng.integers(2, rows + 1)), int(rng.integers(1, columns + 1))


def sides(rng, X):
    """Labels that a random hyperplane gives, so that both kinds of verdicts are common."""
    w = rng.integers(-3, 4, X.shape[1])
    f = X @ w
    y = np.where(f > np.median(f), 1, -1)
    if rng.random() < 0.5:
        y[rng.integers(len(y))] *= -1
    return y if len(set(y.tolist())) == 2 else labels(rng, len(X))


def ties(rng):
    X = rng.integers(-2, 3, shape(rng)).astype(float)
    return X, labels(rng, len(X))


def duplicates(rng):
    X = rng.normal(size=shape(rng)).round(1)
    X = X[rng.integers(0, len(X), len(X))]
    return X, sides(rng, X)


def dependent(rng):
    X = rng.integers(-5, 6, shape(rng)).astype(float)
    X = np.column_stack((X, X @ rng.integers(-2, 3, X.shape[1]), X[:, 0]))
    return X, sides(rng, X)


def derived(rng):
    """Sums, shares, other units: combinations of other columns but for rounding."""
    X = rng.normal(size=shape(rng, 12, 3)).round(2)
    total = np.abs(X).sum(axis=1) + 1
    more = [X.sum(axis=1), 1.8 * X[:, 0] + 32, X[:, 0] * 3, X[:, 0] / 7, X.mean(axis=1)]
    chosen = rng.choice(5, rng.integers(1, 3), replace=False)
    Y = np.column_stack((X, *(more[k] for k in chosen)))
    if rng.random() < 0.2:
        Y = np.column_stack((np.abs(X) / total[:, None], 1 / total))
    return Y, sides(rng, X)


def collinear(rng):
    X = rng.normal(size=shape(rng, 10, 3))
    noise = rng.normal(size=len(X)) * 2.0 ** -rng.integers(30, 60)
    return np.column_stack((X, X @ rng.normal(size=X.shape[1]) + noise)), sides(rng, X)


def nudged(rng, X):
    """Some numbers replaced by their neighbours."""
    to = rng.choice([-np.inf, np.inf], X.shape)
    return np.where(rng.random(X.shape) < 0.5, np.nextafter(X, to), X)


def neighbours(rng):
    X = nudged(rng, np.full(shape(rng, 8, 3), rng.choice([1.0, 3.0, 0.1])))
    return X, labels(rng, len(X))


def nearly_touching(rng):
    """Rows on both sides of a hyperplane and on it, but for a unit in the last place."""
    X = rng.integers(-4, 5, shape(rng, 10, 3)).astype(float) / rng.choice([1, 3, 7, 10])
    w = rng.integers(-2, 3, X.shape[1])
    f = X @ w
    y = np.where(f > 0, 1, np.where(f < 0, -1, rng.choice([-1, 1], len(f))))
    return nudged(rng, X), y if len(set(y.tolist())) == 2 else labels(rng, len(X))


def subnormal(rng):
    X = rng.integers(-6, 7, shape(rng, 8, 3)) * 5e-324
    return X, labels(rng, len(X))


def wild_columns(rng):
    X = rng.integers(-3, 4, shape(rng, 8, 3)) * 10.0 ** rng.integers(-300, 300)
    X = X * 10.0 ** rng.integers(-4, 5, X.shape[1])
    return X, sides(rng, np.sign(X))


def wild_rows(rng):
    X = rng.integers(-3, 4, shape(rng, 8, 3)).astype(float)
    return X * 10.0 ** rng.integers(-290, 290, (len(X), 1)), labels(rng, len(X))


def wild_numbers(rng):
    size = shape(rng, 8, 3)
    X = rng.choice([-1.0, 1.0], size) * 10.0 ** rng.integers(-300, 300, size)
    return X, labels(rng, len(X))


def large_integers(rng):
    X = rng.integers(-(2**31), 2**31, (6, 2)).astype(float)
    return X, labels(rng, 6)


def hilbert(rng):
    n, d = int(rng.integers(2, 14)), int(rng.integers(1, 12))
    X = 1 / (np.arange(n)[:, None] + np.arange(d) + 1.0)
    return X, np.where(np.arange(n) % 2, 1, -1)


FAMILIES = [
    ties, duplicates, dependent, derived, collinear, neighbours, nearly_touching, subnormal,
    wild_columns, wild_rows, wild_numbers, large_integers, hilbert,
]  # fmt: skip


def judge(X, y, fit_intercept):
    """The verdict; "wrong" if linear programs in fractions or the checker say otherwise."""
    found = certify(X, y, fit_intercept=fit_intercept)
    if found.verdict == "undecided":
        return "undecided"
    right = found.verdict == naive.quick_verdict(X, y, fit_intercept)
    return found.verdict if right and verify(found, X, y) else "wrong"


def count(family, cases, seed=0):
    """How often each verdict was given."""
    counts = Counter()
    for k in range(cases):
        rng = np.random.default_rng((seed, k))
        counts[judge(*family(rng), bool(k % 4))] += 1
    return counts


def main(cases):
    verdicts = ("separable", "touching", "overlapping", "undecided", "wrong")
    print("family", *verdicts, "seconds", sep=" | ")
    for family in FAMILIES:
        began = time.perf_counter()
        counts = count(family, cases)
        seconds = round(time.perf_counter() - began, 1)
        print(family.__name__, *(counts[v] for v in verdicts), seconds, sep=" | ", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
