"""Certificates of rows that are not all at hand: proved on those gathered, checked on all.

Each verdict is refuted by other rows: a separator by one that it does not get right, a weak
separator by one on its wrong side, rows in conflict that span all others by one outside their span.
Where there is none, the verdict on the gathered rows is the verdict on all.
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import numpy as np

from rosenblatt.core.loop import Array, Primal, Rows
from rosenblatt.core.vectors import margins, take
from rosenblatt.out_of_core.block import Block, RowSource
from rosenblatt.out_of_core.column_screening import undecided_rows
from rosenblatt.out_of_core.hard_rows import (
    Find,
    HardRows,
    confirm_rows,
    decide_everywhere,
    joint,
    no_answer,
    pick_rows,
)
from rosenblatt.separability.answers import Conflict
from rosenblatt.separability.certificate import Certificate
from rosenblatt.separability.certificate_parts import ConflictWeights
from rosenblatt.separability.certify import About, geometric_margin
from rosenblatt.separability.exact import certainty, rational
from rosenblatt.separability.fingerprint import hash_of
from rosenblatt.separability.proofs import Proof, outside, prove
from rosenblatt.separability.several_classes.kesler_construction import (
    machine_margin,
    prove_jointly,
)


def prove_everywhere(source: RowSource) -> Proof:
    """A verdict on all rows, with its proof."""
    start = np.zeros((1, source.task.specimen.X.shape[1] + 1))
    proof, found, holds = decide_everywhere(source, 0, start, prove, refuting_rows)
    if not holds:
        return Proof("undecided", reason=no_answer(found))
    if proof.verdict == "undecided":
        return proof._replace(reason=f"of the hardest rows: {proof.reason}")
    return number_rows(proof, found.i, source)


def number_rows(proof: Proof, i: Array, source: RowSource) -> Proof:
    """A proof on gathered rows, with the numbers that these have among all."""
    if proof.conflict is None:
        return proof
    conflict = confirm_rows(Conflict(i[proof.conflict.rows], proof.conflict.weights), source, 0)
    return proof._replace(conflict=ConflictWeights(conflict.rows.tolist(), conflict.weights))


def refuting_rows(proof: Proof, primal: Primal, most: int) -> Find | None:
    """What finds the rows for which a proof on other rows does not hold."""
    if proof.verdict == "undecided":
        return None
    ratios = [*proof.separator.w, proof.separator.b] if proof.separator else []
    span = rational.span(take(primal, np.array(proof.conflict.rows))) if proof.conflict else None

    def find(block: Block) -> HardRows:
        if proof.verdict == "overlapping":
            assert span is not None
            i = outside(block.storage, block.rows[0].train, span)
        elif proof.verdict == "touching":
            i = rows_beyond(block.storage, block.rows[0], ratios)
        else:
            w = np.array([rational.rounded(x) for x in ratios])
            block = undecided_rows(block, [w[None]])
            i = certainty.doubtful(block.storage, w, block.rows[0], ratios=ratios)
        return pick_rows(block, 0, i[:most], np.arange(len(i[:most]), dtype=float))

    return find


def rows_beyond(primal: Primal, rows: Rows, ratios: list[Fraction]) -> Array:
    """The rows on the wrong side of a hyperplane; those on it are not."""
    w = np.array([rational.rounded(x) for x in ratios])
    m, lengths = margins(primal, w[None], rows), np.sqrt(rows.norm2[rows.train])
    bound = certainty.slack(w) * float(np.linalg.norm(w)) * lengths + certainty.TINY
    if (m < -bound).any():
        return rows.train[m < -bound]
    unsure = rows.train[~(m > bound)]
    Z, place = np.unique(take(primal, unsure) * rows.y[unsure, None], axis=0, return_inverse=True)
    wrong = np.array([rational.exact_dot(z, ratios) < 0 for z in Z.tolist()], bool)
    return unsure[wrong[place.ravel()]]


def certificate_of_rows(source: RowSource, rows: Iterable[tuple[Any, Array]] | None) -> Certificate:
    """The certificate of all rows. Without their features and codes, it has no hash."""
    task = source.task
    about = About(task.classes, (source.n, task.specimen.X.shape[1]), task.bias > 0)
    if len(task.classes) > 2:
        together = joint(source)
        proof = prove_jointly(together, np.zeros((together.k, together.width)))
        margin = machine_margin(together, proof)
    else:
        proof = prove_everywhere(source)
        margin = margin_everywhere(source, proof)
    return about.certificate(proof, margin, digest_of(rows, about.names) if rows else "")


def margin_everywhere(source: RowSource, proof: Proof) -> float:
    """The distance of the nearest of all rows from a strict separator."""

    def here(block: Block) -> float:
        w = np.array([rational.rounded(x) for x in [*proof.separator.w, proof.separator.b]])
        few = undecided_rows(block, [w[None]])
        return geometric_margin(proof, [(few.storage, few.rows[0])])

    return min(source.each(here)) if proof.verdict == "separable" else 0.0


def digest_of(rows: Iterable[tuple[Any, Array]], classes: tuple[str, ...]) -> str:
    """The hash of all rows, from their features and codes, block by block."""
    small = np.min_scalar_type(len(classes))
    blocks = ((X, codes.astype(small)) for X, codes in rows)  # codes are kept to the end
    return hash_of(blocks, classes)
