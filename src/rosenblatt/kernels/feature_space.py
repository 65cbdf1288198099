"""Rows in the feature space of a kernel: lengths, margins and the widest separator.

What has length 1 there is a combination of rows, and all its products come from the kernel of the
rows with each other. Only the search for the widest separator needs coordinates: those of a
pivoted Cholesky factor.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg.lapack import dpstrf

from rosenblatt.core.loop import Array
from rosenblatt.core.threads import one_thread
from rosenblatt.inputs.fitted_model import FittedKernel
from rosenblatt.kernels.functions import Kernel, make_kernel
from rosenblatt.kernels.gram_matrix import gram_matrix
from rosenblatt.separability.convex_hull.nearest_point import nearest_point
from rosenblatt.separability.exact.bounded_conflict import EPS

HULL_ROWS = 3000  # rows whose hull is looked into
GAP = 1e-7  # of a margin below what none can exceed, where rounding allows it


class Direction(NamedTuple):
    """A hypothesis of length 1, by its products with all rows."""

    along: Array
    margin: float
    upper: float  # no hypothesis has a larger margin, if this is the widest


def kernel_of(model: FittedKernel, X: Any) -> Kernel:
    """The kernel of a fitted model."""
    return make_kernel(model.get_params(deep=False) | {"gamma": model.gamma_}, X)


def gram(model: FittedKernel, X: Any) -> Array:
    """The kernel of all rows with all, the constant feature included."""
    X = X.astype(np.float64, copy=False)
    return gram_matrix(kernel_of(model, X), X)


def holds_support(model: FittedKernel, X: Any) -> bool:
    """Whether the support of a model is where it was among these rows, as far as can be seen."""
    known = np.flatnonzero(model.support_ >= 0)
    if not len(known) or not model.support_vectors_.shape[0]:
        return True
    gap = X[model.support_[known]].astype(np.float64) - model.support_vectors_[known]
    return bool(abs(gap).max() == 0)


def steps_of(model: FittedKernel, n: int) -> Array:
    """The steps of all n rows in the hypothesis that was handed back."""
    steps = np.zeros(n)
    steps[model.support_] = model.dual_coef_
    return steps


def feature_radius(K: Array) -> float:
    """The length of the longest row."""
    return math.sqrt(max(0.0, float(K.diagonal().max())))


def direction(K: Array, signs: Array, steps: Array) -> Direction | None:
    """The direction of a sum of steps; None if it is nothing but rounding."""
    f = K @ steps
    length2 = float(steps @ f)
    rounding = len(K) * EPS * float(K.diagonal().max()) * float(np.abs(steps).sum()) ** 2
    if length2 <= rounding:
        return None
    length, travelled = math.sqrt(length2), float(np.abs(steps).sum())
    return Direction(f / length, float((signs * f).min()) / length, length / travelled)


@one_thread
def widest(K: Array, signs: Array) -> Direction | None:
    """The direction with the largest margin; None if the hull of the rows y x holds the origin.

    The nearest point of the hull is sought in coordinates, and its margin, which no rounding of
    those can raise, found from the kernel.
    """
    R = feature_radius(K)
    if R == 0:
        return None
    near = nearest_point(coordinates(K) * (signs[:, None] / R), gap=GAP)
    steps = np.zeros(len(K))
    steps[near.corral] = near.weights * signs[near.corral]
    return direction(K, signs, steps)


def coordinates(K: Array) -> Array:
    """Rows Z with Z Z' = K, in as many dimensions as they span."""
    factor, pivots, rank, _ = dpstrf(K, lower=1)
    Z = np.empty((len(K), rank))
    Z[pivots - 1] = np.tril(factor)[:, :rank]
    return Z


def lengths2_along(K: Array, i: Array, c: Array) -> Array:
    """The squared length of the sum of steps c of rows i, after each."""
    scores, steps = np.zeros(len(K)), np.empty(len(i))
    for k, (row, step) in enumerate(zip(i.tolist(), c.tolist(), strict=True)):
        steps[k] = step * (2 * scores[row] + step * K[row, row])
        scores += step * K[row]
    return np.cumsum(steps)
