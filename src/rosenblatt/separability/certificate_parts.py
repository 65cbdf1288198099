"""The parts of a certificate: separators and conflicts, in fractions and as text, and in words."""

import re
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from html import escape
from operator import index
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.checker import CONSTANT, INDEPENDENT
from rosenblatt.separability.exact.rational import FloatRatios, in_line, rounded

DependentColumns = dict[str, dict[str, Fraction]]  # by their places, or "intercept"
COLUMN = re.compile(f"0|[1-9][0-9]{{0,18}}|{CONSTANT}", re.ASCII)
RATIONAL = re.compile(r"-?[0-9]{1,99999}(/0*[1-9][0-9]{0,99998})?", re.ASCII)
ABOUT = ("fit_intercept", "classes", "n_samples", "n_features", "sha256")  # fields of all kinds

PARTS_OF_VERDICTS = {
    "separable": {"separator"},
    "touching": {"separator", "conflict"},
    "overlapping": {"conflict"},
    "undecided": set[str](),
}


class Hyperplane(NamedTuple):
    """w·x + b = 0, in fractions."""

    w: Sequence[Fraction]
    b: Fraction

    @property
    def ratios(self) -> Sequence[Fraction]:
        """Its weights, the bias last."""
        exact = isinstance(self.w, FloatRatios)
        return in_line((self.w, FloatRatios(np.array([rounded(self.b)])) if exact else [self.b]))


def hyperplane(ratios: Sequence[Fraction]) -> Hyperplane:
    """The hyperplane of some weights, the bias last."""
    return Hyperplane(ratios[:-1], ratios[-1])


class ConflictWeights(NamedTuple):
    """Rows in conflict: with these weights, the rows y (x, 1) add up to zero."""

    rows: list[int]
    weights: list[Fraction]


class LinearMachine(NamedTuple):
    """Weights and a bias for each class, in fractions: the class with the highest score leads."""

    w: Sequence[Sequence[Fraction]]
    b: list[Fraction]


class PairConflictWeights(NamedTuple):
    """Pairs in conflict: no linear machine has each row lead its rival (a position in classes)."""

    rows: list[int]
    rivals: list[int]
    weights: list[Fraction]


def is_count(value: Any) -> bool:
    """Whether a value counts rows or columns."""
    return type(value) is int and 0 < value < 2**63


def parts_of(fields: dict[str, Any]) -> set[str]:
    """The parts of a certificate. Where distinct rows are independent, there is no separator."""
    parts = PARTS_OF_VERDICTS[fields["verdict"]]
    return parts - {"separator"} if fields.get("kernel") in INDEPENDENT else parts


def separator_of(s: Any, several: bool) -> Hyperplane | LinearMachine:
    """A separator out of JSON."""
    if several:
        return LinearMachine([fractions(w) for w in s["w"]], fractions(s["b"]))
    return Hyperplane(fractions(s["w"]), fraction(s["b"]))


def conflict_of(s: Any, several: bool) -> ConflictWeights | PairConflictWeights:
    """A conflict out of JSON."""
    rows, weights = [index(i) for i in s["rows"]], fractions(s["weights"])
    if several:
        return PairConflictWeights(rows, [index(k) for k in s["rivals"]], weights)
    return ConflictWeights(rows, weights)


def related_of(s: Any, name: str) -> DependentColumns:
    """Dependent or combined columns out of JSON."""
    if not isinstance(s, dict) or not all(isinstance(shares, dict) for shares in s.values()):
        raise ValueError(f"its {name} columns are malformed")
    named = {k: {j: fraction(share) for j, share in shares.items()} for k, shares in s.items()}
    if not all(COLUMN.fullmatch(name) for k in named for name in (k, *named[k])):
        raise ValueError(f"its {name} columns are malformed")
    return named


def texts(x: Any) -> Any:
    """Fractions, in lists and dictionaries too, as text; whole numbers stay what they are."""
    if isinstance(x, Fraction):
        return text(x)
    if isinstance(x, dict):
        return {k: texts(v) for k, v in x.items()}
    return x if isinstance(x, int) else [texts(v) for v in x]


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


# -- In words --------------------------------------------------------------------------------------


def sentence(c: Any) -> str:
    """What a certificate says."""
    if c.verdict == "undecided":
        return f"undecided: {c.reason}"
    tell = of_kernel if c.kernel else of_several_classes if len(c.classes) > 2 else of_two_classes
    return tell(c)


def of_two_classes(c: Any) -> str:
    if c.conflict is None:
        nearest = "" if c.margin is None else f"; the nearest is {c.margin:.3g} away"
        return f"separable: a hyperplane has all {c.n_samples} rows on their sides{nearest}"
    rows = listed_rows(c.conflict.rows)
    clash = f"not separable: no hyperplane has rows {rows} all on their right sides"
    if len(c.conflict.rows) == 1:
        clash = f"not separable: row {rows} is zero and lies on every hyperplane through the origin"
    if c.verdict == "touching":
        return f"{clash}; the classes touch: some hyperplane has no row on the wrong side"
    return f"{clash}; the classes overlap: every hyperplane has rows on the wrong side"


def of_several_classes(c: Any) -> str:
    if c.conflict is None:
        told = f"; the smallest distance from a border is {c.margin or 0:.3g}"
        return (
            f"separable: some linear machine scores all {c.n_samples} rows highest for their own "
            f"class{'' if c.margin is None else told}"
        )
    rows = listed_rows(sorted(set(c.conflict.rows)))
    clash = f"not separable: no linear machine scores rows {rows} all highest for their own class"
    if c.verdict == "touching":
        return f"{clash}; the classes touch: some machine scores no row higher for another class"
    return f"{clash}; the classes overlap: every machine scores some row higher for another class"


def of_kernel(c: Any) -> str:
    name = kernel_name(c.kernel)
    if c.conflict is None:
        return f"separable: a function of the {name} gets all {c.n_samples} rows right"
    rows = listed_rows(sorted(set(c.conflict.rows)))
    clash = f"not separable: no function of the {name} gets rows {rows} right together"
    if c.verdict == "touching":
        return f"{clash}; the classes touch: some function has no row on the wrong side"
    return f"{clash}; the classes overlap: every function has rows on the wrong side"


def kernel_name(kernel: dict[str, Any]) -> str:
    """A kernel, as a sentence has it."""
    if kernel["name"] != "poly":
        return f"{kernel['name']} kernel"
    kind = "" if kernel["lower"] else "homogeneous "
    return f"{kind}polynomial kernel of degree {kernel['degree']}"


def listed_rows(rows: list[int], most: int = 8) -> str:
    """Row numbers as a sentence in Python has them."""
    told = [str(i) for i in rows[:most]]
    if len(rows) > most:
        return f"{', '.join(told)} and {len(rows) - most} more (counted from 0)"
    told = [", ".join(told[:-1]), told[-1]] if len(told) > 1 else told
    return f"{' and '.join(told)} (counted from 0)"


def html_table(facts: dict[str, str], sentence: str) -> str:
    """What a notebook shows of an answer: the facts that there are, and a sentence."""
    rows = [f"<tr><th>{k}</th><td>{escape(v)}</td></tr>" for k, v in facts.items() if v]
    return f"<table>{''.join(rows)}</table><p>{escape(sentence)}</p>"
