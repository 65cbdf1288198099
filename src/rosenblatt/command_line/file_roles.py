"""The files of a command: none that it reads is written, and none is written twice."""

from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import click

from rosenblatt.atomic_write import is_stream

USED_FILES = "rosenblatt.files"  # in what a context keeps for all of its options


class UsedFile(NamedTuple):
    """A file or folder that a command reads or writes."""

    path: Path  # behind all links
    written: bool


def reads(ctx: Any, option: Any, value: Any) -> Any:
    """Take down the files that an argument names, or stands for; a callback of click."""
    from rosenblatt.tables.files import matching

    for pattern in value if isinstance(value, tuple | list) else [value]:
        if pattern is not None and "://" not in pattern:
            with suppress(FileNotFoundError):  # told by whoever opens it
                for path in matching(pattern):
                    take_note(ctx, path, False)
    return value


def take_note(ctx: Any, path: str, written: bool) -> None:
    """Remember that a file is read or written; refuse if it is already, and either is written."""
    if path == "-" or is_stream(Path(path)):
        return
    used = UsedFile(Path(path).resolve(), written)
    for other in ctx.meta.setdefault(USED_FILES, []):
        if written and other.written and used.path == other.path:
            raise click.UsageError(f"{path} would be written twice: name different files")
        read, target = (other, used) if written else (used, other)
        if read.written != target.written and covers(read.path, target.path):
            raise click.UsageError(f"{path} is read and would be overwritten: name another file")
    ctx.meta[USED_FILES].append(used)


def covers(read: Path, target: Path) -> bool:
    """Whether what is read is a file, or a folder of Parquet files with it."""
    inside = read.is_dir() and target.suffix == ".parquet" and target.is_relative_to(read)
    return read == target or (inside and target.exists())
