"""The end of a fit over blocks: how their rows are decided on, and counted in one look at all."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from rosenblatt.core.keepers import Average
from rosenblatt.core.loop import Array
from rosenblatt.core.training import Run
from rosenblatt.estimators.attributes import describe, linear_attributes
from rosenblatt.estimators.linear_model import LinearModel
from rosenblatt.estimators.runs import Online, Outcome, RunSpec, finish
from rosenblatt.estimators.scaling import Columns
from rosenblatt.estimators.settle import (
    Answers,
    decides_first,
    end,
    goes_on,
    is_found,
    on_one_scale,
    passes_of,
    searched,
    settled,
    weigh_alike,
    why_not,
)
from rosenblatt.out_of_core.block import RowSource, source_of
from rosenblatt.out_of_core.block_learning import Count, assess, candidates, note_length, outward
from rosenblatt.progress import RunWatch, bars
from rosenblatt.separability.answers import Answer, Conflict
from rosenblatt.separability.row_sources.hard_rows import sampled_rows, settle_rows
from rosenblatt.separability.several_classes.kesler_construction import decide_jointly


def carry_out(
    model: LinearModel,
    source: RowSource,
    runs: list[Run],
    states: list[Online],
    make_passes: Callable[[list[RunWatch], Callable[[], None]], None],
    columns: Columns | None,
) -> tuple[list[Outcome], str | None]:
    """Make the passes, settle before, among or after them, and let the model know; what is to be
    told.

    The passes are made over rows with scaled `columns`, if there are such.
    """
    task, unsettled = source.task, why_not(source.task.params)
    auto = model.settle == "auto" and not unsettled
    rows = InBlocks(source, states, [auto and weigh_alike(kind) for kind in task.kinds])
    size = source.n * runs[0].W.size
    if not unsettled and decides_first(model.settle, size):
        rows.decide_first(runs)
    names = [str(c) for c in task.classes] if len(runs) > 1 else [""]
    with bars(model.verbose > 0, names, task.plan.max_iter) as watches:
        make_passes(watches, lambda: rows.decide_after(runs, size))
    if columns:
        for run in runs:
            outward(run, columns)
    outcomes = end(rows, runs, rows.answers, decides=not unsettled)
    scaled = on_one_scale(outcomes)
    learned = describe(task.classes, task.storage, scaled)
    learned |= linear_attributes(scaled, None, model.record)
    model._set_fitted(source.head, learned, reset=True)
    return outcomes, unsettled


class Candidates(NamedTuple):
    """Hypotheses of a run, of which all are counted in one look."""

    met: list[Array]  # those that it met, or a separator
    found: list[Array]  # those of a search
    last: list[Array]  # what seems to separate the rows, where it is not handed back


@dataclass
class InBlocks:
    """The rows of all runs: whatever is counted of them takes one look at all blocks."""

    source: RowSource
    states: list[Online]  # where each run started
    auto: list[bool]  # of each run, whether it is decided on after few passes
    answers: Answers = field(default_factory=dict)  # those that end the passes of a run
    last: dict[int, int] = field(default_factory=dict)  # errors of last hypotheses, by run

    def decide_near(self, k: int, run: Run) -> Answer:
        """Decide on run k, or jointly on several classes."""
        rows = source_of(self.source)
        return settle_rows(rows, k, run.W) if len(run.W) == 1 else decide_jointly(rows, run.W)

    def decide_first(self, runs: Sequence[Run]) -> None:
        """Decide on runs that have not begun; a separator ends them."""
        self.answers = {k: self.decide_near(k, run) for k, run in enumerate(runs)}
        for k, answer in self.answers.items():
            if is_found(answer):
                runs[k].reason = "separated"

    def decide_after(self, runs: Sequence[Run], size: int) -> None:
        """Decide on runs that have made as many passes as deciding takes; end those for which plain
        passes have no use, as in memory."""
        for k, run in enumerate(runs):
            if self.auto[k] and run.reason is None and run.passes == passes_of(size):
                answer = self.answers.get(k) or self.decide_near(k, run)
                if not goes_on(answer, size):
                    run.reason, self.answers[k] = "max_iter", answer

    def hand_back(self, runs: Sequence[Run], answers: Answers) -> list[Outcome]:
        """A separator, the best that each run met, or a better one that was searched for."""
        each = [self.candidates(k, run, answers.get(k)) for k, run in enumerate(runs)]
        given = [some.met + some.found + some.last for some in each]
        counts = assess(self.source.each, given, exactly=True)
        return [
            self.outcome(k, run, answers.get(k), each[k], counts[k]) for k, run in enumerate(runs)
        ]

    def candidates(self, k: int, run: Run, answer: Answer | None) -> Candidates:
        """The hypotheses of a run that are counted."""
        clean = run.reason == "separated"
        met = [np.atleast_2d(answer.w)] if is_found(answer) else candidates(run, clean)
        unseen = [run.W] if clean and isinstance(run.keeper, Average) else []
        return Candidates(met, self.found(k, run, answer), unseen)

    def outcome(
        self, k: int, run: Run, answer: Answer | None, some: Candidates, count: Count
    ) -> Outcome:
        """What run k hands back: the first of those that make the fewest mistakes."""
        given, task = some.met + some.found, self.source.task
        best = int(np.argmin(count.cost[: len(given)]))
        run.kept = given[best]
        note_length(run, float(count.longest[0]))
        everyone = np.broadcast_to(np.uint32(0), self.source.n)  # for their number
        storage, rows = task.storage, task.kinds[k]._replace(train=everyone)
        spec = RunSpec(storage, storage, everyone[:0], rows, self.states[k], task.plan)
        outcome = settled(finish(run, spec), answer)
        least, errors = float(count.least[best]), int(count.errors[best])
        self.last[k] = int(count.errors[-1]) if some.last else errors
        better = outcome.settled or best >= len(some.met)
        return outcome._replace(settled=better, least=least, errors=errors)

    def found(self, k: int, run: Run, answer: Answer | None) -> list[Array]:
        """What a search on a sample finds, of inseparable rows."""
        searches = self.auto[k] and self.source.task.plan.keep == "pocket"
        if not searches or not isinstance(answer, Conflict):
            return []
        return searched(sampled_rows(source_of(self.source), k), run.W)

    def last_errs(self, k: int, outcome: Outcome) -> bool:
        return self.last[k] > 0
