"""The minimal face in floating point: rows in conflict, and what gets all others right.

Every weak separator vanishes on rows in conflict. In the coordinates orthogonal to them, the
nearest point of the other rows separates these, or has vanished: then the rows of which it is a
combination are in conflict together with those before, and join them. Each time fewer coordinates
are left.
"""

from typing import NamedTuple

import numpy as np
from scipy.linalg import LinAlgError, null_space
from scipy.optimize import nnls

from rosenblatt.core.loop import Array
from rosenblatt.separability.convex_hull.nearest_point import Nearest, nearest_point

NOTHING = 1e-8  # of rows of length 1 that depend on others, what is left by rounding


class MinimalFace(NamedTuple):
    """Rows in conflict, and a hypothesis that vanishes on them and gets all others right."""

    rows: Array
    x: Array | None  # None if there are no others
    others: Array  # that it gets right


def minimal_face(Z: Array, first: Array, power: float = 0.5) -> MinimalFace:
    """The face of rows of length 1, some of which are known to be in conflict."""
    found, others, free = [first], np.arange(len(Z)), np.eye(Z.shape[1])
    while True:
        free = free @ null_space(Z[found[-1]] @ free, rcond=NOTHING)
        T = Z[others] @ free
        sizes = np.linalg.norm(T, axis=1)
        left = sizes > NOTHING
        others, T = others[left], T[left] / sizes[left, None]
        if not len(others):
            return MinimalFace(np.concatenate(found), None, others)
        near = nearest_of_many(T)
        if near.x @ near.x > NOTHING**2:
            return MinimalFace(np.concatenate(found), free @ near.x, others)
        found.append(others[heaviest(near, power)])


def heaviest(near: Nearest, power: float) -> Array:
    """Of the rows of a point that has nearly vanished, those that seem to be in conflict.

    A weak separator of length 1 has a product of at most |x| with the point x. So a row that it
    gets right by the root of |x| or more has no more weight than that: a `power` of 1/2. A power of
    1 takes nearly all rows for those in conflict.
    """
    least = max(NOTHING, float(np.linalg.norm(near.x)) ** power)
    return near.corral[near.weights >= min(least, near.weights.max())]


def nearest_of_many(T: Array) -> Nearest:
    """The nearest point of many rows, from a few to which the worst are added."""
    size = 4 * T.shape[1]
    members, near = np.arange(len(T))[:: max(1, len(T) // size)], None
    while True:
        near = nearest_point(T[members], gap=0.1, known=near)
        products, square = T @ near.x, near.x @ near.x
        wrong = np.setdiff1d(np.flatnonzero(products <= square / 2), members)
        if square <= NOTHING**2 or not len(wrong):
            return near._replace(corral=members[near.corral])
        worst = wrong[np.argsort(products[wrong], kind="stable")]
        members = np.append(members, worst[:size])


def positive_weights(Z: Array) -> Array:
    """Weights with which rows add up to about zero, none below 1; zeros, if none are found."""
    try:
        more, _ = nnls(Z.T, -Z.sum(axis=0), maxiter=10 * len(Z))
    except (RuntimeError, LinAlgError):  # it did not end, or met a singular matrix
        return np.zeros(len(Z))
    return np.asarray(1 + more)
