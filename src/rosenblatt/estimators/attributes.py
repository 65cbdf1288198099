"""The fitted attributes of an estimator, and the warning if the question is left open."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from rosenblatt.core import vectors
from rosenblatt.core.loop import Array, Primal, Rows, Storage
from rosenblatt.core.training import Run
from rosenblatt.core.vectors import errs, leads, length2, pick, stacked
from rosenblatt.estimators.runs import Outcome
from rosenblatt.inputs.column_moments import moments
from rosenblatt.inputs.validation import Problem
from rosenblatt.separability.exact import certainty
from rosenblatt.separability.exact.confirmation import confirm_errors

ROWS_MEASURED = 2**13  # rows at most, by which the sizes of columns are judged for a warning
UNEVEN = 3  # powers of ten that columns may differ in size before a warning tells of it
TOO_FEW = "Maximum number of iteration reached before convergence"  # as scikit-learn puts it


def training_margins(values: Array, outcomes: list[Outcome]) -> list[Array]:
    """The margins of the training rows, for each run."""
    columns = [values] if len(outcomes) == 1 else np.hsplit(values, len(outcomes))
    each = zip(columns, (o.rows for o in outcomes), strict=True)
    margins = [leads(pick(f, rows.train), pick(rows.y, rows.train)) for f, rows in each]
    refuse_overflow(*margins)
    return margins


def refuse_overflow(*scores: Array) -> None:
    """Refuse scores that are not finite: not even their signs are known."""
    if not all(np.isfinite(each).all() for each in scores):
        raise ValueError("scores overflowed: scale the features, for example with StandardScaler")


def single(values: list[Any]) -> Any:
    """The value of the only run, or the list by class."""
    return values[0] if len(values) == 1 else values


def judged(
    storage: Storage,
    outcomes: list[Outcome],
    by_weights: Array,
    by_vote: Array | None = None,
    beyond_doubt: Callable[[list[Array]], list[Array]] | None = None,
) -> list[Outcome]:
    """Outcomes with their smallest margins and their errors, by the scores of all rows.

    With a kernel, `beyond_doubt` are the margins that rounding cannot have made.
    """
    margins = training_margins(by_weights, outcomes)
    counted = margins if by_vote is None else training_margins(by_vote, outcomes)
    if beyond_doubt and by_vote is None:
        counted = beyond_doubt(margins)
    primal = storage if by_vote is None and isinstance(storage, Primal) else None
    errors = [errors_of_outcome(m, o, primal) for m, o in zip(counted, outcomes, strict=True)]
    if isinstance(storage, Primal):
        for outcome, wrong in zip(outcomes, errors, strict=True):
            confirm_separation(outcome, storage, wrong if by_vote is None else None)
    each = zip(outcomes, margins, errors, strict=True)
    return [o._replace(least=float(m.min()), errors=wrong) for o, m, wrong in each]


def describe(
    classes: Array, storage: Storage, outcomes: list[Outcome], voted: bool = False
) -> dict[str, Any]:
    """The fitted attributes of an estimator, from outcomes that were checked on all rows.

    Rows in conflict refute every hypothesis, but no vote of several.
    """
    refuse_overflow(np.array([o.least or 0.0 for o in outcomes]))
    runs, errors = [o.run for o in outcomes], [o.errors for o in outcomes]
    if not voted:
        for o in outcomes:
            boundary = o.rows.boundary if len(o.kept) == 1 else 0
            o.run.reason = confirm_errors(o.run.reason, boundary, o.errors)
    return {
        "classes_": classes,
        "n_iter_": max(len(o.online.mistakes) for o in outcomes),
        "n_updates_": single([int(o.online.mistakes.sum()) for o in outcomes]),
        "mistakes_": single([o.online.mistakes for o in outcomes]),
        "stop_reason_": single([run.reason for run in runs]),
        "converged_": not any(errors),
        "margin_bounds_": single([bounds(o, storage) for o in outcomes]),
        "radius_": max(run.bracket.radius for run in runs),
        "_online": [o.online for o in outcomes],
        "_errors": errors,
    }


def in_single_precision(outcomes: list[Outcome], primal: Primal) -> list[Outcome] | None:
    """The same hypotheses in single precision, if they are right on as many rows."""
    rounded = [
        o._replace(kept=o.kept.astype(np.float32).astype(np.float64), least=None) for o in outcomes
    ]
    were = [0 if o.least is not None else exact_errors(primal, o.kept, o.rows) for o in outcomes]
    ours = [exact_errors(primal, o.kept, o.rows) for o in rounded]
    return rounded if all(a <= b for a, b in zip(ours, were, strict=True)) else None


def linear_attributes(
    outcomes: list[Outcome], steps: Array | None, record: bool, kind: type = np.float64
) -> dict[str, Any]:
    """The fitted attributes of hypotheses that are weights."""
    W = stacked([o.kept for o in outcomes])
    log = {"log_": single([o.log for o in outcomes])} if record else {}
    return log | {
        "coef_": W[:, :-1].astype(kind),
        "intercept_": W[:, -1].astype(kind),
        "_online": [o.online.trimmed(o.kept) for o in outcomes],
        "settled_": any(o.settled for o in outcomes),
        "conflict_": single([o.conflict for o in outcomes]),
        "dual_coef_": steps if steps is None or len(steps) > 1 else steps[0],
    }


def errors_of_outcome(margins: Array, outcome: Outcome, primal: Primal | None) -> int:
    """The training rows that a hypothesis gets wrong. That there are none is known exactly."""
    rows = outcome.rows
    if primal is None:
        return int(np.count_nonzero(errs(margins, pick(rows.y, rows.train), rows.boundary)))
    return certainty.count_errors(primal, outcome.kept, rows, margins)


def exact_errors(primal: Primal, W: Array, rows: Rows) -> int:
    """The same, with margins to be computed."""
    return certainty.count_errors(primal, W, rows, vectors.margins(primal, W, rows))


def confirm_separation(outcome: Outcome, primal: Primal, errors: int | None) -> None:
    """A run has separated the rows if its last hypothesis is right on all of them, exactly.

    `errors` are those of the returned hypothesis, which is often the last.
    """
    rows, W = outcome.rows, outcome.online.W
    if not outcome.by_itself:
        return
    if errors is None or not np.array_equal(outcome.kept, W):
        errors = exact_errors(primal, W, rows)
    if errors:
        outcome.run.reopen()


def bounds(outcome: Outcome, storage: Storage) -> tuple[float, float]:
    """The margin bracket of a run: what the hypothesis has, and what none can exceed."""
    length = math.sqrt(length2(storage, outcome.kept)) * outcome.run.bracket.radius
    known = length > 0 and outcome.all_seen
    # A computed margin is off by at most the share 2 slack of R |w|; weights of zero add nothing.
    error = 2 * certainty.slack(outcome.kept[outcome.kept != 0])
    lower = max(0.0, (outcome.least or 0.0) / length - error) if known else 0.0
    return lower, max(lower, outcome.run.bracket.upper)


def convergence_warning(
    problem: Problem, outcomes: list[Outcome], errors: list[int], unsettled: str | None
) -> str | None:
    """What to warn of: runs that ended with the question open. Begins as scikit-learn's warning."""
    told = unsettled and f"whether they can be separated is open: {unsettled}"
    names = [""] if len(outcomes) == 1 else [f"class {c!r}: " for c in problem.classes.tolist()]
    open_ones = [
        f"{name}{why(o.run)}; the returned hypothesis gets {wrong} of {len(o.rows.train)} "
        f"training rows wrong; {told or o.note}"
        for name, o, wrong in zip(names, outcomes, errors, strict=True)
        if wrong and o.run.reason in ("max_iter", "margin")
    ]
    if not open_ones:
        return None
    ended = "Training ended without separating the data"
    said = [ended] if any(o.run.reason == "margin" for o in outcomes) else [TOO_FEW, ended]
    return ". ".join([*said, *open_ones, advice(problem)]) + "."


@np.errstate(over="ignore", invalid="ignore")  # scaling is advised all the same
def advice(problem: Problem) -> str:
    """What may help a run that came to no end."""
    told = "Raise max_iter, lower min_margin, or scale the features to a common range"
    sizes = moments(problem.X[:: 1 + len(problem.codes) // ROWS_MEASURED]).deviations
    powers = np.log10(sizes[(sizes > 0) & np.isfinite(sizes)])
    if not len(powers) or np.ptp(powers) <= UNEVEN:
        return told
    return f"{told} (scale='standard'): their sizes differ by a factor of 1e{np.ptp(powers):.0f}"


def penalty_warning(outcomes: list[Outcome], tol: float | None) -> str | None:
    """What to warn of where separability is not asked: a run that was to stop by itself."""
    if tol is None or all(o.run.reason != "max_iter" for o in outcomes):
        return None
    return f"{TOO_FEW}. Raise max_iter or tol."


def why(run: Run) -> str:
    """How a run ended, in words."""
    if run.misled:
        return "some rows are so close to the hyperplane that rounding decides on their side"
    if run.reason == "margin" and not math.isfinite(run.bracket.bound):
        return "no separator of the scaled rows has a margin above min_margin"
    if run.reason == "margin":
        at_most = f"{run.bracket.upper:.2g} of the longest row"
        return f"no separator has a margin above {at_most} (min_margin)"
    told = f"max_iter={run.passes} passes, mistakes in the last: {run.mistakes[-1]}"
    if not math.isfinite(run.bracket.bound):
        return told
    return f"{told}; any separator's margin is at most {run.bracket.upper:.2g} of the longest row"
