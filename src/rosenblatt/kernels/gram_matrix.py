"""The Gram matrix: the kernel of all training rows with all, or of as many as fit into memory."""

from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from rosenblatt.core.gram_cache import Cache
from rosenblatt.core.loop import Array, Gram, Rows
from rosenblatt.core.training import Plan
from rosenblatt.core.vectors import UNIT_ROUNDOFF, pick
from rosenblatt.kernels import cholesky
from rosenblatt.kernels.functions import KERNEL_ROWS, Kernel, exact_sums

KernelStorage = Gram | Cache


def check_gram(K: Any) -> Array:
    """A precomputed kernel of the training rows."""
    if sp.issparse(K):
        raise ValueError("a precomputed kernel must be a dense matrix, got a sparse one")
    if K.shape[0] != K.shape[1]:
        raise ValueError(
            f"a precomputed kernel of the training rows must be square, got the shape {K.shape}"
        )
    gap = np.abs(K - K.T)
    if gap.max() > 1e-8 * np.abs(K).max():
        i, j = np.unravel_index(gap.argmax(), gap.shape)
        raise ValueError(
            f"a precomputed kernel must be symmetric: K[{i}, {j}] is {K[i, j]:g}, "
            f"and K[{j}, {i}] is {K[j, i]:g}"
        )
    return K


def hold(kernel: Kernel, X: Any, cache_size: float) -> KernelStorage:
    """The kernel of all rows, as a whole if it fits into so many MB, else some of it at a time."""
    if kernel.name == "precomputed":
        return Gram(np.ascontiguousarray(check_gram(X) + kernel.bias, np.float64))
    n, size = X.shape[0], cache_size * 2**20
    if 8 * n * n <= size:
        return Gram(gram_matrix(kernel, X))

    def compute(i: Array) -> Array:
        K = kernel.between(X[i], X)
        return K if kernel.is_definite else finite(K)

    return Cache.open(compute, finite(kernel.diagonal(X)), max(1, int(size // (8 * n))))


def gram_matrix(kernel: Kernel, X: Any) -> Array:
    """The kernel of all rows with all.

    No inner product exceeds the squared lengths on the diagonal, so if these are finite, all are.
    """
    products = kernel.name in ("linear", "poly", "cosine") and not sp.issparse(X)
    K = kernel.between(X, X) if products else by_blocks(kernel, X)  # BLAS halves products itself
    finite(K.diagonal() if kernel.is_definite else K)
    return K


def by_blocks(kernel: Kernel, X: Any) -> Array:
    """The kernel of all rows with all, half of it by symmetry, blocks of rows at a time."""
    n = X.shape[0]
    K = np.empty((n, n))
    for k in range(0, n, KERNEL_ROWS):
        here, beyond = slice(k, k + KERNEL_ROWS), slice(k + KERNEL_ROWS, n)
        K[here, k:] = kernel.between(X[here], X[k:])
        K[beyond, here] = K[here, beyond].T
    return K


def finite(K: Array) -> Array:
    """Refuse a kernel that overflows."""
    if not np.isfinite(K).all():
        raise ValueError("the kernel is infinite or NaN for some rows: scale the features")
    return K


def lengthless(rows: Rows, plan: Plan) -> Rows:
    """Rows for a kernel that may be indefinite: K(x, x) = 0 does not mean that x is zero."""
    if plan.rule.gain and (rows.norm2 <= 0).any():
        i = int(np.argmax(rows.norm2 <= 0))
        raise ValueError(f"this rule divides by K(x, x), which is not positive for row {i}")
    return rows._replace(norm2=np.where(rows.norm2 == 0, 1.0, rows.norm2))


# -- A hypothesis in the feature space -------------------------------------------------------------


def gram_rows(storage: KernelStorage, i: Array) -> Array:
    """The kernel of some rows with all."""
    return storage.K[i] if isinstance(storage, Gram) else storage.compute(i)


def rescore(storage: KernelStorage, steps: Array) -> Array:
    """The scores of all rows from the steps of each, by class, summed anew."""
    total, moved = np.zeros(steps.shape), np.flatnonzero(steps.any(axis=0))
    size = max(1, len(moved)) if isinstance(storage, Gram) else KERNEL_ROWS
    for k in range(0, len(moved), size):
        i = moved[k : k + size]
        total += steps[:, i] @ gram_rows(storage, i)
    return total


# A score Σ cᵢ K(xᵢ, x) is a sum of rounded numbers, none larger than |cᵢ| |xᵢ| |x|, with lengths in
# the feature space. It may be off by a small share of their sum, so that a smaller margin is no
# margin: the row may be on the hyperplane, or beyond. It is on it for certain if the sum is exact.


class KernelRows(NamedTuple):
    """Rows, and their kernel with one another."""

    kernel: Kernel
    X: Any
    storage: KernelStorage

    def without_doubt(self, margins: Array, rows: Rows, steps: Array) -> Array:
        """The margins of the training rows, -1 where these may be due to rounding."""
        lengths = np.sqrt(np.maximum(rows.norm2, 0.0))
        reach = (np.abs(steps) @ lengths).max() * (1 if len(steps) == 1 else 2)
        share = self.kernel.roundoff(self.X)
        share += 4 * np.count_nonzero(steps.any(axis=0)) * UNIT_ROUNDOFF
        doubtful = (margins > 0) & (margins <= share * reach * pick(lengths, rows.train))
        right = np.flatnonzero((margins == 0) & (pick(rows.y, rows.train) == rows.boundary))
        doubtful[right] = ~self.sums_exactly(steps, rows.train[right])
        return np.where(doubtful, -1.0, margins)

    def sums_exactly(self, steps: Array, some: Array) -> Array:
        """For each of some rows, whether its score is a sum without rounding."""
        moved, exact = np.flatnonzero(steps.any(axis=0)), np.zeros(len(some), bool)
        if len(some) and self.kernel.repeats(self.X):
            for k in range(0, len(some), KERNEL_ROWS):
                K = gram_rows(self.storage, some[k : k + KERNEL_ROWS])[:, moved]
                exact[k : k + KERNEL_ROWS] = exact_sums(K, steps[:, moved], len(moved))
        return exact


def interpolate(storage: KernelStorage, targets: Array, train: Array) -> Array | None:
    """Steps of the training rows with which their scores are these, by class; None if the kernel
    matrix is singular, but for rounding."""
    K = np.ascontiguousarray(gram_rows(storage, train)[:, train])
    if not cholesky.factor(K):
        return None
    found = np.ascontiguousarray(targets[:, train].T)
    cholesky.substitute(K, found)
    steps = np.zeros(targets.shape)
    steps[:, train] = found.T
    return steps
