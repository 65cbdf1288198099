"""Files: found, opened, unpacked and read ahead."""

import gzip
import os
import sys
import zlib
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from rosenblatt.core.threads import CORES

S = TypeVar("S")
T = TypeVar("T")

MOST_LINE_BYTES = 2**26  # bytes of a line
MOST_TEXT_BYTES = 2**28  # bytes of a text that is read at once
DAMAGED = (EOFError, gzip.BadGzipFile, zlib.error)  # what gzip raises


@dataclass(frozen=True)
class File:
    """A file, or standard input, which is read at once."""

    path: str
    data: bytes | None = None

    @property
    def name(self) -> str:
        return "standard input" if self.data is not None else self.path

    @property
    def native(self) -> Any:
        """What other libraries open best."""
        if self.data is None and (Path(self.path).is_dir() or not self._zipped()):
            return self.path
        return self.open()

    def open(self) -> BinaryIO:
        """The bytes, unpacked."""
        if self.data is None:
            return open(self.path, "rb") if not self._zipped() else _unzip(self.path)
        return BytesIO(self.data) if not self._zipped() else _unzip(BytesIO(self.data))

    def text(self) -> str:
        """All of it, as text."""
        try:
            with self.open() as stream:
                data = stream.read(MOST_TEXT_BYTES)
            if len(data) == MOST_TEXT_BYTES:
                raise ValueError(f"{self.name} is longer than {MOST_TEXT_BYTES >> 20} MB")
            return data.decode()
        except (*DAMAGED, UnicodeDecodeError) as error:
            raise ValueError(f"{self.name} is damaged, or not text: {error}") from error

    def lines(self) -> Iterator[bytes]:
        """Its lines; a packed file of a few bytes may hold one that no memory does."""
        with self.open() as stream:
            for k, line in enumerate(iter(lambda: stream.readline(MOST_LINE_BYTES), b""), 1):
                if len(line) == MOST_LINE_BYTES:
                    raise ValueError(
                        f"{self.name}, line {k}: longer than {MOST_LINE_BYTES >> 20} MB"
                    )
                yield line

    def lines_together(self, skip: int, size: int) -> Iterator[bytes]:
        """Pieces of about this size that end with a line, after the first lines."""
        with self.open() as stream:
            for _ in range(skip):
                stream.readline(MOST_LINE_BYTES)
            while piece := stream.read(size):
                yield piece + stream.readline(MOST_LINE_BYTES)

    def head(self, size: int = 4096) -> bytes:
        """The first bytes."""
        with self.open() as stream:
            return stream.read(size)

    def stamps(self) -> list[tuple[str, int, int]]:
        """Name, size and time of the file, or of those in a folder; none of standard input."""
        if self.data is not None:
            return []
        path = Path(self.path)
        found = sorted(path.rglob("*")) if path.is_dir() else [path]
        facts = [(str(each), each.stat()) for each in found if not each.is_dir()]
        return [(name, fact.st_size, fact.st_mtime_ns) for name, fact in facts]

    def _zipped(self) -> bool:
        if self.data is not None:
            return self.data[:2] == b"\x1f\x8b"
        with Path(self.path).open("rb") as stream:
            return stream.read(2) == b"\x1f\x8b"


def _unzip(file: Any) -> BinaryIO:
    return gzip.open(file)  # type: ignore[return-value]


def find(path: Any) -> File:
    """The file at a path; "-" is standard input."""
    if str(path) == "-":
        if sys.stdin is None:
            raise ValueError("standard input is closed")
        return File("-", sys.stdin.buffer.read())
    if not Path(path).exists():
        raise FileNotFoundError(f"{path}: there is no such file")
    return File(os.fspath(path))


def ahead(items: Iterator[T], many: int = 2) -> Iterator[T]:
    """The same items, a few of them made in a thread while others are used."""
    with ThreadPoolExecutor(1) as pool:
        coming = deque(pool.submit(next, items, None) for _ in range(many))
        while (item := coming.popleft().result()) is not None:
            coming.append(pool.submit(next, items, None))
            yield item


def mapped(function: Callable[[S], T], items: Iterator[S]) -> Iterator[T]:
    """What a function makes of the items, in their order, by as many threads as there are cores."""
    with ThreadPoolExecutor(CORES) as pool:
        coming = deque(pool.submit(function, item) for item in islice(items, CORES + 1))
        while coming:
            made = coming.popleft().result()
            coming.extend(pool.submit(function, item) for item in islice(items, 1))
            yield made


def abreast(parts: Iterator[Iterator[T]], many: int = 2, at_once: int = 16) -> Iterator[T]:
    """The items of one part after another, the first few of the next parts made meanwhile."""
    with ThreadPoolExecutor(many) as pool:

        def begin(part: Iterator[T]) -> tuple[Iterator[T], Future[list[T]]]:
            return part, pool.submit(list, islice(part, at_once))

        begun = deque(map(begin, islice(parts, many + 1)))  # lest a thread wait for the next
        while begun:
            part, coming = begun.popleft()
            items = coming.result()
            if len(items) == at_once:
                begun.appendleft(begin(part))
            else:
                begun.extend(map(begin, islice(parts, 1)))
            yield from items
