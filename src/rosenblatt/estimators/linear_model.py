"""Hypotheses that are weights: what a fitted model says of itself, and of rows."""

from typing import Any, Self

import numpy as np
from scipy.sparse import csr_array, issparse
from sklearn.utils.validation import check_is_fitted

from rosenblatt.core.loop import Array
from rosenblatt.core.vectors import dense, matrix, store
from rosenblatt.estimators.attributes import refuse_overflow, single
from rosenblatt.estimators.classifier import Learner
from rosenblatt.estimators.runs import Online, RunSpec
from rosenblatt.estimators.voting import apply, poll
from rosenblatt.inputs import validation as border
from rosenblatt.inputs.matrix import is_plain
from rosenblatt.inputs.plan import make_plan
from rosenblatt.inputs.validation import Problem
from rosenblatt.separability.exact.certainty import correct_signs
from rosenblatt.separability.narrowed_rows import NarrowedRows, narrowed

FEW_NUMBERS_A_COLUMN = 8  # with more, a pass takes longer than to copy the weights


class LinearModel(Learner):
    """An estimator whose hypotheses are ``coef_`` and ``intercept_``, and nothing beside them."""

    def _weights(self) -> Array:
        """The hypothesis handed back, the bias last."""
        return np.column_stack((dense(self.coef_), self.intercept_))

    def __getstate__(self) -> dict[str, Any]:
        """What predicts and goes on; the steps of all rows only if they were to be recorded."""
        state = super().__getstate__()
        unwanted = not self.record and "dual_coef_" in state
        return state | {"dual_coef_": None} if unwanted else state

    @property
    def t_(self) -> float:
        """Visits made, and one, as scikit-learn counts them."""
        check_is_fitted(self)
        return 1.0 + max(online.seen for online in self._online)

    def sparsify(self) -> Self:
        """Hold ``coef_`` as a sparse matrix, which takes less memory if most weights are 0."""
        check_is_fitted(self)
        self.coef_ = csr_array(self._weights()[:, :-1])
        return self

    def densify(self) -> Self:
        """Hold ``coef_`` as an array again."""
        check_is_fitted(self)
        self.coef_ = np.ascontiguousarray(self._weights()[:, :-1])
        return self

    @property
    def mistake_bounds_(self) -> Any:
        """The training errors that no hypothesis avoids, as far as is known, and those made."""
        check_is_fitted(self)
        conflicts = self.conflict_ if len(self._errors) > 1 else [self.conflict_]
        strict = self.boundary == "mistake" or len(self.coef_) > len(self._errors)
        return single(
            [
                (int(strict and conflict is not None), wrong)
                for conflict, wrong in zip(conflicts, self._errors, strict=True)
            ]
        )

    # -- where learning starts ---------------------------------------------------------------------

    def _in_used_columns(self, problem: Problem, coef: Any) -> tuple[Problem, NarrowedRows | None]:
        """Sparse rows in the columns that they use, if there are many columns, and these are enough
        to learn from: weights of others are zero, unless they start from something else. A log is
        about all columns."""
        goes_on = coef is not None or (self.warm_start and hasattr(self, "coef_"))
        narrow = issparse(problem.X) and problem.X.nnz < FEW_NUMBERS_A_COLUMN * problem.X.shape[1]
        if goes_on or self.record or self.keep == "vote" or not narrow:
            return problem, None
        used = narrowed(store(problem.X, self._bias))
        return (problem._replace(X=matrix(used.primal)) if used else problem), used

    def _starts(self, problem: Problem, runs: int, coef: Any, intercept: Any) -> list[Online]:
        """The first hypothesis of each run: as given, as before, or zero."""
        d, k = problem.X.shape[1], len(problem.classes)
        if self.warm_start and coef is None and hasattr(self, "coef_"):
            coef, intercept = self._weights()[:, :-1], self.intercept_
        W = border.first_hypotheses(coef, intercept, (1 if k == 2 else k, d), self.fit_intercept)
        return [Online(part) for part in np.split(W, runs)]

    def _runs(
        self, p: dict[str, Any], problem: Problem, coef: Any = None, intercept: Any = None
    ) -> list[RunSpec]:
        """The rows as the loop holds them, and what each run has to learn from them."""
        primal = store(problem.X, self._bias)
        storage = border.make_storage(primal, problem, p["form"])
        rows = border.targets(problem, storage, p)
        states = self._starts(problem, len(rows), coef, intercept)
        held, plan = problem.held, make_plan(p, len(problem.train))
        each = zip(rows, states, strict=True)
        return [RunSpec(storage, primal, held, *own, plan) for own in each]

    def _resumed(self, runs: list[RunSpec]) -> list[RunSpec]:
        """What partial_fit goes on with: from the weights as they are now."""
        W, averages = self._weights(), self.keep == "average"
        if not self.fit_intercept:  # which may have been set since
            W[:, -1] = 0.0
        parts = np.split(W, len(runs))
        known = getattr(self, "_online", [Online(part) for part in parts])
        each = zip(runs, known, parts, strict=True)
        return [run._replace(state=o.going_on_from(W, averages)) for run, o, W in each]

    # -- predicting --------------------------------------------------------------------------------

    def decision_function(self, X: Any) -> Array:
        """The score w·x + b of each row; with several classes, one for each.

        With ``keep="vote"``, the vote: between -1 and 1, or the share of each class. Otherwise the
        sign of a row's score, or which class leads, is exact, if the row is no longer than those
        learned from.
        """
        check_is_fitted(self)
        seen = is_plain(X) and not hasattr(self, "hypotheses_")  # scores tell what is not finite
        names, X = X, X if seen else border.matrix_of(X)
        self._recognize(names)
        primal = store(X, 1.0)
        if hasattr(self, "hypotheses_"):
            values = self._poll(primal, X.shape[0], self.__dict__)
        else:
            W = self._weights().astype(np.float64)
            if X.shape[1] != W.shape[1] - 1:  # weights that were set by hand
                raise ValueError(f"X has {X.shape[1]} features, and coef_ has {W.shape[1] - 1}")
            with np.errstate(over="ignore", invalid="ignore"):
                values = apply(primal, X.shape[0], W)
            if not np.isfinite(values).all():
                border.matrix_of(X)  # which refuses numbers that are not finite
                refuse_overflow(values)
            correct_signs(primal, W, values, getattr(self, "radius_", 0.0))
        return values[:, 0] if len(self.classes_) == 2 else values

    def _poll(self, primal: Any, n: int, learned: dict[str, Any]) -> Array:
        """The votes of all hypotheses, one column for each run or class."""
        voters = zip(learned["hypotheses_"], learned["survival_"], strict=True)
        return np.hstack([poll(primal, n, *each, self._tie) for each in voters])
