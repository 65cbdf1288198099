"""Settling: decide separability where plain passes leave it open, and search for fewer mistakes."""

import math
from collections.abc import Callable
from itertools import islice
from typing import Any

import numpy as np

from rosenblatt.core.keepers import Beside, count
from rosenblatt.core.loop import Array, Dense, Rows
from rosenblatt.core.orders import Rng
from rosenblatt.core.threads import ALONE
from rosenblatt.core.training import Plan, Run, train
from rosenblatt.core.vectors import SMALLEST_NORMAL, margins, matrix, pick
from rosenblatt.estimators.runs import Data, Online, Outcome, finish, learn, resume
from rosenblatt.separability.answers import Answer, Separator, Undecided
from rosenblatt.separability.convex_hull.distance import hulls_of
from rosenblatt.separability.counting.both_bounds import glance
from rosenblatt.separability.decide import decide, hardest
from rosenblatt.separability.exact import certainty
from rosenblatt.separability.max_margin import widen
from rosenblatt.separability.several_classes.kesler_construction import (
    PairConflict,
    decide_training_rows,
)

TEXTBOOK = 2**7  # numbers in a table whose plain passes come to their own end
AFFORDABLE = 2**13  # of which every hypothesis can be counted
LARGE = 2**18  # of which a pass takes longer than deciding
PASSES = 3, 8  # of other tables, as long as deciding takes: at least and at most
VISITED = 2**16  # the numbers that they may visit
WIDE_ENOUGH = 0.05  # share of the largest margin that a separator may lack
MOST_POWER = 300  # of two, by which weights are scaled
TOO_FINE = "a hyperplane separates them, but only with weights finer than double precision"
Decision = Answer | PairConflict
OPEN = ("max_iter", "margin", "max_updates", "tol")  # endings that leave the question open


def why_not(p: dict[str, Any], classes: int) -> str | None:
    """Why the question is left open, with these parameters; None if it is settled."""
    if p["penalty"] is not None:
        return f"it is not asked with penalty={p['penalty']!r}"
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
    if is_found(answer):
        return handed_back(data, rows, state, plan, answer)
    outcome = learn(data, rows, state, plan, rng, watch)
    confirm(outcome.run, outcome.online.W, data, rows)
    return settled(outcome, answer)


def learn_after(
    data: Data, rows: Rows, state: Online, plan: Plan, rng: Rng, watch: Callable[[Run], None]
) -> Outcome:
    """Make plain passes, and decide if they leave the question open."""
    outcome = learn(data, rows, state, plan, rng, watch)
    confirm(outcome.run, outcome.online.W, data, rows)
    if outcome.run.reason not in OPEN:
        return outcome
    answer = answer_for(data.primal, rows, outcome.kept, hardest(outcome.run))
    return settled(outcome, widened(answer, data, rows))


def answer_for(primal: Any, rows: Rows, W: Array, erred: Array | None = None) -> Decision:
    """Decide on two classes, or jointly on several; `erred` are rows that have been hard before."""
    if len(W) == 1:
        return decide(primal, rows, erred, bounded=True)
    X = primal.X if isinstance(primal, Dense) else matrix(primal)
    found: Decision = decide_training_rows(X, rows, primal.bias, W)
    return found


def is_found(answer: Any) -> bool:
    """Whether an answer is a separator whose weights are floats."""
    return isinstance(answer, Separator) and answer.ratios is None


def learn_auto(
    data: Data, rows: Rows, state: Online, plan: Plan, rng: Rng, watch: Callable[[Run], None]
) -> Outcome:
    """Make plain passes for as long as deciding would take, decide, and search for fewer mistakes.

    Small tables that can be separated are then separated as the textbook does it: the plain passes
    go on to their own end. So they do where no decision is found, in the dual form, and where
    weights scale the steps, which a search for few mistakes would undo.
    """
    if data.storage is not data.primal or not weigh_alike(rows):
        return learn_after(data, rows, state, plan, rng, watch)
    size = len(rows.train) * state.W.size
    # Weights that overflow are refused by name. To begin and to end with one thread takes time.
    with ALONE, np.errstate(over="ignore", invalid="ignore"):
        answer = answer_for(data.primal, rows, state.W) if size > LARGE else None
        if is_found(answer):
            return handed_back(data, rows, state, plan, answer)
        run = resume(data, rows, state, plan._replace(keep=keeper_of(plan.keep, size)))
        run.keeper = Beside(run.keeper, data.storage, rows, run.W, run.seen)
        passes = train(run, data.storage, rows, plan, rng, data.held)
        for _ in islice(passes, passes_of(size)):
            watch(run)
        answer = answer or answer_to(run, data, rows)
        if isinstance(answer, Undecided) or (is_found(answer) and size <= AFFORDABLE):
            for _ in passes:
                watch(run)
            answer = answer if leaves_open(run, data, rows) else None
        return concluded(run, data, rows, state, plan, answer)


def weigh_alike(rows: Rows) -> bool:
    """Whether the steps of all rows are alike, and their mistakes."""
    weights = pick(rows.weight, rows.train), pick(rows.cost, rows.train)
    return all(bool((weight == weight[0]).all()) for weight in weights)


def keeper_of(keep: str, size: int) -> str:
    """The keeper of plain passes: instead of the pocket, all are counted or, of many rows, none."""
    if keep != "pocket":
        return keep
    return "best" if size <= AFFORDABLE else "last" if size > LARGE else keep


def passes_of(size: int) -> int | None:
    """How many plain passes over a table of so many numbers come first; None if all of them."""
    least, most = PASSES
    return None if size <= TEXTBOOK else max(least, min(most, VISITED // size))


def concluded(
    run: Run, data: Data, rows: Rows, state: Online, plan: Plan, answer: Decision | None
) -> Outcome:
    """The outcome of plain passes, which may have been cut short, and of a decision."""
    if run.reason is None:
        run.reason = "max_iter"
        run.kept = run.keeper.choose(run.W, run.seen, False)
    outcome = finish(run, data, rows, state, plan)
    if answer is None:
        return outcome
    outcome = settled(outcome, widened(answer, data, rows))
    return fewer(outcome, data) if plan.keep in ("pocket", "best") else outcome


def handed_back(data: Data, rows: Rows, state: Online, plan: Plan, answer: Any) -> Outcome:
    """A separator, found before any pass."""
    run = resume(data, rows, state, plan._replace(keep="last"))
    run.reason, run.kept = "separated", run.W
    return settled(finish(run, data, rows, state, plan), widened(answer, data, rows))


@np.errstate(all="ignore")  # what is not finite is not taken
def widened(answer: Decision, data: Data, rows: Rows) -> Decision:
    """The same answer or, of two classes and not too many numbers, a separator of nearly the
    largest margin: of all that separate the rows, it tells most about others."""
    if not isinstance(answer, Separator) or answer.ratios is not None or answer.w.ndim > 1:
        return answer
    if len(rows.train) * len(answer.w) > LARGE:
        return answer
    hulls = hulls_of(data.primal, rows, augmented=False)
    try:
        found = widen(hulls, answer.w / np.abs(answer.w).max(), WIDE_ENOUGH)
    except ValueError:  # the margin is too fine for floating point
        return answer
    if found is None:
        return answer
    w = np.append(found.w, found.b)
    w = np.ldexp(w, -np.frexp(np.abs(w).max())[1])
    return answer if errs_exactly(w[None], data, rows) else Separator(w)


def answer_to(run: Run, data: Data, rows: Rows) -> Decision | None:
    """The decision, where a run leaves the question open."""
    if not leaves_open(run, data, rows):
        return None
    return answer_for(data.primal, rows, run.W, hardest(run))


def leaves_open(run: Run, data: Data, rows: Rows) -> bool:
    """Whether a run has not shown, exactly, that the rows can be separated."""
    confirm(run, run.W, data, rows)
    return run.reason is None or run.reason in OPEN


def confirm(run: Run, W: Array, data: Data, rows: Rows) -> None:
    """Let a run be open whose last hypothesis W separates the rows but for rounding."""
    if run.reason == "separated" and errs_exactly(W, data, rows):
        run.reopen()


def fewer(outcome: Outcome, data: Data) -> Outcome:
    """On inseparable data, the best hypothesis met, or a better one that a short search finds."""
    run, rows = outcome.run, outcome.rows
    if run.reason != "inseparable":
        return outcome
    assert isinstance(run.keeper, Beside)
    met = [outcome.kept, run.W, run.keeper.average.choose(run.W, run.seen, False)]
    best = min(met, key=lambda W: count(data.primal, W, rows))
    if len(best) == 1:
        found = [w[None] for w in glance(data.primal, rows, best[0])]
        best = min((best, *found), key=lambda W: count(data.primal, W, rows))
    return outcome if best is outcome.kept else outcome._replace(kept=best, settled=True)


def errs_exactly(W: Array, data: Data, rows: Rows) -> bool:
    """Whether a hypothesis is not right on every row, exactly."""
    return certainty.count_errors(data.primal, W, rows, margins(data.primal, W, rows)) > 0


def settled(outcome: Outcome, answer: Decision) -> Outcome:
    """What an answer makes of an outcome. Rows in conflict refute every strict separator."""
    run = outcome.run
    if isinstance(answer, Undecided):
        return outcome._replace(note=f"whether they can be separated is open: {answer.reason}")
    if isinstance(answer, Separator) and answer.ratios is not None:
        return outcome._replace(note=TOO_FINE)
    if isinstance(answer, Separator):
        W = np.atleast_2d(answer.w)
        run.reason = "separated"
        online = outcome.online._replace(W=W, bracket=None)  # no steps led there
        return outcome._replace(kept=W, online=online, settled=True, least=answer.least)
    if run.reason in OPEN or (run.reason == "separated" and outcome.is_strict):
        run.reason, run.bracket.bound = "inseparable", 0.0
    rivals = (answer.rivals,) if isinstance(answer, PairConflict) else ()
    return outcome._replace(conflict=(answer.rows.astype(np.int64), answer.weights, *rivals))


# -- One against the rest --------------------------------------------------------------------------


def scales(outcomes: list[Outcome]) -> Array:
    """Powers of two, where they change no digit, that bring settled hypotheses to about the length
    of the others, or to 1 if all are settled: the highest score is then about the largest distance.
    """
    lengths = np.array([log2_length(o.kept) for o in outcomes])
    known = np.isfinite(lengths)
    free = np.array([o.settled for o in outcomes]) & known & (len(outcomes) > 1)
    others = lengths[~free & known]
    typical = others.mean() if len(others) else 0.0
    powers = np.round(typical - np.where(free, lengths, 0.0))
    factors = np.where(free, 2.0 ** np.clip(powers, -MOST_POWER, MOST_POWER), 1.0)
    lossless = [keeps_digits(o.kept, f) for o, f in zip(outcomes, factors, strict=True)]
    return np.where(lossless, factors, 1.0)


@np.errstate(over="ignore")
def keeps_digits(W: Array, factor: float) -> bool:
    """Whether no weight is too small or too large for a power of two."""
    return np.array_equal(W * factor / factor, W)


def log2_length(W: Array) -> float:
    """The logarithm of a length to base 2, that of zero being -inf; squares do not overflow."""
    exponent = int(np.frexp(np.abs(W).max(initial=0.0))[1])
    length = float(np.linalg.norm(np.ldexp(W, -exponent)))
    return math.log2(length) + exponent if length else -math.inf


def on_one_scale(outcomes: list[Outcome]) -> list[Outcome]:
    """The same hypotheses, settled ones times their scale."""
    if len(outcomes) == 1:
        return outcomes
    return [rescaled(*each) for each in zip(outcomes, scales(outcomes).tolist(), strict=True)]


def rescaled(outcome: Outcome, scale: float) -> Outcome:
    """The same hypothesis, times a power of two, which margins are multiplied by exactly."""
    if scale == 1:
        return outcome
    W, online = outcome.kept * scale, outcome.online
    goes_on = online.W is outcome.kept
    online = online._replace(W=W) if goes_on else online
    least = (outcome.least or 0.0) * scale
    known = SMALLEST_NORMAL <= least < math.inf
    return outcome._replace(kept=W, online=online, least=least if known else None)
