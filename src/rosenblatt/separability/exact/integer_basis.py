"""Decide what is too fine for floating point: a frame in whole numbers, and the simplex method.

Where columns are combinations of others but for rounding, the rounding errors are directions of
their own, and products with them cancel. So the frame B is made in whole numbers, by refinement: QR
of the rounded rows Z B says how to improve B, until the rows are spread alike (as in iterative
refinement of linear programs in rationals, Gleixner, Steffy and Wolter 2016). Every round gains
about fifteen digits. Rounded once, Z B is as good as any other table: floating point finds the
nearest point of its convex hull, and the exact simplex method goes on from there.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from scipy.linalg import qr, solve_triangular

from rosenblatt.core.loop import Array
from rosenblatt.separability.convex_hull.nearest_point import VANISHED, Nearest, nearest_point
from rosenblatt.separability.exact.certainty import TINY
from rosenblatt.separability.exact.modular import independent
from rosenblatt.separability.exact.rational import (
    Integers,
    common,
    exact_conflict,
    product,
    solve,
    whole_rows,
)
from rosenblatt.separability.exact.simplex import Circuit, Separated, SignedRows, settle

NEAREST_POINTS = 20  # nearest points asked for
REFINEMENTS = 100  # of the frame; numbers as far apart as 2**2000 need most
EVEN = 1e-3  # the smallest diagonal of R, by the largest, that will do
BITS = 60  # of a number of the factor by which a frame is improved

NONE = np.empty(0, np.uint32)


class Frame(NamedTuple):
    """Hypotheses w with w[columns] = B u, in whose coordinates u rows are spread alike."""

    table: SignedRows
    columns: list[int]
    B: Integers

    def rows(self, i: Array) -> Array:
        """Rows in the frame, rounded, of length 1."""
        return self.measured(i)[0]

    def measured(self, i: Array) -> tuple[Array, list[Fraction]]:
        """Rows in the frame, rounded, of length 1, and their lengths."""
        whole, factors = whole_rows(self.table.floats(i)[:, self.columns])
        T, lengths = unit_rows(whole, self.B)
        return T, [size / factor for size, factor in zip(lengths, factors, strict=True)]

    def hypothesis(self, u: Array) -> list[Fraction]:
        """The hypothesis that has the coordinates u, times a factor."""
        return self.table.weights(self.columns, product(self.B, [[x] for x in whole_numbers(u)]))


def refine(
    table: SignedRows, members: Array, most: int, fixed: Array = NONE
) -> Separated | Circuit | None:
    """Separate all rows of a table, or find a conflict; `members` are rows to begin with.

    On `fixed` rows, which are independent, hypotheses vanish.
    """
    frame = frame_of_rows(table, np.append(fixed, members))
    free = complement(frame.rows(fixed)) if len(fixed) else np.eye(len(frame.columns))
    columns = independent(table.floats(fixed)).columns
    T = shortened(frame.rows(members) @ free)
    near = None
    for _ in range(NEAREST_POINTS):
        near = nearest_point(T, gap=0.1, known=near)
        if near.x @ near.x <= VANISHED**2:
            if not len(fixed) and (circuit := corral_circuit(table, members, near)):
                return circuit
            break
        w = changed(table, fixed, frame.hypothesis(free @ near.x), columns)
        wrong = table.wrong(w, table.rows.train)
        if not len(wrong):
            return Separated(w)
        fresh = wrong[~np.isin(wrong, members)][: max(64, 2 * T.shape[1])]
        if not len(fresh):
            break
        members, T = np.append(members, fresh), np.vstack((T, shortened(frame.rows(fresh) @ free)))
    order = members if near is None else decisive(members, T, near)
    return settle(table, np.append(fixed, order), most, len(fixed))


def corral_circuit(table: SignedRows, members: Array, near: Nearest) -> Circuit | None:
    """The members of a point that has vanished, if they are in conflict exactly."""
    rows = members[near.corral]
    weights = exact_conflict(table.floats(rows), near.weights.tolist())
    return Circuit(rows, weights) if weights else None


def complement(T: Array) -> Array:
    """An orthonormal basis of what is orthogonal to independent rows."""
    return np.asarray(qr(T.T)[0])[:, len(T) :]


def shortened(T: Array) -> Array:
    """Rows of length 1, unless they are zero."""
    return T / np.maximum(np.linalg.norm(T, axis=1, keepdims=True), TINY)


def changed(
    table: SignedRows, fixed: Array, w: Sequence[Fraction], columns: list[int]
) -> list[Fraction]:
    """w, changed in given columns so that it vanishes on fixed rows."""
    if not len(fixed):
        return [*w]
    Z, numbers = table.whole(fixed), common([w[j] for j in table.columns.tolist()])
    products = product(Z, [[-x] for x in numbers])
    changes, below = solve([[z[j] for j in columns] for z in Z], products)
    values = [below * x for x in numbers]
    for j, (x,) in zip(columns, changes, strict=True):
        values[j] += x
    return table.weights(range(len(values)), [[x] for x in values])


def decisive(members: Array, T: Array, near: Nearest) -> Array:
    """The rows of the nearest point first, those of the largest weight before, then the others."""
    first = near.corral[np.argsort(-near.weights, kind="stable")]
    others = np.argsort(T @ near.x, kind="stable")
    return members[np.append(first, others[~np.isin(others, first)])]


def frame_of_rows(table: SignedRows, members: Array) -> Frame:
    """A frame of some rows."""
    Z = table.floats(members)
    minor = independent(Z)
    few = list(dict.fromkeys([*minor.rows, *range(min(len(Z), 3 * len(minor.rows)))]))
    return Frame(table, minor.columns, whiten(whole_rows(Z[np.ix_(few, minor.columns)])[0]))


def whiten(Z: Integers) -> Integers:
    """B, such that the rows of Z B, of length 1, are spread alike."""
    tops = [max(abs(x) for x in column).bit_length() for column in zip(*Z, strict=True)]
    B = [[(i == j) << (max(tops) - top) for j in range(len(tops))] for i, top in enumerate(tops)]
    for _ in range(REFINEMENTS):
        R, order = qr(unit_rows(Z, B)[0], mode="r", pivoting=True)[:2]
        R = R[: len(tops)]
        diagonal = np.abs(np.diag(R))
        if diagonal.min() > EVEN * diagonal[0]:
            break
        B = product([[row[j] for j in order] for row in B], rounded_inverse(R))
    return B


def rounded_inverse(R: Array) -> Integers:
    """The inverse of a triangular matrix times a power of two, its columns rounded alike."""
    least = np.finfo(float).eps * abs(R[0, 0]) / 8
    R = R + np.diag(np.where(np.abs(np.diag(R)) < least, least, 0.0))
    C = solve_triangular(R, np.eye(len(R)))
    powers = np.frexp(np.abs(C).max(axis=0))[1]
    shifts = (powers - powers.min()).tolist()
    C = np.rint(np.ldexp(C, BITS - powers))
    return [[int(x) << s for x, s in zip(row, shifts, strict=True)] for row in C.tolist()]


def unit_rows(Z: Integers, B: Integers) -> tuple[Array, list[Fraction]]:
    """The rows of Z B, rounded, of length 1, and their lengths; what is zero there stays so."""
    rows = product(Z, B)
    tops = [max(map(abs, row)).bit_length() for row in rows]
    T = np.array([[x / 2**top for x in row] for row, top in zip(rows, tops, strict=True)])
    sizes = np.maximum(np.linalg.norm(T, axis=1), TINY)
    lengths = [Fraction(size) * 2**top for size, top in zip(sizes.tolist(), tops, strict=True)]
    return T / sizes[:, None], lengths


def whole_numbers(u: Array) -> list[int]:
    """Floats times a power of two that makes them whole; what is too faint for it is dropped."""
    u = np.ldexp(u, 200 - np.frexp(np.abs(u).max())[1])
    return [int(x) for x in u.tolist()]
