"""Proofs: either answer on separability, with what shows it.

A conflict shows that no hypothesis gets all rows right. Whether one at least gets none wrong (the
classes *touch*) or not even that (they *overlap*) is a question of faces: the rows in conflict span
all rows, or a weak separator vanishes on them and not on others. Floating point finds the face;
its span is computed exactly, so that a hypothesis can be made to vanish on it exactly, and what
remains is shown row by row.
"""

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import issparse

from rosenblatt.core.loop import Array, Dense, Primal, Rows
from rosenblatt.core.vectors import matrix, take
from rosenblatt.separability.answers import BoundedConflict, Conflict, Separator, Undecided
from rosenblatt.separability.certificate_parts import ConflictWeights, Hyperplane, listed_rows
from rosenblatt.separability.decide import REACH, decide
from rosenblatt.separability.exact import certainty, modular, rational
from rosenblatt.separability.exact.bounded_conflict import is_conflict
from rosenblatt.separability.facial_reduction import find_face
from rosenblatt.separability.narrowed_rows import narrowed

NUMBERS_TESTED = 2**22  # numbers looked at together


class Proof(NamedTuple):
    """A verdict with what shows it."""

    verdict: str
    separator: Any = None  # a Hyperplane; with several classes, a LinearMachine
    conflict: Any = None  # a Clash; with several classes, a PairClash
    reason: str | None = None
    bounded: bool = False  # whether the conflict is proved by a bound on rounding errors
    least: float | None = None  # the smallest margin under the separator, where it is known


def prove(primal: Primal, rows: Rows, bounded: bool = False) -> Proof:
    """Decide, and prove it; if `bounded`, a conflict also by a bound on rounding errors."""
    if few := narrowed(primal):
        proof = prove(few.primal, rows, bounded)
        found = proof.separator
        wide = found and hyperplane(few.widen_ratios([*found.w, found.b]))
        return proof._replace(separator=wide)
    answer = decide(primal, rows, bounded=bounded)
    if isinstance(answer, Undecided):
        return Proof("undecided", reason=answer.reason)
    if isinstance(answer, Separator):
        return Proof("separable", hyperplane(answer.exactly()), least=answer.least)
    return reduce_face(primal, rows, answer, bounded)


def reduce_face(primal: Primal, rows: Rows, first: Conflict, bounded: bool) -> Proof:
    """Tell touching from overlapping, given a conflict."""
    if isinstance(first, BoundedConflict):
        return prove_bounded(primal, rows, first)
    if spans_all_columns(primal, first.rows):
        return Proof("overlapping", conflict=clash(first))
    face = find_face(primal, rows, first)
    if face is not None and isinstance(face.conflict, BoundedConflict):
        if not bounded or not is_bounded_conflict(primal, rows, face.conflict):
            return open_between(first, why_no_face(primal, rows))
        return prove_bounded(primal, rows, face.conflict)
    if face is None:
        return open_between(first, why_no_face(primal, rows))
    if face.w is not None:
        return Proof("touching", hyperplane(face.w), clash(first))
    span = rational.span(take(primal, face.conflict.rows))
    if len(outside(primal, rows.train, span)):
        return open_between(first, "the rows in conflict span all others only modulo a prime")
    return Proof("overlapping", conflict=clash(face.conflict))


def spans_all_columns(primal: Primal, i: Array) -> bool:
    """Whether rows in conflict, of which one depends on the others, have full rank."""
    full = certainty.n_weights(primal) - (primal.bias == 0)
    return len(i) > full and modular.rank_modulo(take(primal, i)) == full


def prove_bounded(primal: Primal, rows: Rows, conflict: Conflict) -> Proof:
    """Overlapping, if all rows are zero in the columns in which the rows in conflict are."""
    X: Any = primal.X if isinstance(primal, Dense) else matrix(primal)
    rest = X[rows.train][:, ~take(primal, conflict.rows)[:, :-1].any(axis=0)]
    if (rest.data if issparse(rest) else rest).any():
        return open_between(conflict, "the rows in conflict do not span all columns")
    return Proof("overlapping", conflict=clash(conflict), bounded=True)


def is_bounded_conflict(primal: Primal, rows: Rows, conflict: Conflict) -> bool:
    """Whether a bound on rounding errors proves a conflict."""
    return is_conflict(take(primal, conflict.rows) * rows.y[conflict.rows, None], conflict.weights)


def why_no_face(primal: Primal, rows: Rows) -> str:
    """Why facial reduction gave no answer."""
    if min(len(rows.train), certainty.n_weights(primal)) > REACH:
        return f"exact arithmetic is tried in {REACH} dimensions at most"
    return "facial reduction failed numerically"


def open_between(conflict: Any, reason: str) -> Proof:
    """Not separable for certain, and no more than that."""
    rows = listed_rows(sorted(conflict.rows.tolist()))
    known = f"the data are not separable: rows {rows} are in conflict"
    unknown = f"whether the classes touch or overlap is open: {reason}"
    return Proof("undecided", reason=f"{known}; {unknown}")


def outside(primal: Primal, train: Array, span: rational.Span) -> Array:
    """The rows that are not in a span."""
    if span.is_whole(primal.bias):
        return train[:0]
    size = max(1, NUMBERS_TESTED // span.width)
    blocks = [train[k : k + size] for k in range(0, len(train), size)]
    return np.concatenate([i[~span.holds(take(primal, i))] for i in blocks])


def hyperplane(ratios: list[Fraction]) -> Hyperplane:
    return Hyperplane(ratios[:-1], ratios[-1])


def clash(conflict: Conflict) -> ConflictWeights:
    return ConflictWeights(conflict.rows.tolist(), conflict.weights)
