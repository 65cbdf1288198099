"""The hash of the data that a certificate is about.

It is over all numbers, as little-endian float64 by rows with -0 as 0, a newline, and the labels in
lines. Of a large sparse table it is over the numbers that are not zero, in order: for each, its row
and its column as little-endian int64, and the number. Of a large dense table it is over the hashes
of blocks of rows, 32 bytes each, which threads compute side by side. How many rows a block has
depends on the number of columns alone, so that the hash does not depend on how the rows come.
"""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import pairwise
from typing import Any

import numpy as np
import scipy.sparse as sp

from rosenblatt.core.loop import Array
from rosenblatt.core.threads import beside, in_parts
from rosenblatt.core.vectors import dense

NONZERO = "nonzero"  # the hash is over the numbers that are not zero
BLOCKS = "blocks"  # the hash is over the hashes of blocks of rows
FORMS = (None, NONZERO, BLOCKS)
MOST_DENSE = 2**27  # numbers of a sparse table up to which the hash is over all of them
MOST_AT_ONCE = 2**22  # numbers of a dense table up to which there are no blocks
BLOCK_NUMBERS = 2**17  # numbers in a block of rows, or fewer
BLOCK = 2**15  # numbers hashed together: few enough to stay in the cache
SPARSE_BLOCK = 2**22  # numbers made dense together
SHORT_NAME = 8  # bytes
CELL = np.dtype([("row", "<i8"), ("column", "<i8"), ("value", "<f8")])


class Fingerprint:
    """A hash that rows are added to, block by block."""

    def __init__(self, form: str | None) -> None:
        self.digest, self.form, self.rows = sha256(), form, 0
        self.last = list[Any]()  # the hash of the last block, to which rows may still come

    def update(self, X: Any) -> None:
        """Add some rows, dense or CSR."""
        if self.form == NONZERO:
            add_cells(self.digest, sp.csr_array(X), self.rows)
        elif self.form == BLOCKS:
            self._add_blocks(X)
        else:
            add_numbers(self.digest, X)
        self.rows += X.shape[0]

    def _add_blocks(self, X: Any) -> None:
        """Go on with the last block, and hash those that begin in these rows."""
        n, size = X.shape[0], max(1, BLOCK_NUMBERS // max(1, X.shape[1]))
        starts = range(-self.rows % size, n, size)
        blocks = [*self.last, *(sha256() for _ in starts)]
        parts = list(pairwise([0, *starts, n] if self.last else [*starts, n]))

        def work(some: slice) -> None:
            for block, (first, end) in zip(blocks[some], parts[some], strict=True):
                add_numbers(block, X[first:end])

        in_parts(work, len(blocks), size * X.shape[1])
        self.digest.update(b"".join(block.digest() for block in blocks[:-1]))
        self.last = blocks[-1:]

    def tell(self, names: Sequence[str], codes: Array) -> None:
        """Add the labels of some rows, a line each, after all rows: their numbers among the names.

        The bytes of short names are rows of a matrix; those that each name has are put in line.
        """
        self._end_rows()
        lines = [f"\n{name}".encode() for name in names]
        lengths = np.array([len(line) for line in lines])
        short = lengths.max() <= SHORT_NAME
        padded = [list(line.ljust(SHORT_NAME)) for line in lines if short]
        table, held = np.array(padded, np.uint8), np.arange(SHORT_NAME) < lengths[:, None]
        for k in range(0, len(codes), BLOCK):
            i = codes[k : k + BLOCK]
            told: Any = table[i][held[i]] if short else b"".join(map(lines.__getitem__, i.tolist()))
            self.digest.update(told)

    def close(self, lines: Iterable[str] = ()) -> str:
        """The hash, after what else is told in lines."""
        self._end_rows()
        self.digest.update("".join(f"\n{line}" for line in lines).encode())
        return self.digest.hexdigest()

    def _end_rows(self) -> None:
        """Close the last block."""
        self.digest.update(b"".join(block.digest() for block in self.last))
        self.last = []


def add_numbers(digest: Any, X: Any) -> None:
    """Add all numbers of some rows, dense or CSR, to a hash."""
    together = SPARSE_BLOCK if sp.issparse(X) else BLOCK
    for k in range(0, X.shape[0], size := max(1, together // max(1, X.shape[1]))):
        digest.update(np.add(dense(X[k : k + size]), 0.0, dtype="<f8", order="C").data)


def add_cells(digest: Any, X: sp.csr_array, start: int) -> None:
    """Add the numbers of CSR rows that are not zero to a hash; rows are counted from `start`."""
    rows = np.repeat(np.arange(start, start + X.shape[0]), np.diff(X.indptr))
    for k in range(0, X.nnz, BLOCK):
        part = slice(k, k + BLOCK)
        cells = np.empty(len(rows[part]), CELL)
        cells["row"], cells["column"], cells["value"] = rows[part], X.indices[part], X.data[part]
        digest.update(cells[cells["value"] != 0].data)


def text_of(label: Any) -> str:
    """A label as it is hashed: -0.0 as 0.0."""
    return str(label + 0.0 if isinstance(label, float) else label)


def form_of(X: Any, shape: tuple[int, int]) -> str | None:
    """What the hash of a table of this shape is over, of which X are some rows."""
    if sp.issparse(X):
        return NONZERO if shape[0] * shape[1] > MOST_DENSE else None
    return BLOCKS if shape[0] * shape[1] > MOST_AT_ONCE else None


def hash_of(
    blocks: Iterable[tuple[Any, Array]],
    names: Sequence[str],
    form: str | None = None,
    lines: Iterable[str] = (),
) -> str:
    """The hash of rows, block by block, of their labels, by their numbers among the names, and of
    what else is told in lines."""
    digest, told = Fingerprint(form), []
    for X, codes in blocks:
        digest.update(X)
        told.append(codes)
    for codes in told:
        digest.tell(names, codes)
    return digest.close(lines)


def hashing(
    digest: Fingerprint, blocks: Iterable[tuple[Any, Array]], size: int
) -> Iterator[tuple[Any, Array]]:
    """Blocks of rows, so many numbers in all; another thread hashes each before the next comes."""
    with beside(size) as hasher:
        for block in blocks:
            hashed = hasher.submit(digest.update, block[0])
            yield block
            hashed.result()
