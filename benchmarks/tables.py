"""Are well-known tables linearly separable? And what do two perceptrons make of them?

python benchmarks/tables.py FILE [FILE:TARGET] ...

Every verdict is proved, and its certificate checked against the rows.
"""

import sys
import time
import warnings

import numpy as np
from scipy.sparse import csr_matrix, issparse
from sklearn.linear_model import Perceptron as Peer

from rosenblatt import Perceptron, certify, datasets, read, verify

HEAD = (
    *("table", "rows × features", "verdict", "rows in conflict", "decided in", "checked in"),
    *("training errors", "scikit-learn's"),
)


def main():
    certify(*datasets.xor())  # compiles
    print("| " + " | ".join(HEAD) + " |\n" + "|---" * len(HEAD) + "|")
    for argument in sys.argv[1:]:
        path, _, target = argument.partition(":")
        table = read(path, **({"target": target} if target else {}))
        print("|", " | ".join(map(str, [path, *facts(table.X, table.y)])), "|", flush=True)


def facts(X, y):
    """What the table tells of some rows."""
    start = time.perf_counter()
    found = certify(X, y)
    decided = time.perf_counter()
    assert found.verdict == "undecided" or verify(found, X, y)
    checked = time.perf_counter()
    conflict = len(found.conflict.rows) if found.conflict else ""
    yield from (f"{X.shape[0]:,} × {X.shape[1]}", found.verdict, conflict)
    yield from (f"{decided - start:.2f} s", f"{checked - decided:.2f} s")
    for model in (Perceptron(), Peer()):
        with warnings.catch_warnings(action="ignore"):
            yield int((model.fit(narrow(X), y).predict(narrow(X)) != y).sum())


def narrow(X):
    """Sparse rows with the indices that scikit-learn takes."""
    if not issparse(X):
        return X
    copy = csr_matrix(X)
    copy.indices, copy.indptr = copy.indices.astype(np.int32), copy.indptr.astype(np.int32)
    return copy


if __name__ == "__main__":
    main()
