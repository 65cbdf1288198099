"""Facial reduction: from one conflict to all of it, and to what a weak separator can do.

If rows S carry a conflict, every weak separator vanishes on them, so look for one among the
hypotheses that do. There the other rows are separated, or some carry another conflict, which S
takes in. Its span grows every time, so this ends: with a weak separator, or with S spanning all
rows. Everything here is floating point and a guess; certificates prove or refute it.
"""

from typing import NamedTuple

import numpy as np
from scipy.linalg import qr
from scipy.optimize import linprog

from rosenblatt.exact import Primal
from rosenblatt.frames import frame, one_thread
from rosenblatt.geometry import margins, take
from rosenblatt.hull import VANISHED, nearest_point
from rosenblatt.sweep import Array, Rows

FAINT = 1e-9  # the part of a row of length 1 that may be nothing


class Face(NamedTuple):
    """Rows in conflict, and a hypothesis that vanishes on them and gets the others right."""

    rows: Array
    w: Array | None  # None if the rows span everything


@one_thread
def find_face(primal: Primal, rows: Rows, conflict: Array, members: Array) -> Face | None:
    """Take in conflict after conflict; None if rounding stands in the way."""
    basis = frame(primal, rows.train)
    if basis is None:
        return None
    members = np.union1d(members, conflict)
    found = [conflict]
    basis = without(basis, primal, conflict)
    while basis.shape[1]:
        Z = (take(primal, members) * rows.y[members, None]) @ basis
        sizes = np.linalg.norm(Z, axis=1)
        live = sizes > FAINT * sizes.max(initial=1.0)
        if live.any():
            near = nearest_point(Z[live] / sizes[live, None], gap=0.5)
            if near.x @ near.x <= VANISHED**2:
                found.append(members[live][near.corral])
                basis = without(basis, primal, found[-1])
                continue
        w = basis @ (near.x if live.any() else np.zeros(basis.shape[1]))
        wrong = not_right(primal, rows, basis, w)
        if not len(wrong):
            return Face(np.concatenate(found), w if w.any() else None)
        fresh = np.setdiff1d(wrong, members)
        if not len(fresh):
            return None
        members = np.append(members, fresh)
    return Face(np.concatenate(found), None)


def without(basis: Array, primal: Primal, i: Array) -> Array:
    """The hypotheses of a basis that vanish on rows."""
    Z = take(primal, i) @ basis
    Z /= np.maximum(np.linalg.norm(Z, axis=1, keepdims=True), 1e-300)
    Q, R, _ = qr(Z.T, pivoting=True)
    rank = np.count_nonzero(np.abs(np.diag(R)) > FAINT)
    return basis @ Q[:, rank:]


def not_right(primal: Primal, rows: Rows, basis: Array, w: Array, most: int = 500) -> Array:
    """Rows that w does not get right though they are not where all the basis vanishes."""
    lengths = np.sqrt(np.maximum(rows.norm2[rows.train], np.finfo(float).tiny))
    m = margins(primal, w[None], rows) / lengths
    doubts = np.argsort(m)[: np.count_nonzero(m <= FAINT * np.linalg.norm(w))]
    X = take(primal, rows.train[doubts])
    X /= lengths[doubts, None]
    outside = np.abs(X @ (basis / np.linalg.norm(basis, axis=0))).max(axis=1, initial=0) > FAINT
    return rows.train[doubts[outside][:most]]


def weigh(Z: Array) -> Array | None:
    """Weights of at least 1 under which all rows of Z add up to nothing."""
    scale = 1 / np.maximum(np.abs(Z).max(axis=0), 1e-300)
    A = (Z * scale).T
    answer = linprog(np.ones(len(Z)), A_eq=A, b_eq=-A.sum(axis=1), method="highs")
    return answer.x + 1 if answer.status == 0 else None
