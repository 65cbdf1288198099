"""Directions in which weak separators can go, which is where maximum likelihood runs away."""

from collections.abc import Sequence

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import issparse

from rosenblatt.core.loop import Array, Primal, Rows
from rosenblatt.core.vectors import margins, store, take
from rosenblatt.inputs.validation import Problem, rows_of
from rosenblatt.separability.exact.certainty import n_weights
from rosenblatt.separability.floating_point.orthonormal_basis import blocks
from rosenblatt.separability.several_classes.row_pairs import all_pairs

ROWS_ADDED = 200  # rows that a linear program takes in at a time
DEPENDENT_SHARE = 1e-10  # of a column beyond others: rounding leaves less, data seldom so little
MOST_NUMBERS = 2**26  # of the pairs of rows and rivals
SLIGHT = 1e-6  # what may be nothing, in the unit box with columns scaled to it


def coefficient_directions(
    primal: Primal, rows: Rows, members: Array, references: Sequence[int] = ()
) -> list[str]:
    """What each coefficient, the bias last, can be over all weak separators in the unit box.

    `members` are rows to begin with; the programs share what they take in. `references` are columns
    that are left out of the model.
    """
    d = n_weights(primal)
    scale = column_scale(primal, rows.train)
    free = independent_columns(primal, rows.train, scale, references)
    told = []
    for j in range(d):
        reach = []
        for sign in (1, -1) if free[j] else ():
            value, members = extreme(primal, rows, scale * free, members, sign * np.eye(d)[j])
            reach.append(value > SLIGHT)
        told.append(REFERENCE if j in references else NAMES[tuple(reach)])
    return told


def multinomial_directions(
    problem: Problem, fit_intercept: bool, references: Sequence[int] = ()
) -> list[list[str]]:
    """The same for each class but the first, whose coefficients the multinomial model has as zero.

    The rows are the pairs of a row and a rival, in which a machine that lets the own class lead is
    a weak separator; the bias comes last.
    """
    X = problem.X.toarray() if issparse(problem.X) else problem.X
    k, (n, d) = len(problem.classes), X.shape
    if n * k * k * (d + 1) > MOST_NUMBERS:
        raise ValueError(f"{n} rows of {k} classes are too many; take some of the classes")
    ones = np.ones((n, int(fit_intercept)))
    pairs = all_pairs(np.hstack((ones, X)), problem.codes, k, 0.0)  # the bias first, as a column
    Z = np.vstack([Z for *_, Z in pairs])
    primal = store(Z, 0.0)
    rows = rows_of(primal, np.ones(len(Z), np.int32))
    width, first = d + ones.shape[1], ones.shape[1]
    left_out = [c * width + first + j for c in range(k - 1) for j in references]
    told = coefficient_directions(primal, rows, rows.train[:0], left_out)[:-1]
    parts = np.array_split(np.array(told), k - 1)
    return [np.roll(part, -int(fit_intercept)).tolist() for part in parts]


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
    d = n_weights(primal)
    largest = np.max([np.abs(b).max(axis=0) for b in blocks(primal, train, d)], axis=0)
    return 1 / np.where(largest > 0, largest, 1.0)


def independent_columns(
    primal: Primal, train: Array, scale: Array, references: Sequence[int] = ()
) -> Array:
    """Which columns are no combination of those before them, the bias being the first."""
    d = len(scale)
    order = [d - 1, *(j for j in range(d - 1) if j not in references)]
    factors = [np.linalg.qr((b * scale)[:, order], mode="r") for b in blocks(primal, train, d)]
    R = np.asarray(np.linalg.qr(np.vstack(factors), mode="r"))
    free, own = np.zeros(d, bool), np.empty((len(R), 0))
    for j, column in zip(order, R.T, strict=True):
        rest = column - own @ (own.T @ column)
        rest -= own @ (own.T @ rest)  # what rounding left
        length = float(np.linalg.norm(rest))
        if length > DEPENDENT_SHARE * np.linalg.norm(column):
            free[j] = True
            own = np.column_stack((own, rest / length))
    return free


def extreme(
    primal: Primal, rows: Rows, scale: Array, members: Array, goal: Array
) -> tuple[float, Array]:
    """The most that a weak separator in the box reaches of a goal; and the rows that matter."""
    while True:
        Z = take(primal, members) * rows.y[members, None] * scale
        answer = linprog(-goal, A_ub=-Z, b_ub=np.zeros(len(Z)), bounds=(-1, 1), method="highs-ds")
        if -answer.fun <= SLIGHT:
            return 0.0, members
        m = margins(primal, (answer.x * scale)[None], rows)
        wrong = np.flatnonzero(m < -SLIGHT)
        new = np.setdiff1d(rows.train[wrong[np.argsort(m[wrong])[:ROWS_ADDED]]], members)
        if not len(new):
            return -answer.fun, members
        members = np.append(members, new)
