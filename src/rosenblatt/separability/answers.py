"""What is found of some rows: a separator or rows in conflict, which are checked, or neither."""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.core.loop import Array, Primal, Rows
from rosenblatt.core.vectors import margins
from rosenblatt.separability.exact import certainty
from rosenblatt.separability.exact.column_relations import Bound
from rosenblatt.separability.exact.rational import FloatRatios


class Separator(NamedTuple):
    """A hypothesis that gets every row right, for certain; the nearest scores about 1.

    Where only exact arithmetic shows it, because the weights or their products with rows are finer
    than floats, `ratios` are the exact weights, and w rounds them.
    """

    w: Array
    ratios: Sequence[Fraction] | None = None
    least: float | None = None  # the smallest margin under w, where all rows were checked with it

    def exactly(self) -> Sequence[Fraction]:
        """The weights that get every row right."""
        return FloatRatios(self.w) if self.ratios is None else self.ratios


class Conflict(NamedTuple):
    """Rows that no hypothesis gets right together: with these weights they add up to nothing.

    Of several classes, pairs of rows and rivals that no linear machine gets right together.
    """

    rows: Array
    weights: list[Fraction]
    basis: Array | None = None  # of the frame in which it was found
    bound: Bound | None = None  # if weights near these do, and rows span all: bounded_conflict
    rivals: Any = None  # for each row a class, where they are pairs


class Undecided(NamedTuple):
    """Neither was found."""

    reason: str


Answer = Separator | Conflict | Undecided


class Check(NamedTuple):
    """What a look at rows shows of a hypothesis."""

    answer: Separator | None  # the hypothesis, if it gets all of them right
    doubts: Array  # the rows that it may not get right, the worst first
    margins: Array


def check(primal: Primal, w: Array, rows: Rows) -> Check:
    """Whether w gets all rows right, for certain."""
    m = margins(primal, w[None], rows)
    doubts = certainty.doubtful(primal, FloatRatios(w), rows, m)
    if len(doubts):
        return Check(None, doubts, m)
    least, most = float(m.min()), float(m.max())
    if least > 0:
        return Check(well_scaled(w, least) if most < math.inf else Separator(w), doubts, m)
    return Check(Separator(w, FloatRatios(w)), doubts, m)


def well_scaled(w: Array, nearest: float) -> Separator:
    """The hypothesis times a power of two, which changes no digit: the nearest row scores about 1.

    Where that would be out of proportion, or lose digits after all, it is left as it is.
    """
    power = round(-math.log2(nearest))
    scaled = np.ldexp(w, power)
    if abs(power) > 300 or not np.array_equal(np.ldexp(scaled, -power), w):
        return Separator(w, least=nearest)
    return Separator(scaled, least=math.ldexp(nearest, power))
