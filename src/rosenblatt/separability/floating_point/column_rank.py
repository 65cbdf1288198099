"""Which columns seem to be combinations of others, and of which: a guess, to be checked exactly.

Of columns of length 1, Cholesky's method takes the one of which most is left, column after column;
the longest before, such as a constant, first. Where nothing is left but rounding, the rest depend
on those taken. Their shares are corrected once by what the rows show, and rounded to short
fractions.
"""

from fractions import Fraction

import numpy as np
from scipy.linalg import cho_solve, solve_triangular
from scipy.linalg.blas import dsyrk
from scipy.linalg.lapack import dpstrf

from rosenblatt.core.loop import Array
from rosenblatt.separability.exact.column_relations import Relations

LEFT_BY_ROUNDING = 1e-12  # of the square of a column
NEAREST_SHARE = 1e-8  # how far a share may be from the fraction that it is taken for
BINARY_PARTS, MOST_PARTS = 2**10, 2**20  # denominators of fractions
MOST_SHARES = 2**20  # in all relations together


def guess_relations(Z: Array) -> Relations:
    """Relations of the columns of Z, but for those that are zero; none if they would be long."""
    used, powers, lengths = measured(Z)
    B = Z[:, used]
    B /= np.ldexp(lengths, powers)
    kept, rest, shares = dependent_shares(B)
    shares = shares * lengths[rest] / lengths[kept, None]
    if np.count_nonzero(np.abs(shares) > NEAREST_SHARE) > MOST_SHARES:
        return {}
    return {
        int(used[k]): short_fractions(column, used[kept], powers[k] - powers[kept])
        for k, column in zip(rest.tolist(), shares.T, strict=True)
    }


def measured(Z: Array) -> tuple[Array, Array, Array]:
    """The columns that are not zero, longest first, the powers of two of their size, and their
    length without it: half of it for the first, which is then taken first."""
    sizes = np.maximum(Z.max(axis=0), -Z.min(axis=0))
    used = np.flatnonzero(sizes)
    powers = np.frexp(sizes[used])[1]
    each = zip(used.tolist(), powers.tolist(), strict=True)
    lengths = np.array([np.linalg.norm(np.ldexp(Z[:, j], -k)) for j, k in each])
    order = np.argsort(-lengths, kind="stable")
    lengths[order[:1]] /= 2
    return used[order], powers[order], lengths[order]


def dependent_shares(B: Array) -> tuple[Array, Array, Array]:
    """Independent columns of B, which have length 1; the others; and the shares of those in each
    of these."""
    d = B.shape[1]
    tolerance = max(LEFT_BY_ROUNDING, 4 * d * float(np.finfo(float).eps))
    U, pivots, rank, _ = dpstrf(dsyrk(1.0, B.T), tolerance)
    kept, rest = pivots[:rank] - 1, pivots[rank:] - 1
    factor, S = U[:rank, :rank], np.zeros((d, d - rank))
    S[kept] = solve_triangular(factor, U[:rank, rank:])
    S[rest] = -np.eye(d - rank)
    missing = (B.T @ (B @ S))[kept]
    return kept, rest, S[kept] - cho_solve((factor, False), missing)


def short_fractions(column: Array, kept: Array, powers: Array) -> dict[int, Fraction]:
    """The shares of columns in another, as short fractions times powers of two."""
    places = np.flatnonzero(np.abs(column) > NEAREST_SHARE)
    return {
        int(kept[j]): short(float(column[j])) * Fraction(2) ** int(powers[j])
        for j in places.tolist()
    }


def short(share: float) -> Fraction:
    """A short fraction near a share."""
    binary = round(share * BINARY_PARTS) / BINARY_PARTS
    if abs(share - binary) <= NEAREST_SHARE:
        return Fraction(binary)
    return Fraction(share).limit_denominator(MOST_PARTS)
