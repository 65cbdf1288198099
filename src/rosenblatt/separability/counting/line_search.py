"""Exact line search on the number of mistakes.

Along w + t v the margin of a row is m + t s, so it changes sides once, at t = -m / s. Between two
such breakpoints, sorted, the count is constant: a line costs n products and a sort (Li and Lin
2007, Optimizing 0/1 loss for perceptrons by random coordinate descent). With several classes, the
own class leads each rival by a + t b, so it leads all of them in one interval of t.
"""

from typing import NamedTuple

import numpy as np

from rosenblatt.core.jit import compiled
from rosenblatt.core.loop import Array
from rosenblatt.core.orders import Rng

NARROW = 1e-9  # a gap between breakpoints that rounding may have made
LINE_REACH = -2.0, 0.5  # logarithms of how far a line goes from a hypothesis of length 1
FEWEST_LINES, MOST_LINES = 16, 64  # of a short search
UNLIKELY = 20.0  # temperatures above the least count, at which a gap is not drawn


class Step(NamedTuple):
    """How far to go along a line, and what the count is there."""

    t: float
    mistakes: float


def few_lines(n: int) -> int:
    """How many lines a short search takes: one for four rows."""
    return min(max(FEWEST_LINES, n // 4), MOST_LINES)


def random_reach(rng: Rng) -> float:
    """How far a line goes."""
    near, far = LINE_REACH
    return float(10 ** (near + (far - near) * rng.random_sample()))


def draw(
    m: Array, s: Array, cost: Array, reach: float, heat: float, chance: float
) -> tuple[Step, Step]:
    """A step drawn along a line, and the best one: |t| < reach.

    A gap between breakpoints is drawn with a probability in proportion to its width times
    exp(-count / heat); `chance` is a random number between 0 and 1.
    """
    t, change = np.empty(len(m)), np.empty(len(m))
    k, base = breakpoints(m, s, cost, reach, t, change)
    order = t[:k].argsort()
    drawn, there, best, least = draw_gap(t, change, order, base, reach, heat, chance)
    return Step(drawn, there), Step(best, least)


@compiled
def breakpoints(m, s, cost, reach, t, change):
    """Where rows change sides, and by how much the count changes; and the count at -reach."""
    k, base = 0, 0.0
    for i in range(len(m)):
        if abs(m[i]) < reach * abs(s[i]):
            t[k] = -m[i] / s[i]
            change[k] = -cost[i] if s[i] > 0 else cost[i]
            base += cost[i] if s[i] > 0 else 0.0
            k += 1
        elif m[i] <= 0:
            base += cost[i]
    return k, base


@compiled
def draw_gap(t, change, order, base, reach, heat, chance):
    """The middle of a gap that is drawn, and of the widest of those with the least count."""
    least, best, mass = least_gap(t, change, order, base, reach, heat)
    aim, count, last = chance * mass, base, -reach
    for q in range(len(order) + 1):
        ahead = t[order[q]] if q < len(order) else reach
        aim -= likelihood(ahead - last, count - least, heat)
        if aim <= 0.0 and ahead - last > NARROW:
            return 0.5 * (last + ahead), count, best, least
        count += change[order[q]] if q < len(order) else 0.0
        last = ahead
    return best, least, best, least


@compiled
def least_gap(t, change, order, base, reach, heat):
    """The least count, the middle of the widest gap that has it, and the mass of all gaps."""
    least, width, best, mass = np.inf, 0.0, 0.0, 0.0
    count, last = base, -reach
    for q in range(len(order) + 1):
        ahead = t[order[q]] if q < len(order) else reach
        if ahead - last > NARROW:
            if count < least:
                mass, width = mass * np.exp((count - least) / heat), 0.0
                least = count
            if count == least and ahead - last > width:
                width, best = ahead - last, 0.5 * (last + ahead)
            mass += likelihood(ahead - last, count - least, heat)
        count += change[order[q]] if q < len(order) else 0.0
        last = ahead
    return least, best, mass


@compiled
def likelihood(width, excess, heat):
    """The mass of a gap with a count in excess of the least."""
    if width <= NARROW or excess > UNLIKELY * heat:
        return 0.0
    return width * np.exp(-excess / heat)


# -- Several classes -------------------------------------------------------------------------------


def best_joint_step(F: Array, G: Array, own: Array, cost: Array, reach: float) -> Step:
    """The middle of the widest gap in which mistakes cost least, |t| < reach: along F + t G, where
    F are the scores of all classes, and the own one must lead."""
    ends, change = np.empty(2 * len(F)), np.empty(2 * len(F))
    k = intervals(F, G, own, cost, reach, ends, change)
    order = ends[:k].argsort()
    ends, saved = ends[order], change[order].cumsum()
    width = np.diff(ends)
    wide = np.flatnonzero(width > NARROW)
    if not len(wide):
        return Step(0.0, float(cost.sum()))
    most = saved[wide].max()
    best = wide[saved[wide] >= most * (1 - NARROW)]
    q = best[width[best].argmax()]
    return Step(float(ends[q] + ends[q + 1]) / 2, float(cost.sum() - most))


@compiled
def intervals(F, G, own, cost, reach, ends, change):
    """Where each row is right, as the ends of intervals and what is saved there; their number."""
    k = 0
    for i in range(len(F)):
        low, high, y = -reach, reach, own[i]
        for rival in range(F.shape[1]):
            a, b = F[i, y] - F[i, rival], G[i, y] - G[i, rival]
            if b > 0.0:
                low = max(low, -a / b)
            elif b < 0.0:
                high = min(high, -a / b)
            elif a <= 0.0 and rival != y:
                high = -reach
        if low < high:
            ends[k], change[k] = low, cost[i]
            ends[k + 1], change[k + 1] = high, -cost[i]
            k += 2
    return k
