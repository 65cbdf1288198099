"""What a run proves: Novikoff's bound, and the margin bracket as it closes."""

from collections.abc import Iterable, Iterator
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
    '(R/γ)² allows 117 updates, 7 made'
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
    if (steps := report.steps) is not None:
        style: Style = {"marker": "." if len(steps.k) <= 60 else ""}
        norm = np.sqrt(steps.length2)
        ax.plot(steps.k, norm, color=ink(ax), lw=1, label=word("norm", lang), **style)
        ax.plot(steps.k, steps.progress, color=CALM, lw=1.4, label=word("progress", lang), **style)


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
    if (lower > 0).any() or not (upper > 0).any():  # else it is below a logarithmic picture
        ax.plot(k, lower, color=CALM, label=word("lower", lang), **style)
    ax.fill_between(k, lower, upper, color=ink(ax), alpha=0.08, lw=0)
    positive = np.concatenate((lower, upper))
    positive = positive[positive > 0]
    if len(positive):
        ax.set_yscale("log", nonpositive="clip")  # a margin of 0 is below the picture
        ax.set_ylim(float(positive.min()) / 3, 1.6)
    legend(ax, 2)


def bracket(
    model: Any, run: RunFacts, bounds: tuple[float, float], data: Problem
) -> tuple[Array, Array, Array]:
    """The margin bracket after each pass, as far as it can be known: passes, lower, upper."""
    last, log = len(run.mistakes), run.log
    if not last or log is None or len(log) != run.mistakes.sum():
        return np.array([last]), np.array([bounds[0]]), np.array([bounds[1]])
    signs = np.where(data.classes[data.codes] == run.positive, 1, -1)
    lower, upper = retrace(*stops(model, run, log, data), signs)
    upper[-1], lower[-1] = min(upper[-1], bounds[1]), max(lower[-1], bounds[0])
    return np.arange(1, last + 1), lower, upper


Passes = Iterable[tuple[Array, Array]]  # the rows and the steps of the mistakes of each
# After a pass: its steps, then the scores of all rows, |w|, and how far w is from the start.
Stop = tuple[Array, Array, float, float]


def retrace(R: float, stops: Iterator[Stop], signs: Array) -> tuple[Array, Array]:
    """The margin of the best hypothesis met at the end of a pass, and what none can exceed."""
    lower, upper, travelled = [], [], 0.0
    for steps, f, length, moved in stops:
        travelled += float(np.abs(steps).sum())
        lower.append(max(0.0, float((f * signs).min())) / (length * R or np.inf))
        upper.append(min(1.0, moved / (travelled * R)) if travelled else 1.0)
    return np.maximum.accumulate(lower), np.minimum.accumulate(upper)


def stops(model: Any, run: RunFacts, log: Log, data: Problem) -> tuple[float, Iterator[Stop]]:
    """The length of the longest row, and the hypothesis at the end of each recorded pass."""
    ends = np.cumsum(run.mistakes)[:-1]
    passes = zip(np.split(log.i, ends), np.split(log.c, ends), strict=True)
    if run.support is None:
        R = radius(data.X, fit_intercept=bool(log.bias))
        return R, flat_stops(passes, log.start[0], store(data.X, log.bias))
    X = data.X.astype(np.float64, copy=False)
    kernel = kernel_of(model, X)
    R = float(np.sqrt(kernel.diagonal(X).max()))
    return R, lifted_stops(passes, hold(kernel, X, model.cache_size), X.shape[0])


def flat_stops(passes: Passes, start: Array, storage: Storage) -> Iterator[Stop]:
    """Those of a run with weights."""
    w = start
    for i, c in passes:
        w = w + c @ take(storage, i)
        f = scores(storage, w[None], slice(None))[:, 0]
        yield c, f, float(np.linalg.norm(w)), float(np.linalg.norm(w - start))


def lifted_stops(passes: Passes, storage: Any, n: int) -> Iterator[Stop]:
    """Those of a run with a kernel, from zero."""
    steps, f = np.zeros(n), np.zeros(n)
    for i, c in passes:
        fresh = np.bincount(i, c, minlength=n)
        steps, f = steps + fresh, f + rescore(storage, fresh[None])[0]
        length = float(np.sqrt(max(0.0, steps @ f)))
        yield c, f, length, length
