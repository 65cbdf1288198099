"""Hypotheses that are steps of the rows in a support: what a fitted model says of rows."""

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted, validate_data

from rosenblatt.core.loop import Array
from rosenblatt.estimators.attributes import refuse_overflow
from rosenblatt.estimators.classifier import Learner
from rosenblatt.estimators.kernel_expansion import Against, VotedExpansion, expansion_scores
from rosenblatt.inputs import validation as border
from rosenblatt.kernels.functions import make_kernel


class KernelModel(Learner):
    """An estimator whose hypotheses are ``dual_coef_`` on ``support_vectors_``."""

    @np.errstate(over="ignore", invalid="ignore")  # scores that overflow are refused by name
    def decision_function(self, X: Any) -> Array:
        """The score Σ cᵢ K(xᵢ, x) + b of each row; with several classes, one for each.

        With ``keep="vote"``, the vote: between -1 and 1, or the share of each class. For a
        precomputed kernel, X is the kernel of the rows with all training rows.
        """
        check_is_fitted(self)
        names, X = X, border.matrix_of(X)
        validate_data(self, names, skip_check_array=True, reset=False)
        against, n = self._against(X), X.shape[0]
        if hasattr(self, "_ballots"):
            values = self._poll(against, n, self._ballots)
        else:
            values = expansion_scores(against, n, np.atleast_2d(self.dual_coef_))
        refuse_overflow(values)
        return values[:, 0] if len(self.classes_) == 2 else values

    def _against(self, X: Any) -> Against:
        """The kernel of rows with the support, block by block."""
        kernel = make_kernel(self.get_params(deep=False) | {"gamma": self.gamma_}, X)
        if self.kernel == "precomputed":
            return lambda block: X[block][:, self.support_] + kernel.bias
        X = X.astype(np.float64, copy=False)
        return lambda block: kernel.between(X[block], self.support_vectors_)

    def _poll(self, against: Against, n: int, runs: list[VotedExpansion]) -> Array:
        """The votes of all hypotheses, one column for each run or class."""
        return np.hstack([each.poll(against, n, self._tie) for each in runs])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.kernel == "precomputed"
        tags.input_tags.sparse = self.kernel != "precomputed"
        return tags
