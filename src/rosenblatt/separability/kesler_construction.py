"""Several classes as one problem: Kesler's construction (Nilsson 1965; Duda and Hart 1973).

A linear machine has weights ŵ_c for each of k classes. It is right on a row of class y when y leads
every rival r: (ŵ_y - ŵ_r)·x̂ > 0. So each pair (row, rival) is one row z = (e_y - e_r) ⊗ x̂ of a
problem with a single hypothesis, the weights of all classes in line. Adding the same weights to all
classes changes nothing; those of the first are zero. With two classes, z is x̂ or -x̂.

The n(k - 1) pairs of (k - 1)(d + 1) numbers are never made all at once. The hard ones are gathered
and decided on; a linear machine found that way is checked on all rows by its scores, exactly where
rounding could decide, and the pairs that refute it are gathered too. A conflict among some pairs is
a conflict of all.
"""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import partial, reduce
from typing import Any, NamedTuple, Protocol

import numpy as np
import scipy.sparse as sp

from rosenblatt.core.loop import Array, Primal, Rows
from rosenblatt.core.vectors import store
from rosenblatt.inputs.validation import rows_of
from rosenblatt.separability.certificate import LinearMachine, PairConflictWeights
from rosenblatt.separability.decide import Conflict, Separator, Undecided, decide
from rosenblatt.separability.exact.confirmation import (
    confirm_conflict,
    dense,
    error_bound,
    scaled,
    sides,
    with_bias,
)
from rosenblatt.separability.exact.rational import Span, rounded, span
from rosenblatt.separability.joint_passes import PairConflict as PairConflict
from rosenblatt.separability.joint_passes import find_without_pairs
from rosenblatt.separability.proofs import Proof, open_between, outside, prove

Machine = list[list[Fraction]]  # exact weights of each class, the bias last if there is one

ROUNDS = 200  # the most times that all rows are checked
FEW_DIMENSIONS = 1000  # of pairs, beyond which passes over the rows themselves come first
MOST_BYTES = 2**31  # of pairs with all their dimensions
AT_ONCE = 2**23  # bytes of pairs gathered in one look, or a few for each dimension
IN_ALL = 2**30  # bytes of pairs gathered
CHUNK = 2**16  # rows scored together


class LabelledRows(Protocol):
    """Rows, their numbers among all, and their classes."""

    @property
    def numbers(self) -> Array: ...
    @property
    def X(self) -> Any: ...
    @property
    def codes(self) -> Array: ...


class Whole(NamedTuple):
    """Rows in memory."""

    numbers: Array
    X: Any
    codes: Array


class Source(NamedTuple):
    """The rows of several classes, wherever they are."""

    n: int
    d: int
    k: int  # classes
    bias: float
    each: Callable[[Callable[[Any], Any]], Iterable[Any]]
    take: Callable[[Array], LabelledRows]
    whole: Whole | None = None  # where they are in memory

    @property
    def width(self) -> int:
        """The numbers in x̂."""
        return self.d + (self.bias > 0)

    @property
    def dimensions(self) -> int:
        return (self.k - 1) * self.width

    @property
    def capacity(self) -> int:
        """Pairs to gather in one look."""
        return max(AT_ONCE // (8 * self.dimensions), 3 * self.dimensions, 256)


def in_memory(X: Any, codes: Array, k: int, bias: float) -> Source:
    """A source of rows in memory."""
    whole = Whole(np.arange(len(codes)), X, codes)

    def take(i: Array) -> Whole:
        return Whole(i, X[i], codes[i])

    return Source(X.shape[0], X.shape[1], k, bias, lambda find: [find(whole)], take, whole)


def augmented(X: Any, bias: float) -> Array:
    """Rows x̂: with a constant if there is a bias."""
    return with_bias(X, bias) if bias else dense(X)


def design(X: Array, own: Array, rival: Array, k: int) -> Array:
    """The rows z of pairs, from their rows x̂."""
    Z, rows = np.zeros((len(X), k, X.shape[1])), np.arange(len(X))
    Z[rows, own], Z[rows, rival] = X, -X
    return Z[:, 1:].reshape(len(X), -1)


# -- Hard pairs ------------------------------------------------------------------------------------


class HardPairs(NamedTuple):
    """Pairs of rows and rivals worth gathering."""

    i: Array
    own: Array
    rival: Array
    X: Array  # x̂
    distance: Array  # the lead over the rival, by the row's length; the smallest are the hardest

    def cut(self, places: Array) -> "HardPairs":
        return HardPairs(*(column[places] for column in self))

    def join(self, other: "HardPairs") -> "HardPairs":
        """Both, each pair once."""
        both = HardPairs(*(np.concatenate(pair) for pair in zip(self, other, strict=True)))
        return both.cut(np.unique(np.stack((both.i, both.rival)), axis=1, return_index=True)[1])

    def hardest(self, most: int) -> "HardPairs":
        return self.cut(np.sort(np.argsort(self.distance, kind="stable")[:most]))

    def problem(self, k: int) -> tuple[Primal, Rows]:
        """These pairs as a problem of their own, without a bias."""
        primal = store(design(self.X, self.own, self.rival, k), 0.0)
        return primal, rows_of(primal, np.ones(len(self.i)))


def pick(rows: LabelledRows, source: Source, i: Array, rival: Array, lead: Array) -> HardPairs:
    """Some pairs of some rows, no more than are gathered at once."""
    if len(i) > source.capacity:
        behind = np.argpartition(lead, source.capacity)[: source.capacity]
        i, rival, lead = i[behind], rival[behind], lead[behind]
    X = augmented(matrix_of(rows.X)[i], source.bias)
    distance = lead / np.maximum(np.linalg.norm(X, axis=1), np.finfo(float).tiny)
    return HardPairs(rows.numbers[i], rows.codes[i], rival, X, distance)


def matrix_of(X: Any) -> Any:
    """A CSR matrix, or an array."""
    return X if sp.issparse(X) else np.asarray(X)


def gather(source: Source, find: Callable[[LabelledRows], HardPairs]) -> HardPairs:
    """The hardest pairs that are found in all blocks."""
    return reduce(lambda a, b: a.join(b).hardest(source.capacity), source.each(find))


def leads(X: Any, codes: Array, W: Array) -> Array:
    """By how much the own class of each row leads each rival; infinite over itself."""
    f = X @ W[:, : X.shape[1]].T
    f += W[:, X.shape[1] :].sum(axis=1)
    rows = np.arange(len(codes))
    lead = f[rows, codes][:, None] - f
    lead[rows, codes] = np.inf
    return lead


def beginning(source: Source, W: Array) -> HardPairs:
    """Pairs to begin with: all rivals of a few rows, and the closest rivals under W."""
    stride = max(1, 2 * source.n * (source.k - 1) // source.capacity)

    def find(rows: LabelledRows) -> HardPairs:
        lead = leads(matrix_of(rows.X), rows.codes, W)
        sampled = (rows.numbers % stride == 0)[:, None] & np.isfinite(lead)
        lead[sampled] = -np.inf
        near = np.argsort(lead.min(axis=1), kind="stable")[: source.capacity // 2]
        sampled[near, lead[near].argmin(axis=1)] = True
        i, rival = np.nonzero(sampled)
        return pick(rows, source, i, rival, lead[i, rival])

    return gather(source, find)


# -- Checking a linear machine on all rows ---------------------------------------------------------


def refuting(rows: LabelledRows, source: Source, machine: Machine, strict: bool) -> HardPairs:
    """The pairs that a machine gets wrong: its own class is behind or, if it must lead, ties."""
    X, V, found = matrix_of(rows.X), floats(machine), []
    for k in range(0, len(rows.codes), CHUNK):
        lead, signs = exact_leads(X[k : k + CHUNK], rows.codes[k : k + CHUNK], machine, V)
        i, rival = np.nonzero(signs <= 0 if strict else signs < 0)
        found.append((k + i, rival, lead[i, rival]))
    return pick(rows, source, *(np.concatenate(column) for column in zip(*found, strict=True)))


@np.errstate(all="ignore")  # a bound that is not finite makes nothing certain
def exact_leads(X: Any, codes: Array, machine: Machine, V: Array) -> tuple[Array, Array]:
    """The own class's lead over each class, about, and its sign, exactly; 1 over itself.

    A lead in floating point is off by at most twice the error of a score. One bound for all rows
    leaves few of them; these have their own, and what remains is exact. V are the machine's weights
    in floats.
    """
    lead, largest = leads(X, codes, V), np.abs(V).max(axis=0)
    least = np.abs(lead).min(axis=1)
    bound = 2 * error_bound(dense(abs(X).max(axis=0)).reshape(1, -1), largest)
    unsure = np.flatnonzero(~(least > bound))
    unsure = unsure[~(least[unsure] > 2 * error_bound(abs(X[unsure]), largest))]
    signs = np.sign(lead)
    signs[unsure] = exact_signs(X[unsure], codes[unsure], machine)
    return lead, signs


def floats(machine: Machine) -> Array:
    """The weights, rounded, of which the largest is about 1."""
    together = scaled([x for w in machine for x in w])
    return together.reshape(len(machine), -1)


def exact_signs(X: Any, codes: Array, machine: Machine) -> Array:
    """The signs of leads, each lead as a product with the difference of two classes."""
    signs = np.ones((len(codes), len(machine)))
    for own in np.unique(codes).tolist():
        rows = np.flatnonzero(codes == own)
        for rival in set(range(len(machine))) - {own}:
            w = [a - b for a, b in zip(machine[own], machine[rival], strict=True)]
            signs[rows, rival] = sides(X[rows], w)
    return signs


def all_pairs(X: Any, codes: Array, k: int, bias: float) -> Iterator[tuple[Array, Array, Array]]:
    """Rows, rivals and z of all pairs, some at a time."""
    size = max(1, CHUNK // (k * k * (X.shape[1] + 1)))
    for begin in range(0, len(codes), size):
        i, rival = (g.ravel() for g in np.mgrid[begin : min(begin + size, len(codes)), :k])
        other = rival != codes[i]
        i, rival = i[other], rival[other]
        yield i, rival, design(augmented(X[i], bias), codes[i], rival, k)


def outside_span(rows: LabelledRows, source: Source, within: Span) -> HardPairs:
    """Pairs that are not in a span, as many as are gathered at once."""
    found, X = [], matrix_of(rows.X)
    for i, rival, Z in all_pairs(X, rows.codes, source.k, source.bias):
        stray = outside(store(Z, 0.0), np.arange(len(Z)), within)
        found.append(pick(rows, source, i[stray], rival[stray], np.zeros(len(stray))))
        if sum(len(pairs.i) for pairs in found) > source.capacity:
            break
    return reduce(HardPairs.join, found)


# -- Deciding and proving --------------------------------------------------------------------------


def decide_jointly(source: Source, W: Array) -> Separator | PairConflict | Undecided:
    """Find a linear machine that gets every row right, or pairs in conflict; begin near W."""
    if (known := at_once(source)) is not None:
        return known
    found = beginning(source, W)
    for _ in range(ROUNDS):
        answer = decide(*found.problem(source.k))
        if isinstance(answer, Undecided):
            return answer
        if isinstance(answer, Conflict):
            return confirmed(found, answer, source)
        machine = machine_of(answer.exactly()[:-1], source)
        more = gather(source, partial(refuting, source=source, machine=machine, strict=True))
        if not len(more.i):
            ratios = None if answer.ratios is None else [x for w in machine for x in w]
            return Separator(weights_of(machine, source), ratios)
        found = found.join(more)
        if found.X.nbytes * (source.k - 1) > IN_ALL:
            break
    return Undecided(unanswered(found))


def at_once(source: Source) -> Separator | PairConflict | Undecided | None:
    """The answer of plain passes and contradictory rows, where pairs have many dimensions."""
    d, whole = source.dimensions, source.whole
    known = None
    if whole and d > FEW_DIMENSIONS:
        known = find_without_pairs(whole.X, whole.codes, source.k, source.bias)
    if isinstance(known, PairConflict):
        return confirmed_pairs(known, source)
    if known is None and 8 * source.capacity * d > MOST_BYTES:
        return Undecided(
            f"plain passes found no linear machine, and pairs of rows and rivals have {d} "
            "dimensions: too many to decide on them jointly"
        )
    return known


def unanswered(found: HardPairs) -> str:
    return f"no answer on the {len(found.i)} hardest pairs of rows and rivals holds for all of them"


def machine_of(w: list[Fraction], source: Source) -> Machine:
    """The weights of each class, from those of all but the first in line."""
    parts = [w[k : k + source.width] for k in range(0, len(w), source.width)]
    return [[Fraction(0)] * source.width, *parts]


def weights_of(machine: Machine, source: Source) -> Array:
    """Weights and biases in floating point."""
    W = np.array([[rounded(x) for x in w] for w in machine])
    return W if source.bias else np.column_stack((W, np.zeros(source.k)))


def confirmed(found: HardPairs, conflict: Conflict, source: Source) -> PairConflict:
    """A conflict whose rows were taken from their source again, and cancel out."""
    i = conflict.rows
    return confirmed_pairs(PairConflict(found.i[i], found.rival[i], conflict.weights), source)


def confirmed_pairs(pairs: PairConflict, source: Source) -> PairConflict:
    """Pairs in conflict, whose rows were taken from their source again, and cancel out."""
    again = source.take(pairs.rows)
    Z = design(augmented(again.X, source.bias), again.codes, pairs.rivals, source.k)
    confirm_conflict(Z, pairs.weights, pairs.rows)
    return pairs


def prove_jointly(source: Source, W: Array) -> Proof:
    """A verdict on all rows, with its proof: see `certificates` for the three verdicts."""
    if (known := proof_at_once(source)) is not None:
        return known
    found = beginning(source, W)
    for _ in range(ROUNDS):
        primal, rows = found.problem(source.k)
        proof = prove(primal, rows)
        if proof.verdict == "undecided":
            return proof
        more = gather(source, refutation(proof, found, source))
        if not len(more.i):
            return told(proof, found, source)
        found = found.join(more)
        if found.X.nbytes * (source.k - 1) > IN_ALL:
            break
    return Proof("undecided", reason=unanswered(found))


def proof_at_once(source: Source) -> Proof | None:
    """The proof of what plain passes and contradictory rows show; None if pairs must be made."""
    known = at_once(source)
    if isinstance(known, Undecided):
        return Proof("undecided", reason=known.reason)
    if isinstance(known, Separator):
        return Proof("separable", linear_machine(fractions_of(known.w), source))
    if known is None or 8 * source.capacity * source.dimensions <= MOST_BYTES:
        return None
    return open_between(known, "there are too many dimensions to make pairs of rows and rivals")


def fractions_of(W: Array) -> Machine:
    """Weights as exact fractions."""
    return [[Fraction(x) for x in w] for w in W.tolist()]


def refutation(
    proof: Proof, found: HardPairs, source: Source
) -> Callable[[LabelledRows], HardPairs]:
    """What finds the pairs for which a proof on other pairs does not hold."""
    if proof.separator is not None:
        machine, strict = machine_of(proof.separator.w, source), proof.verdict == "separable"
        return partial(refuting, source=source, machine=machine, strict=strict)
    assert proof.conflict is not None
    part = found.cut(np.array(proof.conflict.rows))
    within = span(with_bias(design(part.X, part.own, part.rival, source.k), 0.0))
    if within.is_whole(0.0):
        return lambda rows: pick(rows, source, *(np.empty(0, int),) * 2, np.empty(0))
    return partial(outside_span, source=source, within=within)


def told(proof: Proof, found: HardPairs, source: Source) -> Proof:
    """A proof with a linear machine, and with the numbers that rows have among all."""
    if proof.separator is not None:
        machine = machine_of(proof.separator.w, source)
        proof = proof._replace(separator=linear_machine(machine, source))
    if proof.conflict is not None:
        rows, weights = proof.conflict
        pairs = confirmed(found, Conflict(np.array(rows), weights), source)
        clash = PairConflictWeights(pairs.rows.tolist(), pairs.rivals.tolist(), pairs.weights)
        proof = proof._replace(conflict=clash)
    return proof


def linear_machine(machine: Machine, source: Source) -> LinearMachine:
    """The weights and biases of each class."""
    w = [weights[: source.d] for weights in machine]
    return LinearMachine(w, [weights[-1] if source.bias else Fraction(0) for weights in machine])


def machine_margin(source: Source, proof: Proof) -> float:
    """The smallest distance of a row from a border between its own class and a rival."""
    if proof.verdict != "separable":
        return 0.0
    V = floats([[*w, b] for w, b in zip(*proof.separator, strict=True)])

    def nearest(rows: LabelledRows) -> float:
        lead = leads(matrix_of(rows.X), rows.codes, V)
        between = np.linalg.norm(V[:, None, :-1] - V[None, :, :-1], axis=2)
        return float((lead / np.maximum(between[rows.codes], np.finfo(float).tiny)).min())

    return min(source.each(nearest))
