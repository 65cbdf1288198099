"""Blocks that are held column by column, judged without making rows of them.

To turn columns into rows takes longer than a product with all of them. The product rounds otherwise
than the loop does, by no more than slack·|w||x̂|, so it is believed where it is beyond doubt. Rows
in doubt are made, and the loop has its say, as it has in memory.
"""

import math
from typing import TYPE_CHECKING

import numpy as np

from rosenblatt.core.loop import Array
from rosenblatt.core.vectors import UNIT_ROUNDOFF
from rosenblatt.separability.exact.certainty import TINY, slack
from rosenblatt.tables.column_matrix import ByColumn

if TYPE_CHECKING:
    from rosenblatt.out_of_core.block import Block

FEW_HYPOTHESES = 2  # hypotheses; for more of them, rows are worth their making


def worth_screening(block: "Block", hypotheses: list[Array]) -> bool:
    """Whether a block can be judged by its columns, and had better be."""
    single = len(block.task.kinds) == 1 and all(len(W) == 1 for W in hypotheses)
    return isinstance(block.X, ByColumn) and single and len(hypotheses) <= FEW_HYPOTHESES


def certainly_correct(block: "Block", W: Array, margin: float, radius: float) -> bool:
    """Whether no row of a block, none longer than the radius, has too small a margin."""
    if not worth_screening(block, [W]):
        return False
    return bool(screened_margins(block, W[0]).min() > margin + doubt(W[0], radius))


def undecided_rows(block: "Block", hypotheses: list[Array]) -> "Block":
    """Those rows of a block that may err for some hypothesis, or be the nearest or the longest."""
    if not worth_screening(block, hypotheses):
        return block
    lengths2 = block.X.lengths2() + block.task.bias
    longest = float(lengths2.max())
    tells = lengths2 >= longest * (1 - 4 * (block.X.shape[1] + 1) * UNIT_ROUNDOFF)
    for W in hypotheses:
        m = screened_margins(block, W[0])
        tells |= ~(m > max(0.0, m.min()) + doubt(W[0], math.sqrt(longest)))
    return block.only(np.flatnonzero(tells))


def screened_margins(block: "Block", w: Array) -> Array:
    """The margins of all rows, but for their rounding."""
    m = block.X @ w[:-1]
    m += block.task.bias * w[-1]
    m *= 2 * block.codes - 1
    return m


def doubt(w: Array, radius: float) -> float:
    """How far apart two ways of rounding a margin can be."""
    return 2 * slack(w) * float(np.linalg.norm(w)) * radius + TINY
