"""The plan that the parameters of an estimator describe."""

import math
from typing import Any

from rosenblatt.core.rules import RULES
from rosenblatt.core.training import Plan
from rosenblatt.inputs.parameters import number


def make_rule(p: dict[str, Any]) -> Any:
    """The rule that parameters name, if they go together."""
    name = p["rule"]
    number("eta0", p["eta0"], 0, 2 if name == "relaxation" else math.inf)
    if p["margin"] is not None:
        number("margin", p["margin"], 0, open=name not in ("rosenblatt", "margin"))
        if name == "rosenblatt" and p["margin"] != 0:
            raise ValueError(
                f"rule='rosenblatt' has no margin, got margin={p['margin']!r}; use rule='margin'"
            )
    return RULES[name](float(p["eta0"]), p["margin"], float(p["C"]))


def make_batch(size: Any, n: int) -> int:
    """How many of n rows are judged together."""
    return n if size == "all" else min(int(size), n)


def make_plan(p: dict[str, Any], n: int) -> Plan:
    """The plan that an estimator's parameters describe, for n rows."""
    order, most = p["order"], p["max_updates"]
    tol = p["tol"] if p["tol"] is not None or not p["early_stopping"] else 1e-3
    return Plan(
        rule=make_rule(p),
        order="shuffled" if order == "sweep" and p["shuffle"] else order,
        batch=make_batch(p["batch_size"], n),
        keep=p["keep"],
        max_iter=int(p["max_iter"]),
        max_updates=math.inf if most is None else int(most),
        min_margin=p["min_margin"],
        tol=-math.inf if tol is None else tol,
        patience=int(p["n_iter_no_change"]),
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
