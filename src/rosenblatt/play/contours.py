"""Planes: where points of many features are looked at, and the borders of kernels there.

Two features are drawn as they are. Of more, the plane is that of the widest separator's normal, or
that of the hypothesis handed back, and of the direction across it in which the points differ most.
"""

from typing import Any, NamedTuple

import numpy as np
from contourpy import FillType, contour_generator

from rosenblatt.core.loop import Array
from rosenblatt.kernels.feature_space import kernel_of
from rosenblatt.play.replay import Replay
from rosenblatt.play.requests import View

CONTOUR_POINTS = 81
MARGIN = 0.1  # by which the grid is larger than the view, so that its edge is not seen


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


def main_direction(X: Array) -> Array:
    """The direction in which centred points differ most."""
    return np.linalg.svd(X, full_matrices=False)[2][0]


def borders(replay: Replay, view: View) -> list[dict[str, Any]]:
    """Where hypotheses of a kernel are positive, and which points they have wrong."""
    x, y, points = mesh(view)
    steps = np.array([replay.steps(k) for k in view.steps])
    rows = np.unique(replay.log.i)
    K = kernel_of(replay.model, replay.cloud.X).between(points, replay.cloud.X[rows])
    heights = (steps[:, rows] @ K.T).reshape(len(steps), CONTOUR_POINTS, CONTOUR_POINTS)
    wrong = replay.cloud.signs * (steps @ replay.gram) <= 0
    return [
        {"k": k, "loops": loops(x, y, z), "wrong": np.flatnonzero(w)}
        for k, z, w in zip(view.steps, heights, wrong, strict=True)
    ]


def mesh(view: View) -> tuple[Array, Array, Array]:
    """A grid a little larger than a view, and its points in the space of the rows."""
    left, right, bottom, top = view.box
    beyond_x, beyond_y = MARGIN * (right - left), MARGIN * (top - bottom)
    x = np.linspace(left - beyond_x, right + beyond_x, CONTOUR_POINTS)
    y = np.linspace(bottom - beyond_y, top + beyond_y, CONTOUR_POINTS)
    places = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    return x, y, np.array(view.origin) + places @ np.array(view.axes)


def loops(x: Array, y: Array, z: Array) -> list[Array]:
    """The outlines of the region where z is positive."""
    if not (z > 0).any():
        return []
    filled = contour_generator(x, y, z, fill_type=FillType.OuterOffset).filled(0.0, np.inf)
    outlines = zip(*filled, strict=True)
    return [part for points, cuts in outlines for part in np.split(points, cuts[1:-1])]
