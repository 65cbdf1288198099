"""Parquet files, and the columns of Arrow that pyarrow makes of them."""

import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from rosenblatt.core.threads import CORES
from rosenblatt.extras import need
from rosenblatt.tables.decimal_marks import BEYOND
from rosenblatt.tables.encoding import Batch, Text, Values
from rosenblatt.tables.file_formats.formats import Records, rows_at_once
from rosenblatt.tables.file_formats.hive_keys import Keys, keys_of, parquet_files
from rosenblatt.tables.files import File
from rosenblatt.tables.frames import days

INDEX = re.compile(r"__index_level_\d+__")  # what pandas calls the numbers of rows, and hides
WHOLE_BYTES = 2**26  # of numbers, decoded together: row groups are faster when they are read whole
BUFFER_BYTES = 2**24  # of all columns together, that are read and not yet decoded


@dataclass
class Parquet(Records):
    """A Parquet file, or a folder of them; names of folders may hold keys, key=value."""

    file: File
    named: bool = True

    def __post_init__(self) -> None:
        self.parquet = need("pyarrow.parquet", "tables", "reading Parquet")
        self.parts: list[Any] = [None]  # the file itself
        self.footers: dict[Any, Any] = {}
        self.keys = Keys({}, ())
        if self.file.is_folder:
            self.parts = parquet_files(Path(self.file.path))
            self.keys = keys_of(Path(self.file.path), self.parts)
        with self._trouble():
            schema = self.parquet.read_schema(self._place(self.parts[0]))
        others = (n for n in schema.names if not INDEX.fullmatch(n))
        self.stored = [n for n in others if n not in self.keys.names]
        self.names = unrepeated(self.file.name, [*self.keys.names, *self.stored])
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
            places = np.cumsum([0, *sizes[:-1]]) // rows_at_once(len(self.names))
            runs = np.split(np.arange(len(sizes)), np.flatnonzero(np.diff(places)) + 1)
            pieces = [(part, run.tolist(), sum(sizes[g] for g in run)) for run in runs]
            found += [piece for piece in pieces if piece[-1]]
        return found

    @property
    def pieces(self) -> Sequence[int]:
        return [rows for _, _, rows in self.groups]

    def piece(self, k: int) -> Iterator[Batch]:
        return self._read(*self.groups[k])

    def _read(self, part: Any, groups: list[int], rows: int) -> Iterator[Batch]:
        with self._trouble():
            file = self.parquet.ParquetFile(
                self._place(part),
                metadata=self._footer(part),
                read_dictionary=self.texts,
                buffer_size=min(2**16, max(2**12, BUFFER_BYTES // len(self.names))),
                pre_buffer=False,
            )
        if lost := set(self.stored) - set(file.schema_arrow.names):
            raise ValueError(f"{part} has no column {min(lost)!r}, which {self.parts[0]} has")
        size = min(rows, rows_at_once(len(self.names), WHOLE_BYTES))
        threads = CORES > 2 or rows > size  # two cores are busy without, if groups are read abreast
        with self._trouble():
            for batch in file.iter_batches(size, groups, self.stored, use_threads=threads):
                keys = self.keys.columns(part, batch.num_rows)
                yield [*keys, *(from_arrow(batch.column(name)) for name in self.stored)]


def unrepeated(file: str, names: list[str]) -> list[str]:
    """Names of columns, if no two are the same."""
    if twice := {name for name in names if names.count(name) > 1}:
        raise ValueError(f"{file} has two columns named {min(twice)!r}")
    return names


def from_arrow(column: Any) -> Values:
    """A column of an Arrow batch; or what is wrong with it."""
    import pyarrow as pa
    from pyarrow import types

    kind = column.type.value_type if types.is_dictionary(column.type) else column.type
    if kind == pa.float64():
        return column.to_numpy(zero_copy_only=False)
    if types.is_boolean(kind):
        return text_of_arrow(column.cast(pa.string()))
    if types.is_string(kind) or types.is_large_string(kind):
        return text_of_arrow(column)
    if types.is_null(kind):
        return np.full(len(column), np.nan)
    if types.is_date(kind) or types.is_timestamp(kind):
        plain = column.dictionary_decode() if types.is_dictionary(column.type) else column
        return days(plain.to_numpy(zero_copy_only=False))
    if not (types.is_floating(kind) or types.is_integer(kind) or types.is_decimal(kind)):
        return "neither numbers nor text"
    try:
        values = column.cast(pa.float64()).to_numpy(zero_copy_only=False)
    except pa.ArrowInvalid:
        return BEYOND
    return BEYOND if types.is_decimal(kind) and (abs(values) >= 2**53).any() else values


def release() -> None:
    """Give back the memory that pyarrow has in reserve."""
    if pyarrow := sys.modules.get("pyarrow"):
        pyarrow.default_memory_pool().release_unused()


def text_of_arrow(column: Any) -> Text:
    """A column of strings, as codes and levels."""
    coded = column.dictionary_encode() if not hasattr(column, "indices") else column
    codes = coded.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    return Text(codes, coded.dictionary.to_pylist())
