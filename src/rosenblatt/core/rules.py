"""Rules: how far a mistake moves the hypothesis.

A rule is five numbers. Let m = y f(x) be a row's margin. A row moves the hypothesis when
``m <= margin``, by::

    min(cap, rate + gain (margin - m) / (|x̂|² + damping))

and a member of the family is a choice of the five.
"""

import math
from typing import NamedTuple


class Rule(NamedTuple):
    margin: float = 0.0
    rate: float = 0.0
    gain: float = 0.0
    cap: float = math.inf
    damping: float = 0.0


def rosenblatt(eta0: float, margin: float | None, C: float) -> Rule:
    """Rosenblatt 1958: a constant step for every row on the wrong side."""
    return Rule(rate=eta0)


def margin(eta0: float, margin: float | None, C: float) -> Rule:
    """A constant step for every row within the margin (Krauth and Mézard 1987)."""
    return Rule(margin=1.0 if margin is None else margin, rate=eta0)


def pa(eta0: float, margin: float | None, C: float) -> Rule:
    """Passive-aggressive: just far enough to reach the margin (Crammer et al. 2006)."""
    return Rule(margin=1.0 if margin is None else margin, gain=1.0)


def pa1(eta0: float, margin: float | None, C: float) -> Rule:
    """Passive-aggressive, never further than C."""
    return pa(eta0, margin, C)._replace(cap=C)


def pa2(eta0: float, margin: float | None, C: float) -> Rule:
    """Passive-aggressive, damped by 1/(2C)."""
    return pa(eta0, margin, C)._replace(damping=0.5 / C)


def relaxation(eta0: float, margin: float | None, C: float) -> Rule:
    """Relaxation: the fraction eta0 of the way to the margin (Agmon, Motzkin, Schoenberg 1954)."""
    return pa(eta0, margin, C)._replace(gain=eta0)


RULES = {rule.__name__: rule for rule in (rosenblatt, margin, pa, pa1, pa2, relaxation)}
