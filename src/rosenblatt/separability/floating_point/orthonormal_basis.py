"""Frames: coordinates in which rows of any scale and collinearity are spread alike."""

import math
from collections.abc import Iterator

import numpy as np
from scipy.linalg import qr, solve_triangular
from scipy.linalg.lapack import dpotrf, dtrtrs

from rosenblatt.core.loop import Array, Dense, Primal
from rosenblatt.core.vectors import take
from rosenblatt.separability.exact.certainty import TINY, n_weights

MOST_DIMENSIONS = 1000  # a dense factor of more is not tried
NUMBERS_MULTIPLIED = 2**19  # numbers in a block of rows
SPACING = np.finfo(float).eps
WELL_CONDITIONED = 1e-5  # its square is lost in X'X to no more than six of sixteen digits


def frame(primal: Primal, train: Array) -> Array | None:
    """A basis in whose coordinates the rows are spread alike: hypotheses are ŵ = basis @ w.

    None if the rows span too many dimensions. With X̂ = Q R, the basis is R⁻¹. Where R is plainly
    regular, the Cholesky factor of X̂'X̂ will do; else it is a pivoted QR, which leaves out the
    directions in which there is no row.
    """
    d = n_weights(primal)
    if min(len(train), d) > MOST_DIMENSIONS:
        return None
    if d > MOST_DIMENSIONS:
        return row_space(primal, train)
    basis = regular(primal, train)
    return (pivoted(primal, train) if basis is None else basis) * math.sqrt(len(train))


def regular(primal: Primal, train: Array) -> Array | None:
    """The inverse Cholesky factor of X̂'X̂, if columns are far from collinear."""
    with np.errstate(over="ignore", invalid="ignore"):
        G = gram_products(primal, train)
    if not np.isfinite(G).all() or not np.diag(G).all():
        return None
    scale = 1 / np.sqrt(np.diag(G))
    R, refused = dpotrf(G * scale * scale[:, None])
    if refused or np.diag(R).min() < WELL_CONDITIONED:
        return None
    return dtrtrs(R, np.eye(len(R)))[0] * scale[:, None]


def gram_products(primal: Primal, train: Array) -> Array:
    """X̂'X̂; at once, where the rows stand together in memory."""
    G = np.zeros((n_weights(primal), n_weights(primal)))
    if not isinstance(primal, Dense) or len(train) < len(primal.X) or primal.X.itemsize < 8:
        return sum((b.T @ b for b in blocks(primal, train)), G)
    G[:-1, :-1] = primal.X.T @ primal.X
    G[-1, :-1] = G[:-1, -1] = primal.bias * (np.ones(len(train)) @ primal.X)
    G[-1, -1] = primal.bias * len(train)
    return G


def pivoted(primal: Primal, train: Array) -> Array:
    """The inverse factor of a pivoted QR of the scaled columns, taken block by block of rows."""
    largest = np.max([np.abs(block).max(axis=0) for block in blocks(primal, train)], axis=0)
    scale = np.where(largest > TINY, 1 / np.maximum(largest, TINY), 0.0)
    factors = [np.linalg.qr(block * scale, mode="r") for block in blocks(primal, train)]
    R, pivots = qr(np.vstack(factors), mode="r", pivoting=True)
    rank = numerical_rank(R)
    basis = np.zeros((len(scale), rank))
    if rank:  # LAPACK refuses an empty matrix
        basis[pivots[:rank]] = solve_triangular(R[:rank, :rank], np.eye(rank))
    return basis * scale[:, None]


def row_space(primal: Primal, train: Array) -> Array:
    """The frame where there are more features than rows: an orthonormal basis of the rows."""
    Q, R, _ = qr(take(primal, train).T, mode="economic", pivoting=True)
    return Q[:, : numerical_rank(R)]


def numerical_rank(R: Array) -> int:
    """The rank that a pivoted triangular factor shows."""
    diagonal = np.abs(np.diag(R))
    return int(np.count_nonzero(diagonal > max(R.shape) * SPACING * diagonal[0]))


def blocks(primal: Primal, train: Array) -> Iterator[Array]:
    """The rows with their bias, some at a time."""
    d = n_weights(primal)
    size = max(2 * d, NUMBERS_MULTIPLIED // d)
    for k in range(0, len(train), size):
        yield take(primal, train[k : k + size]).astype(float, copy=False)
