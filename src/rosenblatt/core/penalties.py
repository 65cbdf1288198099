"""Penalties: the weights, but not the bias, shrink at every visit.

After each visit, with the learning rate η, the strength α and the share ρ of l1::

    w  <-  (1 - (1 - ρ) η α) w                    l2
    u  <-  u + ρ η α                              l1: what every weight owes by now
    wⱼ <-  wⱼ moved towards zero by u - qⱼ, and not beyond, where the row is not zero

qⱼ is what wⱼ has paid (Tsuruoka, Tsujii and Ananiadou 2009). These are the numbers of
scikit-learn's Perceptron. Since every visit moves the hypothesis, it is no sum of steps.
"""

from typing import NamedTuple

import numpy as np

from rosenblatt.core.jit import by_storage, compiled
from rosenblatt.core.loop import (
    Array,
    Dense,
    Sparse,
    add,
    score,
    step,
    wrong,
)

SMALLEST_SCALE = 1e-9  # of the weights, before they are multiplied by it


class Penalty(NamedTuple):
    alpha: float
    l1_ratio: float
    eta: float

    @property
    def shrink(self) -> float:
        """The factor of the weights at every visit; too large a penalty makes them zero."""
        return max(0.0, 1.0 - (1.0 - self.l1_ratio) * self.eta * self.alpha)

    @property
    def due(self) -> float:
        """What every weight owes more at every visit."""
        return self.l1_ratio * self.eta * self.alpha

    def of(self, W: Array) -> float:
        """The penalty of a hypothesis, as it is added to the loss."""
        w = W[:, :-1]
        l1, l2 = float(np.abs(w).sum()), float(np.vdot(w, w)) / 2
        return self.alpha * (self.l1_ratio * l1 + (1.0 - self.l1_ratio) * l2)


class Debt(NamedTuple):
    """What weights owe, and what each has paid."""

    owed: Array  # one number
    paid: Array


@by_storage
def pay(storage, w, i, scale, owed, paid):
    """Move the weights of row i, which are scale times w, towards zero."""


@compiled
def pay_one(w, j, scale, owed, paid):
    before = w[j]
    if before > 0.0:
        w[j] = max(0.0, before - (owed + paid[j]) / scale)
    elif before < 0.0:
        w[j] = min(0.0, before + (owed - paid[j]) / scale)
    paid[j] += scale * (w[j] - before)


@pay.register
def _(storage: Dense, w, i, scale, owed, paid):
    for j in range(storage.X.shape[1]):
        pay_one(w, j, scale, owed, paid)


@pay.register
def _(storage: Sparse, w, i, scale, owed, paid):
    for p in range(storage.indptr[i], storage.indptr[i + 1]):
        pay_one(w, storage.indices[p], scale, owed, paid)


@compiled
def margin_and_rival(storage, bias, W, scale, y, i):
    """The margin of row i, and its rival: its class leads by the first over the second."""
    if len(W) == 1:
        return y * (scale * score(storage, W[0], i) + bias * W[0, -1]), -1
    mine, rival, highest = 0.0, -1, -np.inf
    for k in range(len(W)):
        s = scale * score(storage, W[k], i) + bias * W[k, -1]
        if k == y:
            mine = s
        elif s > highest:
            rival, highest = k, s
    return mine - highest, rival


@compiled
def move(storage, bias, W, scale, own, rival, i, c):
    """Add c times row i to its own class, and take it from the rival, if there is one."""
    add(storage, W[own], i, c / scale)
    W[own, -1] += c * bias
    if rival >= 0:
        add(storage, W[rival], i, -c / scale)
        W[rival, -1] -= c * bias


@compiled
def sweep_penalized(storage, bias, W, rows, rule, factor, due, debt, visit, seen, log, most):
    """Visit rows in turn, learn from mistakes, and shrink, until `most` rows have moved W.

    The storage has no bias, so that weights may be held as `scale` times others. Returns what
    `sweep` does.
    """
    y, several, n = rows.y, len(W) > 1, len(visit)
    k, moves, errors, loss, scale = 0, 0, 0, 0.0, 1.0
    while k < n and moves < most:
        i, c = visit[k], 0.0
        m, rival = margin_and_rival(storage, bias, W, scale, y[i], i)
        if wrong(m, y[i], rule.margin, rows.boundary):
            errors += wrong(m, y[i], 0.0, rows.boundary)
            loss += rule.margin - m
            size = 2.0 * rows.norm2[i] if several else rows.norm2[i]
            c = rows.weight[i] * step(m, size, rule)
        if factor < 1.0:
            scale *= factor
            if scale < SMALLEST_SCALE:
                W[:, :-1] *= scale
                scale = 1.0
        if c > 0.0:
            log.t[moves], log.i[moves], log.rival[moves] = seen + k, i, rival
            log.c[moves] = c if several else c * y[i]
            move(storage, bias, W, scale, y[i] if several else 0, rival, i, log.c[moves])
            moves += 1
        if due > 0.0:
            debt.owed[0] += due
            for each in range(len(W)):
                pay(storage, W[each], i, scale, debt.owed[0], debt.paid[each])
        k += 1
    W[:, :-1] *= scale
    return k, moves, errors, loss, moves
