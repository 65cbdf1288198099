"""Columns that cannot be used as they are: all of them in one message."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

MOST_NAMED = 10  # columns in a message
LISTED = 20  # names of columns that there are

WITHOUT = "without"  # advice: to leave the column out
DROP = "leave such rows out with missing='drop'"
FILL = f"{DROP}, or fill them with missing='mean'"
CORRECT = (
    "correct such cells, or leave them empty where a value is missing; "
    "codes are read as text if you say so (text)"
)
INFINITY = "infinity, or a number too large for floating point"


class Unusable(ValueError):
    """A column that cannot be used: what it does, from which row on, and what to do about it."""

    def __init__(self, what: str, row: int | None = None, advice: str = "") -> None:
        self.what, self.row, self.advice = what, row, advice


class Trouble(NamedTuple):
    """What is wrong with a column, where it begins, and what to do about it."""

    column: str
    what: str
    place: str = ""  # of the first row that it is about
    advice: str = ""

    def __str__(self) -> str:
        if self.place:
            return f"{self.place}, column {self.column!r}: {self.what}"
        return f"column {self.column!r} {self.what}"


def columns_error(file: str, troubles: Sequence[Trouble]) -> ValueError:
    """The error that names all columns in trouble."""
    first, *others = troubles
    begin = f"{file}, {first}" if first.place and not others else f"{file}: {first}"
    more = [str(trouble) for trouble in others[: MOST_NAMED - 1]]
    rest = [f"{len(troubles) - MOST_NAMED} more columns"] if len(troubles) > MOST_NAMED else []
    return ValueError("; ".join([begin, *more, *rest, *remedies(troubles)]))


def remedies(troubles: Sequence[Trouble]) -> Iterator[str]:
    """What to do, each thing once."""
    names = [trouble.column for trouble in troubles if trouble.advice == WITHOUT]
    if names:
        them, without = ("it", names[0]) if len(names) == 1 else ("them", names)
        yield f"leave {them} out with without={without!r}"
    others = dict.fromkeys(trouble.advice for trouble in troubles)
    if FILL in others:
        others.pop(DROP, None)  # which it says too
    yield from (sentence for sentence in others if sentence not in ("", WITHOUT))


def listed_columns(names: Sequence[str]) -> str:
    """The first names of columns."""
    more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
    return ", ".join(names[:LISTED]) + more
