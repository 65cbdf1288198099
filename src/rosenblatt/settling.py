"""Settling: decide separability where plain passes leave it open."""

from collections.abc import Callable
from typing import Any

import numpy as np

from rosenblatt import exact
from rosenblatt.fitting import Data, Online, Outcome, finish, learn, resume
from rosenblatt.orders import Rng
from rosenblatt.separate import Answer, Separator, Undecided, decide, hardest
from rosenblatt.sweep import Rows
from rosenblatt.training import Plan, Run

TOO_FINE = "a hyperplane separates them, but only with weights finer than double precision"
OPEN = ("max_iter", "margin", "max_updates", "tol")  # endings that leave the question open


def why_not(p: dict[str, Any], classes: int) -> str | None:
    """Why the question is left open, with these parameters; None if it is settled."""
    if p["settle"] == "never":
        return "settle='never'"
    if p["rule"] != "rosenblatt":
        return f"settling does not apply to rule={p['rule']!r}"
    if p["keep"] in ("average", "vote"):
        return f"settling does not apply to keep={p['keep']!r}"
    if classes > 2 and p["multi_class"] == "direct":
        return "settling does not apply to multi_class='direct'"
    return None


def learn_first(
    data: Data, rows: Rows, state: Online, plan: Plan, rng: Rng, watch: Callable[[Run], None]
) -> Outcome:
    """Decide at once; make plain passes only if the data are not separated by that."""
    answer = decide(data.primal, rows)
    if isinstance(answer, Separator) and answer.ratios is None:
        run = resume(data, rows, state, plan._replace(keep="last"))
        run.reason, run.kept = "separated", run.W
        return settled(finish(run, data, rows, state, plan), answer, data)
    return settled(learn(data, rows, state, plan, rng, watch), answer, data)


def learn_after(
    data: Data, rows: Rows, state: Online, plan: Plan, rng: Rng, watch: Callable[[Run], None]
) -> Outcome:
    """Make plain passes, and decide if they leave the question open."""
    outcome = learn(data, rows, state, plan, rng, watch)
    if outcome.run.reason not in OPEN and not seems_separated(outcome, data):
        return outcome
    return settled(outcome, decide(data.primal, rows, hardest(outcome.run)), data)


def seems_separated(outcome: Outcome, data: Data) -> bool:
    """Whether rows were judged right that may not be, but for rounding."""
    strictly = outcome.run.reason == "separated" and outcome.rows.boundary == 0
    return strictly and bool(len(exact.doubtful(data.primal, outcome.kept[0], outcome.rows)))


def settled(outcome: Outcome, answer: Answer, data: Data) -> Outcome:
    """What an answer makes of an outcome."""
    run = outcome.run
    if isinstance(answer, Undecided):
        return outcome._replace(note=f"whether they can be separated is open: {answer.reason}")
    if isinstance(answer, Separator) and answer.ratios is not None:
        return outcome._replace(note=TOO_FINE)
    if isinstance(answer, Separator):
        W = answer.w[None]
        run.reason = "separated"
        return outcome._replace(kept=W, online=outcome.online._replace(W=W), settled=True)
    if run.reason in OPEN or seems_separated(outcome, data):
        run.reason, run.bracket.bound = "inseparable", 0.0
    return outcome._replace(conflict=(answer.rows.astype(np.int64), answer.weights))
