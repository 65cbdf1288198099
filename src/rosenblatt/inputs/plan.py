"""The plan that the parameters of an estimator describe."""

import math
from typing import Any

from rosenblatt.core.penalties import Penalty
from rosenblatt.core.rules import RULES
from rosenblatt.core.training import Plan
from rosenblatt.inputs.parameters import number


def make_rule(p: dict[str, Any]) -> Any:
    """The rule that parameters name, if they go together; "auto" is Rosenblatt's."""
    name = "rosenblatt" if p["rule"] == "auto" else p["rule"]
    number("eta0", p["eta0"], 0, 2 if name == "relaxation" else math.inf)
    if p["margin"] is not None:
        number("margin", p["margin"], 0, open=name not in ("rosenblatt", "margin"))
        if name == "rosenblatt" and p["margin"] != 0:
            raise ValueError(
                f"rule='rosenblatt' has no margin, got margin={p['margin']!r}; use rule='margin'"
            )
    return RULES[name](float(p["eta0"]), p["margin"], float(p["C"]))


def make_penalty(p: dict[str, Any]) -> Penalty | None:
    """The penalty that parameters name, if the rest of them allow one."""
    name, ratio = p.get("penalty"), p.get("l1_ratio")
    if name is None:
        return None
    possible = {
        "form": ("auto", "primal"),
        "batch_size": (1,),
        "record": (False,),
        "keep": ("pocket", "best", "last"),
    }
    for other, values in possible.items():
        if p[other] not in values:
            listed = " or ".join(repr(value) for value in values)
            raise ValueError(
                f"{other}={p[other]!r} does not go with penalty={name!r}; use {other}={listed}"
            )
    if name == "elasticnet" and ratio is None:
        raise ValueError("l1_ratio must be set when penalty is 'elasticnet'")
    share: Any = {"l2": 0.0, "l1": 1.0}.get(name, ratio)
    return Penalty(float(p["alpha"]), float(share), float(p["eta0"]))


def refuse_scaled(p: dict[str, Any]) -> None:
    """Refuse to hand back hypotheses about scaled columns."""
    for name, value in (("keep", "vote"), ("record", True)):
        if p.get("scale") is not None and p[name] == value:
            raise ValueError(
                f"{name}={value!r} does not go with scale={p['scale']!r}; put a StandardScaler "
                "before the model"
            )


def make_plan(p: dict[str, Any], n: int) -> Plan:
    """The plan that an estimator's parameters describe, for n rows."""
    refuse_scaled(p)
    order, most, penalty = p["order"], p["max_updates"], make_penalty(p)
    tol = p["tol"] if p["tol"] is not None or not p["early_stopping"] else 1e-3
    return Plan(
        rule=make_rule(p),
        order="shuffled" if order == "sweep" and p["shuffle"] else order,
        batch=n if p["batch_size"] == "all" else min(int(p["batch_size"]), n),
        keep="last" if penalty else p["keep"],
        max_iter=int(p["max_iter"]),
        max_updates=math.inf if most is None else int(most),
        min_margin=0.0 if penalty else p["min_margin"],
        tol=-math.inf if tol is None else tol,
        patience=int(p["n_iter_no_change"]),
        record=bool(p["record"]) or p["keep"] == "vote",
        bracket=penalty is None,
        penalty=penalty,
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
