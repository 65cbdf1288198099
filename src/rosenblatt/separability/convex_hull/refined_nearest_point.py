"""Wolfe's nearest points in double-double numbers, from where floating point has left them.

Where columns differ in scale by 2^60, the smallest may be what separates the classes, and weights
of 16 digits cannot make the others cancel. With 32 digits they can. The corral is factored anew at
each step, by modified Gram-Schmidt, with (0, 1) as its last column; see `corral` for the
mathematics.
"""

from typing import NamedTuple

import numpy as np

from rosenblatt.core.loop import Array
from rosenblatt.core.orders import nearest
from rosenblatt.separability.convex_hull.distance import Sides, least
from rosenblatt.separability.exact.double_double import Twofold, join, twofold

NEAREST = 64  # rows of each hull among which the furthest behind is sought
REFINED_STEPS = 20  # for each column
PATIENCE = 2  # for each column, steps by which the length does not fall


class Refined(NamedTuple):
    """Pairs of places and their weights, the point they make, and its length."""

    pairs: Array
    weights: Twofold
    x: Twofold
    length: float


def walk_on(hulls: Sides, pairs: Array, weights: Array, gap: float) -> Refined | None:
    """Walk on until every difference's product with x is at least 1 - gap of |x|²."""
    point = combination(hulls, pairs, twofold(weights))
    now, idle = settle_refined(hulls, pairs, twofold(weights), float(point.length())), 0
    for _ in range(REFINED_STEPS * len(point.hi)):
        pair = None if now is None else far_behind(hulls, now, gap)
        if now is None or pair is None:
            break
        joined = np.vstack((now.pairs, pair)), join([now.weights, twofold([0.0])])
        later = settle_refined(hulls, *joined, now.length)
        if later is None or later.length > now.length or idle > PATIENCE * len(point.hi):
            break
        now, idle = later, idle + 1 if later.length == now.length else 0
    return now


def combination(hulls: Sides, pairs: Array, weights: Twofold) -> Twofold:
    """The weighted sum of differences."""
    terms = hulls.differences(pairs) * weights[:, None]
    return Twofold(terms.hi.T, terms.lo.T).total()


def settle_refined(hulls: Sides, pairs: Array, weights: Twofold, c: float) -> Refined | None:
    """Walk to the nearest point of the affine hull, dropping what turns negative on the way.

    None if the differences are dependent, as far as 32 digits tell.
    """
    D = hulls.differences(pairs)
    while True:
        target, x = nearest_affine(D, c)
        if not np.isfinite(target.hi).all():
            return None
        if target.hi.min() > 0:
            return Refined(pairs, target, x, float(x.length()))
        step, out = first_to_vanish(weights.hi, target.hi)
        weights = weights + (target - weights) * twofold(step)
        stay = np.arange(len(pairs)) != out
        pairs, weights, D = pairs[stay], weights[stay], D[stay]


def first_to_vanish(weights: Array, target: Array) -> tuple[float, int]:
    """How far to walk from weights towards others until one vanishes, and which."""
    falling = target <= 0
    fall = np.where(weights > target, weights - target, np.inf)
    reach = np.where(falling, np.where(np.isfinite(fall), weights / fall, 0.0), np.inf)
    return float(np.clip(reach.min(), 0.0, 1.0)), int(reach.argmin())


@np.errstate(divide="ignore", invalid="ignore")  # dependent differences: not finite, and refused
def nearest_affine(D: Twofold, c: float) -> tuple[Twofold, Twofold]:
    """The weights of the nearest point of an affine hull, and the point."""
    k, d = D.hi.shape
    last = twofold(np.append(np.full(k, c), 1.0)[:, None])
    M = join([join([D, twofold(np.zeros((1, d)))]), last], axis=1)
    Q, R = [], []
    for _ in range(k):
        Q.append(M[0] / M[0].length())
        R.append((M * Q[-1]).total())
        M = M[1:] - R[-1][1:, None] * Q[-1]
    r = M[0]
    for q in Q + Q:  # what rounding has left of them
        r = r - (r * q).total() * q
    a = solve_triangular(R)
    return a / a.total(), r[:-1] * (twofold(-c) / (twofold(1.0) - r[-1]))


def solve_triangular(R: list[Twofold]) -> Twofold:
    """The weights of a triangular system; row i begins at the diagonal and ends with its value."""
    a = twofold(np.empty(0))
    for row in reversed(R):
        first = (row[-1] - (row[1:-1] * a).total()) if len(a.hi) else row[-1]
        a = join([(first / row[0])[None], a])
    return a


def far_behind(hulls: Sides, now: Refined, gap: float) -> Array | None:
    """The pair whose difference has the smallest product with x, unless it is not far behind."""
    m, product, pair = hulls.products(now.x.hi), twofold(0.0), [0, 0]
    for side, places in enumerate(hulls.places):
        near = places[nearest(m[places], NEAREST)]
        values = hulls.measured(now.x, near)
        low = least(values)
        pair[side], product = int(near[low]), product + values[low]
    held = (now.pairs == pair).all(axis=1).any()
    return None if held or float(product) >= (1 - gap) * now.length**2 else np.array(pair)
