"""Kernels, and the perceptron in their feature spaces."""

import pickle
import warnings
from fractions import Fraction
from itertools import permutations

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_digits, make_circles
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import pairwise
from sklearn.model_selection import StratifiedKFold, cross_val_score, train_test_split
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import parametrize_with_checks
from specimens import assert_same_log, csr, kept, plain, plans, quietly, tables, twin

from rosenblatt import KernelPerceptron, Perceptron, datasets
from rosenblatt.core.rules import RULES, Rule
from rosenblatt.kernels.functions import KERNELS, exact_sums, gamma_value, make_kernel

XOR = datasets.xor()
VISITS = "a step depends on the visit, so a row of weight 2 is not two visits"
EXPECTED = {
    "check_sample_weight_equivalence_on_dense_data": VISITS,
    "check_sample_weight_equivalence_on_sparse_data": VISITS,
}
POCKETED = {
    "check_class_weight_classifiers": "the light classes are to be given up, but there is room in "
    "the feature space, and the pocket gets more of them right"
}
QUADRATIC = {"kernel": "poly", "degree": 2, "gamma": 1.0, "coef0": 1.0}


def learned(X, y, **params):
    """A fitted model with its log."""
    params = {"record": True, "settle": "never", "min_margin": 0} | params
    return quietly(KernelPerceptron(**params), X, y)


def squared(X):
    """The feature space of (x·z + 1)², written out: its inner products are exact."""
    X = naive.augment(X)
    return np.array([np.kron(x, x) for x in X])


def places(model, n):
    """The steps of all n rows."""
    steps = np.zeros((*np.shape(model.dual_coef_)[:-1], n))
    steps[..., model.support_] = model.dual_coef_
    return np.atleast_2d(steps)


# -- The kernels -----------------------------------------------------------------------------------


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("name", KERNELS)
def test_kernels_are_those_of_scikit_learn(name, sparse):
    rng = np.random.RandomState(0)
    A, B = rng.standard_normal((5, 3)), rng.standard_normal((4, 3))
    p = {"gamma": 0.7, "degree": 5, "coef0": 0.5}
    wanted = pairwise.pairwise_kernels(A, B, metric=name, filter_params=True, **p)
    kernel = make_kernel(KernelPerceptron(name, **p, fit_intercept=False).get_params(), A)
    given = (csr(A), csr(B)) if sparse else (A, B)
    np.testing.assert_allclose(kernel.between(*given), wanted, rtol=1e-12)
    with_bias = kernel._replace(bias=1.0)
    np.testing.assert_allclose(with_bias.between(*given), wanted + 1, rtol=1e-12)
    np.testing.assert_allclose(
        with_bias.diagonal(given[0]), with_bias.between(given[0], given[0]).diagonal(), rtol=1e-12
    )


def test_gamma_is_read_as_svc_reads_it():
    X = np.random.RandomState(0).standard_normal((20, 3)) + 1
    assert gamma_value("scale", X) == pytest.approx(1 / (3 * X.var()))
    assert gamma_value("scale", csr(X)) == pytest.approx(1 / (3 * X.var()))
    assert gamma_value("scale", np.ones((4, 3))) == 1
    for size in (1e-161, 1e200):  # whose variance has no reciprocal
        assert gamma_value("scale", np.array([[3.0], [0.0], [-2.0]]) * size) == 1
    assert (gamma_value("auto", X), gamma_value(0.5, X)) == (1 / 3, 0.5)


def test_a_broken_degree_is_a_power_all_the_same():
    X = np.abs(XOR[0]) + 1
    model = KernelPerceptron("poly", degree=1.5, max_iter=2, max_updates=3)
    p = model.get_params() | {"fit_intercept": False, "gamma": 1.0}
    np.testing.assert_allclose(make_kernel(p, X).between(X, X), (X @ X.T + 1) ** 1.5)
    assert quietly(model, X, XOR[1]).margin_bounds_ is None
    with pytest.raises(ValueError, match="a fractional degree needs gamma x·z"):
        KernelPerceptron("poly", degree=1.5, gamma=1).fit(X * [[1], [1], [-1], [-1]], XOR[1])


@pytest.mark.parametrize("kernel", ["cosine", "laplacian"])
@pytest.mark.parametrize("size", [1e200, 1e-200])
def test_kernels_that_need_no_squares_take_rows_that_have_none(kernel, size):
    """No warning of NumPy's, that is."""
    X, y = datasets.clouds(30, 3, margin=0.1)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        model = KernelPerceptron(kernel, settle="never", max_iter=2).fit(X * size, y)
    assert {each.category for each in told} <= {ConvergenceWarning}
    assert "nan" not in "".join(str(each.message) for each in told)
    assert np.isfinite(model.dual_coef_).all()


# -- What it must show -----------------------------------------------------------------------------


@pytest.mark.parametrize("keep", list(naive.KEEPERS))
def test_xor_is_separated_by_products(keep):
    model = KernelPerceptron("poly", degree=2, keep=keep).fit(*XOR)
    assert model.stop_reason_ == "separated"
    assert model.score(*XOR) == 1 or keep in ("average", "vote")


def test_circles_are_separated_in_fewer_than_ten_updates():
    X, y = make_circles(400, factor=0.3, noise=0.05, random_state=0)
    model = KernelPerceptron(gamma=2).fit(X, y)
    assert model.n_updates_ < 10
    assert (model.stop_reason_, model.score(X, y)) == ("separated", 1)


def test_few_passes_on_digits_voted_and_averaged_beat_the_last():
    X, y = load_digits(return_X_y=True)
    X, held, y, wanted = train_test_split(X / 16, y, train_size=1200, random_state=0)
    digits = {"kernel": "poly", "degree": 4, "gamma": 1.0, "max_iter": 2, "rule": "rosenblatt"}
    error = {
        keep: 1 - quietly(KernelPerceptron(keep=keep, **digits), X, y).score(held, wanted)
        for keep in ("last", "average", "vote")
    }
    assert max(error["average"], error["vote"]) < error["last"]


# -- The same mistakes -----------------------------------------------------------------------------


@given(tables(), plans())
def test_the_linear_kernel_makes_the_mistakes_of_the_primal(table, params):
    X, y = table
    ours = learned(X, y, kernel="linear", **params)
    for form in ("primal", "dual"):
        other = plain(X, y, form=form, **params)
        assert_same_log(ours.log_, other.log_)
        assert ours.mistakes_.tolist() == other.mistakes_.tolist()
        assert (ours.stop_reason_, ours.converged_) == (other.stop_reason_, other.converged_)
        np.testing.assert_allclose(ours.margin_bounds_, other.margin_bounds_, atol=1e-12)
        assert ours.radius_ == pytest.approx(other.radius_)
        np.testing.assert_allclose(ours.decision_function(X), other.decision_function(X), atol=1e-9)
        np.testing.assert_array_equal(ours.log_.path(X), other.log_.path(X))


@given(tables(), plans())
def test_the_quadratic_kernel_is_the_naive_perceptron_on_all_products(table, params):
    X, y = table
    ours = learned(X, y, **QUADRATIC, **params)
    result = twin(squared(X), 2 * y - 1, params)
    assert (ours.log_.t.tolist(), ours.log_.i.tolist()) == (result.t, result.i)
    assert (ours.log_.c.tolist(), ours.mistakes_.tolist()) == (result.c, result.mistakes)
    assert ours.stop_reason_ == result.reason
    W = kept(result, squared(X), 2 * y - 1, params)[0]
    wanted = naive.augment(squared(X), params["fit_intercept"]) @ W
    if params["keep"] != "vote":
        np.testing.assert_allclose(ours.decision_function(X), wanted, atol=1e-9)
    else:
        votes = [
            naive.vote(result, naive.augment(squared(X), params["fit_intercept"]), 2 * y - 1, x)
            for x in naive.augment(squared(X), params["fit_intercept"])
        ]
        np.testing.assert_allclose(ours.decision_function(X), votes, atol=1e-9)


@given(tables(classes=3), plans())
def test_several_classes_directly_make_the_naive_mistakes(table, params):
    X, y = table
    ours = learned(X, y, multi_class="direct", **QUADRATIC, **params)
    d = squared(X).shape[1] + 1
    result = twin(squared(X), y, params, form=naive.Direct, start=np.zeros((3, d)))
    assert (ours.log_.i.tolist(), ours.log_.rival.tolist()) == (result.i, result.rival)
    other = plain(squared(X), y, multi_class="direct", **params)
    scores = ours.decision_function(X), other.decision_function(squared(X))
    np.testing.assert_allclose(*scores, atol=1e-9)
    np.testing.assert_allclose(ours.margin_bounds_, other.margin_bounds_, atol=1e-12)


@given(tables(classes=3), plans(), st.sampled_from([1e-4, 3e-4]))
def test_a_small_cache_changes_nothing(table, params, megabytes):
    X, y = table
    ours, other = (
        learned(X, y, cache_size=size, **QUADRATIC, **params) for size in (1e308, megabytes)
    )
    assert_same_log(ours.log_, other.log_)
    np.testing.assert_array_equal(ours.support_, other.support_)
    np.testing.assert_array_equal(ours.dual_coef_, other.dual_coef_)
    np.testing.assert_array_equal(ours.decision_function(X), other.decision_function(X))
    assert ours.margin_bounds_ == other.margin_bounds_


@given(tables(), st.sampled_from(["last", "average", "vote", "pocket", "best"]))
def test_sparse_rows_and_precomputed_kernels_give_what_dense_rows_give(table, keep):
    X, y = table
    dense = learned(X, y, keep=keep, max_iter=6, **QUADRATIC)
    sparse = learned(csr(X), y, keep=keep, max_iter=6, **QUADRATIC)
    K = (X @ X.T + 1) ** 2
    matrix = learned(K, y, kernel="precomputed", keep=keep, max_iter=6)
    for other, rows in ((sparse, csr(X)), (matrix, K)):
        assert_same_log(dense.log_, other.log_)
        np.testing.assert_array_equal(dense.dual_coef_, other.dual_coef_)
        scores = dense.decision_function(X), other.decision_function(rows)
        np.testing.assert_allclose(*scores, atol=1e-12)


def test_a_function_is_a_kernel():
    X, y = XOR
    function = lambda A, B, power: (A @ B.T + 1) ** power  # noqa: E731
    ours = learned(X, y, kernel=function, kernel_params={"power": 2})
    other = learned(X, y, **QUADRATIC)
    assert_same_log(ours.log_, other.log_)
    assert (ours.margin_bounds_, ours.radius_) == (None, None)
    np.testing.assert_array_equal(ours.decision_function(X), other.decision_function(X))


# -- The support -----------------------------------------------------------------------------------


@pytest.mark.parametrize("multi_class", ["ovr", "direct"])
@pytest.mark.parametrize("keep", ["pocket", "vote"])
def test_predictions_need_the_support_only(multi_class, keep):
    X, y = load_digits(n_class=3, return_X_y=True)
    X = X[:150] / 16
    model = quietly(KernelPerceptron(multi_class=multi_class, keep=keep), X, y[:150])
    n = len(model.support_)
    assert n < 150
    assert model.support_vectors_.shape == (n, 64)
    assert model.dual_coef_.shape == (3, n)
    np.testing.assert_array_equal(model.support_vectors_, X[model.support_])
    np.testing.assert_array_equal(model.n_support_, np.bincount(y[model.support_]))
    assert model.score(X, y[:150]) > 0.98


def test_scores_are_sums_over_the_support():
    X, y = XOR
    model = learned(X, y, **QUADRATIC)
    assert model.dual_coef_.shape == model.support_.shape
    K = (X @ model.support_vectors_.T + 1) ** 2 + 1
    np.testing.assert_allclose(model.decision_function(X), K @ model.dual_coef_)


@pytest.mark.parametrize("kernel", KERNELS)
def test_sparse_rows_may_have_long_indices(kernel):
    """scikit-learn's distances take 32 bits only."""
    X, y = np.array([[0.0, 1], [1, 0], [2, 3], [1, 1]]), [0, 1, 0, 1]
    S = csr(X)
    S.indices, S.indptr = S.indices.astype(np.int64), S.indptr.astype(np.int64)
    model = quietly(KernelPerceptron(kernel), S, y)
    assert np.array_equal(model.decision_function(S), model.decision_function(csr(X)))
    same = quietly(KernelPerceptron(kernel), csr(X), y)
    assert np.array_equal(model.dual_coef_, same.dual_coef_)


def test_no_bracket_where_there_may_be_no_feature_space():
    X, y = XOR
    for given_ in ({"kernel": "sigmoid"}, {"kernel": "poly", "coef0": -1.0}):
        model = quietly(KernelPerceptron(**given_, max_iter=20), X, y)
        assert (model.margin_bounds_, model.radius_) == (None, None)
        assert model.stop_reason_ in ("separated", "max_iter")
    for name in ("linear", "poly", "rbf", "laplacian", "cosine"):
        low, high = quietly(KernelPerceptron(name, max_iter=20), X, y).margin_bounds_
        assert 0 <= low <= high <= 1


def test_the_bracket_of_xor_holds_the_best_margin():
    # On (x·z + 1)² + 1 with corners ±1, the product x₁x₂ separates: margin √2 of R = √10.
    X, y = 2 * XOR[0] - 1, XOR[1]
    model = KernelPerceptron(**QUADRATIC, min_margin=0).fit(X, y)
    low, high = model.margin_bounds_
    assert model.radius_ == pytest.approx(np.sqrt(10))
    assert low <= np.sqrt(2 / 10) <= high


# -- Online ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("keep", ["last", "average"])
@given(table=tables(most=14), cut=st.integers(1, 13))
def test_blocks_of_rows_give_what_one_pass_gives(keep, table, cut):
    X, y = table
    given_ = {"keep": keep, "min_margin": 0, **QUADRATIC}
    whole = KernelPerceptron(**given_).partial_fit(X, y, classes=[0, 1])
    parts = KernelPerceptron(**given_).partial_fit(X[:cut], y[:cut], classes=[0, 1])
    if cut < len(X):
        parts.partial_fit(X[cut:], y[cut:])
    assert parts.n_updates_ == whole.n_updates_
    np.testing.assert_allclose(parts.decision_function(X), whole.decision_function(X), atol=1e-9)
    once = learned(X, y, shuffle=False, max_iter=1, **given_)
    np.testing.assert_allclose(whole.decision_function(X), once.decision_function(X), atol=1e-9)


def test_partial_fit_goes_on_from_the_last_hypothesis_of_fit():
    X, y = make_circles(60, noise=0.2, random_state=0)
    model = quietly(KernelPerceptron(max_iter=2, shuffle=False), X[:40], y[:40])
    last = quietly(KernelPerceptron(max_iter=2, shuffle=False, keep="last"), X[:40], y[:40])
    for each in (model, last):
        each.partial_fit(X[40:], y[40:])
    np.testing.assert_allclose(model.decision_function(X), last.decision_function(X), atol=1e-9)
    assert model.gamma_ == last.gamma_ == gamma_value("scale", X[:40])
    assert (model.support_ == -1).any()
    assert model.support_.max() < 20
    assert model.n_support_.sum() == len(model.support_vectors_) == len(model.dual_coef_)


# -- Refusals --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("params", "X", "message"),
    [
        ({"kernel": "precomputed"}, np.ones((4, 3)), "must be square, got the shape"),
        ({"kernel": "precomputed"}, np.triu(np.ones((4, 4))), r"must be symmetric: K\[0, 1\] is 1"),
        ({"kernel": "precomputed"}, csr(np.eye(4)), "must be a dense matrix"),
        ({"kernel": "spline"}, XOR[0], "kernel='spline' is not known; kernel is one of 'linear'"),
        ({"gamma": 0}, XOR[0], "gamma must be a number above 0"),
        ({"gamma": "large"}, XOR[0], "gamma='large' is not known"),
        ({"degree": -1}, XOR[0], "degree must be a number above 0"),
        ({"coef0": np.nan}, XOR[0], "coef0 must be"),
        ({"cache_size": 0}, XOR[0], "cache_size must be a number above 0"),
        ({"kernel_params": True}, XOR[0], "kernel_params must be a dict or None, got True"),
        ({"kernel": lambda A, B: A}, np.ones((4, 3)), "must take two matrices"),
        ({"kernel": "poly", "degree": 99, "gamma": 1.0}, 1e9 * XOR[0], "infinite or NaN"),
        ({"kernel": "precomputed", "rule": "pa"}, -2 * np.eye(4), "not positive for row 0"),
    ],
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_what_is_refused(params, X, message):
    with pytest.raises(ValueError, match=message):
        KernelPerceptron(**params).fit(X, XOR[1])


def test_partial_fit_of_a_matrix_is_refused():
    with pytest.raises(ValueError, match="partial_fit needs rows"):
        KernelPerceptron("precomputed").partial_fit(np.eye(4), XOR[1], classes=[-1, 1])
    with pytest.raises(ValueError, match="keep='vote' needs all"):
        KernelPerceptron(keep="vote").partial_fit(*XOR, classes=[-1, 1])


def test_the_warning_says_why_the_question_is_open():
    X, y = np.zeros((4, 1)), [0, 1, 0, 1]
    with pytest.warns(match="whether they can be separated is open: settle='never'"):
        KernelPerceptron(max_iter=5, settle="never").fit(X, y)
    with pytest.warns(match="max_iter=1 passes, mistakes in the last: 4; the returned hypothesis"):
        KernelPerceptron("precomputed", max_iter=1, shuffle=False).fit(np.eye(4), y)


# -- Among scikit-learn's tools --------------------------------------------------------------------


def expected(estimator):
    default = estimator.keep == "pocket" and estimator.kernel == "rbf"
    return EXPECTED | POCKETED if default else EXPECTED


@parametrize_with_checks(
    [KernelPerceptron(max_iter=30), KernelPerceptron("precomputed", max_iter=30)],
    expected_failed_checks=expected,
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


@pytest.mark.slow
@parametrize_with_checks(
    [
        KernelPerceptron("linear", max_iter=30, keep="average"),
        KernelPerceptron(max_iter=30, keep="vote", cache_size=0.02),
        KernelPerceptron("poly", max_iter=30, multi_class="direct"),
    ],
    expected_failed_checks=expected,
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_scikit_learns_own_checks_of_other_configurations(estimator, check):
    check(estimator)


def test_a_matrix_is_cut_both_ways_in_cross_validation():
    X, y = make_circles(60, factor=0.3, random_state=0)
    assert clone(KernelPerceptron("precomputed")).__sklearn_tags__().input_tags.pairwise
    K = pairwise.rbf_kernel(X, gamma=2)
    scores = [
        cross_val_score(model, rows, y, cv=3)
        for model, rows in ((KernelPerceptron("precomputed"), K), (KernelPerceptron(gamma=2), X))
    ]
    np.testing.assert_array_equal(*scores)


@pytest.mark.parametrize("keep", ["pocket", "vote"])
def test_a_pickle_predicts_the_same(keep):
    X, y = make_circles(50, noise=0.1, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = KernelPerceptron(keep=keep, max_iter=5).fit(X, y)
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copy.decision_function(X), model.decision_function(X))


# -- Defaults --------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("keep", ["last", "average"])
@pytest.mark.parametrize("kernel", ["rbf", "poly"])
def test_the_defaults_make_few_more_mistakes_on_digits_than_a_support_vector_machine(kernel, keep):
    X, y = load_digits(return_X_y=True)
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    models = KernelPerceptron(kernel, keep=keep), SVC(kernel=kernel)
    right = [cross_val_score(model, X / 16, y, cv=folds).mean() for model in models]
    assert 1 - right[0] <= 1.5 * (1 - right[1])


def test_the_automatic_rule_is_the_textbooks_for_two_classes_and_has_margins_for_several():
    rng = np.random.RandomState(0)
    X, y = rng.randint(-2, 3, (30, 2)) + 0.0, rng.randint(3, size=30)
    for labels, rule in ((y > 0, "rosenblatt"), (y, "pa")):
        auto = KernelPerceptron(max_iter=4, record=True).fit(X, labels)
        named = KernelPerceptron(max_iter=4, record=True, rule=rule).fit(X, labels)
        assert np.array_equal(auto.log_.i, named.log_.i)
        assert np.array_equal(auto.log_.c, named.log_.c)
    sums = KernelPerceptron(max_iter=4, batch_size=2).fit(X, y)
    assert np.array_equal(sums.dual_coef_, np.round(sums.dual_coef_))
    with pytest.raises(ValueError, match="rule='auto' is not known"):
        Perceptron(rule="auto").fit(X, y)


# -- Rounding --------------------------------------------------------------------------------------


CUBE = np.array([[0.0, 0, 1], [1, 1, 1], [0, 1, 0], [0, 0, 1], [0, 1, 0], [0, 0, 0], [1, 0, 1],
                 [0, 0, 0], [1, 1, 1], [0, 0, 0], [0, 1, 0], [1, 0, 0]])  # fmt: skip


def test_rows_on_the_border_but_for_rounding_are_not_separated():
    """Their scores are e⁻¹ + e⁻² - e⁻¹ - e⁻², in some order."""
    y = np.array([0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0])
    model = KernelPerceptron(gamma=1.0, eta0=0.3, fit_intercept=False, random_state=2)
    for settle in ("never", "auto"):
        quietly(model.set_params(settle=settle), CUBE, y)
        assert model.converged_ == (model.stop_reason_ == "separated") == (settle == "auto")
        assert model.converged_ == (model.score(CUBE, y) == 1.0)
    quietly(model.set_params(settle="never"), CUBE, y).partial_fit(CUBE, y)
    # How the processor rounds decides whether the pass moves it; if so, it separates by a margin.
    margins = model.decision_function(CUBE) * (2 * y - 1)
    assert model.converged_ == (margins.min() > 0.01)
    assert model.stop_reason_ != "separated"


CORNERS = np.array([[0.0, 1, 0], [0, 0, 1], [1, 1, 1], [0, 1, 1], [1, 1, 0]])


@pytest.mark.parametrize("stored", [np.asarray, csr])
@pytest.mark.parametrize(
    ("eta0", "certain"), [(0.5, True), (1.5, True), (0.25, True), (0.1, False)]
)
def test_points_on_the_border_count_as_boundary_says_if_their_scores_are_exact(
    eta0, certain, stored
):
    """With eta0=0.1 the score of one row is 0 or 1e-17, as its terms happen to be summed."""
    model = KernelPerceptron(
        "poly", gamma=0.5, degree=1, coef0=0.5, order="worst", keep="best", settle="never",
        boundary=-1, eta0=eta0, random_state=1,
    )  # fmt: skip
    y = np.array([1, 0, 0, 1, 0])
    quietly(model, stored(CORNERS), y).partial_fit(stored(CORNERS), y)
    assert (np.abs(model.decision_function(CORNERS)) < 1e-9 * eta0).any()
    assert model.converged_ == certain
    assert model.score(CORNERS, y) == 1.0 or not certain


def test_sums_are_exact_where_fractions_say_so():
    rng = np.random.default_rng(0)
    for _ in range(300):
        A = rng.integers(-9, 10, (4, 3)) * 2.0 ** rng.integers(-40, 41, (4, 3))
        b = rng.integers(-9, 10, (1, 3)) * 2.0 ** rng.integers(-40, 41, (1, 3))
        for a, exact in zip(A, exact_sums(A, b, 3), strict=True):
            sums = {x + y + z for x, y, z in permutations((a * b[0]).tolist())}
            true = sum(Fraction(x) * Fraction(y) for x, y in zip(a, b[0], strict=True))
            assert not exact or sums == {true}
    assert exact_sums(np.array([[1.0, 3.0], [1.0, 2.0**51]]), np.ones((1, 2)), 2).tolist() == [
        True,
        False,
    ]


@pytest.mark.parametrize("stored", [np.asarray, csr])
def test_rbf_far_from_the_origin(stored):
    rng = np.random.RandomState(0)
    X = 1.6e9 + rng.randint(5, size=(40, 3)) * 1.0
    X = np.unique(X, axis=0)
    distances = ((X[:, None] - X) ** 2).sum(axis=2)
    kernel = make_kernel(KernelPerceptron(gamma=0.5).get_params(), X)
    K = kernel.between(stored(X), stored(X)) - 1
    np.testing.assert_allclose(K, np.exp(-0.5 * distances), atol=1e-15)
    model = KernelPerceptron(gamma=0.5).fit(stored(X), np.arange(len(X)) % 2)
    assert model.converged_
    assert model.score(stored(X), np.arange(len(X)) % 2) == 1.0


def test_rows_that_vanish_in_the_feature_space_are_refused():
    model = KernelPerceptron(kernel="poly", degree=2, coef0=0, fit_intercept=False)
    with pytest.raises(ValueError, match="row 1 of X is too short for floating point"):
        model.fit([[1.0], [1e-90], [0.0]], [0, 1, 1])
    quietly(model, [[1.0], [2.0]], [0, 1])
    with pytest.raises(ValueError, match="row 0 of X is too short for floating point"):
        model.partial_fit([[1e-90]], [1])


def test_the_cosine_of_short_rows_is_that_of_long_ones_dense_and_sparse():
    X = np.array([[3.0, 4], [0, 0], [-4, 3], [4, 3]])
    kernel = make_kernel(KernelPerceptron("cosine", fit_intercept=False).get_params(), X)
    wanted = pairwise.cosine_similarity(X)
    for size in (1.0, 1e-20, 1e-200, 1e-320, 1e300):
        for A in (X * size, csr(X * size)):
            for B in (X * size, csr(X * size)):
                np.testing.assert_allclose(kernel.between(A, B), wanted, atol=1e-3, rtol=0)
        model = quietly(KernelPerceptron("cosine"), csr(X * size), [0, 1, 1, 0])
        assert model.converged_ == (model.score(X * size, [0, 1, 1, 0]) == 1.0)


@pytest.mark.parametrize("keep", ["last", "average"])
def test_scores_that_overflow_are_refused_in_predictions(keep):
    X, y = datasets.xor()
    model = KernelPerceptron("poly", gamma=1.0, keep=keep).fit(X, y)
    with pytest.raises(ValueError, match="scores overflowed"):
        model.predict([[1e150, 1e150]])


def test_inner_products_that_overflow_are_not_hidden_by_tanh():
    X, y = np.array([[-1e27, 0], [-3e177, -3e177], [2e220, -3e220]]), [1, 1, 0]
    with pytest.raises(ValueError, match="infinite or NaN"):
        KernelPerceptron("sigmoid", 1.0).fit(X, y)
    model = KernelPerceptron("sigmoid", 1.0).fit([[1e100], [-1e100]], [1, 0])
    with pytest.raises(ValueError, match="scores overflowed"):
        model.predict([[1e250]])


def test_a_rule_that_was_added_is_known(monkeypatch):
    monkeypatch.setitem(RULES, "double", lambda eta0, margin, C: Rule(rate=2 * eta0))
    model = KernelPerceptron(rule="double").fit(*datasets.xor())
    assert model.stop_reason_ == "separated"
    assert set(np.abs(model.dual_coef_).ravel() % 2) == {0}
