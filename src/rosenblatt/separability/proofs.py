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

from rosenblatt.core.loop import Array, Primal, Rows
from rosenblatt.core.vectors import matrix, pick, store, take
from rosenblatt.inputs.validation import rows_of
from rosenblatt.separability.answers import Conflict, Separator, Undecided
from rosenblatt.separability.certificate_parts import ConflictWeights, hyperplane, listed_rows
from rosenblatt.separability.decide import REACH, answer_confirmed
from rosenblatt.separability.exact import certainty, modular, rational
from rosenblatt.separability.exact.column_relations import (
    PLAIN,
    Bound,
    broken,
    combined,
    repeated,
    whole_relation,
)
from rosenblatt.separability.facial_reduction import find_face
from rosenblatt.separability.narrowed_rows import narrowed
from rosenblatt.separability.slack_conflicts import bounded_answer

NUMBERS_TESTED = 2**22  # numbers looked at together


class Proof(NamedTuple):
    """A verdict with what shows it."""

    verdict: str
    separator: Any = None  # a Hyperplane; with several classes, a LinearMachine
    conflict: Any = None  # ConflictWeights; with several classes, PairConflictWeights
    reason: str | None = None
    bound: Bound | None = None  # the columns of one on rounding errors, if it proves the conflict
    least: float | None = None  # the smallest margin under the separator, where it is known


def prove(primal: Primal, rows: Rows, bounded: bool = False, classes: int = 2) -> Proof:
    """Decide, and prove it; if `bounded`, a conflict also by a bound on rounding errors.

    Of several `classes`, the rows are pairs of rows and rivals.
    """
    if few := narrowed(primal):
        proof = prove(few.primal, rows, bounded, classes)
        wide = proof.separator and hyperplane(few.widen_ratios(proof.separator.ratios))
        return proof._replace(separator=wide, bound=few.widen_bound(proof.bound))
    answer = answer_confirmed(primal, rows, None, bounded, classes)
    if isinstance(answer, Undecided):
        return Proof("undecided", reason=answer.reason)
    if isinstance(answer, Separator):
        return Proof("separable", hyperplane(answer.exactly()), least=answer.least)
    return reduce_face(primal, rows, answer, bounded, classes)


def reduce_face(primal: Primal, rows: Rows, first: Conflict, bounded: bool, classes: int) -> Proof:
    """Tell touching from overlapping, given a conflict."""
    if first.bound:
        return prove_bounded(primal, rows, first, classes)
    if spans_all_columns(primal, first.rows):
        return Proof("overlapping", conflict=clash(first))
    face = find_face(primal, rows, first)
    if face is not None and face.conflict.bound:
        proved = bounded and bounded_answer(primal, rows, face.conflict, classes)
        if not proved:
            return open_between(first, why_no_face(primal, rows))
        proof = prove_bounded(primal, rows, proved, classes)
        exact = proof.verdict == "touching"  # for which the first conflict will do
        return Proof("touching", proof.separator, clash(first)) if exact else proof
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


def prove_bounded(primal: Primal, rows: Rows, conflict: Conflict, classes: int) -> Proof:
    """Overlapping, if all rows are zero in the columns in which the rows in conflict are, and obey
    the relations of columns that these obey; touching, if the others can be separated then."""
    X = pick(matrix(primal), rows.train)
    empty = np.flatnonzero(~take(primal, conflict.rows)[:, :-1].any(axis=0))
    width, blocks = certainty.n_weights(primal) // (classes - 1), classes - 1
    bound = conflict.bound or PLAIN
    relations = repeated(bound.dependent, width, blocks)
    proof = Proof("", conflict=clash(conflict), bound=bound)
    if not X[:, empty].nonzero()[0].size and not broken(relations, X, primal.bias):
        return proof._replace(verdict="overlapping")
    V = [{j: 1} for j in empty.tolist()] + [whole_relation(*each) for each in relations.items()]
    if w := separate_beside(X, rows.y[rows.train], primal.bias, V):
        return proof._replace(verdict="touching", separator=hyperplane(w))
    return open_between(conflict, "the rows in conflict do not span all columns")


def separate_beside(
    X: Any, y: Array, bias: float, V: list[dict[int, int]]
) -> list[Fraction] | None:
    """A weak separator that is a combination of V, all of which vanish on the rows in conflict."""
    T = combined(V, X, bias)
    if T is None or not len(live := np.unique(T.nonzero()[0])):
        return None
    beside = store(T[live], 0.0)
    found = prove(beside, rows_of(beside, y[live])).separator
    if found is None:
        return None
    w = [Fraction(0)] * (X.shape[1] + 1)
    for v, share in zip(V, found.w, strict=True):
        for j, x in v.items():
            w[j] += share * x
    return w


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


def clash(conflict: Conflict) -> ConflictWeights:
    return ConflictWeights(conflict.rows.tolist(), conflict.weights)
