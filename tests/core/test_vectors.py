"""Rows and hypotheses as vectors, and the margin bracket."""

import math

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import nnls
from specimens import csr, plain, plans, quietly, tables, twin

import rosenblatt
from rosenblatt import datasets
from rosenblatt.core.loop import Gram
from rosenblatt.core.margin_bound import Bracket
from rosenblatt.core.vectors import (
    DOT_IN_THREADS,
    errs,
    leads,
    length2,
    matrix,
    scores,
    store,
    take,
    to_dual,
    to_primal,
)

X = np.array([[3.0, 3.0], [4.0, 3.0], [1.0, 1.0], [0.0, 0.0]])
W = np.array([[1.0, 1.0, -3.0], [0.5, -2.0, 1.0]])


def best_margin(Z):
    """The largest margin on the rows Z: the length of the shortest convex combination."""
    weights, _ = nnls(np.vstack((Z.T, np.ones(len(Z)))), np.append(np.zeros(Z.shape[1]), 1.0))
    return float(np.linalg.norm(weights @ Z) / weights.sum()) if weights.any() else 0.0


# -- Storages from NumPy ---------------------------------------------------------------------------


@pytest.mark.parametrize("bias", [0.0, 1.0])
@pytest.mark.parametrize("rows", [X, csr(X), csr(X, np.int64), X.astype(np.float32)])
def test_scores_and_rows_are_those_of_the_augmented_matrix(rows, bias):
    storage, full, some = store(rows, bias), naive.augment(X, bias), np.array([2, 0])
    np.testing.assert_array_equal(scores(storage, W, some), full[some] @ W.T)
    np.testing.assert_array_equal(take(storage, some), full[some])
    np.testing.assert_array_equal(to_primal(storage, np.ones((1, 4)))[0], full.sum(axis=0))


def test_the_dual_form_starts_with_the_scores_of_all_rows():
    start, full = to_dual(store(X, 1.0), W, 4), naive.augment(X)
    np.testing.assert_array_equal(start[:, :4], 0)
    np.testing.assert_array_equal(start[:, 4:], W @ full.T)
    np.testing.assert_array_equal(scores(Gram(full @ full.T), start, np.arange(4)), full @ W.T)


def test_lengths_agree_in_both_forms():
    full, steps = naive.augment(X), np.array([[1.0, -2.0, 0.5, 3.0]])
    gram = Gram(full @ full.T)
    dual = np.hstack((steps, steps @ gram.K))
    assert (
        length2(gram, dual) == length2(store(X, 1.0), steps @ full) == np.sum((steps @ full) ** 2)
    )


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_a_length_whose_square_overflows_bounds_no_margin():
    """Infinities of both signs made a length of zero, and a margin of zero with it."""
    gram = Gram(np.array([[1.0, -1.0], [-1.0, 2.0]]))
    steps = np.array([[1e170, 1e170]])
    assert length2(gram, np.hstack((steps, steps @ gram.K * [-1, 1]))) == np.inf
    rows = [[0.25, 0.54], [0.17, 0.28], [0.23, 0.28], [0.42, 0.29], [0.35, 0.3]]
    how = {"kernel": "poly", "gamma": 1.0, "coef0": 0.0, "settle": "never", "min_margin": 0.0}
    how |= {"rule": "relaxation", "eta0": 1.5, "batch_size": "all", "max_iter": 500, "keep": "last"}
    model = quietly(rosenblatt.KernelPerceptron(**how), rows, [1, 0, 0, 1, 0])
    assert np.abs(model.dual_coef_).max() > 1e160
    assert model.margin_bounds_[1] > 0.01


def test_a_sparse_storage_is_its_matrix_without_a_copy():
    S = csr(X)
    assert np.shares_memory(matrix(store(S, 1.0)).data, S.data)
    np.testing.assert_array_equal(matrix(store(S, 1.0)).toarray(), X)


def test_a_lead_is_over_the_highest_other():
    f = np.array([[3.0, 1.0, 2.0], [3.0, 1.0, 2.0]])
    assert leads(f, np.array([0, 1])).tolist() == [1, -2]


def test_on_the_hyperplane_only_the_boundarys_class_is_right():
    m, y = np.array([-1.0, 0, 0, 1]), np.array([1, 1, -1, 1])
    assert errs(m, y, 0).tolist() == [True, True, True, False]
    assert errs(m, y, 1).tolist() == [True, False, True, False]
    assert errs(m, y, -1).tolist() == [True, True, False, False]


# -- The margin bracket ----------------------------------------------------------------------------


@given(tables(), plans(rules=["rosenblatt", "margin", "pa", "pa1", "pa2", "relaxation"]))
def test_the_best_margin_lies_in_the_bracket(table, params):
    X, y = table
    model = plain(X, y, **params)
    full = naive.augment(X, params["fit_intercept"])
    gamma = best_margin((2 * y - 1)[:, None] * full)
    low, high = (bound * model.radius_ for bound in model.margin_bounds_)
    assert low <= gamma + 1e-9
    assert gamma <= high + 1e-9


@given(tables(), plans(), st.data())
def test_the_bracket_holds_with_weights_and_a_start(table, params, data):
    X, y = table
    n, d = X.shape
    weight = data.draw(st.lists(st.sampled_from([0.5, 1, 3]), min_size=n, max_size=n))
    start = data.draw(st.lists(st.integers(-3, 3), min_size=d, max_size=d))
    model = plain(X, y, {"sample_weight": weight, "coef_init": start}, **params)
    gamma = best_margin((2 * y - 1)[:, None] * naive.augment(X, params["fit_intercept"]))
    low, high = (bound * model.radius_ for bound in model.margin_bounds_)
    assert low - 1e-9 <= gamma <= high + 1e-9


@pytest.mark.parametrize("form", ["primal", "dual"])
def test_steps_lost_in_a_large_start_bound_no_margin(form):
    model = plain([[1.0], [-2.0]], [1, 0], {"coef_init": [[-1e17]]}, form=form)
    assert model.margin_bounds_[0] == 0
    assert model.margin_bounds_[1] >= 0.6


@given(
    tables(),
    plans(rules=["rosenblatt", "margin", "pa", "pa1", "pa2", "relaxation"]),
    st.integers(-20, 20),
    st.sampled_from(["primal", "dual"]),
)
def test_the_bracket_holds_after_starts_of_any_size(table, params, power, form):
    X, y = table
    start = {"coef_init": 10.0**power * np.arange(1, X.shape[1] + 1)}
    gamma = best_margin((2 * y - 1)[:, None] * naive.augment(X, params["fit_intercept"]))
    model = plain(X, y, start, form=form, warm_start=True, **params)
    for _ in range(3):
        low, high = (bound * model.radius_ for bound in model.margin_bounds_)
        assert low - 1e-9 <= gamma <= high + 1e-9
        quietly(model, X, y)


@pytest.mark.parametrize("form", ["primal", "dual"])
def test_inner_products_that_lose_the_margin_do_not_narrow_its_bound(form):
    X = [[1.0, 1e-8], [1.0, -1e-8]]
    model = plain(X, [1, 0], form=form, fit_intercept=False)
    low, high = model.margin_bounds_
    assert low <= 1e-8 <= high <= 1.1e-8


@given(tables(classes=3), plans())
def test_the_bracket_of_the_direct_form(table, params):
    X, y = table
    model = plain(X, y, multi_class="direct", **params)
    full, eye = naive.augment(X, params["fit_intercept"]), np.eye(3)
    Z = [np.kron(eye[c] - eye[r], x) for x, c in zip(full, y, strict=True) for r in {0, 1, 2} - {c}]
    low, high = (bound * model.radius_ for bound in model.margin_bounds_)
    assert low - 1e-9 <= best_margin(np.array(Z)) <= high + 1e-9
    assert model.radius_ == pytest.approx(np.sqrt(2 * (full * full).sum(axis=1).max()))


@given(tables(), plans(orders=["sweep"]))
def test_the_upper_bound_is_the_distance_over_the_steps(table, params):
    X, codes = table
    y, full = 2 * codes - 1, naive.augment(X, params["fit_intercept"])
    slow = twin(X, y, params)
    for form in ("primal", "dual"):
        low, high = plain(X, y, form=form, **params).margin_bounds_
        wanted = naive.upper_bound(slow, full, y) if slow.reason != "margin" else 0.0
        assert high >= max(low, wanted) * (1 - 1e-12)
        close = 1e-12 if form == "primal" else 1e-8  # of a square, which is widened
        assert high == pytest.approx(max(low, wanted), rel=close, abs=1e-12)


@given(tables(most=12), st.integers(1, 5))
def test_the_upper_bound_survives_partial_fit(table, size):
    X, y = table
    model = rosenblatt.Perceptron()
    for part in naive.cut(list(range(len(y))), size):
        model.partial_fit(X[part], y[part], classes=[0, 1])
    gamma = best_margin((2 * y - 1)[:, None] * naive.augment(X))
    low, high = (bound * model.radius_ for bound in model.margin_bounds_)
    assert low - 1e-9 <= gamma <= high + 1e-9


def test_the_upper_bound_of_chunks_is_measured_from_the_first_start():
    X, y = datasets.clouds(400, 3, 0.3)
    model, bound, steps = rosenblatt.Perceptron(record=True, keep="last"), np.inf, 0.0
    for part in naive.cut(np.arange(400), 4):
        model.partial_fit(X[part], y[part], classes=[-1, 1])
        steps += np.abs(model.log_.c).sum()
        bound = min(bound, np.linalg.norm([*model.coef_[0], *model.intercept_]) / steps)
    assert model.margin_bounds_ == (0.0, pytest.approx(bound / model.radius_))
    assert bound >= 0.3


def test_a_bracket_only_ever_falls():
    bracket, storage = Bracket(np.zeros((1, 3)), radius=2.0), store(X, 1.0)
    assert bracket.upper == 1
    bracket.travelled = 4.0
    bracket.close(storage, np.array([[3.0, 4.0, 0.0]]), 0)
    assert bracket.upper == pytest.approx(5 / 4 / 2)
    bracket.close(storage, np.array([[30.0, 40.0, 0.0]]), 0)
    assert bracket.upper == pytest.approx(5 / 4 / 2)
    bracket.close(storage, np.array([[30.0, 40.0, 0.0]]), 100)
    assert bracket.upper == pytest.approx(1 / 10)


def test_the_radius_is_in_the_augmented_space():
    assert plain(X[:3], [1, 1, -1]).radius_ == np.sqrt(26)
    assert plain(X[:3], [1, 1, -1], fit_intercept=False).radius_ == 5


# -- The formulas of the lecture notes -------------------------------------------------------------


def test_distance_is_signed():
    points = [[3, 3], [1, 1], [0, 0]]
    assert rosenblatt.distance(points, w=[3, 4], b=-7).tolist() == [2.8, 0.0, -1.4]
    assert rosenblatt.distance(points, [3, 4], -7, absolute=True).tolist() == [2.8, 0.0, 1.4]
    assert rosenblatt.distance(csr(np.array(points, float)), [3, 4]).tolist() == [4.2, 1.4, 0]


def test_the_loss_sums_over_the_wrong_rows():
    points, y = [[3, 3], [1, 1], [0, 0]], [1, 1, 1]
    assert rosenblatt.perceptron_loss(points, y, [3, 4], -14) == 21
    assert rosenblatt.perceptron_loss(points, y, [3, 4], -14, normalized=True) == 21 / 5
    assert rosenblatt.perceptron_loss(points, y, [0, 0], 1) == 0


def test_formulas_refuse_what_they_cannot_mean():
    with pytest.raises(ValueError, match="w is zero"):
        rosenblatt.distance([[1, 2]], [0, 0])
    with pytest.raises(ValueError, match="labels -1 and \\+1"):
        rosenblatt.perceptron_loss([[1], [2]], [0, 1], [1])
    with pytest.raises(ValueError, match="X has 2 rows and y has 3"):
        rosenblatt.perceptron_loss([[1], [2]], [1, -1, 1], [1])
    with pytest.raises(ValueError, match="w is zero"):
        rosenblatt.perceptron_loss([[1]], [1], [0], normalized=True)


def test_rows_are_held_as_they_are_and_cannot_be_changed():
    X = np.arange(6.0).reshape(3, 2)
    held = store(X, 1.0)
    assert np.shares_memory(held.X, X)
    with pytest.raises(ValueError, match="read-only"):
        held.X[0, 0] = 1.0
    X[0, 0] = 7.0  # whose it is may change it
    assert held.X[0, 0] == 7.0
    S = csr(X)
    assert np.shares_memory(store(S, 1.0).data, S.data)


@pytest.mark.parametrize("how", ["settled", "scaled", "scaled blocks", "settled blocks"])
def test_no_steps_that_led_elsewhere_narrow_the_bound_of_partial_fit(how):
    for seed in range(20):
        X, y = datasets.clouds(60, 3, margin=0.05, tight=True, random_state=seed)
        scale = "standard" if "scaled" in how else None
        model = rosenblatt.Perceptron(settle="after", max_iter=3, min_margin=0, scale=scale)
        if "blocks" in how:
            rosenblatt.fit_blocks(model, [(X[:30], y[:30]), (X[30:], y[30:])])
        else:
            model.fit(X, y)
        model.set_params(scale=None)
        for part in naive.cut(np.arange(60), 3):
            model.partial_fit(X[part], y[part])
        Z = y[:, None] * naive.augment(X, True)
        assert best_margin(Z) <= model.margin_bounds_[1] * model.radius_ * (1 + 1e-9)


@pytest.mark.parametrize("size", [DOT_IN_THREADS - 1, DOT_IN_THREADS, 200_001])
def test_long_hypotheses_are_measured_as_well_as_short_ones(size):
    W = np.random.default_rng(size).standard_normal((1, size))
    exact = math.fsum((W[0] * W[0]).tolist())
    assert math.isclose(length2(store(np.eye(1), 1.0), W), exact, rel_tol=1e-12)
