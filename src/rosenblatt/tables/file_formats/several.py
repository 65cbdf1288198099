"""Several files as one source of rows, one after the other."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Any

from rosenblatt.tables.encoding import Batch, n_rows
from rosenblatt.tables.file_formats.delimited_text import Delimited
from rosenblatt.tables.file_formats.formats import RowFile


@dataclass
class Several:
    """Files with the same columns, which may stand in another order."""

    parts: list[Any]  # of RowFile
    orders: list[list[int]]  # the places of the columns in each
    counts: list[int] = field(default_factory=list)  # the rows of each, as far as they were read

    @property
    def names(self) -> Sequence[str]:
        return self.parts[0].names

    @property
    def named(self) -> bool:
        return self.parts[0].named

    @property
    def unit(self) -> str:
        return self.parts[0].unit

    @property
    def repeated(self) -> dict[int, str]:
        return getattr(self.parts[0], "repeated", {})

    @property
    def decimal(self) -> str | None:
        marks = [getattr(part, "decimal", None) for part in self.parts]
        return next((mark for mark in marks if mark), None)

    @property
    def pieces(self) -> Sequence[int]:
        each = [list(part.pieces) for part in self.parts]
        return [rows for pieces in each for rows in pieces] if all(each) else []

    def piece(self, k: int) -> Iterator[Batch]:
        for part, order in zip(self.parts, self.orders, strict=True):
            if k < len(part.pieces):
                return ([batch[j] for j in order] for batch in part.piece(k))
            k -= len(part.pieces)
        raise IndexError(k)

    def batches(self) -> Iterator[Batch]:
        self.counts = []
        for part, order in zip(self.parts, self.orders, strict=True):
            self.counts.append(0)
            for batch in part.batches():
                ordered = [batch[j] for j in order]
                yield ordered
                self.counts[-1] += n_rows(ordered)

    def numbers(self, rows: Sequence[int]) -> list[Any]:
        """As "file:line", or "file:row"."""
        counts = self.counts or [sum(part.pieces) for part in self.parts]
        starts = [0, *accumulate(counts)][: len(self.parts)]
        homes = [bisect_right(starts, row) - 1 for row in rows]
        found: dict[int, str] = {}
        for k in set(homes):
            own = [row for row, home in zip(rows, homes, strict=True) if home == k]
            numbers = self.parts[k].numbers([row - starts[k] for row in own])
            names = (f"{self.parts[k].file.name}:{number}" for number in numbers)
            found |= dict(zip(own, names, strict=True))
        return [found[row] for row in rows]

    def rows(self) -> Iterator[tuple[str, list[str]]]:
        """The number of each line that is a row, and its cells, in files that are text."""
        for part, order in zip(self.parts, self.orders, strict=True):
            if isinstance(part, Delimited):
                for line, row in part.rows():
                    yield f"{part.file.name}:{line}", [row[j] for j in order]

    def patient(self) -> RowFile:
        parts = [p.patient() if isinstance(p, Delimited) else p for p in self.parts]
        return alike(replace(self, parts=parts))

    def with_texts(self, texts: frozenset[int]) -> "Several":
        """The same files, with text in these columns even where it looks like numbers."""
        parts = [
            part.with_texts(frozenset(order[j] for j in texts))
            if isinstance(part, Delimited)
            else part
            for part, order in zip(self.parts, self.orders, strict=True)
        ]
        return replace(self, parts=parts)


def together(parts: list[Any]) -> Several:
    """Files as one, or a sentence about the one that has other columns."""
    orders = [order_of(part, parts[0]) for part in parts]
    return alike(Several(parts, orders))


def alike(several: Several) -> Several:
    """What is text in one of them is text in all."""
    pairs = zip(several.parts, several.orders, strict=True)
    texts = {order.index(j) for p, order in pairs if isinstance(p, Delimited) for j in p.texts}
    return several.with_texts(frozenset(texts))


def order_of(part: RowFile, first: RowFile) -> list[int]:
    """The places of the columns of the first file in another one: by name, or else by position."""
    here, there = list(part.names), list(first.names)
    name, other = part.file.name, first.file.name  # type: ignore[attr-defined]
    if len(here) != len(there):
        raise ValueError(f"{name} has {len(here)} columns, and {other} has {len(there)}")
    if part.named > first.named:
        raise ValueError(
            f"{name} names its columns, and {other} does not; name a file that does first"
        )
    if not part.named:
        return list(range(len(here)))
    if lost := [column for column in there if column not in here]:
        raise ValueError(f"{name} has no column {lost[0]!r}, which {other} has")
    return [here.index(column) for column in there]
