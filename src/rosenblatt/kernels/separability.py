"""Whether some function of a kernel separates rows: exact, where that can be known.

Equal rows have equal features, so contradictory rows refute every kernel. Distinct rows are
independent in the feature space of "rbf" and "laplacian" (Micchelli 1986), so there nothing else
does. The features of a polynomial kernel (γ x·z + c)^p are, but for positive factors, the monomials
of degree p, and with c > 0 of all lower degrees: rows of these are decided like any other table,
where they are few and their products exact in double precision.
"""

import math
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import scipy.sparse as sp

from rosenblatt.core.loop import Array, Rows
from rosenblatt.core.vectors import store
from rosenblatt.inputs.validation import rows_of
from rosenblatt.kernels.functions import Kernel
from rosenblatt.separability.answers import Answer, Undecided
from rosenblatt.separability.decide import decide
from rosenblatt.separability.floating_point.orthonormal_basis import MOST_DIMENSIONS
from rosenblatt.separability.several_classes.joint_passes import PairConflict, pair_conflict
from rosenblatt.separability.several_classes.kesler_construction import decide_jointly
from rosenblatt.separability.several_classes.row_pairs import in_memory

SPLIT = 2.0**27 + 1  # halves a float into two of 26 bits (Dekker 1971)
SMALLEST = 2.0**-900  # a product whose error does not underflow

UNKNOWN = "no exact question is known for this kernel"
ENOUGH_PASSES = "some function of this kernel separates them, which more passes would find"


def decide_kernel(kernel: Kernel, X: Any, rows: Rows, k: int) -> Answer | PairConflict | str:
    """Rows in conflict in the feature space, or in words what is known instead.

    k is the number of hypotheses: 1 for labels ±1, else that of the classes.
    """
    if kernel.name == "precomputed":
        return UNKNOWN
    if clash := pair_conflict(store(X, 0.0), rows, k):
        return clash
    if kernel.name in ("rbf", "laplacian") and kernel.gamma > 0:
        return ENOUGH_PASSES
    if kernel.name == "linear":
        return decide_table(X, kernel.bias, rows, k)
    if kernel.name == "poly" and kernel.is_definite and kernel.degree >= 1 and kernel.gamma > 0:
        return decide_monomials(kernel, X, rows, k)
    return UNKNOWN


def decide_monomials(kernel: Kernel, X: Any, rows: Rows, k: int) -> Answer | PairConflict | str:
    """The answer for a polynomial kernel, if its monomials are few and exact."""
    degree, d = int(kernel.degree), X.shape[1]
    if math.comb(d + degree, degree) > MOST_DIMENSIONS:
        return f"it has more than {MOST_DIMENSIONS} monomials"
    M = monomials(X.toarray() if sp.issparse(X) else X, degree, kernel.coef0 > 0)
    if M is None:
        return "its monomials are not exact in double precision: round the features"
    return decide_table(M, float(bool(kernel.bias) or kernel.coef0 > 0), rows, k)


def decide_table(X: Any, bias: float, rows: Rows, k: int) -> Answer | PairConflict | str:
    """The answer for rows that are written out."""
    if k == 1:
        primal = store(X, bias)
        answer: Any = decide(primal, rows_of(primal, rows.y)._replace(train=rows.train))
    else:
        source = in_memory(X[rows.train], rows.y[rows.train], k, bias)
        answer = decide_jointly(source, np.zeros((k, source.width)))
        if isinstance(answer, PairConflict):
            answer = answer._replace(rows=rows.train[answer.rows])
    return answer.reason if isinstance(answer, Undecided) else answer


def monomials(X: Array, degree: int, lower: bool) -> Array | None:
    """All products of so many features, or with `lower` of fewer too; None if one is rounded."""
    columns: dict[tuple[int, ...], Array] = {(j,): X[:, j] for j in range(X.shape[1])}
    for size in range(2, degree + 1):
        for powers in combinations_with_replacement(range(X.shape[1]), size):
            product = exact_product(columns[powers[:-1]], X[:, powers[-1]])
            if product is None:
                return None
            columns[powers] = product
    return np.column_stack([c for powers, c in columns.items() if lower or len(powers) == degree])


@np.errstate(over="ignore", invalid="ignore")  # what overflows is not exact
def exact_product(a: Array, b: Array) -> Array | None:
    """Products of floats, if none is rounded."""
    product = a * b
    (a1, a2), (b1, b2) = halves(a), halves(b)
    error = ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2
    known = (error == 0) & ((np.abs(product) > SMALLEST) | (a == 0) | (b == 0))
    return product if known.all() else None


def halves(a: Array) -> tuple[Array, Array]:
    """Floats as sums of two of 26 bits."""
    high = SPLIT * a
    high = high - (high - a)
    return high, a - high
