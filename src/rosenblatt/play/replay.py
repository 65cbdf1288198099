"""Runs: a learner on a cloud of points, and its hypotheses replayed from the log.

All that the page shows of a hypothesis comes from its scores on all points: how many it has wrong,
how far the nearest is on its right side, whether it goes into the pocket.
"""

import warnings
from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from rosenblatt import KernelPerceptron, Perceptron
from rosenblatt.core.log import Log, births
from rosenblatt.core.loop import Array
from rosenblatt.kernels import feature_space
from rosenblatt.play.points import LabelledPoints
from rosenblatt.play.requests import TRACE, Refused, State

SCORES_HELD = 2**21  # scores looked at together
RATCHET = ("sweep", "random")  # orders in which a run of right visits means something


class Judged(NamedTuple):
    """What all points say of each hypothesis, the start first, and those that moved it of two."""

    errors: Array
    least: Array  # the smallest y f(x)
    before: Array  # of each row of the log, its y f(x) before it moved the hypothesis
    after: Array


class Replay:
    """A fitted model and everything that its log tells."""

    def __init__(self, model: Any, cloud: LabelledPoints) -> None:
        self.model, self.cloud = model, cloud
        self.log: Log = model.log_
        self.ends = births(self.log.t)

    @cached_property
    def kernel(self) -> bool:
        """Whether the hypotheses are in a feature space."""
        return isinstance(self.model, KernelPerceptron)

    @cached_property
    def path(self) -> Array:
        """Every hypothesis (w, b), the start first."""
        return self.log.path(self.cloud.X)

    @cached_property
    def gram(self) -> Array:
        """The kernel of all points with all."""
        return feature_space.gram(self.model, self.cloud.X)

    @cached_property
    def lengths(self) -> Array:
        """|w| of each hypothesis, the bias included."""
        if not self.kernel:
            return np.linalg.norm(self.path, axis=1)
        squares = feature_space.lengths2_along(self.gram, self.log.i, self.log.c)[self.ends]
        return np.sqrt(np.maximum(np.append(0.0, squares), 0.0))

    @cached_property
    def judged(self) -> Judged:
        """Errors and smallest margins; a point on the border is an error."""
        errors, least, before, after = [], [], np.zeros(len(self.log)), np.zeros(len(self.log))
        birth, k = np.searchsorted(self.ends, np.arange(len(self.log))), 0
        for m in (f * self.cloud.signs for f in self.scores()):
            errors.append((m <= 0).sum(axis=1))
            least.append(m.min(axis=1))
            for margins, which in ((before, birth), (after, birth + 1)):
                here = np.flatnonzero((which >= k) & (which < k + len(m)))
                margins[here] = m[which[here] - k, self.log.i[here]]
            k += len(m)
        return Judged(np.concatenate(errors), np.concatenate(least), before, after)

    def scores(self) -> Iterator[Array]:
        """The scores of all points under each hypothesis, blocks of hypotheses at a time."""
        size = max(1, SCORES_HELD // len(self.cloud.X))
        if self.kernel:
            yield from self._kernel_scores(size)
            return
        rows = np.column_stack((self.cloud.X, np.ones(len(self.cloud.X)))).T
        for k in range(0, len(self.path), size):
            yield self.path[k : k + size] @ rows

    def _kernel_scores(self, size: int) -> Iterator[Array]:
        now = np.zeros((1, len(self.cloud.X)))
        yield now
        for begin in range(0, len(self.log), size):
            cut = slice(begin, begin + size)
            steps = self.log.c[cut, None] * self.gram[self.log.i[cut]]
            now = now[-1] + np.cumsum(steps, axis=0)
            whole = self.ends[(self.ends >= begin) & (self.ends < begin + size)] - begin
            yield now[whole]

    # -- what is read off them ---------------------------------------------------------------------

    def bracket(self) -> tuple[Array, Array] | None:
        """What is known of the widest margin after each update, relative to the longest row."""
        if self.model.margin_bounds_ is None:
            return None
        with np.errstate(invalid="ignore", divide="ignore"):
            lower = np.nan_to_num(self.judged.least / self.lengths, posinf=0.0, neginf=0.0)
            moved = (
                self.lengths if self.kernel else np.linalg.norm(self.path - self.path[0], axis=1)
            )
            travelled = np.append(0.0, np.cumsum(np.abs(self.log.c))[self.ends])
            upper = np.nan_to_num(moved / travelled, nan=self.model.radius_)
        lower, upper = np.maximum.accumulate(lower), np.minimum.accumulate(upper)
        return np.maximum(lower, 0.0) / self.model.radius_, upper / self.model.radius_

    def pocket(self) -> Array:
        """Which hypothesis is the best met, when each one has just been born, and in the end.

        With the ratchet, one is looked at when its run of right visits is over, if that is a
        record; otherwise as soon as it is born.
        """
        errors, runs = self.judged.errors, self.log.survival()
        runs[1:] -= 1  # the visit that gave birth to a hypothesis is not a right one
        ratchet = self.model.keep == "pocket" and self._has_runs()
        kept, longest, found = 0, 0, [0]
        for k in range(1, len(errors) + 1):
            new = k - 1 if ratchet else min(k, len(errors) - 1)
            if not ratchet or runs[new] > longest:
                longest = runs[new]
                kept = new if errors[new] < errors[kept] else kept
            found.append(kept)
        if self.model.stop_reason_ == "separated":
            found[-1] = len(errors) - 1
        return np.array(found)

    def _has_runs(self) -> bool:
        return self.model.batch_size == 1 and self.model.order in RATCHET

    def averages(self) -> Array:
        """The mean of the hypotheses held so far, when each one has just been born."""
        survival = self.log.survival()[:-1, None]
        sums, visits = np.cumsum(survival * self.path[:-1], axis=0), np.cumsum(survival, axis=0)
        return np.vstack((self.path[:1], sums / np.maximum(visits, 1)))


def learn_state(state: State, cloud: LabelledPoints) -> Replay:
    """Let the learner of a state learn; it is recorded, and never beyond what can be replayed."""
    params = state.params | {"record": True, "max_updates": TRACE}
    kernel = "kernel" in params
    params = params if kernel else {"settle": "after"} | params
    if kernel and params["kernel"] == "precomputed":
        raise Refused("the playground has points, not a precomputed kernel")
    model = (KernelPerceptron if kernel else Perceptron)(**params)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return Replay(model.fit(cloud.X, cloud.labels, **start_of_run(state, cloud)), cloud)


def start_of_run(state: State, cloud: LabelledPoints) -> dict[str, Any]:
    """Where a run starts, as fit takes it; not at all from zero."""
    if state.start is None or not any(state.start):
        return {}
    d = cloud.X.shape[1]
    if len(state.start) != d + 1:
        told = f"a start is {d} weights and a bias, {d + 1} numbers; there are {len(state.start)}"
        raise Refused(told, code="start", d=d, numbers=d + 1)
    return {"coef_init": [state.start[:-1]], "intercept_init": [state.start[-1]]}
