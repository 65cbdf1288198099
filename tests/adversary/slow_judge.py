"""The slow twin of the judge: fractions all the way, one rule of pivoting, nothing left out."""

from fractions import Fraction


def verdict(Z):
    """Separable, touching or overlapping: conflicts are looked for until none has a new vector."""
    rest = set(range(len(Z)))
    while rest and (found := conflict(Z, rest)):
        rest -= found
    if len(rest) == len(Z):
        return "separable"
    return "touching" if rest else "overlapping"


def conflict(Z, rest):
    """Vectors of which positive multiples add up to zero, one of `rest` among them; or None.

    The simplex method with Bland's rule (1977) for λ >= 0, Σ λ z = 0 and Σ λ over rest = 1.
    """
    T = [[*column, Fraction(0)] for column in zip(*Z, strict=True)]
    T.append([Fraction(v) for v in (*(i in rest for i in range(len(Z))), 1)])
    cost, basis = [sum(column) for column in zip(*T, strict=True)], [-1] * len(T)
    while cost[-1] > 0:
        j = next((j for j, v in enumerate(cost[:-1]) if v > 0), None)
        if j is None:
            return None
        bounding = [k for k, row in enumerate(T) if row[j] > 0]
        k = min(bounding, key=lambda k: (T[k][-1] / T[k][j], basis[k]))
        basis[k], T[k] = j, [v / T[k][j] for v in T[k]]
        for row in (*T[:k], *T[k + 1 :], cost):
            f = row[j]
            row[:] = [a - f * b for a, b in zip(row, T[k], strict=True)]
    return {j for j, row in zip(basis, T, strict=True) if j >= 0 and row[-1] > 0}


def squared_margin(Z):
    """The squared distance of the hull of vectors from the origin, by Wolfe's algorithm (1976)."""
    K = [[sum(map(Fraction.__mul__, a, b)) for b in Z] for a in Z]
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
        found = affine_minimizer([[K[i][j] for j in rows] for i in rows])
        aim = dict(zip(rows, found, strict=True))
        if min(found) > 0:
            return aim
        ends = [weights[i] / (weights[i] - v) for i, v in aim.items() if v <= 0 and weights[i] > v]
        share = min(ends, default=Fraction(0))
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
