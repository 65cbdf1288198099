"""Endings of runs over blocks: the question is settled, and the best hypothesis is handed back."""

from collections.abc import Callable

import numpy as np

from rosenblatt.core.keepers import Average
from rosenblatt.core.loop import Array, Primal, Rows
from rosenblatt.core.training import Plan, Run
from rosenblatt.estimators.linear_model import LinearModel
from rosenblatt.estimators.runs import Data, Online, Outcome, finish
from rosenblatt.estimators.settle import (
    LARGE,
    OPEN,
    on_one_scale,
    scales,
    settled,
    weigh_alike,
    why_not,
)
from rosenblatt.inputs.plan import make_plan
from rosenblatt.out_of_core.block import RowSource, source_of
from rosenblatt.out_of_core.block_learning import Count, adopt, assess, candidates, note_length
from rosenblatt.progress import RunWatch, bars
from rosenblatt.separability.answers import Answer, Conflict, Separator
from rosenblatt.separability.counting.both_bounds import glance
from rosenblatt.separability.row_sources.hard_rows import sampled_rows, settle_rows
from rosenblatt.separability.several_classes.kesler_construction import PairConflict, decide_jointly


def carry_out(
    model: LinearModel,
    source: RowSource,
    runs: list[Run],
    states: list[Online],
    make_passes: Callable[[list[RunWatch]], None],
) -> tuple[list[Outcome], str | None]:
    """Make the passes, settle before or after them, and let the model know; what is to be told."""
    task, plan = source.task, make_plan(source.task.params, 1)
    unsettled = why_not(task.params, len(task.classes))
    first = not unsettled and decides_first(model.settle, source, runs)
    answers = decide_first(runs, source) if first else {}
    names = [str(c) for c in task.classes] if len(runs) > 1 else [""]
    with bars(model.verbose > 0, names, plan.max_iter) as watches:
        make_passes(watches)
    if not unsettled:
        answers |= decide_after(runs, source, answers)
    searches = model.settle == "auto" and plan.keep == "pocket"
    found = searched(runs, answers, source) if searches else {}
    outcomes, counts, last = collect_outcomes(runs, answers, states, plan, source, found)
    lost = lost_in_rounding(outcomes, last)
    for k in lost:
        runs[k].reopen()
    if lost and not unsettled:
        answers |= {k: answer_on(source, k, runs[k].W) for k in lost}
        outcomes, counts, _ = collect_outcomes(runs, answers, states, plan, source)
    factors = scales(outcomes).tolist()
    counts = [c._replace(least=c.least * f) for c, f in zip(counts, factors, strict=True)]
    adopt(model, source.head, task, on_one_scale(outcomes), counts)
    return outcomes, unsettled


def decides_first(settle: str, source: RowSource, runs: list[Run]) -> bool:
    """Whether deciding comes before the passes: if asked for, or where a pass takes longer."""
    return settle == "first" or (settle == "auto" and source.n * runs[0].W.size > LARGE)


def decide_first(runs: list[Run], source: RowSource) -> dict[int, Answer | PairConflict]:
    """Answers for runs that have not begun; a separator ends them."""
    answers = {k: answer_on(source, k, run.W) for k, run in enumerate(runs)}
    for k, answer in answers.items():
        if isinstance(answer, Separator) and answer.ratios is None:
            runs[k].reason = "separated"
    return answers


def decide_after(
    runs: list[Run], source: RowSource, known: dict[int, Answer | PairConflict]
) -> dict[int, Answer | PairConflict]:
    """Answers for runs that left the question open and have none."""
    left = {k: run for k, run in enumerate(runs) if k not in known and run.reason in OPEN}
    return {k: answer_on(source, k, run.W) for k, run in left.items()}


def answer_on(source: RowSource, k: int, W: Array) -> Answer | PairConflict:
    """Decide on run k, or jointly on several classes."""
    rows = source_of(source)
    return settle_rows(rows, k, W) if len(W) == 1 else decide_jointly(rows, W)


def searched(
    runs: list[Run], answers: dict[int, Answer | PairConflict], source: RowSource
) -> dict[int, list[Array]]:
    """For runs over inseparable rows of two classes, what a search on a sample finds."""
    found = {}
    for k, answer in answers.items():
        if isinstance(answer, Conflict) and weigh_alike(source.task.kinds[k]):
            found[k] = [
                w[None] for w in glance(*sampled_rows(source_of(source), k).problem(), runs[k].W[0])
            ]
    return found


def lost_in_rounding(outcomes: list[Outcome], last: list[Count]) -> list[int]:
    """The runs that ended with a hypothesis that only seemed to get every row right."""
    ended = [o.run.reason == "separated" and not o.settled for o in outcomes]
    return [k for k, count in enumerate(last) if ended[k] and count.errors[0]]


def collect_outcomes(
    runs: list[Run],
    answers: dict[int, Answer | PairConflict],
    states: list[Online],
    plan: Plan,
    source: RowSource,
    found: dict[int, list[Array]] | None = None,
) -> tuple[list[Outcome], list[Count], list[Count]]:
    """What each run hands back, or a better hypothesis that was found: one look at all rows.

    Counted are what is handed back and, of runs that ended with a clean pass, the last hypothesis.
    """
    task, given = source.task, [hypotheses_of(run, answers.get(k)) for k, run in enumerate(runs)]
    met = [len(each) for each in given]
    given = [each + (found or {}).get(k, []) for k, each in enumerate(given)]
    ends = [each + unseen_last(run) for each, run in zip(given, runs, strict=True)]
    counts = assess(source.each, ends, exactly=True)
    best = [int(np.argmin(c.cost[: len(g)])) for c, g in zip(counts, given, strict=True)]
    everyone = np.broadcast_to(np.uint32(0), source.n)  # for their number
    outcomes = []
    for k, (run, state) in enumerate(zip(runs, states, strict=True)):
        run.kept, rows = given[k][best[k]], task.kinds[k]
        note_length(run, float(counts[k].longest[0]))
        outcome = finish(run, alone(task.storage, rows), rows, state, plan)
        outcome = settled(outcome, answers[k]) if k in answers else outcome
        outcome = outcome._replace(settled=outcome.settled or best[k] >= met[k])
        outcomes.append(outcome._replace(rows=rows._replace(train=everyone)))
    last = [count.one(len(count.cost) - 1) for count in counts]
    return outcomes, [count.one(b) for count, b in zip(counts, best, strict=True)], last


def unseen_last(run: Run) -> list[Array]:
    """The last hypothesis of a run that seems to have separated the rows, and hands back another.

    All others hand the last one back.
    """
    return [run.W] if run.reason == "separated" and isinstance(run.keeper, Average) else []


def hypotheses_of(run: Run, answer: Answer | PairConflict | None) -> list[Array]:
    """Those of which a run hands back the best: a separator, or what it met."""
    if isinstance(answer, Separator) and answer.ratios is None:
        return [np.atleast_2d(answer.w)]
    return candidates(run, run.reason == "separated")


def alone(primal: Primal, rows: Rows) -> Data:
    """Rows of which none is held back."""
    return Data(primal, primal, rows.train[:0])
