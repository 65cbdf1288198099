"""A budget: so many rows and no more, and the log still tells everything."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sklearn.datasets import make_circles
from specimens import assert_same_log, quietly, tables

from rosenblatt import KernelPerceptron

QUADRATIC = {"kernel": "poly", "degree": 2, "gamma": 1.0, "coef0": 1.0}

# Here what is forgotten leaves a last digit in hypotheses that are summed from the log.
ROUNDED = (
    np.array([[0, 0], [0, 0], [0, -0.25], *5 * [[0, 0]], [0, 0.5]]),
    np.array([0, 1, 2, 0, 0, 0, 0, 1, 1]),
)


def learned(X, y, **params):
    params = {"keep": "last", "record": True, **QUADRATIC} | params
    return quietly(KernelPerceptron(**params), X, y)


def steps_of(model, n):
    steps = np.zeros((*np.shape(model.dual_coef_)[:-1], n))
    steps[..., model.support_] = model.dual_coef_
    return steps


def textbook(X, y, size, passes):
    """The budget perceptron, row by row: the row most right without itself is forgotten."""
    K, alpha = (X @ X.T + 1) ** 2 + 1, np.zeros(len(y))
    for _ in range(passes):
        for i in range(len(y)):
            if y[i] * (K[i] @ alpha) > 0:
                continue
            alpha[i] += y[i]
            if np.count_nonzero(alpha) > size:
                alone = [y[j] * (K[j] @ alpha - alpha[j] * K[j, j]) for j in range(len(y))]
                old = [j for j in np.flatnonzero(alpha) if j != i]
                alpha[max(old, key=lambda j: alone[j])] = 0
    return alpha


@given(tables(most=14), st.integers(1, 6), st.integers(1, 4))
def test_a_budget_forgets_as_the_textbook_says(table, size, passes):
    X, y = table
    model = learned(X, y, budget=size, shuffle=False, max_iter=passes)
    if model.n_iter_ == passes:
        np.testing.assert_array_equal(steps_of(model, len(y)), textbook(X, 2 * y - 1, size, passes))


@given(
    table=tables(classes=3, most=14),
    size=st.integers(1, 5),
    forget=st.sampled_from(["margin", "project"]),
    keep=st.sampled_from(["last", "best", "pocket"]),
    batch=st.sampled_from([1, 3]),
)
@example(table=ROUNDED, size=3, forget="project", keep="best", batch=3)
@pytest.mark.parametrize("multi_class", ["ovr", "direct"])
def test_no_more_than_the_budget_and_all_of_it_in_the_log(
    multi_class, table, size, forget, keep, batch
):
    X, y = table
    given_ = {"budget": size, "forget": forget, "multi_class": multi_class, "max_iter": 4}
    model = learned(X, y, keep=keep, batch_size=batch, **given_)
    assert (np.atleast_2d(model.dual_coef_) != 0).any(axis=0).all()
    each = (
        steps_of(model, len(y)) if multi_class == "ovr" else [steps_of(model, len(y)).any(axis=0)]
    )
    assert max(np.count_nonzero(steps) for steps in each) <= size
    if keep == "last":
        logs = model.log_ if multi_class == "ovr" else [model.log_]
        for k, log in enumerate(logs):
            steps = np.zeros((3, len(y)))
            own = log.own if multi_class == "direct" else np.full(len(log), k)
            np.add.at(steps, (own, log.i), log.c)
            if multi_class == "direct":
                np.subtract.at(steps, (log.rival, log.i), log.c)
                assert_allclose(steps, steps_of(model, len(y)), atol=1e-6)
            assert_allclose(steps[k], steps_of(model, len(y))[k], atol=1e-6)


@given(tables(most=14), st.integers(1, 4))
def test_within_a_budget_rows_that_err_again_are_not_visited_until_they_are_right(table, size):
    X, y = table
    given_ = {"budget": size, "max_iter": 4}
    active, sweep = (
        learned(X, y, order=order, shuffle=False, **given_) for order in ("active", "sweep")
    )
    assert_same_log(active.log_, sweep.log_)


@given(tables(most=14), st.sampled_from(["margin", "project"]))
def test_a_budget_that_is_never_reached_changes_nothing(table, forget):
    X, y = table
    bounded = learned(X, y, budget=len(y), forget=forget, max_iter=4, min_margin=0)
    free = learned(X, y, max_iter=4, min_margin=0)
    assert_same_log(bounded.log_, free.log_)
    assert (bounded.margin_bounds_, bounded.radius_) == (None, None)


@pytest.mark.parametrize("forget", ["margin", "project"])
def test_an_online_learner_of_bounded_memory(forget):
    X, y = make_circles(2000, factor=0.3, noise=0.15, random_state=0)
    model = KernelPerceptron(gamma=2, budget=20, keep="last", forget=forget)
    for k in range(0, 2000, 100):
        model.partial_fit(X[k : k + 100], y[k : k + 100], classes=[0, 1])
        assert len(model.support_) <= 20
        assert model._memory.X.shape[0] <= 20
    assert model.n_updates_ > 20
    assert model.score(X, y) > 0.7


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({"budget": 0}, "budget must be a whole number of at least 1"),
        ({"budget": 5, "keep": "average"}, "needs every row that was ever misclassified"),
        ({"budget": 5, "keep": "vote"}, "needs every row that was ever misclassified"),
        ({"forget": "oldest"}, "forget='oldest' is not known"),
    ],
)
def test_budgets_that_cannot_be_kept_are_refused(params, said):
    with pytest.raises(ValueError, match=said):
        KernelPerceptron(**params).fit([[0.0], [1.0]], [0, 1])


def test_rows_of_a_kernel_that_vanishes_are_projected():
    model = KernelPerceptron("sigmoid", 1.0, coef0=0.0, budget=2, forget="project", max_iter=3)
    model.set_params(fit_intercept=False, settle="never")
    assert not quietly(model, 1e-200 * np.arange(8.0)[:, None], np.arange(8) % 2).converged_
