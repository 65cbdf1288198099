"""From a problem to what an estimator knows once it is fitted."""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from rosenblatt import exact
from rosenblatt.confirmation import confirm_errors
from rosenblatt.geometry import (
    Bracket,
    errs,
    leads,
    length2,
    pick,
    scores,
    to_dual,
    to_primal,
    values,
)
from rosenblatt.keepers import Average
from rosenblatt.log import Log
from rosenblatt.orders import Rng
from rosenblatt.problem import Problem
from rosenblatt.sweep import Array, Dense, Rows, Sparse, Storage, Stretch
from rosenblatt.training import Plan, Run, begin, train

VOTE_BYTES = 2**29  # the most that the hypotheses of keep="vote" may hold
BLOCK_BYTES = 2**26  # scores held at a time

Primal = Dense | Sparse


class Online(NamedTuple):
    """Where learning starts, or goes on from."""

    W: Array
    sums: Array | None = None  # the running sums of the average
    seen: int = 0
    mistakes: Array = np.zeros(0, np.int64)  # moves in each pass until now
    bracket: Bracket | None = None


class Outcome(NamedTuple):
    """A finished run, its hypotheses as weights and bias."""

    run: Run
    rows: Rows
    kept: Array
    online: Online
    log: Log | None
    all_seen: bool  # whether it has learned from these rows only
    settled: bool = False  # whether the hypothesis came from settling
    conflict: tuple[Any, ...] | None = None  # rows and weights; with several classes, rivals
    note: str | None = None  # why the question of separability is open


class Data(NamedTuple):
    """The rows as the loop holds them, and as hypotheses are handed back: often the same."""

    storage: Storage
    primal: Any  # Dense or Sparse; for kernels, the storage itself
    held: Array

    @property
    def explicit(self) -> bool:
        """Whether hypotheses are weights, and not steps of rows in a kernel's feature space."""
        return isinstance(self.primal, Primal)


@np.errstate(over="ignore", invalid="ignore")  # weights that overflow are refused by name
def learn(
    data: Data, rows: Rows, state: Online, plan: Plan, rng: Rng, watch: Callable[[Run], None]
) -> Outcome:
    """Run a plan to its end."""
    run = resume(data, rows, state, plan)
    for _ in train(run, data.storage, rows, plan, rng, data.held):
        watch(run)
        if plan.keep == "vote" and data.explicit:
            check_votes(run.moves, state.W.size)
    return finish(run, data, rows, state, plan)


def resume(data: Data, rows: Rows, state: Online, plan: Plan) -> Run:
    """A run that goes on from a state."""
    W = state.W.copy()
    if data.storage is not data.primal:
        W = to_dual(data.primal, W, len(rows.y))
    longest = max(0.0, float(pick(rows.norm2, rows.train).max()))  # kernels may be indefinite
    radius = math.sqrt(longest * (1 if len(W) == 1 else 2))
    run = begin(data.storage, W, rows, plan, radius, state.seen)
    if state.bracket:
        run.bracket = replace(state.bracket, radius=max(radius, state.bracket.radius))
    if isinstance(run.keeper, Average) and state.sums is not None:
        run.keeper.sums = state.sums.copy()
    return run


def finish(run: Run, data: Data, rows: Rows, state: Online, plan: Plan) -> Outcome:
    """Turn what a run found into weights."""

    def weights(W: Array, start: Array | float) -> Array:
        if data.storage is data.primal:
            return W
        return start + to_primal(data.primal, W[:, : len(rows.y)])

    assert run.kept is not None
    last, kept = weights(run.W, state.W), weights(run.kept, state.W)
    sums = None
    if isinstance(run.keeper, Average):
        sums = weights(run.keeper.sums, 0.0)
        kept = last - sums / run.seen  # the same digits in both forms
    bracket = replace(run.bracket, start=state.bracket.start if state.bracket else state.W)
    mistakes = np.append(state.mistakes, np.array(run.mistakes, np.int64))
    online = Online(last, sums, run.seen, mistakes, bracket)
    log = (
        write_log(run, rows, state, data.primal.bias if data.explicit else 0.0)
        if plan.record
        else None
    )
    return Outcome(run, rows, kept, online, log, all_seen=state.seen == 0)


def write_log(run: Run, rows: Rows, state: Online, bias: float) -> Log:
    """The log of a run, in one piece."""
    none = Stretch(*(np.empty(0, t) for t in (np.int64, np.uint32, np.float64, np.int32)))
    t, i, c, rival = (np.concatenate(column) for column in zip(none, *run.log, strict=True))
    i = i.astype(np.int64)
    if len(run.W) == 1:
        return Log(t, i, c, run.seen, state.W, state.seen, bias)
    return Log(t, i, c, run.seen, state.W, state.seen, bias, rows.y[i], rival)


def check_votes(voters: int, size: int) -> None:
    """Refuse more hypotheses than memory should hold."""
    if 8 * voters * size > VOTE_BYTES:
        raise ValueError(
            f"keep='vote' keeps every hypothesis, and {voters:,} of {size:,} weights are more than "
            f"{VOTE_BYTES >> 20} MB. Use keep='average', which predicts nearly the same, or stop "
            "earlier with max_iter or max_updates"
        )


# -- What the hypotheses say of rows ---------------------------------------------------------------


def apply(primal: Primal, n: int, W: Array) -> Array:
    """The score of each of n rows under each hypothesis, blocks of rows at a time."""
    if len(W) == 1:
        return values(primal, W[0], n)[:, None]
    size = max(1, BLOCK_BYTES // (8 * (len(W) + W.shape[1])))
    blocks = [scores(primal, W, slice(k, k + size)) for k in range(0, n, size)]
    return np.concatenate(blocks) if len(blocks) > 1 else blocks[0]


def poll(primal: Primal, n: int, voters: Array, survival: Array, tie: float) -> Array:
    """The vote on each row: between -1 and 1 for one hypothesis, else the share of each class."""
    size = max(1, BLOCK_BYTES // (8 * len(voters)))
    blocks = [_poll(primal, slice(k, k + size), voters, survival, tie) for k in range(0, n, size)]
    return np.concatenate(blocks) / max(1, survival.sum())


def _poll(primal: Primal, block: slice, voters: Array, survival: Array, tie: float) -> Array:
    h, k, dim = voters.shape
    return tally(scores(primal, voters.reshape(h * k, dim), block).reshape(-1, h, k), survival, tie)


def tally(f: Array, survival: Array, tie: float) -> Array:
    """The votes on each row, from the scores (rows, hypotheses, classes) it has."""
    k = f.shape[2]
    if k == 1:
        return np.where(f == 0, tie, np.sign(f))[:, :, 0] @ survival[:, None]
    ballots = np.argmax(f, axis=2)
    return np.stack([(ballots == c) @ survival for c in range(k)], axis=1)


# -- What an estimator knows -----------------------------------------------------------------------


def assess(values: Array, outcomes: list[Outcome]) -> list[Array]:
    """The margins of the training rows, for each run."""
    columns = [values] if len(outcomes) == 1 else np.hsplit(values, len(outcomes))
    margins = []
    for f, o in zip(columns, outcomes, strict=True):
        f, y = pick(f, o.rows.train), pick(o.rows.y, o.rows.train)
        margins.append(leads(f, y) if f.shape[1] > 1 else f[:, 0] * y)
    refuse_overflow(*margins)
    return margins


def refuse_overflow(*scores: Array) -> None:
    """Refuse scores that are not finite: not even their signs are known."""
    if not all(np.isfinite(each).all() for each in scores):
        raise ValueError("scores overflowed: scale the features, for example with StandardScaler")


def single(values: list[Any]) -> Any:
    """The value of the only run, or the list by class."""
    return values[0] if len(values) == 1 else values


def describe(
    problem: Problem,
    storage: Storage,
    outcomes: list[Outcome],
    by_weights: Array,
    by_vote: Array | None = None,
) -> dict[str, Any]:
    """The fitted attributes of an estimator, from the scores its hypotheses and its vote give."""
    margins = assess(by_weights, outcomes)
    counted = margins if by_vote is None else assess(by_vote, outcomes)
    primal = storage if by_vote is None and isinstance(storage, Primal) else None
    errors = [count_errors(m, o, primal) for m, o in zip(counted, outcomes, strict=True)]
    least = [float(m.min()) for m in margins]
    return summarize(problem.classes, storage, outcomes, errors, least)


def summarize(
    classes: Array, storage: Storage, outcomes: list[Outcome], errors: list[int], least: list[float]
) -> dict[str, Any]:
    """The fitted attributes of an estimator, from its training errors and its smallest margins."""
    runs = [o.run for o in outcomes]
    for o, wrong in zip(outcomes, errors, strict=True):
        o.run.reason = confirm_errors(
            o.run.reason, o.rows.boundary if len(o.kept) == 1 else 0, wrong
        )
    lengths = [math.sqrt(length2(storage, o.kept)) for o in outcomes]
    return {
        "classes_": classes,
        "n_iter_": max(len(o.online.mistakes) for o in outcomes),
        "n_updates_": single([int(o.online.mistakes.sum()) for o in outcomes]),
        "mistakes_": single([o.online.mistakes for o in outcomes]),
        "stop_reason_": single([run.reason for run in runs]),
        "converged_": not any(errors),
        "margin_bounds_": single(
            [bounds(*each) for each in zip(least, lengths, outcomes, strict=True)]
        ),
        "radius_": max(run.bracket.radius for run in runs),
        "_online": [o.online for o in outcomes],
        "_errors": errors,
    }


def count_errors(margins: Array, outcome: Outcome, primal: Primal | None) -> int:
    """The training rows that a hypothesis gets wrong. That there are none is known exactly."""
    rows = outcome.rows
    wrong = int(np.count_nonzero(errs(margins, pick(rows.y, rows.train), rows.boundary)))
    if wrong or primal is None:
        return wrong
    return len(exact.misjudged(primal, outcome.kept, rows, margins))


def bounds(least: float, length: float, outcome: Outcome) -> tuple[float, float]:
    """The margin bracket of a run: what the hypothesis has, and what none can exceed."""
    length *= outcome.run.bracket.radius
    known = length > 0 and outcome.all_seen
    lower = max(0.0, least / length) if known else 0.0
    return lower, max(lower, outcome.run.bracket.upper)


def lament(
    problem: Problem, outcomes: list[Outcome], errors: list[int], unsettled: str | None
) -> str | None:
    """What to warn of: runs that ended with the question open."""
    told = unsettled and f"whether they can be separated is open: {unsettled}"
    names = [""] if len(outcomes) == 1 else [f"class {c!r}: " for c in problem.classes.tolist()]
    open_ones = [
        f"{name}{why(o.run)}; the hypothesis handed back gets {wrong} of {len(o.rows.train)} "
        f"training rows wrong; {told or o.note}"
        for name, o, wrong in zip(names, outcomes, errors, strict=True)
        if o.run.reason in ("max_iter", "margin") or (wrong and is_lost(o))
    ]
    if not open_ones:
        return None
    advice = "Raise max_iter, lower min_margin, or scale the features to a common range"
    return ". ".join(["Training ended without separating the data", *open_ones, advice]) + "."


def is_lost(outcome: Outcome) -> bool:
    """Whether the hypothesis that made a clean pass was handed back; its errors are rounding."""
    same = np.array_equal(outcome.kept, outcome.online.W)
    return outcome.run.reason == "separated" and same


def why(run: Run) -> str:
    """How a run ended, in words."""
    if run.reason == "separated":
        return "some rows are so near to the hyperplane that rounding decides on their side"
    if run.reason == "margin":
        at_most = f"{run.bracket.upper:.2g} of the longest row"
        return f"no separator has a margin above {at_most} (min_margin)"
    told = f"{run.passes} passes (max_iter), {run.mistakes[-1]} mistakes in the last"
    if not math.isfinite(run.bracket.bound):
        return told
    return f"{told}; any separator's margin is at most {run.bracket.upper:.2g} of the longest row"
