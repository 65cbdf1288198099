"""Row by row: distances from the hyperplane, and the dual form."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from rosenblatt.core.loop import Array
from rosenblatt.core.vectors import leads
from rosenblatt.inputs.validation import Problem, validate_data
from rosenblatt.plots.boundary_plot import is_linear
from rosenblatt.plots.labels import word
from rosenblatt.plots.projection import core
from rosenblatt.plots.recorded_run import RunFacts, subject
from rosenblatt.plots.style import Style, canvas, colour, finish_plot, ink

BINS = 30
MOST_BARS = 200  # rows drawn one by one; more of them would look like a barcode


def margins(model: Any, X: Any, y: Any, *, ax: Axes | None = None, lang: str = "en") -> Axes:
    """Draw a histogram of the signed distances from the hyperplane, by class.

    Models without a hyperplane are drawn by their scores, and more than two classes by the lead of
    each row's own class over the best other.

    Parameters
    ----------
    model : fitted classifier
        Anything with ``decision_function`` and ``classes_``.
    X, y : array-like
        Rows and labels.
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
    >>> X, y = datasets.credit()
    >>> ax = plots.margins(Perceptron().fit(X, y), X, y)
    >>> ax.get_xlabel()
    'signed distance from the hyperplane, along w'
    """
    ax, data = canvas(ax, (6.4, 4.2)), validate_data(X, y, classes=model.classes_)
    values, right, name = positions(model, X, data)
    bins = edges(core(values[:, None])[:, 0])
    seen = np.clip(values, bins[0], bins[-1])
    groups = [seen[data.codes == k] for k in range(len(model.classes_))]
    colours = [colour(k) for k in range(len(groups))]
    names = list(map(str, model.classes_.tolist()))
    ax.hist(groups, bins.tolist(), stacked=True, color=colours, label=names, ec=ink(ax), lw=0.4)
    ax.axvline(0, color=ink(ax), lw=2, zorder=3)
    ax.set(xlabel=word(name, lang), ylabel=word("rows", lang))
    ax.yaxis.set_major_locator(MaxNLocator(integer=True))
    wrong = int(np.count_nonzero(right <= 0))
    title = word("margins", lang, wrong=wrong, n=len(values), least=right.min())
    far = int(np.count_nonzero(seen != values))
    ax.set_title(f"{title}\n{word('at the edges', lang, n=far)}" if far else title)
    return finish_plot(ax, lang, len(groups))


def edges(values: Array) -> Array:
    """The edges of the bins of a histogram; one of them is 0, where the sides meet."""
    low, high = min(values.min(), 0.0), max(values.max(), 0.0)
    width = (high - low) / BINS or 1.0
    return width * np.arange(np.floor(low / width), np.ceil(high / width) + 1)


def positions(model: Any, X: Any, data: Problem) -> tuple[Array, Array, str]:
    """Where each row lies, how far on its right side, and what that is called."""
    f = np.asarray(model.decision_function(X))
    if f.ndim > 1:
        own = leads(f, data.codes)
        return own, own, "lead"
    length = float(np.linalg.norm(model.coef_)) if is_linear(model) else 0.0
    f = f / length if length else f
    return f, np.where(data.codes == 1, f, -f), "distance" if length else "score"


def dual(
    model: Any,
    X: Any,
    y: Any,
    *,
    ax: Axes | None = None,
    label: Any = None,
    lang: str = "en",
) -> Axes:
    """Draw how often each row moved the hypothesis: the dual form, row by row.

    Of many rows, the busiest come first, class by class.
    Without ``record=True``, the sum of each row's steps over ``eta0``, which is the same where
    rows are not weighted; of a kernel, those of the hypothesis that was returned.

    Parameters
    ----------
    model : Perceptron or KernelPerceptron
        A fitted model.
    X, y : array-like
        The rows and labels it was fitted on.
    ax : matplotlib Axes or None
        Where to draw; a new figure if None.
    label : label or None
        With a run for each class, the class whose run to draw.
    lang : {"en", "zh"}
        The language of the labels.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from rosenblatt import Perceptron, datasets, plots
    >>> X, y = datasets.textbook()
    >>> ax = plots.dual(Perceptron(shuffle=False).fit(X, y), X, y)
    >>> [(round(bar.get_center()[0]), float(bar.get_height())) for bar in ax.patches]
    [(2, 5.0), (0, 2.0)]
    """
    ax, data = canvas(ax, (6.4, 4.2)), validate_data(X, y, classes=model.classes_)
    values, name = counts(subject(model, label), len(data.codes), model.eta0)
    few = len(values) <= MOST_BARS
    for k, c in enumerate(model.classes_.tolist()):
        rows = np.flatnonzero((data.codes == k) & (values > 0))
        if few:
            style: Style = {"color": colour(k), "ec": colour(k), "lw": 0.8, "label": str(c)}
            ax.bar(rows, values[rows], width=0.8, **style)
        else:
            ax.step(np.arange(len(rows)), -np.sort(-values[rows]), color=colour(k), label=str(c))
    ax.set(xlabel=word("row" if few else "busiest", lang), ylabel=word(name, lang))
    ax.set_xlim(-0.7, len(values) - 0.3 if few else None)
    ax.set_ylim(0, 1.05 * values.max() or 1)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.yaxis.set_major_locator(MaxNLocator(integer=name == "times"))
    ax.set_title(word("dual", lang, carry=int(np.count_nonzero(values)), n=len(values)))
    return finish_plot(ax, lang, len(model.classes_))


def counts(run: RunFacts, n: int, eta: float) -> tuple[Array, str]:
    """How often each row moved the hypothesis, and what that is called."""
    steps = run.dual if run.support is None else steps_by_row(run.support, run.dual, n)
    if steps is None or len(steps) != n:
        raise ValueError("the steps of these rows are not known: fit on them, not with partial_fit")
    if run.log is not None:
        return run.log.counts(n).astype(float), "times"
    return np.abs(steps) / eta, "steps"


def steps_by_row(support: Array, dual: Any, n: int) -> Array | None:
    """The steps of n rows from those of the support; None if some of it is not among them."""
    if ((support < 0) | (support >= n)).any():
        return None
    steps = np.zeros(n)
    steps[support] = dual
    return steps
