"""Separate, or find rows in conflict: floating point looks for the answer, exact arithmetic has it.

Separability does not change under an invertible linear map, but the margin does.

1. *Plain passes.* They separate what has a margin, and show which rows are hard.
2. *Contradictions.* Equal rows with different labels are the shortest conflict there is. *Rare
   columns* separate some rows by themselves: the others are asked about in fewer columns.
3. *Slacks of some rows*, in hundreds of dimensions: where classes overlap in all columns, a bound
   on rounding errors proves it sooner than exact weights (`slack_conflicts`).
4. *Frame.* Columns are scaled and made orthonormal, X̂ = Q R, so that scale and collinearity are
   gone; rows of Q are scaled to length 1.
5. *Consultations.* The shortest convex combination of a working set is found (Wolfe's nearest
   point). If it has a length, it separates the working set: then all rows are checked in the
   user's coordinates, and the worst join. If it is nothing, its weights are a conflict, provided
   that exact rationals confirm it. A few of these decide all that floating point can tell. Of
   many rows, plain passes see some only, and a check begins with these.
6. *Squared slacks* instead of a frame, where there are too many columns for one: their least sum is
   0 and a separator, or the slacks are a conflict, which a bound on rounding errors proves.
7. *Exact arithmetic* for the rest: the simplex method, from the rows where the last consultation
   has ended; where columns are nearly dependent, in a frame of whole numbers (`integer_basis`). In
   too many dimensions for it, a conflict is looked for without the rows that a weak separator gets
   right by very little.
"""

from fractions import Fraction

import numpy as np

from rosenblatt.core.loop import Array, Dense, Primal, Rows
from rosenblatt.core.orders import UNDRAWN
from rosenblatt.core.rules import Rule
from rosenblatt.core.threads import one_thread
from rosenblatt.core.training import Plan, Run, begin, train
from rosenblatt.core.vectors import pick, take
from rosenblatt.separability.answers import (
    Answer,
    Conflict,
    Separator,
    Undecided,
    check,
)
from rosenblatt.separability.exact import certainty, rational
from rosenblatt.separability.exact.bounded_conflict import MOST_COLUMNS
from rosenblatt.separability.exact.certainty import n_weights
from rosenblatt.separability.exact.confirmation import confirm_conflict
from rosenblatt.separability.exact.contradictions import find_contradictions
from rosenblatt.separability.exact.integer_basis import decisive, refine
from rosenblatt.separability.exact.rare_columns import Remainder, remainder
from rosenblatt.separability.exact.simplex import Circuit, Separated, SignedRows, settle
from rosenblatt.separability.floating_point.orthonormal_basis import MOST_DIMENSIONS
from rosenblatt.separability.floating_point.squared_slacks import (
    least_slack,
    slack_rows,
)
from rosenblatt.separability.floating_point.working_set import (
    WorkingSet,
    checked_first,
    common_frame,
    sample,
)
from rosenblatt.separability.narrowed_rows import narrowed
from rosenblatt.separability.slack_conflicts import (
    bounded_answer,
    conflict_of_many,
    slack_conflict,
)

FEW_FEATURES = 100  # with which one plain pass is made before the first consultation
PASSES, MOST_PASSES = 12, 32  # of plain passes at most, in a frame, and where there is none
REACH = 500  # dimensions in which exact arithmetic is tried
STEPS, WORK = 5000, 1e9  # of the simplex method: at most, and times the cube of the dimensions


def decide(
    primal: Primal,
    rows: Rows,
    erred: Array | None = None,
    bounded: bool = False,
    classes: int = 2,
) -> Answer:
    """Separate the rows, or find some in conflict, with a bounded amount of work.

    `erred` are rows that have been hard before; without them, plain passes are made first. A
    separator was checked on every row; a conflict is added up once more, on rows taken again.
    `bounded`: a bound on rounding errors will do as its proof, where exact weights take too long.
    Of several `classes`, the rows are pairs of rows and rivals.
    """
    if (few := narrowed(primal)) is None:
        return answer_confirmed(primal, rows, erred, bounded, classes)
    answer = answer_confirmed(few.primal, rows, erred, bounded, classes)
    if isinstance(answer, Conflict):
        return answer._replace(bound=few.widen_bound(answer.bound))
    if isinstance(answer, Undecided):
        return answer
    ratios = answer.ratios and few.widen_ratios(answer.ratios)
    return answer._replace(w=few.widen(answer.w), ratios=ratios)


def answer_confirmed(
    primal: Primal, rows: Rows, erred: Array | None, bounded: bool, classes: int
) -> Answer:
    """The answer; a conflict was added up once more."""
    answer = find_answer(primal, rows, erred, bounded, classes)
    if not isinstance(answer, Conflict):
        return answer
    if answer.bound:
        d = min(len(rows.train), n_weights(primal))
        unproved = f"{beyond_reach(d)}, and no bound on rounding errors proves the conflict"
        if not bounded:
            return Undecided(beyond_reach(d))
        return bounded_answer(primal, rows, answer, classes) or Undecided(unproved)
    Z = take(primal, answer.rows) * rows.y[answer.rows, None]
    confirm_conflict(Z, answer.weights, answer.rows)
    return answer


@one_thread
@np.errstate(over="ignore", invalid="ignore")  # what is not finite is not certain
def find_answer(
    primal: Primal, rows: Rows, erred: Array | None, bounded: bool, classes: int
) -> Answer:
    """The answer, or why there is none."""
    ones = rows.cost if (rows.cost == 1).all() else np.ones(len(rows.y))
    rows = rows._replace(boundary=0, weight=ones, cost=ones)
    lengths = pick(rows.norm2, rows.train)
    zero = rows.train[lengths == 0]
    zero = zero[~take(primal, zero).any(axis=1)]  # some are only too short for their square
    if len(zero):
        return Conflict(zero[:1], [Fraction(1)])
    fits, d = certainty.in_range(lengths), n_weights(primal)
    wide = min(len(rows.train), d) > MOST_DIMENSIONS
    some = rows if wide else checked_first(rows, d)
    if some is rows and d > FEW_FEATURES and (pair := contradiction(primal, rows)):
        return pair
    if fits and (erred is None or wide):
        W, erred = first_look(primal, some)
        if W is not None and (found := check(primal, W, rows).answer):
            return found
    if some is rows and d <= FEW_FEATURES and (pair := contradiction(primal, rows)):
        return pair
    erred = rows.train[:0] if erred is None else erred
    if (rest := remainder(primal, rows)) and (of_rest := answer_of_rest(primal, rows, rest, erred)):
        return of_rest
    sooner = bounded and fits and not wide
    if sooner and (conflict := conflict_of_many(primal, rows, erred, classes)):
        return conflict
    return decide_framed(primal, rows, some, erred, fits)


def answer_of_rest(primal: Primal, rows: Rows, rest: Remainder, erred: Array) -> Answer | None:
    """The answer of what rare columns leave, for all rows; None if there is none, or rounding is in
    its way: all rows may have one, in another frame."""
    d, u = n_weights(rest.primal), [Fraction(0)] * len(rest.columns)
    if len(rest.left):
        some = checked_first(rest.rows, d)
        answer = decide_framed(rest.primal, rest.rows, some, rest.places(erred), True)
        if isinstance(answer, Conflict):
            return answer._replace(rows=rest.left[answer.rows], basis=None)
        if isinstance(answer, Undecided):
            return None
        u = [*answer.exactly()]
    return right_on_all(SignedRows.of(primal, rows), rest.lifted(primal, rows, u))


def right_on_all(table: SignedRows, ratios: list[Fraction]) -> Separator | None:
    """A hypothesis, in floats if these will do, unless it gets some row wrong."""
    w = rational.floats_of(ratios)
    if found := check(table.primal, w, table.rows).answer:
        return found
    return None if len(table.wrong(ratios, table.rows.train)) else Separator(w, ratios)


def decide_framed(primal: Primal, rows: Rows, some: Rows, erred: Array, fits: bool) -> Answer:
    """The answer in a frame or, where there are too many dimensions for one, of slacks."""
    if fits and min(len(rows.train), n_weights(primal)) > MOST_DIMENSIONS:
        return decide_by_slacks(primal, rows)
    return consult(primal, rows, some, erred, fits)


def consult(primal: Primal, rows: Rows, some: Rows, erred: Array, fits: bool) -> Answer:
    """The answer of a working set or, if it has none, of exact arithmetic.

    Of many rows, only `some` have been looked at: contradictory ones are then looked for when it is
    clear that no hypothesis was found.
    """
    d = n_weights(primal)
    working = np.union1d(erred[: 16 * d], sample(rows.train, 8 * d)).astype(np.uint32)
    basis = common_frame(primal, rows, working) if fits else None
    ground = None if basis is None else WorkingSet(primal, rows, basis, some)
    answer = ground and ground.approach(working)
    if isinstance(answer, Separator):
        return answer
    if some is not rows and (pair := contradiction(primal, rows)):
        return pair
    return answer or decide_exactly(primal, rows, working, ground)


def first_look(primal: Primal, rows: Rows) -> tuple[Array | None, Array]:
    """The hypothesis of plain passes, if it separates the rows, and the rows that they erred on."""
    run = initial_passes(primal, rows)
    return run.W[0] if run.reason == "separated" else None, hardest(run, rows.train)


def contradiction(primal: Primal, rows: Rows) -> Conflict | None:
    """A pair of contradictory rows; looked for before plain passes, where these are many."""
    pairs = find_contradictions(primal, rows)
    return Conflict(pairs[0], [Fraction(1, 2)] * 2) if len(pairs) else None


def initial_passes(primal: Primal, rows: Rows, hypotheses: int = 1) -> Run:
    """A plain pass; more, where what comes next would cost more than they do."""
    d = n_weights(primal)
    framed, most = min(len(rows.train), d) <= MOST_DIMENSIONS, MOST_PASSES
    if hypotheses == 1 and (framed or isinstance(primal, Dense)):
        most = PASSES if framed else 1
    passes = max(1, min(int((hypotheses * d / FEW_FEATURES) ** 3), most))
    order = "active" if passes > 1 else "sweep"
    plan = Plan(Rule(rate=1.0), order=order, keep="last", max_iter=passes)
    run = begin(primal, np.zeros((hypotheses, d)), rows, plan, 1.0)
    for _ in train(run, primal, rows, plan, UNDRAWN, rows.train[:0]):
        pass
    return run


def hardest(run: Run, train: Array) -> Array:
    """The rows that a run over these erred on, those with the largest steps first."""
    steps = np.abs(pick(run.dual[0], train))
    erred = np.flatnonzero(steps)
    return train[erred[np.argsort(-steps[erred], kind="stable")]]


# -- Squared slacks --------------------------------------------------------------------------------


def decide_by_slacks(primal: Primal, rows: Rows) -> Answer:
    """The answer of squared slacks, whose conflict is yet to be proved."""
    d = n_weights(primal)
    found = least_slack(slack_rows(primal, rows))
    if found.margins.min() > 0 and (answer := check(primal, found.w, rows).answer):
        return answer
    if not found.solved or d > MOST_COLUMNS:
        return Undecided(beyond_reach(min(len(rows.train), d)))
    return slack_conflict(rows, found)


def beyond_reach(d: int) -> str:
    """Why exact arithmetic was not tried."""
    return (
        f"floating point found no answer, and the rows span up to {d} dimensions: exact "
        f"arithmetic is tried in {REACH} at most"
    )


# -- Exact arithmetic ------------------------------------------------------------------------------


def decide_exactly(primal: Primal, rows: Rows, working: Array, ground: WorkingSet | None) -> Answer:
    """Decide by the simplex method, from where consultations have ended."""
    d = min(len(rows.train), n_weights(primal))
    if d > REACH:
        inner = ground.conflict_in_face() if ground else Undecided(beyond_reach(d))
        return inner or decide_by_slacks(primal, rows)
    table, most = SignedRows.of(primal, rows), steps(d)
    if ground and ground.nearest and ground.is_faithful(table):
        found = settle(table, decisive(ground.members, ground.Z, ground.nearest), most)
    else:
        found = refine(table, sample(working, 4 * d), most)
    if found is None:
        return Undecided(f"no answer after {most} steps of the simplex method in exact arithmetic")
    return confirmed(table, found)


def steps(d: int) -> int:
    """The most steps of the simplex method that are made in d dimensions."""
    return int(min(STEPS, max(20, WORK / d**3)))


def confirmed(table: SignedRows, found: Separated | Circuit) -> Answer:
    """The answer that the simplex method has found; a separator in floats, if these will do."""
    if isinstance(found, Circuit):
        return Conflict(found.rows.astype(np.uint32), rational.normalized(found.weights))
    w = rational.floats_of(found.w)
    return check(table.primal, w, table.rows).answer or Separator(w, found.w)
