"""Why a coefficient of a logistic regression runs to infinity: the rows that a direction separates.

Along a weak separator u, y x̂·u >= 0 for all rows, the likelihood never falls, and it rises at every
row with y x̂·u > 0. Of those in which coefficient j goes its way, one of few columns tells most:

    minimize  Σ |u_k|    subject to  y x̂·u >= 0 for all rows,  u_j = ±1
"""

from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import linprog

from rosenblatt.core.loop import Array
from rosenblatt.separability.coefficients.infinite import SLIGHT, Cone

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


def separated_rows(told: dict[Any, Any], cone: Cone, names: list[str]) -> dict[str, SeparatedRows]:
    """For each coefficient that was told to be infinite, the rows behind it."""
    members, found = cone.rows.train[:0], {}
    for k, j in enumerate(cone.columns.tolist()):
        if j < len(names) and told[names[j]] in SIGNS:
            u, members = sparse_separator(cone, members, k, SIGNS[told[names[j]]])
            off = cone.rows.train[cone.margins(u) > SLIGHT]
            used = [names[c] for c in cone.columns[np.abs(u) > SLIGHT].tolist()]
            found[names[j]] = SeparatedRows(used, np.sort(off).astype(np.intp))
    return found


def sparse_separator(cone: Cone, members: Array, k: int, sign: float) -> tuple[Array, Array]:
    """The weak separator of the least sum of sizes that goes one way in column k; and the rows that
    matter."""
    d = len(cone.columns)
    cost = np.where(cone.columns == len(cone.scale) - 1, BIAS_COST, 1.0)
    bounds: list[Any] = [(0.0, None)] * (2 * d)  # u = p − q
    bounds[k], bounds[d + k] = ((1.0, 1.0), (0.0, 0.0))[:: int(sign)]
    equal = (np.hstack((cone.still, -cone.still)), np.zeros(len(cone.still)))
    while True:
        Z = cone.signed(members)
        most = (np.hstack((-Z, Z)), np.zeros(len(Z)))
        answer = linprog(np.tile(cost, 2), *most, *equal, bounds=bounds, method="highs-ds")
        u = answer.x[:d] - answer.x[d:]
        new = cone.worst(u, members)
        if not len(new):
            return u, members
        members = np.append(members, new)
