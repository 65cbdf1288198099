"""The judge: exact, in whole numbers and fractions, and without a line of the library.

A hypothesis w is right on a table if w·z > 0 for all its vectors z. Of two classes they are
y (x, 1); of several, (x, 1) in the place of the own class and -(x, 1) in that of a rival, for each
row and rival (Kesler). No w is right if positive multiples of some z add up to zero (Gordan 1873);
the classes overlap if all z take part in such sums, and touch if only some do.
"""

import math
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import combinations, combinations_with_replacement
from operator import mul

import numpy as np

PATIENCE = 3  # steps of the simplex method for each row and column before Bland's rule

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
    """The shortest multiple of a vector that is in whole numbers."""
    scale = math.lcm(*(v.denominator for v in z))
    return primitive([v.numerator * (scale // v.denominator) for v in z])


def in_one_scale(rows):
    """Whole numbers, and what fractions were multiplied by to make them."""
    scale = math.lcm(*{v.denominator for row in rows for v in row})
    return [[v.numerator * (scale // v.denominator) for v in row] for row in rows], scale


def primitive(z):
    """Whole numbers without their common divisor."""
    divisor = math.gcd(*z)
    return [v // divisor for v in z] if divisor > 1 else list(z)


# -- Verdicts --------------------------------------------------------------------------------------


def conflict(Z, rest):
    """Vectors of which positive multiples add up to zero, one of `rest` among them; or None.

    The simplex method for λ >= 0, Σ λ z = 0 and Σ λ over rest = 1, on a table of whole numbers with
    one denominator (Edmonds 1967). Any column that gains may enter; the one that gains most for its
    size does, and after many steps the first, with which the method ends (Bland 1977).
    """
    T = [[*column, 0] for column in zip(*Z, strict=True)]
    T.append([*(int(i in rest) for i in range(len(Z))), 1])
    cost, basis, divisor = [sum(column) for column in zip(*T, strict=True)], [-1] * len(T), 1
    sizes, patience = [max(map(abs, z)).bit_length() for z in Z], PATIENCE * (len(T) + len(Z))
    while cost[-1] > 0:
        gaining = [j for j in range(len(Z)) if cost[j] > 0]
        if not gaining:
            return None
        patience -= 1
        gain = {j: cost[j].bit_length() - sizes[j] for j in gaining}
        j = max(gaining, key=gain.__getitem__) if patience > 0 else gaining[0]
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
    """Separable, touching or overlapping.

    Positive multiples of vectors in conflict make up their whole span. So those in it take part in
    conflicts, and the others do if they do so modulo the span.
    """
    rest = nonzero([whole(z) for z in Z])
    while rest and (found := conflict(rest, range(len(rest)))):
        rest = modulo([rest[i] for i in found], rest)
    if len(rest) == len(Z):
        return "separable"
    return "touching" if rest else "overlapping"


def modulo(span, Z):
    """Vectors modulo a span, by elimination in whole numbers; those in it are left out."""
    while span := [z for z in span if any(z)]:
        z = span.pop()
        j = next(j for j, v in enumerate(z) if v)
        span, Z = ([eliminated(z, j, y) for y in each] for each in (span, Z))
    return nonzero(Z)


def eliminated(z, j, y):
    """A positive multiple of y, and a multiple of z added, so that its number j is zero."""
    f, g = (z[j], y[j]) if z[j] > 0 else (-z[j], -y[j])
    return primitive([f * b - g * a for a, b in zip(z, y, strict=True)]) if g else y


def nonzero(Z):
    """The vectors that are not zero, in shortest whole numbers, and columns that are not."""
    columns = [primitive(column) for column in zip(*Z, strict=True) if any(column)]
    return [primitive(z) for z in zip(*columns, strict=True) if any(z)]


def verdict_of(X, y, fit_intercept=True):
    """The verdict on a table; labels count from 0."""
    return judged(X, y, fit_intercept).verdict


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
    return exact_leads(
        rows, codes, [[Fraction(v) for v in w] for w in np.asarray(W, float).tolist()]
    )


def exact_leads(rows, codes, W):
    """The same of weights in fractions."""
    (rows, scale), (W, scale_of_weights) = in_one_scale(rows), in_one_scale(W)
    W = [[0] * len(W[0]), *W] if len(W) == 1 else W
    scores = [[sum(map(mul, x, w)) for w in W] for x in rows]
    return [
        Fraction(f[c] - max(v for k, v in enumerate(f) if k != c), scale * scale_of_weights)
        for f, c in zip(scores, codes, strict=True)
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
    rows, scale = in_one_scale(Z)
    return [[Fraction(sum(map(mul, a, b)), scale**2) for b in rows] for a in rows]


def squared_margin(K):
    """The squared distance of the hull of vectors from the origin, from their inner products.

    That is the squared margin of the best hypothesis of length 1, or 0 if none is right. Wolfe's
    algorithm (1976) in whole numbers, where it comes to its end. The weights have their sum as
    common denominator.
    """
    K, scale = in_one_scale(K)
    weights = {min(range(len(K)), key=lambda i: K[i][i]): 1}
    while True:
        total, point = sum(weights.values()), [*weights.items()]
        scores = [sum(w * K[i][j] for i, w in point) for j in range(len(K))]
        least = min(range(len(K)), key=scores.__getitem__)
        length = sum(w * scores[i] for i, w in point)
        if scores[least] * total >= length:
            return Fraction(length, total**2 * scale)
        weights[least] = 0
        weights = nearest(K, weights)


def nearest(K, weights):
    """Convex weights of the point nearest to the origin, on the way from those given."""
    while True:
        rows, total = sorted(weights), sum(weights.values())
        found = affine_minimizer([[K[i][j] for j in rows] for i in rows])
        if min(found) > 0:
            return dict(zip(rows, primitive(found), strict=True))
        # Both in the same denominator; the way ends where the first weight comes to zero.
        here = [weights[i] * sum(found) for i in rows]
        aim = [v * total for v in found]
        ends = ((w, w - v) for w, v in zip(here, aim, strict=True) if v <= 0 and w > v)
        share = min((Fraction(*end) for end in ends), default=Fraction(0))
        p, q = share.numerator, share.denominator
        moved = primitive([(q - p) * w + p * v for w, v in zip(here, aim, strict=True)])
        weights = {i: v for i, v in zip(rows, moved, strict=True) if v > 0}


def affine_minimizer(K):
    """Weights, as multiples of their positive sum, whose combination of sum 1 is shortest.

    They solve K a = m 1, by elimination in whole numbers with one denominator.
    """
    T = [[*row, 1, 0] for row in K]
    T.append([*[1] * len(K), 0, 1])
    divisor = 1
    for j in range(len(T)):
        k = next(k for k in range(j, len(T)) if T[k][j])
        T[j], T[k] = T[k], T[j]
        chosen, pivot = T[j][j:], T[j][j]
        for row in (row for k, row in enumerate(T) if k != j):
            f, rest = row[j], zip(row[j:], chosen, strict=True)
            row[j:] = [(pivot * a - f * b) // divisor for a, b in rest]
        divisor = pivot
    found = [row[-1] for row in T[:-1]]
    return found if sum(found) > 0 else [-v for v in found]


# -- Tables ----------------------------------------------------------------------------------------


class Judged:
    """What is true of a table, computed when it is first asked for."""

    def __init__(self, X, codes, fit_intercept, classes):
        self.vectors = vectors(fractions_of(X, fit_intercept), codes, classes)
        self.others = len(self.vectors[0]) // classes if classes > 2 else 0

    @cached_property
    def verdict(self):
        # Weights of all classes may be moved alike, so that those of the first are zero.
        return verdict([z[self.others :] for z in self.vectors])

    @cached_property
    def squared_lengths(self):
        rows, scale = in_one_scale(self.vectors)
        return [Fraction(sum(v * v for v in z), scale**2) for z in rows]

    @cached_property
    def squared_margin(self):
        return squared_margin(gram(self.vectors)) if self.verdict == "separable" else Fraction(0)


class FromProducts:
    """What is true of vectors whose inner products are known."""

    def __init__(self, K):
        self.squared_lengths, self.squared_margin = (
            [K[i][i] for i in range(len(K))],
            squared_margin(K),
        )


def judged(X, y, fit_intercept=True, classes=None):
    """A table, the same one if it was judged a moment ago; labels count from 0."""
    X = np.array(X, float)
    told = int(y.max()) + 1 if classes is None else classes
    return _judged(X.tobytes(), X.shape, tuple(y.tolist()), fit_intercept, told)


@lru_cache(32)
def _judged(numbers, shape, codes, fit_intercept, classes):
    return Judged(np.frombuffer(numbers).reshape(shape), codes, fit_intercept, classes)


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
