"""The path of a run: every hypothesis, mistake by mistake."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.collections import LineCollection
from matplotlib.colors import LinearSegmentedColormap, Normalize, to_rgb
from matplotlib.ticker import MaxNLocator

from rosenblatt.core.log import Log
from rosenblatt.core.loop import Array
from rosenblatt.plots.labels import give_fonts, word
from rosenblatt.plots.projection import core, edge_on, reach, segment
from rosenblatt.plots.recorded_run import subject, weights
from rosenblatt.plots.scatter import PlotView, draw_rows, set_frame, view_of
from rosenblatt.plots.style import ALARM, CALM, canvas, finish_plot, ink


def path(
    model: Any,
    X: Any,
    y: Any,
    *,
    ax: Axes | None = None,
    label: Any = None,
    most: int = 100,
    lang: str = "en",
) -> Axes:
    """Draw the hyperplane after each mistake, the early ones faint, the last one black.

    Where another hypothesis is returned, as by the pocket or after settling, it is drawn too.

    Parameters
    ----------
    model : Perceptron
        Fitted with ``record=True``.
    X, y : array-like
        The rows and labels it was fitted on.
    ax : matplotlib Axes or None
        Where to draw; a new figure if None.
    label : label or None
        With a run for each class, the class whose run to draw.
    most : int
        Of more hypotheses than this, so many are drawn, evenly spread.
    lang : {"en", "zh"}
        The language of the labels.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from rosenblatt import Perceptron, datasets, plots
    >>> X, y = datasets.textbook()
    >>> ax = plots.path(Perceptron(shuffle=False, record=True).fit(X, y), X, y)
    >>> ax.get_title()
    '7 updates'
    """
    view, _, trail = follow(model, X, y, label)
    ax = canvas(ax)
    shown = thin(len(trail), most)
    draw_trail(ax, view, trail, shown, lang)
    line = returned_line(model, label, view, trail)
    if line is not None and (ends := segment(line, view.box)) is not None:
        ax.plot(*ends.T, color=ALARM, lw=2.2, zorder=3, label=word("handed", lang))
    draw_rows(ax, view, model.classes_)
    set_frame(ax, view, model, lang)
    n, few = len(trail) - 1, len(shown) < len(trail)
    ax.set_title(word("path thinned" if few else "path", lang, n=n, shown=len(shown)))
    return finish_plot(ax, lang)


def follow(model: Any, X: Any, y: Any, label: Any) -> tuple[PlotView, Log, Array]:
    """The view of a run, its log, and the line of each hypothesis there, the start first."""
    w, b = weights(model, label)
    log = subject(model, label).log
    if log is None:
        raise ValueError("the mistakes were not recorded: fit with record=True")
    rows = view_of(model, X, y)
    if rows.X.shape[1] > 2 and w.any():
        rows = view_of(model, X, y, edge_on(w, b, rows.X))
    trail = rows.plane.trail(log, rows.X)
    return rows._replace(box=reach(rows.box, core(rows.points), trail)), log, trail


def returned_line(model: Any, label: Any, view: PlotView, trail: Array) -> Array | None:
    """The line of the hypothesis that the run returned; None if that is its last, or no line."""
    w, b = weights(model, label)
    line = view.plane.cut(np.append(w, b)[None])[0]
    same = np.allclose(line, trail[-1], rtol=1e-9, atol=1e-12 * np.abs(trail[-1]).max())
    return None if same or hasattr(model, "hypotheses_") else line


def thin(n: int, most: int) -> Array:
    """Which of n hypotheses to show: all, or so many, the first and the last among them."""
    return np.unique(np.linspace(0, n - 1, min(n, most)).round().astype(int))


def draw_trail(ax: Axes, view: PlotView, trail: Array, shown: Array, lang: str) -> None:
    """Draw the lines of hypotheses in the order of time, and a scale of that order."""
    lines = [(k, segment(trail[k], view.box)) for k in shown]
    seen = [(k, ends) for k, ends in lines if ends is not None]
    alphas = (0.2, 1.0) if len(seen) <= 30 else (0.08, 0.5)  # many lines hide what is below them
    fade = LinearSegmentedColormap.from_list("fade", [(*to_rgb(CALM), a) for a in alphas])
    scale = ScalarMappable(Normalize(0, max(1, len(trail) - 1)), fade)
    colours = [scale.to_rgba(k) for k, _ in seen]
    ax.add_collection(LineCollection([e for _, e in seen], colors=colours, lw=1.3, zorder=2))
    if seen and seen[-1][0] == len(trail) - 1:
        ax.plot(*seen[-1][1].T, color=ink(ax), lw=2.2, zorder=3, label=word("last", lang))
    ticks = MaxNLocator(8, integer=True)
    bar = ax.figure.colorbar(scale, ax=ax, label=word("mistake", lang), shrink=0.8, ticks=ticks)
    give_fonts(bar.ax, lang)
