"""A run as a film, mistake by mistake."""

import base64
import io
from collections.abc import Iterator
from html import escape
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from matplotlib import animation

from rosenblatt.atomic_write import replacing
from rosenblatt.core.log import births
from rosenblatt.core.loop import Array
from rosenblatt.plots.labels import give_fonts, word
from rosenblatt.plots.path_plot import follow, returned_line, thin
from rosenblatt.plots.projection import box_of, segment
from rosenblatt.plots.scatter import draw_rows, set_frame
from rosenblatt.plots.style import ALARM, COLOURS, Style, arrow, ink, legend, sheet

QUALITY = 60  # of the pictures of a page, out of 100: sharp enough, and a fifth of the size


def animate(
    model: Any,
    X: Any,
    y: Any,
    *,
    save: Any = None,
    label: Any = None,
    most: int = 120,
    fps: int = 2,
    lang: str = "en",
) -> "Film":
    """Show a run mistake by mistake: the erring row, the line before and after, and the update.

    Parameters
    ----------
    model : Perceptron
        Fitted with ``record=True``.
    X, y : array-like
        The rows and labels it was fitted on.
    save : path or None
        Write the film there: ``.gif``, ``.mp4`` (needs ffmpeg) or ``.html``, a page of its own
        with a slider.
    label : label or None
        With a run for each class, the class whose run to show.
    most : int
        Of more hypotheses than this, so many are shown, evenly spread.
    fps : int
        Frames per second.
    lang : {"en", "zh"}
        The language of the labels.

    Returns
    -------
    Film
        Shows itself in a notebook; has ``show(k)`` and ``save(path)``.

    Examples
    --------
    >>> from rosenblatt import Perceptron, datasets, plots
    >>> X, y = datasets.textbook()
    >>> film = plots.animate(Perceptron(shuffle=False, record=True).fit(X, y), X, y)
    >>> len(film)  # the start, and seven mistakes
    8
    >>> film.show(7)
    >>> film.figure.axes[1].get_title()
    'w = (1, 1), b = -3'
    """
    film = Film(model, X, y, label=label, most=most, fps=fps, lang=lang)
    if save is not None:
        film.save(save)
    return film


class Film:
    """A run, mistake by mistake. Frame 0 is the start; see :func:`animate`.

    Attributes
    ----------
    figure : matplotlib Figure
        The picture, at the frame shown last.
    trail : ndarray of shape (n_hypotheses, 3)
        Each hypothesis as seen in the picture: the line v₁ p₁ + v₂ p₂ + c = 0.
    shown : ndarray of int
        The hypothesis of each frame.
    handed : ndarray of shape (3,) or None
        The line that was returned, if it is another than the last; it has a frame of its own.
    """

    def __init__(
        self, model: Any, X: Any, y: Any, *, label: Any, most: int, fps: int, lang: str
    ) -> None:
        self.fps, self.lang = fps, lang
        self.view, log, self.trail = follow(model, X, y, label)
        # Those of each mistake, and last none: the start has none, nor has what was returned.
        self.rows = np.split(log.i, births(log.t) + 1)
        self.shown = thin(len(self.trail), most)
        self.handed = returned_line(model, label, self.view, self.trail)
        self.lines = self.trail if self.handed is None else np.vstack((self.trail, self.handed))
        how: Style = {"layout": "constrained", "width_ratios": (3, 2)}
        self.figure, (self.left, self.right) = sheet((9.6, 5.0), 1, 2, **how)
        self._draw_data(model)
        self._draw_weights()
        self.show(0)
        give_fonts(self.figure, lang)
        self._settle_layout()

    def __len__(self) -> int:
        return len(self.shown) + (self.handed is not None)

    def _settle_layout(self) -> None:
        """Lay out the picture once, so that it does not tremble from frame to frame."""
        for _ in range(3):
            self.figure.draw_without_rendering()
        self.figure.set_layout_engine("none")

    def _draw_data(self, model: Any) -> None:
        """The rows, the line before and after, and a ring for the erring rows."""
        ax, lang = self.left, self.lang
        draw_rows(ax, self.view, model.classes_)
        ring: Style = {"facecolors": "none", "edgecolors": ALARM, "linewidths": 2.2, "s": 190}
        self.ring = ax.scatter([], [], label=word("erring", lang), zorder=6, **ring)
        (self.old,) = ax.plot(
            [], [], color=ink(ax), ls="--", lw=1.2, alpha=0.7, label=word("old", lang)
        )
        (self.new,) = ax.plot([], [], color=ink(ax), lw=2.2, label=word("new", lang))
        set_frame(ax, self.view, model, lang)
        legend(ax, 3)

    def _draw_weights(self) -> None:
        """Where w has been, and the arrow of its last step."""
        ax, lang = self.right, self.lang
        box = box_of(np.vstack((self.trail[:, :2], np.zeros((1, 2)))))
        ax.set(xlim=(box.low[0], box.high[0]), ylim=(box.low[1], box.high[1]))
        first, second = self._weight_names()
        ax.set(xlabel=first, ylabel=second)
        ax.set_aspect("equal" if box.equal else "auto")
        ax.plot(0, 0, "+", color=ink(ax), ms=9)
        few: Style = {"marker": ".", "lw": 1.2} if len(self.trail) <= 200 else {"lw": 0.5}
        (self.track,) = ax.plot([], [], color=COLOURS[0], label=word("so far", lang), **few)
        self.arrow = arrow(ax, (0, 0), (0, 0), color=ALARM, lw=2)  # put in its place later
        ax.plot([], [], color=ALARM, lw=2, label=word("update", lang))
        legend(ax, 2)

    def _weight_names(self) -> list[str]:
        """What the axes of the weights are called."""
        lang, names = self.lang, [self.left.get_xlabel(), self.left.get_ylabel()]
        if self.view.X.shape[1] > 2:
            ranks = word("first", lang), word("second", lang)
            return [word("weight axis", lang, which=rank) for rank in ranks]
        if names == [word("feature 0", lang), word("feature 1", lang)]:
            return ["w₁", "w₂"]
        return [word("weight", lang, name=name) if name else "" for name in names]

    def show(self, frame: int) -> None:
        """Set the picture to a frame; the last one may be what was returned."""
        k = len(self.trail) if frame == len(self.shown) else int(self.shown[frame])
        self._lay(self.new, self.lines[k])
        self._lay(self.old, self.lines[k - 1] if k else None)
        self.ring.set_offsets(self.view.points[self.rows[k - 1]])
        self.track.set_data(*self.trail[: k + 1, :2].T)
        self.arrow.set_visible(0 < k < len(self.trail))
        self.arrow.set_positions(*map(tuple, self.lines[[max(k - 1, 0), k], :2]))
        self.left.set_title(self._caption(k))
        self.right.set_title(self._weights(self.lines[k]))

    def _lay(self, line: Any, hypothesis: Array | None) -> None:
        """Put a line where a hypothesis is, if it is in the picture."""
        ends = segment(hypothesis, self.view.box) if hypothesis is not None else None
        line.set_data(*(ends.T if ends is not None else ([], [])))

    def _caption(self, k: int) -> str:
        if k == 0:
            return word("start", self.lang)
        if k == len(self.trail):
            return word("handed frame", self.lang, n=k - 1)
        rows = self.rows[k - 1]
        listed = ", ".join(map(str, rows[:4] + 1)) + (", …" if len(rows) > 4 else "")
        return word("frame", self.lang, k=k, n=len(self.trail) - 1, rows=listed)

    def _weights(self, hypothesis: Array) -> str:
        if self.view.X.shape[1] > 2:
            return ""
        *w, b = (f"{value:.4g}" for value in hypothesis)
        return word("weights", self.lang, w=", ".join(w[: self.view.X.shape[1]]), b=b)

    # -- on paper ----------------------------------------------------------------------------------

    def save(self, path: Any) -> None:
        """Write the film, all of it or nothing: ``.gif``, ``.mp4`` or ``.html``."""
        with TemporaryDirectory() as folder, replacing(path) as stream:
            draft = Path(folder) / f"film{Path(path).suffix}"
            self._write(draft)
            stream.write(draft.read_bytes())

    def _write(self, path: Path) -> None:
        if path.suffix == ".html":
            path.write_text(self.page(), encoding="utf-8")
            return
        tool = writer(path.suffix, self.fps)
        moving = animation.FuncAnimation(self.figure, self._draw, frames=len(self), init_func=list)
        moving.save(path, writer=tool)

    def _draw(self, frame: int) -> tuple[()]:
        self.show(frame)
        return ()

    def page(self) -> str:
        """The film as a web page that needs nothing else, with a slider."""
        pictures = ",\n".join(f'"{picture}"' for picture in self._pictures())
        values = {
            "lang": "zh-CN" if self.lang == "zh" else "en",
            "last": str(len(self) - 1),
            "period": str(round(1000 / self.fps)),
            "pictures": pictures,
        } | {key: escape(word(key, self.lang)) for key in ("play", "pause", "mistake")}
        text = files("rosenblatt.plots").joinpath("film.html").read_text(encoding="utf-8")
        for key, value in values.items():
            text = text.replace(f"@{key}@", value)
        return text

    def _pictures(self) -> Iterator[str]:
        """Every frame as a data address."""
        for k in range(len(self)):
            self.show(k)
            file = io.BytesIO()
            self.figure.savefig(file, format="webp", dpi=100, pil_kwargs={"quality": QUALITY})
            yield f"data:image/webp;base64,{base64.b64encode(file.getvalue()).decode()}"

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{escape(self.page())}" width="100%" height="600"></iframe>'


def writer(suffix: str, fps: int) -> animation.AbstractMovieWriter:
    """What writes a film of this kind."""
    if suffix == ".gif":
        return animation.PillowWriter(fps=fps)
    if suffix != ".mp4":
        raise ValueError(f"a film is saved as .gif, .mp4 or .html, not as {suffix!r}")
    if not animation.FFMpegWriter.isAvailable():
        raise FileNotFoundError(
            "saving .mp4 needs ffmpeg, which was not found; .gif and .html do not"
        )
    return animation.FFMpegWriter(fps=fps)
