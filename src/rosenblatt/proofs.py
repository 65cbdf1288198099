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

from rosenblatt import exact
from rosenblatt.faces import find_face, weigh
from rosenblatt.geometry import take
from rosenblatt.separate import Conflict, Primal, Separator, Undecided, decide
from rosenblatt.sweep import Array, Rows
from rosenblatt.verdicts import Clash, Hyperplane

BLOCK = 2**22  # numbers looked at together


class Proof(NamedTuple):
    """A verdict with what shows it."""

    verdict: str
    separator: Any = None  # a Hyperplane; with several classes, a LinearMachine
    conflict: Any = None  # a Clash; with several classes, a PairClash
    reason: str | None = None


def prove(primal: Primal, rows: Rows) -> Proof:
    """Decide, and prove it."""
    answer = decide(primal, rows)
    if isinstance(answer, Undecided):
        return Proof("undecided", reason=answer.reason)
    if isinstance(answer, Separator):
        return Proof("separable", hyperplane([Fraction(x) for x in answer.w.tolist()]))
    return reduce_face(primal, rows, answer)


def reduce_face(primal: Primal, rows: Rows, first: Conflict) -> Proof:
    """Tell touching from overlapping, given a conflict."""
    if exact.span(take(primal, first.rows)).is_whole(primal.bias):
        return Proof("overlapping", conflict=clash(first))
    face = find_face(primal, rows, first.rows, rows.train[:0])
    if face is None:
        return open_between(first, "the face was lost in rounding")
    span = exact.span(take(primal, face.rows))
    live = outside(primal, rows.train, span)
    if not len(live):
        return overlap(primal, rows, face.rows, first)
    if face.w is None:
        return open_between(first, "the rows in conflict span all others only nearly")
    ratios = span.against(face.w.tolist())
    w = np.array([exact.rounded(x) for x in ratios])
    if len(exact.doubtful(primal, w, rows._replace(train=live), ratios=ratios)):
        return open_between(first, "the weak separator was lost in rounding")
    return Proof("touching", hyperplane(ratios), clash(first))


def open_between(conflict: Conflict, reason: str) -> Proof:
    """Not separable for certain, and no more than that."""
    rows = ", ".join(map(str, conflict.rows.tolist()[:8]))
    known = (
        f"the data are not separable (rows {rows} are in conflict), but whether the classes touch"
    )
    return Proof("undecided", reason=f"{known} or overlap is open: {reason}")


def overlap(primal: Primal, rows: Rows, i: Array, first: Conflict) -> Proof:
    """The proof that rows i, which span all rows, are in conflict together."""
    if len(i) == len(first.rows):
        return Proof("overlapping", conflict=clash(first))
    Z = take(primal, i) * rows.y[i, None]
    guess = weigh(Z)
    weights = None if guess is None else exact.conflict(Z, guess.tolist())
    if weights is None:
        return open_between(first, "the conflicts found could not be joined")
    return Proof("overlapping", conflict=clash(Conflict(i, weights)))


def outside(primal: Primal, train: Array, span: exact.Span) -> Array:
    """The rows that are not in a span."""
    if span.is_whole(primal.bias):
        return train[:0]
    R, p = span.floats(), span.pivots
    live, size = np.ones(len(train), bool), max(1, BLOCK // span.width)
    for k in range(0, len(train), size):
        X = take(primal, train[k : k + size])
        with np.errstate(over="ignore", invalid="ignore"):  # what is not finite is not certain
            beyond, sums = np.abs(X - X[:, p] @ R), np.abs(X) + np.abs(X[:, p]) @ np.abs(R)
            certain = (beyond > exact.slack(X[0]) * sums + exact.TINY).any(axis=1)
        faint = np.flatnonzero(~certain)
        live[k + faint[span.holds(X[faint])]] = False
    return train[live]


def hyperplane(ratios: list[Fraction]) -> Hyperplane:
    return Hyperplane(ratios[:-1], ratios[-1])


def clash(conflict: Conflict) -> Clash:
    return Clash(conflict.rows.tolist(), conflict.weights)
