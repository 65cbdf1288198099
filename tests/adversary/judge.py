"""The judge: exact, in whole numbers and fractions, and without a line of the library.

A hypothesis w is right on a table if w·z > 0 for all its vectors z. Of two classes they are
y (x, 1); of several, (x, 1) in the place of the own class and -(x, 1) in that of a rival, for each
row and rival (Kesler). No w is right if positive multiples of some z add up to zero (Gordan 1873);
the classes overlap if all z take part in such sums, and touch if only some do.
"""

import math
from fractions import Fraction
from itertools import combinations, combinations_with_replacement

import numpy as np

# -- Vectors ---------------------------------------------------------------------------------------


def fractions_of(X, fit_intercept=True):
    """Rows in fractions, with a constant 1."""
    rows = np.asarray(X, float).tolist()
    return [[Fraction(v) for v in [*x, *[1.0] * fit_intercept]] for x in rows]


def vectors(rows, codes, classes):
    """The z of rows in fractions. Codes count from 0; of two classes, 1 is the positive one."""
    if classes == 2:
        return [[v if c else -v for v in x] for x, c in zip(rows, codes, strict=True)]
    pairs = ((x, c, r) for x, c in zip(rows, codes, strict=True) for r in range(classes) if r != c)
    return [[v * ((k == c) - (k == r)) for k in range(classes) for v in x] for x, c, r in pairs]


def monomials(rows, degree, lower):
    """Rows written out as their products of so many numbers; of fewer too, if `lower`."""
    sizes = range(1, degree + 1) if lower else [degree]
    columns = range(len(rows[0]))
    powers = [p for s in sizes for p in combinations_with_replacement(columns, s)]
    return [[math.prod(x[j] for j in p) for p in powers] for x in rows]


def whole(z):
    """The multiple of a vector that is in whole numbers."""
    scale = math.lcm(*(v.denominator for v in z))
    return [int(v * scale) for v in z]


# -- Verdicts --------------------------------------------------------------------------------------


def conflict(Z, rest):
    """Vectors of which positive multiples add up to zero, one of `rest` among them; or None.

    The simplex method with Bland's rule (1977) for λ >= 0, Σ λ z = 0 and Σ λ over rest = 1, on a
    table of whole numbers with one denominator (Edmonds 1967).
    """
    T = [[*column, 0] for column in zip(*Z, strict=True)]
    T.append([*(int(i in rest) for i in range(len(Z))), 1])
    cost, basis, divisor = [sum(column) for column in zip(*T, strict=True)], [-1] * len(T), 1
    while cost[-1] > 0:
        j = next((j for j, v in enumerate(cost[:-1]) if v > 0), None)
        if j is None:
            return None
        k = leaving(T, basis, j)
        pivot, chosen = T[k][j], T[k]
        for row in (*(row for row in T if row is not chosen), cost):
            if row[j] or pivot != divisor:
                f = row[j]
                row[:] = [(pivot * a - f * b) // divisor for a, b in zip(row, chosen, strict=True)]
        divisor, basis[k] = pivot, j
    return {j for j, row in zip(basis, T, strict=True) if j >= 0 and row[-1] > 0}


def leaving(T, basis, j):
    """The row that bounds column j most; of equals the one whose variable comes first."""
    best = None
    for k, row in enumerate(T):
        if row[j] > 0:
            if best is None:
                best = k
                continue
            gap = row[-1] * T[best][j] - T[best][-1] * row[j]
            if gap < 0 or (gap == 0 and basis[k] < basis[best]):
                best = k
    return best


def verdict(Z):
    """Separable, touching or overlapping."""
    Z, rest = [whole(z) for z in Z], set(range(len(Z)))
    while rest and (found := conflict(Z, rest)):
        rest -= found
    if len(rest) == len(Z):
        return "separable"
    return "touching" if rest else "overlapping"


def verdict_of(X, y, fit_intercept=True):
    """The verdict on a table; labels count from 0."""
    return verdict(vectors(fractions_of(X, fit_intercept), y.tolist(), int(y.max()) + 1))


def verdict_of_equals(X, y):
    """The verdict where distinct rows are independent: only equal rows are in conflict."""
    classes, met = set(y.tolist()), {}
    for x, c in zip((X + 0.0).tolist(), y.tolist(), strict=True):
        met.setdefault(tuple(x), set()).add(c)
    if all(len(labels) == 1 for labels in met.values()):
        return "separable"
    return "overlapping" if all(labels == classes for labels in met.values()) else "touching"


# -- Hypotheses ------------------------------------------------------------------------------------


def leads(rows, codes, W):
    """By how much the own class of each row leads its strongest rival, in fractions.

    One hypothesis is that of class 1 against class 0.
    """
    W = [[Fraction(v) for v in w] for w in np.asarray(W, float).tolist()]
    W = [[Fraction(0)] * len(W[0]), *W] if len(W) == 1 else W
    scores = [[sum(map(Fraction.__mul__, x, w)) for w in W] for x in rows]
    return [
        f[c] - max(v for k, v in enumerate(f) if k != c) for f, c in zip(scores, codes, strict=True)
    ]


def is_right(rows, codes, W, boundary=0):
    """Whether a hypothesis has every row on its side; those on it are of the class `boundary`."""
    on_it = {1: 1, -1: 0}.get(boundary)
    pairs = zip(leads(rows, codes, W), codes, strict=True)
    return all(m > 0 or (m == 0 and c == on_it) for m, c in pairs)


def cancels(Z, weights):
    """Whether positive multiples of vectors add up to zero."""
    columns = zip(*Z, strict=True)
    sums = (sum(w * v for w, v in zip(weights, column, strict=True)) for column in columns)
    return min(weights) > 0 and not any(sums)


# -- Margins ---------------------------------------------------------------------------------------


def gram(Z):
    """All inner products of vectors."""
    return [[sum(map(Fraction.__mul__, a, b)) for b in Z] for a in Z]


def squared_margin(K):
    """The squared distance of the hull of vectors from the origin, from their inner products.

    That is the squared margin of the best hypothesis of length 1, or 0 if none is right. Wolfe's
    algorithm (1976) in fractions, where it comes to its end.
    """
    weights = {min(range(len(K)), key=lambda i: K[i][i]): Fraction(1)}
    while True:
        scores = [sum(w * K[i][j] for i, w in weights.items()) for j in range(len(K))]
        least = min(range(len(K)), key=scores.__getitem__)
        length = sum(w * scores[i] for i, w in weights.items())
        if scores[least] >= length:
            return length
        weights[least] = Fraction(0)
        weights = nearest(K, weights)


def nearest(K, weights):
    """Convex weights of the point nearest to the origin, on the way from those given."""
    while True:
        rows = sorted(weights)
        aim = dict(
            zip(rows, affine_minimizer([[K[i][j] for j in rows] for i in rows]), strict=True)
        )
        if min(aim.values()) > 0:
            return aim
        share = min(
            (weights[i] / (weights[i] - v) for i, v in aim.items() if v <= 0 and weights[i] > v),
            default=Fraction(0),
        )
        moved = {i: (1 - share) * weights[i] + share * aim[i] for i in rows}
        weights = {i: v for i, v in moved.items() if v > 0}


def affine_minimizer(K):
    """Weights of sum 1 whose combination is shortest, by elimination in fractions."""
    n = len(K)
    T = [[*row, Fraction(1), Fraction(0)] for row in K]
    T.append([*[Fraction(1)] * n, Fraction(0), Fraction(1)])
    for j in range(n + 1):
        k = next(k for k in range(j, n + 1) if T[k][j])
        T[j], T[k] = T[k], T[j]
        T[j] = [v / T[j][j] for v in T[j]]
        for i in range(n + 1):
            if i != j and T[i][j]:
                T[i] = [a - T[i][j] * b for a, b in zip(T[i], T[j], strict=True)]
    return [row[-1] for row in T[:n]]


# -- The fewest mistakes ---------------------------------------------------------------------------


def fewest_mistakes(Z, costs):
    """What the cheapest vectors cost without which the others can be separated."""
    Z, known = [whole(z) for z in Z], []
    sets = (s for size in range(len(Z) + 1) for s in combinations(range(len(Z)), size))
    for out in sorted(sets, key=lambda s: sum(costs[i] for i in s)):
        if any(found.isdisjoint(out) for found in known):
            continue
        left = [i for i in range(len(Z)) if i not in out]
        found = conflict([Z[i] for i in left], set(range(len(left)))) if left else None
        if found is None:
            return sum(costs[i] for i in out)
        known.append({left[k] for k in found})
