"""Endings of runs over blocks: the question is settled, and the best hypothesis is handed back."""

import numpy as np

from rosenblatt.fitting import Data, Online, Outcome, finish
from rosenblatt.gathered import Hard, settle
from rosenblatt.separate import Answer, Separator
from rosenblatt.settling import OPEN, settled
from rosenblatt.spread import Count, assess, candidates, measure
from rosenblatt.sweep import Array, Rows
from rosenblatt.tasks import Each, Primal, Task
from rosenblatt.training import Plan, Run

Found = tuple[Answer, Hard]  # an answer, and the rows that were gathered for it


def decide_first(runs: list[Run], each: Each, n: int) -> dict[int, Found]:
    """Answers for runs that have not begun; a separator ends them."""
    answers = {k: settle(each, k, run.W, n) for k, run in enumerate(runs)}
    for k, (answer, _) in answers.items():
        if isinstance(answer, Separator):
            runs[k].reason = "separated"
    return answers


def decide_after(runs: list[Run], each: Each, n: int, known: dict[int, Found]) -> dict[int, Found]:
    """Answers for runs that left the question open, beside those known."""
    left = {k: run for k, run in enumerate(runs) if k not in known and run.reason in OPEN}
    return known | {k: settle(each, k, run.W, n) for k, run in left.items()}


def collect(
    runs: list[Run],
    answers: dict[int, Found],
    states: list[Online],
    task: Task,
    plan: Plan,
    each: Each,
    n: int,
) -> tuple[list[Outcome], list[Count]]:
    """What each run hands back, with its count: one look at all n rows."""
    given = [hypotheses(run, answers.get(k)) for k, run in enumerate(runs)]
    counts = assess(each, given)
    best = [int(np.argmin(count.cost)) for count in counts]
    everyone = np.broadcast_to(np.uint32(0), n)  # for their number
    outcomes = []
    for k, (run, state) in enumerate(zip(runs, states, strict=True)):
        run.kept, rows = given[k][best[k]], task.kinds[k]
        measure(run, float(counts[k].longest[0]))
        outcome = finish(run, alone(task.storage, rows), rows, state, plan)
        if k in answers:
            answer, hard = answers[k]
            primal, near = hard.problem()
            outcome = settled(outcome._replace(rows=near), answer, alone(primal, near))
        outcomes.append(outcome._replace(rows=rows._replace(train=everyone)))
    return outcomes, [count.one(b) for count, b in zip(counts, best, strict=True)]


def hypotheses(run: Run, found: Found | None) -> list[Array]:
    """Those of which a run hands back the best: a separator, or what it met."""
    if found and isinstance(found[0], Separator):
        return [found[0].w[None]]
    return candidates(run, run.reason == "separated")


def alone(primal: Primal, rows: Rows) -> Data:
    """Rows of which none is held back."""
    return Data(primal, primal, rows.train[:0])
