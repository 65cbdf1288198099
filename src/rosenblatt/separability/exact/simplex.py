"""The dual simplex method in exact arithmetic, which decides what floating point cannot.

Rows z = y x̂, of rank r and length 1. Let B be r independent rows, and let w have the product 1
with each of them: a vertex of the program

    minimize c·w  subject to  z·w >= 1 for all rows,    c = Σ μ_i z_i over B, with μ > 0.

If z·w > 0 for all rows, w separates them. Otherwise some row has z_j·w <= 0, and z_j = Σ a_i z_i.
If no a_i is positive, z_j + Σ |a_i| z_i = 0 is a conflict. Otherwise z_j takes the place of that
row of B whose μ_i / a_i is the smallest; c stays the same, its weights stay positive, and c·w
rises. So no B returns, and the end is one or the other (Lemke 1954, The dual method of solving the
linear programming problem). Any B will do to begin with, since c is made from it: a good guess of
the last one, from floating point, saves nearly all steps.

Some rows of B may be *fixed*: w vanishes on them, they stay, and their a_i may have any sign. This
looks for a hypothesis that separates the other rows among those that vanish on these.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from rosenblatt.core.loop import Array, Primal, Rows
from rosenblatt.separability.exact import certainty
from rosenblatt.separability.exact.certainty import entries, n_weights, used_columns
from rosenblatt.separability.exact.modular import independent
from rosenblatt.separability.exact.rational import Integers, product, solve, whole_rows

MOST_NEW = 256  # rows taken in after a look at all


class SignedRows(NamedTuple):
    """Rows z = y x̂ in some columns; in others, no row has numbers."""

    primal: Primal
    rows: Rows
    columns: Array
    width: int  # the number of all columns

    @classmethod
    def of(cls, primal: Primal, rows: Rows) -> "SignedRows":
        """All rows; where they are fewer than the columns, in those that they use."""
        d = n_weights(primal)
        wide = len(rows.train) < d
        return cls(primal, rows, used_columns(primal, rows.train) if wide else np.arange(d), d)

    def floats(self, i: Array) -> Array:
        """Rows as they are."""
        return entries(self.primal, i, self.columns) * self.rows.y[i, None]

    def whole(self, i: Array) -> Integers:
        """Rows as whole numbers, each times a positive factor."""
        return whole_rows(self.floats(i))[0]

    def weights(self, columns: Sequence[int], values: Integers) -> list[Fraction]:
        """A hypothesis that has given values in some columns, times a factor."""
        top = 2 ** max(abs(x).bit_length() for (x,) in values)
        w = [Fraction(0)] * self.width
        for j, (x,) in zip(self.columns[list(columns)].tolist(), values, strict=True):
            w[j] = Fraction(x, top)
        return w

    def wrong(self, w: Sequence[Fraction], among: Array) -> Array:
        """Those of the rows that a hypothesis does not get right, the worst first."""
        return certainty.doubtful(self.primal, w, self.rows._replace(train=np.unique(among)))


class Separated(NamedTuple):
    """A hypothesis that gets all rows right, the fixed ones aside."""

    w: list[Fraction]


class Circuit(NamedTuple):
    """Rows in conflict, of which no fewer are; fixed ones may have weights of any sign."""

    rows: Array
    weights: list[Fraction]


@dataclass
class Vertex:
    """The rows B, the fixed ones first; columns on which they are independent; and c."""

    table: SignedRows
    basis: list[int]
    Z: Integers
    columns: list[int]
    c: list[int]
    fixed: int

    @classmethod
    def of(cls, table: SignedRows, order: Array, fixed: int) -> "Vertex":
        """The vertex of the first independent rows in a given order; so many are fixed."""
        minor = independent(table.floats(order))
        basis = order[minor.rows]
        Z = table.whole(basis)
        mu = np.random.RandomState(0).randint(2**20, 2**21, len(Z)).tolist()
        return cls(table, basis.tolist(), Z, minor.columns, product([mu], Z)[0], fixed)

    def square(self) -> Integers:
        """The rows on the columns on which they are independent."""
        return [[z[j] for j in self.columns] for z in self.Z]

    def hypothesis(self) -> list[Fraction]:
        """w, times a positive factor; its products with B are the lengths of the rows."""
        wanted = [[max(map(abs, z)) * (k >= self.fixed)] for k, z in enumerate(self.Z)]
        return self.table.weights(self.columns, solve(self.square(), wanted)[0])

    def enter(self, j: int) -> Circuit | None:
        """Take in a row that w does not get right; the conflict, if it makes one."""
        z = self.table.whole(np.array([j]))[0]
        columns = [list(column) for column in zip(*self.square(), strict=True)]
        both, below = solve(columns, [[z[k], self.c[k]] for k in self.columns])
        a = [x for x, _ in both]
        if new := self.beyond(z, a, below):
            self.grow(j, z, new)
            return None
        steps = [(Fraction(m, x), k) for k, (x, m) in enumerate(both) if x > 0 and k >= self.fixed]
        if not steps:
            return self.circuit(j, a, below)
        out = min(steps)[1]
        self.basis[out], self.Z[out] = j, z
        return None

    def circuit(self, j: int, a: list[int], below: int) -> Circuit:
        """The conflict of row j with those of which it is a combination."""
        kept = [k for k, x in enumerate(a) if x]
        rows = np.array([j, *(self.basis[k] for k in kept)])
        factors = whole_rows(self.table.floats(rows))[1]
        weights = [below, *(-a[k] for k in kept)]
        return Circuit(rows, [w * f for w, f in zip(weights, factors, strict=True)])

    def beyond(self, z: list[int], a: list[int], below: int) -> list[int]:
        """The columns in which z is not the combination that it is on the chosen ones."""
        if len(self.columns) == len(z):
            return []
        sums = product([a], self.Z)[0]
        return [k for k, (x, s) in enumerate(zip(z, sums, strict=True)) if below * x != s]

    def grow(self, j: int, z: list[int], new: list[int]) -> None:
        """Take in a row that is independent of the others."""
        self.basis.append(j)
        self.Z.append(z)
        self.columns.append(new[0])
        self.c = [x + 2**20 * y for x, y in zip(self.c, z, strict=True)]


def settle(
    table: SignedRows, order: Array, most: int, fixed: int = 0
) -> Separated | Circuit | None:
    """Separate all rows, or find a conflict; None after so many steps.

    `order` are rows to begin with: the fixed ones, then those that floating point thinks decisive.
    """
    vertex, members = Vertex.of(table, order, fixed), order[fixed:]
    for _ in range(most):
        w = vertex.hypothesis()
        wrong = table.wrong(w, members)
        if not len(wrong):
            wrong = table.wrong(w, table.rows.train)
            members = np.append(members, wrong[:MOST_NEW])
        if not len(wrong):
            return Separated(w)
        if circuit := vertex.enter(int(wrong[0])):
            return circuit
    return None
