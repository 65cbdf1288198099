"""Coefficients that run away, against linear programs in whole numbers."""

import numpy as np

from adversary import judge
from rosenblatt import certify

NAMES = {
    (True, True): "either",
    (True, False): "+inf",
    (False, True): "-inf",
    (False, False): "finite",
}
LARGEST = 2**10  # whole numbers, of which rounding and tolerances leave no doubt


def check_coefficients(X, y, rng):
    """What is false about infinite_coefficients. They are computed within tolerances."""
    if not ((np.rint(X) == X).all() and np.abs(X).max() <= LARGEST):
        return None
    intercept = bool(rng.random() < 0.75)
    found = certify(X, y, fit_intercept=intercept)
    if found.verdict == "undecided":
        return None
    told, truth = found.infinite_coefficients(), directions(X, y, intercept)
    told = [list(each.values()) for each in (told.values() if y.max() > 1 else [told])]
    return [] if told == truth else [f"infinite_coefficients are {told}, and it is {truth}"]


def directions(X, y, intercept):
    """What each coefficient of each class but the first can be, over all weak separators."""
    rows, k = judge.fractions_of(X, intercept), int(y.max()) + 1
    width = len(rows[0])
    own = independent(rows, intercept)
    Z = judge.vectors([[x[j] for j in own] for x in rows], y.tolist(), k)
    Z = [judge.whole(z if k == 2 else z[len(own) :]) for z in Z]  # the first class has zeros
    told = [["aliased"] * width for _ in range(k - 1)]
    for c in range(k - 1):
        for place, j in enumerate(own):
            e = [int(i == c * len(own) + place) for i in range(len(Z[0]))]
            told[c][j] = NAMES[can_be_positive(Z, e), can_be_positive(Z, [-v for v in e])]
    return told


def can_be_positive(Z, e):
    """Whether w·e > 0 for some w with w·z >= 0 for all z: not if -e is a sum of z (Farkas)."""
    return judge.conflict([*Z, e], {len(Z)}) is None


def independent(rows, intercept):
    """Columns that are no combinations of those before them, the bias being the first."""
    columns = [judge.whole(column) for column in zip(*rows, strict=True)]
    order = range(len(columns))
    order = [order[-1], *order[:-1]] if intercept else order
    own, span = [], []
    for j in order:
        if judge.modulo(span, [columns[j]]):
            own, span = [*own, j], [*span, columns[j]]
    return sorted(own)
