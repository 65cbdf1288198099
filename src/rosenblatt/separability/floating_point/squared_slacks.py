"""The least sum of squared slacks, for tables with too many columns for a frame.

Let z be the rows y x̂, of length 1, and F(w) = ½ Σ max(0, 1 - z·w)². Where F is 0, w separates the
rows. A least value that is not 0 is attained, and there the gradient vanishes: Σ λ z = 0 with the
slacks λ = max(0, 1 - z·w), which are not negative and not all 0. So the rows with slack are in
conflict. F is quadratic in pieces, and Newton's method ends after finitely many steps (Mangasarian
2002, A finite Newton method for classification). Its steps are solved by conjugate gradients, which
read the rows with slack and need no matrix of all columns (Keerthi and DeCoste 2005). Where these
are slow, because columns nearly depend on each other, they are repeated in coordinates in which all
rows are spread alike: for w in columns that Cholesky's method keeps, with Z'Z = R'R, they are R w.
"""

import math
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from scipy.linalg.lapack import dpstrf, dtrtrs

from rosenblatt.core.loop import Array, Primal, Rows
from rosenblatt.core.vectors import dense, matrix, pick
from rosenblatt.separability.exact.column_relations import with_constant

NEWTON_STEPS = 200  # of Newton's method
FEW_STEPS = 40  # before it is tried in other coordinates
MOST_FRAMED = 5000  # columns
LEFT_OUT = 1e-12  # what is left of the square of a column that depends on others
SOLVED = 1e-11  # the length of the gradient by the sum of the slacks
LOOSE, CLOSE = 0.1, 1e-4  # by which a step lowers the gradient; where it is small, by more
ROUNDED = 1e-15  # what rounding leaves of a gradient, by the sum of the slacks
ITERATIONS = 300  # of conjugate gradients, for each step
LITTLE_WORK = 2**32  # numbers read in iterations, for what is easy
HALVINGS = 40  # of a stretch of the line along a step


class SlackRows(NamedTuple):
    """Rows z = y x̂ of length 1, as a matrix and a factor for each.

    Hypotheses vanish on the rows of `fixed`, which are orthonormal.
    """

    X: Any  # dense or CSR, without the bias
    factor: Array
    bias: float
    fixed: Array

    def products(self, w: Array) -> Array:
        return (self.X @ w[:-1] + self.bias * w[-1]) * self.factor

    def combine(self, weights: Array) -> Array:
        """The sum of weighted rows, less what it has of the fixed ones."""
        v = weights * self.factor
        total = np.append(v @ self.X, self.bias * v.sum())
        return np.asarray(total - (self.fixed @ total) @ self.fixed)

    def cut(self, i: Array) -> "SlackRows":
        return self._replace(X=self.X[i], factor=self.factor[i])

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.factor), self.X.shape[1] + 1

    @property
    def in_range(self) -> bool:
        """Whether the square of no row's length has vanished or overflowed."""
        return bool(np.isfinite(self.factor).all() and self.factor.all())


class SpreadRows(NamedTuple):
    """The same rows in coordinates R w, in which they are spread alike."""

    rows: SlackRows
    kept: Array  # columns
    R: Array

    def lifted(self, v: Array) -> Array:
        w = np.zeros(self.rows.shape[1])
        w[self.kept] = dtrtrs(self.R, v)[0]
        return w

    def products(self, v: Array) -> Array:
        return self.rows.products(self.lifted(v))

    def combine(self, weights: Array) -> Array:
        return np.asarray(dtrtrs(self.R, self.rows.combine(weights)[self.kept], trans=1)[0])

    def cut(self, i: Array) -> "SpreadRows":
        return self._replace(rows=self.rows.cut(i))

    @property
    def shape(self) -> tuple[int, int]:
        return self.rows.shape[0], len(self.kept)


def spread_alike(Z: SlackRows) -> SpreadRows:
    """Rows in other coordinates, without columns that depend on others."""
    A = with_constant(Z.X, Z.bias)
    A = sp.diags_array(Z.factor) @ A if sp.issparse(A) else A * Z.factor[:, None]
    G = dense(A.T @ A)
    lengths = np.sqrt(np.maximum(np.diag(G), np.finfo(float).tiny))
    U, pivots, rank, _ = dpstrf(G / lengths / lengths[:, None], LEFT_OUT)
    kept = pivots[:rank] - 1
    return SpreadRows(Z, kept, np.asfortranarray(np.triu(U[:rank, :rank]) * lengths[kept]))


class LeastSlack(NamedTuple):
    """A hypothesis, its products with rows of length 1, and whether F is as small as it can be."""

    w: Array
    margins: Array
    solved: bool

    @property
    def slacks(self) -> Array:
        return np.maximum(0.0, 1 - self.margins)


@np.errstate(divide="ignore")  # what has no length is not in range
def slack_rows(primal: Primal, rows: Rows, fixed: Array | None = None) -> SlackRows:
    """The training rows of a table, and independent rows on which hypotheses vanish."""
    X = pick(matrix(primal), rows.train)
    lengths = np.sqrt(pick(rows.norm2, rows.train))
    none = np.empty((0, X.shape[1] + 1))
    basis = none if fixed is None else np.linalg.qr(fixed.T)[0].T
    return SlackRows(X, pick(rows.y, rows.train) / lengths, primal.bias, basis)


def least_slack(Z: SlackRows) -> LeastSlack:
    """Minimize F until all rows are right, or it is solved but for rounding."""
    if not Z.in_range:
        n, d = Z.shape
        return LeastSlack(np.zeros(d), np.zeros(n), False)
    if len(Z.fixed) or Z.shape[1] > MOST_FRAMED:
        return minimized(Z, NEWTON_STEPS)
    found = minimized(Z, FEW_STEPS)
    if found.solved or found.margins.min() > 0:
        return found
    other = spread_alike(Z)
    found = minimized(other, NEWTON_STEPS)
    return found._replace(w=other.lifted(found.w))


def least_slack_if_easy(Z: SlackRows) -> LeastSlack:
    """The same, with little work: it may be unsolved."""
    return minimized(Z, FEW_STEPS, LITTLE_WORK)


def minimized(Z: SlackRows | SpreadRows, steps: int, work: float = math.inf) -> LeastSlack:
    """Minimize F by so many steps of Newton's method at most, and about so much work."""
    n, d = Z.shape
    w, m, solved = np.zeros(d), np.zeros(n), False
    least = steepest = np.inf
    for _ in range(steps):
        slack = np.maximum(0.0, 1 - m)
        gradient, value = -Z.combine(slack), float(slack @ slack)
        size = float(np.linalg.norm(gradient))
        solved = bool(slack.any()) and size <= SOLVED * slack.sum()
        stuck = value >= least and size > steepest / 2  # near the least value only slopes tell
        if solved or stuck or m.min() > 0 or work < 0:
            break
        least, steepest = min(least, value), min(steepest, size)
        share = size / slack.sum()
        tolerance = LOOSE if share > CLOSE else max(share, ROUNDED / share)
        active = Z.cut(np.flatnonzero(slack))
        v, iterations = conjugate_gradients(active, gradient, tolerance)
        work -= iterations * math.prod(active.shape)
        along = Z.products(v)
        t = least_along(m, along)
        w, m = w + t * v, m + t * along
    return LeastSlack(w, m, solved)


def conjugate_gradients(
    Z: SlackRows | SpreadRows, gradient: Array, tolerance: float
) -> tuple[Array, int]:
    """v with Z'Z v = -gradient, about, and the number of iterations."""
    v, r = np.zeros(len(gradient)), -gradient
    p, left, used = r, float(r @ r), 0
    first = left
    while used < ITERATIONS and left > tolerance**2 * first:
        curved = Z.combine(Z.products(p))
        curvature = float(p @ curved)
        if curvature <= 0:
            break
        step = left / curvature
        v, r = v + step * p, r - step * curved
        before, left = left, float(r @ r)
        p, used = r + left / before * p, used + 1
    return v, used


def least_along(m: Array, along: Array) -> float:
    """Where F is least on a line, by halving: its slope rises."""

    def slope(t: float) -> float:
        return -float(np.maximum(0.0, 1 - m - t * along) @ along)

    low, high = 0.0, 1.0
    while slope(high) < 0 and high < 2.0**HALVINGS:
        low, high = high, 2 * high
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if slope(middle) < 0 else (low, middle)
    return high
