"""What all estimators have in common: how data come in, runs are made, and rows are told apart."""

import warnings
from collections.abc import Callable, Sequence
from functools import lru_cache
from html import escape
from numbers import Integral
from types import MethodType
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_consistent_length, check_is_fitted, validate_data

from rosenblatt.core.gram_cache import Cache
from rosenblatt.core.loop import Array
from rosenblatt.core.orders import UNDRAWN, seeded
from rosenblatt.estimators.attributes import convergence_warning, penalty_warning
from rosenblatt.estimators.runs import Outcome, RunSpec, learn
from rosenblatt.inputs import validation as border
from rosenblatt.inputs.fitted_model import FittedModel
from rosenblatt.inputs.labels import labels_of, require_two
from rosenblatt.inputs.parameters import CommonParameters, check_parameters
from rosenblatt.inputs.plan import make_plan, one_pass_more
from rosenblatt.inputs.validation import Problem
from rosenblatt.progress import bars, unreported

NO_BALANCE = (  # in scikit-learn's words
    "class_weight 'balanced' is not supported for partial_fit. In order to use 'balanced' weights, "
    "use compute_class_weight('balanced', classes=classes, y=y). In place of y you can use a large "
    "enough sample of the full training set target to properly estimate the class frequency "
    "distributions. Pass the resulting weights as the class_weight parameter."
)


ENDINGS = {
    "separated": "separated",
    "inseparable": "not separable, proved",
    "margin": "open: no separator has a margin above min_margin",
    "max_iter": "open after max_iter passes",
    "max_updates": "open after max_updates mistakes",
    "tol": "ended by tol",
    "early_stopping": "ended by early stopping",
}


# What a fit may leave behind, and the next may not have.
FORGOTTEN = "log_", "hypotheses_", "survival_", "_ballots", "n_reads_", "block_starts_"


def refuse_other_runs(model: FittedModel) -> None:
    """Refuse a model of one run for a class each where one is of all, and the other way round."""
    k = len(model.classes_)
    if len(model._online) != (1 if k == 2 or model.multi_class == "direct" else k):
        raise ValueError(f"multi_class={model.multi_class!r} was set after the fit: fit again")


class MethodRefused(AttributeError, ValueError):
    """A method that this configuration does not have."""


class if_online:
    """A method of configurations that can learn online."""

    def __init__(self, method: Callable[..., Any]) -> None:
        self.method = method
        self.__doc__ = method.__doc__

    def __get__(self, model: Any, owner: type | None = None) -> Any:
        if model is None:
            return self.method
        if reason := model._why_not_online():
            raise MethodRefused(reason)
        return MethodType(self.method, model)


def draw_seeds(random_state: Any, n: int) -> Sequence[int]:
    """Seeds for n runs."""
    if isinstance(random_state, Integral):
        return seeds_of(int(random_state), n)
    return check_random_state(random_state).randint(2**31 - 1, size=n).tolist()


@lru_cache(maxsize=64)
def seeds_of(random_state: int, n: int) -> tuple[int, ...]:
    """The seeds that always follow from a number."""
    with seeded([random_state]) as (rng,):
        return tuple(rng.randint(2**31 - 1, size=n).tolist())


class Learner(CommonParameters, ClassifierMixin, BaseEstimator):
    """An estimator that learns by runs over its mistakes."""

    # -- learning ----------------------------------------------------------------------------------

    @property
    def _bias(self) -> float:
        return 1.0 if self.fit_intercept else 0.0

    @property
    def _tie(self) -> float:
        """How a hypothesis votes on a row that it scores 0."""
        return -1.0 if self.boundary == -1 else 1.0

    def _why_not_online(self) -> str | None:
        """Why there is no partial_fit, if so."""
        voting = "keep='vote' needs all hypotheses of one fit; use keep='average'"
        return voting if self.keep == "vote" else None

    def _checked(self) -> dict[str, Any]:
        """The parameters, refused where they make no sense."""
        p = check_parameters(self)
        make_plan(p, 1)
        return p

    def _validate(self, X: Any, y: Any, sample_weight: Any) -> tuple[dict[str, Any], Problem]:
        """The parameters, and the problem of fit."""
        p = self._checked()
        problem = border.validate_data(X, y, sample_weight, bias=self._bias)
        require_two(problem.classes)
        if self.early_stopping:
            problem = border.validation_split(problem, self.validation_fraction, self.random_state)
        return p, problem

    def _train(
        self, problem: Problem, runs: list[RunSpec], strategy: Callable[..., Outcome]
    ) -> list[Outcome]:
        """Make the runs, in several threads where that is asked for."""
        names = [str(c) for c in problem.classes] if len(runs) > 1 else [""]
        seeds, passes = draw_seeds(self.random_state, len(runs)), runs[0].plan.max_iter
        with seeded(seeds) as rngs, bars(self.verbose > 0, names, passes) as watches:
            if len(runs) == 1:
                return [strategy(runs[0], rngs[0], watches[0])]
            alone = isinstance(runs[0].storage, Cache)  # a cache is not for two at a time
            return Parallel(None if alone else self.n_jobs, require="sharedmem")(
                delayed(strategy)(*each) for each in zip(runs, rngs, watches, strict=True)
            )

    def _warn(self, problem: Problem, outcomes: list[Outcome], unsettled: str | None) -> None:
        """Warn of runs that ended with the question open."""
        if getattr(self, "penalty", None) is not None:
            message = penalty_warning(outcomes, self.tol)
        else:
            message = convergence_warning(problem, outcomes, self._errors, unsettled)
        if message:
            warnings.warn(message, ConvergenceWarning, stacklevel=3)

    def _validate_more(
        self, X: Any, y: Any, classes: Any, sample_weight: Any
    ) -> tuple[dict[str, Any], Problem]:
        """The parameters and the problem of partial_fit."""
        p = self._checked() | {"keep": "average" if self.keep == "average" else "last"}
        if self.early_stopping:
            raise ValueError("early_stopping should be False with partial_fit: it needs all rows")
        if isinstance(self.class_weight, str):
            raise ValueError(NO_BALANCE)
        known = self._known_classes(classes)
        problem = border.validate_data(X, y, sample_weight, known, self._bias)
        if hasattr(self, "_online"):
            refuse_other_runs(self)
            self._recognize(X)
        return p, problem

    def _train_more(self, runs: list[RunSpec]) -> list[Outcome]:
        """One pass over the rows as they stand."""
        once = [run._replace(plan=one_pass_more(run.plan)) for run in runs]
        return [learn(run, UNDRAWN, unreported) for run in once]

    def _known_classes(self, classes: Any) -> Array:
        """The classes of partial_fit: those named now, which must be those named before."""
        known = getattr(self, "classes_", None)
        if classes is None and known is not None:
            return known
        if classes is None or (known is None and not np.size(classes)):
            raise ValueError("the first call of partial_fit must name all classes: classes=…")
        named = np.unique(labels_of(classes))
        if known is not None and not np.array_equal(named, known):
            raise ValueError(f"classes={classes!r} are not those of the first call, {known!r}")
        require_two(named)
        return named

    def _recognize(self, X: Any) -> None:
        """Refuse rows with other features than those known."""
        nameless = type(X) is np.ndarray and not hasattr(self, "feature_names_in_")
        if not nameless or X.shape[1:] != (getattr(self, "n_features_in_", None),):
            validate_data(self, X, skip_check_array=True, reset=False)

    def _set_fitted(self, X: Any, learned: dict[str, Any], reset: bool) -> None:
        """Take over what was learned, and forget what came with an earlier fit only."""
        if reset and type(X) is np.ndarray:
            self.__dict__.pop("feature_names_in_", None)
            self.n_features_in_ = X.shape[1]
        elif reset:
            validate_data(self, X, skip_check_array=True)
        for name in FORGOTTEN:
            self.__dict__.pop(name, None)
        self.__dict__.update(learned)

    # -- predicting --------------------------------------------------------------------------------

    def predict(self, X: Any) -> Array:
        """The class of each row.

        A point on the hyperplane is of the class ``classes_[1]``, or ``classes_[0]`` with
        ``boundary=-1``.
        """
        values = self.decision_function(X)
        if values.ndim > 1:
            return self.classes_[np.argmax(values, axis=1)]
        positive = values > 0 if self.boundary == -1 else values >= 0
        return self.classes_[positive.astype(int)]

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of rows whose class is predicted rightly, by weight.

        Parameters
        ----------
        X, y, sample_weight
            As in ``fit``.
        """
        check_is_fitted(self)
        plain = type(y) is np.ndarray and y.ndim == 1 and y.dtype == self.classes_.dtype
        if sample_weight is not None or not plain or y.dtype.kind not in "biuU":
            return float(super().score(X, y, sample_weight))
        found = self.predict(X)
        if len(found) != len(y):
            check_consistent_length(found, y)  # which says how many there are of each
        return float(np.count_nonzero(found == y) / len(y))

    # -- in notebooks ------------------------------------------------------------------------------

    def _repr_html_inner(self) -> str:
        return str(super()._repr_html_inner()) + self._html_verdict()

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        bundle = super()._repr_mimebundle_(**kwargs)
        return {k: v + self._html_verdict() * (k == "text/html") for k, v in bundle.items()}

    def _html_verdict(self) -> str:
        """How training ended, and how many rows each run gets wrong."""
        if not hasattr(self, "stop_reason_"):
            return ""
        reasons = np.atleast_1d(self.stop_reason_).tolist()
        names = [""] if len(reasons) == 1 else [f"{c}: " for c in self.classes_.tolist()]
        told = "; ".join(
            f"{name}{ENDINGS[reason]} ({wrong} training {'row' if wrong == 1 else 'rows'} wrong)"
            for name, reason, wrong in zip(names, reasons, self._errors, strict=True)
        )
        return f"<p>{escape(told)}</p>"

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
