"""A citizen of scikit-learn, with the numbers of its Perceptron."""

import pickle
import warnings

import numpy as np
import pytest
from sklearn.base import ClassifierMixin, clone
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Perceptron as Peer
from sklearn.metrics import accuracy_score
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks
from specimens import csr, plain

from rosenblatt import Perceptron, datasets, fewest_mistakes, max_margin

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

VISITS = "a step depends on the visit, so a row of weight 2 is not two visits"
EXPECTED = {
    "check_sample_weight_equivalence_on_dense_data": VISITS,
    "check_sample_weight_equivalence_on_sparse_data": VISITS,
}
AGAIN = {"check_supervised_y_2d": "fits twice, and a warm start goes on from the first fit"}
CONFIGURATIONS = [  # each way through the code is in one of them
    {},
    {"settle": "never", "form": "dual"},
    {"keep": "vote", "multi_class": "ovr"},
]
OTHERS = [
    {"penalty": "elasticnet"},
    {"scale": "standard"},
    {"keep": "average", "rule": "pa1"},
    {"order": "random", "batch_size": "all"},
    {"warm_start": True, "max_iter": 1000},
    {"settle": "never"},
    {"keep": "average"},
    {"keep": "vote"},
    {"form": "dual"},
    {"multi_class": "ovr"},
    {"rule": "pa1"},
    {"order": "random"},
    {"batch_size": "all"},
    {"settle": "first"},
    {"keep": "last"},
    {"keep": "best"},
    {"rule": "margin"},
    {"order": "active"},
    {"boundary": -1},
    {"record": True},
]
# scikit-learn weighs the classes 1000 to 0.0001 and wants nearly all rows called the heavy one.
LOPSIDED = {
    "pa": "a projection step times 1000 overshoots and diverges",
    "pa2": "a projection step times 1000 overshoots and diverges",
    "relaxation": "a projection step times 1000 overshoots and diverges",
    "worst": "the row furthest behind is of the light class, whose steps are next to nothing",
    "10": "30 passes of mini-batches are too few for a step of 0.0001",
}
CORNERS = [
    {"rule": "pa"},
    {"rule": "pa2"},
    {"rule": "relaxation"},
    {"order": "worst"},
    {"batch_size": 10},
]  # early_stopping refuses tables too small to hold back a row of a class, as scikit-learn does


@parametrize_with_checks(
    [Perceptron(**{"max_iter": 30} | given) for given in CONFIGURATIONS],
    expected_failed_checks=lambda estimator: EXPECTED,
)
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


@pytest.mark.slow
@parametrize_with_checks(
    [Perceptron(**{"max_iter": 30} | given) for given in OTHERS],
    expected_failed_checks=lambda estimator: EXPECTED | (AGAIN if estimator.warm_start else {}),
)
def test_scikit_learns_own_checks_of_other_configurations(estimator, check):
    check(estimator)


def lopsided(estimator):
    words = (str(getattr(estimator, name)) for corner in CORNERS for name in corner)
    reason = next(LOPSIDED[word] for word in words if word in LOPSIDED)
    return EXPECTED | {"check_class_weight_classifiers": reason}


@pytest.mark.slow
@parametrize_with_checks(
    [Perceptron(**{"max_iter": 30} | given) for given in CORNERS],
    expected_failed_checks=lopsided,
)
def test_scikit_learns_own_checks_in_the_corners(estimator, check):
    check(estimator)


# -- The same numbers ------------------------------------------------------------------------------


def both(X, y, passes, sample_weight=None, **shared):
    """Our hypothesis and scikit-learn's, after the same visits."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        peer = Peer(max_iter=passes, tol=None, shuffle=False, **shared)
        peer.fit(X, y, sample_weight=sample_weight)
    ours = {"keep": "last", "shuffle": False, "max_iter": passes, "multi_class": "ovr", **shared}
    model = plain(X, y, {"sample_weight": sample_weight}, **ours)
    return [np.column_stack((m.coef_, m.intercept_)) for m in (model, peer)]


def exact(n, d, classes, seed):
    rng = np.random.RandomState(seed)
    return rng.randint(-12, 13, (n, d)) / 4, rng.choice(classes, n)


@pytest.mark.parametrize("passes", [1, 2, 7, 40])
@pytest.mark.parametrize("classes", [2, 3, 5])
@pytest.mark.parametrize("eta0", [1.0, 0.25])
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_exact_data_give_equal_weights(passes, classes, eta0, fit_intercept):
    for seed in range(3):
        X, y = exact(60, 4, classes, seed)
        ours, peers = both(X, y, passes, eta0=eta0, fit_intercept=fit_intercept)
        np.testing.assert_array_equal(ours, peers)


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize(("n", "d"), [(200, 5), (50, 80)])
def test_random_data_give_the_same_weights_to_rounding(classes, n, d):
    rng = np.random.RandomState(0)
    X, y = rng.standard_normal((n, d)), rng.choice(classes, n)
    np.testing.assert_allclose(*both(X, y, 10), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("classes", [2, 3])
def test_weights_of_classes_and_rows_scale_alike(classes):
    X, y = exact(60, 4, classes, 0)
    sample = np.array([0.25, 1.0, 2.0])[np.arange(60) % 3]
    given = {k: 0.5 * (k + 1) for k in range(classes)}
    np.testing.assert_array_equal(*both(X, y, 5, sample_weight=sample))
    np.testing.assert_array_equal(*both(X, y, 5, class_weight=given))
    np.testing.assert_array_equal(*both(X, y, 5, sample_weight=sample, class_weight=given))
    np.testing.assert_allclose(*both(X, y, 5, class_weight="balanced"), rtol=1e-9, atol=1e-9)


def test_separable_data_give_scikit_learns_separator():
    X, y = datasets.clouds(200, 4, 0.1)
    np.testing.assert_allclose(*both(X, y, 500), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_sparse_rows_give_what_dense_rows_give(seed):
    X, y = exact(60, 4, 3, seed)
    dense, sparse = (plain(rows, y, shuffle=False, max_iter=9) for rows in (X, csr(X)))
    np.testing.assert_array_equal(dense.coef_, sparse.coef_)
    np.testing.assert_array_equal(dense.intercept_, sparse.intercept_)


# -- Among its tools -------------------------------------------------------------------------------


def test_a_clone_has_the_parameters_and_nothing_else():
    model = Perceptron(rule="pa1", C=0.5, keep="average").fit(*datasets.textbook())
    twin = clone(model)
    assert twin.get_params() == model.get_params()
    assert not hasattr(twin, "coef_")


@pytest.mark.parametrize("keep", ["pocket", "vote"])
def test_a_pickle_predicts_the_same(keep):
    X, y = datasets.clouds(100, 3, 0.05)
    model = Perceptron(keep=keep, record=True).fit(X, y)
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copy.decision_function(X), model.decision_function(X))
    np.testing.assert_array_equal(copy.log_.i, model.log_.i)


def test_a_grid_search_over_names_and_numbers():
    X, y = datasets.clouds(120, 3, 0.05, flip=10)
    grid = {"keep": ["last", "pocket"], "rule": ["rosenblatt", "pa1"], "batch_size": [1, 4, "all"]}
    search = GridSearchCV(Perceptron(max_iter=20), grid, cv=3).fit(X, y)
    assert len(search.cv_results_["params"]) == 12
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    assert search.best_score_ > 0.7


def test_a_pipeline_scales_and_separates():
    X, y = datasets.credit()
    pipeline = make_pipeline(StandardScaler(), Perceptron(max_iter=10_000, settle="never"))
    assert pipeline.fit(X, y)[-1].stop_reason_ == "separated"
    assert pipeline.score(X, y) == 1
    assert cross_val_score(pipeline, X, y, cv=3).min() > 0.9


@pytest.mark.parametrize("params", [{"max_iter": 50, "tol": 1e-3, "eta0": 0.5}, {"n_jobs": 2}])
def test_a_script_written_for_scikit_learn_runs(params):
    X, y = datasets.clouds(100, 3, 0.1)
    ours = Perceptron(fit_intercept=True, random_state=0, verbose=0, **params).fit(X, y)
    peer = Peer(fit_intercept=True, random_state=0, verbose=0, **params).fit(X, y)
    assert ours.coef_.shape == peer.coef_.shape
    assert ours.intercept_.shape == peer.intercept_.shape
    assert ours.classes_.tolist() == peer.classes_.tolist()
    assert ours.decision_function(X).shape == peer.decision_function(X).shape


# -- In notebooks, and arrays of other libraries ---------------------------------------------------


def test_notebooks_show_the_verdict_with_the_model():
    model = Perceptron().fit(*datasets.xor())
    said = "not separable, proved (1 training row wrong)"
    assert said in model._repr_html_()
    assert said in model._repr_mimebundle_()["text/html"]
    assert "training row" not in Perceptron()._repr_html_()
    each = Perceptron(multi_class="ovr").fit(*load_iris(return_X_y=True))._repr_html_()
    assert "0: separated (0 training rows wrong); 1: not separable, proved" in each


def test_notebooks_show_margins_and_counts():
    X, y = datasets.textbook()
    assert "and none exceeds 1.41421" in max_margin(X, y)._repr_html_()
    assert "1 mistakes of 4 rows" in fewest_mistakes(*datasets.xor())._repr_html_()


class Elsewhere:
    """An array on a device that NumPy cannot read."""

    device = "cuda:0"

    def __dlpack__(self):
        raise AssertionError("nobody asks for it")

    def __array__(self, *_, **__):
        raise TypeError("can't convert cuda:0 device type tensor to numpy")


class Here(Elsewhere):
    """An array of another library that NumPy can read."""

    def __array__(self, *_, **__):
        return np.array([[3.0, 3.0], [4.0, 3.0], [1.0, 1.0]])


def test_arrays_of_other_libraries_are_taken_or_refused_in_a_sentence():
    y = [1, 1, -1]
    model = Perceptron().fit(Here(), y)
    assert model.predict(Here()).tolist() == y
    with pytest.raises(TypeError, match="X is an array of test_sklearn on cuda:0, which NumPy"):
        Perceptron().fit(Elsewhere(), y)
    with pytest.raises(TypeError, match="y is an array of test_sklearn on cuda:0, which NumPy"):
        Perceptron().fit(Here(), Elsewhere())


@pytest.mark.parametrize("kind", [int, np.int8, bool, str, float])
def test_the_score_is_that_of_scikit_learn(kind):
    X, y = datasets.clouds(300, 3, margin=0.0, flip=30)
    y = (y > 0).astype(int).astype(kind)
    model = Perceptron(max_iter=2, settle="never").fit(X, y)
    for labels in (y, y.tolist(), y[::-1], np.roll(y, 7)):
        assert model.score(X, labels) == accuracy_score(labels, model.predict(X))
    weight = np.arange(300.0)
    assert model.score(X, y, weight) == ClassifierMixin.score(model, X, y, weight)
    with pytest.raises(ValueError, match=r"inconsistent numbers of samples: \[300, 299\]|299"):
        model.score(X, y[1:])
