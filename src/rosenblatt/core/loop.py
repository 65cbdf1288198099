"""The one compiled loop.

A *hypothesis* is a vector ``w``; a *storage* says what a row scores against it and what adding a
row does to it. With the constant feature x̂ = (x, 1) the bias is the last weight.

=======  ====================================  =========================  =====================
storage  holds                                 w                          score of row i
=======  ====================================  =========================  =====================
Dense    the rows of an array                  d weights and the bias     w·x̂ᵢ
Sparse   the rows of a CSR matrix              d weights and the bias     w·x̂ᵢ
Gram     all inner products (the dual form)    n steps, then n scores     kept current in w
Support  inner products with some rows         n steps, then n scores     kept current in w
=======  ====================================  =========================  =====================

Sums are made in the order that is fastest for a storage. All make the same updates where sums are
exact; elsewhere, rounding may make them differ.

Adding row i to a Gram hypothesis refreshes the scores of all rows: a visit costs O(1), a mistake
O(n). Where the Gram matrix is larger than memory, Support holds those of its rows that erred of
late, and the loop returns to have others computed.

The loop holds hypotheses as the rows of a matrix ``W``. One row is the two-class perceptron, with
labels ±1. Several rows are one hypothesis for each class, with labels 0, 1, …: a mistake is added
to the right class and taken from its *rival*, the highest wrong score.
"""

from typing import Any, NamedTuple

import numpy as np

from rosenblatt.core.jit import by_storage, compiled

Array = np.ndarray[Any, np.dtype[Any]]


class Dense(NamedTuple):
    X: Array
    bias: float


class Sparse(NamedTuple):
    data: Array
    indices: Array
    indptr: Array
    n_features: int
    bias: float


class Gram(NamedTuple):
    K: Array


class Support(NamedTuple):
    K: Array  # the rows of the Gram matrix that are at hand
    place: Array  # where among them each row is; -1 if it is not
    norm2: Array


Primal = Dense | Sparse  # whose hypotheses are weights and a bias
Storage = Primal | Gram | Support


class Rows(NamedTuple):
    """What the loop asks of a row beside its values."""

    y: Array  # ±1; with a hypothesis for each class, the class
    weight: Array  # the factor of its steps
    norm2: Array  # |x̂|²
    boundary: int  # the label of a point on the hyperplane; one that no row has, if it always errs
    train: Array  # the rows to learn from
    cost: Array  # what an error counts when hypotheses are compared


# -- What each storage must say; vectors.take and vectors.scores say the same in NumPy -------------


@by_storage
def score(storage, w, i):
    """The score f(x_i) of a row."""


@by_storage
def add(storage, w, i, c):
    """Add c times row i to the hypothesis."""


@by_storage
def norm2(storage, i):
    """The squared length of row i."""


@by_storage
def at_hand(storage, i):
    """Whether row i is in memory."""
    return True


# Dense


@score.register
def _(storage: Dense, w, i):
    d = storage.X.shape[1]
    total = storage.bias * w[d]
    for j in range(d):
        total += storage.X[i, j] * w[j]
    return total


@add.register
def _(storage: Dense, w, i, c):
    d = storage.X.shape[1]
    for j in range(d):
        w[j] += c * storage.X[i, j]
    w[d] += c * storage.bias


@norm2.register
def _(storage: Dense, i):
    total = storage.bias
    for j in range(storage.X.shape[1]):
        total += np.float64(storage.X[i, j]) * storage.X[i, j]
    return total


# Sparse


@score.register
def _(storage: Sparse, w, i):
    total = storage.bias * w[storage.n_features]
    for p in range(storage.indptr[i], storage.indptr[i + 1]):
        total += storage.data[p] * w[storage.indices[p]]
    return total


@add.register
def _(storage: Sparse, w, i, c):
    for p in range(storage.indptr[i], storage.indptr[i + 1]):
        w[storage.indices[p]] += c * storage.data[p]
    w[storage.n_features] += c * storage.bias


@norm2.register
def _(storage: Sparse, i):
    total = storage.bias
    for p in range(storage.indptr[i], storage.indptr[i + 1]):
        total += np.float64(storage.data[p]) * storage.data[p]
    return total


# Gram and Support


@compiled
def add_dual(w, i, c, row):
    """Add a step of row i, and refresh the scores of all rows."""
    n = len(row)
    w[i] += c
    for j in range(n):
        w[n + j] += c * row[j]


@score.register
def _(storage: Gram | Support, w, i):
    return w[len(w) // 2 + i]


@add.register
def _(storage: Gram, w, i, c):
    add_dual(w, i, c, storage.K[i])


@add.register
def _(storage: Support, w, i, c):
    add_dual(w, i, c, storage.K[storage.place[i]])


@norm2.register
def _(storage: Gram, i):
    return storage.K[i, i]


@norm2.register
def _(storage: Support, i):
    return storage.norm2[i]


@at_hand.register
def _(storage: Support, i):
    return storage.place[i] >= 0


# -- The loop --------------------------------------------------------------------------------------


@compiled
def wrong(m, y, margin, boundary):
    """Whether a margin is too small. On the edge, only rows of the class `boundary` are right."""
    return (m < margin) | ((m == margin) & (y != boundary))


@compiled
def step(m, norm2, rule):
    """How far a row moves the hypothesis. A zero row does not move it."""
    if norm2 == 0.0:
        return 0.0
    if rule.gain == 0.0:  # so nothing has to wait for the margin
        return rule.rate
    return min(rule.cap, rule.rate + rule.gain * (rule.margin - m) / (norm2 + rule.damping))


@compiled
def next_mistake(storage, w, y, visit, begin, end, margin, boundary):
    """The next visit, before `end`, of a row whose margin is too small, and the last margin seen.

    The next row is known before this one is judged, so that it is already on its way from memory.
    """
    m, i = 0.0, np.int64(visit[begin])
    for k in range(begin, end):
        ahead = np.int64(visit[min(k + 1, len(visit) - 1)])
        m = y[i] * score(storage, w, i)
        if m <= margin and wrong(m, y[i], margin, boundary):
            return k, m
        i = ahead
    return end, m


@compiled
def margin_over_rival(storage, W, own, i):
    """By how much row i's own class leads over its rival, and the rival."""
    mine, rival, highest = 0.0, -1, -np.inf
    for k in range(len(W)):
        s = score(storage, W[k], i)
        if k == own:
            mine = s
        elif rival < 0 or s > highest:
            rival, highest = k, s
    return mine - highest, rival


@compiled
def update_classes(storage, W, own, rival, i, c):
    """Add c times row i to its own class, and take it from the rival."""
    add(storage, W[own], i, c)
    add(storage, W[rival], i, -c)


@compiled
def all_at_hand(storage, log, first, last):
    """Whether the rows of these updates are in memory."""
    here = True
    for j in range(first, last):
        here &= at_hand(storage, log.i[j])
    return here


@compiled
def sweep(storage, W, rows, rule, batch, visit, seen, log, most):
    """Visit rows in turn and learn from mistakes, until `most` rows or more have moved W.

    The rows of a batch are judged by one hypothesis and added together; a batch is never split.
    Ends early at a batch with a row that is not at hand: its moves are logged but not learned.
    Returns the visits made, the moves among them, the errors, the sum of the losses, and how many
    of the moves are learned.
    """
    y, w, several, n = rows.y, W[0], len(W) > 1, len(visit)
    k = moves = learned = np.int64(0)  # a literal is a type of its own: helpers are compiled twice
    errors, loss, first, end = 0, 0.0, 0, n  # nothing moves before the next mistake, and its batch
    while k < n and learned < most:
        if several:
            m, rival = margin_over_rival(storage, W, y[visit[k]], visit[k])
        else:
            k, m = next_mistake(storage, w, y, visit, k, end, rule.margin, rows.boundary)
            rival = -1
        if k < end:
            i = visit[k]
            if moves == learned:
                first = k if batch == 1 else k // batch * batch
                end = min(n, first + batch)
            k += 1
            if wrong(m, y[i], rule.margin, rows.boundary):
                errors += wrong(m, y[i], 0.0, rows.boundary)
                loss += rule.margin - m
                size = 2.0 * rows.norm2[i] if several else rows.norm2[i]  # two hypotheses move
                c = rows.weight[i] * step(m, size, rule)
                if c > 0.0:
                    log.t[moves], log.i[moves], log.rival[moves] = seen + first, i, rival
                    log.c[moves] = c if several else c * y[i]
                    moves += 1
        if k == end:
            if not all_at_hand(storage, log, learned, moves):
                return k, moves, errors, loss, learned
            for j in range(learned, moves):
                if several:
                    update_classes(storage, W, y[log.i[j]], log.rival[j], log.i[j], log.c[j])
                else:
                    add(storage, w, log.i[j], log.c[j])
            learned, end = moves, n
    return k, moves, errors, loss, moves
