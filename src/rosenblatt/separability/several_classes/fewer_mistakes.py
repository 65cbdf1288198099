"""A short search for a linear machine with few mistakes.

It begins with the better of the machine that is known and a multinomial logistic regression, in an
orthonormal frame, and goes along lines (`counting.line_search`): the perceptron's own step for a
row that is wrong, or a coordinate of one class. Each line ends where mistakes cost least.
"""

from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize

from rosenblatt.core.loop import Array, Primal, Rows
from rosenblatt.core.orders import Rng, seeded
from rosenblatt.core.threads import one_thread
from rosenblatt.core.vectors import leads, take
from rosenblatt.separability.counting.line_search import best_joint_step, few_lines, random_reach
from rosenblatt.separability.floating_point.orthonormal_basis import frame

NUMBERS_SEARCHED = 2**19  # of rows in their frame; where there are more, some rows are searched
NUMBERS_NOT_REGRESSED = 2**11  # at most: there, passes count every hypothesis
SHRINKAGE = 10.0  # of weights in the frame: with less, machines fit noise where rows are few
REGRESSION_STEPS = 40  # of the regression


class Searched(NamedTuple):
    """Rows in a frame, their classes, and what a mistake in each costs."""

    Q: Array
    own: Array
    cost: Array
    k: int

    def mistakes(self, U: Array) -> float:
        """What a machine's mistakes cost, ties included, but for rounding."""
        return float(self.cost[self.is_wrong(self.Q @ U.T)].sum())

    def is_wrong(self, F: Array) -> Array:
        """Which rows are not led by their own class, given the scores."""
        return np.asarray(~(leads(F, self.own) > 0))


@one_thread
@np.errstate(over="ignore", invalid="ignore", divide="ignore")
def glance_jointly(primal: Primal, rows: Rows, W: Array) -> list[Array]:
    """Better machines than one that is known, as a short search finds them, if it does."""
    basis = frame(primal, rows.train[:: max(1, len(rows.train) // 2**13)])
    if basis is None or not basis.shape[1] or not np.isfinite(W).all():
        return []
    some = rows.train[:: -(-len(rows.train) * basis.shape[1] // NUMBERS_SEARCHED)]
    searched = Searched(take(primal, some) @ basis, rows.y[some], rows.cost[some], len(W))
    first = [np.linalg.lstsq(basis, W.T, rcond=None)[0].T]
    if searched.Q.size > NUMBERS_NOT_REGRESSED:
        first.append(regression(searched))
    begin = min(first, key=searched.mistakes)
    with seeded([0]) as (rng,):
        return [U @ basis.T for U in (descend(searched, begin, rng), begin)]


def regression(rows: Searched) -> Array:
    """The weights of a multinomial logistic regression, about."""
    Q, own, cost, k = rows
    i = np.arange(len(Q))

    def loss(u: Array) -> tuple[float, Array]:
        F = Q @ u.reshape(k, -1).T
        F -= F.max(axis=1, keepdims=True)
        P = np.exp(F)
        total = P.sum(axis=1)
        value = cost @ (np.log(total) - F[i, own]) + SHRINKAGE / 2 * (u @ u)
        P /= total[:, None]
        P[i, own] -= 1
        return value, ((P * cost[:, None]).T @ Q).ravel() + SHRINKAGE * u

    start = np.zeros(k * Q.shape[1])
    found = minimize(
        loss, start, jac=True, method="L-BFGS-B", options={"maxiter": REGRESSION_STEPS}
    )
    return np.asarray(found.x).reshape(k, -1)


def descend(rows: Searched, U: Array, rng: Rng) -> Array:
    """The machine at the end of some lines, each of which ends where mistakes cost least."""
    F, least = rows.Q @ U.T, rows.mistakes(U)
    for _ in range(few_lines(len(F) // 2)):  # a line for several classes takes twice as long
        V = joint_direction(rows, F, rng) * np.linalg.norm(U)
        G = rows.Q @ V.T
        step = best_joint_step(F, G, rows.own, rows.cost, random_reach(rng))
        if step.mistakes <= least:
            U, F, least = U + step.t * V, F + step.t * G, step.mistakes
    return U


def joint_direction(rows: Searched, F: Array, rng: Rng) -> Array:
    """The perceptron's step for a row that is wrong, or a coordinate of a class; of length 1."""
    V, wrong = np.zeros((rows.k, rows.Q.shape[1])), np.flatnonzero(rows.is_wrong(F))
    if len(wrong) and rng.random_sample() < 0.7:
        i = wrong[rng.randint(len(wrong))]
        others = F[i].copy()
        others[rows.own[i]] = -np.inf
        V[rows.own[i]], V[others.argmax()] = rows.Q[i], -rows.Q[i]
        return V / max(float(np.linalg.norm(V)), np.finfo(float).tiny)
    V[rng.randint(rows.k), rng.randint(V.shape[1])] = 1.0
    return V
