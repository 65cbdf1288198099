"""Several classes without their pairs: what plain passes and contradictory rows show.

Kesler's construction takes (k - 1)(d + 1) dimensions. Where these are many, passes over the rows
themselves come first: a linear machine that gets all rows right is one, however it was found. Two
equal rows of different classes are a conflict: each would have to lead the other's class.
"""

from typing import Any

import numpy as np

from rosenblatt.core.loop import Array, Primal, Rows
from rosenblatt.core.vectors import margins, store
from rosenblatt.inputs.validation import rows_of
from rosenblatt.separability.answers import Conflict, Separator
from rosenblatt.separability.decide import contradiction, initial_passes
from rosenblatt.separability.exact.certainty import count_errors


def pair_conflict(primal: Primal, rows: Rows, k: int) -> Conflict | None:
    """Two contradictory rows in conflict; of k > 1 classes, with their rivals."""
    pair = contradiction(primal, rows)
    if pair is None or k == 1:
        return pair
    return pair._replace(rivals=rows.y[pair.rows][::-1])


@np.errstate(over="ignore", invalid="ignore")  # what is not finite is not certain
def find_without_pairs(X: Any, codes: Array, k: int, bias: float) -> Separator | Conflict | None:
    """A linear machine that plain passes find, or two contradictory rows."""
    primal = store(X, bias)
    rows = rows_of(primal, codes)._replace(boundary=-1)  # 0 is a class
    if clash := pair_conflict(primal, rows, k):
        return clash
    run = initial_passes(primal, rows, k)
    if run.reason != "separated" or not np.isfinite(run.W).all():
        return None
    wrong = count_errors(primal, run.W, rows, margins(primal, run.W, rows))
    return None if wrong else Separator(run.W)
