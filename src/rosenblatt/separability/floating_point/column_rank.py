"""Which columns seem to be combinations of others, and of which: a guess, to be checked exactly.

Of columns of length 1, Cholesky's method takes the one of which most is left, column after column;
the longest before, such as a constant, first. Where nothing is left but rounding, the rest depend
on those taken. Their shares are corrected once by what the rows show, and rounded to short
fractions. Where these are not exact, because columns were computed with rounding, shares are
corrected once more, by what exact products leave.
"""

from fractions import Fraction

import numpy as np
from scipy.linalg import cho_solve, solve_triangular
from scipy.linalg.blas import dsyrk
from scipy.linalg.lapack import dpstrf

from rosenblatt.core.loop import Array
from rosenblatt.separability.exact.column_relations import Bound, Relations, broken
from rosenblatt.separability.exact.digit_products import rounded_products
from rosenblatt.separability.exact.rational import common, reduce, whole_rows

LEFT_BY_ROUNDING = 1e-12  # of the square of a column
NEAREST_SHARE = 1e-8  # how far a share may be from the fraction that it is taken for
BINARY_PARTS, MOST_PARTS = 2**10, 2**20  # denominators of fractions
MOST_SHARES = 2**20  # in all relations together
FIRST_ROWS = 64  # in which relations that do not hold are mostly seen to be broken
MOST_SOLVED_FOR = 64  # columns of which shares are solved for
FINER_BITS = 10  # of shares, beside what they leave


def columns_related(Z: Array) -> Bound:
    """The columns that are exact combinations of others, and those that are but for rounding."""
    exact, near = exact_relations(Z), near_relations(Z)
    known = dict[bytes, int]()
    for k in sorted(near.keys() - exact.keys()):
        first = known.setdefault(Z[:, k].tobytes(), k)
        if first != k:  # a copy of another one
            exact[k] = {first: Fraction(1)}
    return Bound(exact, {k: shares for k, shares in near.items() if k not in exact})


def exact_relations(Z: Array) -> dict[int, dict[int, Fraction]]:
    """Relations of columns that hold in all rows of Z: short fractions, or few of any length, as of
    levels of a category whose columns were standardized."""
    found, constant = guess_relations(Z), Z.shape[1] - 1  # whose share may be a rounding error
    for k in sorted(broken(found, Z[:FIRST_ROWS])):
        some = found[k].keys() | {constant} - found.keys()
        found[k] = solved_shares(Z, k, sorted(some)) or {}
    return {k: found[k] for k in sorted(found.keys() - broken(found, Z))}


def solved_shares(Z: Array, k: int, places: list[int]) -> dict[int, Fraction] | None:
    """The shares of few columns in another, solved for exactly; None if it is no combination."""
    if len(places) > MOST_SOLVED_FOR:
        return None
    different = np.unique(Z[:, [*places, k]], axis=0)[: 4 * len(places) + 4]
    M, below, pivots = reduce(whole_rows(different)[0])
    if len(places) in pivots:
        return None
    return {
        places[j]: Fraction(row[-1], below) for j, row in zip(pivots, M, strict=True) if row[-1]
    }


def guess_relations(Z: Array) -> dict[int, dict[int, Fraction]]:
    """Relations of the columns of Z, but for those that are zero; none if they would be long."""
    used, powers, lengths = measured(Z)
    kept, rest, shares, _ = dependent_shares(Z[:, used] / np.ldexp(lengths, powers))
    shares = shares * lengths[rest] / lengths[kept, None]
    if np.count_nonzero(np.abs(shares) > NEAREST_SHARE) > MOST_SHARES:
        return {}
    return {
        int(used[k]): short_fractions(column, used[kept], powers[k] - powers[kept])
        for k, column in zip(rest.tolist(), shares.T, strict=True)
    }


def near_relations(Z: Array) -> Relations:
    """Combinations of columns that come so near to those which nearly depend on them that what is
    left of these is no longer a combination; none if it would have too many digits."""
    used, powers, lengths = measured(Z)
    A = np.ldexp(Z[:, used], -powers)
    B = A / lengths
    kept, rest, shares, factor = dependent_shares(B)
    if not len(rest) or shares.size > MOST_SHARES:
        return {}
    first = shares * lengths[rest] / lengths[kept, None]
    left = exactly_left(A[:, rest], A[:, kept], first)
    if left is None:
        return {}
    more = cho_solve((factor, False), B[:, kept].T @ left)
    size = np.linalg.norm(left - B[:, kept] @ more, axis=0)
    each = zip(rest, first.T, (more / lengths[kept, None]).T, size, strict=True)
    return {
        int(used[k]): shares_near(x, y, z / lengths[kept], used[kept], powers[k] - powers[kept])
        for k, x, y, z in each
    }


def exactly_left(rest: Array, kept: Array, shares: Array) -> Array | None:
    """What shares of columns leave of others, exactly but for a rounding of it."""
    V = [common([Fraction(1), *(-Fraction(x) for x in column)]) for column in shares.T.tolist()]
    m = len(V)
    wide = [[0] * k + v[:1] + [0] * (m - k - 1) + v[1:] for k, v in enumerate(V)]
    left = rounded_products(np.hstack((rest, kept)), wide)
    return None if left is None else left / [float(v[0]) for v in V]


def shares_near(
    first: Array, more: Array, size: Array, places: Array, powers: Array
) -> dict[int, Fraction]:
    """Sums of two shares, in units that are fine beside what they leave, times powers of two."""
    units = (Fraction(2) ** (k - FINER_BITS) for k in np.frexp(size)[1].tolist())
    each = zip(*(part.tolist() for part in (places, first, more, powers)), units, strict=True)
    return {
        j: share * Fraction(2) ** power
        for j, x, y, power, unit in each
        if (share := round((Fraction(x) + Fraction(y)) / unit) * unit)
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


def dependent_shares(B: Array) -> tuple[Array, Array, Array, Array]:
    """Independent columns of B, which have length 1; the others; the shares of those in each of
    these; and the factor of Cholesky's method."""
    d = B.shape[1]
    tolerance = max(LEFT_BY_ROUNDING, 4 * d * float(np.finfo(float).eps))
    U, pivots, rank, _ = dpstrf(dsyrk(1.0, B.T), tolerance)
    kept, rest = pivots[:rank] - 1, pivots[rank:] - 1
    factor, S = U[:rank, :rank], np.zeros((d, d - rank))
    S[kept] = solve_triangular(factor, U[:rank, rank:])
    S[rest] = -np.eye(d - rank)
    missing = (B.T @ (B @ S))[kept]
    return kept, rest, S[kept] - cho_solve((factor, False), missing), factor


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
