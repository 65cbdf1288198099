"""A matrix that is held column by column."""

from typing import Any

import numpy as np
from scipy.linalg.blas import daxpy

from rosenblatt.core.loop import Array

ROWS = 2**14  # that are made of columns at a time


class ByColumn:
    """A matrix that is held column by column, as a batch is; rows are built when asked for.

    Examples
    --------
    >>> X = ByColumn([np.array([1.0, 2.0]), np.array([3.0, 4.0])])
    >>> X @ np.array([10.0, 1.0]), np.asarray(X[1:])
    (array([13., 24.]), array([[2., 4.]]))
    """

    def __init__(self, columns: list[Array]) -> None:
        self.columns, self.shape = columns, (len(columns[0]), len(columns))

    def __getitem__(self, i: Any) -> "ByColumn":
        return ByColumn([column[i] for column in self.columns])

    def __matmul__(self, w: Array) -> Array:
        total = np.zeros(self.shape[0])
        for column, weight in zip(self.columns, w.tolist(), strict=True):
            daxpy(column, total, a=weight)
        return total

    def lengths2(self) -> Array:
        """The squared lengths of the rows."""
        total, square = np.zeros(self.shape[0]), np.empty(self.shape[0])
        for column in self.columns:
            total += np.multiply(column, column, out=square)
        return total

    def write(self, rows: Array) -> None:
        """Fill an array, some rows after others, in half the time that it takes by columns."""
        for k in range(0, len(rows), ROWS):
            some = slice(k, k + ROWS)
            rows[some] = np.stack([column[some] for column in self.columns]).T

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        rows = np.empty(self.shape)
        self.write(rows)
        return rows
