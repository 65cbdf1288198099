"""Rows and hypotheses as vectors, seen from NumPy: many of them at once."""

import math
from functools import singledispatch
from typing import Any

import numpy as np
import scipy.sparse as sp

from rosenblatt.core.loop import Array, Dense, Gram, Rows, Sparse, Storage, Support
from rosenblatt.core.row_loops import judge_all, lead_all, measure, replay, score_all
from rosenblatt.core.threads import in_parts

UNIT_ROUNDOFF = float(np.finfo(float).eps) / 2
DOT_IN_THREADS = 10_000  # numbers for which linear algebra starts threads, slower than the sum
SMALLEST_NORMAL = float(np.finfo(float).tiny)  # below, squares are lost

# -- A storage, seen from NumPy: many rows or hypotheses at once -----------------------------------


def store(X: Any, bias: float) -> Dense | Sparse:
    """The primal storage of a matrix. Unsigned indices spare the loop a test for negative ones."""
    if not sp.issparse(X):
        return Dense(unwritable(np.ascontiguousarray(X)), bias)
    index = np.uint32 if X.indices.itemsize == 4 else np.uint64
    places = unwritable(X.indices.view(index)), unwritable(X.indptr.view(index))
    return Sparse(unwritable(X.data), *places, X.shape[1], bias)


def unwritable(a: Array) -> Array:
    """The same numbers, not to be changed; so one compiled loop serves memory maps, too."""
    view = a.view()
    view.flags.writeable = False
    return view


def matrix(storage: Dense | Sparse) -> Any:
    """The array or CSR matrix of a storage, without a copy."""
    if isinstance(storage, Dense):
        return storage.X
    index = np.int32 if storage.indices.itemsize == 4 else np.int64
    parts = storage.data, storage.indices.view(index), storage.indptr.view(index)
    return sp.csr_array(parts, shape=(len(storage.indptr) - 1, storage.n_features))


def dense(X: Any) -> Array:
    """A matrix as an array."""
    return X.toarray() if sp.issparse(X) else X


@singledispatch
def take(storage: Storage, i: Array) -> Array:
    """What each of the rows i adds to a hypothesis."""
    raise NotImplementedError


@take.register
def _(storage: Dense, i: Array) -> Array:
    Z = np.empty((len(i), storage.X.shape[1] + 1))  # columns put together take three times as long
    Z[:, :-1] = storage.X[i]
    Z[:, -1] = storage.bias
    return Z


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
def _(storage: Dense | Sparse, W: Array, i: Array | slice) -> Array:
    f: Array = matrix(storage)[i] @ W[:, :-1].T
    f += storage.bias * W[:, -1]  # in place: large matrices are costly to come by
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
    return np.hstack((steps @ matrix(primal), primal.bias * steps.sum(axis=1, keepdims=True)))


@singledispatch
def length2(storage: Storage, W: Array) -> float:
    """The squared length of a hypothesis, or of the difference of two; 0 only if it is zero."""
    few = W.size < DOT_IN_THREADS
    total = float(np.vdot(W, W) if few else np.einsum("ij,ij->", W, W))
    return total if total >= SMALLEST_NORMAL or not W.any() else SMALLEST_NORMAL


@length2.register
def _(storage: Gram | Support, W: Array) -> float:
    n = W.shape[1] // 2
    with np.errstate(over="ignore", invalid="ignore"):
        total = float(np.sum(W[:, :n] * W[:, n:]))
    return max(0.0, total) if math.isfinite(total) else math.inf


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


def pick(values: Any, i: Array) -> Any:
    """The values of some rows, or these; there is nothing to copy where they are all of them."""
    return values if len(i) == values.shape[0] else values[i]


def stacked(matrices: list[Array]) -> Array:
    """Matrices on top of each other; there is nothing to copy where there is one."""
    return matrices[0] if len(matrices) == 1 else np.vstack(matrices)


def leads(f: Array, own: Array) -> Array:
    """By how much the score of each row's own class exceeds the highest other; of one hypothesis,
    the margin y f(x)."""
    if f.shape[1] == 1:
        return f[:, 0] * own
    rows = np.arange(len(f))
    others = f.copy()
    others[rows, own] = -np.inf
    return f[rows, own] - others.max(axis=1)


def first_leads(f: Array) -> Array:
    """By how much the highest score of each row exceeds the second."""
    result = np.empty(len(f))
    lead_all(f, result)
    return result


def errs(margins: Array, y: Array, boundary: int) -> Array:
    """Which rows are on the wrong side, or on the hyperplane without the right to be there."""
    return (margins < 0) | ((margins == 0) & (y != boundary))


def lengths2(storage: Storage, n: int) -> Array:
    """The squared lengths |x̂|² of all n rows. Those of rows with NaN or infinity are not finite."""
    result = np.empty(n)
    each = storage.X.shape[1] if isinstance(storage, Dense) else 1
    in_parts(lambda part: measure(storage, part.start, result[part]), n, each)
    return result
