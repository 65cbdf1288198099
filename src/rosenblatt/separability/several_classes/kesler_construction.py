"""Several classes as one problem: Kesler's construction (Nilsson 1965; Duda and Hart 1973).

A linear machine has weights ŵ_c for each of k classes, and each pair of a row and a rival is one
row of a problem with a single hypothesis (`row_pairs`). The n(k - 1) pairs of (k - 1)(d + 1)
numbers are never made all at once. The hard ones are gathered and decided on; a linear machine
found that way is checked on all rows by its scores, exactly where rounding could decide, and the
pairs that refute it are gathered too. A conflict among some pairs is a conflict of all.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import partial, reduce
from typing import Any

import numpy as np
import scipy.sparse as sp

from rosenblatt.core.loop import Array, Rows
from rosenblatt.core.vectors import dense, pick, store
from rosenblatt.separability.answers import Answer, Conflict, Separator, Undecided
from rosenblatt.separability.certificate_parts import Hyperplane, LinearMachine, PairConflictWeights
from rosenblatt.separability.decide import decide
from rosenblatt.separability.exact.column_relations import (
    Relations,
    strays,
    with_constant,
)
from rosenblatt.separability.exact.confirmation import confirm_conflict
from rosenblatt.separability.exact.rational import FloatRatios, Span, floats_of, in_line, span
from rosenblatt.separability.proofs import Proof, open_between, outside, prove
from rosenblatt.separability.row_sources.gathering import (
    Capacity,
    Find,
    Gathered,
    decide_everywhere,
)
from rosenblatt.separability.row_sources.source import LabelledRows, Source, csr_or_array, in_memory
from rosenblatt.separability.several_classes.joint_passes import find_without_pairs
from rosenblatt.separability.several_classes.row_pairs import (
    Machine,
    all_pairs,
    augmented,
    beginning,
    design,
    every_pair,
    floats,
    leads_over_rivals,
    problem_of_pairs,
    refuting,
    some_pairs,
)

FEW_DIMENSIONS = 1000  # of pairs, beyond which passes over the rows themselves come first
PAIR_BYTES = 2**31  # of pairs with all their dimensions
MOST_NUMBERS = 2**27  # of all pairs of sparse rows
IN_ALL = 2**30  # bytes of pairs gathered


def outside_span(rows: LabelledRows, source: Source, within: Span) -> Gathered:
    """Pairs that are not in a span, as many as are gathered at once."""
    found, X = [], csr_or_array(rows.X)
    for i, rival, Z in all_pairs(X, rows.codes, source.k, source.bias):
        stray = outside(store(Z, 0.0), np.arange(len(Z)), within)
        found.append(some_pairs(rows, source, i[stray], rival[stray], np.zeros(len(stray))))
        if sum(len(pairs.i) for pairs in found) > source.capacity:
            break
    return reduce(Gathered.join, found)


def outside_columns(
    rows: LabelledRows, source: Source, used: Array, relations: Relations
) -> Gathered:
    """Pairs of rows that are not zero where pairs in conflict are, in the place of some class, or
    that break a relation of columns that these obey."""
    X, unused = csr_or_array(rows.X), np.setdiff1d(np.flatnonzero(~used), list(relations))
    constant = source.d in unused
    stray = np.arange(len(rows.codes)) if constant else strays(relations, X, source.bias, unused)
    i, rival = np.nonzero(rows.codes[stray, None] != np.arange(source.k))
    return some_pairs(rows, source, stray[i], rival, np.zeros(len(i)))


# -- Deciding and proving --------------------------------------------------------------------------


def decide_jointly(source: Source, W: Array) -> Answer:
    """Find a linear machine that gets every row right, or pairs in conflict; begin near W."""
    if (known := at_once(source)) is not None:
        return known
    answer, found, holds = decide_everywhere(
        source,
        first_pairs(source, W),
        pair_capacity(source),
        lambda found: decide(*problem_of_pairs(found, source.k), bounded=True, classes=source.k),
        lambda answer, _: not_led(answer, source),
    )
    if isinstance(answer, Conflict):
        return confirmed_among(found, answer, source)
    if isinstance(answer, Undecided) or not holds:
        return answer if holds else Undecided(unanswered(found))
    machine = machine_of(answer.exactly()[:-1], source)
    ratios = None if answer.ratios is None else in_line(machine)
    return Separator(weights_of(machine, source), ratios)


def decide_training_rows(X: Any, rows: Rows, bias: float, W: Array) -> Answer:
    """Decide jointly on the training rows of several classes in memory."""
    some = in_memory(pick(X, rows.train), pick(rows.y, rows.train), len(W), bias)
    answer = decide_jointly(some, W)
    if isinstance(answer, Conflict):
        return answer._replace(rows=rows.train[answer.rows])
    return answer


def not_led(answer: Answer, source: Source) -> Find | None:
    """What finds the pairs that a linear machine does not get right."""
    if not isinstance(answer, Separator):
        return None
    machine = machine_of(answer.exactly()[:-1], source)
    return partial(refuting, source=source.without_rows, machine=machine, strict=True)


def pair_capacity(source: Source) -> Capacity:
    """Pairs to gather in one look, and bytes of their rows in all."""
    return Capacity(source.capacity, IN_ALL // (source.k - 1))


def at_once(source: Source) -> Answer | None:
    """The answer of plain passes and contradictory rows, where pairs have many dimensions."""
    d, whole, known = source.dimensions, source.whole, None
    if whole and d > FEW_DIMENSIONS:
        known = find_without_pairs(whole.X, whole.codes, source.k, source.bias)
    if isinstance(known, Conflict):
        return confirmed_pairs(known, source)
    if known is None and is_too_wide(source) and not has_few_numbers(source):
        return Undecided(
            f"plain passes found no linear machine, and pairs of rows and rivals have {d} "
            "dimensions: too many to decide on them jointly"
        )
    return known


def is_too_wide(source: Source) -> bool:
    """Whether pairs with all their dimensions are too large."""
    return 8 * source.capacity * source.dimensions > PAIR_BYTES


def has_few_numbers(source: Source) -> bool:
    """Whether rows are sparse, and all pairs of them fit in memory."""
    X: Any = source.whole.X if source.whole else None
    return sp.issparse(X) and 2 * (source.k - 1) * (X.nnz + source.n) <= MOST_NUMBERS


def first_pairs(source: Source, W: Array) -> Gathered:
    """Pairs to begin with: some that are hard; of sparse rows in too many dimensions, all."""
    if source.whole and is_too_wide(source):
        return every_pair(source.whole, source)
    return beginning(source, W)


def unanswered(found: Gathered) -> str:
    return f"no answer on the {len(found.i)} hardest pairs of rows and rivals holds for all of them"


def machine_of(w: Sequence[Fraction], source: Source) -> Machine:
    """The weights of each class, from those of all but the first in line."""
    parts = [w[k : k + source.width] for k in range(0, len(w), source.width)]
    return [FloatRatios(np.zeros(source.width)), *parts]


def weights_of(machine: Machine, source: Source) -> Array:
    """Weights and biases in floating point."""
    W = np.array([floats_of(w) for w in machine])
    return W if source.bias else np.column_stack((W, np.zeros(source.k)))


def confirmed_pairs(pairs: Conflict, source: Source) -> Conflict:
    """Pairs in conflict, whose rows were taken from their source again, and cancel out."""
    again = source.take(pairs.rows)
    Z = design(dense(augmented(again.X, source.bias)), again.codes, pairs.rivals, source.k)
    bound = pairs.bound and pairs.bound.repeated(source.width, source.k - 1)
    confirm_conflict(Z, pairs.weights, pairs.rows, bound)
    return pairs


def confirmed_among(found: Gathered, conflict: Conflict, source: Source) -> Conflict:
    """The same for a conflict of pairs that were gathered."""
    i = conflict.rows
    return confirmed_pairs(conflict._replace(rows=found.i[i], rivals=found.rival[i]), source)


def prove_jointly(source: Source) -> Proof:
    """A verdict on all rows, with its proof: see `Certificate` for the three verdicts."""
    known = at_once(source)
    if (shown := proof_at_once(known, source)) is not None:
        return shown
    proof, found, holds = decide_everywhere(
        source,
        first_pairs(source, np.zeros((source.k, source.width))),
        pair_capacity(source),
        lambda found: prove(*problem_of_pairs(found, source.k), bounded=True, classes=source.k),
        lambda proof, found: refutation(proof, found, source),
    )
    if holds and proof.verdict != "undecided":
        return numbered_proof(proof, found, source)
    reason = str(proof.reason) if holds else unanswered(found)
    if isinstance(known, Conflict):
        return open_between(known, reason)
    return Proof("undecided", reason=reason)


def proof_at_once(known: Answer | None, source: Source) -> Proof | None:
    """The proof of what plain passes and contradictory rows show; None if pairs must be made."""
    if isinstance(known, Undecided):
        return Proof("undecided", reason=known.reason)
    if isinstance(known, Separator):
        return Proof("separable", linear_machine([FloatRatios(w) for w in known.w], source))
    if known is None or not is_too_wide(source) or has_few_numbers(source):
        return None
    return open_between(known, "there are too many dimensions to make pairs of rows and rivals")


def refutation(proof: Proof, found: Gathered, source: Source) -> Find | None:
    """What finds the pairs for which a proof on other pairs does not hold."""
    everywhere = proof.separator is None and is_too_wide(source)
    if proof.verdict == "undecided" or everywhere:
        return None
    about = source.without_rows
    if proof.separator is not None:
        machine, strict = machine_of(proof.separator.w, source), proof.verdict == "separable"
        return partial(refuting, source=about, machine=machine, strict=strict)
    part = found.cut(np.array(proof.conflict.rows))
    Z = design(part.X, part.own, part.rival, source.k)
    if proof.bound:
        used = np.all(Z.reshape(len(Z), -1, source.width).any(axis=0), axis=0)
        relations = proof.bound.dependent
        return partial(outside_columns, source=about, used=used, relations=relations)
    within = span(with_constant(Z, 0.0))
    if within.is_whole(0.0):
        return None
    return partial(outside_span, source=about, within=within)


def numbered_proof(proof: Proof, found: Gathered, source: Source) -> Proof:
    """A proof with a linear machine, and with the numbers that rows have among all."""
    if proof.separator is not None:
        machine = machine_of(proof.separator.w, source)
        proof = proof._replace(separator=linear_machine(machine, source))
    if proof.conflict is not None:
        rows, weights = proof.conflict
        conflict = Conflict(np.array(rows), weights, bound=proof.bound)
        pairs = confirmed_among(found, conflict, source)
        clash = PairConflictWeights(pairs.rows.tolist(), pairs.rivals.tolist(), pairs.weights)
        proof = proof._replace(conflict=clash)
    return proof


def linear_machine(machine: Machine, source: Source) -> LinearMachine:
    """The weights and biases of each class."""
    w = [weights[: source.d] for weights in machine]
    return LinearMachine(w, [weights[-1] if source.bias else Fraction(0) for weights in machine])


@np.errstate(over="ignore", invalid="ignore")
def machine_margin(source: Source, proof: Proof) -> float:
    """The smallest distance of a row from a border between its own class and a rival."""
    V = floats([Hyperplane(w, b).ratios for w, b in zip(*proof.separator, strict=True)])
    V = np.ldexp(V, -np.frexp(np.abs(V[:, :-1]).max())[1])  # the same distances, no square lost

    def nearest(rows: LabelledRows) -> float:
        lead = leads_over_rivals(csr_or_array(rows.X), rows.codes, V)
        between = np.linalg.norm(V[:, None, :-1] - V[None, :, :-1], axis=2)
        return float((lead / np.maximum(between[rows.codes], np.finfo(float).tiny)).min())

    return min(source.each(nearest))
