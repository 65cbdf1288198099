"""What one call costs, in reads: a read is a bare compiled sum over X on one core, in the same run.

python benchmarks/reads.py           # large separable tables, and small ones beside scikit-learn
"""

import time
import warnings
from functools import partial

import numpy as np
from numba import njit
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Perceptron as Peer

from rosenblatt import Perceptron, certify, datasets, verify
from rosenblatt.core import threads
from rosenblatt.core.vectors import lengths2, store, values
from rosenblatt.separability.fingerprint import form_of, hash_of

LARGE = [(1_000_000, 30, 0.02), (1_000_000, 30, 0.05), (200_000, 50, 0.05), (200_000, 50, 0.1)]


@njit(nogil=True, fastmath=True)
def bare_read(numbers):
    """The sum of all numbers."""
    total = 0.0
    for i in range(len(numbers)):
        total += numbers[i]
    return total


def costs(calls, rounds):
    """The least time, and the least processor time of all threads, of each call, taken in turn."""
    taken = np.full((rounds + 1, len(calls), 2), np.inf)
    for turn in range(rounds + 1):
        for k, call in enumerate(calls):
            start = time.perf_counter(), time.process_time()
            call()
            taken[turn, k] = time.perf_counter() - start[0], time.process_time() - start[1]
    return taken[1:].min(axis=0)


def large(rounds=7):
    """Calls on large separable tables, in reads: of the clock, and of the processor."""
    for n, d, margin in LARGE:
        X, y = datasets.clouds(n, d, margin)
        numbers, model, certificate = X.ravel(), Perceptron().fit(X, y), certify(X, y)
        calls = {
            "read": lambda numbers=numbers: bare_read(numbers),
            "fit": lambda X=X, y=y: Perceptron().fit(X, y),
            "certify": lambda X=X, y=y: certify(X, y),
            "hash": lambda X=X, y=y: hash_of([(X, (y > 0) * 1)], ["-1", "1"], form_of(X, X.shape)),
            "predict": lambda X=X, model=model: model.predict(X),
            "score": lambda X=X, y=y, model=model: model.score(X, y),
            "verify": lambda X=X, y=y, c=certificate: verify(c, X, y),
        }
        found = costs(list(calls.values()), rounds)
        told = [f"{k} {a:.1f} ({b:.1f})" for k, (a, b) in zip(calls, found / found[0], strict=True)]
        print(
            f"{n:,} × {d}, margin {margin}: read {1e3 * found[0, 0]:.1f} ms;", ", ".join(told[1:])
        )


def one_core_and_all(rounds=15):
    """A look at all rows on one core, over one on all cores; both give the same numbers."""
    cores = threads.CORES
    for n, d, _ in LARGE[::2]:
        X, w = datasets.clouds(n, d, 0.0)[0], np.ones(d + 1)
        primal = store(X, 1.0)
        looks = {
            "scores": lambda primal=primal, w=w, n=n: values(primal, w, n),
            "lengths": lambda primal=primal, n=n: lengths2(primal, n),
        }
        for name, look in looks.items():
            alone, together = costs([partial(on, k, look) for k in (1, cores)], rounds)[:, 0]
            assert np.array_equal(on(1, look), on(cores, look))
            print(f"{n:,} × {d}, {name}: {alone / together:.2f} on {cores} cores")
    threads.CORES = cores


def on(cores, look):
    """A look on so many cores."""
    threads.CORES = cores
    return look()


def small(times=20, rounds=15):
    """Fits of iris beside scikit-learn's, both at their defaults: processor times."""
    X, y = load_iris(return_X_y=True)
    tables = {
        "two classes, separable": (X[:100], y[:100]),
        "two classes, inseparable": (X[50:], y[50:]),
        "three classes, inseparable": (X, y),
    }
    for name, (A, b) in tables.items():
        calls = [
            lambda kind=kind, A=A, b=b: [kind().fit(A, b) for _ in range(times)]
            for kind in (Perceptron, Peer)
        ]
        ours, theirs = 1e3 * costs(calls, rounds)[:, 1] / times
        print(f"{name}: {ours:.2f} ms, scikit-learn's {theirs:.2f} ms: {ours / theirs:.1f}")


if __name__ == "__main__":
    warnings.simplefilter("ignore", ConvergenceWarning)
    large()
    one_core_and_all()
    small()
