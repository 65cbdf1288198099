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
from rosenblatt.frames import BLOCK, frame
from rosenblatt.geometry import take
from rosenblatt.hull import nearest_point
from rosenblatt.sweep import Array, Rows
from rosenblatt.threads import one_thread

FAINT = 1e-9  # the part of a row of length 1 that may be nothing


class Face(NamedTuple):
    """Rows in conflict, and a hypothesis that vanishes on them and gets the others right."""

    rows: Array
    w: Array | None  # None if the rows span everything


@one_thread
def find_face(primal: Primal, rows: Rows, conflict: Array, members: Array) -> Face | None:
    """Take in conflict after conflict; None if rounding stands in the way.

    All of it happens in the coordinates of the frame, in which rows are spread alike; `free` are
    the hypotheses there that vanish on what was found.
    """
    basis = frame(primal, rows.train)
    if basis is None:
        return None
    members = np.union1d(members, conflict)
    found = [conflict]
    free = without(np.eye(basis.shape[1]), framed(primal, basis, conflict))
    while free.shape[1]:
        Z = (framed(primal, basis, members) * rows.y[members, None]) @ free
        sizes = np.linalg.norm(Z, axis=1)
        live = sizes > FAINT
        w = np.zeros(basis.shape[1])
        if live.any():
            near = nearest_point(Z[live] / sizes[live, None], gap=0.5)
            if near.x @ near.x <= FAINT**2:
                found.append(members[live][near.corral])
                free = without(free, framed(primal, basis, found[-1]))
                continue
            w = free @ near.x
        wrong = not_right(primal, rows, basis, free, w)
        if not len(wrong):
            return Face(np.concatenate(found), basis @ w if w.any() else None)
        fresh = np.setdiff1d(wrong, members)
        if not len(fresh):
            return None
        members = np.append(members, fresh)
    return Face(np.concatenate(found), None)


def framed(primal: Primal, basis: Array, i: Array) -> Array:
    """Rows in the coordinates of a frame, of length 1."""
    Z = take(primal, i) @ basis
    return Z / np.maximum(np.linalg.norm(Z, axis=1, keepdims=True), 1e-300)


def without(free: Array, Z: Array) -> Array:
    """The hypotheses of an orthonormal basis that vanish on rows."""
    P = Z @ free
    P /= np.maximum(np.linalg.norm(P, axis=1, keepdims=True), 1e-300)
    Q, R, _ = qr(P.T, pivoting=True)
    rank = np.count_nonzero(np.abs(np.diag(R)) > FAINT)
    return free @ Q[:, rank:]


def not_right(
    primal: Primal, rows: Rows, basis: Array, free: Array, w: Array, most: int = 500
) -> Array:
    """Rows that w does not get right though they are not where all that is free vanishes."""
    size = max(1, BLOCK // max(basis.shape))
    m = np.empty(len(rows.train))
    for k in range(0, len(m), size):
        i = rows.train[k : k + size]
        Z = framed(primal, basis, i)
        m[k : k + size] = rows.y[i] * (Z @ w)
        m[k : k + size][np.linalg.norm(Z @ free, axis=1) <= FAINT] = np.inf
    wrong = np.flatnonzero(m <= FAINT * np.linalg.norm(w))
    return rows.train[wrong[np.argsort(m[wrong])[:most]]]


def weigh(Z: Array) -> Array | None:
    """Weights of at least 1 under which all rows of Z add up to nothing."""
    scale = 1 / np.maximum(np.abs(Z).max(axis=0), 1e-300)
    A = (Z * scale).T
    answer = linprog(np.ones(len(Z)), A_eq=A, b_eq=-A.sum(axis=1), method="highs")
    return answer.x + 1 if answer.status == 0 else None
