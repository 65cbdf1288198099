"""Learning from rows in memory: for how long plain passes are made, and when it is decided."""

from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np

from rosenblatt.core.keepers import Average, count
from rosenblatt.core.loop import Array
from rosenblatt.core.orders import Rng
from rosenblatt.core.threads import ALONE
from rosenblatt.core.training import Run
from rosenblatt.core.vectors import matrix
from rosenblatt.estimators.attributes import exact_errors
from rosenblatt.estimators.runs import Outcome, RunSpec, all_passes, finish, resume
from rosenblatt.estimators.settle import (
    AFFORDABLE,
    OPEN,
    Answers,
    decides_first,
    end,
    goes_on,
    is_found,
    passes_of,
    searched,
    settled,
    weigh_alike,
)
from rosenblatt.progress import RunWatch
from rosenblatt.separability.answers import Answer, Separator
from rosenblatt.separability.convex_hull.distance import hulls_of
from rosenblatt.separability.decide import decide, hardest
from rosenblatt.separability.max_margin import widen
from rosenblatt.separability.several_classes.kesler_construction import decide_training_rows
from rosenblatt.separability.several_classes.one_look import separate_each

MANY_NUMBERS = 2**18  # of which no hypothesis is counted on the way, and no separator is widened
WIDE_ENOUGH = 0.05  # share of the largest margin that a separator may lack


class InMemory(NamedTuple):
    """The rows of one run."""

    spec: RunSpec
    short: bool = False  # whether its passes are cut short, and fewer mistakes are searched for

    def decide(self, W: Array, erred: Array | None = None) -> Answer:
        """Decide on two classes, or jointly on several; `erred` are rows that have been hard."""
        if self.spec.known is not None:
            return self.spec.known
        primal, rows = self.spec.primal, self.spec.rows
        if len(W) == 1:
            return decide(primal, rows, erred, bounded=True)
        return decide_training_rows(matrix(primal), rows, primal.bias, W)

    def decide_near(self, k: int, run: Run) -> Answer:
        """Decide, beginning near what a run has come to."""
        near = run.W if self.short else finish(run, self.spec).kept
        return self.decide(near, hardest(run, self.spec.rows.train))

    def hand_back(self, runs: Sequence[Run], answers: Answers) -> list[Outcome]:
        """What a run hands back, a better hypothesis, or a separator."""
        run, keep = runs[0], self.spec.plan.keep
        outcome = settled(finish(run, self.spec), self.widened(answers.get(0)))
        searches = self.short and run.reason == "inseparable" and keep in ("pocket", "best")
        return [self.fewer(outcome) if searches else outcome]

    def last_errs(self, k: int, outcome: Outcome) -> bool:
        return self.errs(outcome.online.W)

    def errs(self, W: Array) -> bool:
        """Whether a hypothesis is not right on every row, exactly."""
        return exact_errors(self.spec.primal, W, self.spec.rows) > 0

    def fewer(self, outcome: Outcome) -> Outcome:
        """On inseparable data, the best hypothesis met, or a better one that is searched for."""
        run, problem = outcome.run, (self.spec.primal, self.spec.rows)
        assert run.average is not None

        def mistakes(W: Array) -> float:
            return count(problem[0], W, problem[1])

        average = run.average.choose(run.W, run.seen, False)
        best = min((outcome.kept, run.W, average), key=mistakes)
        best = min((best, *searched(problem, best)), key=mistakes)
        return outcome if best is outcome.kept else outcome._replace(kept=best, settled=True)

    @np.errstate(all="ignore")  # what is not finite is not taken
    def widened(self, answer: Answer | None) -> Answer | None:
        """The same answer or, of two classes and not too many numbers, a separator of nearly the
        largest margin: of all that separate the rows, it tells most about others."""
        if not is_found(answer) or answer.w.ndim > 1:
            return answer
        if len(self.spec.rows.train) * len(answer.w) > MANY_NUMBERS:
            return answer
        hulls = hulls_of(self.spec.primal, self.spec.rows, augmented=False)
        try:
            found = widen(hulls, answer.w / np.abs(answer.w).max(), WIDE_ENOUGH)
        except ValueError:  # the margin is too fine for floating point
            return answer
        if found is None:
            return answer
        w = np.append(found.w, found.b)
        w = np.ldexp(w, -np.frexp(np.abs(w).max())[1])
        return answer if self.errs(w[None]) else Separator(w)


def separated_together(runs: list[RunSpec], settle: str) -> list[RunSpec]:
    """The same with separators of each class from the rest, if that is how many rows are settled:
    one look at all of them serves all classes."""
    numbers = len(runs[0].rows.train) * runs[0].state.W.size
    if len(runs) == 1 or not decides_first(settle, numbers):
        return runs
    known = separate_each(runs[0].primal, [run.rows for run in runs])
    return [run._replace(known=known.get(k)) for k, run in enumerate(runs)]


@np.errstate(over="ignore", invalid="ignore")  # weights that overflow are refused by name
def learn_first(spec: RunSpec, rng: Rng, watch: RunWatch) -> Outcome:
    """Decide at once; make plain passes only if the data are not separated by that."""
    memory = InMemory(spec)
    answer = memory.decide(spec.state.W)
    if is_found(answer):
        return separated_at_once(memory, answer)
    return end(memory, [all_passes(spec, rng, watch)], {0: answer})[0]


@np.errstate(over="ignore", invalid="ignore")
def learn_after(spec: RunSpec, rng: Rng, watch: RunWatch) -> Outcome:
    """Make plain passes, and decide if they leave the question open."""
    return end(InMemory(spec), [all_passes(spec, rng, watch)], {})[0]


def learn_auto(spec: RunSpec, rng: Rng, watch: RunWatch) -> Outcome:
    """Make plain passes for as long as deciding would take, decide, and search for fewer mistakes.

    Small tables that can be separated are then separated as the textbook does it: the plain passes
    go on to their own end. So they do where no decision is found, in the dual form, and where
    weights scale the steps, which a search for few mistakes would undo.
    """
    rows, state, plan = spec.rows, spec.state, spec.plan
    if spec.storage is not spec.primal or not weigh_alike(rows):
        return learn_after(spec, rng, watch)
    size, memory = len(rows.train) * state.W.size, InMemory(spec, short=True)
    # To begin and to end with one thread takes time.
    with ALONE, np.errstate(over="ignore", invalid="ignore"):
        answers = {0: memory.decide(state.W)} if decides_first("auto", size) else {}
        if is_found(answers.get(0)):
            return separated_at_once(memory, answers[0])
        run = resume(spec._replace(plan=plan._replace(keep=keeper_of(plan.keep, size))))
        run.average = Average(spec.storage, rows, run.W, run.seen)
        passes = spec.passes(run, rng)
        for _ in islice(passes, passes_of(size)):
            watch(run)
        if not answers and (run.reason is None or run.reason in OPEN):
            answers = {0: memory.decide_near(0, run)}
        if goes_on(answers.get(0), size):
            for _ in passes:
                watch(run)
        if run.reason is None:
            run.reason = "max_iter"
            run.kept = run.keeper.choose(run.W, run.seen, False)
        return end(memory, [run], answers)[0]


def keeper_of(keep: str, size: int) -> str:
    """The keeper of plain passes: instead of the pocket, all are counted or, of many rows, none."""
    if keep != "pocket":
        return keep
    return "best" if size <= AFFORDABLE else "last" if size > MANY_NUMBERS else keep


def separated_at_once(memory: InMemory, answer: Answer) -> Outcome:
    """A separator, found before any pass."""
    spec = memory.spec
    run = resume(spec._replace(plan=spec.plan._replace(keep="last")))
    run.reason, run.kept = "separated", run.W
    return end(memory, [run], {0: answer})[0]
