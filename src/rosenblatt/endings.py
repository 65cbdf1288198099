"""Endings of runs over blocks: the question is settled, and the best hypothesis is handed back."""

from collections.abc import Callable, Iterable
from typing import Any, Protocol, TypeVar

import numpy as np

from rosenblatt.fitting import Data, Online, Outcome, finish
from rosenblatt.gathered import Hard, settle
from rosenblatt.parameters import make_plan
from rosenblatt.progress import Watch, bars
from rosenblatt.separate import Answer, Separator
from rosenblatt.settling import OPEN, settled, why_not
from rosenblatt.spread import Count, adopt, assess, candidates, measure
from rosenblatt.sweep import Array, Rows
from rosenblatt.tasks import Block, Primal, Task
from rosenblatt.training import Plan, Run

T = TypeVar("T")
Found = tuple[Answer, Hard]  # an answer, and the rows that were gathered for it


class Ground(Protocol):
    """The rows of a task, wherever they are."""

    @property
    def task(self) -> Task: ...
    @property
    def n(self) -> int: ...  # all rows
    @property
    def head(self) -> Any: ...  # a few of them, or none, with the names of the features
    def each(self, function: Callable[[Block], T]) -> Iterable[T]: ...


def carry_out(
    model: Any,
    ground: Ground,
    runs: list[Run],
    states: list[Online],
    make_passes: Callable[[list[Watch]], None],
) -> tuple[list[Outcome], str | None]:
    """Make the passes, settle before or after them, and let the model know; what is to be told."""
    task, plan = ground.task, make_plan(ground.task.params, 1)
    unsettled = why_not(task.params, len(task.classes))
    first = model.settle == "first" and not unsettled
    answers = decide_first(runs, ground) if first else {}
    names = [str(c) for c in task.classes] if len(runs) > 1 else [""]
    with bars(model.verbose > 0, names, plan.max_iter) as watches:
        make_passes(watches)
    if not unsettled:
        answers |= decide_after(runs, ground, answers)
    outcomes, counts = collect(runs, answers, states, plan, ground)
    adopt(model, ground.head, task, outcomes, counts)
    return outcomes, unsettled


def decide_first(runs: list[Run], ground: Ground) -> dict[int, Found]:
    """Answers for runs that have not begun; a separator ends them."""
    answers = {k: settle(ground.each, k, run.W, ground.n) for k, run in enumerate(runs)}
    for k, (answer, _) in answers.items():
        if isinstance(answer, Separator) and answer.ratios is None:
            runs[k].reason = "separated"
    return answers


def decide_after(runs: list[Run], ground: Ground, known: dict[int, Found]) -> dict[int, Found]:
    """Answers for runs that left the question open and have none."""
    left = {k: run for k, run in enumerate(runs) if k not in known and run.reason in OPEN}
    return {k: settle(ground.each, k, run.W, ground.n) for k, run in left.items()}


def collect(
    runs: list[Run], answers: dict[int, Found], states: list[Online], plan: Plan, ground: Ground
) -> tuple[list[Outcome], list[Count]]:
    """What each run hands back, with its count: one look at all rows."""
    task, given = ground.task, [hypotheses(run, answers.get(k)) for k, run in enumerate(runs)]
    counts = assess(ground.each, given)
    best = [int(np.argmin(count.cost)) for count in counts]
    everyone = np.broadcast_to(np.uint32(0), ground.n)  # for their number
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
    if found and isinstance(found[0], Separator) and found[0].ratios is None:
        return [found[0].w[None]]
    return candidates(run, run.reason == "separated")


def alone(primal: Primal, rows: Rows) -> Data:
    """Rows of which none is held back."""
    return Data(primal, primal, rows.train[:0])
