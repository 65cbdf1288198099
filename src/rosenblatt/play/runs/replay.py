"""Replays: every hypothesis of a run, read off the log of its model.

All that the page shows of a hypothesis comes from its scores on all points: how many it has wrong,
how far the nearest is on its right side, whether it goes into the pocket. Of several classes, the
margin of a point is the lead of its own class over the best other one.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from rosenblatt import KernelPerceptron
from rosenblatt.core.log import Log, births
from rosenblatt.core.loop import Array
from rosenblatt.core.vectors import errs
from rosenblatt.inputs.plan import make_rule
from rosenblatt.inputs.validation import class_factors, validate_data
from rosenblatt.kernels import feature_space
from rosenblatt.play.runs.points import LabelledPoints

SCORES_HELD = 2**21  # scores looked at together
RATCHET = ("sweep", "random")  # orders in which a run of right visits means something


class Judged(NamedTuple):
    """What all points say of each hypothesis, the start first, and those that moved it of two."""

    errors: Array  # of the points that it was fitted on
    costs: Array  # the same with the weights of their classes
    held: Array  # errors of the points held out
    least: Array  # the smallest margin
    before: Array  # of each row of the log, its margin before it moved the hypothesis
    after: Array


class Replay:
    """A fitted model and everything that its log tells; `rows` are those it was fitted on."""

    def __init__(self, model: Any, cloud: LabelledPoints, rows: Array | None = None) -> None:
        self.model, self.cloud = model, cloud
        self.rows = np.arange(len(cloud.X)) if rows is None else rows
        self.log: Log = replace(model.log_, i=self.rows[model.log_.i])
        self.ends = births(self.log.t)

    @cached_property
    def trained(self) -> Array:
        """The points that it was fitted on, each once."""
        return np.unique(self.rows)

    @cached_property
    def held(self) -> Array:
        """The points that were held out."""
        return np.setdiff1d(np.arange(len(self.cloud.X)), self.trained)

    @cached_property
    def kernel(self) -> bool:
        """Whether the hypotheses are in the feature space of a kernel."""
        return isinstance(self.model, KernelPerceptron)

    @cached_property
    def path(self) -> Array:
        """Every hypothesis (w, b), the start first; of several classes, one for each."""
        return self.log.path(self.cloud.X)

    @cached_property
    def gram(self) -> Array:
        """The kernel of all points with all."""
        return feature_space.gram(self.model, self.cloud.X)

    @cached_property
    def boundary(self) -> int:
        """The side of a point on the hyperplane; 0 if it errs on either."""
        p = self.model.get_params(deep=False)
        sided = p["boundary"] != "mistake" and make_rule(p).margin == 0
        return int(p["boundary"]) if sided and not self.cloud.is_several else 0

    @cached_property
    def costs(self) -> Array:
        """What an error costs, at each point."""
        fitted = self.cloud.take(self.rows)
        data = validate_data(fitted.X, fitted.labels)
        return class_factors(data, self.model.class_weight)[self.cloud.codes]

    @cached_property
    def lengths(self) -> Array:
        """|w| of each hypothesis, the bias included; of several classes, of all together."""
        if not self.kernel:
            return np.linalg.norm(self.path.reshape(len(self.path), -1), axis=1)
        squares = self._squared_lengths()[self.ends]
        return np.sqrt(np.maximum(np.append(0.0, squares), 0.0))

    def _squared_lengths(self) -> Array:
        """|w|² in the feature space after each move: of the sum of its moves, or of their two."""
        log, K = self.log, self.gram
        if log.own is None or log.rival is None:
            return feature_space.lengths2_along(K, log.i, log.c)
        scores, steps = np.zeros((len(self.cloud.classes), len(K))), np.empty(len(log))
        for j, (i, c, a, b) in enumerate(zip(log.i, log.c, log.own, log.rival, strict=True)):
            steps[j] = 2 * c * (scores[a, i] - scores[b, i] + c * K[i, i])
            scores[a] += c * K[i]
            scores[b] -= c * K[i]
        return np.cumsum(steps)

    # -- what the points say -----------------------------------------------------------------------

    @cached_property
    def judged(self) -> Judged:
        """Errors and smallest margins."""
        log, seen = self.log, []
        before, after = np.zeros(len(log)), np.zeros(len(log))
        birth, k = np.searchsorted(self.ends, np.arange(len(log))), 0
        for m in self.margins():
            seen.append(self._count(m))
            for margins, which in ((before, birth), (after, birth + 1)):
                here = np.flatnonzero((which >= k) & (which < k + len(m)))
                margins[here] = m[which[here] - k, log.i[here]]
            k += len(m)
        errors, costs, held, least = (np.concatenate(parts) for parts in zip(*seen, strict=True))
        return Judged(errors, costs, held, least, before, after)

    def _count(self, m: Array) -> tuple[Array, ...]:
        wrong = self.errs(m)
        errors, held = (wrong[:, rows].sum(axis=1) for rows in (self.trained, self.held))
        costs = wrong[:, self.trained] @ self.costs[self.trained]
        return errors, costs, held, m[:, self.trained].min(axis=1)

    def errs(self, margins: Array) -> Array:
        """Which points are wrong."""
        return errs(margins, self.cloud.signs, self.boundary)

    def margins(self) -> Iterator[Array]:
        """The margins of all points under each hypothesis, blocks of hypotheses at a time."""
        k = len(self.cloud.classes) if self.cloud.is_several else 1
        size = max(1, SCORES_HELD // (k * len(self.cloud.X)))
        if self.kernel:
            yield from self._kernel_margins(size)
            return
        for begin in range(0, len(self.path), size):
            yield self.margins_of(self.path[begin : begin + size])

    def margins_of(self, hypotheses: Array) -> Array:
        """The margins of all points under some hypotheses."""
        rows = np.column_stack((self.cloud.X, np.ones(len(self.cloud.X)))).T
        return self.led(hypotheses @ rows)

    def led(self, scores: Array) -> Array:
        """Scores as margins."""
        if not self.cloud.is_several:
            return scores * self.cloud.signs
        own = self.cloud.codes, np.arange(len(self.cloud.X))
        others = scores.copy()
        others[:, *own] = -np.inf
        return scores[:, *own] - others.max(axis=1)

    def _kernel_margins(self, size: int) -> Iterator[Array]:
        now = self._steps(slice(0, 0))
        yield self.led(now)
        for begin in range(0, len(self.log), size):
            now = now[-1] + np.cumsum(self._steps(slice(begin, begin + size)), axis=0)
            whole = self.ends[(self.ends >= begin) & (self.ends < begin + size)] - begin
            yield self.led(now[whole])

    def _steps(self, cut: slice) -> Array:
        """What moves of the log add to all scores; none at all is one that adds nothing."""
        log, k, n = self.log, len(self.cloud.classes), len(self.cloud.X)
        moves = log.c[cut, None] * self.gram[log.i[cut]]
        if log.own is None or log.rival is None:
            return moves if len(moves) else np.zeros((1, n))
        steps, rows = np.zeros((max(1, len(moves)), k, n)), np.arange(len(moves))
        steps[rows, log.own[cut]] += moves
        steps[rows, log.rival[cut]] -= moves
        return steps

    # -- what is read off them ---------------------------------------------------------------------

    def bracket(self) -> dict[str, Array] | None:
        """Between what the widest margin lies after each update, relative to the longest row."""
        if self.model.margin_bounds_ is None:
            return None
        with np.errstate(invalid="ignore", divide="ignore"):
            lower = np.nan_to_num(self.judged.least / self.lengths, posinf=0.0, neginf=0.0)
            travelled = np.append(0.0, np.cumsum(np.abs(self.log.c))[self.ends])
            upper = np.nan_to_num(self._moved() / travelled, nan=self.model.radius_)
        lower, upper = np.maximum.accumulate(lower), np.minimum.accumulate(upper)
        R = self.model.radius_
        return {"lower": np.maximum(lower, 0.0) / R, "upper": upper / R}

    def _moved(self) -> Array:
        """How far each hypothesis is from the start."""
        if self.kernel:
            return self.lengths
        return np.linalg.norm((self.path - self.path[0]).reshape(len(self.path), -1), axis=1)

    def pocket(self) -> Array:
        """Which hypothesis is the best met, when each one has just been born, and in the end.

        With the ratchet, one is looked at when its run of right visits is over, if that is a
        record; otherwise as soon as it is born.
        """
        costs, runs = self.judged.costs, self.log.survival()
        runs[1:] -= 1  # the visit that gave birth to a hypothesis is not a right one
        has_runs = self.model.batch_size == 1 and self.model.order in RATCHET
        ratchet = self.model.keep == "pocket" and has_runs
        kept, longest, found = 0, 0, [0]
        for k in range(1, len(costs) + 1):
            new = k - 1 if ratchet else min(k, len(costs) - 1)
            if not ratchet or runs[new] > longest:
                longest = runs[new]
                kept = new if costs[new] < costs[kept] else kept
            found.append(kept)
        if self.model.stop_reason_ == "separated":
            found[-1] = len(costs) - 1
        return np.array(found)

    def averages(self) -> Array:
        """The mean of the hypotheses held so far, when each one has just been born."""
        survival = self.log.survival()[:-1].reshape(-1, *[1] * (self.path.ndim - 1))
        sums, visits = np.cumsum(survival * self.path[:-1], axis=0), np.cumsum(survival, axis=0)
        return np.concatenate((self.path[:1], sums / np.maximum(visits, 1)))
