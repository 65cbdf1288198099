"""Decide on rows that are not all at hand: gather the hard ones, decide on those, check everywhere.

A conflict among gathered rows is a conflict of all. A separator of the gathered rows is checked on
all rows where they are; those that it does not get right for certain are gathered too, and the
question is put again. Each time the answer is one that the rows before did not give, so this ends.
"""

from collections.abc import Callable
from functools import reduce
from typing import Any, NamedTuple, TypeVar

import numpy as np

from rosenblatt.core.loop import Array
from rosenblatt.inputs.matrix import stack
from rosenblatt.separability.row_sources.source import Source

CHECKS = 200  # the most times that all rows are checked


T = TypeVar("T")


class Gathered(NamedTuple):
    """Rows, or pairs of rows and rivals, that were hard to get right."""

    i: Array  # their numbers
    own: Array  # ±1; of pairs, the class
    rival: Array  # of rows, always 0
    X: Any  # dense or CSR; of pairs, x̂
    distance: Array  # from the hypothesis; the smallest are the hardest

    def cut(self, places: Array) -> "Gathered":
        return Gathered(*(column[places] for column in self))

    def join(self, other: "Gathered") -> "Gathered":
        """Both, each row or pair once."""
        i, own, rival, X, distance = zip(self, other, strict=True)
        numbers = np.concatenate(i), np.concatenate(own), np.concatenate(rival)
        both = Gathered(*numbers, stack(X), np.concatenate(distance))
        number = both.i * (1 + both.rival.max(initial=0)) + both.rival
        return both.cut(np.unique(number, return_index=True)[1])

    def hardest(self, most: int) -> "Gathered":
        return self.cut(np.sort(np.argsort(self.distance, kind="stable")[:most]))

    @property
    def nbytes(self) -> int:
        return int(self.X.data.nbytes)


Find = Callable[[Any], Gathered]  # what finds hard rows in a block


class Capacity(NamedTuple):
    """How much is gathered."""

    most: int  # rows in one look
    nbytes: int  # in all


def gather(source: Source, find: Find, most: int) -> Gathered:
    """The hardest that are found in all blocks."""
    return reduce(lambda a, b: a.join(b).hardest(most), source.each(find))


def decide_everywhere(
    source: Source,
    found: Gathered,
    capacity: Capacity,
    decide_on: Callable[[Gathered], T],
    refutation: Callable[[T, Gathered], Find | None],
) -> tuple[T, Gathered, bool]:
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
