"""What a run proves: Novikoff's bound, and the margin bracket as it closes."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from rosenblatt.core.log import Log
from rosenblatt.core.loop import Array, Storage
from rosenblatt.core.vectors import scores, store, take
from rosenblatt.geometry import radius
from rosenblatt.inputs.validation import Problem, validate_data
from rosenblatt.kernels.feature_space import kernel_of
from rosenblatt.kernels.gram_matrix import hold, rescore
from rosenblatt.mistake_bound import MistakeBound, novikoff
from rosenblatt.mistake_bound.report import allowed
from rosenblatt.plots.labels import give_fonts, word
from rosenblatt.plots.recorded_run import RunFacts, subject
from rosenblatt.plots.style import (
    ALARM,
    CALM,
    COLOURS,
    Style,
    canvas,
    finish_plot,
    ink,
    legend,
    sheet,
)

MOST_PASSES = 200  # passes drawn as bars; more of them would look like a barcode


def bound(
    model: Any, X: Any = None, y: Any = None, *, ax: Axes | None = None, lang: str = "en"
) -> Axes:
    """Draw Novikoff's proof: |w| and w·w* between their two bounds, which cross at (R/γ)².

    Both axes are logarithmic. Without ``record=True`` there are the bounds only.

    Parameters
    ----------
    model : Perceptron, KernelPerceptron or MistakeBound
        A fitted model, or the report that :func:`rosenblatt.novikoff` gave of one.
    X, y : array-like
        The rows and labels it was fitted on; not needed for a report.
    ax : matplotlib Axes or None
        Where to draw; a new figure if None.
    lang : {"en", "zh"}
        The language of the labels.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    ValueError
        Where the theorem does not apply.

    Examples
    --------
    >>> from rosenblatt import Perceptron, datasets, plots
    >>> X, y = datasets.textbook()
    >>> ax = plots.bound(Perceptron(shuffle=False, record=True).fit(X, y), X, y)
    >>> ax.get_title()
    '(R/γ)² allows 117 mistakes, 7 made'
    """
    report = model if isinstance(model, MistakeBound) else novikoff(model, X, y)
    if report.bound is None:
        raise ValueError(f"Novikoff's theorem does not apply: {report.reason}")
    ax = canvas(ax, (6.4, 4.8))
    draw_proof(ax, report, lang)
    draw_counts(ax, report, lang)
    ax.set(xscale="log", yscale="log", xlabel=word("mistakes", lang), ylabel=word("length", lang))
    ax.set_title(word("bound", lang, bound=allowed(report.bound), k=report.mistakes))
    return finish_plot(ax, lang)


def draw_proof(ax: Axes, report: MistakeBound, lang: str) -> None:
    """Draw the two bounds, and what lies between them."""
    assert report.bound is not None
    assert report.eta is not None
    assert report.radius is not None
    assert report.gamma is not None
    k = np.geomspace(1, max(2.0, 2 * report.bound), 200)
    most, least = np.sqrt(k) * report.eta * report.radius, k * report.eta * report.gamma
    ax.plot(k, most, color=COLOURS[0], lw=2, label=word("most", lang))
    ax.plot(k, least, color=COLOURS[1], lw=2, label=word("least", lang))
    possible: Style = {"where": most >= least, "color": ink(ax), "alpha": 0.07, "lw": 0}
    ax.fill_between(k, least, most, **possible)
    if report.steps is not None:
        mark = "." if len(report.steps.k) <= 60 else ""
        norm = np.sqrt(report.steps.length2)
        ax.plot(report.steps.k, norm, color=ink(ax), marker=mark, lw=1, label=word("norm", lang))
        progress: Style = {
            "color": CALM,
            "marker": mark,
            "lw": 1.4,
            "label": word("progress", lang),
        }
        ax.plot(report.steps.k, report.steps.progress, **progress)


def draw_counts(ax: Axes, report: MistakeBound, lang: str) -> None:
    """Draw the mistakes made, and where the bounds cross."""
    assert report.bound is not None
    if report.mistakes:
        made = word("made", lang, k=report.mistakes)
        ax.axvline(report.mistakes, color=ink(ax), ls="--", lw=1, label=made)
    allowed = word("allowed", lang, k=int(report.bound))
    ax.axvline(report.bound, color=ALARM, ls=":", lw=2, label=allowed)


class Panels(NamedTuple):
    """The axes of a picture that needs two."""

    mistakes: Axes
    bracket: Axes

    @property
    def figure(self) -> Any:
        """The figure of both."""
        return self.mistakes.figure


def passes(
    model: Any,
    X: Any,
    y: Any,
    *,
    axes: Any = None,
    label: Any = None,
    lang: str = "en",
) -> Panels:
    """Draw the mistakes of each pass and, below, the margin bracket as it closes.

    The bracket holds the margin of the best separator, relative to the longest row: no hypothesis
    has more than |w| / Σ|steps|, and the best met so far has what it has. Without ``record=True``
    only its last state is known, and drawn. Kernels have a bracket where they have
    ``margin_bounds_``.

    Parameters
    ----------
    model : Perceptron or KernelPerceptron
        A fitted model.
    X, y : array-like
        The rows and labels it was fitted on.
    axes : two matplotlib Axes or None
        Where to draw; a new figure if None.
    label : label or None
        With a run for each class, the class whose run to draw.
    lang : {"en", "zh"}
        The language of the labels.

    Returns
    -------
    Panels
        Two matplotlib Axes: mistakes and bracket.

    Examples
    --------
    >>> from rosenblatt import Perceptron, datasets, plots
    >>> X, y = datasets.clouds(100, 2, margin=0.05)
    >>> model = Perceptron(record=True).fit(X, y)
    >>> top, bottom = plots.passes(model, X, y)
    >>> top.patches[0].get_data().values.tolist() == model.mistakes_.tolist()
    True
    """
    if axes is None:
        axes = sheet((6.4, 5.6), 2, 1, sharex=True)[1]
    top, bottom = axes
    run, data = subject(model, label), validate_data(X, y, classes=model.classes_)
    edges, few = np.arange(len(run.mistakes) + 1) + 0.5, len(run.mistakes) <= MOST_PASSES
    top.stairs(run.mistakes, edges, fill=few, color=COLOURS[0], baseline=0 if few else None)
    top.set_ylim(0, 1.05 * run.mistakes.max(initial=0) or 1)
    top.yaxis.set_major_locator(MaxNLocator(integer=True))
    top.set_ylabel(word("mistakes in pass", lang))
    if run.bounds is not None:
        draw_bracket(bottom, *bracket(model, run, run.bounds, data), lang)
    else:
        middle: Style = {"ha": "center", "va": "center", "transform": bottom.transAxes}
        bottom.text(0.5, 0.5, word("no bracket", lang), **middle)
    bottom.xaxis.set_major_locator(MaxNLocator(integer=True))
    bottom.set(xlabel=word("pass", lang), ylabel=word("bracket", lang))
    give_fonts(top, lang)
    give_fonts(bottom, lang)
    return Panels(top, bottom)


def draw_bracket(ax: Axes, k: Array, lower: Array, upper: Array, lang: str) -> None:
    """Draw what the best margin lies between."""
    style: Style = {"marker": "." if len(k) <= 60 else "", "lw": 1.6}
    ax.plot(k, upper, color=COLOURS[1], label=word("upper", lang), **style)
    ax.plot(k, lower, color=CALM, label=word("lower", lang), **style)
    ax.fill_between(k, lower, upper, color=ink(ax), alpha=0.08, lw=0)
    positive = np.concatenate((lower, upper))
    positive = positive[positive > 0]
    if len(positive):
        ax.set_yscale("log", nonpositive="clip")  # a margin of 0 is below the picture
        ax.set_ylim(float(positive.min()) / 3, 1.6)
    legend(ax, 2)


class Stop(NamedTuple):
    """The hypothesis at the end of a pass."""

    scores: Array  # of all rows
    length: float
    moved: float  # how far it is from the start
    travelled: float  # the sum of the steps until then


def bracket(
    model: Any, run: RunFacts, bounds: tuple[float, float], data: Problem
) -> tuple[Array, Array, Array]:
    """The margin bracket after each pass, as far as it can be known: passes, lower, upper."""
    last = len(run.mistakes)
    if not last or run.log is None or len(run.log) != run.mistakes.sum():
        return np.array([last]), np.array([bounds[0]]), np.array([bounds[1]])
    signs = np.where(data.classes[data.codes] == run.positive, 1, -1)
    lower, upper = retrace(*stops(model, run, data), signs)
    upper[-1], lower[-1] = min(upper[-1], bounds[1]), max(lower[-1], bounds[0])
    return np.arange(1, last + 1), lower, upper


def retrace(R: float, stops: Iterator[Stop], signs: Array) -> tuple[Array, Array]:
    """The margin of the best hypothesis met at the end of a pass, and what none can exceed."""
    lower, upper = [], []
    for stop in stops:
        least = max(0.0, float((stop.scores * signs).min()))
        lower.append(least / (stop.length * R or np.inf))
        upper.append(min(1.0, stop.moved / (stop.travelled * R)) if stop.travelled else 1.0)
    return np.maximum.accumulate(lower), np.minimum.accumulate(upper)


def stops(model: Any, run: RunFacts, data: Problem) -> tuple[float, Iterator[Stop]]:
    """The length of the longest row, and the hypothesis at the end of each recorded pass."""
    log = run.recorded()
    if run.support is None:
        R = radius(data.X, fit_intercept=bool(log.bias))
        return R, flat_stops(log, run, store(data.X, log.bias))
    X = data.X.astype(np.float64, copy=False)
    kernel = kernel_of(model, X)
    R = float(np.sqrt(kernel.diagonal(X).max()))
    return R, lifted_stops(log, run, hold(kernel, X, model.cache_size), X.shape[0])


def flat_stops(log: Log, run: RunFacts, storage: Storage) -> Iterator[Stop]:
    """Those of a run with weights."""
    w, travelled = log.start[0], 0.0
    for i, c in by_pass(log, run):
        w = w + c @ take(storage, i)
        travelled += float(np.abs(c).sum())
        moved = float(np.linalg.norm(w - log.start[0]))
        f = scores(storage, w[None], slice(None))[:, 0]
        yield Stop(f, float(np.linalg.norm(w)), moved, travelled)


def lifted_stops(log: Log, run: RunFacts, storage: Any, n: int) -> Iterator[Stop]:
    """Those of a run with a kernel, from zero."""
    steps, f, travelled = np.zeros(n), np.zeros(n), 0.0
    for i, c in by_pass(log, run):
        fresh = np.bincount(i, c, minlength=n)
        steps, f = steps + fresh, f + rescore(storage, fresh[None])[0]
        travelled += float(np.abs(c).sum())
        length = float(np.sqrt(max(0.0, steps @ f)))
        yield Stop(f, length, length, travelled)


def by_pass(log: Log, run: RunFacts) -> Iterator[tuple[Array, Array]]:
    """The rows and the steps of the mistakes of each pass."""
    begin = 0
    for end in np.cumsum(run.mistakes).tolist():
        yield log.i[begin:end], log.c[begin:end]
        begin = end
