"""Rows as they are seen in a picture, and the frame around them."""

from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes

from rosenblatt.core.loop import Array
from rosenblatt.inputs.validation import validate_data
from rosenblatt.plots.labels import word
from rosenblatt.plots.projection import Box, Plane, box_of, core, plane_of
from rosenblatt.plots.style import ALARM, Style, colour, ink, marker


class PlotView(NamedTuple):
    """Rows as they are seen: in which plane, where, and within what frame."""

    plane: Plane
    points: Array
    box: Box
    codes: Array  # the class of each row
    X: Any


def view_of(model: Any, X: Any, y: Any, plane: Plane | None = None) -> PlotView:
    """The view of rows that suits a model."""
    data = validate_data(X, y, classes=model.classes_)
    rows = data.X.astype(np.float64)
    plane = plane or plane_of(model, rows)
    points = plane.project(rows)
    return PlotView(plane, points, box_of(core(points)), data.codes, rows)


def draw_rows(ax: Axes, view: PlotView, classes: Array) -> None:
    """Draw the rows of each class."""
    for k, name in enumerate(classes.tolist()):
        style: Style = {"color": colour(k), "marker": marker(k), "edgecolors": ink(ax)}
        style |= {"linewidths": 0.5, "s": area(len(view.points))}
        ax.scatter(*view.points[view.codes == k].T, zorder=4, label=str(name), **style)


def area(n: int) -> float:
    """The area of a marker, when there are n."""
    return float(np.clip(4000 / n, 12, 55))


def ring(ax: Axes, points: Array, n: int, label: str) -> None:
    """Ring some points out of n."""
    style: Style = {"facecolors": "none", "edgecolors": ALARM}
    style |= {"s": 3.6 * area(n) + 30 * min(1.0, 200 / n), "linewidths": 1.6 if n <= 1000 else 0.8}
    if len(points):
        ax.scatter(*points.T, zorder=6, label=label, **style)


def cross(ax: Axes, points: Array, n: int, label: str) -> None:
    """Cross out some points out of n."""
    style: Style = {"marker": "x", "color": ink(ax), "linewidths": 1.4, "s": 1.6 * area(n) + 12}
    if len(points):
        ax.scatter(*points.T, zorder=6, label=label, **style)


def set_frame(ax: Axes, view: PlotView, model: Any, lang: str) -> None:
    """Set limits, scale and the names of the axes."""
    names = list(map(str, getattr(model, "feature_names_in_", ())))
    if len(names) not in (1, 2):
        names = [word(key, lang) for key in view.plane.words]
    ax.set_xlim(view.box.low[0], view.box.high[0])
    ax.set_ylim(view.box.low[1], view.box.high[1])
    ax.set_aspect("equal" if view.box.equal else "auto")
    ax.set_xlabel(names[0])
    if view.X.shape[1] > 1:
        ax.set_ylabel(names[1])
    else:
        ax.set_yticks([])
