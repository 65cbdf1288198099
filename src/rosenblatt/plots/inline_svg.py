"""A picture as an SVG element, to stand in a page."""

import re
import warnings
from collections.abc import Callable
from io import StringIO
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure

STYLE: dict[Any, Any] = {"svg.fonttype": "none", "svg.hashsalt": "rosenblatt"}  # text stays text
UNTOLD = {"Date": None, "Creator": None, "Format": None, "Type": None}


class InlineFigure(Figure):
    """A figure whose text stays text, in fonts that its readers have."""

    for_readers = True


def inline_svg(draw: Callable[[Axes], Any]) -> str:
    """What a function draws, as SVG that is as wide as its place and the same every time."""
    figure = InlineFigure(figsize=(6.4, 5.2))
    ax = figure.subplots()
    figure.set_layout_engine("compressed", w_pad=0.1, h_pad=0.12)
    text = StringIO()
    with matplotlib.rc_context(STYLE), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from font")
        draw(ax)
        ax.set_title("")
        figure.savefig(text, format="svg", metadata=UNTOLD)
    svg = text.getvalue()
    return re.sub(r' (width|height)="[^"]*pt"', "", svg[svg.index("<svg") :], count=2)
