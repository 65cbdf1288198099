"""Files: found, opened, read ahead, and written whole or not at all."""

import gzip
import os
import sys
import tempfile
import zlib
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import IO, Any, BinaryIO, TypeVar

T = TypeVar("T")

LONGEST = 2**26  # bytes of a line
LARGEST = 2**28  # bytes of a text that is read at once
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
                data = stream.read(LARGEST)
            if len(data) == LARGEST:
                raise ValueError(f"{self.name} is longer than {LARGEST >> 20} MB")
            return data.decode()
        except (*DAMAGED, UnicodeDecodeError) as error:
            raise ValueError(f"{self.name} is damaged, or not text: {error}") from error

    def lines(self) -> Iterator[bytes]:
        """Its lines; a packed file of a few bytes may hold one that no memory does."""
        with self.open() as stream:
            for k, line in enumerate(iter(lambda: stream.readline(LONGEST), b""), 1):
                if len(line) == LONGEST:
                    raise ValueError(f"{self.name}, line {k}: longer than {LONGEST >> 20} MB")
                yield line

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


def place_for(path: Any) -> Path:
    """Where a file is to be written, if that can be."""
    if _is_stream(Path(path)):
        return Path(path)
    target = Path(path).resolve()
    if target.is_dir():
        raise IsADirectoryError(f"{path} is a folder; name a file to write")
    if not target.parent.is_dir():
        raise FileNotFoundError(f"{path}: there is no folder {target.parent} to write it in")
    for place in (target, target.parent):
        if place.exists() and not os.access(place, os.W_OK):
            raise PermissionError(f"{path}: {place} must not be written to")
    return target


def _is_stream(path: Path) -> bool:
    """Whether a path is a pipe or a device, which is written to and not replaced."""
    return path.exists() and not path.is_file() and not path.is_dir()


@contextmanager
def replacing(path: Any) -> Iterator[IO[bytes]]:
    """A file to write, which takes its place only when it is complete; a pipe is written to.

    Examples
    --------
    >>> import os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with replacing(f"{folder}/answer.txt") as stream:
    ...         _ = stream.write(b"42")
    ...     os.listdir(folder)
    ['answer.txt']
    """
    target = place_for(path)
    try:
        with target.open("wb") if _is_stream(target) else _draft(target) as stream:
            yield stream
    except OSError as error:
        if error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from error


@contextmanager
def _draft(target: Path) -> Iterator[IO[bytes]]:
    """A temporary file beside the target, which becomes the target or goes away."""
    number, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(number, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(number)
        os.chmod(name, target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask())
        os.replace(name, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def need(module: str, extra: str, what: str) -> Any:
    """A module of an extra, or one sentence that names the extra."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        package = module.partition(".")[0]
        raise ImportError(
            f"{what} needs {package}: pip install 'rosenblatt[{extra}]'", name=package
        ) from error
