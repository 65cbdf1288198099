"""Families of tables beside those of families.py, and the labels of several classes."""

import families
import numpy as np
from families import labels, shape, sides


def lattice(rng):
    X = rng.integers(0, 2, shape(rng, 14, 4)).astype(float)
    return X, sides(rng, X)


def touching(rng):
    """A row of both classes on a hyperplane, all others on their sides of it, or on it too."""
    X = rng.integers(-3, 4, shape(rng, 10, 3)).astype(float)
    w = rng.integers(-2, 3, X.shape[1])
    y = np.where(X @ w > 0, 1, np.where(X @ w < 0, -1, rng.choice([-1, 1], len(X))))
    on_it = np.zeros((2, X.shape[1]))
    return np.vstack((X, on_it)) + rng.integers(-3, 4, X.shape[1]), np.append(y, [-1, 1])


def bad_margin(rng):
    """A decision list with alternating answers: weights must double from column to column."""
    d = int(rng.integers(2, 9))
    X = np.vstack((np.eye(d), rng.integers(0, 2, (int(rng.integers(2, 12)), d))))
    y = np.where((X.argmax(axis=1) + (X.max(axis=1) == 0)) % 2, 1, -1)
    return X, y


def klee_minty(rng):
    """Corners of a cube whose sides are as different as those of Klee and Minty (1972)."""
    d = int(rng.integers(2, 6))
    X = rng.integers(0, 2, (int(rng.integers(4, 12)), d)) * 100.0 ** np.arange(d)
    return X + np.tril(rng.integers(0, 3, (d, d)), -1).sum(axis=1), labels(rng, len(X))


FAMILIES = [*families.FAMILIES, lattice, touching, bad_margin, klee_minty]
TITLES = {
    "duplicates": "repeated rows",
    "dependent": "dependent columns",
    "derived": "derived columns",
    "collinear": "nearly collinear columns",
    "neighbours": "neighbours, one unit in the last place apart",
    "nearly_touching": "touching but for a unit in the last place",
    "subnormal": "subnormal numbers",
    "wild_columns": "columns of very different size",
    "wild_rows": "rows of very different size",
    "wild_numbers": "numbers of very different size",
    "large_integers": "whole numbers below 2³¹",
    "hilbert": "parts of the Hilbert matrix",
    "lattice": "corners of a cube",
    "touching": "touching by construction",
    "bad_margin": "decision lists",
    "klee_minty": "Klee–Minty",
}


def draw(family, rng):
    """A table; labels count from 0, and a quarter of the tables have three classes or four."""
    X, y = family(rng)
    if rng.random() < 0.75 or len(y) < 3:
        return X, (y > 0).astype(int)
    return X, several(rng, X)


def several(rng, X):
    """Labels of three classes or four, all of which occur: drawn, or by slices and one other."""
    n = len(X)
    k = min(n, int(rng.integers(3, 5)))
    drawn = rng.permutation(np.append(np.arange(k), rng.integers(0, k, n - k)))
    if rng.random() < 0.4:
        return drawn
    f = np.sign(X) @ rng.integers(-2, 3, X.shape[1]) + np.argsort(np.argsort(X[:, 0])) / n
    y = np.argsort(np.argsort(f, kind="stable")) * k // n
    if rng.random() < 0.4:
        y[rng.integers(n)] = rng.integers(k)
    return y if len(set(y.tolist())) == k else drawn
