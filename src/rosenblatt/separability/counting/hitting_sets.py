"""Conflicts, collected until they bound the fewest mistakes: implicit hitting sets.

The rows that a hypothesis gets wrong hit every conflict. Rows the incumbent gets right are
separable, so a conflict among them and one row it gets wrong holds that row: first, one for each
such row, among rows that no conflict has yet. Then the linear program puts a price on every row;
rows of low price are put to `decide`, and a conflict among them whose rows cost less than 1
together raises the bound (Pfetsch 2008, Branch-and-cut for the maximum feasible subsystem problem;
Moreno-Centeno and Karp 2013, The implicit hitting set approach).
"""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction

import numpy as np

from rosenblatt.core.loop import Array, Dense, Primal, Rows
from rosenblatt.core.vectors import matrix, pick
from rosenblatt.separability.answers import Conflict
from rosenblatt.separability.counting.packing import (
    EMPTY_PACKING,
    Brancher,
    Tree,
    hitting_set,
    incidence,
    price,
    proved_by,
    rounded_up,
    unit_of,
)
from rosenblatt.separability.decide import decide
from rosenblatt.separability.feature_spaces import row_keys

PER_CALL, PER_NUMBER, PER_CUBE = 1e7, 50.0, 200.0  # the work of deciding n rows of d numbers:
# of a call, of each of the n d numbers, and of d³, in products of two numbers
PER_ENTRY = 1e4  # the work of a linear program for each entry of its matrix
PER_PROGRAM, PER_PAIR = 2e8, 100.0  # of a mixed-integer one, and for each pair of entries
ROWS_AT_ONCE = 2**15  # rows put to `decide` with one that is wrong, where there are more
MEMORY = 0.7  # how much of the last prices stays in the smoothed ones
CHEAP = 1e-3  # the price of a row that may be free
LEAVES = 300  # the largest tree
RISES = 64  # the most times that a bound is raised by one: units of decimal weights are tiny


class Collection:
    """Conflicts of rows and the bound that they prove; a mistake costs what `rows.cost` says."""

    def __init__(self, p: Primal, rows: Rows) -> None:
        self.primal, self.rows, self.unit = p, rows, unit_of(pick(rows.cost, rows.train))
        self.width = p.X.shape[1] if isinstance(p, Dense) else min(p.n_features, len(p.indptr))
        self.conflicts, self._packed = list[Conflict](), set[int]()
        self.tree: Tree = EMPTY_PACKING
        self.at_least, self.spent = Fraction(0), 0.0

    def ask(self, train: Array, hint: Array) -> Conflict | None:
        """A conflict among rows, if one is found; the hint is rows that are likely to be in it."""
        train = np.sort(train).astype(np.uint32)
        self.spent += PER_CALL + PER_NUMBER * len(train) * self.width + PER_CUBE * self.width**3
        if not len(train):
            return None
        erred = hint if len(hint) else None
        answer = decide(self.primal, self.rows._replace(train=train), erred)
        return answer if isinstance(answer, Conflict) else None

    def disjoint(self, wrong: Array, work: float) -> None:
        """A conflict for each row that the incumbent gets wrong, among rows not used yet."""
        train = self.rows.train
        if not self.conflicts:
            self.conflicts += contradictions(self.primal, self.rows)
            self._packed |= {i for conflict in self.conflicts for i in conflict.rows.tolist()}
        free = ~np.isin(train, wrong)
        for conflict in self.conflicts:
            free[np.searchsorted(train, conflict.rows)] = False
        for i in wrong.tolist():
            if self.spent <= work and i not in self._packed:
                self._pack_one(i, free)

    def _pack_one(self, i: int, free: Array) -> None:
        """A conflict of row i and free rows, which are then used; where many are, some of them."""
        train = self.rows.train
        some = train[free]
        some = some[:: max(1, len(some) // ROWS_AT_ONCE)]
        if found := self.ask(np.append(some, i), np.array([i])):
            self.conflicts.append(found)
            free[np.searchsorted(train, found.rows)] = False
            self._packed.add(i)

    # -- the linear program ------------------------------------------------------------------------

    def bound(self) -> Array:
        """Take the best packing of all conflicts, if it proves more; the prices of rows."""
        n = len(self.rows.y)
        if not self.conflicts:
            return np.zeros(n)
        A = incidence([c.rows for c in self.conflicts], n)
        self.spent += PER_ENTRY * A.nnz
        packing, prices = price(A, self.rows.cost)
        total = rounded_up(packing.total, self.unit)
        if total > self.at_least or (total == self.at_least and self.tree is EMPTY_PACKING):
            self.tree, self.at_least = packing, total
        return prices

    def widen(self, wrong: Array, work: float, target: Callable[[], Fraction]) -> None:
        """Look for conflicts of low price until there are none, or the work is done."""
        limits = self.limits()
        limit, prices = next(limits), self.bound()
        smooth = prices
        while self.spent < work and self.at_least < target():
            if not self.cheap(prices, smooth <= limit, wrong, work):
                limit = next(limits, -1.0)
                if limit < 0:
                    return
            prices = self.bound()
            smooth = MEMORY * smooth + (1 - MEMORY) * prices

    def limits(self) -> Iterator[float]:
        """Prices up to which a row is put to `decide`."""
        yield CHEAP
        size = max(len(c.rows) for c in self.conflicts) if self.conflicts else 2
        yield from np.linspace(0.5 / size, 0.4, 8).tolist()

    def cheap(self, prices: Array, low: Array, wrong: Array, work: float) -> int:
        """Conflicts among rows of low price, disjoint, that cost less than 1 each; how many."""
        train, made = self.rows.train, 0
        free, hints = pick(low, train).copy(), np.isin(train, wrong)
        while self.spent < work and (found := self.ask(train[free], train[free & hints])):
            places = np.searchsorted(train, found.rows)
            dear = prices[found.rows]
            if dear.sum() < 1 - 1e-6:
                self.conflicts.append(found)
                made += 1
                free[places] = False
            else:
                free[places[np.argmax(dear)]] = False
        return made

    # -- branching ---------------------------------------------------------------------------------

    def hit(self, work: float, target: Callable[[], Fraction]) -> Array | None:
        """Take in what the cheapest hitting sets miss, until they cost as much as the target.

        If one misses nothing, what it leaves is separable: the rows of that set, which are best.
        """
        while self.conflicts and self.spent < work:
            A = incidence([c.rows for c in self.conflicts], len(self.rows.y))
            self.spent += PER_PROGRAM + PER_PAIR * A.nnz**2
            out = hitting_set(A, self.rows.cost) if self.spent <= work else None
            if out is None or self.rows.cost[out].sum() >= float(target()) * (1 - 1e-9):
                return None
            if not self.missed(out, work):
                return out
        return None

    def missed(self, out: Array, work: float) -> int:
        """Conflicts among the rows that are not out, each of which then loses a row; how many."""
        made, often = 0, np.zeros(len(self.rows.y))
        for conflict in self.conflicts:
            often[conflict.rows] += 1
        train = self.rows.train
        while self.spent < work and (found := self.ask(np.setdiff1d(train, out), train[:0])):
            self.conflicts.append(found)
            made += 1
            out = np.append(out, found.rows[np.argmax(often[found.rows])])
        return made

    def branch(self, most: Fraction, work: float) -> None:
        """Raise the bound by trees of packings, as far as small ones go."""
        A = incidence([c.rows for c in self.conflicts], len(self.rows.y))
        leaves = int(min(LEAVES, work / (PER_ENTRY * A.nnz)))
        step = rounded_up(max(self.unit, (most - self.at_least) / RISES), self.unit)
        while self.at_least < most:
            target = self.at_least + step
            brancher = Brancher(A, self.rows.cost, self.unit, target, leaves)
            tree = brancher.grow(frozenset(), frozenset())
            if tree is None:
                return
            proved = proved_by(tree, self.rows.cost)
            self.tree, self.at_least = tree, rounded_up(proved, self.unit)


# -- Contradictions --------------------------------------------------------------------------------


def contradictions(primal: Primal, rows: Rows) -> list[Conflict]:
    """Pairs of equal rows with different labels, each row in one of them at most."""
    sides: dict[bytes, tuple[list[int], list[int]]] = {}
    for i, key in zip(rows.train.tolist(), keys(primal, rows.train), strict=True):
        sides.setdefault(key, ([], []))[int(rows.y[i] > 0)].append(i)
    both = [pair for pair in sides.values() if pair[0] and pair[1]]
    half = [Fraction(1, 2)] * 2
    return [Conflict(np.array(pair), half) for a, b in both for pair in zip(a, b, strict=False)]


def keys(primal: Primal, train: Array) -> Iterable[bytes]:
    """The same bytes for rows of the same numbers; of dense rows, nothing more than these."""
    if isinstance(primal, Dense):
        return (row.tobytes() for row in primal.X[train] + 0.0)
    return row_keys(matrix(primal)[train])
