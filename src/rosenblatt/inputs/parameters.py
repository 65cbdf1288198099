"""Parameters: whatever can be refused of them is refused here, and the rest becomes a plan."""

import math
import numbers
from collections.abc import Iterable
from typing import Any

import numpy as np

from rosenblatt.core.rules import RULES
from rosenblatt.core.training import Plan

ORDERS = ("sweep", "random", "worst", "active")
KEEPERS = ("last", "average", "best", "pocket", "vote")
WORDS: dict[str, tuple[Any, ...]] = {
    "form": ("auto", "primal", "dual"),
    "boundary": ("mistake", 1, -1),
    "settle": ("auto", "first", "after", "never"),
    "multi_class": ("ovr", "direct"),
}


def choice(name: str, value: Any, known: Iterable[Any]) -> Any:
    """A value out of a list."""
    known = tuple(known)
    if not any(isinstance(value, (type(k), np.integer)) and value == k for k in known):
        listed = ", ".join(map(repr, known))
        raise ValueError(f"{name}={value!r} is not known; {name} is one of {listed}")
    return value


def number(name: str, value: Any, low: float, high: float = math.inf, *, open: bool = True) -> Any:
    """A number between two limits; `open` leaves out the lower one."""
    real = isinstance(value, numbers.Real) and not isinstance(value, bool)
    if not real or not (low < value if open else low <= value) or not value < high:
        wanted = f"{'above' if open else 'at least'} {low:g}"
        wanted += f" and below {high:g}" if high < math.inf else ""
        raise ValueError(f"{name} must be a number {wanted}, got {value!r}")
    return value


def whole(name: str, value: Any, low: int = 1) -> int:
    """A whole number of at least `low`."""
    if not isinstance(value, numbers.Integral) or isinstance(value, bool) or value < low:
        raise ValueError(f"{name} must be a whole number of at least {low}, got {value!r}")
    return int(value)


def make_rule(p: dict[str, Any]) -> Any:
    """The rule that parameters name."""
    name = choice("rule", p["rule"], RULES)
    number("eta0", p["eta0"], 0, 2 if name == "relaxation" else math.inf)
    number("C", p["C"], 0)
    if p["margin"] is not None:
        number("margin", p["margin"], 0, open=name not in ("rosenblatt", "margin"))
        if name == "rosenblatt" and p["margin"] != 0:
            raise ValueError(
                f"rule='rosenblatt' has no margin, got margin={p['margin']!r}; use rule='margin'"
            )
    return RULES[name](float(p["eta0"]), p["margin"], float(p["C"]))


def make_batch(size: Any, n: int) -> int:
    """How many of n rows are judged together."""
    if isinstance(size, str) and size != "all":
        raise ValueError(f"batch_size must be a whole number or 'all', got {size!r}")
    return n if size == "all" else min(whole("batch_size", size), n)


def make_plan(p: dict[str, Any], n: int) -> Plan:
    """The plan that an estimator's parameters describe, for n rows."""
    order = choice("order", p["order"], ORDERS)
    most = p["max_updates"]
    tol = p["tol"] if p["tol"] is not None or not p["early_stopping"] else 1e-3
    return Plan(
        rule=make_rule(p),
        order="shuffled" if order == "sweep" and p["shuffle"] else order,
        batch=make_batch(p["batch_size"], n),
        keep=choice("keep", p["keep"], KEEPERS),
        max_iter=whole("max_iter", p["max_iter"]),
        max_updates=math.inf if most is None else whole("max_updates", most),
        min_margin=number("min_margin", p["min_margin"], 0, open=False),
        tol=-math.inf if tol is None else number("tol", tol, -math.inf, open=False),
        patience=whole("n_iter_no_change", p["n_iter_no_change"]),
        record=bool(p["record"]) or p["keep"] == "vote",
    )


def one_pass_more(plan: Plan) -> Plan:
    """The plan of partial_fit: one pass as the rows stand, whatever happens."""
    return plan._replace(
        order="sweep",
        max_iter=1,
        max_updates=math.inf,
        min_margin=0.0,
        tol=-math.inf,
    )


def check_words(p: dict[str, Any]) -> None:
    """Refuse parameters that no plan holds."""
    for name in WORDS.keys() & p.keys():
        choice(name, p[name], WORDS[name])
    number("validation_fraction", p["validation_fraction"], 0, 1)
