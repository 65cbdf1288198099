"""A working set of rows in an orthonormal frame, consulted for its nearest point.

Of many rows, a look at all of them costs more than a consultation. So what was found is checked on
some of them first, evenly spread, and only if it gets these right on all. The rows nearest to it
then join those checked first: one or two looks at all rows are the rule.
"""

import numpy as np
from scipy.linalg import orth

from rosenblatt.core.loop import Array, Primal, Rows
from rosenblatt.core.orders import nearest
from rosenblatt.core.vectors import take
from rosenblatt.separability.answers import Answer, Conflict, Separator, check
from rosenblatt.separability.convex_hull.nearest_point import VANISHED, Nearest, nearest_point
from rosenblatt.separability.exact import modular, rational
from rosenblatt.separability.exact.certainty import n_weights
from rosenblatt.separability.exact.simplex import SignedRows
from rosenblatt.separability.floating_point.minimal_face import NOTHING, heaviest, minimal_face
from rosenblatt.separability.floating_point.orthonormal_basis import frame

ROUNDS = 50  # consultations
LOST = 1e4  # the factor by which rounding errors may grow in a frame
MANY = 4  # times as many rows as are checked first, from which on not all are
CHECKED_FIRST = 2**14, 2**8  # rows, at least, and for each column
NEAREST = 2**12  # rows that join those checked first
FACES, NEARLY_VANISHED = 4, 1e-6  # faces of faces, while the point is that short
POWERS = 1.0, 0.5  # of its length, below which a weight may be nothing
JOINING = 4  # times as many rows join a working set after a look at all rows


def checked_first(rows: Rows, d: int) -> Rows:
    """Some of the rows, evenly spread, if they are many; else all of them."""
    least, each = CHECKED_FIRST
    k = max(least, each * d)
    return rows._replace(train=sample(rows.train, k)) if len(rows.train) >= MANY * k else rows


def sample(train: Array, k: int) -> Array:
    """About k of the rows, evenly spread."""
    return train[:: max(1, len(train) // k)][:k]


def common_frame(primal: Primal, rows: Rows, working: Array) -> Array | None:
    """A frame of the working set, if that spans all dimensions; else of all rows."""
    basis, d = frame(primal, working), n_weights(primal)
    if basis is None or basis.shape[1] < min(d - (primal.bias == 0), len(rows.train)):
        return frame(primal, rows.train)
    return basis


class WorkingSet:
    """A working set of rows z = y x̂, in the frame; `some` of all rows are checked first."""

    def __init__(self, primal: Primal, rows: Rows, basis: Array, some: Rows) -> None:
        self.primal, self.rows, self.basis, self.some = primal, rows, basis, some
        self.members = np.empty(0, np.uint32)  # which rows
        self.Z = np.empty((0, basis.shape[1]))  # in the frame, of length 1
        self.sizes = np.empty(0)  # their lengths there
        self.lost = 1.0  # the factor by which rounding errors have grown
        self.nearest: Nearest | None = None  # what the last consultation has found

    def admit(self, i: Array) -> None:
        """Take rows into the working set, if they are not there yet."""
        i = np.setdiff1d(i, self.members).astype(np.uint32)
        X = take(self.primal, i) * self.rows.y[i, None]
        Z, sizes = unit(X @ self.basis)
        terms = np.abs(X) @ np.abs(self.basis)
        self.lost = max(self.lost, float((terms / sizes[:, None]).max(initial=1.0)))
        self.members = np.append(self.members, i)
        self.Z, self.sizes = np.vstack((self.Z, Z)), np.append(self.sizes, sizes)

    def approach(self, working: Array) -> Answer | None:
        """Consult again and again, as long as that brings rows into the working set."""
        self.admit(working)
        for _ in range(ROUNDS):
            before = len(self.members)
            if (answer := self.nearest_point_step()) or len(self.members) == before:
                return answer
        return None

    def nearest_point_step(self) -> Answer | None:
        """Ask for the shortest convex combination of the working set."""
        self.nearest = found = nearest_point(self.Z, gap=0.1, known=self.nearest)
        if found.x @ found.x > VANISHED**2:
            return self.look(self.basis @ found.x, max(64, 2 * len(found.x)))
        return self.exact(found.corral, found.weights)

    def exact(self, i: Array, weights: Array) -> Conflict | None:
        """The conflict of members that floating point sees, if it is one."""
        rows = self.members[i]
        Z = take(self.primal, rows) * self.rows.y[rows, None]
        proof = rational.exact_conflict(Z, (weights / self.sizes[i]).tolist())
        return None if proof is None else Conflict(rows, proof, self.basis)

    def conflict_in_face(self) -> Conflict | None:
        """A conflict of the members on a face, where that of all has not quite vanished.

        Beside rows that a weak separator gets right by very little, weights of almost nothing keep
        the walk from its end. Without these rows, in the span of the others, it has one.
        """
        tried = (self.conflict_of_heaviest(power) for power in POWERS)
        return next((found for found in tried if found), None)

    def conflict_of_heaviest(self, power: float) -> Conflict | None:
        """The conflict in the face of the heaviest rows, or in the face of a face."""
        inside, T, near = np.arange(len(self.Z)), self.Z, self.nearest
        for _ in range(FACES):
            if near is None or near.x @ near.x > NEARLY_VANISHED**2:
                break
            face = minimal_face(T, heaviest(near, power), power)
            stay = np.setdiff1d(np.arange(len(T)), face.others)
            T, inside = T[stay] @ orth(T[face.rows].T, rcond=NOTHING), inside[stay]
            near = nearest_point(T, gap=0.1)
            vanished = near.x @ near.x <= VANISHED**2
            if vanished and (found := self.exact(inside[near.corral], near.weights)):
                return found
        return None

    def look(self, w: Array, most: int) -> Separator | None:
        """w, if it gets all rows right; if not, about so many of the worst rows join."""
        some = check(self.primal, w, self.some)
        if self.some is self.rows or some.answer is None:
            self.admit(some.doubts[:most])
            return some.answer
        every = check(self.primal, w, self.rows)
        if every.answer is None:
            near = nearest(every.margins, NEAREST)
            worst = near[np.argsort(every.margins[near], kind="stable")]
            self.admit(self.rows.train[worst[: JOINING * most]])
            self.admit(every.doubts[:most])
            joined = np.union1d(self.some.train, self.rows.train[near]).astype(np.uint32)
            self.some = self.some._replace(train=joined)
        return every.answer

    def is_faithful(self, table: SignedRows) -> bool:
        """Whether the frame keeps most digits of the rows, and all directions."""
        few = sample(self.members, 4 * self.basis.shape[1])
        return self.lost < LOST and modular.rank_modulo(table.floats(few)) == self.basis.shape[1]


def unit(Z: Array) -> tuple[Array, Array]:
    """Rows of length 1, and the lengths they had."""
    sizes = np.linalg.norm(Z, axis=1)
    sizes[sizes == 0] = 1.0
    return Z / sizes[:, None], sizes
