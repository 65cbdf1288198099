"""Conflicts that are proved by a bound on rounding errors, where exact weights would take hours.

Let λ > 0 be weights of rows z, g = Σ λ z what they add up to, and H = Σ λ z z'. The weights
λ (1 - z·H⁻¹g) add up to zero exactly, and they are positive if |z| |g| is below the least
eigenvalue of H for every z. Then H is regular too, so the rows span all columns: the classes
overlap.

The eigenvalue is bounded in floating point. A computed H is off by at most (n + 8) ε of its trace,
in whatever order it was summed; and if the Cholesky factorization of H less a multiple s of the
identity comes to its end, that has no eigenvalue below -(d + 3) ε of the trace (Rump 2006,
Verification of positive definiteness). So the least eigenvalue of H exceeds s less both. Columns
may be scaled by powers of two before, which changes neither the weights nor the question. That
done, and with no weight far below another, nothing that underflows is as large as the bound.

Columns that depend on others make H singular. Where they are named, with their relations, these are
checked exactly, and the bound is one in the other columns. Those that nearly do are combined with
others first, exactly, and rounded (`column_relations`): that each number is off by a few ε/2 of
itself adds as many to the n and d of these bounds, which are twice what they need be.
"""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from scipy.linalg import LinAlgError, cholesky
from scipy.linalg.blas import dsyrk

from rosenblatt.core.loop import Array
from rosenblatt.separability.exact.column_relations import (
    PLAIN,
    Bound,
    broken,
    kept_columns,
    replaced,
)

EPS = np.finfo(float).eps  # twice the relative error of an operation
MOST_COLUMNS = 5000  # columns
UNITS = 2.0**40  # that weights are rounded to
FAINTEST = 2.0**-100  # of the largest weight: the least that a weight may be


def rounded_weights(weights: Array) -> tuple[Array, list[Fraction]]:
    """Which weights are worth keeping, and these as fractions that sum to 1."""
    units = np.rint(weights * (UNITS / weights.sum())).astype(np.int64)
    kept = np.flatnonzero(units)
    total = int(units.sum())
    return kept, [Fraction(k, total) for k in units[kept].tolist()]


@np.errstate(all="ignore")  # a bound that is not finite proves nothing
def is_conflict(Z: Array, weights: Sequence[Fraction], bound: Bound = PLAIN) -> bool:
    """Whether weights near these, all positive, add the rows of Z up to zero, and Z has full rank.

    Columns of zeros are left out.
    """
    if broken(bound.dependent, Z) or (changed := replaced(bound.combined, Z)) is None:
        return False
    largest = max(weights)
    v = np.array([float(x / largest) for x in weights])
    Z = balanced(changed, kept_columns(bound.dependent, Z.shape[1]))
    n, d = Z.shape
    if not (0 < d <= n) or not v.min() >= FAINTEST:
        return False
    terms = v @ np.abs(Z)
    rest = float(np.linalg.norm(np.abs(v @ Z) + (n + 8) * EPS * terms))
    longest = float(np.linalg.norm(Z, axis=1).max())
    Z *= np.sqrt(v)[:, None]
    return exceeds(Z, 2 * rest * longest)


def balanced(Z: Array, columns: Array) -> Array:
    """A copy of those columns that are not zero, by powers of two of about the same size."""
    sizes = np.maximum(Z.max(axis=0), -Z.min(axis=0))[columns]
    columns, sizes = columns[sizes > 0], sizes[sizes > 0]
    copied = Z[:, columns]
    return np.ldexp(copied, -np.frexp(sizes)[1], out=copied)


def exceeds(B: Array, bound: float) -> bool:
    """Whether the least eigenvalue of B'B certainly exceeds a bound."""
    n, d = B.shape
    H = dsyrk(1.0, B.T)  # the upper triangle
    shift = bound + 2 * (n + d + 20) * EPS * float(np.trace(H))
    if not np.isfinite(shift):
        return False
    H[np.diag_indices(d)] -= shift
    try:
        cholesky(H, overwrite_a=True)
    except (LinAlgError, ValueError):
        return False
    return True
