"""Decide on rows that are not all at hand: gather the hard ones, decide on those, check everywhere.

A conflict among gathered rows is a conflict of all. A separator of the gathered rows is checked on
all rows where they are; those that it does not get right for certain are gathered too, and the
question is put again. Each time the answer is one that the rows before did not give, so this ends.
"""

from collections.abc import Callable
from functools import reduce
from typing import Any, NamedTuple, Protocol, Self, TypeVar

from rosenblatt.core.loop import Array
from rosenblatt.separability.row_sources.source import Source

CHECKS = 200  # the most times that all rows are checked


class Gathered(Protocol):
    """Rows, or pairs of rows and rivals, that were hard to get right."""

    @property
    def i(self) -> Array: ...  # their numbers
    @property
    def nbytes(self) -> int: ...
    def join(self, other: Self) -> Self: ...
    def hardest(self, most: int) -> Self: ...


G = TypeVar("G", bound=Gathered)
T = TypeVar("T")
Find = Callable[[Any], G]  # what finds hard rows in a block


class Capacity(NamedTuple):
    """How much is gathered."""

    most: int  # rows in one look
    nbytes: int  # in all


def gather(source: Source, find: Find[G], most: int) -> G:
    """The hardest that are found in all blocks."""
    return reduce(lambda a, b: a.join(b).hardest(most), source.each(find))


def decide_everywhere(
    source: Source,
    found: G,
    capacity: Capacity,
    decide_on: Callable[[G], T],
    refutation: Callable[[T, G], Find[G] | None],
) -> tuple[T, G, bool]:
    """An answer on what was gathered, which is more by then, and whether no other row refutes it.

    `refutation` is what finds the rows for which an answer does not hold; None if it holds for all.
    """
    for _ in range(CHECKS):
        answer = decide_on(found)
        find = refutation(answer, found)
        if find is None or not len((more := gather(source, find, capacity.most)).i):
            return answer, found, True
        found = found.join(more)
        if found.nbytes > capacity.nbytes:
            break
    return answer, found, False
