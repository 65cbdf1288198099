"""Novikoff's bound: it holds in every run it is about, and is not claimed for others."""

import math

import naive
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from specimens import csr, plain, quarters, quietly

from rosenblatt import KernelPerceptron, Perceptron, datasets, novikoff
from rosenblatt.kernels import feature_space


@st.composite
def separable(draw):
    """Rows of quarters on both sides of a hyperplane, none on it."""
    n, d = draw(st.integers(2, 10)), draw(st.integers(1, 3))
    row = st.lists(quarters, min_size=d, max_size=d)
    X = np.array(draw(st.lists(row, min_size=n, max_size=n)))
    side = X @ np.array(draw(row)) + draw(quarters)
    assume((side != 0).all() and len(np.unique(side > 0)) == 2)
    return X, np.where(side > 0, 1, -1)


@st.composite
def plain_runs(draw):
    """Parameters of the runs that the theorem is about."""
    return {
        "eta0": draw(st.sampled_from([0.25, 1.0, 3.0, 0.1])),
        "order": draw(st.sampled_from(["sweep", "random", "worst"])),
        "shuffle": draw(st.booleans()),
        "form": draw(st.sampled_from(["primal", "dual"])),
        "keep": draw(st.sampled_from(["pocket", "last", "average"])),
        "boundary": draw(st.sampled_from(["mistake", 1, -1])),
        "max_iter": draw(st.sampled_from([3, 1000])),
        "random_state": draw(st.integers(0, 3)),
    }


@given(separable(), plain_runs())
def test_the_bound_holds_in_every_plain_run_on_separable_data(data, params):
    X, y = data
    report = novikoff(plain(X, y, **params), X, y)
    assert report.applies
    assert report.holds
    assert report.mistakes <= report.bound
    assert (report.steps.progress >= report.steps.least * (1 - 1e-9)).all()
    assert (report.steps.length2 <= report.steps.most * (1 + 1e-9)).all()
    if report.cheap_bound is not None:
        assert report.cheap_bound >= report.bound * (1 - 1e-3)


@given(separable(), st.booleans())
def test_without_intercept_the_space_has_no_constant_feature(data, fit_intercept):
    X, y = data
    report = novikoff(plain(X, y, fit_intercept=fit_intercept, max_updates=500), X, y)
    assume(report.applies)
    lengths = np.linalg.norm(naive.augment(X, fit_intercept), axis=1)
    assert report.radius == pytest.approx(lengths.max())
    assert report.holds


# -- The textbook's three points -------------------------------------------------------------------


@pytest.fixture
def textbook():
    return datasets.textbook()


def test_the_numbers_of_the_textbook(textbook):
    report = novikoff(Perceptron(shuffle=False, record=True).fit(*textbook), *textbook)
    assert report.mistakes == 7
    assert report.radius == math.sqrt(26)
    assert report.gamma == pytest.approx(math.sqrt(2) / 3, rel=1e-3)
    assert report.gamma <= math.sqrt(2) / 3 * (1 + 1e-9) <= report.gamma_upper * (1 + 2e-9)
    assert report.bound == pytest.approx(117, rel=2e-3)
    assert report.cheap_bound == pytest.approx(286)
    assert report.eta == 1


def test_each_step_is_that_of_a_plain_loop(textbook):
    X, y = textbook
    model = Perceptron(shuffle=False, record=True, eta0=0.5).fit(X, y)
    report = novikoff(model, X, y)
    w, rows = np.zeros(3), naive.augment(X)
    for k, i in enumerate([0, 2, 2, 2, 0, 2, 2]):
        w = w + 0.5 * y[i] * rows[i]
        assert report.steps.k[k] == k + 1
        assert report.steps.length2[k] == w @ w
        assert report.steps.most[k] == pytest.approx((k + 1) * 0.25 * 26)
        assert report.steps.least[k] == pytest.approx((k + 1) * 0.5 * report.gamma)
        cosine = report.steps.progress[k] / np.linalg.norm(w)
        assert np.cos(np.radians(report.steps.angle[k])) == pytest.approx(cosine)


def test_many_hypotheses_are_measured_block_by_block(textbook, monkeypatch):
    whole = novikoff(Perceptron(record=True).fit(*textbook), *textbook)
    monkeypatch.setattr("rosenblatt.mistake_bound.theorem.WEIGHTS_HELD", 6)
    parts = novikoff(Perceptron(record=True).fit(*textbook), *textbook)
    np.testing.assert_array_equal(parts.steps.length2, whole.steps.length2)


def test_sparse_rows_and_named_labels_give_the_same_report(textbook):
    X, y = textbook
    names = np.where(y > 0, "yes", "no")
    model = Perceptron(record=True)
    dense, sparse = novikoff(model.fit(X, y), X, y), novikoff(model.fit(csr(X), y), csr(X), y)
    named = novikoff(model.fit(X, names), X, names)
    assert dense.bound == pytest.approx(sparse.bound) == pytest.approx(named.bound)
    np.testing.assert_allclose(dense.steps.progress, sparse.steps.progress)


def test_without_a_record_there_is_the_bound_without_the_steps(textbook):
    report = novikoff(Perceptron().fit(*textbook), *textbook)
    assert report.steps is None
    assert report.holds
    assert "record=True" in str(report)


def test_equal_weights_are_a_larger_step(textbook):
    X, y = textbook
    model = plain(X, y, given={"sample_weight": [2, 2, 2]})
    report = novikoff(model, X, y)
    assert report.eta == 2
    assert report.holds


# -- Where the theorem does not apply --------------------------------------------------------------

REFUSED = {
    "did not start from zero": ({}, {"coef_init": [[1, 0]]}),
    "rule='pa'": ({"rule": "pa"}, {}),
    "rule='margin'": ({"rule": "margin"}, {}),
    "batch": ({"batch_size": 2}, {}),
    "weighted": ({}, {"sample_weight": [1, 1, 2]}),
    "weighted, so": ({"class_weight": {-1: 1, 1: 3}}, {}),
}


@pytest.mark.parametrize("record", [True, False])
@pytest.mark.parametrize("why", REFUSED)
def test_it_says_why_it_does_not_apply(textbook, why, record):
    X, y = textbook
    params, more = REFUSED[why]
    model = plain(X, y, given=more, record=record, **params)
    assert_refused(novikoff(model, X, y), why)


def assert_refused(report, why):
    assert not report.applies
    assert why in report.reason
    assert (report.bound, report.gamma, report.holds, report.steps) == (None, None, None, None)
    assert str(report).startswith("Novikoff's theorem does not apply: ")
    assert "(R/γ)²" not in str(report)


def test_data_that_no_line_separates_have_no_bound():
    X, y = datasets.xor()
    for settle in ("after", "never"):
        model = quietly(Perceptron(settle=settle, max_iter=10, record=True), X, y)
        assert_refused(novikoff(model, X, y), "not separable")


@pytest.mark.parametrize("multi_class", ["ovr", "direct"])
def test_several_classes_have_no_bound(multi_class):
    X, y = np.array([[0.0, 0], [4, 0], [0, 4]]), [0, 1, 2]
    model = quietly(Perceptron(multi_class=multi_class), X, y)
    assert_refused(novikoff(model, X, y), "3 classes")


def test_after_partial_fit_there_is_no_bound(textbook):
    X, y = textbook
    model = Perceptron(record=True).partial_fit(X, y, classes=[-1, 1])
    assert_refused(novikoff(model, X, y), "partial_fit")


def test_a_warm_start_is_not_zero(textbook):
    model = Perceptron(warm_start=True, shuffle=False).fit(*textbook).fit(*textbook)
    assert_refused(novikoff(model, *textbook), "start from zero")


def test_the_margin_rule_at_margin_0_is_rosenblatts(textbook):
    model = plain(*textbook, rule="margin", margin=0)
    assert novikoff(model, *textbook).holds


def test_other_rows_than_those_it_learned_from_are_refused(textbook):
    X, y = textbook
    model = Perceptron().fit(X, y)
    with pytest.raises(ValueError, match=r"X is 2 × 2 .* fitted on 3 × 2"):
        novikoff(model, X[1:], y[1:])


# -- In the feature space of a kernel --------------------------------------------------------------


def kernel_run(X, y, kernel, given=None, **params):
    """A fitted KernelPerceptron with its log."""
    params = {"record": True, "min_margin": 0} | params
    return quietly(KernelPerceptron(kernel, **params), X, y, **(given or {}))


def test_exclusive_or_in_the_quadratic_feature_space():
    X, y = datasets.xor()
    model = kernel_run(X, y, "poly", degree=2, gamma=1, shuffle=False, eta0=0.5)
    report = novikoff(model, X, y)
    root = math.sqrt(2)
    rows = np.array([[a * a, b * b, root * a * b, root * a, root * b, 1, 1] for a, b in X])
    same = novikoff(plain(rows, y, shuffle=False, eta0=0.5, fit_intercept=False), rows, y)
    assert report.holds
    assert report.mistakes == same.mistakes == model.n_updates_
    assert report.radius == pytest.approx(math.sqrt(10)) == pytest.approx(same.radius)
    assert (report.gamma, report.bound) == pytest.approx((same.gamma, same.bound), rel=1e-5)
    for ours, theirs in zip(report.steps, same.steps, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("kernel", ["rbf", "laplacian", "poly", "cosine"])
def test_circles_are_separated_within_the_bound(kernel):
    X, y = datasets.circles(120)
    X = np.column_stack((X, (X**2).sum(axis=1)))
    model = kernel_run(X, y, kernel)
    report = novikoff(model, X, y)
    assert report.holds
    assert 0 < report.mistakes == len(report.steps.k) <= report.bound
    assert report.gamma == pytest.approx(report.gamma_upper, rel=1e-6)
    low, high = model.margin_bounds_
    assert low * (1 - 1e-9) <= report.gamma / report.radius <= high * (1 + 1e-9)
    assert report.cheap_bound >= report.bound * (1 - 1e-6)
    assert report.steps.length2[-1] <= report.steps.most[-1]


@given(separable(), plain_runs(), st.booleans())
def test_the_linear_kernel_has_the_perceptrons_report(data, params, fit_intercept):
    X, y = data
    assume(params["eta0"] != 0.1)  # both forms agree where the steps are exact
    params = params | {"fit_intercept": fit_intercept, "max_updates": 500}
    theirs = novikoff(plain(X, y, **params), X, y)
    del params["form"]
    ours = novikoff(kernel_run(X, y, "linear", **params), X, y)
    assume(theirs.applies)
    assert ours.applies
    assert ours.holds
    assert (ours.mistakes, ours.eta) == (theirs.mistakes, theirs.eta)
    assert ours.radius == pytest.approx(theirs.radius)
    assert ours.gamma == pytest.approx(theirs.gamma, rel=1e-5)
    assert ours.bound == pytest.approx(theirs.bound, rel=1e-5)
    np.testing.assert_allclose(ours.steps.length2, theirs.steps.length2, atol=1e-9)


def test_sparse_rows_have_the_same_bound_in_the_feature_space():
    X, y = datasets.circles(60)
    dense = novikoff(kernel_run(X, y, "rbf", gamma=1.0), X, y)
    sparse = novikoff(kernel_run(csr(X), y, "rbf", gamma=1.0), csr(X), y)
    assert dense.bound == pytest.approx(sparse.bound)


def test_a_kernel_without_a_record_has_the_bound_without_the_steps():
    X, y = datasets.circles(60)
    report = novikoff(kernel_run(X, y, "rbf", record=False), X, y)
    assert report.holds
    assert report.steps is None


KERNELS_REFUSED = {
    "kernel='sigmoid' may be": ("sigmoid", {}, {}),
    "may be the inner product of no space": (lambda A, B: A @ B.T, {}, {}),
    "kernel='poly' may be": ("poly", {"coef0": -1}, {}),
    "budget": ("rbf", {"budget": 2}, {}),
    "rule='pa'": ("rbf", {"rule": "pa"}, {}),
    "batch": ("rbf", {"batch_size": 2}, {}),
    "weighted": ("rbf", {}, {"sample_weight": [1, 1, 2, 1]}),
    "not separable in the feature space": ("linear", {"max_iter": 20}, {}),
}


@pytest.mark.parametrize("record", [True, False])
@pytest.mark.parametrize("why", KERNELS_REFUSED)
def test_of_kernels_too_it_says_why_it_does_not_apply(why, record):
    X, y = datasets.xor()
    kernel, params, more = KERNELS_REFUSED[why]
    model = kernel_run(X, y, kernel, given=more, record=record, **params)
    assert_refused(novikoff(model, X, y), why)


def test_a_precomputed_kernel_has_no_bound():
    X, y = datasets.xor()
    assert_refused(novikoff(kernel_run(X @ X.T, y, "precomputed"), X @ X.T, y), "'precomputed'")


def test_several_classes_have_no_bound_in_a_feature_space():
    X, y = np.array([[0.0, 0], [4, 0], [0, 4]]), [0, 1, 2]
    assert_refused(novikoff(kernel_run(X, y, "rbf"), X, y), "3 classes")


def test_contradicting_and_zero_rows_have_no_bound_in_a_feature_space():
    X, y = np.array([[1.0], [1.0], [3.0]]), [0, 1, 1]
    assert_refused(novikoff(kernel_run(X, y, "rbf", max_iter=9), X, y), "not separable")
    X, y = np.zeros((2, 1)), [0, 1]
    model = kernel_run(X, y, "linear", max_iter=9, fit_intercept=False)
    assert_refused(novikoff(model, X, y), "not separable")


def test_after_partial_fit_a_kernel_has_no_bound():
    X, y = datasets.xor()
    model = KernelPerceptron(record=True).partial_fit(X, y, classes=[-1, 1]).partial_fit(X, y)
    assert_refused(novikoff(model, X, y), "partial_fit")


def test_too_many_rows_for_a_feature_space_are_refused(monkeypatch):
    X, y = datasets.xor()
    monkeypatch.setattr(feature_space, "HULL_ROWS", 3)
    assert_refused(novikoff(kernel_run(X, y, "rbf"), X, y), "at most 3 rows, and there are 4")


def test_other_rows_than_those_a_kernel_learned_from_are_refused():
    X, y = datasets.xor()
    model = kernel_run(X, y, "rbf")
    with pytest.raises(ValueError, match=r"X is 3 × 2 .* fitted on 4 or more × 2"):
        novikoff(model, X[1:], y[1:])
    with pytest.raises(ValueError, match="the support is not among these rows"):
        novikoff(model, X[::-1], y)


# -- In print --------------------------------------------------------------------------------------


def test_the_report_reads_like_a_paragraph_with_a_table(textbook):
    X, y = textbook
    text = str(novikoff(Perceptron(shuffle=False, record=True).fit(X, y), X, y))
    first, second, table = text.split("\n\n")
    assert first == "The run made 7 mistakes; Novikoff's theorem allows at most 117. It holds."
    assert "R = 5.099" in second
    assert "γ = 0.471" in second
    assert len(table.splitlines()) == 1 + 7
    assert max(map(len, text.splitlines())) <= 88


def test_a_long_run_is_printed_in_part():
    X, y = datasets.clouds(100, 3, margin=0.01, tight=True)
    report = novikoff(Perceptron(record=True).fit(X, y), X, y)
    lines = str(report).split("\n\n")[-1].splitlines()[1:]
    assert report.mistakes > 20
    assert len(lines) <= 10
    assert lines[-1].split()[0] == f"{report.mistakes:,}"


def test_a_run_without_a_mistake_has_no_table(textbook):
    model = Perceptron(settle="first", record=True).fit(*textbook)
    report = novikoff(model, *textbook)
    assert report.mistakes == 0
    assert report.holds
    assert len(str(report).split("\n\n")) == 2


def test_settling_does_not_change_what_the_run_did(textbook):
    X, y = textbook
    plain_report = novikoff(plain(X, y, max_iter=1), X, y)
    settled = quietly(Perceptron(max_iter=1, record=True), X, y)
    report = novikoff(settled, X, y)
    assert settled.settled_
    assert (report.mistakes, report.bound) == (plain_report.mistakes, plain_report.bound)
    np.testing.assert_array_equal(report.steps.length2, plain_report.steps.length2)
    assert plain_report.cheap_bound is None
    assert report.cheap_bound >= report.bound * (1 - 1e-5)


def test_a_bound_beyond_floating_point_is_infinite():
    X, y = np.array([[1e120, 0], [0, -1e-40]]), [1, 0]
    found = novikoff(Perceptron(fit_intercept=False).fit(X, y), X, y)
    assert (found.gamma, found.bound, found.holds) == (pytest.approx(1e-40), math.inf, True)
