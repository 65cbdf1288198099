"""A hypothesis as its expansion, a step for each row of its support.

What it says of other rows, with all hypotheses of a run if they vote; and what partial_fit goes on
from: the rows that some hypothesis is made of, and nothing else.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.core.log import Log, births
from rosenblatt.core.loop import Array
from rosenblatt.estimators.runs import Online, Outcome
from rosenblatt.estimators.voting import BLOCK_BYTES, tally
from rosenblatt.inputs.fitted_model import FittedKernel
from rosenblatt.inputs.matrix import stack
from rosenblatt.inputs.validation import Problem
from rosenblatt.kernels.feature_space import kernel_of
from rosenblatt.kernels.gram_matrix import KernelStorage, gram_rows, rescore

Against = Callable[[slice], Array]  # the kernel of a block of rows with the support


# -- What the support says of rows -----------------------------------------------------------------


def among(storage: KernelStorage, n: int, support: Array) -> Against:
    """The kernel of n training rows with the support."""
    return lambda block: gram_rows(storage, np.arange(n)[block])[:, support]


def against_support(model: FittedKernel, X: Any) -> Against:
    """The kernel of other rows with the support of a model."""
    refuse_other_kernel(model)
    kernel = kernel_of(model, X)
    if kernel.name == "precomputed":
        return lambda block: X[block][:, model.support_] + kernel.bias
    X = X.astype(np.float64, copy=False)
    return lambda block: kernel.between(X[block], model.support_vectors_)


def refuse_other_kernel(model: FittedKernel) -> None:
    """Refuse a kernel of rows where a matrix was learned from, and the other way round."""
    of_rows = model.support_vectors_.shape[0] > 0
    if np.size(model.dual_coef_) and of_rows == (model.kernel == "precomputed"):
        raise ValueError(f"kernel={model.kernel!r} was set after the fit: fit again")


def expansion_scores(against: Against, n: int, coef: Array) -> Array:
    """The score of each of n rows for each class, blocks of rows at a time."""
    values = np.zeros((n, len(coef)))
    size = max(1, BLOCK_BYTES // (8 * max(1, coef.shape[1])))
    for k in range(0, n if coef.shape[1] else 0, size):
        values[k : k + size] = against(slice(k, k + size)) @ coef.T
    return values


class VotedExpansion(NamedTuple):
    """All hypotheses of a run, as its mistakes among the support."""

    place: Array  # which of the support erred
    c: Array  # the signed step
    own: Array  # the class it was added to, and the one it was taken from; of one, 0 and -1
    rival: Array
    ends: Array  # the mistakes at which a hypothesis is complete
    survival: Array  # of each, the zero hypothesis first
    classes: int  # hypotheses held at a time

    def poll(self, against: Against, n: int, tie: float) -> Array:
        """The vote on each of n rows: between -1 and 1, or the share of each class."""
        size = max(1, BLOCK_BYTES // (8 * self.classes * (len(self.c) + 1)))
        blocks = (against(slice(b, b + size)) for b in range(0, n, size))
        votes = [tally(self._scores(K), self.survival, tie) for K in blocks]
        return np.concatenate(votes) / max(1, self.survival.sum())

    def _scores(self, K: Array) -> Array:
        """The scores (rows, hypotheses, classes) under each hypothesis."""
        moves, j = K[:, self.place] * self.c, np.arange(len(self.c))
        f = np.zeros((len(K), len(self.c) + 1, self.classes))
        f[:, 1 + j, self.own] += moves
        if self.classes > 1:
            f[:, 1 + j, self.rival] -= moves
        return np.cumsum(f, axis=1)[:, np.append(0, 1 + self.ends)]


def ballots(log: Log, support: Array) -> VotedExpansion:
    """The hypotheses of a log, in terms of the support."""
    none = np.zeros(len(log), np.int64)
    own = none if log.own is None else log.own
    rival = none - 1 if log.rival is None else log.rival
    place = np.searchsorted(support, log.i)
    return VotedExpansion(place, log.c, own, rival, births(log.t), log.survival(), len(log.start))


# -- What partial_fit goes on from -----------------------------------------------------------------


class Memory(NamedTuple):
    """The rows that the hypotheses of partial_fit are made of, and their classes."""

    X: Any
    codes: Array

    def before(self, problem: Problem) -> Problem:
        """These rows, not to be learned from, and then those of a problem."""
        s = len(self.codes)
        return problem._replace(
            X=stack((self.X, problem.X)),
            codes=np.concatenate((self.codes, problem.codes)),
            weight=np.concatenate((np.ones(s), problem.weight)),
            train=problem.train + np.uint32(s),
        )


def unfold(online: Online, storage: KernelStorage, n: int) -> Online:
    """A state of steps of the first rows, as steps and scores of n rows."""

    def widened(part: Array) -> Array:
        W = np.zeros((len(part), 2 * n))
        W[:, : part.shape[1]] = part
        if part.size:
            W[:, n:] = rescore(storage, W[:, :n])
        return W

    sums = None if online.sums is None else widened(online.sums)
    return online._replace(W=widened(online.W), sums=sums)


def remember(problem: Problem, outcomes: list[Outcome], n: int) -> tuple[Memory, list[Online]]:
    """The rows that some hypothesis is made of, and the states in terms of them."""
    states = [o.online for o in outcomes]
    parts = [o.kept for o in outcomes] + [s.W for s in states]
    parts += [s.sums for s in states if s.sums is not None]
    rows = np.flatnonzero(np.vstack([part[:, :n] for part in parts]).any(axis=0))

    def folded(state: Online) -> Online:
        sums, bracket = None if state.sums is None else state.sums[:, rows], state.bracket
        if bracket is not None:  # steps from elsewhere than zero bound no margin in other terms
            start = bracket.start
            bracket = None if start.any() else replace(bracket, start=start[:, :1])
        return state._replace(W=state.W[:, rows], sums=sums, bracket=bracket)

    return Memory(problem.X[rows], problem.codes[rows]), [folded(s) for s in states]
