"""Memory that is used again: whoever still reads it after it was given back is found at once."""

import numpy as np
import pytest
from specimens import quietly

from rosenblatt import KernelPerceptron, Perceptron, datasets, fit_blocks
from rosenblatt.core import training

KNOWN = ("coef_", "intercept_", "mistakes_", "n_updates_", "dual_coef_", "converged_")


@pytest.fixture
def spoiled(monkeypatch):
    """The arrays of the log are filled with nonsense as soon as they have been folded."""
    take_in = training.take_in

    def take_in_and_spoil(run, before, log, rows, plan):
        take_in(run, before, log, rows, plan)
        for column, junk in zip(log, (-(2**40), 2**31, np.nan, -(2**20)), strict=True):
            column[:] = junk
        before[:] = np.nan

    def spoil():
        monkeypatch.setattr(training, "take_in", take_in_and_spoil)

    return spoil


def assert_same(a, b):
    for name in KNOWN:
        if hasattr(a, name):
            np.testing.assert_array_equal(getattr(a, name), getattr(b, name), name)
    if hasattr(a, "log_"):
        for column in ("t", "i", "c"):
            np.testing.assert_array_equal(getattr(a.log_, column), getattr(b.log_, column))


def data():
    X, y = datasets.clouds(400, 5, margin=0, flip=20)
    return np.round(8 * X), y


@pytest.mark.parametrize("keep", ["last", "average", "best", "pocket", "vote"])
@pytest.mark.parametrize("form", ["primal", "dual"])
@pytest.mark.parametrize("batch_size", [1, 7])
def test_nobody_reads_the_log_after_it_was_folded(keep, form, batch_size, spoiled):
    params = {"keep": keep, "form": form, "batch_size": batch_size, "max_iter": 4, "record": True}
    whole = quietly(Perceptron(settle="never", **params), *data())
    spoiled()
    assert_same(whole, quietly(Perceptron(settle="never", **params), *data()))


@pytest.mark.parametrize("cache_size", [0.01, 100])
def test_nor_where_rows_of_the_gram_matrix_come_and_go(cache_size, spoiled):
    params = {"kernel": "rbf", "max_iter": 3, "cache_size": cache_size}
    whole = quietly(KernelPerceptron(**params), *data())
    spoiled()
    assert_same(whole, quietly(KernelPerceptron(**params), *data()))


def test_nor_over_blocks(spoiled):
    X, y = data()
    blocks = [(X[k : k + 50], y[k : k + 50]) for k in range(0, 400, 50)]
    params = {"settle": "never", "max_iter": 3, "record": True, "keep": "average"}
    whole = fit_blocks(Perceptron(**params), blocks)
    spoiled()
    assert_same(whole, fit_blocks(Perceptron(**params), blocks))
