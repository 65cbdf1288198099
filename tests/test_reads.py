"""How often rows are read: the figures of docs/speed.md."""

import inspect
import tracemalloc

import numpy as np
import pytest
from numba.core.dispatcher import Dispatcher
from reads import LOOPS, counted

from rosenblatt import Perceptron, certify, datasets, verify
from rosenblatt.core import row_loops


def scans(X, work, runs=1):
    """How often all rows are read, if hardly any row is read beside in each run."""
    with counted(X) as reads:
        work()
    times, beside = reads.scans
    assert beside < 0.5 * runs
    return times


def test_every_compiled_loop_over_stored_rows_is_counted():
    loops = {
        name
        for name, loop in vars(row_loops).items()
        if isinstance(loop, Dispatcher)
        and loop.py_func.__module__ == row_loops.__name__
        and "storage" in inspect.signature(loop.py_func).parameters
    }
    assert loops == set(LOOPS)


@pytest.mark.parametrize(("margin", "looks"), [(0.1, 1), (0.001, 2)])
def test_many_separable_rows(margin, looks):
    X, y = datasets.clouds(200_000, 10, margin=margin)
    model = Perceptron()
    assert scans(X, lambda: model.fit(X, y)) == 1 + looks
    assert scans(X, lambda: certify(X, y)) == 2 + looks
    assert scans(X, lambda: model.predict(X)) == 1
    assert scans(X, lambda: model.score(X, y)) == 1
    certificate = certify(X, y)
    assert scans(X, lambda: verify(certificate, X, y)) == 1


@pytest.mark.parametrize("multi_class", ["direct", "ovr"])
def test_many_separable_rows_of_several_classes(multi_class):
    rng = np.random.default_rng(0)
    y = rng.integers(4, size=200_000)
    X = 20 * np.eye(4, 10)[y] + rng.standard_normal((len(y), 10))
    model = Perceptron(multi_class=multi_class)
    assert scans(X, lambda: model.fit(X, y), runs=4) == 2
    assert model.score(X, y) == 1
    assert scans(X, lambda: model.predict(X)) == 1
    assert scans(X, lambda: model.score(X, y)) == 1


@pytest.mark.slow
def test_fit_and_certify_add_a_fifth_to_the_rows_at_most():
    X, y = datasets.clouds(400_000, 30, margin=0.02)
    for work in (Perceptron().fit, certify):
        work(X[:70_000], y[:70_000])  # what is loaded and compiled first is not counted
        tracemalloc.start()
        work(X, y)
        added = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert added < X.nbytes / 5
