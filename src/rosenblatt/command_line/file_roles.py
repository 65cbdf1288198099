"""The files of a command: none that it reads is written, and none is written twice."""

from glob import glob
from pathlib import Path
from typing import Any, NamedTuple

import click

from rosenblatt.atomic_write import is_stream

KEY = "rosenblatt.files"  # in what a context keeps for all of its options


class UsedFile(NamedTuple):
    """A file or folder that a command reads or writes."""

    place: Path  # behind all links
    written: bool


def reads(ctx: Any, option: Any, value: Any) -> Any:
    """Take down the files that an argument names, or stands for; a callback of click."""
    for pattern in value if isinstance(value, tuple | list) else [value]:
        for path in (glob(pattern, recursive=True) if pattern else []) or [pattern]:
            take_down(ctx, path, False)
    return value


def take_down(ctx: Any, path: str | None, written: bool) -> None:
    """Remember that a file is read or written; refuse if it is already, and either is written."""
    if path in (None, "-") or "://" in str(path) or is_stream(Path(str(path))):
        return
    used = UsedFile(Path(str(path)).resolve(), written)
    for other in ctx.meta.setdefault(KEY, []):
        if written and other.written and used.place == other.place:
            raise click.UsageError(f"{path} would be written twice: name different files")
        read, target = (other, used) if written else (used, other)
        if read.written != target.written and covers(read.place, target.place):
            raise click.UsageError(f"{path} is read and would be overwritten: name another file")
    ctx.meta[KEY].append(used)


def covers(read: Path, target: Path) -> bool:
    """Whether what is read is a file, or a folder of Parquet files with it."""
    inside = read.is_dir() and target.suffix == ".parquet" and target.is_relative_to(read)
    return read == target or (inside and target.exists())
