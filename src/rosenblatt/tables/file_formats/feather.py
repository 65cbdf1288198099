"""Feather files, which hold columns of Arrow."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from rosenblatt.extras import need
from rosenblatt.tables.encoding import Batch
from rosenblatt.tables.file_formats.formats import Records
from rosenblatt.tables.file_formats.parquet import from_arrow, unrepeated
from rosenblatt.tables.files import File


@dataclass
class Feather(Records):
    """A Feather (Arrow IPC) file, whose batches are read one by one."""

    file: File
    named: bool = True

    def __post_init__(self) -> None:
        self.ipc = need("pyarrow.ipc", "tables", "reading Feather")
        if self.file.head(4) == b"FEA1":
            raise ValueError(f"{self.file.name} is a Feather file of version 1; write it anew")
        with self._opened() as batches:
            self.names = unrepeated(self.file.name, batches.schema.names)
            counts = range(batches.num_record_batches)
            self.pieces: Sequence[int] = [batches.get_batch(k).num_rows for k in counts]

    @contextmanager
    def _opened(self) -> Iterator[Any]:
        import pyarrow as pa

        source = self.file.native
        try:
            with pa.memory_map(source) if isinstance(source, str) else source as stream:
                yield self.ipc.open_file(stream)
        except (pa.ArrowException, OSError) as error:
            what = f"{self.file.name} cannot be read as Feather; it may be truncated"
            raise ValueError(what) from error

    def piece(self, k: int) -> Iterator[Batch]:
        with self._opened() as batches:
            batch = batches.get_batch(k)
            yield [from_arrow(column) for column in batch.columns]
