"""Scaled columns: plain passes depend on the sizes of columns, separability does not.

With z = (x - center) / size, a hypothesis (w, b) about z is (w / size, b - w · center / size) about
x. Plain passes are made on z; weights are handed back, mistakes counted and separability decided on
x, because z is rounded.
"""

from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from rosenblatt.core.loop import Array
from rosenblatt.core.margin_bound import Bracket
from rosenblatt.core.vectors import SMALLEST_NORMAL
from rosenblatt.estimators.in_memory import InMemory
from rosenblatt.estimators.runs import Outcome, RunSpec, radius_of
from rosenblatt.estimators.settle import OPEN, settled
from rosenblatt.inputs.column_moments import Moments


class Columns(NamedTuple):
    """The scale of each column."""

    center: Array
    size: Array

    def rows(self, X: Any) -> Any:
        """Rows, scaled."""
        if sp.issparse(X):
            return (X @ sp.diags_array(1.0 / self.size)).tocsr().astype(X.dtype)
        X = np.asarray(X)
        return ((X - self.center) / self.size).astype(X.dtype)

    def inward(self, W: Array) -> Array:
        """Hypotheses about rows, as hypotheses about scaled rows."""
        w, b = W[:, :-1], W[:, -1]
        return np.column_stack((w * self.size, b + w @ self.center))

    def outward(self, W: Array) -> Array:
        """Hypotheses about scaled rows, as hypotheses about rows."""
        with np.errstate(over="ignore", invalid="ignore"):
            w = W[:, :-1] / self.size
            found = np.column_stack((w, W[:, -1] - w @ self.center))
        if not np.isfinite(found).all():
            raise ValueError("the weights overflow in the units of X: scale the features")
        return found


def standard(found: Moments, fit_intercept: bool) -> Columns:
    """Columns of mean 0 and variance 1; sparse ones of largest value 1. Without a bias there is
    nothing to make up for a shift, so that columns keep their zero."""
    deviations = found.deviations
    if not np.isfinite(deviations).all():
        raise ValueError("a column of X is too large for floating point: scale the features")
    size = np.where(deviations >= SMALLEST_NORMAL, deviations, 1.0)  # which have a reciprocal
    centred = fit_intercept and not found.sparse
    return Columns(found.mean if centred else np.zeros_like(size), size)


def in_original_units(outcome: Outcome, columns: Columns, spec: RunSpec, settles: bool) -> Outcome:
    """What a run over scaled rows found, as hypotheses about the rows themselves."""
    run, online, rows, memory = outcome.run, outcome.online, spec.rows, InMemory(spec)
    kept, last = columns.outward(outcome.kept), columns.outward(online.W)
    run.bracket = Bracket(np.zeros_like(kept), radius_of(rows, len(kept)))
    online = online._replace(W=last, sums=None, bracket=None, from_zero=False)
    unknown: Any = {"conflict": None, "note": None, "least": None}
    outcome = outcome._replace(rows=rows, kept=kept, online=online, **unknown)
    if not settles or run.reason == "early_stopping":
        return outcome
    if not memory.errs(kept):
        run.reason = "separated"
        return outcome._replace(online=online._replace(W=kept))
    if run.reason == "separated":
        run.reopen()
    run.reason = run.reason if run.reason in OPEN else "max_iter"
    return settled(outcome, memory.decide(kept))
