"""Blocks that are held column by column: what is believed of them is what the loop finds."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from specimens import assert_same_log, quietly, tables

from rosenblatt import Perceptron, datasets, fit_blocks, read, scan
from rosenblatt.blocks import certify_blocks
from rosenblatt.core.vectors import lengths2, margins, store
from rosenblatt.out_of_core import block_learning
from rosenblatt.out_of_core.block import FEW_HYPOTHESES, certainly_correct, set_task
from rosenblatt.out_of_core.block_learning import count_on_block
from rosenblatt.tables.column_matrix import ByColumn

SCALES = (1.0, 0.1, 1e-3, 1 / 3)  # of which none but the first makes sums that are exact


def both(X, y, **params):
    """A block as rows, and the same as columns."""
    task = set_task(Perceptron(**params).get_params(), np.unique(y), X.shape[1])
    return task.block(7, X, y), task.block(7, ByColumn(list(X.T.copy())), y, seen=True)


@st.composite
def hypotheses(draw):
    X, y = draw(tables())
    number, width = st.integers(-12, 12).map(lambda k: k / 4), X.shape[1] + 1
    W = st.lists(number, min_size=width, max_size=width).map(lambda w: np.array([w]))
    scale = draw(st.sampled_from(SCALES))
    return X * scale, y, [w * scale for w in draw(st.lists(W, min_size=1, max_size=FEW_HYPOTHESES))]


@given(hypotheses(), st.booleans(), st.sampled_from(["mistake", -1, 1]))
def test_telling_rows_tell_all(problem, fit_intercept, boundary):
    X, y, some = problem
    rows, columns = both(X, y, fit_intercept=fit_intercept, boundary=boundary)
    few = columns.undecided(some)
    whole, part = (count_on_block(block.storage, block.rows[0], some) for block in (rows, few))
    for expected, found in zip(whole, part, strict=True):
        np.testing.assert_array_equal(expected, found)
    numbers = few.numbers - 7
    np.testing.assert_array_equal(few.storage.X, X[numbers])
    np.testing.assert_array_equal(few.codes, y[numbers])


@given(hypotheses(), st.booleans(), st.sampled_from([0.0, 0.5]))
def test_who_is_surely_right_does_not_err(problem, fit_intercept, margin):
    X, y, some = problem
    rows, columns = both(X, y, fit_intercept=fit_intercept)
    for W in some:
        least = margins(rows.storage, W, rows.rows[0]).min()
        radius = np.sqrt(rows.rows[0].norm2.max())
        found = certainly_correct(columns, W, margin, radius)
        assert found <= (least > margin)
        assert found or least < margin + 1e-12  # nor is anything doubted without a reason


def test_rows_are_made_where_they_are_worth_it():
    X, y = datasets.clouds(60, 2, margin=0.1)
    W = np.ones((1, 3))
    rows, columns = both(X, y)
    classes = both(X, np.arange(60) % 3, multi_class="ovr")[1]
    direct = both(X, np.arange(60) % 3, multi_class="direct")[1]
    for block, some in (
        (rows, [W]),
        (columns, [W] * 3),
        (classes, [W]),
        (direct, [np.ones((3, 3))]),
    ):
        assert block.undecided(some) is block
        assert not certainly_correct(block, some[0], -np.inf, 1.0) or block is columns


@given(tables())
def test_columns_are_the_matrix(problem):
    X, _ = problem
    columns, w = ByColumn(list(X.T.copy())), np.arange(X.shape[1]) / 4
    np.testing.assert_array_equal(columns, X)
    np.testing.assert_array_equal(columns[1:], X[1:])
    np.testing.assert_array_equal(columns[[0, -1]], X[[0, -1]])
    np.testing.assert_array_equal(columns @ w, X @ w)
    np.testing.assert_array_equal(columns.lengths2(), lengths2(store(X, 0.0), len(X)))


def test_long_columns_become_rows_some_at_a_time(monkeypatch):
    monkeypatch.setattr("rosenblatt.tables.column_matrix.ROWS", 3)
    X = np.arange(20.0).reshape(10, 2)
    np.testing.assert_array_equal(ByColumn(list(X.T.copy())), X)


@pytest.fixture
def believed(monkeypatch):
    """What was said of each block that was asked about."""
    said = []

    def asked(*args):
        said.append(certainly_correct(*args))
        return said[-1]

    monkeypatch.setattr(block_learning, "certainly_correct", asked)
    monkeypatch.setattr("rosenblatt.tables.schema.READ_BYTES", 2**15)  # blocks of 1365 rows
    return said


def on_a_line(n, classes=2):
    """Decimals, whose products are often zero but for their rounding."""
    rng = np.random.default_rng(0)
    X = rng.integers(-30, 31, (n, 3)) / 10
    y = np.digitize(X @ [0.3, -0.1, 0.2], [0.0] if classes == 2 else [-0.5, 0.5])
    return X, y


PLANS = [
    {},
    {"boundary": -1},
    {"rule": "pa1", "C": 0.1},
    {"rule": "margin", "margin": 0.1},
    {"keep": "average"},
    {"keep": "pocket"},
    {"fit_intercept": False},
    {"max_updates": 40},
]


@pytest.mark.parametrize("plan", PLANS, ids=str)
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("data", ["clouds", "on_a_line"])
def test_passes_are_those_in_memory(tmp_path, believed, data, classes, plan):
    if data == "clouds":
        X, y = datasets.clouds(8000, 3, margin=0.02)
        y = y if classes == 2 else np.where(X[:, 0] > 1, 2, y)
    else:
        X, y = on_a_line(8000, classes)
    np.save(tmp_path / "t.npy", np.column_stack((X, y)))
    params = {"shuffle": False, "max_iter": 30, "settle": "never", "record": True, "keep": "last"}
    params["multi_class"] = "ovr"
    whole = quietly(Perceptron(form="primal", **params | plan), X, y)
    parts = quietly_in_blocks(Perceptron(**params | plan), scan(tmp_path / "t.npy"))
    logs = [model.log_ if classes == 3 else [model.log_] for model in (whole, parts)]
    for expected, found in zip(*logs, strict=True):
        assert_same_log(expected, found)
    for name in ("coef_", "intercept_", "mistakes_", "n_iter_", "stop_reason_", "radius_"):
        np.testing.assert_equal(getattr(whole, name), getattr(parts, name))
    if data == "clouds" and not plan and classes == 2:
        assert any(believed)
        assert not all(believed)


def quietly_in_blocks(model, blocks):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return fit_blocks(model, blocks)


def test_a_block_that_is_believed_draws_its_random_numbers(tmp_path, believed, monkeypatch):
    X, y = datasets.clouds(8000, 3, margin=0.02)
    np.save(tmp_path / "t.npy", np.column_stack((X, y)))

    def fitted():
        model = Perceptron(settle="never", keep="last", record=True)
        return quietly_in_blocks(model, scan(tmp_path / "t.npy"))

    first = fitted()
    assert any(believed)
    monkeypatch.setattr(block_learning, "certainly_correct", lambda *_: False)
    assert_same_log(first.log_, fitted().log_)


def test_columns_are_settled_and_proved_like_rows(tmp_path, monkeypatch):
    monkeypatch.setattr("rosenblatt.tables.schema.READ_BYTES", 2**12)
    X, y = datasets.clouds(8000, 3, margin=1e-4, tight=True)
    np.save(tmp_path / "t.npy", np.column_stack((X, y)))
    blocks, table = scan(tmp_path / "t.npy"), read(tmp_path / "t.npy")
    pairs = [(table.X[k : k + 1024], table.y[k : k + 1024]) for k in range(0, 8000, 1024)]
    found, expected = (fit_blocks(Perceptron(settle="first"), each) for each in (blocks, pairs))
    assert found.stop_reason_ == expected.stop_reason_ == "separated"
    np.testing.assert_array_equal(found.coef_, expected.coef_)
    assert (found.margin_bounds_, found.radius_) == (expected.margin_bounds_, expected.radius_)
    assert certify_blocks(blocks).verdict == "separable"
