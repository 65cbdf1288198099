"""A verdict with proof against one full linear program.

For each table: `certify`, hash and proof included, against SciPy's HiGHS (the faster of dual
simplex and interior point) asked for a separating hyperplane of all rows. Both answer before a
time counts, warm-up is outside the clock, and the best of three is taken.
"""

import time

import numpy as np
from rich.console import Console
from rich.table import Table
from scipy.optimize import linprog

from rosenblatt import certify, datasets

TABLES = [
    (20_000, 50, 0.02, 0),
    (20_000, 50, 0.02, 10),
    (200_000, 20, 0.02, 0),
    (200_000, 20, 0.02, 10),
]


def best(function, times):
    """The result and the shortest time of several calls."""
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        result = function()
        taken.append(time.perf_counter() - start)
    return result, min(taken)


def linear_program(X, y, method):
    """Whether some (w, b) has y (w·x + b) >= 1 for all rows."""
    Z = np.column_stack((X, np.ones(len(y)))) * y[:, None]
    answer = linprog(np.zeros(Z.shape[1]), -Z, -np.ones(len(Z)), bounds=(None, None), method=method)
    return answer.status == 0


def main():
    table = Table(
        "n", "d", "flipped", "verdict", "ours", "HiGHS", "ratio", title="verdict with proof"
    )
    certify(*datasets.clouds(1000, 5, 0.1))
    for n, d, margin, flip in TABLES:
        X, y = datasets.clouds(n, d, margin, flip=flip)
        certificate, ours = best(lambda X=X, y=y: certify(X, y), 3)
        peers = [
            best(lambda m=m, X=X, y=y: linear_program(X, y, m), 1)
            for m in ("highs-ds", "highs-ipm")
        ]
        feasible, theirs = min(peers, key=lambda peer: peer[1])
        assert feasible == (certificate.verdict == "separable")
        table.add_row(
            *map(str, (n, d, flip, certificate.verdict)),
            f"{ours:.3f} s",
            f"{theirs:.2f} s",
            f"{theirs / ours:.0f}×",
        )
    Console().print(table)


if __name__ == "__main__":
    main()
