"""The parts of a certificate, separators and conflicts, in fractions and as text."""

import re
from decimal import Decimal
from fractions import Fraction
from operator import index
from typing import Any, NamedTuple

RATIONAL = re.compile(r"-?[0-9]{1,99999}(/0*[1-9][0-9]{0,99998})?", re.ASCII)


class Hyperplane(NamedTuple):
    """w·x + b = 0, in fractions."""

    w: list[Fraction]
    b: Fraction


class ConflictWeights(NamedTuple):
    """Rows in conflict: with these weights, the rows y (x, 1) add up to zero."""

    rows: list[int]
    weights: list[Fraction]


class LinearMachine(NamedTuple):
    """Weights and a bias for each class, in fractions: the class with the highest score leads."""

    w: list[list[Fraction]]
    b: list[Fraction]


class PairConflictWeights(NamedTuple):
    """Pairs in conflict: no linear machine has each row lead its rival (a position in classes)."""

    rows: list[int]
    rivals: list[int]
    weights: list[Fraction]


def separator_of(s: Any, several: bool) -> Hyperplane | LinearMachine:
    """A separator out of JSON."""
    if several:
        return LinearMachine([fractions(w) for w in s["w"]], fractions(s["b"]))
    return Hyperplane(fractions(s["w"]), fraction(s["b"]))


def conflict_of(s: Any, several: bool) -> ConflictWeights | PairConflictWeights:
    """A conflict out of JSON."""
    rows, weights = [index(i) for i in s["rows"]], fractions(s["weights"])
    return (
        PairConflictWeights(rows, [index(k) for k in s["rivals"]], weights)
        if several
        else ConflictWeights(rows, weights)
    )


def texts(x: Any) -> Any:
    """Fractions in lists as text."""
    return [texts(v) for v in x] if isinstance(x, list) else text(x)


def fractions(x: list[str]) -> list[Fraction]:
    """Fractions from text."""
    return [fraction(v) for v in x]


def text(x: Fraction) -> str:
    """A fraction as text. Decimal writes whole numbers of any length."""
    top, below = str(Decimal(x.numerator)), str(Decimal(x.denominator))
    return top if below == "1" else f"{top}/{below}"


def fraction(x: str) -> Fraction:
    """A fraction from text, if it is nothing else."""
    if not isinstance(x, str) or not RATIONAL.fullmatch(x):
        raise ValueError("a number is malformed")
    top, _, below = x.partition("/")
    return Fraction(int(Decimal(top)), int(Decimal(below or 1)))
