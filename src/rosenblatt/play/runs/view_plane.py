"""Planes: where points of many features are looked at.

Two features are drawn as they are. Of more, the plane is that of the widest separator's normal, or
that of the hypothesis handed back, and of the direction across it in which the points differ most.
With several classes it is that in which their weights differ most: of three, all of it.
"""

import numpy as np

from rosenblatt.core.loop import Array

ViewPlane = dict[str, Array]  # origin and axes: the points origin + a·axes


def view_plane(X: Array, normal: Array | None) -> ViewPlane:
    """A plane to look at points in."""
    d = X.shape[1]
    if d <= 2:
        return {"origin": np.zeros(d), "axes": np.eye(2, d)}
    origin = X.mean(axis=0)
    rest = X - origin
    if normal is None or not normal.any():
        normal = main_direction(rest)
    first = normal / np.linalg.norm(normal)
    second = main_direction(rest - np.outer(rest @ first, first))
    return {"origin": origin, "axes": np.array([first, second])}


def plane_of_classes(X: Array, W: Array) -> ViewPlane:
    """The plane in which the weights of several classes differ most."""
    d, spread = X.shape[1], W - W.mean(axis=0)
    if d <= 2 or np.linalg.matrix_rank(spread) < 2:
        return view_plane(X, None)
    directions = np.linalg.svd(spread, full_matrices=False)[2]
    return {"origin": X.mean(axis=0), "axes": directions[:2]}


def main_direction(X: Array) -> Array:
    """The direction in which centred points differ most."""
    return np.linalg.svd(X, full_matrices=False)[2][0]
