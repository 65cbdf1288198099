"""What all pictures share: colours, markers, canvas, legend."""

from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb, to_rgba
from matplotlib.patches import FancyArrowPatch

from rosenblatt.plots.labels import give_fonts

# Okabe and Ito (2008), in an order in which neighbours differ in lightness too.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
ALARM = "#D55E00"  # mistakes
CALM = "#009E73"  # what is bounded from below

Style = dict[str, Any]


def colour(k: int) -> str:
    """The colour of class k."""
    return COLOURS[k % len(COLOURS)]


def marker(k: int) -> str:
    """The marker of class k."""
    return MARKERS[k % len(MARKERS)]


def canvas(ax: Axes | None, size: tuple[float, float] = (6.4, 5.2)) -> Axes:
    """The axes to draw on: those given, or new ones that make room for their labels."""
    return ax if ax is not None else sheet(size)[1]


def sheet(size: tuple[float, float], rows: int = 1, columns: int = 1, **how: Any) -> Any:
    """A new figure and its axes, laid out so that no label is clipped."""
    engine = how.pop("layout", "compressed")
    figure, axes = plt.subplots(rows, columns, figsize=size, **how)
    figure.set_layout_engine(engine, w_pad=0.1, h_pad=0.12)
    return figure, axes


def ink(ax: Axes) -> str:
    """Nearly black or nearly white, whichever is legible on these axes."""
    face = ax.get_facecolor()
    figure = ax.figure.get_facecolor()
    r, g, b = to_rgb(face) if to_rgba(face)[3] > 0.5 else to_rgb(figure)
    return "#222222" if 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.4 else "#EEEEEE"


def arrow(ax: Axes, foot: Any, tip: Any, **style: Any) -> FancyArrowPatch:
    """Draw an arrow from one place to another."""
    style |= {"arrowstyle": "-|>", "mutation_scale": 14, "shrinkA": 0, "shrinkB": 0}
    patch = FancyArrowPatch(tuple(foot), tuple(tip), zorder=5, **style)
    ax.add_patch(patch)
    return patch


def legend(ax: Axes, columns: int = 3) -> None:
    """A legend below the axes where the layout makes room for it, else within."""
    outside: Style = {"loc": "upper center", "bbox_to_anchor": (0.5, 0), "ncols": columns}
    outside |= {"borderaxespad": 5.2}  # below the name of the axis
    within: Style = {"loc": "best", "framealpha": 0.85}
    style = outside if ax.figure.get_layout_engine() else within
    ax.legend(**style, facecolor=ax.get_facecolor(), labelcolor=ink(ax), fontsize="small")


def finish_plot(ax: Axes, lang: str, columns: int = 3) -> Axes:
    """Hand axes back with a legend, and fonts that can say what they say."""
    legend(ax, columns)
    give_fonts(ax, lang)
    return ax
