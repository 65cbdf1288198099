"""Separate, or find rows in conflict: the perceptron in a space stretched by its own mistakes.

Separability does not change under an invertible linear map, but the margin does. The rescaled
perceptron (Dunagan and Vempala 2004; Peña and Soheili 2016; Hoberg and Rothvoss 2017) uses its
mistakes to choose the map:

1. *Frame.* Columns are scaled and made orthonormal, X̂ = Q R, so that scale and collinearity are
   gone; rows of Q are scaled to length 1.
2. *Consultation.* The shortest convex combination of a working set is found (Wolfe's nearest
   point). If it has a length, it separates the working set: then all rows are checked in the
   user's coordinates, and the worst join. If it is nothing, its weights are a conflict, provided
   that exact rationals confirm it. A few of these decide all but the finest margins.
3. *Phase.* Plain passes, from zero, over the working set, and the same check of all rows.
4. *Stretch.* After 5r mistakes u, the space is shrunk along them: the new inner product is that of
   I/r + mean(u u'), so that a margin ε becomes visible after about log(1/ε) phases. The map is
   held as a triangular factor T, whose condition is the square root of the inner product's. Now
   and then there is a consultation in the stretched space.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from scipy.linalg import cholesky, solve_triangular

from rosenblatt import exact
from rosenblatt.frames import MOST_DIMENSIONS, frame
from rosenblatt.geometry import margins, pick, take
from rosenblatt.hull import VANISHED, Nearest, nearest_point
from rosenblatt.orders import UNDRAWN
from rosenblatt.rules import Rule
from rosenblatt.sweep import Array, Dense, Rows, Sparse, room, sweep
from rosenblatt.threads import one_thread
from rosenblatt.training import Plan, Run, begin, train

ROUNDS = 12  # consultations before the space is stretched
PHASES = 200
FEW_FEATURES, MOST_PASSES = 100, 32  # of plain passes before the first consultation
SHORTEST, LONGEST = 1e-140, 1e140  # rows whose products neither vanish nor overflow
HAIR = 1e-9  # stretched rows closer than this to the hyperplane are not right yet

Primal = Dense | Sparse


class Separator(NamedTuple):
    """A hypothesis that gets every row right, for certain; the nearest scores about 1."""

    w: Array


class Conflict(NamedTuple):
    """Rows that no hypothesis gets right together: with these weights they add up to nothing."""

    rows: Array
    weights: list[Fraction]


class Undecided(NamedTuple):
    """Neither was found."""

    reason: str


Answer = Separator | Conflict | Undecided


@one_thread
@np.errstate(over="ignore", invalid="ignore")  # what is not finite is not certain
def decide(primal: Primal, rows: Rows, erred: Array | None = None) -> Answer:
    """Separate the rows, or find some in conflict, with a bounded amount of work.

    `erred` are rows that have been hard before; without them, plain passes are made first.
    """
    ones = np.ones(len(rows.y))
    rows = rows._replace(boundary=0, weight=ones, cost=ones)
    lengths = pick(rows.norm2, rows.train)
    zero = rows.train[lengths == 0]
    zero = zero[~take(primal, zero).any(axis=1)]  # some are only too short for their square
    if len(zero):
        return Conflict(zero[:1], [Fraction(1)])
    if not SHORTEST**2 < lengths.min() <= lengths.max() < LONGEST**2:
        return Undecided("rows of X are too short or too long for floating point: scale them")
    if erred is None:
        run = skirmish(primal, rows)
        if run.reason == "separated" and (answer := check(primal, run.W[0], rows)[0]):
            return answer
        erred = hardest(run)
    d = take(primal, rows.train[:1]).shape[1]
    working = np.union1d(erred[: 16 * d], sample(rows.train, 8 * d)).astype(np.uint32)
    basis = frame(primal, working)
    if basis is None or basis.shape[1] < min(d - (primal.bias == 0), len(rows.train)):
        basis = frame(primal, rows.train)
    if basis is None:
        return Undecided(
            f"the rows span more than {MOST_DIMENSIONS} dimensions, and plain passes did not "
            "separate them"
        )
    return campaign(Field(primal, rows, basis), working)


def skirmish(primal: Primal, rows: Rows) -> Run:
    """A plain pass; more, where a consultation would cost more than they do."""
    d = take(primal, rows.train[:1]).shape[1]
    passes = max(1, min(int((d / FEW_FEATURES) ** 3), MOST_PASSES))
    order = "active" if passes > 1 else "sweep"
    plan = Plan(Rule(rate=1.0), order=order, keep="last", max_iter=passes)
    run = begin(primal, np.zeros((1, d)), rows, plan, 1.0)
    for _ in train(run, primal, rows, plan, UNDRAWN, rows.train[:0]):
        pass
    return run


def hardest(run: Run) -> Array:
    """The rows that a run erred on, those with the largest steps first."""
    rows = np.flatnonzero(run.dual[0])
    return rows[np.argsort(-np.abs(run.dual[0, rows]), kind="stable")]


def check(primal: Primal, w: Array, rows: Rows) -> tuple[Separator | None, Array]:
    """w as the answer, if it gets all rows right; and the rows that it may not, the worst first."""
    m = margins(primal, w[None], rows)
    doubts = exact.doubtful(primal, w, rows, m)
    return None if len(doubts) else Separator(well_scaled(w, float(m.min()))), doubts


def well_scaled(w: Array, nearest: float) -> Array:
    """The hypothesis times a power of two, which changes no digit: the nearest row scores about 1.

    Where that would be out of proportion, it is left as it is.
    """
    power = -math.log2(nearest) if nearest > 0 else 0.0
    return w * 2.0 ** round(power) if abs(power) < 300 else w


def campaign(ground: "Field", working: Array) -> Answer:
    """Consultations, then phase after phase, until there is an answer or they are used up."""
    ground.admit(working)
    if first := ground.approach():
        return first
    consult = consultations()
    when = next(consult)
    for phase in range(PHASES):
        answer: Answer | None = ground.phase()
        if answer is None and phase == when:
            answer, when = ground.consult(), next(consult)
        if answer is not None:
            return answer
        ground.stretch()
    return Undecided(
        f"no answer after {PHASES} phases: if the data can be separated, the margin is finer than "
        "floating point resolves"
    )


def consultations() -> Iterator[int]:
    """The phases after which the nearest point is asked for: ever more rarely."""
    when = 2
    while True:
        yield when
        when += when // 2 + 1


def sample(train: Array, k: int) -> Array:
    """About k of the rows, evenly spread."""
    return train[:: max(1, len(train) // k)][:k]


# -- Working set, phases and stretches -------------------------------------------------------------


@dataclass
class Field:
    """A working set of rows z = y x̂, in the frame and in the stretched space."""

    primal: Primal
    rows: Rows
    basis: Array
    members: Array = field(init=False)  # which rows
    Z: Array = field(init=False)  # in the frame, of length 1
    sizes: Array = field(init=False)  # their lengths there
    T: Array = field(init=False)  # the stretch
    mistakes: list[Array] = field(init=False)  # of this phase, in the stretched space
    nearest: Nearest | None = None  # what the last consultation in this space has found

    def __post_init__(self) -> None:
        r = self.basis.shape[1]
        self.members, self.sizes = np.empty(0, np.uint32), np.empty(0)
        self.Z, self.T = np.empty((0, r)), np.eye(r)

    def admit(self, i: Array) -> None:
        """Take rows into the working set, if they are not there yet."""
        i = np.setdiff1d(i, self.members).astype(np.uint32)
        Z = (take(self.primal, i) * self.rows.y[i, None]) @ self.basis
        Z, sizes = unit(Z)
        self.members = np.append(self.members, i)
        self.Z, self.sizes = np.vstack((self.Z, Z)), np.append(self.sizes, sizes)

    def phase(self) -> Separator | None:
        """Plain passes in the stretched space, from zero, for at most 5r mistakes."""
        r = len(self.T)
        v, left, self.mistakes = np.zeros((1, r + 1)), 5 * r, []
        while left > 0:
            U = unit(self.Z @ self.T)[0]
            left -= self._sweep(U, v, left)
            before = len(self.members)
            if left > 0 and (answer := self.check(self.T @ v[0, :-1])):
                return answer
            if len(self.members) == before:
                return None
        return None

    def _sweep(self, U: Array, v: Array, most: int) -> int:
        """Passes over the working set until all of it is right, or for so many mistakes."""
        n, moves = len(U), 0
        ones = np.ones(n)
        rows = Rows(ones.astype(np.int32), ones, ones, 0, np.arange(n, dtype=np.uint32), ones)
        log, made = room(most), -1
        while made and moves < most:
            made = sweep(
                Dense(U, 0.0), v, rows, Rule(HAIR, 1.0), rows.train, 1, 0, log, most - moves
            )[1]
            self.mistakes.append(U[log.i[:made]])
            moves += made
        return moves

    def check(self, w: Array) -> Separator | None:
        """w, carried back, if it gets all rows right; else the worst join the working set."""
        answer, doubts = check(self.primal, self.basis @ w, self.rows)
        self.admit(doubts[: max(64, 2 * len(self.T))])
        return answer

    def stretch(self) -> None:
        """Shrink the space along the mistakes of the last phase."""
        r, U = len(self.T), np.vstack(self.mistakes)
        L = cholesky(np.eye(r) / r + U.T @ U / len(U), lower=True)
        T = solve_triangular(L, self.T.T, lower=True).T
        self.T, self.nearest = T / np.abs(T).max(), None

    def approach(self) -> Answer | None:
        """Consult again and again, as long as that brings rows into the working set."""
        for _ in range(ROUNDS):
            before = len(self.members)
            if (answer := self.consult()) or len(self.members) == before:
                return answer
        return None

    def consult(self) -> Answer | None:
        """Ask for the shortest convex combination of the working set, in the stretched space."""
        U, sizes = unit(self.Z @ self.T)
        self.nearest = found = nearest_point(U, gap=0.1, known=self.nearest)
        if found.x @ found.x > VANISHED**2:
            return self.check(self.T @ found.x)
        i = self.members[found.corral]
        Z = take(self.primal, i) * self.rows.y[i, None]
        guess = found.weights / (sizes * self.sizes)[found.corral]
        proof = exact.conflict(Z, guess.tolist())
        return None if proof is None else Conflict(i, proof)


def unit(Z: Array) -> tuple[Array, Array]:
    """Rows of length 1, and the lengths they had."""
    sizes = np.linalg.norm(Z, axis=1)
    sizes[sizes == 0] = 1.0
    return Z / sizes[:, None], sizes
