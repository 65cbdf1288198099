"""Columns that are combinations of others but for rounding: totals, shares, other units."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rosenblatt.core.loop import Array, Primal, Rows
from rosenblatt.core.vectors import matrix, store
from rosenblatt.inputs.validation import rows_of
from rosenblatt.separability.coefficients.infinite import column_scale, triangular
from rosenblatt.separability.exact.certainty import TINY, n_weights
from rosenblatt.separability.proofs import prove

COLUMN_ROUNDING = 1e-12  # what rounding may leave of a column, by its length
NEGLIGIBLE_SHARE = 1e-9  # a share of a column that may be nothing


class Dependence(NamedTuple):
    """Columns that depend on others up to rounding, and what would hold if they did so exactly.

    Attributes
    ----------
    columns : dict of str to list of str
        Each column that is a combination of columns before it, and these; the constant column is
        called "intercept".
    verdict : str
        The verdict on the table without these columns, which is that on a table where they are
        exact combinations.
    """

    columns: dict[str, list[str]]
    verdict: str


def combinations(
    primal: Primal, train: Array, references: Sequence[int] = ()
) -> dict[int, list[int]]:
    """Columns that are combinations of those before them up to rounding, the bias being the first.

    Columns are scaled and rotated, which changes no combination: X̂ = Q R, and R is small.
    """
    d = n_weights(primal)
    R = triangular(primal, train, column_scale(primal, train))
    R /= np.maximum(np.linalg.norm(R, axis=0), TINY)
    kept, found = list[int](), dict[int, list[int]]()
    columns = (j for j in range(d - 1) if j not in references)
    for j in [*[d - 1] * bool(primal.bias), *columns]:
        shares = np.linalg.lstsq(R[:, kept], R[:, j], rcond=None)[0]
        rest = np.linalg.norm(R[:, j] - R[:, kept] @ shares)
        if rest > COLUMN_ROUNDING * (1 + np.abs(shares).sum()):
            kept.append(j)
        else:
            found[j] = [kept[k] for k in np.flatnonzero(np.abs(shares) > NEGLIGIBLE_SHARE)]
    return found


def without_columns(primal: Primal, columns: list[int]) -> Primal:
    """The table without some columns."""
    X = matrix(primal)
    return store(X[:, np.setdiff1d(np.arange(X.shape[1]), columns)], primal.bias)


def dependence(
    primal: Primal, rows: Rows, names: list[str], references: Sequence[int] = ()
) -> Dependence | None:
    """Which columns depend on others; None if none does. The references are no columns of it."""
    found = combinations(primal, rows.train, references)
    if not found:
        return None
    less = without_columns(primal, [*found, *references])
    known = "overlapping"
    if n_weights(less) > 1:
        known = prove(less, rows_of(less, rows.y)._replace(train=rows.train)).verdict
    return Dependence({names[j]: [names[k] for k in on] for j, on in found.items()}, known)
