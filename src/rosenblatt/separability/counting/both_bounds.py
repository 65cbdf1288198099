"""Counting mistakes from both sides: an incumbent, and a bound that no hypothesis is below."""

import math
from contextlib import suppress
from fractions import Fraction
from itertools import count
from typing import NamedTuple

import numpy as np

from rosenblatt.core.loop import Array, Primal, Rows
from rosenblatt.core.orders import Rng, seeded
from rosenblatt.core.vectors import margins, matrix, pick, take
from rosenblatt.progress import ShareReport, unreported
from rosenblatt.separability.answers import Conflict, Separator
from rosenblatt.separability.counting.annealing import (
    COLD,
    REFRESH,
    Search,
    Walk,
    anneal,
    make_chart,
    starts,
)
from rosenblatt.separability.counting.enumeration import (
    Inconclusive,
    fewest_by_cells,
    whole_costs,
)
from rosenblatt.separability.counting.hitting_sets import Collection
from rosenblatt.separability.counting.line_search import few_lines
from rosenblatt.separability.counting.packing import least_total
from rosenblatt.separability.decide import decide
from rosenblatt.separability.exact import certainty
from rosenblatt.separability.narrowed_rows import narrowed

WORK = 2e10  # products of two numbers, of annealing
MORE = 2.0  # times as much, of collecting conflicts
QUICK = 0.05  # the share of it that comes first, and is often enough
CLOSE = Fraction(1, 2**36)  # a share of the mistakes, by cost, that whole costs may lack
TURNS = 4e9  # rows turned around, of an enumeration that is affordable
SAMPLE = 2**16  # rows annealed, where there are more than twice as many
GLANCED, CHARTED = 2**15, 2**13  # rows of a short search, and of its coordinates


class Incumbent(NamedTuple):
    """A hypothesis, the rows that it gets wrong, exactly, and what they cost."""

    w: Array
    wrong: Array
    cost: Fraction


@np.errstate(over="ignore", invalid="ignore")  # what is not finite is not certain
def wrong_rows(primal: Primal, w: Array, rows: Rows) -> Array:
    """The training rows on the wrong side of a hypothesis, or on it: exactly."""
    m = margins(primal, w[None], rows)
    bound = certainty.product_error(w) * np.sqrt(pick(rows.norm2, rows.train))
    unsure = rows.train[~(np.abs(m) > bound + certainty.TINY)]
    sure = rows.train[m < -bound - certainty.TINY]
    others = unsure[certainty.exact_signs(primal, w, unsure) * rows.y[unsure] <= 0]
    return np.sort(np.append(sure, others)).astype(np.int64)


def one_side(primal: Primal, side: float) -> Array:
    """A hyperplane beyond all rows, so that they are all on one side."""
    w = np.zeros(certainty.n_weights(primal))
    w[0], w[-1] = 0.5 / max(float(abs(matrix(primal)[:, [0]]).max()), 1e-300), side
    return w


class Counting:
    """The fewest mistakes on some rows, with what each costs: what is known from both sides.

    Costs are floats, and counted exactly.
    """

    def __init__(self, primal: Primal, rows: Rows, rng: Rng) -> None:
        self.primal, self.rows, self.rng = primal, rows, rng
        self.jobs: int | None = None
        self.report: ShareReport = unreported
        self.search = Search(primal, rows, make_chart(primal, rows.train))
        self.collection = Collection(primal, rows)
        self.enumerated, self.stage = False, (0.0, 1.0)
        self.by_cells = self.inseparable = Fraction(0)  # what is known without packing conflicts
        self._packed = Fraction(0), Fraction(0)  # what these prove, and the same as mistakes cost
        zero = np.zeros(certainty.n_weights(primal))
        self.best = self.priced(zero, rows.train.astype(np.int64))

    def priced(self, w: Array, wrong: Array) -> Incumbent:
        """A hypothesis with what the rows cost that it gets wrong."""
        costs, counts = np.unique(self.rows.cost[wrong], return_counts=True)
        each = zip(costs.tolist(), counts.tolist(), strict=True)
        return Incumbent(w, wrong, sum((Fraction(cost) * k for cost, k in each), Fraction(0)))

    def offer(self, w: Array) -> None:
        """Take a hypothesis, if it makes fewer mistakes than the incumbent."""
        if np.isfinite(w).all():
            found = self.priced(w, wrong_rows(self.primal, w, self.rows))
            self.best = min(self.best, found, key=lambda each: each.cost)

    @property
    def at_least(self) -> Fraction:
        return max(self.by_cells, self.by_conflicts, self.inseparable)

    @property
    def by_conflicts(self) -> Fraction:
        """What packings prove, raised to what mistakes can cost."""
        if self._packed[0] != (proved := self.collection.at_least):
            self._packed = proved, least_total(proved, pick(self.rows.cost, self.rows.train))
        return self._packed[1]

    @property
    def proof(self) -> str:
        """What proves it; that the rows are inseparable proves one mistake."""
        if self.enumerated:
            return "enumeration"
        return "conflicts" if self.by_conflicts == self.at_least else "inseparable"

    @property
    def optimal(self) -> bool:
        return self.at_least >= self.best.cost

    @property
    def closed(self) -> bool:
        """Whether no more can be known: costs of an enumeration are rounded."""
        rounding = self.best.cost * CLOSE if self.enumerated else 0
        return self.at_least + rounding >= self.best.cost

    def tell(self, part: float) -> None:
        """Report how much of this stage is done."""
        begin, end = self.stage
        bracket = f"{float(self.best.cost):g} mistakes, at least {float(self.at_least):g}"
        self.report(begin + min(part, 1.0) * (end - begin), bracket)

    # -- from above --------------------------------------------------------------------------------

    def begin(self) -> None:
        """Take the best of the first hypotheses."""
        for u in starts(self.search):
            self.offer(self.search.chart.weights(u))
        if self.primal.bias:
            self.offer(one_side(self.primal, 1.0))
            self.offer(one_side(self.primal, -1.0))
        for w in glance(self.primal, self.rows, self.best.w):
            self.offer(w)

    def anneal(self, work: float) -> None:
        """Search for fewer mistakes; where rows are many, on a sample first."""
        train = self.rows.train
        if len(train) > 2 * SAMPLE:
            some = self.rows._replace(train=train[:: len(train) // SAMPLE])
            self._anneal(self.search._replace(rows=some), work / 2, -math.inf)
            work /= 2
        self._anneal(self.search, work, float(self.at_least))

    def _anneal(self, search: Search, work: float, enough: float) -> None:
        looks, told = max(work / search.work_of_a_line() / REFRESH, 1), count(1)

        def watch(least: float) -> bool:
            self.tell(next(told) / looks)
            return least <= enough

        u = anneal(search, search.chart.coordinates(self.best.w), self.rng, work, watch)
        self.offer(search.chart.weights(u))

    # -- from below --------------------------------------------------------------------------------

    def bound(self, work: float) -> None:
        """Collect conflicts until they prove that the incumbent is best, or the work is done."""
        held, wrong = self.collection, self.best.wrong.astype(np.uint32)
        nearest = np.argsort(-margins(self.primal, self.best.w[None], self.rows, wrong))
        held.spent = 0.0

        def target() -> Fraction:
            self.tell(held.spent / work)
            return self.best.cost

        held.disjoint(wrong[nearest], work / 2)
        held.widen(wrong[nearest], work, target)
        if 0 < self.best.cost - held.at_least <= max(2 * held.unit, self.best.cost / 4):
            held.spent, work = 0.0, work / 4
            if (out := held.hit(work, target)) is not None:
                self.leave_out(out)
            if held.conflicts:
                held.branch(self.best.cost, work)

    def leave_out(self, rows: Array) -> None:
        """Offer the hypothesis that gets all others right."""
        rest = np.setdiff1d(self.rows.train, rows).astype(np.uint32)
        answer = decide(self.primal, self.rows._replace(train=rest)) if len(rest) else None
        if isinstance(answer, Separator):
            self.offer(answer.w)

    # -- from all sides ----------------------------------------------------------------------------

    def turns(self) -> float:
        """The rows that an enumeration would turn around."""
        n, r = len(self.rows.train), self.search.chart.size
        framed = self.search.chart.basis.ndim == 2
        return math.comb(n, max(r - 2, 0)) * n if framed else math.inf

    def enumerate(self) -> None:
        """Look at all hyperplanes; what they cannot improve is the fewest."""
        train = self.rows.train
        y, cost = pick(self.rows.y, train), pick(self.rows.cost, train)
        small = 1 if np.count_nonzero(y == 1) <= len(y) / 2 else -1
        order = np.argsort(y != small, kind="stable")
        Z = (take(self.primal, train) * y[:, None])[order]
        first = int(np.count_nonzero(y == small)) if self.primal.bias else 0
        Z = Z if self.primal.bias else Z[:, :-1]
        whole, grain = whole_costs(cost)
        bound = float(whole[np.isin(train, self.best.wrong)].sum())
        with suppress(Inconclusive):
            cell = fewest_by_cells(Z, whole[order], bound, first, self.jobs)
            if cell is not None:
                self.realize(train[order[cell.right]], float(cell.mistakes), whole)
            self.enumerated = True
            least = Fraction(bound if cell is None else cell.mistakes) * Fraction(grain)
            self.by_cells = min(least_total(least, cost), self.best.cost)

    def realize(self, right: Array, mistakes: float, whole: Array) -> None:
        """A hypothesis of a cell: it gets these rows right; what is on it goes to some side.

        Where all rows have opposites, all hypotheses that meet none of them err alike.
        """
        train = self.rows.train
        if not len(right):
            right = train[take(self.primal, train).any(axis=1)][:1]
        for _ in range(len(train)):
            answer = decide(self.primal, self.rows._replace(train=np.sort(right)))
            if not isinstance(answer, Separator):
                break
            self.offer(answer.w)
            wrong = wrong_rows(self.primal, answer.w, self.rows).astype(np.uint32)
            if whole[np.isin(train, wrong)].sum() <= mistakes:
                return
            on = wrong[margins(self.primal, answer.w[None], self.rows, wrong) == 0]
            right = np.append(right, np.setdiff1d(on, right)[:1]).astype(np.uint32)
        raise Inconclusive


def count_both(counting: Counting, effort: float) -> None:
    """Close the bracket as far as the effort allows."""
    work, answer = WORK * effort, decide(counting.primal, counting.rows, bounded=True)
    if isinstance(answer, Separator) and answer.ratios is None:
        return counting.offer(answer.w)
    if isinstance(answer, Conflict):
        counting.inseparable = Fraction(float(counting.rows.cost[answer.rows].min()))
    if not counting.search.chart.size:  # all rows are zero, and always wrong
        counting.enumerated, counting.by_cells = True, counting.best.cost
        return None
    counting.begin()
    turns = counting.turns()
    if turns <= TURNS * effort:
        counting.anneal(min(QUICK * work, 30 * turns))
        counting.enumerate()
    for share, begin in ((QUICK, 0.0), (1 - QUICK, 2 * QUICK)):
        for k, side in enumerate((counting.anneal, counting.bound)):
            half = (1 - begin) / 2 if begin else QUICK
            counting.stage = begin + k * half, begin + (k + 1) * half
            if not counting.closed:
                side(share * work * (1.0, MORE)[k])
    return None


# -- A short search --------------------------------------------------------------------------------


@np.errstate(over="ignore", invalid="ignore")
def glance(primal: Primal, rows: Rows, w: Array) -> list[Array]:
    """Better hypotheses than one that is known, as a short search finds them, if it does.

    Few cold lines, from the best of the first hypotheses; where rows are many, on a sample, so that
    where the search began may be better on all rows than where it ends.
    """
    if used := narrowed(primal):
        return [used.widen(each) for each in glance(used.primal, rows, w[used.places])]
    train = rows.train
    some = rows._replace(train=train[:: max(1, len(train) // GLANCED)])
    few = some.train[:: max(1, len(some.train) // CHARTED)]
    search = Search(primal, some, make_chart(primal, few))
    if not search.chart.size:
        return []
    first = starts(search._replace(rows=rows))
    begin = min([search.chart.coordinates(w), *first], key=search.mistakes)
    cold, lines = COLD * float(search.cost.mean()), few_lines(len(train))
    with seeded([0]) as (rng,):
        walk = Walk(search.at_hand(), rng, begin)
        walk.cool(lines, (cold, cold), lambda least: least == 0)
    return [search.chart.weights(u) for u in (walk.best, begin)]
