"""The point of a convex hull nearest to the origin: the maximum margin, or none at all.

Wolfe (1976), Finding the nearest point in a polytope. A corral is a set of rows, affinely
independent, such that the nearest point of their affine hull lies inside their simplex. Take in
the row furthest behind the point, walk towards the nearest point of the new affine hull, and drop
the rows whose weight would turn negative. The point comes nearer at every step, so no corral
returns, and the end is exact but for rounding.
"""

from typing import NamedTuple

import numpy as np
from scipy.linalg import LinAlgError, qr_delete, qr_insert
from scipy.linalg.lapack import dtrtrs

from rosenblatt.sweep import Array

VANISHED = 1e-12  # the length of a combination of rows of length 1 that may be nothing
FEEBLE = 1e-13  # a weight that may be nothing


class Nearest(NamedTuple):
    """The nearest point, and the rows of which it is a combination."""

    x: Array
    corral: Array
    weights: Array


def nearest_point(U: Array, gap: float, known: Nearest | None = None) -> Nearest:
    """The point nearest to the origin in the convex hull of rows of length about 1.

    It ends when every row's product with the point is at least 1 - gap of the point's with
    itself, when the point has vanished, or when rounding has the last word. `known` is the answer
    for the first of the rows, from which to go on.
    """
    if known is None:
        known = Nearest(U[0], np.argmin(np.einsum("ij,ij->i", U, U), keepdims=True), np.ones(1))
    corral = Corral(U, known)
    found = corral.nearest()
    while found.x @ found.x > VANISHED**2 and len(found.corral) <= U.shape[1]:
        behind = U @ found.x
        j = int(np.argmin(behind))
        if behind[j] >= (1 - gap) * (found.x @ found.x) or j in corral.members:
            break
        try:
            corral.admit(j)
            nearer = corral.nearest()
        except LinAlgError:  # a row that rounding cannot tell from a combination of the others
            break
        if nearer.x @ nearer.x >= found.x @ found.x:
            break
        found = nearer
    return found


class Corral:
    """Rows u, held as a QR factorization of the columns (u, 1)."""

    def __init__(self, U: Array, known: Nearest) -> None:
        self.U, self.members, self.weights = U, known.corral.tolist(), known.weights
        columns = np.column_stack((U[known.corral], np.ones(len(known.corral)))).T
        self.Q, self.R = np.linalg.qr(columns)

    def admit(self, j: int) -> None:
        """Take in a row, for the time being with weight 0."""
        column = np.append(self.U[j], 1.0)
        self.Q, self.R = qr_insert(self.Q, self.R, column, len(self.members), which="col")
        self.members.append(j)
        self.weights = np.append(self.weights, 0.0)

    def drop(self, k: int) -> None:
        """Let a row go."""
        self.Q, self.R = qr_delete(self.Q, self.R, k, which="col")
        del self.members[k]
        self.weights = np.delete(self.weights, k)

    def nearest(self) -> Nearest:
        """Walk to the nearest point of the affine hull, dropping what turns negative on the way."""
        while (target := self.affine_weights()).min() <= FEEBLE:
            out = target <= FEEBLE
            fall = self.weights - target
            reach = np.divide(self.weights, fall, where=fall > 0, out=np.zeros(len(fall)))
            k = int(np.argmin(np.where(out, reach, np.inf)))
            step = min(1.0, max(0.0, float(reach[k])))
            self.weights = self.weights + step * (target - self.weights)
            self.drop(k)
        self.weights = target
        return Nearest(target @ self.U[self.members], np.array(self.members), target)

    def affine_weights(self) -> Array:
        """The weights, summing to 1 but of any sign, whose combination is the shortest.

        They are those of the least squares problem Σ a (u, 1) ≈ (0, 1), but for a factor.
        """
        k = len(self.members)
        weights, singular = dtrtrs(self.R[:k], self.Q[-1, :k])  # as solve_triangular, but at once
        if singular:
            raise LinAlgError("the rows of a corral are dependent")
        return weights / weights.sum()
