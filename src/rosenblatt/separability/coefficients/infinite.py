"""Directions in which weak separators can go, which is where maximum likelihood runs away."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import null_space
from scipy.optimize import linprog

from rosenblatt.core.loop import Array, Primal, Rows
from rosenblatt.core.vectors import dense, margins, store, take
from rosenblatt.inputs.validation import Problem, rows_of
from rosenblatt.separability.exact.certainty import exact_signs
from rosenblatt.separability.floating_point.orthonormal_basis import blocks
from rosenblatt.separability.several_classes.row_pairs import all_pairs

ROWS_ADDED = 200  # rows that a linear program takes in at a time
DEPENDENT_SHARE = 1e-10  # of a column beyond others: rounding leaves less, data seldom so little
PAIR_NUMBERS = 2**26  # of the pairs of rows and rivals
NEGLIGIBLE = 1e-9  # what is nothing in a vector of length 1
SLIGHT = 1e-6  # what may be nothing, in the unit box with columns scaled to it


class Cone(NamedTuple):
    """The weak separators: u in given columns, scaled, with `still` @ u = 0, right on live rows."""

    primal: Primal
    rows: Rows  # the live ones to train on
    scale: Array  # of all columns
    free: Array  # which columns depend on no others
    columns: Array  # in which u is not always zero
    still: Array

    def margins(self, u: Array) -> Array:
        """The margins of the live rows."""
        w = np.zeros(len(self.scale))
        w[self.columns] = u * self.scale[self.columns]
        return margins(self.primal, w[None], self.rows)

    def signed(self, members: Array) -> Array:
        """Rows times their labels, in the columns of u."""
        Z = take(self.primal, members) * self.rows.y[members, None] * self.scale
        return np.asarray(Z[:, self.columns])

    def worst(self, u: Array, members: Array) -> Array:
        """The rows that u gets wrong, the worst first, but those that are members."""
        m = self.margins(u)
        wrong = np.flatnonzero(m < -SLIGHT)
        return np.setdiff1d(self.rows.train[wrong[np.argsort(m[wrong])[:ROWS_ADDED]]], members)


def weak_separators(
    primal: Primal, rows: Rows, references: Sequence[int] = (), separator: Any = None
) -> Cone:
    """The cone of weak separators, without columns that depend on others or are references.

    `separator` is one that is right on as many rows as any: where it vanishes, all do (facial
    reduction). Those that vanish there are a subspace, with nothing but zeros in most columns.
    """
    scale = column_scale(primal, rows.train)
    free = independent_columns(primal, rows.train, scale, references)
    columns = np.flatnonzero(free)
    if separator is None:
        return Cone(primal, rows, scale, free, columns, np.empty((0, len(columns))))
    on = exact_signs(primal, separator.ratios, rows.train) == 0
    face, live = rows.train[on], rows.train[~on]
    space = null_space(triangular(primal, face, scale)[:, columns], rcond=DEPENDENT_SHARE)
    used = np.abs(space).max(axis=1, initial=0) > NEGLIGIBLE
    still = null_space(space[used].T, rcond=DEPENDENT_SHARE).T
    return Cone(primal, rows._replace(train=live), scale, free, columns[used], still)


def coefficient_directions(cone: Cone, references: Sequence[int] = ()) -> list[str]:
    """What each coefficient, the bias last, can be over all weak separators in the unit box."""
    told = [NAMES[False, False] if free else NAMES[()] for free in cone.free]
    for j in references:
        told[j] = REFERENCE
    for j, reached in zip(cone.columns.tolist(), reachable(cone).T.tolist(), strict=True):
        told[j] = NAMES[tuple(reached)]
    return told


# A weak separator tells of every column that it moves, so few linear programs tell of many. All
# that is missing is asked for together, for as long as something is found; then, in that way, the
# columns that none has moved: what is zero along a goal drawn at random, and along its opposite, is
# zero in all of them. What is still missing is asked for one by one.


def reachable(cone: Cone) -> Array:
    """Whether weak separators can raise each column, and whether they can lower it."""
    d = len(cone.columns)
    reach, rng = Reach(cone, np.zeros((2, d), bool), cone.rows.train[:0]), np.random.default_rng(0)
    while reach.extend(rng.uniform(1, 2, (2, d)) * ~reach.ways):
        continue
    while reach.extend(rng.uniform(1, 2, (2, d)) * ~reach.ways.any(axis=0)):
        continue
    for way, k in np.argwhere(~reach.ways & reach.ways.any(axis=0)):
        if not reach.ways[way, k]:
            reach.go((1.0, -1.0)[way] * np.eye(d)[k])
    return reach.ways


def multinomial_directions(
    problem: Problem, fit_intercept: bool, references: Sequence[int] = ()
) -> list[list[str]]:
    """The same for each class but the first, whose coefficients the multinomial model has as zero.

    The rows are the pairs of a row and a rival, in which a machine that lets the own class lead is
    a weak separator; the bias comes last.
    """
    k, (n, d) = len(problem.classes), problem.X.shape
    if n * k * k * (d + 1) > PAIR_NUMBERS:
        raise ValueError(f"{n} rows of {k} classes are too many; take some of the classes")
    first = int(fit_intercept)
    X = np.hstack((np.ones((n, first)), dense(problem.X)))  # the bias first, as a column
    Z = np.vstack([Z for *_, Z in all_pairs(X, problem.codes, k, 0.0)])
    primal = store(Z, 0.0)
    rows = rows_of(primal, np.ones(len(Z), np.int32))
    free = free_columns(X, k, [first + j for j in references])
    columns = np.flatnonzero(free)
    still = np.empty((0, len(columns)))
    cone = Cone(primal, rows, column_scale(primal, rows.train), free, columns, still)
    left_out = [c * (d + first) + first + j for c in range(k - 1) for j in references]
    parts = np.array_split(np.array(coefficient_directions(cone, left_out)[:-1]), k - 1)
    return [np.roll(part, -first).tolist() for part in parts]


def free_columns(X: Array, k: int, references: Sequence[int]) -> Array:
    """Which columns of pairs depend on no others: of each class, those of the rows themselves.

    Weights that vanish on all pairs score all classes of each row alike, and the first is zero.
    """
    primal, train = store(X, 0.0), np.arange(len(X))
    own = independent_columns(primal, train, column_scale(primal, train), references)[:-1]
    return np.append(np.tile(own, k - 1), False)


REFERENCE = "reference"
NAMES = {
    (): "aliased",
    (True, True): "either",
    (True, False): "+inf",
    (False, True): "-inf",
    (False, False): "finite",
}


def column_scale(primal: Primal, train: Array) -> Array:
    """What brings the largest number of each column, the bias last, to 1."""
    largest = np.max([np.abs(b).max(axis=0) for b in blocks(primal, train)], axis=0)
    return 1 / np.where(largest > 0, largest, 1.0)


def independent_columns(
    primal: Primal, train: Array, scale: Array, references: Sequence[int] = ()
) -> Array:
    """Which columns are no combination of those before them, the bias being the first."""
    d = len(scale)
    order = [d - 1, *(j for j in range(d - 1) if j not in references)]
    R = triangular(primal, train, scale)[:, order]
    free, own = np.zeros(d, bool), np.empty((len(R), 0))
    for j, column in zip(order, R.T, strict=True):
        rest = column - own @ (own.T @ column)
        rest -= own @ (own.T @ rest)  # what rounding left
        length = float(np.linalg.norm(rest))
        if length > DEPENDENT_SHARE * np.linalg.norm(column):
            free[j] = True
            own = np.column_stack((own, rest / length))
    return free


def triangular(primal: Primal, train: Array, scale: Array) -> Array:
    """A factor R of the scaled rows, X̂ = Q R."""
    factors = [np.linalg.qr(b * scale, mode="r") for b in blocks(primal, train)]
    return np.asarray(np.linalg.qr(np.vstack([np.zeros((1, len(scale))), *factors]), mode="r"))


@dataclass
class Reach:
    """What weak separators are known to reach."""

    cone: Cone
    ways: Array  # whether they raise each column, and whether they lower it
    members: Array  # the rows that have mattered so far

    def extend(self, asked: Array) -> bool:
        """Go to where columns rise and fall as asked, and the other way; whether new ones move."""
        before = np.count_nonzero(self.ways)
        up, down = asked
        self.go(up - down)
        self.go(down - up)
        return bool(np.count_nonzero(self.ways) > before)

    def go(self, goal: Array) -> None:
        """Take in what moves on the way to a goal."""
        u = self.farthest(goal)
        self.ways |= [u > SLIGHT, u < -SLIGHT]

    def farthest(self, goal: Array) -> Array:
        """The weak separator in the box that goes farthest; zero if none goes anywhere."""
        still = (self.cone.still, np.zeros(len(self.cone.still)))
        while goal.any():
            Z = self.cone.signed(self.members)
            most = -Z, np.zeros(len(Z))
            answer = linprog(-goal, *most, *still, bounds=(-1, 1), method="highs-ds")
            if -answer.fun <= SLIGHT:
                break
            new = self.cone.worst(answer.x, self.members)
            if not len(new):
                return np.asarray(answer.x)
            self.members = np.append(self.members, new)
        return np.zeros(len(goal))
