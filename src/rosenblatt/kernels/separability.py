"""Whether some function of a kernel separates rows: exact, where that can be known.

Equal rows have equal features, so contradictory rows refute every kernel; with "rbf" and
"laplacian", nothing else does. Monomials are decided like any other table, where they are few and
exact in double precision. Why, `feature_spaces` says.
"""

import math
from typing import Any

import numpy as np

from rosenblatt.core.loop import Rows
from rosenblatt.core.vectors import store
from rosenblatt.inputs.validation import rows_of
from rosenblatt.kernels.functions import Kernel
from rosenblatt.separability.answers import Answer, Undecided
from rosenblatt.separability.decide import decide
from rosenblatt.separability.exact.monomials import INEXACT
from rosenblatt.separability.feature_spaces import STRICTLY_DEFINITE, feature_space, in_space
from rosenblatt.separability.floating_point.orthonormal_basis import MOST_DIMENSIONS
from rosenblatt.separability.several_classes.joint_passes import pair_conflict
from rosenblatt.separability.several_classes.kesler_construction import decide_training_rows

UNKNOWN = "separability cannot be decided exactly for this kernel"
ENOUGH_PASSES = "some function of this kernel separates them, which more passes would find"


def decide_kernel(kernel: Kernel, X: Any, rows: Rows, k: int) -> Answer | str:
    """Rows in conflict in the feature space, or in words what is known instead.

    k is the number of hypotheses: 1 for labels ±1, else that of the classes.
    """
    if kernel.name == "precomputed":
        return UNKNOWN
    if clash := pair_conflict(store(X, 0.0), rows, k):
        return clash
    if kernel.name in STRICTLY_DEFINITE and kernel.gamma > 0:
        return ENOUGH_PASSES
    if kernel.name == "linear":
        return decide_table(X, kernel.bias, rows, k)
    if kernel.name == "poly" and kernel.is_definite and kernel.degree >= 1 and kernel.gamma > 0:
        return decide_monomials(kernel, X, rows, k)
    return UNKNOWN


def decide_monomials(kernel: Kernel, X: Any, rows: Rows, k: int) -> Answer | str:
    """The answer for a polynomial kernel, if its monomials are few and exact."""
    degree, d = int(kernel.degree), X.shape[1]
    if math.comb(d + degree, degree) > MOST_DIMENSIONS:
        return f"it has more than {MOST_DIMENSIONS} monomials"
    M = in_space(X, feature_space("poly", degree, kernel.coef0))
    if M is None:
        return INEXACT
    return decide_table(M, float(bool(kernel.bias) or kernel.coef0 > 0), rows, k)


def decide_table(X: Any, bias: float, rows: Rows, k: int) -> Answer | str:
    """The answer for rows that are written out."""
    if k == 1:
        primal = store(X, bias)
        answer = decide(primal, rows_of(primal, rows.y)._replace(train=rows.train))
    else:
        answer = decide_training_rows(X, rows, bias, np.zeros((k, X.shape[1] + (bias > 0))))
    return answer.reason if isinstance(answer, Undecided) else answer
