"""Kernels: inner products in a feature space that nobody writes out.

The bias is the weight of one more feature, constant 1, so a kernel K is used as K + 1.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from sklearn.metrics.pairwise import cosine_similarity, laplacian_kernel

from rosenblatt.problem import choice, number
from rosenblatt.support import BLOCK, Cache
from rosenblatt.sweep import Array, Gram

Storage = Gram | Cache


class Kernel(NamedTuple):
    """A kernel and its numbers."""

    name: str | Callable[..., Any]
    gamma: float
    degree: float
    coef0: float
    params: dict[str, Any]
    bias: float

    def between(self, A: Any, B: Any) -> Array:
        """The kernel, and the constant feature, of every row of A with every row of B."""
        K = self._raw(A, B)
        if self.bias:
            K += self.bias
        return K

    def _raw(self, A: Any, B: Any) -> Array:
        if isinstance(self.name, str):
            return KERNELS[self.name](A, B, self)
        K = np.array(self.name(A, B, **self.params), np.float64)
        wanted = A.shape[0], B.shape[0]
        if K.shape != wanted:
            raise ValueError(
                f"the kernel gave an array of shape {K.shape}; it must take two matrices and give "
                f"one number for each pair of their rows, here an array of shape {wanted}"
            )
        return K

    def diagonal(self, X: Any) -> Array:
        """The kernel of every row with itself."""
        blocks = (X[k : k + BLOCK] for k in range(0, X.shape[0], BLOCK))
        return np.concatenate([self.between(rows, rows).diagonal() for rows in blocks])

    @property
    def is_definite(self) -> bool:
        """Whether there is a feature space for certain, with lengths and margins."""
        if self.name == "poly":
            return self.coef0 >= 0 and float(self.degree).is_integer()
        return self.name in ("linear", "rbf", "laplacian", "cosine")


# -- The named ones --------------------------------------------------------------------------------


def inner(A: Any, B: Any) -> Array:
    """All inner products."""
    K = A @ B.T
    return K.toarray() if sp.issparse(K) else K


def linear(A: Any, B: Any, k: Kernel) -> Array:
    """x·z"""
    return inner(A, B)


def poly(A: Any, B: Any, k: Kernel) -> Array:
    """(γ x·z + c)^degree; whole powers by multiplication, which is faster and exact."""
    K = inner(A, B)
    K *= k.gamma
    K += k.coef0
    if not float(k.degree).is_integer():
        return K**k.degree
    power = K.copy()
    for bit in f"{int(k.degree):b}"[1:]:
        power *= power
        if bit == "1":
            power *= K
    return power


def rbf(A: Any, B: Any, k: Kernel) -> Array:
    """exp(-γ |x - z|²)"""
    K = inner(A, B)
    K *= -2.0
    K += squares(A)[:, None]
    K += squares(B)
    np.maximum(K, 0.0, out=K)
    K *= -k.gamma
    return np.exp(K, out=K)


def sigmoid(A: Any, B: Any, k: Kernel) -> Array:
    """tanh(γ x·z + c)"""
    return np.tanh(k.gamma * inner(A, B) + k.coef0)


def laplacian(A: Any, B: Any, k: Kernel) -> Array:
    """exp(-γ |x - z|₁)"""
    return laplacian_kernel(A, B, gamma=k.gamma)


def cosine(A: Any, B: Any, k: Kernel) -> Array:
    """x·z / |x| |z|"""
    return cosine_similarity(A, B)


def squares(X: Any) -> Array:
    """The squared length of each row."""
    if sp.issparse(X):
        return np.asarray(X.multiply(X).sum(axis=1)).ravel()
    return np.einsum("ij,ij->i", X, X)


KERNELS = {kernel.__name__: kernel for kernel in (linear, poly, rbf, sigmoid, laplacian, cosine)}


# -- The border ------------------------------------------------------------------------------------


def check_kernel(p: dict[str, Any]) -> None:
    """Refuse parameters that no kernel has."""
    if not callable(p["kernel"]):
        choice("kernel", p["kernel"], (*KERNELS, "precomputed"))
    if isinstance(p["gamma"], str):
        choice("gamma", p["gamma"], ("scale", "auto"))
    else:
        number("gamma", p["gamma"], 0)
    number("degree", p["degree"], 0)
    number("coef0", p["coef0"], -math.inf)
    number("cache_size", p["cache_size"], 0)


def make_kernel(p: dict[str, Any], X: Any) -> Kernel:
    """The kernel that parameters name, for rows like these."""
    gamma, params = scaled(p["gamma"], X), dict(p["kernel_params"] or {})
    bias = 1.0 if p["fit_intercept"] else 0.0
    return Kernel(p["kernel"], gamma, p["degree"], float(p["coef0"]), params, bias)


def scaled(gamma: Any, X: Any) -> float:
    """gamma, as SVC reads it: "auto" is 1/n_features, "scale" that over the variance of X."""
    if not isinstance(gamma, str):
        return float(gamma)
    if gamma == "auto":
        return 1.0 / X.shape[1]
    mean_square = float(squares(X).sum()) / (X.shape[0] * X.shape[1])
    variance = mean_square - float(X.mean()) ** 2 if sp.issparse(X) else float(X.var())
    return 1.0 / (X.shape[1] * variance) if variance > 0 else 1.0


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


def hold(kernel: Kernel, X: Any, cache_size: float) -> Storage:
    """The kernel of all rows, as a whole if it fits into so many MB, else some of it at a time."""
    if kernel.name == "precomputed":
        return Gram(np.ascontiguousarray(check_gram(X) + kernel.bias, np.float64))
    n, size = X.shape[0], int(cache_size * 2**20)
    if 8 * n * n <= size:
        return Gram(whole(kernel, X))
    compute = lambda i: finite(kernel.between(X[i], X))  # noqa: E731
    return Cache.open(compute, finite(kernel.diagonal(X)), max(1, size // (8 * n)))


def whole(kernel: Kernel, X: Any) -> Array:
    """The kernel of all rows with all, half of it by symmetry, blocks of rows at a time."""
    n = X.shape[0]
    K = np.empty((n, n))
    for k in range(0, n, BLOCK):
        here, beyond = slice(k, k + BLOCK), slice(k + BLOCK, n)
        K[here, k:] = finite(kernel.between(X[here], X[k:]))
        K[beyond, here] = K[here, beyond].T
    return K


def finite(K: Array) -> Array:
    """Refuse a kernel that overflows."""
    if not np.isfinite(K).all():
        raise ValueError("the kernel is infinite or NaN for some rows: scale the features")
    return K


# -- A hypothesis in the feature space -------------------------------------------------------------


def gram_rows(storage: Storage, i: Array) -> Array:
    """The kernel of some rows with all."""
    return storage.K[i] if isinstance(storage, Gram) else storage.compute(i)


def rescore(storage: Storage, steps: Array) -> Array:
    """The scores of all rows from the steps of each, by class, summed anew."""
    total, moved = np.zeros(steps.shape), np.flatnonzero(steps.any(axis=0))
    size = max(1, len(moved)) if isinstance(storage, Gram) else BLOCK
    for k in range(0, len(moved), size):
        i = moved[k : k + size]
        total += steps[:, i] @ gram_rows(storage, i)
    return total
