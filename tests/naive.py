"""Textbook twins of the fast paths: plain loops, slow and obvious."""

import hashlib
import math
import struct
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

import numpy as np
from scipy.optimize import linprog

# -- Rules -----------------------------------------------------------------------------------------
# Each says how far a row of margin m and squared length q moves the hypothesis.

STEPS = {
    "rosenblatt": lambda m, q, eta0, C, margin: eta0,
    "margin": lambda m, q, eta0, C, margin: eta0,
    "pa": lambda m, q, eta0, C, margin: (margin - m) / q,
    "pa1": lambda m, q, eta0, C, margin: min(C, (margin - m) / q),
    "pa2": lambda m, q, eta0, C, margin: (margin - m) / (q + 1 / (2 * C)),
    "relaxation": lambda m, q, eta0, C, margin: eta0 * (margin - m) / q,
}


def margin_of(rule, margin):
    """The margin that a rule asks for."""
    if rule == "rosenblatt":
        return 0.0
    return 1.0 if margin is None else margin


# -- Hypotheses ------------------------------------------------------------------------------------


def augment(X, fit_intercept=True):
    """The rows (x, 1)."""
    X = np.asarray(X, float)
    return np.column_stack((X, np.full(len(X), float(fit_intercept))))


class Primal:
    """The weights w."""

    def __init__(self, X, y, start):
        self.X, self.y, self.w = X, y, np.array(start[0], float)

    def judge(self, i):
        return self.y[i] * sum(a * b for a, b in zip(self.w, self.X[i], strict=True)), -1

    def signed(self, i, step):
        return self.y[i] * step

    def learn(self, i, c, rival):
        self.w = self.w + c * self.X[i]

    @property
    def weights(self):
        return self.w[None]


class Dual(Primal):
    """A step for each row; a score is a sum of inner products."""

    def __init__(self, X, y, start):
        self.X, self.y, self.start = X, y, np.array(start[0], float)
        self.gram, self.alpha = X @ X.T, np.zeros(len(X))

    def judge(self, i):
        score = sum(a * k for a, k in zip(self.alpha, self.gram[i], strict=True))
        return self.y[i] * (score + self.start @ self.X[i]), -1

    def learn(self, i, c, rival):
        self.alpha[i] += c

    @property
    def weights(self):
        return self.start[None] + self.alpha[None] @ self.X


class Direct:
    """One hypothesis for each class; a mistake is taken from the rival."""

    def __init__(self, X, y, start):
        self.X, self.y, self.W = X, y, np.array(start, float)

    def judge(self, i):
        scores = [sum(a * b for a, b in zip(w, self.X[i], strict=True)) for w in self.W]
        others = [k for k in range(len(scores)) if k != self.y[i]]
        rival = max(others, key=lambda k: scores[k])  # the first on a tie
        return scores[self.y[i]] - scores[rival], rival

    def signed(self, i, step):
        return step

    def learn(self, i, c, rival):
        self.W[self.y[i]] += c * self.X[i]
        self.W[rival] -= c * self.X[i]

    @property
    def weights(self):
        return self.W.copy()


# -- Orders ----------------------------------------------------------------------------------------


def cut(rows, size):
    """Batches of at most so many rows."""
    return [rows[k : k + size] for k in range(0, len(rows), size)]


def shuffled(rows, seed):
    """Fisher and Yates, with xorshift numbers of 64 bits."""
    rows, word = list(rows), 2**64 - 1
    state = seed * 0x9E3779B97F4A7C15 & word
    for k in range(len(rows) - 1, 0, -1):
        state ^= state << 13 & word
        state ^= state >> 7
        state ^= state << 17 & word
        j = (state >> 32) * (k + 1) >> 32
        rows[j], rows[k] = rows[k], rows[j]
    return rows


def visits(order, train, size, rng, hypothesis, may_move):
    """The batches of one pass."""
    if order == "sweep":
        yield from cut(train, size)
    elif order == "shuffled":
        yield from cut(shuffled(train, rng.randint(1, 2**31 - 1)), size)
    elif order == "random":
        yield from cut([train[k] for k in rng.randint(len(train), size=len(train))], size)
    elif order == "worst":
        yield from worst(train, size, hypothesis, may_move)


def worst(train, size, hypothesis, may_move):
    """The rows of smallest margin among those that may move."""
    for _ in range(math.ceil(len(train) / size)):
        key = {i: hypothesis.judge(i)[0] if may_move(i) else math.inf for i in train}
        yield sorted(train, key=key.get)[:size]


# -- The loop --------------------------------------------------------------------------------------


class Result(NamedTuple):
    t: list
    i: list
    c: list
    rival: list
    mistakes: list
    seen: int
    reason: str
    start: np.ndarray
    last: np.ndarray


def perceptron(
    X,
    y,
    *,
    form=Primal,
    start=None,
    order="sweep",
    rule="rosenblatt",
    margin=None,
    eta0=1.0,
    C=1.0,
    batch=1,
    boundary=None,
    weight=None,
    train=None,
    max_iter=10,
    max_updates=math.inf,
    rng=None,
):
    """The perceptron, as the textbook has it. X is augmented, y is ±1 or, for Direct, a class."""
    y = np.asarray(y).tolist()
    start = np.zeros((1, X.shape[1])) if start is None else np.asarray(start, float)
    weight = np.ones(len(y)) if weight is None else weight
    train = list(range(len(y))) if train is None else list(train)
    hypothesis, lengths = form(X, y, start), (X * X).sum(axis=1)
    limit, step = margin_of(rule, margin), STEPS[rule]

    def too_small(i, m, edge):
        return m < edge or (m == edge and (limit > 0 or y[i] != boundary))

    def may_move(i):
        return lengths[i] > 0 and not (hypothesis.judge(i)[0] == 0 and not too_small(i, 0.0, 0.0))

    log, mistakes, seen, reason = [], [], 0, None
    while reason is None:
        errors, before = 0, len(log)
        for rows in visits(order, train, batch, rng, hypothesis, may_move):
            moves = []
            for i in rows:
                m, rival = hypothesis.judge(i)
                errors += too_small(i, m, 0.0)
                if too_small(i, m, limit) and lengths[i] > 0:
                    size = lengths[i] * (2 if form is Direct else 1)  # two hypotheses move
                    c = weight[i] * step(m, size, eta0, C, limit)
                    if c > 0:
                        moves.append((seen, i, hypothesis.signed(i, c), rival))
            for _, i, c, rival in moves:
                hypothesis.learn(i, c, rival)
            log += moves
            seen += len(rows)
            if len(log) >= max_updates or (order == "worst" and not moves):
                break
        mistakes.append(len(log) - before)
        wrong = any(too_small(i, hypothesis.judge(i)[0], 0.0) for i in train)
        quiet = mistakes[-1] == 0 or rule not in ("rosenblatt", "margin")
        if quiet and not errors and not wrong:
            reason = "separated"
        elif mistakes[-1] == 0 and order != "random":
            reason = "margin"
        elif len(log) >= max_updates:
            reason = "max_updates"
        elif len(mistakes) == max_iter:
            reason = "max_iter"
    columns = [list(column) for column in zip(*log, strict=True)] or [[], [], [], []]
    return Result(*columns, mistakes, seen, reason, start, hypothesis.weights)


# -- Keepers: one visit after the other ------------------------------------------------------------


def held(result, X, y):
    """The hypothesis after each visit. Moves of one batch share their t."""
    W, hypotheses, k = result.start.copy(), [], 0
    for visit in range(result.seen):
        while k < len(result.t) and result.t[k] == visit:
            add(W, X[result.i[k]], y[result.i[k]], result.c[k], result.rival[k])
            k += 1
        hypotheses.append(W.copy())
    return hypotheses


def add(W, x, own, c, rival):
    """Add a step to a hypothesis, or to that of its class and against the rival."""
    if len(W) == 1:
        W[0] += c * x
    else:
        W[own] += c * x
        W[rival] -= c * x


def errors(W, X, y, boundary=None, cost=None):
    """The training errors of a hypothesis."""
    total = 0.0
    for i in range(len(y)):
        scores = W @ X[i]
        m = y[i] * scores[0] if len(W) == 1 else scores[y[i]] - np.delete(scores, y[i]).max()
        if m < 0 or (m == 0 and y[i] != boundary):
            total += 1 if cost is None else cost[i]
    return total


def average(result, X, y, **_):
    return np.mean(held(result, X, y), axis=0)


def best(result, X, y, **count):
    """The pocket of the lecture: count after every update, keep the fewest, the first on a tie."""
    if result.reason == "separated":
        return result.last
    kept, fewest = result.start, errors(result.start, X, y, **count)
    for visit, W in enumerate(held(result, X, y)):
        if visit in result.t and errors(W, X, y, **count) < fewest:
            kept, fewest = W, errors(W, X, y, **count)
    return kept


def pocket(result, X, y, **count):
    """Gallant's, with the ratchet: count a hypothesis when its run of right visits is a record."""
    if result.reason == "separated":
        return result.last
    kept, fewest = result.start, errors(result.start, X, y, **count)
    run = longest = 0
    for visit, W in enumerate(held(result, X, y)):
        run = 0 if visit in result.t else run + 1
        if run > longest:
            longest = run
            if errors(W, X, y, **count) < fewest:
                kept, fewest = W, errors(W, X, y, **count)
    return kept


def last(result, X, y, **_):
    return result.last


KEEPERS = {"last": last, "average": average, "best": best, "pocket": pocket, "vote": average}


def vote(result, X, y, x, tie=1):
    """The mean of the signs that all hypotheses give a row, each as long as it survived."""
    signs = [np.sign(W[0] @ x) or tie for W in held(result, X, y)]
    return sum(signs) / len(signs)


# -- The margin bracket ----------------------------------------------------------------------------


def upper_bound(result, X, y):
    """The smallest |w - w0| / Σ|c| at the end of a pass; Novikoff's R/√k never beats it."""
    hypotheses, bound, done, seen = held(result, X, y), math.inf, 0, 0
    n = len(X)
    for mistakes in result.mistakes:
        done, seen = done + mistakes, min(seen + n, result.seen)
        travelled = sum(abs(c) for c in result.c[:done])
        if travelled:
            moved = np.linalg.norm(hypotheses[seen - 1] - result.start)
            bound = min(bound, moved / travelled)
    radius = np.sqrt((X * X).sum(axis=1).max() * (1 if len(result.start) == 1 else 2))
    return min(1.0, bound / radius)


# -- Separability, exactly -------------------------------------------------------------------------


def signed_rows(X, y, fit_intercept=True):
    """The rows y (x, 1) in fractions; y is ±1."""
    return [
        [int(s) * Fraction(v) for v in [*x, *[1] * fit_intercept]]
        for x, s in zip(np.asarray(X, float).tolist(), y, strict=True)
    ]


def kernel(columns):
    """A basis of the weights under which vectors add up to zero, by elimination in fractions."""
    M = [list(row) for row in zip(*columns, strict=True)]
    pivots = {}  # column -> row
    for j in range(len(columns)):
        k = next((k for k in range(len(pivots), len(M)) if M[k][j]), None)
        if k is None:
            continue
        r = len(pivots)
        M[r], M[k] = M[k], M[r]
        M[r] = [v / M[r][j] for v in M[r]]
        for i in range(len(M)):
            if i != r:
                M[i] = [a - M[i][j] * b for a, b in zip(M[i], M[r], strict=True)]
        pivots[j] = r
    basis = []
    for free in (j for j in range(len(columns)) if j not in pivots):
        u = {p: -M[r][free] for p, r in pivots.items()} | {free: Fraction(1)}
        basis.append([u.get(j, Fraction(0)) for j in range(len(columns))])
    return basis


def exact_conflict(Z, guess):
    """Positive weights of rows that add up to zero, the free ones as guessed; None if some is not
    positive."""
    weights = [Fraction(0)] * len(Z)
    for u in kernel([[Fraction(x) for x in z] for z in Z.tolist()]):
        free = max(j for j, x in enumerate(u) if x)
        weights = [w + Fraction(guess[free]) * x for w, x in zip(weights, u, strict=True)]
    return [w / sum(weights) for w in weights] if min(weights) > 0 else None


def in_conflict(Z):
    """The rows of all conflicts. Each is a sum of minimal ones, which have one solution only."""
    found = set()
    for size in range(1, len(Z[0]) + 2):
        for rows in combinations(range(len(Z)), size):
            solutions = kernel([Z[i] for i in rows])
            if len(solutions) == 1 and (min(solutions[0]) > 0 or max(solutions[0]) < 0):
                found |= set(rows)
    return found


def verdict(X, y, fit_intercept=True):
    """Separable, touching or overlapping: no row, some or all of them in conflict (Gordan 1873).

    Some weak separator is positive on every row that is in no conflict.
    """
    rows = in_conflict(signed_rows(X, y, fit_intercept))
    if not rows:
        return "separable"
    return "overlapping" if len(rows) == len(y) else "touching"


# -- The same for larger tables --------------------------------------------------------------------


def is_combination(Z, b):
    """Whether b = Σ λ_i z_i with λ >= 0, by the simplex method on a table of fractions.

    The sum of what is missing is minimized; Bland's rule (1977) keeps it from going in circles.
    """
    T = [
        [*column, value] if value >= 0 else [-v for v in (*column, value)]
        for column, value in zip(zip(*Z, strict=True), b, strict=True)
    ]
    basis, cost = [None] * len(T), [sum(column) for column in zip(*T, strict=True)]
    while cost[-1] > 0:
        j = next((j for j, v in enumerate(cost[:-1]) if v > 0), None)
        if j is None:
            return False
        ends = [
            (row[-1] / row[j], -1 if basis[k] is None else basis[k], k)
            for k, row in enumerate(T)
            if row[j] > 0
        ]
        k = min(ends)[2]
        T[k] = [v / T[k][j] for v in T[k]]
        for other in (*(row for i, row in enumerate(T) if i != k), cost):
            other[:] = [a - other[j] * v for a, v in zip(other, T[k], strict=True)]
        basis[k] = j
    return True


def quick_verdict(X, y, fit_intercept=True):
    """The verdict, by a linear program for each row: whether others make up its opposite."""
    Z = signed_rows(X, y, fit_intercept)
    count = sum(is_combination(Z, [-v for v in z]) for z in Z)
    return "separable" if not count else "overlapping" if count == len(Z) else "touching"


# -- The fewest mistakes ---------------------------------------------------------------------------


def fewest_mistakes(X, y, cost):
    """What the cheapest rows cost without which the rest is separable: all subsets are tried.

    Those that leave rows which one before has shown to be inseparable are passed over.
    """
    n, Z = len(y), X * y[:, None]
    out = np.array(list(np.ndindex(*(2,) * n)), bool).reshape(-1, n)
    out = out[np.argsort(out @ cost, kind="stable")]
    while len(held := inseparable_rows(Z, np.flatnonzero(~out[0]))):
        out = out[out[:, held].any(axis=1)]
    return float(cost[out[0]].sum())


def inseparable_rows(Z, rows):
    """Rows among these whose positive multiples add up to zero; none if they can be separated."""
    if not len(rows):
        return rows
    A = np.vstack((Z[rows].T, np.ones(len(rows))))
    zero_but_one = np.eye(len(A))[-1]
    found = linprog(np.zeros(len(rows)), A_eq=A, b_eq=zero_but_one, method="highs-ds")
    assert found.status in (0, 2), found.message
    return rows[found.x > 1e-9] if found.status == 0 else rows[:0]


def fewest_by_edges(X, y):
    """The same by the edges of cells, in whole numbers: rows on an edge are a smaller problem."""
    return _fewest([tuple(int(4 * v) for v in z) for z in (X * y[:, None]).tolist()])


def _fewest(Z):
    zero = sum(not any(z) for z in Z)
    Z = [z for z in Z if any(z)]
    span = _independent(Z)
    if len(span) <= 1:  # all rows are multiples of one
        ahead = sum(sum(a * b for a, b in zip(z, span[0], strict=True)) > 0 for z in Z) if Z else 0
        return zero + min(ahead, len(Z) - ahead)
    best = len(Z)
    for edge in combinations(sorted(set(Z)), len(span) - 1):
        if len(_independent(edge)) < len(edge):
            continue
        u = _normal(edge, span)
        side = [sum(a * b for a, b in zip(z, u, strict=True)) for z in Z]
        on = [z for z, s in zip(Z, side, strict=True) if s == 0]
        off = min(sum(s < 0 for s in side), sum(s > 0 for s in side))
        if off < best:
            best = min(best, off + (0 if len(on) < len(span) else _fewest(on)))
    return zero + best


def _independent(Z):
    """Rows that span all, by elimination."""
    chosen, reduced = [], []
    for z in Z:
        rest = [Fraction(v) for v in z]
        for lead, row in reduced:
            rest = [a - rest[lead] * b for a, b in zip(rest, row, strict=True)]
        lead = next((j for j, v in enumerate(rest) if v), None)
        if lead is not None:
            chosen.append(z)
            reduced.append((lead, [v / rest[lead] for v in rest]))
    return chosen


def _normal(edge, span):
    """A combination of the rows of a span that is perpendicular to all rows of an edge."""
    G = [[Fraction(sum(a * b for a, b in zip(e, s, strict=True))) for s in span] for e in edge]
    lead, c = [], None
    for row in G:
        for p, other in lead:
            row = [a - row[p] * b for a, b in zip(row, other, strict=True)]
        p = next(j for j, v in enumerate(row) if v)
        row = [v / row[p] for v in row]
        lead = [(q, [a - o[p] * b for a, b in zip(o, row, strict=True)]) for q, o in lead]
        lead.append((p, row))
    free = next(j for j in range(len(span)) if j not in {p for p, _ in lead})
    c = [Fraction(0)] * len(span)
    c[free] = Fraction(1)
    for p, row in lead:
        c[p] = -row[free]
    return [sum(k * s[j] for k, s in zip(c, span, strict=True)) for j in range(len(span[0]))]


# -- The hash of a large dense table ---------------------------------------------------------------


def hash_by_blocks(X, labels):
    """The hash of the hashes of blocks of rows, and of the labels in lines."""
    size, whole = max(1, 2**17 // X.shape[1]), hashlib.sha256()
    for k in range(0, len(X), size):
        block = hashlib.sha256()
        for x in X[k : k + size].tolist():
            block.update(struct.pack(f"<{len(x)}d", *[v + 0.0 for v in x]))
        whole.update(block.digest())
    for label in labels:
        whole.update(f"\n{label}".encode())
    return whole.hexdigest()


# -- Exact numbers ---------------------------------------------------------------------------------


def whole_row(z):
    """Floats as whole numbers without common factor, and the factor that made them so."""
    ratios = [x.as_integer_ratio() for x in z]
    below = max(q for _, q in ratios)  # a power of two, so all others divide it
    numbers = [p * (below // q) for p, q in ratios]
    common = math.gcd(*numbers) or 1
    return [p // common for p in numbers], Fraction(below, common)
