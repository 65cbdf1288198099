"""Planes: where points of many features are looked at.

Two features are drawn as they are. Of more, the plane is that of the widest separator's normal, or
that of the hypothesis handed back, and of the direction across it in which the points differ most.
With several classes it is that in which their weights differ most: of three, all of it.
"""

from typing import NamedTuple

import numpy as np

from rosenblatt.core.loop import Array


class ViewPlane(NamedTuple):
    """The points origin + a·axes."""

    origin: Array
    axes: Array


def view_plane(X: Array, normal: Array | None) -> ViewPlane:
    """A plane to look at points in."""
    d = X.shape[1]
    if d <= 2:
        return ViewPlane(np.zeros(d), np.eye(2, d))
    origin = X.mean(axis=0)
    if normal is None or not normal.any():
        normal = main_direction(X - origin)
    first = normal / np.linalg.norm(normal)
    rest = X - origin
    return ViewPlane(
        origin, np.array([first, main_direction(rest - np.outer(rest @ first, first))])
    )


def plane_of_classes(X: Array, W: Array) -> ViewPlane:
    """The plane in which the weights of several classes differ most."""
    d, spread = X.shape[1], W - W.mean(axis=0)
    if d <= 2 or np.linalg.matrix_rank(spread) < 2:
        return view_plane(X, None)
    return ViewPlane(X.mean(axis=0), np.linalg.svd(spread, full_matrices=False)[2][:2])


def main_direction(X: Array) -> Array:
    """The direction in which centred points differ most."""
    return np.linalg.svd(X, full_matrices=False)[2][0]
