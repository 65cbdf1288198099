"""Facial reduction: from one conflict to all of it, and to what a weak separator can do.

If rows S carry a conflict, every weak separator vanishes on them, so look for one among the
hypotheses that do. There the other rows are separated, or some carry another conflict, which S
takes in. Its span grows every time, so this ends: with a weak separator, or with S spanning all
rows (Borwein and Wolkowicz 1981).
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from rosenblatt.core.loop import Array, Dense, Primal, Rows
from rosenblatt.core.threads import one_thread
from rosenblatt.core.vectors import matrix, pick, store, take
from rosenblatt.inputs.validation import rows_of
from rosenblatt.separability.answers import Conflict
from rosenblatt.separability.decide import REACH, initial_passes, steps
from rosenblatt.separability.exact.bounded_conflict import MOST_COLUMNS
from rosenblatt.separability.exact.certainty import (
    NUMBERS_JUDGED,
    exact_signs,
    in_range,
    n_weights,
)
from rosenblatt.separability.exact.column_relations import with_constant
from rosenblatt.separability.exact.contradictions import find_contradictions
from rosenblatt.separability.exact.integer_basis import changed, frame_of_rows, refine
from rosenblatt.separability.exact.modular import Echelon, Minor, independent
from rosenblatt.separability.exact.rare_columns import Remainder, remainder
from rosenblatt.separability.exact.rational import FloatRatios, exact_conflict, normalized
from rosenblatt.separability.exact.simplex import Circuit, Separated, SignedRows
from rosenblatt.separability.floating_point.minimal_face import minimal_face, positive_weights
from rosenblatt.separability.floating_point.squared_slacks import least_slack, slack_rows
from rosenblatt.separability.floating_point.working_set import common_frame, sample, unit
from rosenblatt.separability.slack_conflicts import slack_conflict

ROUNDED_AWAY = 1e-12  # what is left of a number by rounding
MOST_ROWS = 2**17  # in a frame of which there is one copy, and another of those not in conflict
MOST_FIXED = 500  # rows on which a hypothesis is made to vanish exactly, by one solution


class Face(NamedTuple):
    """A conflict, and a hypothesis that vanishes on its rows, and gets right those on which it does
    not vanish."""

    conflict: Conflict
    w: list[Fraction] | None  # None if the conflict spans all rows


@one_thread
@np.errstate(over="ignore", invalid="ignore")  # what is not finite is not certain
def find_face(primal: Primal, rows: Rows, first: Conflict) -> Face | None:
    """Take in conflict after conflict; None if the simplex method gave no answer.

    Rows that rare columns separate are in none.
    """
    rest = remainder(primal, rows)
    face = rest and face_of_rest(SignedRows.of(primal, rows), rest, first)
    return face or face_of_all(primal, rows, first)


def face_of_rest(table: SignedRows, rest: Remainder, first: Conflict) -> Face | None:
    """The face of what rare columns leave, and a hypothesis that gets right what they separate."""
    inner = first._replace(rows=rest.places(first.rows), basis=None)
    found = face_of_all(rest.primal, rest.rows, inner, touching=bool(rest.layers))
    if found is None:
        return None
    conflict = found.conflict._replace(rows=rest.left[found.conflict.rows])
    if not rest.layers and found.w is None:
        return Face(conflict, None)
    if conflict.bound:
        return None  # which would have to span all columns
    u = found.w or [Fraction(0)] * len(rest.columns)
    w = rest.lifted(table.primal, table.rows, u)
    peeled = np.setdiff1d(table.rows.train, rest.left)
    wrong = table.wrong(w, peeled) if len(peeled) else peeled
    return None if len(wrong) else Face(conflict, w)


def face_of_all(primal: Primal, rows: Rows, first: Conflict, touching: bool = False) -> Face | None:
    """The face of all rows; of those that are known to touch, a conflict need not span it."""
    table = SignedRows.of(primal, rows)
    conflict = contradictory_pairs(table, first)
    framed = in_floats(table, conflict)
    if framed and (face := by_nearest_points(table, conflict, framed, touching)):
        return face
    if min(len(rows.train), n_weights(primal)) > REACH:
        face = None if isinstance(primal, Dense) else by_passes(table, conflict)
        return face or by_slacks(table, conflict)
    if framed and (face := by_nearest_points(table, conflict, in_whole(table), touching)):
        return face
    while True:
        minor = independent(table.floats(conflict.rows))
        live = others(table, minor.span)
        if not len(live):
            return Face(conflict, None)
        beside, d = table._replace(rows=rows._replace(train=live)), len(table.columns)
        found = refine(beside, sample(live, 4 * d), steps(d), conflict.rows[minor.rows])
        if found is None:
            return None
        if isinstance(found, Separated):
            return Face(conflict, found.w) if vanishes(table, found.w, live) else None
        conflict = joined(conflict, found)


class FramedRows(NamedTuple):
    """All rows in a frame."""

    Z: Array  # of length 1
    sizes: Sequence[float | Fraction]  # their lengths
    hypothesis: Callable[[Array], Sequence[Fraction]]  # that has given coordinates


def in_floats(table: SignedRows, conflict: Conflict) -> FramedRows | None:
    """In the frame in which a conflict was found, or another; None if rows are too many or long."""
    primal, rows, basis = table.primal, table.rows, conflict.basis
    if len(rows.train) > MOST_ROWS:
        return None
    if basis is None and in_range(pick(rows.norm2, rows.train)):
        basis = common_frame(primal, rows, rows.train)
    if basis is None:
        return None
    Z, sizes = unit(take(primal, rows.train) * rows.y[rows.train, None] @ basis)
    return FramedRows(Z, sizes.tolist(), lambda u: FloatRatios(basis @ u))


def in_whole(table: SignedRows) -> FramedRows:
    """In a frame of whole numbers, where columns are nearly dependent."""
    frame = frame_of_rows(table, sample(table.rows.train, 4 * len(table.columns)))
    return FramedRows(*frame.measured(table.rows.train), frame.hypothesis)


def by_nearest_points(
    table: SignedRows, conflict: Conflict, framed: FramedRows, touching: bool
) -> Face | None:
    """The whole face at once, as floating point sees it, if exact arithmetic agrees."""
    Z, train = framed.Z, table.rows.train
    if not np.isfinite(Z).all():
        return None
    face = minimal_face(Z, np.searchsorted(train, conflict.rows))
    members = train[face.rows]
    minor = independent(table.floats(members))
    live = others(table, minor.span)
    if not len(live) and touching:
        return Face(conflict, None)
    if not len(live):
        return spanning(table, members, framed, face.rows)
    if face.x is None:
        return None
    w = made_exact(table, framed.hypothesis(face.x), members[minor.rows], minor.columns, live)
    return Face(conflict, w) if w else None


def spanning(table: SignedRows, members: Array, framed: FramedRows, places: Array) -> Face | None:
    """A conflict of these rows, which span all, if exact weights are near those guessed."""
    guess = positive_weights(framed.Z[places]).tolist()
    shares = [Fraction(w) / Fraction(framed.sizes[k]) for w, k in zip(guess, places, strict=True)]
    weights = exact_conflict(table.floats(members), shares)
    return Face(Conflict(members, weights), None) if weights else None


def made_exact(
    table: SignedRows, w: Sequence[Fraction], fixed: Array, columns: list[int], live: Array
) -> list[Fraction] | None:
    """w, changed in given columns to vanish on fixed rows, if it then gets the live ones right and
    vanishes on all others."""
    exactly = changed(table, fixed, w, columns)
    right = not len(table.wrong(exactly, live)) and vanishes(table, exactly, live)
    return exactly if right else None


def by_passes(table: SignedRows, conflict: Conflict) -> Face | None:
    """A weak separator by plain passes, where there are too many dimensions for anything else."""
    fixed = conflict.rows[independent(table.floats(conflict.rows)).rows]
    T, live, cleared = quotient(table, fixed)
    if not len(live):
        return None
    reduced = store(T, 0.0)
    run = initial_passes(reduced, rows_of(reduced, table.rows.y)._replace(train=live))
    if run.reason != "separated" or len(cleared) < len(fixed):
        return None
    w = made_exact(table, FloatRatios(run.W[0, :-1]), fixed, cleared, live)
    return Face(conflict, w) if w else None


def by_slacks(table: SignedRows, conflict: Conflict) -> Face | None:
    """A weak separator, or a conflict of all columns, from the least sum of squared slacks."""
    primal, rows = table.primal, table.rows
    minor = independent(table.floats(conflict.rows))
    fixed = conflict.rows[minor.rows]
    if len(fixed) <= MOST_FIXED and (w := separate_others(table, fixed, minor)):
        return Face(conflict, w)
    if table.width > MOST_COLUMNS:
        return None
    rows = rows._replace(train=rows.train[pick(rows.norm2, rows.train) > 0])
    if not len(rows.train):
        return None
    found = least_slack(slack_rows(primal, rows))
    return Face(slack_conflict(rows, found), None) if found.solved else None


def separate_others(table: SignedRows, fixed: Array, minor: Minor) -> list[Fraction] | None:
    """A hypothesis that vanishes on independent rows, exactly, and gets the others right."""
    live = others(table, minor.span)
    if not len(live):
        return None
    rows = table.rows._replace(train=live)
    found = least_slack(slack_rows(table.primal, rows, take(table.primal, fixed)))
    right = found.margins.min() > 0
    w = FloatRatios(found.w)
    return made_exact(table, w, fixed, minor.columns, live) if right else None


def quotient(table: SignedRows, fixed: Array) -> tuple[sp.csr_array, Array, list[int]]:
    """The rows, less the multiples of independent ones that clear as many columns; those of which
    something is left; and the columns. Rounded, and a guess."""
    primal, cleared = table.primal, list[int]()
    T = with_constant(matrix(primal), primal.bias)
    for i in fixed.tolist():
        z = T[[i]]
        if z.nnz:
            p = int(z.indices[np.argmax(np.abs(z.data))])
            T = sp.csr_array(T - T[:, [p]] @ (z / z[0, p]))
            T.data[np.abs(T.data) < ROUNDED_AWAY] = 0.0
            cleared.append(int(np.searchsorted(table.columns, p)))
            T.eliminate_zeros()
    left = np.diff(T.indptr)[table.rows.train] > 0
    return T, table.rows.train[left], cleared


def contradictory_pairs(table: SignedRows, first: Conflict) -> Conflict:
    """If the conflict is of contradictory rows, all pairs of them that are independent."""
    if len(first.rows) != 2 or not len(pairs := find_contradictions(table.primal, table.rows)):
        return first
    some = pairs[independent(table.floats(pairs[:, 0])).rows].ravel()
    return Conflict(some, [Fraction(1, len(some))] * len(some))


def others(table: SignedRows, span: Echelon) -> Array:
    """The rows that are not in a span."""
    train = table.rows.train
    size = max(1, NUMBERS_JUDGED // len(table.columns))
    parts = [train[k : k + size] for k in range(0, len(train), size)]
    return np.concatenate([i[~span.holds(table.floats(i))] for i in parts])


def vanishes(table: SignedRows, w: list[Fraction], live: Array) -> bool:
    """Whether the product of a hypothesis with all rows but some is zero."""
    rest = np.setdiff1d(table.rows.train, live)
    return not exact_signs(table.primal, w, rest).any()


def joined(old: Conflict, new: Circuit) -> Conflict:
    """One conflict of both. In the new one, rows of the old one have weights of any sign: a large
    multiple of the old weights makes all of them positive."""
    weights = dict(zip(old.rows.tolist(), old.weights, strict=True))
    added = dict(zip(new.rows.tolist(), new.weights, strict=True))
    short = [-added[i] / weights[i] for i in added if i in weights]
    multiple = 2 * max([Fraction(1), *short])
    total = {i: multiple * w for i, w in weights.items()}
    for i, w in added.items():
        total[i] = total.get(i, Fraction(0)) + w
    return Conflict(np.array(list(total), np.uint32), normalized(list(total.values())))
