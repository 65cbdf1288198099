"""Pictures of data, hypotheses and runs, with matplotlib.

Each function draws on ``ax`` or on a figure of its own, and labels it in English or, with
``lang="zh"``, in Chinese. Colours are Okabe and Ito's, which colour-blind readers can tell apart;
classes differ in their markers too. Light and dark backgrounds both work.
"""

try:
    import matplotlib  # noqa: F401
except ImportError as missing:
    raise ImportError(
        "rosenblatt.plots needs matplotlib: pip install 'rosenblatt[plot]'"
    ) from missing

from rosenblatt.plots.animation import Film, animate
from rosenblatt.plots.bound_plots import bound, passes
from rosenblatt.plots.boundary_plot import boundary
from rosenblatt.plots.path_plot import path
from rosenblatt.plots.row_charts import dual, margins

__all__ = ["Film", "animate", "bound", "boundary", "dual", "margins", "passes", "path"]
