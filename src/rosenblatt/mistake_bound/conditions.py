"""Whether Novikoff's theorem is about a run."""

from collections.abc import Iterator
from typing import TypeGuard

import numpy as np

from rosenblatt.estimators.kernel_perceptron import KernelPerceptron
from rosenblatt.inputs.fitted_model import FittedModel
from rosenblatt.inputs.plan import make_rule
from rosenblatt.inputs.validation import Problem
from rosenblatt.kernels import feature_space


def has_kernel(model: FittedModel) -> TypeGuard[KernelPerceptron]:
    """Whether the hypotheses of a model are in a feature space."""
    return isinstance(model, KernelPerceptron)


def objection(model: FittedModel, data: Problem) -> str | None:
    """Why the theorem does not apply, as far as that can be told without a separator."""
    check_rows(model, data)
    return next((why for applies, why in conditions(model, data) if not applies), None)


def check_rows(model: FittedModel, data: Problem) -> None:
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


def conditions(model: FittedModel, data: Problem) -> Iterator[tuple[bool, str]]:
    """What the theorem asks of a run, and what to say where it is not so."""
    rule, k = make_rule(model.get_params(deep=False)), len(model.classes_)
    yield k == 2, f"there are {k} classes, and it is about one hypothesis for two"
    yield (
        rule.gain == 0 and rule.margin == 0,
        f"rule={model.rule!r} does not move by equal steps at mistakes only",
    )
    unpenalized = getattr(model, "penalty", None) is None
    yield unpenalized, "with a penalty, every visit moves the hypothesis"
    yield getattr(model, "scale", None) is None, "the run was made on scaled columns; scale X first"
    yield model.batch_size == 1, "the rows of a batch move the hypothesis together"
    yield from kernel_conditions(model, data) if has_kernel(model) else ()
    yield (
        bool((model.support_ >= 0).all()) if has_kernel(model) else model.dual_coef_ is not None,
        "after partial_fit it is not known which rows made the mistakes",
    )
    yield model._online[0].from_zero, "the run did not start from zero"
    yield step_size(model) is not None, "rows are weighted, so steps differ in size"


def kernel_conditions(model: KernelPerceptron, data: Problem) -> Iterator[tuple[bool, str]]:
    """What it asks of a kernel besides."""
    n = len(data.codes)
    yield model.budget is None, "with a budget, the hypothesis moves when it forgets, too"
    yield (
        feature_space.kernel_of(model, data.X).is_definite,
        f"kernel={model.kernel!r} may be the inner product of no space, so there are no lengths",
    )
    yield (
        n <= feature_space.HULL_ROWS,
        f"the widest margin in a feature space is sought among at most {feature_space.HULL_ROWS:,} "
        f"rows, and there are {n:,}",
    )


def step_size(model: FittedModel) -> float | None:
    """The size of the steps, if they are all of one size as far as can be seen."""
    if hasattr(model, "log_"):
        sizes = np.unique(np.abs(model.log_.c))
        return model.eta0 if not len(sizes) else float(sizes[0]) if len(sizes) == 1 else None
    steps = model._online[0].W if has_kernel(model) else model.dual_coef_
    counts = np.abs(steps) / model.eta0  # whole numbers, if each step was eta0
    whole = np.allclose(counts, np.rint(counts), rtol=1e-6)  # steps are added up in floating point
    return model.eta0 if whole and np.rint(counts.sum()) == model.n_updates_ else None
