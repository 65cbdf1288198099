"""Search for the hypothesis with the fewest mistakes: annealing along exact lines.

From a hypothesis, take a line: a coordinate of the frame, a row that is wrong (the perceptron's own
direction), or a random one. The count along it is known exactly, so the next hypothesis is drawn
from the line by exp(-count / temperature), and the temperature falls: hit-and-run (Romeijn and
Smith 1994, Simulated annealing for constrained global optimization) on the lines of Li and Lin
(2007). In the orthonormal frame the scale of columns does not matter.
"""

import math
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize

from rosenblatt.core.loop import Array, Dense, Primal, Rows
from rosenblatt.core.orders import Rng
from rosenblatt.core.threads import one_thread
from rosenblatt.core.vectors import margins, matrix, pick, take, to_primal
from rosenblatt.separability.counting.line_search import draw, random_reach
from rosenblatt.separability.floating_point.orthonormal_basis import frame

Watch = Callable[[float], bool]

HOT, COLD = 2.0, 0.2  # temperatures, in mistakes
ROUND = 50_000  # lines from hot to cold, at most
REFRESH = 200  # lines after which margins are computed anew
PER_LINE, PER_ROW = 1e5, 40.0  # work, in products of two numbers
STARTING_SAMPLE = 2**16  # rows of which the first hypotheses are computed, where there are more
NUMBERS_AT_HAND = 2**14  # of rows in the coordinates of the search
NEWTON = 6  # steps towards logistic regression
FLOPS = 2**30  # of one of Newton's steps, about, where rows are many
GRADIENT_STEPS = 60  # towards logistic regression of sparse rows
COLUMNS_REGRESSED = 2**17  # of sparse rows: beyond, it takes longer than all else
LITTLE = 1e-3  # shrinkage of the weights of a logistic regression


class Chart(NamedTuple):
    """Coordinates in which rows are spread alike: an orthonormal frame, or scaled columns."""

    basis: Array  # d × r, or d factors

    @property
    def size(self) -> int:
        return self.basis.shape[-1]

    def weights(self, u: Array) -> Array:
        """A hypothesis in the user's coordinates."""
        return self.basis @ u if self.basis.ndim == 2 else self.basis * u

    def rows(self, Z: Array) -> Array:
        """Rows in these coordinates."""
        return Z @ self.basis if self.basis.ndim == 2 else Z * self.basis

    def coordinates(self, w: Array) -> Array:
        """A hypothesis in these coordinates."""
        if self.basis.ndim == 2:
            return np.linalg.lstsq(self.basis, w, rcond=None)[0]
        return w / np.where(self.basis > 0, self.basis, 1.0)


@one_thread
def make_chart(primal: Primal, train: Array) -> Chart:
    """The orthonormal frame of the rows; where that is too large, columns of length 1."""
    basis = frame(primal, train)
    if basis is not None:
        return Chart(basis)
    X = matrix(primal)
    squares = np.asarray((X * X).sum(axis=0)).ravel()
    lengths = np.sqrt(np.append(squares, len(train) * primal.bias))
    return Chart(1 / np.where(lengths > 0, lengths, np.inf))


class Search(NamedTuple):
    """What is searched: rows, what a mistake in each costs, and coordinates."""

    primal: Primal
    rows: Rows
    chart: Chart
    Z: Array | None = None  # the rows y x̂ in these coordinates, where they are few

    @property
    def cost(self) -> Array:
        return pick(self.rows.cost, self.rows.train)

    def margins(self, u: Array) -> Array:
        if self.Z is not None:
            return self.Z @ u
        return margins(self.primal, self.chart.weights(u)[None], self.rows)

    def at_hand(self) -> "Search":
        """The same, with the rows in these coordinates if they are few."""
        if len(self.rows.train) * self.chart.size > NUMBERS_AT_HAND:
            return self
        return self._replace(Z=self.chart.rows(signed_rows(self, self.rows.train)))

    def mistakes(self, u: Array) -> float:
        """The mistakes of a hypothesis, by weight, but for rounding."""
        return float(self.cost[self.margins(u) <= 0].sum())

    def work_of_a_line(self) -> float:
        """The products that a line costs, sorting included."""
        p = self.primal
        each = p.X.shape[1] if isinstance(p, Dense) else len(p.data) / (len(p.indptr) - 1)
        return PER_LINE + len(self.rows.train) * (each + PER_ROW)


# -- Starts ----------------------------------------------------------------------------------------


def starts(search: Search) -> Iterator[Array]:
    """Least squares, which in an orthonormal frame is the sum of the rows, and logistic regression.

    Both are computed from a sample, where rows are many.
    """
    train, r = search.rows.train, search.chart.size
    framed = search.chart.basis.ndim == 2
    most = min(STARTING_SAMPLE, max(8 * r, FLOPS // r**2)) if framed else STARTING_SAMPLE
    some = train[:: max(1, len(train) // most)]
    if not framed:
        steps = np.zeros((1, len(search.rows.y)))
        steps[0, some] = search.rows.cost[some] * search.rows.y[some]
        yield unit_vector(search.chart.rows(to_primal(search.primal, steps)[0]))
        if r <= COLUMNS_REGRESSED:
            yield unit_vector(sparse_logistic(search, some))
        return
    Z = search.chart.rows(signed_rows(search, some))
    cost = search.rows.cost[some]
    yield unit_vector(cost @ Z)
    yield unit_vector(logistic(Z, cost))


def signed_rows(search: Search, i: Array) -> Array:
    """The rows y x̂."""
    return take(search.primal, i) * search.rows.y[i, None]


@np.errstate(over="ignore", under="ignore", invalid="ignore")
def logistic(Z: Array, cost: Array) -> Array:
    """A few of Newton's steps towards the largest likelihood, with a little shrinkage."""
    cost = cost / cost.max()
    u, shrinkage = np.zeros(Z.shape[1]), LITTLE * np.eye(Z.shape[1])
    largest = np.maximum(cost, 1e-300)
    for _ in range(NEWTON):
        p = cost / (1 + np.exp(Z @ u))
        weight = p * (1 - p / largest)
        H = (Z * weight[:, None]).T @ Z + shrinkage
        u = u + np.linalg.solve(H, p @ Z - LITTLE * u)
    return u


@np.errstate(over="ignore", under="ignore", invalid="ignore")
def sparse_logistic(search: Search, i: Array) -> Array:
    """The same where rows have too many columns for a matrix of their products."""
    primal, scale = search.primal, search.chart.basis
    X, y, cost = matrix(primal)[i], search.rows.y[i], search.rows.cost[i]
    cost = cost / cost.max()

    def loss(u: Array) -> tuple[float, Array]:
        w = u * scale
        m = y * (X @ w[:-1] + primal.bias * w[-1])
        pull = -cost * y / (1 + np.exp(m))
        gradient = scale * np.append(X.T @ pull, primal.bias * pull.sum())
        value = cost @ np.logaddexp(0.0, -m) + LITTLE / 2 * (u @ u)
        return float(value), gradient + LITTLE * u

    options = {"maxiter": GRADIENT_STEPS}
    found = minimize(loss, np.zeros(len(scale)), jac=True, method="L-BFGS-B", options=options)
    return np.asarray(found.x)


def unit_vector(u: Array) -> Array:
    """A vector of length 1, or any where there is none."""
    length = math.sqrt(np.vdot(u, u))
    return u / length if 0 < length < math.inf else coordinate(len(u), -1)


def coordinate(r: int, k: int) -> Array:
    """The k-th coordinate of r."""
    u = np.zeros(r)
    u[k] = 1.0
    return u


# -- Annealing -------------------------------------------------------------------------------------


class Walk:
    """A hypothesis on its way, and the best one met."""

    def __init__(self, search: Search, rng: Rng, u: Array) -> None:
        self.search, self.cost, self.rng, self.u = search, search.cost, rng, u
        self.best, self.least = u, search.mistakes(u)
        self.refresh()

    def refresh(self) -> None:
        """Compute the margins anew, which rounding may have changed."""
        self.u = unit_vector(self.u)
        self.m = self.search.margins(self.u)

    def direction(self) -> Array:
        """A coordinate, a wrong row or a random direction, of length 1."""
        kind, r = self.rng.random_sample(), self.search.chart.size
        if kind < 0.3:
            return coordinate(r, self.rng.randint(r))
        wrong = (self.m <= 0).nonzero()[0]
        if kind < 0.7 and len(wrong):
            return self.towards(wrong[self.rng.randint(len(wrong))])
        return unit_vector(self.rng.standard_normal(r))

    def towards(self, k: int) -> Array:
        """The direction of a row."""
        i, Z = self.search.rows.train[k : k + 1], self.search.Z
        if Z is not None:
            return unit_vector(Z[k] * self.search.rows.y[i[0]])
        return unit_vector(self.search.chart.rows(take(self.search.primal, i)[0]))

    def advance(self, heat: float) -> None:
        """Draw the next hypothesis from a line."""
        v, reach = self.direction(), random_reach(self.rng)
        s = self.search.margins(v)
        drawn, best = draw(self.m, s, self.cost, reach, heat, self.rng.random_sample())
        if best.mistakes < self.least:
            self.best, self.least = unit_vector(self.u + best.t * v), best.mistakes
        self.u, self.m = self.u + drawn.t * v, self.m + drawn.t * s

    def cool(self, lines: int, heats: tuple[float, float], watch: Watch) -> None:
        """So many lines, from hot to cold, which end with the best hypothesis met."""
        for k, heat in enumerate(falling(*heats, lines)):
            self.advance(heat)
            if k % REFRESH == REFRESH - 1:
                self.refresh()
                if watch(self.least):
                    break
        self.u = self.best
        self.refresh()


@lru_cache(maxsize=8)
def falling(hot: float, cold: float, lines: int) -> tuple[float, ...]:
    """Temperatures from hot to cold."""
    return tuple(np.geomspace(hot, cold, lines).tolist())


@np.errstate(over="ignore", invalid="ignore")
def anneal(search: Search, u: Array, rng: Rng, work: float, watch: Watch) -> Array:
    """The best hypothesis met within an amount of work, or until its count is enough.

    `watch` is told of the least count now and then, and says whether that is enough.
    """
    walk, lines = Walk(search, rng, u), int(work / search.work_of_a_line())
    unit_cost = float(search.cost.mean())
    rounds = max(1, -(-lines // ROUND))
    for _ in range(rounds):
        if lines >= 1 and not watch(walk.least):
            walk.cool(max(2, lines // rounds), (HOT * unit_cost, COLD * unit_cost), watch)
    return walk.best
