"""A run of training from its start to the weights that it found."""

import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.core.keepers import Average
from rosenblatt.core.log import Log, empty_log
from rosenblatt.core.loop import Array, Primal, Rows, Storage
from rosenblatt.core.margin_bound import Bracket, longest_move
from rosenblatt.core.orders import Rng
from rosenblatt.core.training import Plan, Run, begin, train
from rosenblatt.core.vectors import pick, to_dual, to_primal
from rosenblatt.estimators.voting import check_votes
from rosenblatt.progress import RunWatch
from rosenblatt.separability.answers import Separator


class Online(NamedTuple):
    """Where learning starts, or goes on from."""

    W: Array
    sums: Array | None = None  # the running sums of the average
    seen: int = 0
    mistakes: Array = np.zeros(0, np.int64)  # moves in each pass until now
    bracket: Bracket | None = None
    from_zero: bool = True  # whether the first run started from zero
    stamp: int | None = None  # of the hypothesis that was handed back, if the way led there

    def trimmed(self, kept: Array) -> "Online":
        """What the hypothesis that was handed back does not tell."""
        if self.sums is not None:
            return self._replace(stamp=stamp_of(kept))
        rest, bracket = self._replace(W=self.W[:, :0], bracket=None), self.bracket
        if bracket is None or not bracket.travelled or not np.array_equal(self.W, kept):
            return rest
        start = bracket.start if bracket.start.any() else bracket.start[:, :1]
        return rest._replace(bracket=replace(bracket, start=start), stamp=stamp_of(kept))

    def going_on_from(self, W: Array, averages: bool) -> "Online":
        """The state from which learning goes on, given the hypothesis that was handed back.

        If somebody has changed it since, nothing is known of the way there.
        """
        same = self.stamp == stamp_of(W)
        if same and averages and self.sums is not None:
            return self
        bracket = self.bracket if same and self.sums is None else None
        return self._replace(W=W.astype(np.float64), sums=None, bracket=bracket)


def stamp_of(W: Array) -> int:
    """A number that tells hypotheses apart."""
    return zlib.crc32(np.ascontiguousarray(W, np.float64).data)


class Outcome(NamedTuple):
    """A finished run, its hypotheses as weights and bias."""

    run: Run
    rows: Rows
    kept: Array
    online: Online
    log: Log | None
    all_seen: bool  # whether it has learned from these rows only
    settled: bool = False  # whether the hypothesis came from settling
    conflict: tuple[Any, ...] | None = None  # rows and weights; with several classes, rivals
    note: str | None = None  # why the question of separability is open
    least: float | None = None  # the smallest margin, where the hypothesis was checked on all rows,
    errors: int = 0  # and its errors, counted exactly

    @property
    def by_itself(self) -> bool:
        """Whether its own passes have separated the rows, as far as floating point can tell."""
        return self.run.reason == "separated" and not self.settled

    def mapped(self, of: Callable[[Array], Array]) -> "Outcome":
        """The same hypotheses in other coordinates."""
        online = self.online
        sums = None if online.sums is None else of(online.sums)
        bracket = online.bracket and replace(online.bracket, start=of(online.bracket.start))
        online = online._replace(W=of(online.W), sums=sums, bracket=bracket)
        return self._replace(kept=of(self.kept), online=online)


class RunSpec(NamedTuple):
    """What a run is to learn: from which rows, from where on, and how."""

    storage: Storage  # the rows as the loop holds them
    primal: Any  # Dense or Sparse, as hypotheses are handed back; for kernels, the storage itself
    held: Array  # those kept back for early stopping
    rows: Rows
    state: Online
    plan: Plan
    known: Separator | None = None  # of the rows, if one was found before

    @property
    def explicit(self) -> bool:
        """Whether hypotheses are weights, and not steps of rows in a kernel's feature space."""
        return isinstance(self.primal, Primal)

    def weights(self, W: Array, start: Array | float) -> Array:
        """A hypothesis as it is handed back, given where its steps began."""
        if self.storage is self.primal:
            return W
        return start + to_primal(self.primal, W[:, : W.shape[1] // 2])

    def passes(self, run: Run, rng: Rng) -> Iterator[Run]:
        """Go on with a run, pass after pass."""
        return train(run, self.storage, self.rows, self.plan, rng, self.held)


@np.errstate(over="ignore", invalid="ignore")  # weights that overflow are refused by name
def learn(spec: RunSpec, rng: Rng, watch: RunWatch) -> Outcome:
    """Run a plan to its end."""
    return finish(all_passes(spec, rng, watch), spec)


def all_passes(spec: RunSpec, rng: Rng, watch: RunWatch) -> Run:
    """Pass after pass, until there is a reason to stop."""
    run = resume(spec)
    for _ in spec.passes(run, rng):
        watch(run)
        if spec.plan.keep == "vote" and spec.explicit:
            check_votes(run.moves, spec.state.W.size)
    return run


def resume(spec: RunSpec) -> Run:
    """A run that goes on from a state."""
    primal, rows, state, dual = spec.primal, spec.rows, spec.state, spec.storage is not spec.primal
    W = to_dual(primal, state.W, len(rows.y)) if dual else state.W.copy()
    radius = radius_of(rows, len(W))
    run = begin(spec.storage, W, rows, spec.plan, radius, state.seen)
    if state.bracket:
        run.bracket = replace(state.bracket, radius=max(radius, state.bracket.radius))
        run.bracket.roundings = int(state.mistakes.sum())
    if dual:
        run.bracket.roundings += state.W.size  # of inner products
        run.bracket.add_up = lambda W: to_primal(primal, W[:, : len(rows.y)])
    if isinstance(run.keeper, Average) and state.sums is not None:
        run.keeper.sums = state.sums.copy()
    return run


def radius_of(rows: Rows, classes: int) -> float:
    """The length of the longest row, or of the longest pair of rows that two classes move by."""
    longest = max(0.0, float(pick(rows.norm2, rows.train).max()))  # kernels may be indefinite
    return longest_move(longest, classes)


def finish(run: Run, spec: RunSpec) -> Outcome:
    """Turn what a run found into weights."""
    state = spec.state
    assert run.kept is not None
    last, kept = spec.weights(run.W, state.W), spec.weights(run.kept, state.W)
    sums = None
    if isinstance(run.keeper, Average):
        sums = spec.weights(run.keeper.sums, 0.0)
        kept = last - sums / run.seen  # the same digits in both forms
    start = state.bracket.start if state.bracket else state.W
    bracket = replace(run.bracket, start=start, add_up=None)
    mistakes = np.append(state.mistakes, np.array(run.mistakes, np.int64))
    from_zero = state.from_zero and not start.any()
    online = Online(last, sums, run.seen, mistakes, bracket, from_zero)
    log = write_log(run, spec) if spec.plan.record else None
    return Outcome(run, spec.rows, kept, online, log, all_seen=state.seen == 0)


def write_log(run: Run, spec: RunSpec) -> Log:
    """The log of a run, in one piece."""
    state, bias = spec.state, spec.primal.bias if spec.explicit else 0.0
    stretches = zip(empty_log(0), *run.log, strict=True)
    t, i, c, rival = (np.concatenate(column) for column in stretches)
    i = i.astype(np.int64)
    if len(run.W) == 1:
        return Log(t, i, c, run.seen, state.W, state.seen, bias)
    return Log(t, i, c, run.seen, state.W, state.seen, bias, spec.rows.y[i], rival)
