"""The hash of the data that a certificate is about.

It is over all numbers, as little-endian float64 by rows with -0 as 0, a newline, and the labels in
lines. Of a large sparse table it is over the numbers that are not zero, in order: for each, its row
and its column as little-endian int64, and the number.
"""

from hashlib import sha256
from typing import Any

import numpy as np
import scipy.sparse as sp

from rosenblatt.core.loop import Array

NONZERO = "nonzero"  # the hash is over the numbers that are not zero
MOST_DENSE = 2**27  # numbers of a sparse table up to which the hash is over all of them
BLOCK = 2**22  # numbers made dense together
CELL = np.dtype([("row", "<i8"), ("column", "<i8"), ("value", "<f8")])


class Fingerprint:
    """A hash that rows are added to, block by block."""

    def __init__(self, form: str | None) -> None:
        self.digest, self.form, self.rows = sha256(), form, 0

    def update(self, X: Any) -> None:
        """Add some rows, dense or CSR."""
        if self.form == NONZERO:
            self.digest.update(self._cells(sp.csr_array(X)).tobytes())
        else:
            for k in range(0, X.shape[0], size := max(1, BLOCK // max(1, X.shape[1]))):
                block = X[k : k + size]
                block = block.toarray() if sp.issparse(block) else block
                self.digest.update(np.add(block, 0.0, dtype="<f8", order="C").data)
        self.rows += X.shape[0]

    def _cells(self, X: sp.csr_array) -> Array:
        held = X.data != 0
        cells = np.empty(np.count_nonzero(held), CELL)
        rows = np.arange(self.rows, self.rows + X.shape[0])
        cells["row"] = np.repeat(rows, np.diff(X.indptr))[held]
        cells["column"], cells["value"] = X.indices[held], X.data[held]
        return cells

    def close(self, told: str) -> str:
        """The hash, after labels and what else is told in lines."""
        self.digest.update(f"\n{told}".encode())
        return self.digest.hexdigest()


def text_of(label: Any) -> str:
    """A label as it is hashed: -0.0 as 0.0."""
    return str(label + 0.0 if isinstance(label, float) else label)


def form_of(X: Any) -> str | None:
    """What the hash of a table is over: of a large sparse one, the numbers that are not zero."""
    return NONZERO if sp.issparse(X) and X.shape[0] * X.shape[1] > MOST_DENSE else None


def fingerprint(X: Any, labels: Array, form: str | None = None) -> str:
    """The hash of a table in memory."""
    digest = Fingerprint(form)
    digest.update(X)
    return digest.close("\n".join(labels.tolist()))
