"""Why the perceptron stops: Novikoff's bound, replayed mistake by mistake.

Let every row be at most R long and let a hypothesis w* of length 1 have margin γ on all of them.
Then, with steps of the same size η, one mistake at a time, from zero, after k mistakes

    w_k · w* >= k η γ        each mistake adds η y x·w* >= η γ
    |w_k|²   <= k η² R²      each mistake adds 2 η y w·x <= 0, and η² |x|² <= η² R²

and since w_k · w* <= |w_k|, the two cross at k = (R/γ)²: there are no more mistakes than that.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import fill
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.geometry import margin, radius, scores, store
from rosenblatt.log import Log, path
from rosenblatt.problem import Problem, make_rule, pose
from rosenblatt.sweep import Array, Storage, Stretch
from rosenblatt.widest import MaxMargin, max_margin

BLOCK = 2**22  # weights of hypotheses held at a time
SHOWN = 10  # rows of the printed table
ROUNDING = 1e-9


class Steps(NamedTuple):
    """Both inequalities of the proof after each mistake."""

    k: Array  # 1, 2, …
    progress: Array  # w_k · w*
    least: Array  # k η γ
    length2: Array  # |w_k|²
    most: Array  # k η² R²
    angle: Array  # between w_k and w*, in degrees

    @property
    def hold(self) -> bool:
        """Whether both inequalities hold everywhere, up to rounding."""
        slack = ROUNDING * self.most
        forward = self.progress >= self.least - ROUNDING * np.sqrt(self.most)
        return bool((forward & (self.length2 <= self.most + slack)).all())


@dataclass(frozen=True, eq=False)
class MistakeBound:
    """What Novikoff's theorem says of a run.

    Attributes
    ----------
    mistakes : int or list of int
        The mistakes the run made.
    reason : str or None
        Why the theorem does not apply; then all below is None.
    radius : float
        R, the length of the longest row.
    gamma, gamma_upper : float
        The margin of the widest separator found, and what none can exceed.
    bound : float
        (R/γ)²: the most mistakes there can be.
    cheap_bound : float or None
        The same with the margin of the hypothesis handed back; None if that makes errors.
    holds : bool
        Whether the mistakes, and both inequalities where they were recorded, keep to it.
    eta : float
        The size of a step.
    steps : Steps or None
        Both inequalities at each mistake; needs ``record=True``.
    """

    mistakes: Any
    reason: str | None = None
    radius: float | None = None
    gamma: float | None = None
    gamma_upper: float | None = None
    bound: float | None = None
    cheap_bound: float | None = None
    holds: bool | None = None
    eta: float | None = None
    steps: Steps | None = None

    @property
    def applies(self) -> bool:
        """Whether the theorem is about this run."""
        return self.reason is None

    def __str__(self) -> str:
        return "\n\n".join(fill(part, 88) if "\n" not in part else part for part in self._parts())

    def _parts(self) -> Iterator[str]:
        if self.bound is None:
            yield f"Novikoff's theorem does not apply: {self.reason}."
            return
        kept = "It holds" if self.holds else "IT DOES NOT HOLD"
        yield (
            f"The run made {_plural(self.mistakes, 'mistake')}; Novikoff's theorem allows at most "
            f"{_floor(self.bound)}. {kept}."
        )
        yield (
            f"The longest row has length R = {self.radius:.4g} and the widest margin is "
            f"γ = {self.gamma:.4g}, so (R/γ)² = {_short(self.bound)}. {self._cheap()}"
        )
        if self.steps is None:
            yield "Fit with record=True to see each mistake."
        elif self.mistakes:
            yield table(self.steps)

    def _cheap(self) -> str:
        if self.cheap_bound is None:
            return "The hypothesis handed back makes errors, so it proves no bound itself."
        return f"The margin of the hypothesis handed back proves {_floor(self.cheap_bound)}."


def novikoff(model: Any, X: Any, y: Any) -> MistakeBound:
    """Compare the mistakes of a run with the convergence theorem.

    The theorem is about Rosenblatt's rule with equal steps, one mistake at a time, from zero, on
    two classes that can be separated. Elsewhere the report says why it does not apply.

    Parameters
    ----------
    model : Perceptron
        A fitted model; with ``record=True`` the report has the proof at each mistake.
    X, y : array-like
        The rows and labels it was fitted on.

    Returns
    -------
    MistakeBound

    References
    ----------
    Novikoff, A. B. J. (1962). On convergence proofs on perceptrons. Symposium on the Mathematical
    Theory of Automata.

    Examples
    --------
    >>> from rosenblatt import Perceptron, datasets, novikoff
    >>> X, y = datasets.textbook()
    >>> report = novikoff(Perceptron(shuffle=False, record=True).fit(X, y), X, y)
    >>> report.mistakes, round(report.bound), report.holds
    (7, 117, True)
    >>> print(report)  # doctest: +NORMALIZE_WHITESPACE
    The run made 7 mistakes; Novikoff's theorem allows at most 117. It holds.
    ...
    """
    data = pose(X, y, classes=model.classes_)
    if reason := objection(model, data):
        return MistakeBound(model.n_updates_, reason)
    try:
        best = max_margin(X, y, fit_intercept=model.fit_intercept)
    except ValueError as inseparable:
        return MistakeBound(model.n_updates_, str(inseparable))
    return compare(model, data, best)


# -- Whether the theorem is about this run ---------------------------------------------------------


def objection(model: Any, data: Problem) -> str | None:
    """Why the theorem does not apply, as far as that can be told without a separator."""
    if hasattr(model, "support_"):
        raise TypeError(
            "novikoff is about weights; what is known of a KernelPerceptron's margin in its "
            "feature space is in margin_bounds_"
        )
    n, d = data.X.shape
    trained = n if model.dual_coef_ is None else np.shape(model.dual_coef_)[-1]
    if (n, d) != (trained, model.n_features_in_):
        raise ValueError(
            f"X is {n} × {d} and the model was fitted on {trained} × {model.n_features_in_}; "
            "the bound is about the rows it was fitted on"
        )
    return next((why for applies, why in conditions(model, data) if not applies), None)


def conditions(model: Any, data: Problem) -> Iterator[tuple[bool, str]]:
    """What the theorem asks of a run, and what to say where it is not so."""
    rule = make_rule(model.get_params(deep=False))
    k = len(model.classes_)
    yield k == 2, f"there are {k} classes, and it is about one hypothesis for two"
    yield (
        rule.gain == 0 and rule.margin == 0,
        f"rule={model.rule!r} does not move by equal steps at mistakes only",
    )
    yield model.batch_size == 1, "the rows of a batch move the hypothesis together"
    yield (
        model.dual_coef_ is not None,
        "after partial_fit it is not known which rows made the mistakes",
    )
    yield not model._online[0].bracket.start.any(), "the run did not start from zero"
    yield step_size(model) is not None, "rows are weighted, so steps differ in size"


def step_size(model: Any) -> float | None:
    """The size of the steps, if they are all of one size as far as can be seen."""
    if hasattr(model, "log_"):
        sizes = np.unique(np.abs(model.log_.c))
        return model.eta0 if not len(sizes) else float(sizes[0]) if len(sizes) == 1 else None
    counts = np.abs(model.dual_coef_) / model.eta0  # whole numbers, if each step was eta0
    whole = np.allclose(counts, np.rint(counts), rtol=1e-6)
    return model.eta0 if whole and np.rint(counts.sum()) == model.n_updates_ else None


# -- What it says ----------------------------------------------------------------------------------


def compare(model: Any, data: Problem, best: MaxMargin) -> MistakeBound:
    """The report on a run that the theorem is about."""
    R, eta = radius(data.X, fit_intercept=model.fit_intercept), step_size(model)
    assert eta is not None
    w = np.append(best.w, best.b) / math.hypot(np.linalg.norm(best.w), best.b)
    own = margin(data.X, 2 * data.codes - 1, model.coef_[0], float(model.intercept_[0]))
    bound = (R / best.margin) ** 2
    log = getattr(model, "log_", None)
    steps = replay(log, store(data.X, log.bias), w, best.margin, R) if log is not None else None
    return MistakeBound(
        mistakes=model.n_updates_,
        radius=R,
        gamma=float(best.margin),
        gamma_upper=float(best.upper),
        bound=bound,
        cheap_bound=(R / own) ** 2 if own > 0 else None,
        holds=model.n_updates_ <= bound * (1 + ROUNDING) and (steps is None or steps.hold),
        eta=eta,
        steps=steps,
    )


def replay(log: Log, storage: Storage, w: Array, gamma: float, R: float) -> Steps:
    """Both inequalities after each mistake, for the separator w of length 1."""
    k = np.arange(1, len(log) + 1)
    eta = np.abs(log.c).max(initial=0.0)
    progress = np.cumsum(log.c * scores(storage, w[None], slice(None))[log.i, 0])
    length2 = lengths2_along(log, storage)
    cosine = np.divide(progress, np.sqrt(length2), out=np.zeros(len(k)), where=length2 > 0)
    angle = np.degrees(np.arccos(np.clip(cosine, -1, 1)))
    return Steps(k, progress, k * eta * gamma, length2, k * (eta * R) ** 2, angle)


def lengths2_along(log: Log, storage: Storage) -> Array:
    """|w_k|² after each mistake, so many hypotheses at a time."""
    W, parts = log.start, [np.empty(0)]
    size = max(1, BLOCK // W.size)
    for begin in range(0, len(log), size):
        cut = slice(begin, begin + size)
        stretch = Stretch(log.t[cut], log.i[cut], log.c[cut], log.i[cut])
        hypotheses = path(storage, W, log.i, stretch)[:, 0]
        parts.append(np.sum(hypotheses**2, axis=1))
        W = hypotheses[-1:]
    return np.concatenate(parts)


# -- In print --------------------------------------------------------------------------------------


def table(steps: Steps) -> str:
    """The two inequalities, at the first mistakes, the last, and ever fewer between."""
    head = f"{'mistake':>9}{'w·w*':>11} >= {'kηγ':<10}{'|w|²':>11} <= {'kη²R²':<11}{'angle':>6}"
    n, shown = len(steps.k), np.arange(len(steps.k))
    if n > SHOWN:
        shown = np.unique(np.geomspace(1, n, SHOWN).round().astype(int)) - 1
    lines = (
        f"{k:>9,}{p:>11.4g} >= {least:<10.4g}{l2:>11.4g} <= {most:<11.4g}{angle:>5.0f}°"
        for k, p, least, l2, most, angle in (tuple(a[j] for a in steps) for j in shown)
    )
    return "\n".join((head, *lines))


def _plural(count: int, noun: str) -> str:
    return f"{count:,} {noun}" + ("" if count == 1 else "s")


def _short(bound: float) -> str:
    return f"{bound:,.1f}" if bound < 1e6 else f"{bound:.4g}"


def _floor(bound: float) -> str:
    """The whole number of mistakes that a bound allows."""
    return f"{math.floor(bound * (1 + ROUNDING)):,}" if bound < 1e15 else f"{bound:.3g}"
