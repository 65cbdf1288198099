"""Why a coefficient of a logistic regression runs to infinity: the rows that a direction separates.

Along a weak separator u, y x̂·u >= 0 for all rows, the likelihood never falls, and it rises at every
row with y x̂·u > 0. Of those in which coefficient j goes its way, one of few columns tells most:

    minimize  Σ |u_k|    subject to  y x̂·u >= 0 for all rows,  u_j = ±1
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import linprog

from rosenblatt.core.loop import Array, Primal, Rows
from rosenblatt.core.vectors import margins, take
from rosenblatt.separability.exact.certainty import n_weights
from rosenblatt.separability.infinite_coefficients import (
    ROWS_ADDED,
    SLIGHT,
    column_scale,
    independent_columns,
)

SIGNS = {"+inf": 1.0, "-inf": -1.0}
BIAS_COST = 1e-3  # a bias that is needed costs little


class SeparatedRows(NamedTuple):
    """The rows behind an infinite coefficient.

    Attributes
    ----------
    columns : list of str
        The columns of a weak separator that has few, this coefficient among them.
    rows : ndarray of int
        The rows that are not on its hyperplane, in order.
    """

    columns: list[str]
    rows: Array


def separated_rows(
    told: dict[Any, Any], primal: Primal, rows: Rows, names: list[str], references: Sequence[int]
) -> dict[str, SeparatedRows]:
    """For each coefficient that was told to be infinite, the rows behind it."""
    scale = column_scale(primal, rows.train)
    free = scale * independent_columns(primal, rows.train, scale, references)
    members, found = rows.train[:0], {}
    for j, name in enumerate(names):
        if told[name] in SIGNS:
            u, members = sparse_separator(primal, rows, free, members, j, SIGNS[told[name]])
            off = margins(primal, (u * free)[None], rows) > SLIGHT
            used = [names[k] for k in np.flatnonzero(np.abs(u[: len(names)]) > SLIGHT)]
            found[name] = SeparatedRows(used, np.sort(rows.train[off]).astype(np.intp))
    return found


def sparse_separator(
    primal: Primal, rows: Rows, scale: Array, members: Array, j: int, sign: float
) -> tuple[Array, Array]:
    """The weak separator of the least sum of sizes; and the rows that matter."""
    d = n_weights(primal)
    cost = np.ones(d)
    cost[-1] = BIAS_COST
    bounds: list[Any] = [(0.0, None)] * (2 * d)  # u = p − q
    bounds[j], bounds[d + j] = ((1.0, 1.0), (0.0, 0.0))[:: int(sign)]
    while True:
        Z = take(primal, members) * rows.y[members, None] * scale
        answer = linprog(
            np.tile(cost, 2), np.hstack((-Z, Z)), np.zeros(len(Z)), bounds=bounds, method="highs-ds"
        )
        u = answer.x[:d] - answer.x[d:]
        m = margins(primal, (u * scale)[None], rows)
        wrong = np.flatnonzero(m < -SLIGHT)
        new = np.setdiff1d(rows.train[wrong[np.argsort(m[wrong])[:ROWS_ADDED]]], members)
        if not len(new):
            return u, members
        members = np.append(members, new)
