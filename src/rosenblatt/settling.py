"""Settling: decide separability where plain passes leave it open."""

from collections.abc import Callable
from typing import Any

import numpy as np

from rosenblatt import exact
from rosenblatt.fitting import Data, Online, Outcome, finish, learn, resume
from rosenblatt.geometry import margins, matrix
from rosenblatt.kesler import PairConflict, decide_jointly, in_memory
from rosenblatt.orders import Rng
from rosenblatt.separate import Answer, Primal, Separator, Undecided, decide, hardest
from rosenblatt.sweep import Array, Dense, Rows
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
    return None


def learn_first(
    data: Data, rows: Rows, state: Online, plan: Plan, rng: Rng, watch: Callable[[Run], None]
) -> Outcome:
    """Decide at once; make plain passes only if the data are not separated by that."""
    answer = answer_for(data.primal, rows, state.W)
    if isinstance(answer, Separator) and answer.ratios is None:
        run = resume(data, rows, state, plan._replace(keep="last"))
        run.reason, run.kept = "separated", run.W
        return settled(finish(run, data, rows, state, plan), answer)
    return settled(learn(data, rows, state, plan, rng, watch), answer)


def learn_after(
    data: Data, rows: Rows, state: Online, plan: Plan, rng: Rng, watch: Callable[[Run], None]
) -> Outcome:
    """Make plain passes, and decide if they leave the question open."""
    outcome = learn(data, rows, state, plan, rng, watch)
    if outcome.run.reason not in OPEN and not seems_separated(outcome, data):
        return outcome
    return settled(outcome, answer_for(data.primal, rows, outcome.kept, hardest(outcome.run)))


def answer_for(
    primal: Primal, rows: Rows, W: Array, erred: Array | None = None
) -> Answer | PairConflict:
    """Decide on two classes, or jointly on several; `erred` are rows that have been hard before."""
    if len(W) == 1:
        return decide(primal, rows, erred)
    X = primal.X if isinstance(primal, Dense) else matrix(primal)
    train = rows.train if len(rows.train) < len(rows.y) else slice(None)
    source = in_memory(X[train], rows.y[train], len(W), primal.bias)
    answer = decide_jointly(source, W)
    if isinstance(answer, PairConflict):
        return answer._replace(rows=rows.train[answer.rows])
    return answer


def seems_separated(outcome: Outcome, data: Data) -> bool:
    """Whether rows were judged right that may not be, but for rounding."""
    W, rows = outcome.kept, outcome.rows
    if outcome.run.reason != "separated" or not is_strict(outcome):
        return False
    if len(W) == 1:
        return bool(len(exact.doubtful(data.primal, W[0], rows)))
    return bool(len(exact.misjudged(data.primal, W, rows, margins(data.primal, W, rows))))


def is_strict(outcome: Outcome) -> bool:
    """Whether a point on the border is always a mistake; with several classes it is."""
    return outcome.rows.boundary == 0 or len(outcome.kept) > 1


def settled(outcome: Outcome, answer: Answer | PairConflict) -> Outcome:
    """What an answer makes of an outcome. Rows in conflict refute every strict separator."""
    run = outcome.run
    if isinstance(answer, Undecided):
        return outcome._replace(note=f"whether they can be separated is open: {answer.reason}")
    if isinstance(answer, Separator) and answer.ratios is not None:
        return outcome._replace(note=TOO_FINE)
    if isinstance(answer, Separator):
        W = np.atleast_2d(answer.w)
        run.reason = "separated"
        return outcome._replace(kept=W, online=outcome.online._replace(W=W), settled=True)
    if run.reason in OPEN or (run.reason == "separated" and is_strict(outcome)):
        run.reason, run.bracket.bound = "inseparable", 0.0
    rivals = (answer.rivals,) if isinstance(answer, PairConflict) else ()
    return outcome._replace(conflict=(answer.rows.astype(np.int64), answer.weights, *rivals))
