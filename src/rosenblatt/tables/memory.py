"""Memory: how much there is, and how much a table would take."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rosenblatt.tables.files import File, FileSet, find_all

ZIPPED = 5  # how much longer text is when it is unpacked, about


def fits(path: Any) -> bool:
    """Whether a table fits in half of the memory that is free."""
    return 2 * size(path) <= available()


def size(path: Any) -> int:
    """About how many bytes the numbers of a table take. Text is about as long as its numbers."""
    found = find_all(path)
    return sum(_size(file) for file in (found.files if isinstance(found, FileSet) else [found]))


def _size(file: File) -> int:
    if file.is_folder:
        return sum(_decoded(part) for part in Path(file.path).rglob("*.parquet"))
    if file.unpacker:
        return file.size() * ZIPPED
    here = file.data is None and not file.is_remote
    return _decoded(Path(file.path)) if here and file.head(4) == b"PAR1" else file.size()


def _decoded(file: Path) -> int:
    """The numbers in a Parquet file. What is wrong with it is told by whoever reads it."""
    try:
        from pyarrow.parquet import read_metadata

        facts = read_metadata(file)
    except (ImportError, OSError, ValueError):
        return 0
    return 8 * int(facts.num_rows) * int(facts.num_columns)


def available() -> float:
    """The bytes that this process may still take."""
    return min(_limits(), default=float("inf"))


def _limits() -> Iterator[float]:
    meminfo, group = Path("/proc/meminfo"), Path("/sys/fs/cgroup")
    if meminfo.exists():
        lines = (line.split() for line in meminfo.read_text().splitlines())
        yield from (1024 * int(line[1]) for line in lines if line[0] == "MemAvailable:")
    elif hasattr(os, "sysconf"):
        yield os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2
    if (group / "memory.max").exists() and (most := (group / "memory.max").read_text()) != "max\n":
        yield int(most) - int((group / "memory.current").read_text())
    yield from _own_limit()


def _own_limit() -> Iterator[float]:
    """What ulimit -v leaves."""
    try:
        import resource
    except ImportError:  # not on Windows
        return
    most = resource.getrlimit(resource.RLIMIT_AS)[0]
    if most != resource.RLIM_INFINITY:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        yield most - pages * resource.getpagesize()
