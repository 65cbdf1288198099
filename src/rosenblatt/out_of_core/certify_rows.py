"""Certificates of rows that are not all at hand: proved on those gathered, checked on all.

Each verdict is refuted by other rows: a separator by one that it does not get right, a weak
separator by one on its wrong side, rows in conflict that span all others by one outside their span.
Where there is none, the verdict on the gathered rows is the verdict on all.
"""

from collections.abc import Callable, Iterable
from fractions import Fraction
from hashlib import sha256
from typing import Any

import numpy as np
import scipy.sparse as sp

from rosenblatt.core.loop import Array, Rows
from rosenblatt.core.vectors import margins, take
from rosenblatt.out_of_core.block import Block, Each, Primal, RowSource
from rosenblatt.out_of_core.block_learning import assess
from rosenblatt.out_of_core.column_screening import undecided_rows
from rosenblatt.out_of_core.hard_rows import (
    IN_ALL,
    ROUNDS,
    HardRows,
    beginning,
    capacity,
    confirmed,
    gather,
    joint,
    pick,
    stride,
    unanswered,
)
from rosenblatt.separability.certificate import Certificate, ConflictWeights
from rosenblatt.separability.decide import Conflict
from rosenblatt.separability.exact import certainty, rational
from rosenblatt.separability.kesler_construction import machine_margin, prove_jointly
from rosenblatt.separability.proofs import Proof, outside, prove


def certified(source: RowSource) -> Proof:
    """A verdict on all rows, with its proof."""
    d = source.task.specimen.X.shape[1]
    most = capacity(d)
    found = beginning(source.each, 0, np.zeros((1, d + 1)), stride(source.n, most))
    for _ in range(ROUNDS):
        primal, rows = found.problem()
        proof = prove(primal, rows)
        if proof.verdict == "undecided":
            return proof._replace(reason=f"of the hardest rows: {proof.reason}")
        more = gather(source.each, refutation(proof, primal, most), most)
        if not len(more.i):
            return numbered(proof, found.i, source)
        found = found.join(more)
        if found.nbytes > IN_ALL:
            break
    return Proof("undecided", reason=unanswered(found))


def certified_jointly(source: RowSource) -> Proof:
    """A verdict on several classes, with its proof."""
    together = joint(source)
    return prove_jointly(together, np.zeros((together.k, together.width)))


def numbered(proof: Proof, i: Array, source: RowSource) -> Proof:
    """A proof on gathered rows, with the numbers that these have among all."""
    if proof.conflict is None:
        return proof
    conflict = confirmed(Conflict(i[proof.conflict.rows], proof.conflict.weights), source, 0)
    return proof._replace(conflict=ConflictWeights(conflict.rows.tolist(), conflict.weights))


def refutation(proof: Proof, primal: Primal, most: int) -> Callable[[Block], HardRows]:
    """What finds the rows for which a proof on other rows does not hold."""
    ratios = [*proof.separator.w, proof.separator.b] if proof.separator else []
    span = rational.span(take(primal, np.array(proof.conflict.rows))) if proof.conflict else None

    def find(block: Block) -> HardRows:
        if proof.verdict == "overlapping":
            assert span is not None
            i = outside(block.storage, block.rows[0].train, span)
        elif proof.verdict == "touching":
            i = beyond(block.storage, block.rows[0], ratios)
        else:
            w = np.array([rational.rounded(x) for x in ratios])
            block = undecided_rows(block, [w[None]])
            i = certainty.doubtful(block.storage, w, block.rows[0], ratios=ratios)
        return pick(block, 0, i[:most], np.arange(len(i[:most]), dtype=float))

    return find


def beyond(primal: Primal, rows: Rows, ratios: list[Fraction]) -> Array:
    """The rows on the wrong side of a hyperplane; those on it are not."""
    w = np.array([rational.rounded(x) for x in ratios])
    m, lengths = margins(primal, w[None], rows), np.sqrt(rows.norm2[rows.train])
    bound = certainty.slack(w) * float(np.linalg.norm(w)) * lengths + certainty.TINY
    if (m < -bound).any():
        return rows.train[m < -bound]
    unsure = rows.train[~(m > bound)]
    Z, place = np.unique(take(primal, unsure) * rows.y[unsure, None], axis=0, return_inverse=True)
    wrong = np.array([rational.dot(z, ratios) < 0 for z in Z.tolist()], bool)
    return unsure[wrong[place.ravel()]]


def fingerprint(rows: Iterable[tuple[Any, Array]], classes: tuple[str, ...]) -> str:
    """The hash of a certificate, from the features and codes of all rows, block by block."""
    digest, kept = sha256(), []
    for X, codes in rows:
        digest.update(np.add(X.toarray() if sp.issparse(X) else X, 0.0, dtype="<f8"))
        kept.append(codes.astype(np.uint8))
    names, first = np.array(classes), b"\n"
    for codes in kept:
        digest.update(first + "\n".join(names[codes].tolist()).encode())
        first = b"\n"
    return digest.hexdigest()


def certificate(source: RowSource, rows: Iterable[tuple[Any, Array]] | None) -> Certificate:
    """The certificate of all rows. Without their features and codes, it has no hash."""
    task, several = source.task, len(source.task.classes) > 2
    proof = certified_jointly(source) if several else certified(source)
    classes = tuple(str(label) for label in task.classes.tolist())
    return Certificate(
        verdict=proof.verdict,
        fit_intercept=task.bias > 0,
        classes=classes,
        n_samples=source.n,
        n_features=task.specimen.X.shape[1],
        sha256=fingerprint(rows, classes) if rows is not None else "",
        separator=proof.separator,
        conflict=proof.conflict,
        margin=(
            machine_margin(joint(source), proof)
            if several
            else geometric_margin(source.each, proof)
        ),
        reason=proof.reason,
    )


def geometric_margin(each: Each, proof: Proof) -> float:
    """The distance of the nearest row from a strict separator."""
    if proof.separator is None or proof.verdict != "separable":
        return 0.0
    w = np.array([rational.rounded(x) for x in [*proof.separator.w, proof.separator.b]])
    w /= np.abs(w).max()  # lest its length overflow
    return float(assess(each, [[w[None]]])[0].least[0] / np.linalg.norm(w[:-1]))
