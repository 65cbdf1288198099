"""Compensated products of rows, as if in twice the precision, where their terms cancel.

Dot2 of Ogita, Rump and Oishi (2005), Accurate sum and dot product: the rounding errors of products
and sums are computed too and added up. With weights w = high + low, the result is off by at most
2ε|z·w| + (2d+4)²ε² Σ|z_j w_j|, as if it had been computed with twice as many digits.
"""

import numpy as np

from rosenblatt.core.jit import to_the_letter
from rosenblatt.core.loop import Array
from rosenblatt.core.vectors import UNIT_ROUNDOFF
from rosenblatt.separability.exact.double_double import SPLITTER

FLOOR = 2.0**-960  # times ε², it is more than underflow takes from a weight


def products(Z: Array, high: Array, low: Array) -> tuple[Array, Array]:
    """The products of rows with weights high + low, and how far they may be off."""
    values, sums = np.empty(len(Z)), np.empty(len(Z))
    accumulate(np.ascontiguousarray(Z, np.float64), high, low, values, sums)
    d = len(high)
    return values, 2 * UNIT_ROUNDOFF * np.abs(values) + (2 * d + 4) ** 2 * UNIT_ROUNDOFF**2 * sums


@to_the_letter
def accumulate(Z, high, low, values, sums):
    """For each row, the sum of its products with the weights, and of their absolute values."""
    for i in range(len(Z)):
        total = error = absolute = 0.0
        for j in range(len(high)):
            product = Z[i, j] * high[j]
            z = SPLITTER * Z[i, j]
            z -= z - Z[i, j]
            h = SPLITTER * high[j]
            h -= h - high[j]
            zl, hl = Z[i, j] - z, high[j] - h
            error += zl * hl - (((product - z * h) - zl * h) - z * hl)
            error += Z[i, j] * low[j]
            before = total
            total = before + product
            part = total - before
            error += (before - (total - part)) + (product - part)
            absolute += abs(Z[i, j]) * (abs(high[j]) + FLOOR)
        values[i], sums[i] = total + error, absolute
