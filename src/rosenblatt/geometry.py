"""Rows and hypotheses as vectors: scores, margins, distances, losses, and the margin bracket."""

import math
from dataclasses import dataclass
from functools import singledispatch
from typing import Any

import numpy as np
import scipy.sparse as sp

from rosenblatt.sweep import (
    Array,
    Dense,
    Gram,
    Rows,
    Sparse,
    Storage,
    Support,
    judge_all,
    measure,
    replay,
    score_all,
)
from rosenblatt.threads import in_parts

TINY = float(np.finfo(float).tiny)  # below, squares are lost

# -- A storage, seen from NumPy: many rows or hypotheses at once -----------------------------------


def store(X: Any, bias: float) -> Dense | Sparse:
    """The primal storage of a matrix. Unsigned indices spare the loop a test for negative ones."""
    if not sp.issparse(X):
        return Dense(np.ascontiguousarray(X), bias)
    index = np.uint32 if X.indices.itemsize == 4 else np.uint64
    return Sparse(X.data, X.indices.view(index), X.indptr.view(index), X.shape[1], bias)


def matrix(storage: Sparse) -> sp.csr_array:
    """The CSR matrix of a storage, without a copy."""
    index = np.int32 if storage.indices.itemsize == 4 else np.int64
    parts = storage.data, storage.indices.view(index), storage.indptr.view(index)
    return sp.csr_array(parts, shape=(len(storage.indptr) - 1, storage.n_features))


@singledispatch
def take(storage: Storage, i: Array) -> Array:
    """What each of the rows i adds to a hypothesis."""
    raise NotImplementedError


@take.register
def _(storage: Dense, i: Array) -> Array:
    return np.column_stack((storage.X[i], np.full(len(i), storage.bias)))


@take.register
def _(storage: Sparse, i: Array) -> Array:
    return np.column_stack((matrix(storage)[i].toarray(), np.full(len(i), storage.bias)))


@take.register
def _(storage: Gram, i: Array) -> Array:
    return dual_rows(i, storage.K[i])


def dual_rows(i: Array, K: Array) -> Array:
    """What rows add to a dual hypothesis: a step, and their inner products with all rows."""
    steps = np.zeros(K.shape)
    steps[np.arange(len(i)), i] = 1.0
    return np.hstack((steps, K))


@singledispatch
def scores(storage: Storage, W: Array, i: Array | slice) -> Array:
    """The scores of the rows i under each hypothesis of W, as a matrix."""
    raise NotImplementedError


@scores.register
def _(storage: Dense, W: Array, i: Array | slice) -> Array:
    f = storage.X[i] @ W[:, :-1].T
    f += storage.bias * W[:, -1]  # in place: large matrices are costly to come by
    return f


@scores.register
def _(storage: Sparse, W: Array, i: Array | slice) -> Array:
    f = matrix(storage)[i] @ W[:, :-1].T
    f += storage.bias * W[:, -1]
    return f


@scores.register
def _(storage: Gram | Support, W: Array, i: Array | slice) -> Array:
    return W[:, W.shape[1] // 2 :].T[i]


@singledispatch
def relearn(storage: Storage, W: Array, y: Array, i: Array, c: Array, rival: Array) -> None:
    """Learn a list of steps."""
    replay(storage, W, y, i, c, rival)


def to_dual(primal: Dense | Sparse, W: Array, n: int) -> Array:
    """A hypothesis as the start of a dual form: no steps yet, and the scores of all n rows."""
    return np.hstack((np.zeros((len(W), n)), scores(primal, W, slice(None)).T))


def to_primal(primal: Dense | Sparse, steps: Array) -> Array:
    """The sum of steps times rows, for each class."""
    X = primal.X if isinstance(primal, Dense) else matrix(primal)
    return np.hstack((steps @ X, primal.bias * steps.sum(axis=1, keepdims=True)))


@singledispatch
def length2(storage: Storage, W: Array) -> float:
    """The squared length of a hypothesis, or of the difference of two; 0 only if it is zero."""
    total = float(np.vdot(W, W))
    return total if total >= TINY or not W.any() else TINY


@length2.register
def _(storage: Gram | Support, W: Array) -> float:
    n = W.shape[1] // 2
    return max(0.0, float(np.sum(W[:, :n] * W[:, n:])))


def margins(storage: Storage, W: Array, rows: Rows, i: Array | None = None) -> Array:
    """The margins y f(x) of rows; with a hypothesis for each class, the lead over the rival."""
    visit = rows.train if i is None else i
    result = np.empty(len(visit))
    each = len(W) if isinstance(storage, Gram | Support) else W.size

    def judge(part: slice) -> None:
        judge_all(storage, W, rows.y, visit[part], result[part])

    in_parts(judge, len(visit), each)
    return result


def values(storage: Dense | Sparse, w: Array, n: int) -> Array:
    """The scores of all n rows under one hypothesis."""
    result = np.empty(n)
    in_parts(lambda part: score_all(storage, w, part.start, result[part]), n, len(w))
    return result


def pick(values: Array, i: Array) -> Array:
    """The values of some rows; there is nothing to copy where they are all of them."""
    return values if len(i) == len(values) else values[i]


def leads(f: Array, own: Array) -> Array:
    """By how much the score of each row's own class exceeds the highest other."""
    rows = np.arange(len(f))
    others = f.copy()
    others[rows, own] = -np.inf
    return f[rows, own] - others.max(axis=1)


def errs(margins: Array, y: Array, boundary: int) -> Array:
    """Which rows are on the wrong side, or on the hyperplane without the right to be there."""
    return (margins < 0) | ((margins == 0) & (y != boundary))


def lengths2(storage: Storage, n: int) -> Array:
    """The squared lengths |x̂|² of all n rows."""
    result = np.empty(n)
    each = storage.X.shape[1] if isinstance(storage, Dense) else 1
    in_parts(lambda part: measure(storage, part.start, result[part]), n, each)
    return result


# -- The margin bracket ----------------------------------------------------------------------------
# Let γ* be the largest margin any hypothesis of length 1 has on the rows z = y x̂. Any convex
# combination of the z is at least γ* long (its product with the best hypothesis is), and
# the distance moved over the sum of the steps is such a combination:
#
#     γ* <= |ŵ - ŵ₀| / Σ|c|
#
# With constant steps, one row at a time, from zero, Novikoff's |ŵ|² <= k η² R² makes this R/√k.


@dataclass
class Bracket:
    """An upper bound on the best margin. It only ever falls."""

    start: Array
    radius: float
    bound: float = math.inf
    travelled: float = 0.0

    def close(self, storage: Storage, W: Array, constant_steps: float) -> None:
        """Take in where the hypothesis is now."""
        if self.travelled > 0:
            way = W - self.start if self.start.any() else W
            self.bound = min(self.bound, math.sqrt(length2(storage, way)) / self.travelled)
        if constant_steps:
            self.bound = min(self.bound, self.radius / math.sqrt(constant_steps))

    @property
    def upper(self) -> float:
        """The bound, relative to the radius."""
        return min(1.0, self.bound / self.radius) if self.radius else 0.0


# -- The formulas of the lecture notes -------------------------------------------------------------


def distance(X: Any, w: Any, b: float = 0.0, *, absolute: bool = False) -> Array:
    """The signed distance (w·x + b) / |w| of each row from the hyperplane.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)
        The points.
    w : array-like of shape (n_features,)
        The normal of the hyperplane.
    b : float
        Its offset.
    absolute : bool
        Without the sign.

    Examples
    --------
    >>> import rosenblatt
    >>> rosenblatt.distance([[3, 3], [1, 1]], w=[3, 4], b=-7)
    array([2.8, 0. ])
    """
    f, length = _plane(X, w, b)
    return np.abs(f / length) if absolute else f / length


def perceptron_loss(X: Any, y: Any, w: Any, b: float = 0.0, *, normalized: bool = False) -> float:
    """The perceptron's loss: the sum of -y (w·x + b) over the misclassified rows.

    Parameters
    ----------
    X, y : array-like
        Points, and their labels -1 or +1.
    w, b : array-like of shape (n_features,), float
        The hyperplane.
    normalized : bool
        Divide by |w|: the total distance of the misclassified points from the hyperplane.

    Examples
    --------
    >>> import rosenblatt
    >>> rosenblatt.perceptron_loss([[3, 3], [1, 1]], [1, 1], w=[3, 4], b=-14)
    7.0
    >>> rosenblatt.perceptron_loss([[3, 3], [1, 1]], [1, 1], w=[3, 4], b=-14, normalized=True)
    1.4
    """
    f, length = _plane(X, w, b, normal_needed=normalized)
    y = np.asarray(y)
    if not np.isin(y, (-1, 1)).all():
        raise ValueError("the loss needs labels -1 and +1")
    if len(y) != len(f):
        raise ValueError(f"X has {len(f)} rows and y has {len(y)} labels")
    loss = float(np.maximum(-y * f, 0.0).sum())
    return loss / length if normalized else loss


def margin(X: Any, y: Any, w: Any, b: float = 0.0) -> float:
    """The smallest y (w·x + b) / |(w, b)|: how far the nearest row is on its right side.

    Lengths include the constant feature, as in the convergence theorem; negative if a row is on
    the wrong side.

    Examples
    --------
    >>> from rosenblatt.geometry import margin
    >>> margin([[3, 3], [4, 3], [1, 1]], [1, 1, -1], w=[2, 2], b=-1)
    -1.0
    """
    f, length = _plane(X, w, b, normal_needed=False)
    length = math.hypot(length, b)
    return float(np.min(np.asarray(y) * f)) / length if length else 0.0


def radius(X: Any, *, fit_intercept: bool = True) -> float:
    """The length of the longest row, the constant feature included.

    Examples
    --------
    >>> from rosenblatt.geometry import radius
    >>> radius([[2.0, 2.0], [1.0, 1.0]])
    3.0
    """
    storage = store(X if sp.issparse(X) else np.asarray(X, float), float(fit_intercept))
    n = X.shape[0] if sp.issparse(X) else len(X)
    return math.sqrt(lengths2(storage, n).max())


def _plane(X: Any, w: Any, b: float, normal_needed: bool = True) -> tuple[Array, float]:
    """The values w·x + b, and |w|."""
    w = np.asarray(w, float).ravel()
    top = float(np.abs(w).max(initial=0.0)) or 1.0  # lest the squares overflow, or vanish
    length = top * float(np.linalg.norm(w / top))
    if normal_needed and length == 0:
        raise ValueError("w is zero: there is no hyperplane to be at a distance from")
    X = X if sp.issparse(X) else np.asarray(X, float)
    with np.errstate(over="ignore", invalid="ignore"):
        f = X @ w + float(b)
    if not np.isfinite(f).all():
        raise ValueError("w·x + b is not finite, or too large for floating point: scale w and b")
    return f, length
