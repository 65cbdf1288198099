"""Why the perceptron stops: Novikoff's bound, replayed mistake by mistake.

Let every row be at most R long and let a hypothesis w* of length 1 have margin γ on all of them.
Then, with steps of the same size η, one mistake at a time, from zero, after k mistakes

    w_k · w* >= k η γ        each mistake adds η y x·w* >= η γ
    |w_k|²   <= k η² R²      each mistake adds 2 η y w·x <= 0, and η² |x|² <= η² R²

and since w_k · w* <= |w_k|, the two cross at k = (R/γ)²: there are no more mistakes than that.
With a kernel, all of this is so in its feature space.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from textwrap import fill
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.core.log import Log, LogSegment, path
from rosenblatt.core.loop import Array, Storage
from rosenblatt.core.vectors import scores, store
from rosenblatt.estimators.kernel_perceptron import KernelPerceptron
from rosenblatt.geometry import margin, radius
from rosenblatt.inputs.plan import make_rule
from rosenblatt.inputs.validation import Problem, validate_data
from rosenblatt.kernels import feature_space
from rosenblatt.separability.max_margin import augmented_margin

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
        R, the length of the longest row; with a kernel, in its feature space.
    gamma, gamma_upper : float
        The margin of the widest separator found, and what none can exceed: geometric margins
        in the space of (x, 1), as the theorem has them, and not those of `max_margin`.
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
    two classes that can be separated. Elsewhere the report says why it does not apply. With a
    kernel it is about the feature space, and for at most 3000 rows.

    Parameters
    ----------
    model : Perceptron or KernelPerceptron
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
    data = validate_data(X, y, classes=model.classes_)
    if reason := objection(model, data):
        return MistakeBound(model.n_updates_, reason)
    try:
        return compare(model, (lifted if has_kernel(model) else flat)(model, data))
    except Inseparable as inseparable:
        return MistakeBound(model.n_updates_, str(inseparable))


# -- Whether the theorem is about this run ---------------------------------------------------------


def has_kernel(model: Any) -> bool:
    """Whether the hypotheses of a model are in a feature space."""
    return isinstance(model, KernelPerceptron)


def objection(model: Any, data: Problem) -> str | None:
    """Why the theorem does not apply, as far as that can be told without a separator."""
    check_rows(model, data)
    return next((why for applies, why in conditions(model, data) if not applies), None)


def check_rows(model: Any, data: Problem) -> None:
    """Refuse other rows than those a model was fitted on, as far as can be seen."""
    n, d = data.X.shape
    if has_kernel(model):
        least = int(model.support_.max(initial=-1)) + 1
        trained, same = f"{least} or more", n >= least
        if same and d == model.n_features_in_ and not feature_space.holds_support(model, data.X):
            raise ValueError(
                "the support is not among these rows; the bound is about those it was fitted on"
            )
    else:
        least = n if model.dual_coef_ is None else np.shape(model.dual_coef_)[-1]
        trained, same = str(least), n == least
    if not same or d != model.n_features_in_:
        raise ValueError(
            f"X is {n} × {d} and the model was fitted on {trained} × {model.n_features_in_}; "
            "the bound is about the rows it was fitted on"
        )


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
    yield from kernel_conditions(model, data) if has_kernel(model) else ()
    yield (
        (model.support_ >= 0).all() if has_kernel(model) else model.dual_coef_ is not None,
        "after partial_fit it is not known which rows made the mistakes",
    )
    yield not model._online[0].bracket.start.any(), "the run did not start from zero"
    yield step_size(model) is not None, "rows are weighted, so steps differ in size"


def kernel_conditions(model: Any, data: Problem) -> Iterator[tuple[bool, str]]:
    """What it asks of a kernel besides."""
    n = len(data.codes)
    yield model.budget is None, "with a budget, the hypothesis moves when it forgets, too"
    yield (
        feature_space.kernel_of(model, data.X).is_definite,
        f"kernel={model.kernel!r} may be the inner product of no space, so there are no lengths",
    )
    yield (
        n <= feature_space.MOST,
        f"the widest margin in a feature space is sought among at most {feature_space.MOST:,} "
        f"rows, and there are {n:,}",
    )


def step_size(model: Any) -> float | None:
    """The size of the steps, if they are all of one size as far as can be seen."""
    if hasattr(model, "log_"):
        sizes = np.unique(np.abs(model.log_.c))
        return model.eta0 if not len(sizes) else float(sizes[0]) if len(sizes) == 1 else None
    steps = model._online[0].W if has_kernel(model) else model.dual_coef_
    counts = np.abs(steps) / model.eta0  # whole numbers, if each step was eta0
    whole = np.allclose(counts, np.rint(counts), rtol=1e-6)
    return model.eta0 if whole and np.rint(counts.sum()) == model.n_updates_ else None


# -- What it says ----------------------------------------------------------------------------------


class Inseparable(ValueError):
    """There is no separator, or none is known."""


class FeatureGeometry(NamedTuple):
    """Rows and the widest separator w* of length 1, in whatever space."""

    radius: float
    gamma: float
    upper: float
    along: Array  # the product of each row with w*
    own: float  # the margin of the hypothesis handed back
    lengths2: Callable[[Log], Array]  # |w_k|² after each mistake


def flat(model: Any, data: Problem) -> FeatureGeometry:
    """The rows as they are."""
    bias = float(model.fit_intercept)
    try:
        best = augmented_margin(data.X, data.classes[data.codes], model.fit_intercept)
    except ValueError as inseparable:
        raise Inseparable(*inseparable.args) from None
    w = np.append(best.w, best.b) / math.hypot(np.linalg.norm(best.w), best.b)
    storage = store(data.X, bias)
    return FeatureGeometry(
        radius=radius(data.X, fit_intercept=model.fit_intercept),
        gamma=float(best.margin),
        upper=float(best.upper),
        along=scores(storage, w[None], slice(None))[:, 0],
        own=margin(data.X, 2 * data.codes - 1, model.coef_[0], float(model.intercept_[0])),
        lengths2=lambda log: lengths2_along(log, storage),
    )


def lifted(model: Any, data: Problem) -> FeatureGeometry:
    """The rows in the feature space of a kernel."""
    K, signs = feature_space.gram(model, data.X), 2.0 * data.codes - 1
    best = feature_space.widest(K, signs)
    if best is None or best.margin <= 0:
        raise Inseparable(
            "the data are not separable in the feature space, or by a margin that rounding hides"
        )
    own = feature_space.direction(K, signs, feature_space.steps_of(model, len(K)))
    return FeatureGeometry(
        radius=feature_space.radius(K),
        gamma=best.margin,
        upper=max(best.margin, best.upper),
        along=best.along,
        own=own.margin if own is not None else 0.0,
        lengths2=lambda log: feature_space.lengths2_along(K, log.i, log.c),
    )


def compare(model: Any, scene: FeatureGeometry) -> MistakeBound:
    """The report on a run that the theorem is about."""
    R, eta = scene.radius, step_size(model)
    bound = (R / scene.gamma) ** 2
    log = getattr(model, "log_", None)
    steps = replay(log, scene) if log is not None else None
    return MistakeBound(
        mistakes=model.n_updates_,
        radius=R,
        gamma=scene.gamma,
        gamma_upper=scene.upper,
        bound=bound,
        cheap_bound=(R / scene.own) ** 2 if scene.own > 0 else None,
        holds=model.n_updates_ <= bound * (1 + ROUNDING) and (steps is None or steps.hold),
        eta=eta,
        steps=steps,
    )


def replay(log: Log, scene: FeatureGeometry) -> Steps:
    """Both inequalities after each mistake."""
    k = np.arange(1, len(log) + 1)
    eta = np.abs(log.c).max(initial=0.0)
    progress, length2 = np.cumsum(log.c * scene.along[log.i]), scene.lengths2(log)
    cosine = np.divide(progress, np.sqrt(length2), out=np.zeros(len(k)), where=length2 > 0)
    angle = np.degrees(np.arccos(np.clip(cosine, -1, 1)))
    return Steps(k, progress, k * eta * scene.gamma, length2, k * (eta * scene.radius) ** 2, angle)


def lengths2_along(log: Log, storage: Storage) -> Array:
    """|w_k|² after each mistake, so many hypotheses at a time."""
    W, parts = log.start, [np.empty(0)]
    size = max(1, BLOCK // W.size)
    for begin in range(0, len(log), size):
        cut = slice(begin, begin + size)
        stretch = LogSegment(log.t[cut], log.i[cut], log.c[cut], log.i[cut])
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
