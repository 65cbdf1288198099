"""Files: found, opened, unpacked and read ahead."""

import bz2
import gzip
import lzma
import os
import re
import sys
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from glob import glob
from io import BufferedReader, BytesIO
from pathlib import Path
from typing import Any, BinaryIO

from rosenblatt.extras import need
from rosenblatt.tables import remote

Stamp = tuple[str, int, int | str]  # name, size, and when it was changed

MOST_LINE_BYTES = 2**26  # bytes of a line
MOST_TEXT_BYTES = 2**28  # bytes of a text that is read at once
DAMAGED = (EOFError, gzip.BadGzipFile, zlib.error, lzma.LZMAError)  # what unpacking raises


def _zstd(source: Any) -> BinaryIO:
    pa = need("pyarrow", "tables", "unpacking zstd")
    raw = pa.OSFile(source) if isinstance(source, str) else pa.PythonFile(source, "r")
    return BufferedReader(pa.CompressedInputStream(raw, "zstd"))


# How packed files begin, and what unpacks them.
UNPACKERS: tuple[tuple[bytes, Callable[[Any], Any]], ...] = (
    (b"\x1f\x8b", gzip.open),
    (b"BZh", bz2.open),
    (b"\xfd7zXZ\x00", lzma.open),
    (b"\x28\xb5\x2f\xfd", _zstd),
)
PACKED_SUFFIX = re.compile(r"\.(gz|bz2|xz|zst|zstd)$")


@dataclass(frozen=True)
class File:
    """A file, here or at an address; or standard input, which is read at once."""

    path: str
    data: bytes | None = None

    @property
    def name(self) -> str:
        return "standard input" if self.data is not None else self.path

    @property
    def stem(self) -> str:
        """The path without the suffix of a packed file."""
        return PACKED_SUFFIX.sub("", self.path)

    @property
    def is_folder(self) -> bool:
        return self.data is None and not self.is_remote and Path(self.path).is_dir()

    @property
    def is_remote(self) -> bool:
        return remote.scheme(self.path) is not None

    @property
    def native(self) -> Any:
        """What other libraries open best."""
        here = self.data is None and not self.is_remote
        return self.path if here and (self.is_folder or not self.unpacker) else self.open()

    @cached_property
    def unpacker(self) -> Callable[[Any], Any] | None:
        """What unpacks it, if it is packed."""
        with self._raw() as stream:
            head = stream.read(6)
        return next((unpack for magic, unpack in UNPACKERS if head.startswith(magic)), None)

    def _raw(self) -> BinaryIO:
        if self.data is not None:
            return BytesIO(self.data)
        return remote.open_remote(self.path) if self.is_remote else open(self.path, "rb")

    def open(self) -> BinaryIO:
        """The bytes, unpacked."""
        unpack = self.unpacker
        if unpack is None:
            return self._raw()
        return unpack(self._raw() if self.data is not None or self.is_remote else self.path)

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

    def size(self) -> int:
        """How many bytes it takes."""
        return sum(size for _, size, _ in self.stamps()) + len(self.data or b"")

    def stamps(self) -> list[Stamp]:
        """Name, size and time of the file, or of those in a folder; none of standard input."""
        if self.data is not None:
            return []
        if self.is_remote:
            return [(self.path, *remote.size_and_version(self.path))]
        path = Path(self.path)
        found = sorted(path.rglob("*")) if path.is_dir() else [path]
        facts = [(str(each), each.stat()) for each in found if not each.is_dir()]
        return [(name, fact.st_size, fact.st_mtime_ns) for name, fact in facts]


@dataclass(frozen=True)
class FileSet:
    """Several files, whose rows follow each other."""

    files: tuple[File, ...]

    @property
    def name(self) -> str:
        more = len(self.files) - 1
        return f"{self.files[0].name} and {more} more file{'s' if more > 1 else ''}"

    def stamps(self) -> list[Stamp]:
        return [stamp for file in self.files for stamp in file.stamps()]


def find(path: Any) -> File:
    """The file at a path or an address; "-" is standard input."""
    if str(path) == "-":
        if sys.stdin is None:
            raise ValueError("standard input is closed")
        return File("-", sys.stdin.buffer.read())
    if remote.scheme(path):
        remote.size_and_version(str(path))
        return File(str(path))
    if not Path(path).exists():
        raise FileNotFoundError(f"{path}: there is no such file")
    return File(os.fspath(path))


def find_all(paths: Any) -> File | FileSet:
    """The file at a path, or all files of several paths and patterns."""
    each = paths if isinstance(paths, list | tuple) else [paths]
    found = [find(path) for pattern in each for path in matching(pattern)]
    if not found:
        raise ValueError("there are no files to read")
    return found[0] if len(found) == 1 else FileSet(tuple(found))


def matching(pattern: Any) -> list[Any]:
    """The paths that a pattern with * or ? stands for, in order; a path stands for itself."""
    text = str(pattern)
    away = remote.scheme(text)
    if not re.search(r"[*?\[]", text) or away in ("http", "https"):
        return [pattern]
    if not away and Path(text).exists():
        return [pattern]
    if not (found := remote.expanded(text) if away else sorted(glob(text, recursive=True))):
        raise FileNotFoundError(f"{text}: there are no such files")
    return found
