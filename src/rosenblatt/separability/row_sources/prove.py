"""Verdicts on rows wherever they are: proved on those gathered, checked on all.

Each verdict is refuted by other rows: a separator by one that it does not get right, a weak
separator by one on its wrong side, rows in conflict that span all others by one outside their span.
Where there is none, the verdict on the gathered rows is the verdict on all.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial

import numpy as np

from rosenblatt.core.loop import Array, Primal, Rows
from rosenblatt.core.vectors import margins, store, take
from rosenblatt.separability.answers import Conflict
from rosenblatt.separability.certificate_parts import ConflictWeights
from rosenblatt.separability.exact import certainty, rational
from rosenblatt.separability.exact.column_relations import strays
from rosenblatt.separability.proofs import Proof, outside, prove
from rosenblatt.separability.row_sources.gathering import Find, Gathered, decide_everywhere
from rosenblatt.separability.row_sources.hard_rows import (
    confirm_rows,
    no_answer,
    pick_rows,
    problem_of,
    row_capacity,
    starting_rows,
)
from rosenblatt.separability.row_sources.source import LabelledRows, Source, csr_or_array
from rosenblatt.separability.several_classes.kesler_construction import (
    machine_margin,
    prove_jointly,
)


def prove_source(source: Source) -> Proof:
    """A verdict on all rows, with its proof."""
    if source.k > 2:
        return prove_jointly(source)
    if source.whole:
        return prove(source.whole.storage, source.whole.rows[0], bounded=True)
    return prove_everywhere(source)


def margin_of(proof: Proof, source: Source) -> float:
    """The distance of the nearest row from a strict separator, or from a border of a machine."""
    if proof.verdict != "separable":
        return 0.0
    return (machine_margin if source.k > 2 else hyperplane_margin)(source, proof)


def prove_everywhere(source: Source) -> Proof:
    """A verdict on all rows of two classes, by those that are hard."""
    start = np.zeros((1, source.d + 1))
    most = row_capacity(start.shape[1])
    proof, found, holds = decide_everywhere(
        source,
        starting_rows(source, 0, start),
        most,
        lambda found: prove(*problem_of(found, source.bias), bounded=True),
        partial(refuting_rows, most.most, source.bias),
    )
    if not holds:
        return Proof("undecided", reason=no_answer(found))
    if proof.verdict == "undecided":
        return proof._replace(reason=f"of the hardest rows: {proof.reason}")
    return number_rows(proof._replace(least=None), found.i, source)


def number_rows(proof: Proof, i: Array, source: Source) -> Proof:
    """A proof on gathered rows, with the numbers that these have among all."""
    if proof.conflict is None:
        return proof
    rows, weights = i[proof.conflict.rows], proof.conflict.weights
    confirm_rows(Conflict(rows, weights, bound=proof.bound), source, 0)
    return proof._replace(conflict=ConflictWeights(rows.tolist(), weights))


# -- Rows that refute a verdict --------------------------------------------------------------------

Strays = Callable[[LabelledRows], Array]  # which of some rows refute


def refuting_rows(most: int, bias: float, proof: Proof, found: Gathered) -> Find | None:
    """What finds the rows for which a proof on those found does not hold."""
    if proof.verdict == "undecided":
        return None
    if proof.verdict == "overlapping":
        look = beside_conflict(proof, take(store(found.X, bias), np.array(proof.conflict.rows)))
    else:
        look = beside_hyperplane(proof)
    right = [] if proof.conflict else [rational.floats_of(proof.separator.ratios)[None]]

    def find(block: LabelledRows) -> Gathered:
        few = block.undecided(right) if right else block
        i = look(few)[:most]
        return pick_rows(few, 0, i, np.arange(len(i), dtype=float))

    return find


def beside_conflict(proof: Proof, Z: Array) -> Strays:
    """The rows that those in conflict, Z, do not span."""
    if proof.bound:
        empty = np.flatnonzero(~Z[:, :-1].any(axis=0))
        known = proof.bound.dependent
        return lambda block: strays(known, csr_or_array(block.X), block.bias, empty)
    span = rational.span(Z)
    return lambda block: outside(block.storage, block.rows[0].train, span)


def beside_hyperplane(proof: Proof) -> Strays:
    """The rows that are not on their side of a hyperplane or, if classes touch, beyond it."""
    ratios = proof.separator.ratios
    if proof.verdict == "touching":
        return lambda block: rows_beyond(block.storage, block.rows[0], ratios)
    return lambda block: certainty.doubtful(block.storage, ratios, block.rows[0])


def rows_beyond(primal: Primal, rows: Rows, ratios: Sequence[Fraction]) -> Array:
    """The rows on the wrong side of a hyperplane; those on it are not."""
    w = rational.floats_of(ratios)
    m, lengths = margins(primal, w[None], rows), np.sqrt(rows.norm2[rows.train])
    bound = certainty.product_error(w) * lengths + certainty.TINY
    if (m < -bound).any():
        return rows.train[m < -bound]
    unsure = rows.train[~(m > bound)]
    return unsure[certainty.exact_signs(primal, ratios, unsure) * rows.y[unsure] < 0]


def hyperplane_margin(source: Source, proof: Proof) -> float:
    """The distance of the nearest of all rows from a hyperplane."""
    ratios, least = proof.separator.ratios, proof.least

    def here(block: LabelledRows) -> float:
        w = rational.floats_of(ratios)
        few = block.undecided([w[None]])
        return certainty.nearest_distance(few.storage, ratios, few.rows[0], least)

    return min(source.each(here))
