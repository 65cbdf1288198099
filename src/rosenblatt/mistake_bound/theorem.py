"""Why the perceptron stops: Novikoff's bound, replayed mistake by mistake.

Let every row be at most R long and let a hypothesis w* of length 1 have margin γ on all of them.
Then, with steps of the same size η, one mistake at a time, from zero, after k mistakes

    w_k · w* >= k η γ        each mistake adds η y x·w* >= η γ
    |w_k|²   <= k η² R²      each mistake adds 2 η y w·x <= 0, and η² |x|² <= η² R²

and since w_k · w* <= |w_k|, the two cross at k = (R/γ)²: there are no more mistakes than that.
With a kernel, all of this is so in its feature space.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.core.log import Log, LogSegment, path
from rosenblatt.core.loop import Array, Storage
from rosenblatt.core.vectors import scores, store
from rosenblatt.estimators.kernel_perceptron import KernelPerceptron
from rosenblatt.estimators.linear_model import LinearModel
from rosenblatt.geometry import margin, radius
from rosenblatt.inputs.fitted_model import FittedModel
from rosenblatt.inputs.validation import Problem, validate_data
from rosenblatt.kernels import feature_space
from rosenblatt.mistake_bound.conditions import has_kernel, objection, step_size
from rosenblatt.mistake_bound.report import RELATIVE_ROUNDING, MistakeBound, Steps
from rosenblatt.separability.max_margin import augmented_margin

WEIGHTS_HELD = 2**22  # weights of hypotheses held at a time


def novikoff(model: FittedModel, X: Any, y: Any) -> MistakeBound:
    """Compare the updates of a run with the bound of the convergence theorem.

    The theorem is about Rosenblatt's rule with equal steps, one row at a time, started at zero, on
    two separable classes. Elsewhere the report says why it does not apply. With a
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
        return compare(model, lifted(model, data) if has_kernel(model) else flat(model, data))
    except Inseparable as inseparable:
        return MistakeBound(model.n_updates_, str(inseparable))


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


def flat(model: FittedModel, data: Problem) -> FeatureGeometry:
    """The rows as they are."""
    assert isinstance(model, LinearModel)
    bias, w_own = float(model.fit_intercept), model._weights()[0]
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
        own=margin(data.X, 2 * data.codes - 1, w_own[:-1], float(w_own[-1])),
        lengths2=lambda log: squared_lengths(log, storage),
    )


def lifted(model: KernelPerceptron, data: Problem) -> FeatureGeometry:
    """The rows in the feature space of a kernel."""
    K, signs = feature_space.gram(model, data.X), 2.0 * data.codes - 1
    best = feature_space.widest(K, signs)
    if best is None or best.margin <= 0:
        raise Inseparable(
            "the data are not separable in the feature space, or by a margin that rounding hides"
        )
    own = feature_space.direction(K, signs, feature_space.steps_of(model, len(K)))
    return FeatureGeometry(
        radius=feature_space.feature_radius(K),
        gamma=best.margin,
        upper=max(best.margin, best.upper),
        along=best.along,
        own=own.margin if own is not None else 0.0,
        lengths2=lambda log: feature_space.lengths2_along(K, log.i, log.c),
    )


def compare(model: FittedModel, space: FeatureGeometry) -> MistakeBound:
    """The report on a run that the theorem is about."""
    R, eta = space.radius, step_size(model)
    bound = squared(R / space.gamma)
    log = getattr(model, "log_", None)
    steps = proof_steps(log, space) if log is not None else None
    return MistakeBound(
        mistakes=model.n_updates_,
        radius=R,
        gamma=space.gamma,
        gamma_upper=space.upper,
        bound=bound,
        cheap_bound=squared(R / space.own) if space.own > 0 else None,
        holds=model.n_updates_ <= bound * (1 + RELATIVE_ROUNDING) and (steps is None or steps.hold),
        eta=eta,
        steps=steps,
    )


def squared(ratio: float) -> float:
    """A square, infinite if it is beyond floating point."""
    return ratio * ratio


def proof_steps(log: Log, space: FeatureGeometry) -> Steps:
    """Both inequalities after each mistake."""
    k = np.arange(1, len(log) + 1)
    eta = np.abs(log.c).max(initial=0.0)
    progress, length2 = np.cumsum(log.c * space.along[log.i]), space.lengths2(log)
    cosine = np.divide(progress, np.sqrt(length2), out=np.zeros(len(k)), where=length2 > 0)
    angle = np.degrees(np.arccos(np.clip(cosine, -1, 1)))
    return Steps(k, progress, k * eta * space.gamma, length2, k * (eta * space.radius) ** 2, angle)


def squared_lengths(log: Log, storage: Storage) -> Array:
    """|w_k|² after each mistake, so many hypotheses at a time."""
    W, parts = log.start, [np.empty(0)]
    size = max(1, WEIGHTS_HELD // W.size)
    for begin in range(0, len(log), size):
        cut = slice(begin, begin + size)
        stretch = LogSegment(log.t[cut], log.i[cut], log.c[cut], log.i[cut])
        hypotheses = path(storage, W, log.i, stretch)[:, 0]
        parts.append(np.sum(hypotheses**2, axis=1))
        W = hypotheses[-1:]
    return np.concatenate(parts)
