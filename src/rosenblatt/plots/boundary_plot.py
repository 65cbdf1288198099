"""The border between classes: hyperplanes and regions in the plane."""

import warnings
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patheffects import withStroke

from rosenblatt.core.loop import Array
from rosenblatt.core.vectors import leads
from rosenblatt.plots.labels import word
from rosenblatt.plots.projection import Plane, core, reach, segment
from rosenblatt.plots.scatter import (
    PlotView,
    cross,
    draw_rows,
    ring,
    set_frame,
    view_of,
)
from rosenblatt.plots.style import Style, arrow, canvas, colour, finish_plot, ink

GRID = 240  # points of the grid on which regions are found, in each direction
LIFTED = 2**22  # numbers of lifted grid points held at a time
ARROW = 0.16  # the length of w in the picture, relative to its smaller side


def with_lines(view: PlotView, model: Any) -> PlotView:
    """The view, made a little wider if the hyperplane is just outside it."""
    if not has_hyperplane(model):
        return view
    lines = view.plane.cut(np.column_stack((model.coef_, model.intercept_)))
    return view._replace(box=reach(view.box, core(view.points), lines))


def boundary(model: Any, X: Any, y: Any, *, ax: Axes | None = None, lang: str = "en") -> Axes:
    """Draw rows, and the hyperplane or the regions that a model finds between them.

    Two features are drawn as they are. More are projected: on w, and on the first principal
    direction orthogonal to it. Rows on the wrong side are ringed; rows named in ``conflict_`` are
    crossed out; the dashed lines go through the nearest rows of a hyperplane that separates.
    Of many rows, a few that are far out are left outside the picture, and the title says so.
    Models whose border is no hyperplane are drawn by the zero contour of ``decision_function``,
    which for more than two features is that of a slice through the mean.

    Parameters
    ----------
    model : fitted classifier
        Anything with ``decision_function``, ``predict`` and ``classes_``.
    X, y : array-like
        Rows and labels to draw.
    ax : matplotlib Axes or None
        Where to draw; a new figure if None.
    lang : {"en", "zh"}
        The language of the labels.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from rosenblatt import Perceptron, datasets, plots
    >>> X, y = datasets.textbook()
    >>> ax = plots.boundary(Perceptron(shuffle=False).fit(X, y), X, y)
    >>> ax.get_title()
    '7 updates, 0 of 3 rows wrong'
    """
    ax, view = canvas(ax), with_lines(view_of(model, X, y), model)
    draw_regions(ax, view, model, lang)
    note = draw_hyperplane(ax, view, model, X, lang) if has_hyperplane(model) else ""
    draw_rows(ax, view, model.classes_)
    wrong = np.asarray(model.predict(X)) != model.classes_[view.codes]
    ring(ax, view.points[wrong], len(wrong), word("wrong", lang))
    cross(ax, view.points[in_conflict(model, len(wrong))], len(wrong), word("conflict", lang))
    set_frame(ax, view, model, lang)
    outside = np.count_nonzero(~view.box.holds(view.points))
    far = word("beyond", lang, n=outside) if outside else ""
    ax.set_title("\n".join(filter(None, (state_line(model, wrong, lang), note, far))))
    return finish_plot(ax, lang)


# -- Regions ---------------------------------------------------------------------------------------


def is_linear(model: Any) -> bool:
    """Whether the scores of a model are those of its weights."""
    return hasattr(model, "coef_") and not hasattr(model, "hypotheses_")


def has_hyperplane(model: Any) -> bool:
    """Whether one hyperplane divides two classes."""
    return is_linear(model) and len(model.classes_) == 2


def class_leads(model: Any, plane: Plane, points: Array) -> Array:
    """By how much each class leads at points of the picture: one row for each class."""
    f = picture_scores(model, plane, points)
    own = (-1, 1) if f.shape[1] == 1 else range(f.shape[1])
    return np.stack([leads(f, np.full(len(f), k)) for k in own])


def picture_scores(model: Any, plane: Plane, points: Array) -> Array:
    """The scores at points of the picture; one column for two classes, else one for each."""
    if is_linear(model):
        lines = plane.cut(np.column_stack((model.coef_, model.intercept_)))
        return points @ lines[:, :2].T + lines[:, 2]
    size = max(1, LIFTED // len(plane.origin))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "X does not have valid feature names")
        parts = [
            model.decision_function(plane.lift(points[k : k + size]))
            for k in range(0, len(points), size)
        ]
    return np.concatenate(parts).reshape(len(points), -1)


def draw_regions(ax: Axes, view: PlotView, model: Any, lang: str) -> None:
    """Tint the region of each class; where no hyperplane divides them, draw their borders."""
    x, y, points = view.box.grid(GRID)
    by_class = class_leads(model, view.plane, points).reshape(-1, GRID, GRID)
    for k, lead in enumerate(by_class):
        if (most := lead.max()) > 0:
            ax.contourf(x, y, lead, [0.0, 2 * most], colors=[colour(k)], alpha=0.14, zorder=0)
    if has_hyperplane(model):
        return
    for lead in by_class if len(by_class) > 2 else by_class[1:]:
        if lead.min() < 0 < lead.max():
            ax.contour(x, y, lead, [0.0], colors=[ink(ax)], linewidths=1.6, zorder=3)
    ax.plot([], [], color=ink(ax), lw=1.6, label=word("border", lang))


# -- Hyperplanes -----------------------------------------------------------------------------------


def draw_hyperplane(ax: Axes, view: PlotView, model: Any, X: Any, lang: str) -> str:
    """Draw the hyperplane, the band around it and its normal; a note if it is not to be seen."""
    line = view.plane.cut(np.column_stack((model.coef_, model.intercept_)))[0]
    ends = segment(line, view.box)
    if ends is None:
        return word("outside" if model.coef_.any() else "nowhere", lang)
    ax.plot(*ends.T, color=ink(ax), lw=2, zorder=3, label=word("hyperplane", lang))
    draw_band(ax, view, line, model.decision_function(X), lang)
    draw_normal(ax, view, line, ends)
    return ""


def draw_band(ax: Axes, view: PlotView, line: Array, f: Array, lang: str) -> None:
    """Draw the lines through the nearest row, on both sides, if every row is on its own."""
    least = float(np.min(np.where(view.codes == 1, f, -f)))
    if least <= 0:
        return
    label: str | None = word("band", lang)
    for side in (-least, least):
        ends = segment(line + np.array([0, 0, side]), view.box)
        if ends is not None:
            ax.plot(*ends.T, color=ink(ax), lw=1, ls=(0, (4, 3)), zorder=2, label=label)
            label = None


def draw_normal(ax: Axes, view: PlotView, line: Array, ends: Array) -> None:
    """Draw w as an arrow from the line, where angles are true and there is room for it."""
    w = ARROW * view.box.size.min() * line[:2] / np.hypot(*line[:2])
    foot = free_foot(view, w, ends) if view.box.equal else None
    if foot is None:
        return
    halo = [withStroke(linewidth=3, foreground=ax.get_facecolor())]
    arrow(ax, foot, foot + w, color=ink(ax), lw=1.6, path_effects=halo)
    where: Style = {"ha": "center", "va": "center", "weight": "bold", "style": "italic"}
    ax.annotate("w", foot + 1.25 * w, color=ink(ax), zorder=5, path_effects=halo, **where)


def free_foot(view: PlotView, w: Array, ends: Array) -> Array | None:
    """Where on a line its arrow stands clearest of the rows; None if it fits nowhere."""
    feet = ends[0] + np.linspace(0.1, 0.9, 17)[:, None] * (ends[1] - ends[0])
    feet = feet[view.box.holds(feet + 1.4 * w)]
    if not len(feet):
        return None
    spots = feet[:, None] + np.linspace(0.2, 1.3, 4)[:, None] * w
    room = [np.linalg.norm(view.points[:, None] - s, axis=2).min() for s in spots]
    nearest_middle = np.linalg.norm(feet - ends.mean(axis=0), axis=1)
    return feet[np.lexsort((nearest_middle, -np.minimum(room, np.hypot(*w))))[0]]


# -- What is known of the rows ---------------------------------------------------------------------


def in_conflict(model: Any, n: int) -> Array:
    """The rows that a model names in conflict, if these are the rows it learned from."""
    marked = np.zeros(n, bool)
    dual = getattr(model, "dual_coef_", None)
    conflicts = getattr(model, "conflict_", None)
    if dual is None or np.shape(dual)[-1] != n:
        return marked
    for conflict in conflicts if isinstance(conflicts, list) else [conflicts]:
        if conflict is not None:
            marked[np.asarray(conflict[0])] = True
    return marked


def state_line(model: Any, wrong: Array, lang: str) -> str:
    """What training did and what it left, in one line."""
    left = {"wrong": int(np.count_nonzero(wrong)), "n": len(wrong)}
    if not hasattr(model, "n_updates_"):
        return word("errors", lang, **left)
    return word("state", lang, mistakes=int(np.sum(model.n_updates_)), **left)
