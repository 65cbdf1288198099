"""Wishes: how a table is to be read, and which of its columns that means."""

import difflib
from collections.abc import Sequence
from typing import NamedTuple

from rosenblatt.tables.encoding import Encoding
from rosenblatt.tables.file_formats.formats import Libsvm, RowFile
from rosenblatt.tables.troubles import listed_columns

SIMILAR = 0.7  # names that may be meant, from 0 to 1


class ReadOptions(NamedTuple):
    """How a table is to be read; see `tables.read`."""

    target: int | str | None = -1
    missing: str = "refuse"
    without: Sequence[str] = ()
    header: bool | None = None
    like: Encoding | None = None
    decimal: str | None = None
    text: Sequence[str] = ()


def find_target(source: RowFile, file: str, options: ReadOptions) -> int | None:
    """The place of the target."""
    names, target = list(source.names), options.target
    if target is None:
        return None
    if options.like and options.like.named and source.named and target == -1:
        target = str(options.like.target)
    if target == -1 and (left := [name for name in names if name not in options.without]):
        return names.index(left[-1])
    if isinstance(target, str) and target in names:
        refuse_two(source, target, file)
        return names.index(target)
    if isinstance(target, str) and not target.lstrip("+-").isdigit():
        near = difflib.get_close_matches(target, names, 1, SIMILAR)
        hint = f"did you mean {near[0]!r}?" if near else f"it has {listed_columns(names)}"
        raise ValueError(f"{file} has no column {target!r}; {hint}")
    place = int(target)
    if not -len(names) <= place < len(names):
        raise ValueError(f"{file} has {len(names)} columns, counted from 0; there is no {place}")
    if isinstance(source, Libsvm) and place != -1:
        raise ValueError(f"{file} is a libsvm file: its labels come first and need no target")
    return place % len(names)


def refuse_two(source: RowFile, target: str, file: str) -> None:
    """Refuse a name that two columns have."""
    repeated: dict[int, str] = getattr(source, "repeated", {})
    for place in (j for j, name in repeated.items() if name == target):
        raise ValueError(
            f"{file} has two columns named {target!r}; say which by its position, "
            f"{source.names.index(target)} or {place}"
        )


def find_columns(source: RowFile, file: str, options: ReadOptions, target: int | None) -> list[int]:
    """The places of the columns that become features."""
    if options.like:
        return find_alike(list(source.names), source.named, file, options.like, target)
    if lost := [name for name in options.without if name not in source.names]:
        raise ValueError(f"{file} has no {columns(lost)} to leave out")
    if target is not None and source.names[target] in options.without:
        raise ValueError(
            f"the target {source.names[target]!r} cannot be left out; name another one (target)"
        )
    places = [
        j for j, name in enumerate(source.names) if name not in options.without and j != target
    ]
    if not places and "，" in source.names[0]:
        raise ValueError(f"{file} has cells separated by '，'; replace it by a comma, ','")
    if not places:
        raise ValueError(f"{file} has one column only; a table has features and a target")
    return places


def find_texts(source: RowFile, file: str, options: ReadOptions) -> set[int]:
    """The places of the columns of a text file that were said to be text."""
    if lost := [name for name in options.text if name not in source.names]:
        raise ValueError(f"{file} has no {columns(lost)} to read as text")
    if options.text and not hasattr(source, "with_texts"):
        raise ValueError(f"{file} is no text file: it tells which of its columns are text")
    return {source.names.index(name) for name in options.text}


def columns(names: Sequence[str]) -> str:
    """One column, or several, by name."""
    return f"column{'s' if len(names) > 1 else ''} {', '.join(map(repr, names))}"


def find_alike(
    names: list[str], named: bool, file: str, like: Encoding, target: int | None
) -> list[int]:
    """The places of the columns of another table, by name or else by position."""
    if like.named and named:
        if lost := [column.name for column in like.columns if column.name not in names]:
            raise ValueError(f"{file} has no {columns(lost)}, which the model needs")
        return [names.index(column.name) for column in like.columns]
    if len(names) == like.n_columns:
        return [column.place for column in like.columns]
    if len(names) == like.n_columns - 1 and target is None:
        return [c.place - (c.place > like.target_place) for c in like.columns]
    raise ValueError(
        f"{file} has {len(names)} columns, but the model was learned from {like.n_columns}, "
        "the target included"
    )
