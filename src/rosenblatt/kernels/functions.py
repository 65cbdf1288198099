"""Kernels: inner products in a feature space that is never computed.

The bias is the weight of one more feature, constant 1, so a kernel K is used as K + 1.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from sklearn.metrics.pairwise import laplacian_kernel

from rosenblatt.core.budget import Budget
from rosenblatt.core.loop import Array
from rosenblatt.core.training import Plan
from rosenblatt.core.vectors import UNIT_ROUNDOFF, dense
from rosenblatt.inputs.plan import make_plan
from rosenblatt.separability.exact.rational import binary_digits

KERNEL_ROWS = 64  # rows taken together
MANTISSA_BITS = 53  # of a double
SMALLEST_POWER = -1074  # of two, in a double


class Kernel(NamedTuple):
    """A kernel and its numbers."""

    name: str | Callable[..., Any]
    gamma: float
    degree: float
    coef0: float
    params: dict[str, Any]
    bias: float

    @np.errstate(over="ignore", invalid="ignore")  # what is not finite is refused
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
        blocks = (X[k : k + KERNEL_ROWS] for k in range(0, X.shape[0], KERNEL_ROWS))
        return np.concatenate([self.between(rows, rows).diagonal() for rows in blocks])

    def roundoff(self, X: Any) -> float:
        """How far K(x, z) may be off, as a share of the lengths of x and z in the feature space."""
        if self.name == "precomputed":
            return 0.0
        power = max(1.0, self.degree) if self.name == "poly" else 1.0
        off = distance_error(squares(X), self.gamma) if self.name == "rbf" else 0.0
        return 4 * UNIT_ROUNDOFF * power * (X.shape[1] + 4) + min(off, UNSEEN)

    def repeats(self, X: Any) -> bool:
        """Whether the kernel of these rows is the same in whatever order products are summed."""
        if self.name in ("linear", "poly"):
            numbers = (X.data if sp.issparse(X) else X).reshape(1, -1)
            return bool(exact_sums(numbers, numbers, X.shape[1]).all())
        return self.name == "precomputed"

    @property
    def is_definite(self) -> bool:
        """Whether there is a feature space for certain, with lengths and margins."""
        if self.name == "poly":
            return self.coef0 >= 0 and float(self.degree).is_integer()
        return self.name in ("linear", "rbf", "laplacian", "cosine")


def exact_sums(A: Array, B: Array, n: int) -> Array:
    """For each row of A, whether sums of n products of its numbers with those of B are exact.

    They are multiples of a power of two, and less than 2⁵³ times as large as it.
    """
    (low, high), (lowest, highest) = binary_digits(A), binary_digits(B)
    fits: Array = high - low + highest - lowest + n.bit_length() <= MANTISSA_BITS
    return fits & (low + lowest >= SMALLEST_POWER)


# -- The named ones --------------------------------------------------------------------------------


def inner(A: Any, B: Any) -> Array:
    """All inner products."""
    return dense(A @ B.T)


def affine(A: Any, B: Any, k: Kernel) -> Array:
    """γ x·z + c"""
    K = inner(A, B)
    if k.gamma != 1:
        K *= k.gamma
    K += k.coef0
    return K


def linear(A: Any, B: Any, k: Kernel) -> Array:
    """x·z"""
    return inner(A, B)


def poly(A: Any, B: Any, k: Kernel) -> Array:
    """(γ x·z + c)^degree; whole powers by multiplication, which is faster and exact."""
    K = affine(A, B, k)
    if not float(k.degree).is_integer():
        if (K < 0).any():
            raise ValueError("a fractional degree needs gamma x·z + coef0 ≥ 0: use a whole degree")
        return np.power(K, k.degree, out=K)
    for first in range(0, len(K), KERNEL_ROWS):
        raise_to(K[first : first + KERNEL_ROWS], int(k.degree))
    return K


def raise_to(power: Array, degree: int) -> None:
    """Take a power in place, one multiplication for each bit of the degree, or two."""
    bits = f"{degree:b}"[1:]
    once = power.copy() if "1" in bits else power
    for bit in bits:
        power *= power
        if bit == "1":
            power *= once


def rbf(A: Any, B: Any, k: Kernel) -> Array:
    """exp(-γ |x - z|²)"""
    K = squared_distances(A, B, k.gamma)
    K *= -k.gamma
    return np.exp(K, out=K)


# |x - z|² = |x|² + |z|² - 2 x·z is off by a few units of roundoff of |x|² + |z|². Where γ times
# that shows, far from the origin, it is computed from x - z, unless the kernel is zero anyway.

UNSEEN = 1e-12  # an error of the exponent that does not show
VANISHES = 750.0  # exp of less than the opposite is zero
PAIRS = 2**14  # rows subtracted from one another at a time


def distance_error(lengths2: Array, gamma: float) -> float:
    """How far γ |x - z|² may be off, computed from these squared lengths."""
    return float(16 * UNIT_ROUNDOFF * gamma * lengths2.max())


def squared_distances(A: Any, B: Any, gamma: float) -> Array:
    """|x - z|² of every row of A with every row of B, as exactly as exp(-γ |x - z|²) needs it."""
    K, here, there = inner(A, B), squares(A), squares(B)
    K *= -2.0
    K += here[:, None]
    K += there
    np.maximum(K, 0.0, out=K)
    off = distance_error(here, gamma) + distance_error(there, gamma)
    if off > UNSEEN:
        i, j = np.nonzero(gamma * K < VANISHES + off)
        for first in range(0, len(i), PAIRS):
            some = i[first : first + PAIRS], j[first : first + PAIRS]
            K[some] = squares(A[some[0]] - B[some[1]])
    return K


def sigmoid(A: Any, B: Any, k: Kernel) -> Array:
    """tanh(γ x·z + c); NaN where that overflows, whose sign depends on the order of sums"""
    K = affine(A, B, k)
    K[np.isinf(K)] = np.nan
    return np.tanh(K)


def laplacian(A: Any, B: Any, k: Kernel) -> Array:
    """exp(-γ |x - z|₁)"""
    return laplacian_kernel(short_indices(A), short_indices(B), gamma=k.gamma)


def short_indices(X: Any) -> Any:
    """The same rows; if sparse, with indices of 32 bits, which are all that scikit-learn takes."""
    if not sp.issparse(X) or X.indices.itemsize == 4 or max(X.nnz, X.shape[1]) >= 2**31:
        return X
    places = X.indices.astype(np.int32), X.indptr.astype(np.int32)
    return sp.csr_array((X.data, *places), shape=X.shape)


def cosine(A: Any, B: Any, k: Kernel) -> Array:
    """x·z / |x| |z|"""
    return inner(unit_rows(A), unit_rows(B))


def unit_rows(X: Any) -> Any:
    """Rows of length 1, and rows of zeros; scaled first, so that no square is lost."""
    X = divided(X, abs(X).max(axis=1))
    return divided(X, np.sqrt(squares(X)))


def divided(X: Any, sizes: Any) -> Any:
    """Rows, each divided by its size unless that is zero."""
    sizes = dense(sizes).ravel()
    sizes = np.where(sizes > 0, sizes, 1.0)
    if not sp.issparse(X):
        return X / sizes[:, None]
    data = X.data / np.repeat(sizes, np.diff(X.indptr))
    return sp.csr_array((data, X.indices, X.indptr), X.shape)


def squares(X: Any) -> Array:
    """The squared length of each row."""
    if sp.issparse(X):
        return np.asarray(X.multiply(X).sum(axis=1)).ravel()
    return np.einsum("ij,ij->i", X, X)


KERNELS = {kernel.__name__: kernel for kernel in (linear, poly, rbf, sigmoid, laplacian, cosine)}


# -- The border ------------------------------------------------------------------------------------


def make_kernel(p: dict[str, Any], X: Any) -> Kernel:
    """The kernel that parameters name, for rows like these."""
    gamma, params = gamma_value(p["gamma"], X), dict(p["kernel_params"] or {})
    bias = 1.0 if p["fit_intercept"] else 0.0
    return Kernel(p["kernel"], gamma, p["degree"], float(p["coef0"]), params, bias)


@np.errstate(over="ignore", invalid="ignore")  # then it is 1
def gamma_value(gamma: Any, X: Any) -> float:
    """gamma, as SVC reads it: "auto" is 1/n_features, "scale" that over the variance of X."""
    if not isinstance(gamma, str):
        return float(gamma)
    if gamma == "auto":
        return 1.0 / X.shape[1]
    mean_square = float(squares(X).sum()) / (X.shape[0] * X.shape[1])
    mean = float(X.mean())
    variance = mean_square - mean * mean if sp.issparse(X) else float(X.var())
    scale = 1.0 / (X.shape[1] * variance) if variance > 0 else 0.0
    return scale if 0 < scale < math.inf else 1.0


def check_budget(p: dict[str, Any]) -> None:
    """Refuse a budget that cannot be kept."""
    if p["budget"] is not None and p["keep"] in ("average", "vote"):
        raise ValueError(
            f"keep={p['keep']!r} needs every row that was ever misclassified, which a budget does "
            "not allow; use keep='last', 'best' or 'pocket'"
        )


def plan_for(kernel: Kernel, p: dict[str, Any], n: int) -> Plan:
    """The plan; without a feature space, or if rows are forgotten, margins are not bounded."""
    plan = make_plan(p, n)
    if p["budget"] is not None:
        plan = plan._replace(budget=Budget(int(p["budget"]), p["forget"]))
    if plan.budget and plan.order == "active":  # what is forgotten errs again, without end
        plan = plan._replace(order="sweep")
    known = kernel.is_definite and plan.budget is None
    return plan if known else plan._replace(bracket=False, min_margin=0.0)


def asks_for_margins(kernel: Kernel, p: dict[str, Any], classes: int) -> bool:
    """Whether rule="auto" is passive-aggressive: with several classes, where lengths are known."""
    plain = p["margin"] is None and p["class_weight"] is None and p["batch_size"] == 1
    return classes > 2 and plain and kernel.is_definite
