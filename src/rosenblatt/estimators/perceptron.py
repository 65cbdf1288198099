"""The scikit-learn API: named configurations, no algorithm."""

from typing import Any, Self

import numpy as np

from rosenblatt.core.loop import Array
from rosenblatt.core.vectors import stacked, store
from rosenblatt.estimators.attributes import (
    describe,
    in_single_precision,
    judged,
    linear_attributes,
)
from rosenblatt.estimators.classifier import if_online
from rosenblatt.estimators.in_memory import learn_after, learn_auto, learn_first, separated_together
from rosenblatt.estimators.linear_model import LinearModel
from rosenblatt.estimators.runs import Outcome, RunSpec, learn
from rosenblatt.estimators.scaling import in_original_units, standard
from rosenblatt.estimators.settle import on_one_scale, why_not
from rosenblatt.estimators.voting import apply
from rosenblatt.inputs.column_moments import moments
from rosenblatt.inputs.parameters import LinearParameters
from rosenblatt.inputs.validation import Problem
from rosenblatt.separability.narrowed_rows import NarrowedRows

STRATEGIES = {"auto": learn_auto, "first": learn_first, "after": learn_after}


class Perceptron(LinearParameters, LinearModel):
    """The perceptron: sign(w·x + b), which learns a separating hyperplane from its mistakes.

    If some hyperplane separates the data, training ends with one. If none does, it ends as well:
    ``stop_reason_`` says why, and the best hypothesis found is returned.

    Parameters
    ----------
    penalty : {"l2", "l1", "elasticnet"} or None, default=None
        Shrink the weights at every visit, exactly as scikit-learn does. Separability is then not
        decided, and the last hypothesis is returned, since ``keep`` "pocket" and "best" would undo
        the penalty. Without ``tol``, all ``max_iter`` passes are made.
    alpha : float, default=0.0001
        The strength of the penalty.
    l1_ratio : float or None, default=0.15
        The share of l1 in "elasticnet".
    eta0 : float, default=1.0
        The learning rate.
    fit_intercept : bool, default=True
        Whether to learn the bias b, the weight of a constant feature 1.
    scale : {"standard"} or None, default=None
        Make plain passes on standardized columns: mean 0 and variance 1; sparse columns are
        divided by their largest value, and without a bias nothing is centred. ``coef_`` and
        all proofs refer to X as given, ``log_`` to the scaled rows. Training takes far fewer
        updates when the columns are of similar size.
    max_iter : int, default=1000
        Maximum number of passes over the data.
    max_updates : int or None, default=None
        Maximum number of updates (for each class, with multi_class="ovr").
    min_margin : float, default=1e-3
        Stop once no separator has a margin above this, relative to the longest row: with constant
        steps that takes at most ``1 / min_margin**2`` mistakes. 0 means never.
    tol : float or None, default=None
        scikit-learn's plateau rule: stop when the mean loss of a pass has not improved by ``tol``
        for ``n_iter_no_change`` passes. With ``early_stopping``, the same for the validation
        score (1e-3 if None).
    n_iter_no_change : int, default=5
        See ``tol``.
    shuffle : bool, default=True
        Whether ``order="sweep"`` visits the rows in a new order each pass.
    order : {"sweep", "random", "worst", "active"}, default="sweep"
        Which row is visited next: every row in turn; rows drawn with replacement; the row with the
        smallest margin; every row, and then those wrong or nearly wrong until they are right.
    rule : {"rosenblatt", "margin", "pa", "pa1", "pa2", "relaxation"}, default="rosenblatt"
        How far a mistake moves the hypothesis; see :mod:`rosenblatt.rules`.
    margin : float or None, default=None
        Rows with ``y f(x) <= margin`` cause an update; 1 if None, for the rules that have one.
    C : float, default=1.0
        The aggressiveness of "pa1" and "pa2".
    form : {"auto", "primal", "dual"}, default="auto"
        Store weights (primal), or a coefficient for each row and the Gram matrix (dual). Both make
        the same updates, and so do dense and sparse rows, as long as sums are exact: the order of
        summation differs, and rounding may decide the side of a row almost on the hyperplane.
        "auto" uses the dual form when there are more features than rows, and few rows.
    batch_size : int or "all", default=1
        Number of rows judged by one hypothesis before it is updated by the sum of their steps.
    keep : {"pocket", "best", "last", "average", "vote"}, default="pocket"
        Which hypothesis is returned: the best one found, its errors counted when its run of
        correct visits is a record (Gallant's ratchet) or after every update; the last one; the
        mean of all; or all of them, voting with the number of visits each survived.
    boundary : {"mistake", 1, -1}, default="mistake"
        What a point exactly on the hyperplane is: a mistake for either class, or a point of the
        positive or negative class. Several classes have no such point: a tie is a mistake.
    settle : {"auto", "first", "after", "never"}, default="auto"
        Plain passes may need millions of updates where the margin is small. "auto": make them for
        as long as deciding takes; then decide separability (:mod:`rosenblatt.separability.decide`).
        If there is a separator, it is returned; for two classes in a small table, one of nearly
        the largest margin. If there is none, the best hypothesis found is returned, or a better
        one from a short search (``keep`` "pocket" and "best"). "first": decide at once, and
        make plain passes only if the data are not separable. "after": decide when plain passes have
        ended by themselves. "never": leave it open. Does not apply to ``partial_fit``, to
        ``keep="average"`` and "vote", to rules other than "rosenblatt", nor when ``early_stopping``
        ended the run; beyond 500 dimensions the question may stay open; then a warning says so.
    multi_class : {"direct", "ovr"}, default="direct"
        More than two classes: "direct" learns a linear machine, weights for each class, adding a
        mistake to the right class and subtracting it from its highest-scoring rival; whether the
        classes can be separated is decided jointly. "ovr" learns each class against the rest, and
        decides each by itself; settled classes are brought to about the length of the others.
    class_weight : dict, "balanced" or None, default=None
        Factors of the steps of each class, as in scikit-learn. The errors that "best" and "pocket"
        count are weighted by them too; ``sample_weight`` scales steps only.
    early_stopping : bool, default=False
        Hold out ``validation_fraction`` of the rows; stop when their score no longer improves.
    validation_fraction : float, default=0.1
        See ``early_stopping``.
    warm_start : bool, default=False
        Start ``fit`` from the previous ``coef_`` and ``intercept_``.
    record : bool, default=False
        Keep the list of updates as ``log_``.
    n_jobs : int or None, default=None
        Threads for several classes.
    random_state : int, RandomState or None, default=0
        Seeds the order of visits.
    verbose : int, default=0
        1 shows a progress bar on standard error.

    Attributes
    ----------
    coef_, intercept_ : ndarray of shape (1 or n_classes, n_features), (1 or n_classes,)
        The hypothesis that is returned.
    classes_ : ndarray
        The labels.
    converged_ : bool
        Whether that hypothesis makes no error on the training rows, recomputed.
    stop_reason_ : str
        Why the run ended: "separated", "inseparable" (proved: no hyperplane separates the data),
        "margin" (none has a margin above ``min_margin``; with ``scale="standard"``, of the scaled
        rows), "max_iter", "max_updates", "tol" or "early_stopping".
    n_iter_ : int
        Number of passes.
    n_updates_ : int
        Number of updates.
    t_ : float
        Number of visits plus one, as in scikit-learn.
    mistakes_ : ndarray
        Number of updates in each pass.
    margin_bounds_ : tuple of float
        The largest margin of any hypothesis lies between these, relative to ``radius_``.
    radius_ : float
        The length of the longest row, the constant feature included.
    dual_coef_ : ndarray of shape (n_samples,) or (n_classes, n_samples), or None
        The signed sum of the steps of each row. None after ``partial_fit``, with ``penalty`` or
        ``scale``, and in pickles, unless with ``record=True``.
    settled_ : bool
        Whether ``coef_`` came from settling; updates are always counted in plain passes.
    mistake_bounds_ : tuple of int
        A proved lower bound on the training errors of any hyperplane, and the training errors of
        the one returned; :func:`fewest_mistakes` brings them closer together.
    conflict_ : tuple or None
        Rows, and weights as fractions, that prove the data inseparable: weighted, the rows
        y (x, 1) add up to zero; in more than 300 dimensions, weights close to these may do so
        instead, see :class:`Certificate`.
    log_ : Log
        The updates in order, with ``record=True``.
    hypotheses_, survival_ : list of ndarray
        The voters and their votes, with ``keep="vote"``.

    With several classes one against the rest, ``stop_reason_``, ``n_updates_``, ``mistakes_``,
    ``margin_bounds_``, ``mistake_bounds_``, ``conflict_`` and ``log_`` are lists by class, and
    ``n_iter_`` is the longest.

    References
    ----------
    Rosenblatt, F. (1958). The perceptron: a probabilistic model for information storage and
    organization in the brain. Psychological Review 65.

    Examples
    --------
    >>> from rosenblatt import Perceptron
    >>> X, y = [[3, 3], [4, 3], [1, 1]], [1, 1, -1]
    >>> model = Perceptron(shuffle=False, record=True).fit(X, y)
    >>> model.coef_, model.intercept_, model.stop_reason_
    (array([[1., 1.]]), array([-3.]), 'separated')
    >>> model.log_.i
    array([0, 2, 2, 2, 0, 2, 2])
    """

    def _why_not_online(self) -> str | None:
        scaling = "scale='standard' needs all rows at once; put a StandardScaler before the model"
        return scaling if self.scale else super()._why_not_online()

    def fit(
        self,
        X: Any,
        y: Any,
        coef_init: Any = None,
        intercept_init: Any = None,
        sample_weight: Any = None,
    ) -> Self:
        """Learn from all rows, pass after pass, until there is a reason to stop.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples,)
            Their labels.
        coef_init, intercept_init : array-like or None
            The hypothesis to start from; zero if None.
        sample_weight : array-like of shape (n_samples,) or None
            Factors of the steps.
        """
        p, problem = self._validate(X, y, sample_weight)
        problem, used = self._in_used_columns(problem, coef_init)
        runs = self._runs(p, problem, coef_init, intercept_init)
        unsettled = why_not(p)
        strategy = learn if unsettled else STRATEGIES[self.settle]
        if self.scale is None:
            runs = runs if unsettled else separated_together(runs, self.settle)
            outcomes = self._train(problem, runs, strategy)
        else:
            outcomes = self._train_scaled(p, problem, runs, strategy)
        sums_of_steps = self.scale is None and self.penalty is None
        steps = stacked([o.run.dual for o in outcomes]) if sums_of_steps else None
        self._describe(X, problem, on_one_scale(outcomes), steps, used)
        self._warn(problem, outcomes, unsettled)
        return self

    @if_online
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn online: visit each row once, in the order given, starting from ``coef_``.

        The result is the last hypothesis or, with ``keep="average"``, the mean of all since the
        first call.

        Parameters
        ----------
        X, y, sample_weight
            As in ``fit``.
        classes : array-like or None
            All labels that will ever come; needed in the first call.
        """
        p, problem = self._validate_more(X, y, classes, sample_weight)
        runs, again = self._runs(p | {"form": "primal"}, problem), hasattr(self, "coef_")
        outcomes = self._train_more(self._resumed(runs) if again else runs)
        if again:
            outcomes = [outcome._replace(all_seen=False) for outcome in outcomes]
        self._describe(X, problem, outcomes, steps=None, reset=not again)
        return self

    def _train_scaled(
        self, p: dict[str, Any], problem: Problem, runs: list[RunSpec], strategy: Any
    ) -> list[Outcome]:
        """Make the runs on scaled columns; what they found is then told of the columns given."""
        columns = standard(moments(problem.X[problem.train]), self.fit_intercept)
        scaled = self._runs(p, problem.with_rows(columns.rows(problem.X)))
        starts = [run.state._replace(W=columns.inward(run.state.W)) for run in runs]
        scaled = [run._replace(state=start) for run, start in zip(scaled, starts, strict=True)]
        each, settles = self._train(problem, scaled, strategy), strategy is not learn
        return [
            in_original_units(o, columns, run, settles) for o, run in zip(each, runs, strict=True)
        ]

    def _describe(
        self,
        X: Any,
        problem: Problem,
        outcomes: list[Outcome],
        steps: Array | None,
        used: NarrowedRows | None = None,
        reset: bool = True,
    ) -> None:
        """Take over what was learned, once nothing can fail any more."""
        primal, n = store(problem.X, self._bias), len(problem.codes)
        kind: Any = np.float64
        if problem.X.dtype == np.float32 and (rounded := in_single_precision(outcomes, primal)):
            kind, outcomes = np.float32, rounded
        by_vote, voted = None, self.keep == "vote"
        learned: dict[str, Any] = {}
        if voted:
            logs = [o.log for o in outcomes if o.log is not None]
            paths = [log.path(problem.X) for log in logs]
            learned["hypotheses_"] = [p[:, None] if p.ndim == 2 else p for p in paths]
            learned["survival_"] = [log.survival() for log in logs]
            by_vote = self._poll(primal, n, learned)
        if voted or any(o.least is None for o in outcomes):
            by_weights = apply(primal, n, np.vstack([o.kept for o in outcomes]))
            outcomes = judged(primal, outcomes, by_weights, by_vote)
        learned |= describe(problem.classes, primal, outcomes, voted)
        if used is not None:
            outcomes = [o.mapped(used.widen) for o in outcomes]
        learned |= linear_attributes(outcomes, steps, self.record, kind)
        self._set_fitted(X, learned, reset)
