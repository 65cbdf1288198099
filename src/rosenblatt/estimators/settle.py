"""Settling, the end of a fit: decide separability where plain passes leave it open, hand back the
best hypothesis, and confirm exactly that it separates. Written once, wherever the rows are."""

import math
from collections.abc import Sequence
from typing import Any, Protocol, TypeGuard

import numpy as np

from rosenblatt.core.loop import Array, Primal, Rows
from rosenblatt.core.training import Run
from rosenblatt.core.vectors import SMALLEST_NORMAL, pick
from rosenblatt.estimators.runs import Outcome
from rosenblatt.separability.answers import Answer, Separator, Undecided
from rosenblatt.separability.counting.both_bounds import glance
from rosenblatt.separability.several_classes.fewer_mistakes import glance_jointly

LARGE = 2**16  # numbers in a table of which passes take longer than deciding
TEXTBOOK = 2**7  # numbers in a table whose plain passes come to their own end
AFFORDABLE = 2**13  # of which every hypothesis can be counted
PASSES = 3, 8  # of other tables, as long as deciding takes: at least and at most
VISITED = 2**16  # the numbers that they may visit
MOST_POWER = 300  # of two, by which weights are scaled
TOO_FINE = "a hyperplane separates them, but only with weights finer than double precision"
Answers = dict[int, Answer]  # those that are known, by run
OPEN = ("max_iter", "margin", "max_updates", "tol")  # endings that leave the question open


class Ground(Protocol):
    """The rows of some runs, as the end of a fit asks about them; `k` is the number of a run."""

    def decide_near(self, k: int, run: Run) -> Answer: ...
    def hand_back(self, runs: Sequence[Run], answers: Answers) -> list[Outcome]: ...
    def last_errs(self, k: int, outcome: Outcome) -> bool: ...  # of what was handed back, exactly


def why_not(p: dict[str, Any]) -> str | None:
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


def decides_first(settle: str, numbers: int) -> bool:
    """Whether deciding comes before the passes: if asked for, or where a pass takes longer."""
    return settle == "first" or (settle == "auto" and numbers > LARGE)


def passes_of(size: int) -> int | None:
    """How many plain passes over a table of so many numbers come first; None if all of them."""
    least, most = PASSES
    return None if size <= TEXTBOOK else max(least, min(most, VISITED // size))


def goes_on(answer: Answer | None, size: int) -> bool:
    """Whether plain passes come to their own end though the question was asked."""
    return isinstance(answer, Undecided) or (is_found(answer) and size <= AFFORDABLE)


def end(
    ground: Ground, runs: Sequence[Run], answers: Answers, decides: bool = True
) -> list[Outcome]:
    """What runs hand back that have made their passes, where some answers are known already.

    One whose last hypothesis separates the rows but for rounding is open again.
    """
    if decides:
        unanswered = [k for k in range(len(runs)) if k not in answers]
        answers = answers | decide_open(ground, runs, unanswered)
    needed = {k: answer for k, answer in answers.items() if is_needed(answer, runs[k])}
    outcomes = ground.hand_back(runs, needed)
    ended = [k for k, outcome in enumerate(outcomes) if outcome.by_itself]
    misled = [k for k in ended if ground.last_errs(k, outcomes[k])]
    for k in misled:
        runs[k].reopen()
    if not misled or not decides:
        return outcomes
    unanswered = [k for k in misled if isinstance(answers.get(k, Undecided("")), Undecided)]
    answers = answers | decide_open(ground, runs, unanswered)
    return ground.hand_back(runs, needed | {k: answers[k] for k in misled})


def decide_open(ground: Ground, runs: Sequence[Run], which: list[int]) -> Answers:
    """Answers for those of some runs that left the question open."""
    return {k: ground.decide_near(k, runs[k]) for k in which if runs[k].reason in OPEN}


def is_found(answer: Any) -> TypeGuard[Separator]:
    """Whether an answer is a separator whose weights are floats."""
    return isinstance(answer, Separator) and answer.ratios is None


def is_needed(answer: Answer, run: Run) -> bool:
    """Whether a run needs an answer; a separator only if its passes leave the question open."""
    return not isinstance(answer, Separator) or run.passes == 0 or run.reason in OPEN


def settled(outcome: Outcome, answer: Answer | None) -> Outcome:
    """What an answer makes of an outcome. Rows in conflict refute every strict separator."""
    run = outcome.run
    if answer is None:
        return outcome
    if isinstance(answer, Undecided):
        return outcome._replace(note=f"whether they can be separated is open: {answer.reason}")
    if isinstance(answer, Separator) and answer.ratios is not None:
        return outcome._replace(note=TOO_FINE)
    if isinstance(answer, Separator):
        W = np.atleast_2d(answer.w)
        run.reason = "separated"
        online = outcome.online._replace(W=W, bracket=None)  # no steps led there
        return outcome._replace(kept=W, online=online, settled=True, least=answer.least)
    # With several classes, a point on the border is always a mistake.
    strict = outcome.rows.boundary == 0 or len(outcome.kept) > 1
    if run.reason in OPEN or (run.reason == "separated" and strict):
        run.reason, run.bracket.bound = "inseparable", 0.0
    rivals = () if answer.rivals is None else (answer.rivals,)
    return outcome._replace(conflict=(answer.rows.astype(np.int64), answer.weights, *rivals))


def weigh_alike(rows: Rows) -> bool:
    """Whether the steps of all rows are alike, and their mistakes."""
    weights = pick(rows.weight, rows.train), pick(rows.cost, rows.train)
    return all(bool((weight == weight[0]).all()) for weight in weights)


def searched(problem: tuple[Primal, Rows], W: Array) -> list[Array]:
    """Hypotheses with fewer mistakes, perhaps, that a short search from W finds."""
    if len(W) > 1:
        return glance_jointly(*problem, W)
    return [w[None] for w in glance(*problem, W[0])]


# -- One against the rest --------------------------------------------------------------------------


def scales(outcomes: list[Outcome]) -> Array:
    """Powers of two, where they change no digit, that bring settled hypotheses to about the length
    of the others, or to 1 if all are settled: the highest score is then about the largest distance.
    """
    lengths = np.array([log2_length(o.kept) for o in outcomes])
    known = np.isfinite(lengths)
    free = np.array([o.settled for o in outcomes]) & known
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
    known = SMALLEST_NORMAL <= abs(least) < math.inf
    return outcome._replace(kept=W, online=online, least=least if known else None)
