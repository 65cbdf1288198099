"""File formats: what a file is, and the batches of rows in it.

A source names its columns and gives their batches, as often as it is asked.
"""

import struct
import sys
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from itertools import islice
from pathlib import Path
from tokenize import TokenError
from typing import Any, Protocol
from zipfile import BadZipFile

import numpy as np

from rosenblatt.columns import Batch, Text, Values
from rosenblatt.files import File, need
from rosenblatt.sweep import Array
from rosenblatt.threads import CORES

BATCH_BYTES = 2**21  # of text; small batches cost time, large ones memory
ARRAY_BYTES = 2**23  # of numbers
WHOLE = 8  # batches that are decoded together: row groups are read faster when they are read whole
BATCH_LINES = 2**14
MOST_FEATURES = 10**8  # of a sparse file: a hypothesis is a number for each


# What NumPy and zipfile raise at files that are not what they begin as.
DAMAGE = (
    ValueError, EOFError, OSError, MemoryError, OverflowError, RuntimeError, SyntaxError, TypeError,
    BadZipFile, TokenError, struct.error, zlib.error,
)  # fmt: skip


class Unfit(Exception):
    """The fast reader cannot make sense of the file; the patient one can, or says why not."""


class Source(Protocol):
    """A file of rows."""

    @property
    def names(self) -> Sequence[str]: ...  # of the columns
    @property
    def named(self) -> bool: ...  # by the file itself
    @property
    def unit(self) -> str: ...  # what numbers of rows count: "line" or "row"
    @property
    def pieces(self) -> Sequence[int]: ...  # rows of parts that can be read by themselves, if any
    def batches(self, whole: bool = False) -> Iterator[Batch]: ...  # `whole`: all will be held
    def piece(self, k: int) -> Iterator[Batch]: ...
    def numbers(self, rows: Sequence[int]) -> list[int]: ...  # of rows, in the file
    def patient(self) -> "Source": ...


def kind(file: File) -> str:
    """What a file is: parquet, npy, npz, libsvm, or text."""
    if file.data is None and Path(file.path).is_dir():
        return "parquet"
    head = file.head()
    for magic, name in ((b"PAR1", "parquet"), (b"\x93NUMPY", "npy"), (b"PK\x03\x04", "npz")):
        if head.startswith(magic):
            return name
    if not head.strip():
        raise ValueError(f"{file.name} is empty")
    if head[8:9] == b"{" and head[0] != ord("{") and b"\x00" in head[:8]:
        raise ValueError(f"{file.name} is a model file, not a table")
    if head.lstrip()[:1] == b"{":
        raise ValueError(f"{file.name} is JSON, not a table; is it a certificate?")
    if b"\x00" in head:
        raise ValueError(f"{file.name} is neither text nor a format that is known here")
    return "libsvm" if _is_libsvm(file, head) else "text"


def _is_libsvm(file: File, head: bytes) -> bool:
    """Whether lines are a label and then pairs index:value."""
    if file.path.removesuffix(".gz").endswith((".libsvm", ".svmlight", ".svm")):
        return True
    lines = [line.split(b"#")[0].split()[1:] for line in head.splitlines()[:-1] or [head]]
    pairs = [token.partition(b":") for line in lines for token in line]
    return bool(pairs) and all(p[0] == b"qid" or (p[0].isdigit() and p[1]) for p in pairs)


# -- Formats that are not lines of text ------------------------------------------------------------


@dataclass
class Parquet:
    """A Parquet file, or a folder of them."""

    file: File
    named: bool = True
    unit: str = "row"

    def __post_init__(self) -> None:
        self.parquet = need("pyarrow.parquet", "tables", "reading Parquet")
        self.parts: list[Any] = [None]  # the file itself
        self.footers: dict[Any, Any] = {}
        if self.file.data is None and (folder := Path(self.file.path)).is_dir():
            self.parts = sorted(folder.rglob("*.parquet"))
            if not self.parts:
                raise ValueError(f"{folder} is a folder, and there are no .parquet files in it")
        with self._trouble():
            schema = self.parquet.read_schema(self._place(self.parts[0]))
        self.names = schema.names
        if twice := {name for name in self.names if self.names.count(name) > 1}:
            raise ValueError(f"{self.file.name} has two columns named {min(twice)!r}")
        self.texts = [field.name for field in schema if str(field.type) == "string"]

    def _place(self, part: Any) -> Any:
        """What a part is read from; by each of several threads, from its own."""
        return part or self.file.native

    def _footer(self, part: Any) -> Any:
        """The contents of a part; those of the last one are at hand."""
        found = self.footers.get(part) or self.parquet.read_metadata(self._place(part))
        self.footers = {part: found}
        return found

    @contextmanager
    def _trouble(self) -> Iterator[None]:
        try:
            yield
        except (OSError, ValueError, NotImplementedError, MemoryError) as error:
            what = f"{self.file.name} cannot be read as Parquet; it may be truncated"
            raise ValueError(what) from error

    @cached_property
    def groups(self) -> list[tuple[Any, list[int], int]]:
        """Row groups that make a batch or more together: file, which of its groups, rows."""
        found: list[tuple[Any, list[int], int]] = []
        for part in self.parts:
            with self._trouble():
                facts = self._footer(part)
            sizes = [facts.row_group(g).num_rows for g in range(facts.num_row_groups)]
            places = np.cumsum([0, *sizes[:-1]]) // self._at_once
            runs = np.split(np.arange(len(sizes)), np.flatnonzero(np.diff(places)) + 1)
            pieces = [(part, run.tolist(), sum(sizes[g] for g in run)) for run in runs]
            found += [piece for piece in pieces if piece[-1]]
        return found

    @property
    def _at_once(self) -> int:
        return max(1024, ARRAY_BYTES // (8 * len(self.names)))

    @property
    def pieces(self) -> Sequence[int]:
        return [rows for _, _, rows in self.groups]

    def piece(self, k: int) -> Iterator[Batch]:
        return self._read(*self.groups[k])

    def batches(self, whole: bool = False) -> Iterator[Batch]:
        for group in self.groups:
            yield from self._read(*group)

    def _read(self, part: Any, groups: list[int], rows: int) -> Iterator[Batch]:
        with self._trouble():
            file = self.parquet.ParquetFile(
                self._place(part),
                metadata=self._footer(part),
                read_dictionary=self.texts,
                buffer_size=2**16,
                pre_buffer=False,
            )
        if lost := set(self.names) - set(file.schema_arrow.names):
            raise ValueError(f"{part} has no column {min(lost)!r}, which {self.parts[0]} has")
        size = min(rows, WHOLE * self._at_once)
        with self._trouble():  # two cores are busy without threads of pyarrow's
            for batch in file.iter_batches(size, groups, self.names, use_threads=CORES > 2):
                for some in _in_slices(batch, self._at_once):
                    yield [_from_arrow(some.column(name)) for name in self.names]

    def numbers(self, rows: Sequence[int]) -> list[int]:
        return [row + 1 for row in rows]

    def patient(self) -> Source:
        raise ValueError(f"{self.file.name} cannot be read as Parquet")


def _in_slices(batch: Any, most: int) -> Iterator[Any]:
    """A batch in equal parts of at most so many rows."""
    size = -(-batch.num_rows // -(-batch.num_rows // most))
    return (batch.slice(k, size) for k in range(0, batch.num_rows, size))


def _from_arrow(column: Any) -> Values:
    """A column of an Arrow batch; or what is wrong with it."""
    import pyarrow as pa
    from pyarrow import types

    kind = getattr(column.type, "value_type", column.type)
    if kind == pa.float64():
        return column.to_numpy(zero_copy_only=False)
    if types.is_boolean(kind):
        return text_of_arrow(column.cast(pa.string()))
    if types.is_string(kind) or types.is_large_string(kind):
        return text_of_arrow(column)
    if types.is_null(kind):
        return np.full(len(column), np.nan)
    if not (types.is_floating(kind) or types.is_integer(kind) or types.is_decimal(kind)):
        return "neither numbers nor text"
    try:
        return column.cast(pa.float64()).to_numpy(zero_copy_only=False)
    except pa.ArrowInvalid:
        return "whole numbers beyond 2**53"


def release() -> None:
    """Give back the memory that pyarrow has in reserve."""
    if pyarrow := sys.modules.get("pyarrow"):
        pyarrow.default_memory_pool().release_unused()


def text_of_arrow(column: Any) -> Text:
    """A column of strings, as codes and levels."""
    coded = column.dictionary_encode() if not hasattr(column, "indices") else column
    codes = coded.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    return Text(codes, coded.dictionary.to_pylist())


@dataclass
class Arrays:
    """A matrix in a .npy file, or X and y in a .npz file."""

    file: File
    named: bool = False
    unit: str = "row"

    def __post_init__(self) -> None:
        try:
            source = self.file.native
            mapped = isinstance(source, str)
            held = np.load(source, mmap_mode="r" if mapped else None, allow_pickle=False)
            self.parts = [held[k] for k in ("X", "y")] if hasattr(held, "files") else [held]
        except KeyError as error:
            raise ValueError(f"{self.file.name} must hold arrays named X and y") from error
        except DAMAGE as error:
            why = str(error).partition("\n")[0] or type(error).__name__
            raise ValueError(f"{self.file.name} cannot be read as an array: {why}") from error
        self.parts = [part[:, None] if part.ndim == 1 else part for part in self.parts]
        if any(part.ndim != 2 or part.dtype.names for part in self.parts):
            raise ValueError(f"{self.file.name} must hold a matrix, one row for each example")
        if len({len(part) for part in self.parts}) > 1:
            raise ValueError(f"{self.file.name}: X and y do not have the same number of rows")
        self.names = numbered(sum(part.shape[1] for part in self.parts))

    @property
    def pieces(self) -> Sequence[int]:
        n, size = len(self.parts[0]), max(1024, ARRAY_BYTES // (8 * len(self.names)))
        return [min(size, n - k) for k in range(0, n, size)]

    def piece(self, k: int) -> Iterator[Batch]:
        first = k * self.pieces[0]
        rows = slice(first, first + self.pieces[k])
        yield [_from_numpy(column) for part in self.parts for column in _rows_of(part, rows).T]

    def batches(self, whole: bool = False) -> Iterator[Batch]:
        for k in range(len(self.pieces)):
            yield from self.piece(k)

    def numbers(self, rows: Sequence[int]) -> list[int]:
        return [row + 1 for row in rows]

    def patient(self) -> Source:
        raise ValueError(f"{self.file.name} cannot be read as an array")


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


def pick(numbers: Iterator[int], rows: Sequence[int]) -> list[int]:
    """Those of the numbers that belong to rows."""
    wanted = sorted(set(rows))
    found = dict(zip(wanted, _at(numbers, wanted), strict=True))
    return [found[row] for row in rows]


def _at(numbers: Iterator[int], rows: Sequence[int]) -> Iterator[int]:
    done = 0
    for row in rows:
        yield next(islice(numbers, row - done, None))
        done = row + 1


def _from_numpy(column: Array) -> Values:
    if column.dtype.kind in "iu" and max(-int(column.min()), int(column.max())) > 2**53:
        return "whole numbers beyond 2**53"
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


def numbered(n: int) -> list[str]:
    """The names of columns that have none: x1, x2, …"""
    return [f"x{k}" for k in range(1, n + 1)]


@dataclass
class Libsvm:
    """A libsvm (svmlight) file: a label, then pairs index:value. Indices count from 0 or 1."""

    file: File
    named: bool = False
    unit: str = "line"
    names = ("x", "label")
    pieces = ()

    def piece(self, k: int) -> Iterator[Batch]:
        raise NotImplementedError("lines are read in the order in which they stand")

    def batches(self, whole: bool = False) -> Iterator[Batch]:
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
        if X.shape[1] > MOST_FEATURES:
            where = f"{self.file.name}, lines {done + 1} to {done + len(lines)}"
            raise ValueError(f"{where}: a feature has a number beyond {MOST_FEATURES:,}")
        return X, y

    def numbers(self, rows: Sequence[int]) -> list[int]:
        with self.file.open() as stream:
            full = (k for k, line in enumerate(stream, 1) if line.split(b"#")[0].strip())
            return pick(full, rows)

    def patient(self) -> Source:
        raise ValueError(f"{self.file.name} cannot be read as libsvm")
