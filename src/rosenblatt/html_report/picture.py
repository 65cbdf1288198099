"""The picture of a report: rows and hyperplane, as SVG."""

import numpy as np

from rosenblatt.core.loop import Array
from rosenblatt.extras import need
from rosenblatt.html_report.findings import Findings

MOST_DRAWN = 1500  # rows in a picture
DRAWN_WRONG = 500  # of them, those that are wrong


def draw_findings(findings: Findings, lang: str) -> tuple[str, int]:
    """The rows and what separates them, as SVG, and how many rows there are in it.

    ImportError if there is no matplotlib.
    """
    need("matplotlib", "plot", "drawing")
    from rosenblatt.plots.boundary_plot import boundary
    from rosenblatt.plots.inline_svg import inline_svg

    subject, model = findings.subject, findings.model
    rows = drawn_rows(model.predict(subject.X) != subject.y)
    X, y = subject.X[rows], subject.y[rows]
    return inline_svg(lambda ax: boundary(model, X, y, ax=ax, lang=lang)), len(rows)


def drawn_rows(wrong: Array) -> Array:
    """All rows, or a sample that has the wrong ones."""
    rng = np.random.RandomState(0)
    if len(wrong) <= MOST_DRAWN:
        return np.arange(len(wrong))
    ends = rng.permutation(np.flatnonzero(wrong))[:DRAWN_WRONG]
    others = rng.permutation(np.flatnonzero(~wrong))[: MOST_DRAWN - len(ends)]
    return np.sort(np.concatenate((ends, others)))
