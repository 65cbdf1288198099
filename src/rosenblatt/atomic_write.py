"""Files are written whole or not at all."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any


def place_for(path: Any) -> Path:
    """Where a file is to be written, if that can be."""
    if is_stream(Path(path)):
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


def is_stream(path: Path) -> bool:
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
        with target.open("wb") if is_stream(target) else _draft(target) as stream:
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
