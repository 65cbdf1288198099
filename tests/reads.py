"""How often the rows of a table are read.

Every way from an array to its numbers is wrapped: the compiled loops, rows that are taken out, sums
and hashes. Copies of rows are not counted again: they are few, and no longer the table.
"""

from contextlib import ExitStack, contextmanager
from unittest.mock import patch

import numpy as np

from rosenblatt.core import row_loops, training, vectors
from rosenblatt.core.loop import Dense
from rosenblatt.inputs import matrix
from rosenblatt.separability.fingerprint import Fingerprint

LOOPS = {  # which rows a compiled loop reads, from its arguments and its result
    "judge_all": lambda args, _: args[3],
    "score_all": lambda args, _: slice(args[2], args[2] + len(args[3])),
    "measure": lambda args, _: slice(args[1], args[1] + len(args[2])),
    "replay": lambda args, _: args[3],
}
TAKEN = {vectors.take: lambda args, _: args[1], vectors.scores: lambda args, _: args[2]}


class Reads:
    """How often each row of X was read, in memory or by the hash."""

    def __init__(self, X):
        self.X, self.times = X, np.zeros(len(X))

    def count(self, values, i):
        """Count the rows i of an array, if it is the table or a view of some of its rows."""
        if np.shares_memory(values, self.X):
            first = (values.ctypes.data - self.X.ctypes.data) // self.X.strides[0]
            np.add.at(self.times, np.arange(len(values))[i] + first, 1)

    def wrap(self, function, rows):
        """The same function of a storage, which counts."""

        def counting(*args):
            found = function(*args)
            if isinstance(args[0], Dense):
                self.count(args[0].X, rows(args, found))
            return found

        return counting

    @property
    def scans(self):
        """How often most rows were read, and how many reads of some rows there were beside."""
        scans = float(np.median(self.times))
        return scans, float(self.times.mean()) - scans


@contextmanager
def counted(X):
    """Count the reads of X."""
    reads = Reads(X)
    update, finite = Fingerprint.update, matrix.is_finite

    def hashing(digest, rows):
        reads.count(rows, slice(None))
        return update(digest, rows)

    def adding(rows):
        reads.count(rows, slice(None))
        return finite(rows)

    swept = reads.wrap(training.sweep, lambda args, made: args[5][: made[0]])
    with ExitStack() as stack:
        for name, rows in LOOPS.items():
            stack.enter_context(
                patch.object(vectors, name, reads.wrap(getattr(row_loops, name), rows))
            )
        stack.enter_context(patch.object(training, "sweep", swept))
        stack.enter_context(patch.object(matrix, "is_finite", adding))
        stack.enter_context(patch.object(Fingerprint, "update", hashing))
        for generic, rows in TAKEN.items():
            original = generic.dispatch(Dense)
            generic.register(Dense, reads.wrap(original, rows))
            stack.callback(generic.register, Dense, original)
        yield reads
