"""What must not matter does not: the order of columns, scale, names of classes, storage, files.

That all storages make the mistakes of the textbook is in core/test_loop.py; that verdicts are those
of an exact enumeration, in separability/test_certify.py; that the bound holds, in
test_mistake_bound.py.
"""

import pickle
from functools import partial

import naive
import numpy as np
import onnxruntime
import pytest
import skops.io
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from specimens import assert_same_log, csr, plain, plans, quietly, tables

from rosenblatt import Perceptron, certify, load, novikoff, save, to_onnx, verify

TWISTS = ("", "constant", "repeated", "zero", "one-hot", "wide", "thin")


@st.composite
def twisted(draw, classes=2):
    """Tables of quarters with what is found in real ones: ties, zero rows, one-hot columns, …"""
    X, y = draw(tables(classes=classes))
    twist = draw(st.sampled_from(TWISTS))
    if twist == "constant":
        X[:, 0] = 1.5
    elif twist == "repeated":
        X[-1] = X[0]
    elif twist == "zero":
        X[0] = 0
    elif twist == "one-hot":
        X = np.hstack((X[:, :1], X[:, :1] == np.unique(X[:, 0])))
    elif twist == "wide":
        X = np.hstack((X, X[:, ::-1] * 2, np.eye(len(X))))
    elif twist == "thin":
        X = X[:, :1].copy()
    return X, y


def hypothesis_of(model):
    return np.column_stack((model.coef_, model.intercept_))


forms = st.sampled_from(["dense", "csr", "dual"])


def in_form(form, X, y, **params):
    """A plain run over rows in one of the forms."""
    return plain(
        csr(X) if form == "csr" else X, y, form="dual" if form == "dual" else "primal", **params
    )


# -- What does not matter --------------------------------------------------------------------------


@given(twisted(), plans(), forms, st.randoms(use_true_random=False))
def test_the_order_of_columns_is_that_of_the_weights(table, params, form, random):
    X, y = table
    order = list(range(X.shape[1]))
    random.shuffle(order)
    one, other = in_form(form, X, y, **params), in_form(form, X[:, order], y, **params)
    assert_same_log(other.log_, one.log_)
    np.testing.assert_array_equal(other.coef_, one.coef_[:, order])
    np.testing.assert_array_equal(other.intercept_, one.intercept_)
    assert other.stop_reason_ == one.stop_reason_


@given(twisted(), plans(rules=("rosenblatt",)), forms, st.integers(-300, 300))
def test_a_power_of_two_scales_the_weights_and_nothing_else(table, params, form, power):
    X, y = table
    params |= {"fit_intercept": False}
    one, other = in_form(form, X, y, **params), in_form(form, X * 2.0**power, y, **params)
    assert_same_log(other.log_, one.log_)
    np.testing.assert_array_equal(other.coef_, one.coef_ * 2.0**power)
    assert other.margin_bounds_ == pytest.approx(one.margin_bounds_, rel=1e-12)


@given(twisted(), plans(), forms, st.integers(-20, 20))
def test_the_learning_rate_scales_the_weights_and_nothing_else(table, params, form, power):
    X, y = table
    params |= {"rule": "rosenblatt", "eta0": 1.0}
    one = in_form(form, X, y, **params)
    other = in_form(form, X, y, **params | {"eta0": 2.0**power})
    np.testing.assert_array_equal(other.log_.i, one.log_.i)
    np.testing.assert_array_equal(hypothesis_of(other), hypothesis_of(one) * 2.0**power)


@given(twisted(), plans(), forms, st.sampled_from(["mistake", 1, -1]))
def test_classes_the_other_way_round_flip_the_signs(table, params, form, boundary):
    X, y = table
    swapped = boundary if boundary == "mistake" else -boundary
    one = in_form(form, X, y, boundary=boundary, **params)
    other = in_form(form, X, 1 - y, boundary=swapped, **params)
    np.testing.assert_array_equal(other.log_.t, one.log_.t)
    np.testing.assert_array_equal(other.log_.i, one.log_.i)
    np.testing.assert_array_equal(hypothesis_of(other), -hypothesis_of(one))
    assert other.stop_reason_ == one.stop_reason_
    if boundary != "mistake" or params["keep"] != "vote":  # whose voters call 0 positive
        assert other.converged_ == one.converged_
    if boundary != "mistake":
        np.testing.assert_array_equal(other.predict(X), 1 - one.predict(X))


@given(twisted(), st.booleans(), st.integers(-300, 300), st.randoms(use_true_random=False))
def test_the_verdict_is_that_of_the_same_data_in_another_dress(table, intercept, power, random):
    X, y = table
    rows, columns = list(range(len(y))), list(range(X.shape[1]))
    random.shuffle(rows)
    random.shuffle(columns)
    wanted = certify(X, y, fit_intercept=intercept).verdict
    for other, labels in (
        (X[rows][:, columns], y[rows]),
        (np.vstack((X, X)), np.append(y, y)),
        (X if intercept else X * 2.0**power, 1 - y),
        (csr(X), np.array(["no", "yes"])[y]),
    ):
        certificate = certify(other, labels, fit_intercept=intercept)
        assert certificate.verdict == wanted
        assert verify(certificate, other, labels)


@given(twisted(), st.sampled_from(["after", "first"]), forms)
def test_every_small_question_is_settled_rightly(table, settle, form):
    X, y = table
    rows, form = (csr(X) if form == "csr" else X), "dual" if form == "dual" else "primal"
    model = quietly(Perceptron(settle=settle, form=form), rows, y)
    separable = naive.verdict(X, 2 * y - 1, True) == "separable"
    assert model.stop_reason_ == ("separated" if separable else "inseparable")
    assert model.converged_ == separable == (model.score(X, y) == 1)
    if separable and not model.settled_:
        assert novikoff(model, rows, y).holds


# -- Few rows and many classes ---------------------------------------------------------------------


@given(st.lists(st.integers(-(2**20), 2**20), min_size=2, max_size=8), st.booleans())
def test_two_rows_are_separated_unless_they_are_one(numbers, first):
    half = len(numbers) // 2
    X = np.array([numbers[:half], numbers[half : 2 * half]], float)
    model = quietly(Perceptron(settle="first" if first else "after"), X, [0, 1])
    assert model.converged_ == bool((X[0] != X[1]).any())
    assert model.stop_reason_ == ("separated" if model.converged_ else "inseparable")


@settings(max_examples=settings().max_examples // 8)
@given(st.integers(0, 2**31), st.integers(1, 3), plans(), forms)
def test_each_of_fifty_classes_learns_as_if_alone(seed, d, params, form):
    rng = np.random.RandomState(seed)
    X, y = rng.randint(-8, 9, (60, d)) / 4, rng.permutation(np.arange(60) % 50)
    params |= {"order": "sweep", "shuffle": False, "multi_class": "ovr"}
    model = in_form(form, X, y, **params)
    assert model.coef_.shape == (50, d)
    for k in range(0, 50, 7):
        alone = in_form(form, X, y == k, **params)
        assert_same_log(model.log_[k], alone.log_)
        np.testing.assert_array_equal(model.coef_[k], alone.coef_[0])
        assert model.stop_reason_[k] == alone.stop_reason_


# -- Online ----------------------------------------------------------------------------------------


@given(twisted(), plans(), st.lists(st.integers(1, 9), max_size=4), st.data())
def test_any_cut_gives_the_hypothesis_of_one_pass(table, params, cuts, data):
    X, y = table
    params |= {"max_iter": 1, "max_updates": None, "order": "sweep", "shuffle": False}
    params |= {"batch_size": 1, "keep": data.draw(st.sampled_from(["last", "average"]))}
    online = Perceptron(**params)
    weight = np.array(data.draw(st.lists(st.sampled_from([0.5, 1, 2]), min_size=10, max_size=10)))
    for part in np.split(np.arange(len(y)), sorted({c for c in cuts if c < len(y)})):
        rows = csr(X[part]) if data.draw(st.booleans()) else X[part]
        online.partial_fit(rows, y[part], classes=[0, 1], sample_weight=weight[part])
    whole = plain(X, y, given={"sample_weight": weight[: len(y)]}, **params)
    np.testing.assert_array_equal(hypothesis_of(online), hypothesis_of(whole))
    assert online.n_updates_ == whole.n_updates_


# -- Out and back ----------------------------------------------------------------------------------


def by_file(folder, model):
    save(model, folder / "model")
    return load(folder / "model")


def by_skops(model):
    data = skops.io.dumps(model)
    return skops.io.loads(data, trusted=skops.io.get_untrusted_types(data=data))


@given(st.data(), plans(), st.integers(2, 5), st.sampled_from(["ovr", "direct"]), st.booleans())
def test_what_comes_back_is_the_same_and_learns_on(
    tmp_path_factory, data, params, classes, multi_class, settle
):
    X, y = data.draw(twisted(classes=classes))
    params |= {"multi_class": multi_class, "settle": "after" if settle else "never"}
    model = quietly(Perceptron(**params), X, y)
    probe = np.vstack((X, -X, np.zeros_like(X[:1]), X / 8))
    folder = tmp_path_factory.mktemp("models")
    ways = [partial(by_file, folder), lambda m: pickle.loads(pickle.dumps(m)), by_skops]
    again = [way(model) for way in ways]
    for other in again:
        np.testing.assert_array_equal(
            other.decision_function(probe), model.decision_function(probe)
        )
        np.testing.assert_array_equal(other.predict(probe), model.predict(probe))
        assert other.get_params() == model.get_params()
        assert other.stop_reason_ == model.stop_reason_
    if params["keep"] != "vote":
        for each in (model, *again):
            each.partial_fit(X, y)
        for other in again:
            np.testing.assert_array_equal(hypothesis_of(other), hypothesis_of(model))


@given(st.data(), plans(), st.integers(2, 4), st.sampled_from(["mistake", 1, -1]))
def test_onnx_has_the_same_labels(data, params, classes, boundary):
    X, y = data.draw(twisted(classes=classes))
    assume(params["keep"] != "vote" or len(X) < 8)
    params["multi_class"] = "direct" if boundary == "mistake" else "ovr"
    model = quietly(Perceptron(**params, boundary=boundary, settle="never"), X, y)
    probe = np.vstack((X, -X, np.zeros_like(X[:1])))
    session = onnxruntime.InferenceSession(to_onnx(model).SerializeToString())
    label, score = session.run(["label", "score"], {"X": probe})
    if params["keep"] not in ("average", "vote"):  # whose divisions may round otherwise
        np.testing.assert_array_equal(label, model.predict(probe))
        np.testing.assert_array_equal(score, model.decision_function(probe))
    np.testing.assert_allclose(score, model.decision_function(probe), rtol=1e-12, atol=1e-9)
