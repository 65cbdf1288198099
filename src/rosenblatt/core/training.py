"""Training: order, sweep, keeper, until there is a reason to stop.

Nothing here prints, times or calls back: `train` yields the `Run` after every pass, and whoever
asked for it may look.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.core.budget import Budget, held, trim
from rosenblatt.core.gram_cache import Cache, sweep_fetching
from rosenblatt.core.keepers import KEEPERS, Average, Best, Keeper, count
from rosenblatt.core.log import LogSegment, empty_log
from rosenblatt.core.loop import Array, Primal, Rows, Storage, Support, sweep
from rosenblatt.core.margin_bound import Bracket
from rosenblatt.core.orders import ORDERS, Rng
from rosenblatt.core.penalties import Debt, Penalty, sweep_penalized
from rosenblatt.core.rules import Rule
from rosenblatt.core.vectors import errs, margins, pick

ROOM = 2**16  # moves after which the loop comes back to have its log folded
ROOM_OF_FEW = 2**11  # the same for a table of few rows, which may be visited again and again


class Plan(NamedTuple):
    """A member of the family, and when it is to stop."""

    rule: Rule
    order: str = "shuffled"
    batch: int = 1
    keep: str = "pocket"
    max_iter: int = 1000
    max_updates: float = math.inf
    min_margin: float = 0.0
    tol: float = -math.inf
    patience: int = 5
    record: bool = False
    bracket: bool = True  # whether lengths mean something, and margins are worth bounding
    budget: Budget | None = None
    penalty: Penalty | None = None  # with one, whether the rows can be separated is not asked


@dataclass
class Plateau:
    """scikit-learn's rule: so many passes in a row without an improvement of at least tol."""

    tol: float
    patience: int
    best: float = math.inf
    stale: int = 0

    def reached(self, loss: float) -> bool:
        self.stale = self.stale + 1 if loss > self.best - self.tol else 0
        self.best = min(self.best, loss)
        return self.stale >= self.patience


class Limits(NamedTuple):
    """How far a run may go."""

    steady: bool  # whether its steps are constant, so that mistakes bound the margin
    settled: float  # mistakes after which no separator has the margin asked for
    moves: float  # the most there may be
    plateau: Plateau


@dataclass
class Run:
    """How far training has come, and in the end why it ended."""

    W: Array  # the hypothesis now
    keeper: Keeper
    bracket: Bracket
    dual: Array  # the signed steps of every row, for each class
    limits: Limits
    seen: int = 0
    moves: int = 0
    mistakes: list[int] = field(default_factory=list)  # moves in each pass
    log: list[LogSegment] = field(default_factory=list)
    reason: str | None = None
    misled: bool = False  # whether rounding made it seem to separate the rows
    kept: Array | None = None
    debt: Debt | None = None  # of weights under a penalty
    average: Average | None = None  # where it is asked for beside the keeper

    @property
    def passes(self) -> int:
        return len(self.mistakes)

    def reopen(self) -> None:
        """Take back that it separated the rows: another pass would find no mistake, nor the end."""
        self.reason, self.misled = "max_iter", True


def set_limits(W: Array, rows: Rows, plan: Plan) -> Limits:
    """The limits of a run that starts from W."""
    steady = has_constant_steps(W, rows, plan)
    reachable = plan.min_margin > 1e-9  # nobody makes 1e18 mistakes, and 1/ε² may overflow
    settled = math.ceil(plan.min_margin**-2) if steady and reachable else math.inf
    plateau = Plateau(plan.tol, plan.patience)
    return Limits(steady, settled, min(plan.max_updates, settled), plateau)


def begin(storage: Storage, W: Array, rows: Rows, plan: Plan, radius: float, seen: int = 0) -> Run:
    """A run that has not made a pass yet. It will move W in place."""
    # Runs of correct visits mean nothing where rows are picked by their margin, or in batches.
    ratchet = plan.batch == 1 and plan.order in ("sweep", "shuffled", "random")
    keeper = KEEPERS[plan.keep] if plan.keep != "pocket" or ratchet else Best
    dual, limits = np.zeros((len(W), len(rows.y))), set_limits(W, rows, plan)
    debt = Debt(owed=np.zeros(1), paid=np.zeros_like(W)) if plan.penalty else None
    kept = keeper(storage, rows, W, seen)
    return Run(W, kept, Bracket(W.copy(), radius), dual, limits, seen, debt=debt)


def train(
    run: Run, storage: Storage, rows: Rows, plan: Plan, rng: Rng, held: Array
) -> Iterator[Run]:
    """Go on with a run; yield it after each pass, the last time with its reason.

    `held` are rows kept back for early stopping.
    """
    log = empty_log(min(log_size(storage), max(ROOM_OF_FEW, 2 * len(rows.train))) + plan.batch)
    while run.reason is None:
        run.mistakes.append(0)
        seen = run.seen
        errors, loss = go_over(run, storage, rows, plan, rng, log)
        loss /= max(run.seen - seen, 1)
        if plan.penalty:
            loss += plan.penalty.of(run.W)
        if len(held):
            m = margins(storage, run.W, rows, held)
            loss = float(np.mean(errs(m, rows.y[held], rows.boundary)))
        conclude(run, storage, plan, errors, loss, lambda: not count(storage, run.W, rows))
        if run.reason == "tol" and len(held):
            run.reason = "early_stopping"
        if run.reason is not None:
            run.kept = run.keeper.choose(run.W, run.seen, run.reason == "separated")
        yield run


def conclude(
    run: Run, storage: Storage, plan: Plan, errors: int, loss: float, check: Callable[[], bool]
) -> None:
    """Draw the conclusions of a pass: the margin bracket, and why to stop, if there is a reason."""
    clean = is_clean(run, plan, errors, check)
    if plan.bracket:
        run.bracket.close(storage, run.W, run.moves if run.limits.steady else 0)
    run.reason = ending(run, plan, clean)
    if run.reason is None and run.limits.plateau.reached(loss):
        run.reason = "tol"


def log_size(storage: Storage) -> int:
    """Moves after which the log is folded: while the rows are still at hand, if only some are."""
    return max(1, len(storage.K) // 2) if isinstance(storage, Support) else ROOM


def has_constant_steps(W: Array, rows: Rows, plan: Plan) -> bool:
    """Whether Novikoff's bound on |w| holds: equal steps, one mistake at a time, from zero."""
    weight = pick(rows.weight, rows.train)
    constant = plan.rule.gain == 0 and plan.rule.margin == 0 and plan.batch == 1
    return constant and not plan.penalty and not W.any() and bool((weight == weight[0]).all())


def go_over(
    run: Run, storage: Storage, rows: Rows, plan: Plan, rng: Rng, log: LogSegment
) -> tuple[int, float]:
    """Go on with a pass over these rows, as far as moves are left; their errors and losses."""
    errors, loss, visit_rows, most = 0, 0.0, loop_of(run, storage, rows, plan), run.limits.moves
    for visit in ORDERS[plan.order](storage, run.W, rows, plan.batch, rng):
        moves_before = run.moves
        while len(visit) and run.moves < most:
            left = int(min(len(log.t) - plan.batch, most - run.moves))
            if plan.budget:
                left = min(left, max(1, 1 + plan.budget.size - len(held(run.W))))
            before = run.W.copy()
            visits, moves, erred, lost, _ = visit_rows(visit, run.seen, log, left)
            run.seen += visits
            if moves:
                run.moves += moves
                run.mistakes[-1] += moves
                stretch = LogSegment(*(column[:moves] for column in log))
                if plan.budget:
                    stretch = trim(storage, run.W, rows, stretch, plan.budget)
                take_in(run, before, stretch, rows, plan)
            errors, loss, visit = errors + erred, loss + lost, visit[visits:]
        if run.moves == moves_before:
            break
    return errors, loss


def loop_of(run: Run, storage: Storage, rows: Rows, plan: Plan) -> Callable[..., Any]:
    """The compiled loop over some visits: with a penalty, or with rows that are sent for."""
    about = run.W, rows, plan.rule
    if plan.penalty and isinstance(storage, Primal):
        per_visit = plan.penalty.shrink, plan.penalty.due, run.debt
        return partial(
            sweep_penalized, storage._replace(bias=0.0), storage.bias, *about, *per_visit
        )
    if isinstance(storage, Cache):
        return partial(sweep_fetching, storage, *about, plan.batch)
    return partial(sweep, storage, *about, plan.batch)


def take_in(run: Run, before: Array, log: LogSegment, rows: Rows, plan: Plan) -> None:
    """Fold a stretch of the log into the run."""
    run.bracket.travelled += float(np.abs(log.c).sum())
    run.bracket.roundings += len(log.c)
    if len(run.W) == 1:
        np.add.at(run.dual[0], log.i, log.c)
    else:
        np.add.at(run.dual, (rows.y[log.i], log.i), log.c)
        np.subtract.at(run.dual, (log.rival, log.i), log.c)
    run.keeper.fold(before, log)
    if run.average:
        run.average.fold(before, log)
    if plan.record:
        run.log.append(LogSegment(*(column.copy() for column in log)))


def ending(run: Run, plan: Plan, clean: bool) -> str | None:
    """Why to stop after this pass, if there is a reason."""
    if not np.isfinite(run.W).all():
        raise ValueError(
            f"the weights overflowed in pass {run.passes}: the numbers in X (or eta0, or the "
            "sample weights) are too large for floating point. Scale the features, for example "
            "with sklearn.preprocessing.StandardScaler"
        )
    if clean:
        return "separated"
    if run.mistakes[-1] == 0 and plan.order != "random" and not plan.penalty:
        run.bracket.bound = 0.0  # only zero rows err, which no hypothesis gets right
        return "margin"
    if 0 < plan.min_margin >= run.bracket.upper or run.moves >= run.limits.settled:
        return "margin"
    if run.moves >= plan.max_updates:
        return "max_updates"
    return "max_iter" if run.passes >= plan.max_iter else None


def is_clean(run: Run, plan: Plan, errors: int, check: Callable[[], bool]) -> bool:
    """Whether the hypothesis now is known to make no error.

    A pass over all rows without a move has just shown it. Rules that move right rows too
    stop when a pass has no error, and orders that skip rows may have missed one: then all
    rows are checked.
    """
    if errors or plan.penalty or (run.mistakes[-1] and not plan.rule.gain):
        return False
    shown = run.mistakes[-1] == 0 and plan.order in ("sweep", "shuffled", "active")
    return shown or check()
