"""File formats: the batches of rows in a file.

A source names its columns and gives their batches, as often as it is asked.
"""

import struct
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import islice
from tokenize import TokenError
from typing import Any, Protocol
from zipfile import BadZipFile

import numpy as np

from rosenblatt.core.loop import Array
from rosenblatt.tables.decimal_marks import BEYOND, is_beyond
from rosenblatt.tables.encoding import Batch, Numbered, Text, Values
from rosenblatt.tables.files import File

BATCH_BYTES = 2**21  # of text; small batches cost time, large ones memory
ARRAY_BYTES = 2**23  # of numbers
BATCH_LINES = 2**14
MOST_FEATURES = 10**8  # of a sparse file: a hypothesis is a number for each


# What NumPy and zipfile raise at files that are not what they begin as.
UNREADABLE = (
    ValueError, EOFError, OSError, MemoryError, OverflowError, RuntimeError, SyntaxError, TypeError,
    BadZipFile, TokenError, struct.error, zlib.error,
)  # fmt: skip


class Unfit(Exception):
    """The fast reader cannot make sense of the file; the patient one can, or says why not."""


class RowFile(Protocol):
    """A file of rows."""

    @property
    def names(self) -> Sequence[str]: ...  # of the columns
    @property
    def named(self) -> bool: ...  # by the file itself
    @property
    def unit(self) -> str: ...  # what numbers of rows count: "line" or "row"
    @property
    def pieces(self) -> Sequence[int]: ...  # rows of parts that can be read by themselves, if any
    def batches(self) -> Iterator[Batch]: ...
    def piece(self, k: int) -> Iterator[Batch]: ...
    def numbers(self, rows: Sequence[int]) -> list[int]: ...  # of rows, in the file


class Lines:
    """A source of rows that are read only in the order in which they stand."""

    pieces: Sequence[int] = ()

    def piece(self, k: int) -> Iterator[Batch]:
        raise NotImplementedError("lines are read in the order in which they stand")


class Records:
    """A source of records, which count from 1, in pieces that can be read by themselves."""

    unit: str = "row"

    def batches(self: RowFile) -> Iterator[Batch]:
        for k, rows in enumerate(self.pieces):
            if rows:
                yield from self.piece(k)

    def numbers(self, rows: Sequence[int]) -> list[int]:
        return [row + 1 for row in rows]


# -- Formats that are not lines of text ------------------------------------------------------------


def rows_at_once(columns: int, size: int | None = None) -> int:
    """How many rows of numbers make a batch of so many bytes."""
    return max(1024, (size or ARRAY_BYTES) // (8 * columns))


@dataclass
class Arrays(Records):
    """A matrix in a .npy file, or X and y in a .npz file."""

    file: File
    named: bool = False

    def __post_init__(self) -> None:
        try:
            source = self.file.native
            mapped = isinstance(source, str)
            held = np.load(source, mmap_mode="r" if mapped else None, allow_pickle=False)
            self.parts = [held[k] for k in ("X", "y")] if hasattr(held, "files") else [held]
        except KeyError as error:
            if not any(name.endswith(".npy") for name in held.zip.namelist()):
                raise ValueError(f"{self.file.name} is a zip archive; unpack it first") from error
            raise ValueError(f"{self.file.name} must hold arrays named X and y") from error
        except UNREADABLE as error:
            why = str(error).partition("\n")[0] or type(error).__name__
            raise ValueError(f"{self.file.name} cannot be read as an array: {why}") from error
        self.parts = [part[:, None] if part.ndim == 1 else part for part in self.parts]
        if any(part.ndim != 2 or part.dtype.names for part in self.parts):
            raise ValueError(f"{self.file.name} must hold a matrix, one row for each example")
        if len({len(part) for part in self.parts}) > 1:
            raise ValueError(f"{self.file.name}: X and y do not have the same number of rows")
        self.names = list(Numbered("x", range(1, 1 + sum(part.shape[1] for part in self.parts))))

    @property
    def pieces(self) -> Sequence[int]:
        n, size = len(self.parts[0]), rows_at_once(len(self.names))
        return [min(size, n - k) for k in range(0, n, size)]

    def piece(self, k: int) -> Iterator[Batch]:
        first = k * self.pieces[0]
        rows = slice(first, first + self.pieces[k])
        yield [from_numpy(column) for part in self.parts for column in _rows_of(part, rows).T]


def _rows_of(part: Any, rows: slice) -> Array:
    """Some rows of an array; from a file by reading, for whoever looks at a map of a file that was
    cut short is killed."""
    if not isinstance(part, np.memmap) or part.filename is None or not part.itemsize:
        return part[rows]
    (n, d), size, many = part.shape, part.itemsize, rows.stop - rows.start
    if part.flags.c_contiguous:
        starts, many = [rows.start * d], many * d
    else:
        starts = [j * n + rows.start for j in range(d)]
    places = [part.offset + start * size for start in starts]
    found = [np.fromfile(part.filename, part.dtype, many, offset=place) for place in places]
    if any(len(one) < many for one in found):
        raise ValueError(f"{part.filename} ends before its last row")
    return found[0].reshape(-1, d) if part.flags.c_contiguous else np.stack(found, axis=1)


def of_rows(numbers: Iterator[int], rows: Sequence[int]) -> list[int]:
    """Those of the numbers that belong to rows."""
    wanted, first = set(rows), islice(numbers, max(rows, default=-1) + 1)
    found = {row: number for row, number in enumerate(first) if row in wanted}
    return [found[row] for row in rows]


def from_numpy(column: Array) -> Values:
    """A column of an array; or what is wrong with it."""
    if column.dtype.kind in "iu" and max(-int(column.min()), int(column.max())) > 2**53:
        return BEYOND
    if column.dtype.kind in "fiub":
        return column.astype(np.float64)
    if column.dtype.kind not in "US":
        return "neither numbers nor text"
    try:
        text = np.ascontiguousarray(column.astype(str))
    except UnicodeDecodeError:
        return "text that is not ASCII, in bytes"
    letters = text.view(np.uint32) if text.dtype.itemsize else np.zeros(1, np.uint32)
    if (letters > 0x10FFFF).any() or ((letters >= 0xD800) & (letters < 0xE000)).any():
        return "text that is not Unicode"
    levels, codes = np.unique(text, return_inverse=True)
    return Text(codes, levels.tolist())


@dataclass
class Libsvm(Lines):
    """A libsvm (svmlight) file: a label, then pairs index:value. Indices count from 0 or 1."""

    file: File
    named: bool = False
    unit: str = "line"
    names = ("x", "label")

    def batches(self) -> Iterator[Batch]:
        done, all_lines = 0, self.file.lines()
        while lines := list(islice(all_lines, BATCH_LINES)):
            yield list(self._load(lines, done))
            done += len(lines)

    def _load(self, lines: list[bytes], done: int) -> tuple[Any, Array]:
        from sklearn.datasets import load_svmlight_file

        try:
            X, y = load_svmlight_file(BytesIO(b"".join(lines)), zero_based=True)
        except (ValueError, OverflowError) as error:
            if len(lines) == 1:
                raise ValueError(f"{self.file.name}, line {done + 1}: {error}") from error
            half = len(lines) // 2
            self._load(lines[:half], done)
            self._load(lines[half:], done + half)
            raise
        if max(np.abs(X.data).max(initial=0), np.abs(y).max(initial=0)) >= 2**53:
            self._refuse_beyond(lines, done)
        if X.shape[1] > MOST_FEATURES:
            where = f"{self.file.name}, lines {done + 1} to {done + len(lines)}"
            raise ValueError(f"{where}: a feature has a number beyond {MOST_FEATURES:,}")
        return X, y

    def _refuse_beyond(self, lines: list[bytes], done: int) -> None:
        for k, line in enumerate(lines, done + 1):
            cells = (token.rpartition(b":")[2] for token in line.partition(b"#")[0].split())
            if any(is_beyond(cell.decode()) for cell in cells):
                raise ValueError(f"{self.file.name}, line {k}: holds {BEYOND}")

    def numbers(self, rows: Sequence[int]) -> list[int]:
        with self.file.open() as stream:
            full = (k for k, line in enumerate(stream, 1) if line.split(b"#")[0].strip())
            return of_rows(full, rows)
