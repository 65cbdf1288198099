"""The log: a run is its list of mistakes."""

import numpy as np
import pytest
from hypothesis import given
from specimens import csr, plain, plans, tables

from rosenblatt import Log, Perceptron, datasets
from rosenblatt.core.log import births


@pytest.fixture
def textbook():
    return plain(*datasets.textbook(), shuffle=False, keep="last")


def test_li_hangs_example(textbook):
    log = textbook.log_
    assert log.i.tolist() == [0, 2, 2, 2, 0, 2, 2]
    assert log.t.tolist() == [0, 2, 5, 8, 9, 11, 14]
    assert log.c.tolist() == [1, -1, -1, -1, 1, -1, -1]
    assert (textbook.coef_.tolist(), textbook.intercept_.tolist()) == ([[1, 1]], [-3])
    assert log.counts(3).tolist() == [2, 0, 5]
    assert textbook.dual_coef_.tolist() == [2, 0, -5]


def test_li_hangs_table_of_hypotheses(textbook):
    X, _ = datasets.textbook()
    path = [[0, 0, 0], [3, 3, 1], [2, 2, 0], [1, 1, -1], [0, 0, -2]]
    path += [[3, 3, -1], [2, 2, -2], [1, 1, -3]]
    assert textbook.log_.path(X).tolist() == path
    assert textbook.log_.path(csr(X)).tolist() == path


def test_survival_adds_up_to_the_visits(textbook):
    assert textbook.log_.survival().tolist() == [0, 2, 3, 3, 1, 2, 3, 4]
    assert textbook.log_.survival().sum() == textbook.log_.seen == 18


def test_a_log_is_as_long_as_its_mistakes(textbook):
    assert isinstance(textbook.log_, Log)
    assert len(textbook.log_) == textbook.n_updates_ == textbook.mistakes_.sum() == 7


def test_births_are_the_last_moves_of_each_batch():
    assert births(np.array([0, 0, 3, 6, 6, 6])).tolist() == [1, 2, 5]
    assert births(np.array([], int)).tolist() == []


def test_rows_of_a_batch_give_one_hypothesis():
    X, y = datasets.textbook()
    log = plain(X, y, batch_size="all", max_iter=2).log_
    assert log.t[:3].tolist() == [0, 0, 0]
    assert log.path(X)[1].tolist() == [6, 5, 1]  # x0 + x1 - x2
    assert len(log.path(X)) == len(np.unique(log.t)) + 1 == len(log.survival())


@given(tables(), plans())
def test_the_path_ends_at_the_last_hypothesis(table, params):
    X, y = table
    model = plain(X, y, **params | {"keep": "last"})
    path = model.log_.path(X)
    assert path[-1].tolist() == [*model.coef_[0], *model.intercept_]
    assert model.log_.survival().sum() == model.log_.seen
    assert len(path) == len(model.log_.survival())


@given(tables(), plans())
def test_weights_are_the_sum_of_the_steps(table, params):
    X, y = table
    model = plain(X, y, **params | {"keep": "last"})
    np.testing.assert_array_equal(model.dual_coef_ @ X, model.coef_[0])
    np.testing.assert_array_equal(
        model.dual_coef_, np.bincount(model.log_.i, model.log_.c, minlength=len(X))
    )


@given(tables(classes=3), plans())
def test_the_direct_path_has_an_axis_for_the_class(table, params):
    X, y = table
    model = plain(X, y, multi_class="direct", **params | {"keep": "last"})
    path = model.log_.path(X)
    assert path.shape == (len(model.log_.survival()), 3, X.shape[1] + 1)
    np.testing.assert_array_equal(path[-1], np.column_stack((model.coef_, model.intercept_)))
    np.testing.assert_array_equal(model.dual_coef_ @ X, model.coef_)


def test_the_log_of_a_chunk_begins_where_the_last_ended():
    X, y = datasets.textbook()
    model = Perceptron(record=True).partial_fit(X, y, classes=[-1, 1]).partial_fit(X, y)
    assert (model.log_.begin, model.log_.seen) == (3, 6)
    assert model.log_.path(X)[0].tolist() == [2, 2, 0]
    assert model.log_.survival().sum() == 3


def test_without_record_there_is_no_log():
    X, y = datasets.textbook()
    model = Perceptron(record=True).fit(X, y)
    assert not hasattr(model.set_params(record=False).fit(X, y), "log_")
