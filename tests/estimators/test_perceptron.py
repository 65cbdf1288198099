"""The estimator: what it takes, what it says, and what it leaves alone."""

import pickle
import signal
import subprocess
import sys
import warnings
from contextlib import contextmanager

import naive
import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from specimens import csr, plain, quietly, tables, twin

from rosenblatt import Perceptron, datasets
from rosenblatt.estimators import classifier, perceptron, voting

X, Y = datasets.textbook()
XOR = datasets.xor()
THREE = np.array([[0.0, 1], [1, 0], [1, 1], [2, 1], [0, 0], [2, 2]]), np.array(list("abcabc"))


def hypothesis_of(model):
    return np.column_stack((model.coef_, model.intercept_))


def learned(model):
    """What a model has learned, as bytes."""
    return pickle.dumps({k: v for k, v in vars(model).items() if k not in model.get_params()})


# -- Bias and boundary -----------------------------------------------------------------------------


def test_the_bias_is_the_weight_of_a_constant_feature():
    with_one = np.column_stack((X, np.ones(3)))
    model = plain(X, Y, shuffle=False)
    explicit = plain(with_one, Y, shuffle=False, fit_intercept=False)
    assert explicit.coef_.tolist() == [[1, 1, -3]]
    assert explicit.intercept_.tolist() == [0]
    assert model.margin_bounds_ == explicit.margin_bounds_
    assert model.radius_ == explicit.radius_


def test_a_point_on_the_line_counts_as_the_boundary_says():
    X, y = [[1.0], [2.0], [-1.0]], [-1, 1, -1]
    first = {b: plain(X, y, shuffle=False, boundary=b).log_.i[0] for b in ("mistake", 1, -1)}
    assert first == {"mistake": 0, 1: 0, -1: 1}


def test_the_exercise_of_the_ntu_course():
    # Zero start, cyclic order; a point on the line counts as -1, so the first two rows are right.
    X, y = [[1.0, 2.0], [0.0, 1.0], [3.0, 1.0], [2.0, 2.0]], [-1, -1, 1, 1]
    model = plain(X, y, shuffle=False, boundary=-1, keep="last")
    assert (model.log_.t.tolist(), model.log_.i.tolist()) == ([2, 4], [2, 0])
    assert hypothesis_of(model).tolist() == [[2, -1, 0]]
    assert model.decision_function(X).tolist() == [0, -1, 5, 2]
    assert (model.stop_reason_, model.converged_, model.n_iter_) == ("separated", True, 3)
    assert model.predict(X).tolist() == y


@pytest.mark.parametrize(("boundary", "wanted"), [("mistake", "yes"), (1, "yes"), (-1, "no")])
def test_predict_on_the_hyperplane(boundary, wanted):
    model = plain([[1.0], [-1.0]], ["yes", "no"], boundary=boundary, fit_intercept=False)
    assert model.predict([[0.0]]).tolist() == [wanted]
    assert model.predict([[1e-9], [-1e-9]]).tolist() == ["yes", "no"]


@pytest.mark.parametrize("boundary", [1, -1])
def test_separated_is_meant_under_the_boundary(boundary):
    X, y = np.array([[0.0], [1.0], [-1.0]]) * boundary, np.array([1, -1, 1]) * boundary
    model = plain(X, y, boundary=boundary, fit_intercept=False)
    assert (model.stop_reason_, model.converged_) == ("separated", True)
    assert (model.predict(X) == y).all()
    assert not plain(X, y, fit_intercept=False).converged_


# -- Forms of data ---------------------------------------------------------------------------------


FRAME = pd.DataFrame(X, columns=["height", "width"])


@pytest.mark.parametrize(
    "rows",
    [
        X.tolist(),
        X.astype(int),
        X.astype(np.float32),
        np.asfortranarray(X),
        csr(X),
        csr(X, np.int64),
        csr(X).tocsc(),
        FRAME,
        pl.DataFrame({"height": X[:, 0], "width": X[:, 1]}),
    ],
    ids=["lists", "int", "float32", "fortran", "csr", "csr64", "csc", "pandas", "polars"],
)
def test_rows_in_any_dress(rows):
    model = plain(rows, Y, shuffle=False)
    assert (model.coef_.tolist(), model.intercept_.tolist()) == ([[1, 1]], [-3])
    assert model.predict(rows).tolist() == Y.tolist()


@pytest.mark.parametrize(
    "labels",
    [
        [1, 1, -1],
        ["yes", "yes", "no"],
        [True, True, False],
        [2.0, 2.0, 1.0],
        np.array(["yes", "yes", "no"], object),
        pd.Series(["yes", "yes", "no"]),
        pd.Series(["yes", "yes", "no"], dtype="category"),
        pl.Series(["yes", "yes", "no"]),
    ],
    ids=["±1", "str", "bool", "float", "object", "series", "category", "polars"],
)
def test_labels_of_any_kind(labels):
    model = plain(X, labels, shuffle=False)
    assert model.intercept_.tolist() == [-3]
    assert model.predict(X).tolist() == list(labels)
    assert model.classes_.tolist() == sorted(set(labels))


def test_names_of_features_are_kept():
    model = Perceptron().fit(FRAME, Y)
    assert model.feature_names_in_.tolist() == ["height", "width"]
    assert model.n_features_in_ == 2
    with pytest.raises(ValueError, match="feature names"):
        model.predict(FRAME.rename(columns={"width": "depth"}))
    assert not hasattr(model.fit(X, Y), "feature_names_in_")


def test_data_are_left_as_they_were():
    rows, dense = csr(X), X.copy()
    plain(rows, Y)
    plain(dense, Y)
    np.testing.assert_array_equal(rows.toarray(), X)
    np.testing.assert_array_equal(dense, X)
    dense.setflags(write=False)
    assert plain(dense, Y).converged_


# -- Weights and starts ----------------------------------------------------------------------------


@given(tables(), st.data())
def test_weights_scale_the_steps(table, data):
    X, codes = table
    y, n = 2 * codes - 1, len(codes)
    weight = data.draw(st.lists(st.sampled_from([0.25, 1, 2]), min_size=n, max_size=n))
    params = {"shuffle": False, "max_iter": 3, "keep": "last"}
    fast = plain(X, codes, {"sample_weight": weight}, class_weight={0: 2, 1: 0.5}, **params)
    slow = twin(X, y, params, weight=np.where(codes, 0.5, 2) * weight)
    assert (fast.log_.i.tolist(), fast.log_.c.tolist()) == (slow.i, slow.c)


def test_a_row_of_weight_zero_might_as_well_not_be_there():
    rows, y, weight = np.array([*X, [2, 9]]), np.array([1, -1, -1, -1]), np.array([1, 0, 1, 1])
    model = plain(rows, y, {"sample_weight": weight}, shuffle=False)
    without = plain(rows[weight > 0], y[weight > 0], shuffle=False)
    assert model.log_.i.tolist() == np.array([0, 2, 3])[without.log_.i].tolist()
    np.testing.assert_array_equal(hypothesis_of(model), hypothesis_of(without))
    assert (model.radius_, model.converged_) == (without.radius_, True)


@given(tables(), st.data())
def test_training_starts_where_it_is_told(table, data):
    X, codes = table
    numbers = st.integers(-8, 8).map(lambda k: k / 4)
    start = data.draw(st.lists(numbers, min_size=X.shape[1] + 1, max_size=X.shape[1] + 1))
    params = {"max_iter": 3, "keep": "last"}
    slow = twin(X, 2 * codes - 1, params, start=[start])
    given = {"coef_init": start[:-1], "intercept_init": start[-1]}
    for form in ("primal", "dual"):
        fast = plain(X, codes, given, form=form, **params)
        np.testing.assert_array_equal(hypothesis_of(fast), slow.last)
        assert fast.log_.i.tolist() == slow.i


def test_warm_start_goes_on_from_the_last_fit():
    params = {"shuffle": False, "keep": "last"}
    warm = Perceptron(warm_start=True, max_iter=1, settle="never", **params)
    quietly(quietly(warm, X, Y), X, Y)
    wanted = plain(X, Y, max_iter=2, **params)
    np.testing.assert_array_equal(hypothesis_of(warm), hypothesis_of(wanted))
    cold = quietly(quietly(warm.set_params(warm_start=False), X, Y), X, Y)
    assert cold.coef_.tolist() == plain(X, Y, max_iter=1, **params).coef_.tolist()


# -- Several classes -------------------------------------------------------------------------------


def test_one_vs_rest_has_lists_by_class():
    model = plain(*THREE, max_iter=30, multi_class="ovr")
    assert model.coef_.shape == (3, 2)
    for name in ("stop_reason_", "n_updates_", "mistakes_", "margin_bounds_", "conflict_", "log_"):
        assert isinstance(getattr(model, name), list)
        assert len(getattr(model, name)) == 3
    assert model.n_iter_ == max(map(len, model.mistakes_))
    assert model.dual_coef_.shape == (3, 6)


def test_one_vs_rest_converges_when_every_class_does():
    X, y = np.array([[0.0, 2], [2, 0], [-2, -2]]), [0, 1, 2]
    assert plain(X, y, multi_class="ovr").converged_ is True
    mixed = plain([*X, [0, 2.0]], [0, 1, 2, 1], multi_class="ovr")
    assert "separated" in mixed.stop_reason_
    assert mixed.converged_ is False


@pytest.mark.parametrize("params", [{}, {"keep": "vote"}, {"early_stopping": True}])
def test_threads_give_what_one_gives(params):
    rng = np.random.RandomState(0)
    X, y = rng.standard_normal((90, 4)), rng.choice(5, 90)
    params = params | {"multi_class": "ovr", "max_iter": 20}
    one, two = (plain(X, y, n_jobs=jobs, **params) for jobs in (1, 2))
    np.testing.assert_array_equal(hypothesis_of(one), hypothesis_of(two))
    assert one.n_updates_ == two.n_updates_
    assert one.stop_reason_ == two.stop_reason_


def test_the_direct_form_has_one_run():
    X, y = THREE
    model = plain(X, y, multi_class="direct", shuffle=False, max_iter=5)
    assert isinstance(model.n_updates_, int)
    assert model.log_.rival[0] == 1  # all scores are zero: the first wrong class is the rival
    assert (model.log_.own, model.log_.rival)[0].dtype.kind == "i"
    assert model.coef_.sum(axis=0).tolist() == [0, 0]  # what one class gains another loses


# -- partial_fit -----------------------------------------------------------------------------------


@pytest.mark.parametrize("keep", ["last", "average"])
@pytest.mark.parametrize("multi_class", ["ovr", "direct"])
@pytest.mark.parametrize("classes", [2, 3])
@given(data=st.data(), size=st.integers(1, 7))
def test_chunks_are_one_pass(keep, multi_class, classes, data, size):
    X, y = data.draw(tables(classes=classes, most=14))
    params = {"keep": keep, "multi_class": multi_class}
    online = Perceptron(**params)
    for part in naive.cut(np.arange(len(y)), size):
        online.partial_fit(X[part], y[part], classes=np.arange(classes))
    whole = plain(X, y, shuffle=False, max_iter=1, **params)
    np.testing.assert_array_equal(hypothesis_of(online), hypothesis_of(whole))
    total = np.sum(online.n_updates_), np.sum(whole.n_updates_)
    assert total[0] == total[1]


def test_partial_fit_goes_on_from_the_hypothesis_handed_back():
    params = {"shuffle": False, "settle": "never"}
    online = quietly(Perceptron(keep="last", max_iter=2, **params), X, Y).partial_fit(X, Y)
    wanted = plain(X, Y, keep="last", max_iter=3, shuffle=False)
    np.testing.assert_array_equal(hypothesis_of(online), hypothesis_of(wanted))
    assert online.mistakes_.tolist() == wanted.mistakes_.tolist()


@pytest.mark.parametrize("keep", ["pocket", "last", "average"])
def test_weights_changed_by_hand_are_gone_on_from(keep):
    model = quietly(Perceptron(keep=keep, max_iter=1, settle="never"), X, Y)
    model.coef_, model.intercept_ = np.array([[3.0, -5.0]]), np.array([0.25])
    start = {"coef_init": model.coef_, "intercept_init": model.intercept_}
    wanted = plain(X, Y, start, keep="last", max_iter=1, shuffle=False)
    model.set_params(keep="last").partial_fit(X, Y)
    np.testing.assert_array_equal(hypothesis_of(model), hypothesis_of(wanted))


@pytest.mark.parametrize("keep", ["pocket", "last", "average"])
def test_a_pickle_goes_on_as_the_model_does_and_holds_no_rows(keep):
    X, y = datasets.clouds(3000, 4, 0.01, flip=300)
    model = quietly(Perceptron(keep=keep, max_iter=2, settle="never"), X, y)
    assert len(pickle.dumps(model)) < 4000
    again = pickle.loads(pickle.dumps(model)).partial_fit(X, y)
    np.testing.assert_array_equal(hypothesis_of(model.partial_fit(X, y)), hypothesis_of(again))


@pytest.mark.parametrize("keep", ["last", "pocket", "average"])
@pytest.mark.parametrize("labels", [[0, 1, 1], [0, 1, 2]])
def test_a_bias_that_is_given_up_is_zero_when_learning_goes_on(keep, labels):
    model = Perceptron(keep=keep).fit([[10.0], [12], [13]], labels)
    model.set_params(fit_intercept=False)
    for _ in range(3):
        model.partial_fit([[-1.0], [1], [2]], labels)
    assert not model.intercept_.any()
    assert model.converged_ == (model.score([[-1.0], [1], [2]], labels) == 1)


def test_an_average_goes_on_until_somebody_changes_it():
    parts = naive.cut(np.arange(len(X)), 3)
    online = Perceptron(keep="average").partial_fit(X[parts[0]], Y[parts[0]], classes=[-1, 1])
    online.coef_ = online.coef_ * 1.0
    for part in parts[1:]:
        online.partial_fit(X[part], Y[part])
    wanted = plain(X, Y, keep="average", max_iter=1, shuffle=False)
    np.testing.assert_array_equal(hypothesis_of(online), hypothesis_of(wanted))


def test_partial_fit_is_one_pass_for_every_class():
    X, y = np.array([[0.0, 2], [2, 0], [-2, -2], [0, 2]]), [0, 1, 2, 1]
    model = plain(X, y, max_iter=9, multi_class="ovr")
    passes = [len(m) for m in model.mistakes_]
    assert len(set(passes)) > 1
    assert [len(m) for m in model.partial_fit(X, y).mistakes_] == [n + 1 for n in passes]


def test_partial_fit_does_not_warn_and_knows_no_dual():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = Perceptron().partial_fit(*XOR, classes=[-1, 1])
    assert model.dual_coef_ is None
    assert not model.converged_


def test_a_pickled_model_learns_on():
    online = Perceptron(keep="average").partial_fit(X[:2], Y[:2], classes=[-1, 1])
    copy = pickle.loads(pickle.dumps(online))
    for model in (online, copy):
        model.partial_fit(X[2:], Y[2:])
    np.testing.assert_array_equal(hypothesis_of(online), hypothesis_of(copy))


# -- Refusals leave the model as it was ------------------------------------------------------------


def refuse(*args, error=ValueError, method="fit", match, params=None, **given):
    return pytest.param(method, params or {}, args, given, error, match)


NAN, INF = np.array([[1.0, np.nan], [1, 2]]), np.array([[1.0, np.inf], [1, 2]])
TWO = np.array([[1.0, 2.0], [2.0, 1.0]])
REFUSALS = {
    "one class": refuse(X, ["spam"] * 3, match="y has one class, .spam.; a perceptron needs"),
    "no rows": refuse(np.empty((0, 2)), [], match=r"0 sample\(s\)"),
    "no columns": refuse(np.empty((2, 0)), [0, 1], match=r"0 feature\(s\)"),
    "nan": refuse(NAN, [0, 1], match="X contains NaN"),
    "infinity": refuse(INF, [0, 1], match="X contains infinity"),
    "sparse nan": refuse(csr(NAN), [0, 1], match="X contains NaN"),
    "short labels": refuse(X, [0, 1], match="inconsistent numbers of samples"),
    "no labels": refuse(X, None, match="requires y to be passed"),
    "nan label": refuse(X, [0.0, 1.0, np.nan], match="NaN"),
    "regression": refuse(X, [0.1, 0.2, 0.3], match="y is continuous: a perceptron learns classes"),
    "table of labels": refuse(X, np.eye(3), match="y should be a 1d array"),
    "three axes": refuse(np.ones((2, 2, 2)), [0, 1], match="dim 3"),
    "text": refuse([["a", "b"], ["c", "d"]], [0, 1], match="could not convert"),
    "frame with words": refuse(
        pd.DataFrame({"a": [1, 2], "b": ["u", "v"], "c": np.array(["2020-01-01"] * 2, "M8[D]")}),
        [0, 1],
        match=r"X has columns that are no numbers: 'b', 'c'\. Encode them first; rosenblatt.read",
    ),
    "words in polars": refuse(pl.DataFrame({"b": ["u", "v"]}), [0, 1], match="no numbers: 'b'"),
    "nan in a frame": refuse(pd.DataFrame({"a": [1, None]}), [0, 1], match="X contains NaN"),
    "objects as labels": refuse(
        X, np.array([0, 1, 0], object), match=r"Python objects \(int\).* with y.astype\(int\)"
    ),
    "lazy": refuse(
        pl.LazyFrame({"a": [1.0, 2.0]}), [0, 1], error=TypeError, match="lazy frame.*collect it"
    ),
    "negative weight": refuse(X, Y, sample_weight=[1, -1, 1], match="[Nn]egative"),
    "no weight": refuse(
        X, Y, sample_weight=[0, 0, 0], match="all sample weights are zero|non-zero"
    ),
    "short weight": refuse(X, Y, sample_weight=[1, 1], match="sample_weight"),
    "nan weight": refuse(X, Y, sample_weight=[1, 1, np.nan], match="NaN"),
    "shape of start": refuse(X, Y, coef_init=[1, 2, 3], match="coef_init does not match dataset"),
    "nan start": refuse(X, Y, intercept_init=np.nan, match="intercept_init holds NaN"),
    "eta0": refuse(X, Y, params={"eta0": 0}, match="eta0 must be a number above 0"),
    "overflow": refuse(X, Y, params={"eta0": 1e308}, match="overflowed in pass 1"),
    "long row": refuse(X * 1e160, Y, match="too long for floating point"),
    "mixed names": refuse(
        pd.DataFrame(TWO, columns=["a", 0]), [0, 1], error=TypeError, match="string names"
    ),
    "new classes": refuse(X, [5, 6, 5], method="partial_fit", match="not among the classes: 5, 6"),
    "other classes": refuse(
        X, Y, classes=[1, 2], method="partial_fit", match="not those of the first call"
    ),
    "other features": refuse(np.ones((3, 5)), Y, method="partial_fit", match="5 features"),
    "nan in partial_fit": refuse(NAN, [1, -1], method="partial_fit", match="X contains NaN"),
    "balanced": refuse(
        X,
        Y,
        method="partial_fit",
        params={"class_weight": "balanced"},
        match="not supported for partial",
    ),
    "vote": refuse(X, Y, method="partial_fit", params={"keep": "vote"}, match="use keep='average'"),
}


@pytest.mark.parametrize(
    ("method", "params", "args", "given", "error", "match"), REFUSALS.values(), ids=REFUSALS
)
def test_refused_input_leaves_the_model_as_it_was(method, params, args, given, error, match):
    model = Perceptron(record=True).fit(X, Y).set_params(**params)
    before = learned(model)
    with pytest.raises(error, match=match):
        getattr(model, method)(*args, **given)
    assert learned(model) == before
    if method == "fit":
        fresh = Perceptron(**params)
        with pytest.raises(error, match=match):
            fresh.fit(*args, **given)
        with pytest.raises(NotFittedError):
            fresh.predict(X)


def test_the_first_partial_fit_must_name_the_classes():
    for classes in (None, []):
        with pytest.raises(ValueError, match="must name all classes"):
            Perceptron().partial_fit(X, Y, classes=classes)
    with pytest.raises(ValueError, match="y has one class"):
        Perceptron().partial_fit(X, [1, 1, 1], classes=[1])


def test_a_lazy_frame_cannot_be_predicted_either():
    with pytest.raises(TypeError, match="collect it first"):
        plain(FRAME, Y).predict(pl.LazyFrame({"height": [1.0], "width": [1.0]}))


@pytest.mark.parametrize("classes", [2, 3])
def test_more_voters_than_memory_are_refused(monkeypatch, classes):
    rng = np.random.RandomState(0)
    X, y = rng.standard_normal((50, 3)), np.arange(50) % classes
    model = plain(X, y, keep="vote", max_iter=2)
    before = learned(model)
    monkeypatch.setattr(voting, "VOTE_BYTES", 2000)
    with pytest.raises(ValueError, match=r"keep='vote' keeps every .*keep='average'"):
        model.set_params(max_iter=50).fit(X, y)
    assert learned(model) == before


# -- Ctrl-C ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("jobs", [None, 2])
def test_an_interrupt_leaves_the_model_as_it_was(monkeypatch, jobs):
    def interrupt(run):
        if run.passes == 3:
            raise KeyboardInterrupt

    @contextmanager
    def watched(shown, names, passes):
        yield [interrupt for _ in names]

    model = quietly(Perceptron(n_jobs=jobs, settle="never", max_iter=9), *THREE)
    before = learned(model)
    monkeypatch.setattr(classifier, "bars", watched)
    with pytest.raises(KeyboardInterrupt):
        model.set_params(random_state=1).fit(*THREE)
    assert learned(model) == before
    monkeypatch.undo()
    assert quietly(model, *THREE).n_iter_ == 9


INTERRUPTED = """
import pickle
from rosenblatt import Perceptron
from rosenblatt import datasets
model = Perceptron(settle="never", min_margin=0).fit(*datasets.textbook())
before = pickle.dumps(model)
model.set_params(max_iter=10**9)
print("learning", flush=True)
try:
    model.fit(*datasets.xor())
except KeyboardInterrupt:
    model.set_params(max_iter=1000)
    print(pickle.dumps(model) == before, model.fit(*datasets.credit()).n_iter_ > 1)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT to send")
def test_ctrl_c_leaves_the_process_usable():
    with subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", INTERRUPTED], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline() == "learning\n"
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.3)  # it would go on for hours
        process.send_signal(signal.SIGINT)
        assert process.stdout.read() == "True True\n"
    assert process.returncode == 0


# -- What it says ----------------------------------------------------------------------------------


def test_silence(capfd):
    plain(*XOR, max_iter=3, verbose=0)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(("data", "names"), [(XOR, [""]), (THREE, ["a", "b", "c"])])
def test_verbose_draws_on_standard_error(capfd, data, names):
    params = {"settle": "never", "min_margin": 0, "multi_class": "ovr"}
    quietly(Perceptron(verbose=1, max_iter=7, **params), *data)
    out, err = capfd.readouterr()
    assert out == ""
    for name in names:
        assert f"{name}: " in err
    assert "mistakes, margin <= " in err
    assert "max_iter" in err
    assert "7/7" in err


def warned(*data, **params):
    """The text of the warning, if there is one."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        Perceptron(**{"settle": "never"} | params).fit(*data)
    assert len(caught) <= 1
    assert all(w.category is ConvergenceWarning for w in caught)
    assert all(w.filename == __file__ for w in caught)
    return str(caught[0].message) if caught else None


def test_the_warning_says_how_it_ended_what_is_known_and_what_to_do():
    text = warned(*XOR, max_iter=10, min_margin=0)
    assert "max_iter=10 passes" in text
    assert "mistakes in the last" in text
    assert "margin is at most" in text
    assert "of 4 training rows wrong" in text
    assert "Raise max_iter, lower min_margin, or scale the features" in text


def test_the_warning_counts_the_errors_of_the_hypothesis_handed_back():
    for keep in naive.KEEPERS:
        model = plain(*XOR, max_iter=10, keep=keep)
        wrong = np.count_nonzero(XOR[1] * model.decision_function(XOR[0]) <= 0)
        text = warned(*XOR, max_iter=10, min_margin=0, keep=keep)
        assert f"gets {wrong} of 4 training rows wrong" in text


def test_the_warning_of_a_margin_proved_too_small():
    text = warned(*XOR, min_margin=0.01)
    assert "no separator has a margin above" in text
    assert "min_margin" in text


def test_the_warning_names_the_classes_that_are_open():
    X, y = np.array([[0.0, 2], [2, 0], [-2, -2], [0, 2]]), ["a", "b", "c", "b"]
    text = warned(X, y, max_iter=20, min_margin=0, multi_class="ovr")
    assert "class 'a': " in text
    assert "class 'b': " in text
    assert "class 'c'" not in text


@pytest.mark.parametrize(
    "params", [{"max_updates": 3}, {"tol": 1e-3}, {"tol": 10.0, "n_iter_no_change": 1}]
)
def test_a_stop_that_was_asked_for_is_no_warning(params):
    assert warned(*XOR, min_margin=0, max_iter=10**6, **params) is None


def test_separated_data_are_no_warning():
    assert warned(X, Y) is None
    assert warned(X, Y, keep="average") is None


# -- Predicting ------------------------------------------------------------------------------------


def test_scores_are_those_of_the_hyperplane():
    model = plain(X, Y, shuffle=False)
    np.testing.assert_array_equal(model.decision_function(X), X @ [1, 1] - 3)
    np.testing.assert_array_equal(model.decision_function(csr(X)), X @ [1, 1] - 3)
    assert model.score(X, Y) == 1


def test_many_rows_are_scored_in_blocks(monkeypatch):
    rng = np.random.RandomState(0)
    X, y = rng.randint(-9, 10, (100, 3)) / 4, rng.choice(3, 100)
    for keep in ("last", "vote"):
        model = plain(X, y, keep=keep, max_iter=3)
        whole = model.decision_function(X)
        with monkeypatch.context() as patched:
            patched.setattr(voting, "BLOCK_BYTES", 500)
            np.testing.assert_array_equal(model.decision_function(X), whole)


def test_there_are_no_probabilities():
    assert not hasattr(Perceptron(), "predict_proba")


def test_parameters_are_those_of_the_design():
    assert Perceptron().get_params() == {
        "penalty": None,
        "alpha": 0.0001,
        "l1_ratio": 0.15,
        "scale": None,
        "eta0": 1.0,
        "fit_intercept": True,
        "max_iter": 1000,
        "max_updates": None,
        "min_margin": 1e-3,
        "tol": None,
        "n_iter_no_change": 5,
        "shuffle": True,
        "order": "sweep",
        "rule": "rosenblatt",
        "margin": None,
        "C": 1.0,
        "form": "auto",
        "batch_size": 1,
        "keep": "pocket",
        "boundary": "mistake",
        "settle": "auto",
        "multi_class": "direct",
        "class_weight": None,
        "early_stopping": False,
        "validation_fraction": 0.1,
        "warm_start": False,
        "record": False,
        "n_jobs": None,
        "random_state": 0,
        "verbose": 0,
    }


@pytest.mark.parametrize("form", [np.asarray, csr])
def test_the_warning_judges_columns_of_many_rows_by_some(form):
    X, y = datasets.clouds(30_000, 3, 0.001)
    with pytest.warns(ConvergenceWarning, match=r"their sizes differ by a factor of 1e6"):
        Perceptron(max_iter=1, settle="never").fit(form(X * [1.0, 1e-6, 1.0]), y)


# -- Columns that no row uses ----------------------------------------------------------------------


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("keep", ["pocket", "average", "last"])
def test_sparse_rows_are_learned_from_in_the_columns_they_use(keep, k):
    rng = np.random.default_rng(k)
    X, y = np.zeros((40, 500)), rng.integers(k, size=40)
    X[:, 19::80] = rng.integers(-2, 3, (40, 7))
    settings = {"keep": keep, "max_iter": 4, "settle": "never", "form": "primal"}
    sparse, dense = (quietly(Perceptron(**settings), A, y) for A in (csr(X), X))
    for more in (None, X[::-1]):
        if more is not None:
            sparse.partial_fit(csr(more), y)
            dense.partial_fit(more, y)
        assert np.array_equal(sparse.coef_, dense.coef_)
        assert np.array_equal(sparse.intercept_, dense.intercept_)
        assert sparse.n_updates_ == dense.n_updates_
    assert np.array_equal(sparse.predict(csr(X)), dense.predict(X))


@pytest.mark.parametrize("keep", ["average", "last", "pocket"])
def test_learning_in_used_columns_may_start_from_an_intercept_and_goes_on(keep):
    X, y = np.eye(3, 50), [0, 1, 0]
    start = {"intercept_init": [1.0]}
    sparse, dense = (
        quietly(Perceptron(settle="never", max_iter=1, keep=keep, form="primal"), A, y, **start)
        for A in (csr(X), X)
    )
    assert np.array_equal(sparse.coef_, dense.coef_)
    assert np.array_equal(sparse.partial_fit(csr(X), y).coef_, dense.partial_fit(X, y).coef_)
    assert sparse.margin_bounds_ == dense.margin_bounds_


# -- One against the rest, of many rows ------------------------------------------------------------


@pytest.mark.parametrize("kind", [np.asarray, csr])
@pytest.mark.parametrize("margin", [0.5, 1e-4, -0.2])
def test_classes_looked_at_together_are_separated_as_each_by_itself(kind, margin, monkeypatch):
    """Of three classes the first overlaps with the second, if the margin is negative."""
    rng = np.random.default_rng(0)
    y = np.arange(70_000) % 3
    X = rng.uniform(-1, 1, (len(y), 2))
    X[:, 0] = np.abs(X[:, 0]) + margin
    X[y == 0, 0] *= -1
    X[y == 2, 1] += 3
    together = quietly(Perceptron(multi_class="ovr", random_state=0), kind(X), y)
    monkeypatch.setattr(perceptron, "separated_together", lambda spec, settle: spec)
    alone = quietly(Perceptron(multi_class="ovr", random_state=0), kind(X), y)
    assert together.stop_reason_ == alone.stop_reason_
    assert "separated" in together.stop_reason_
    assert (
        together.converged_
        == alone.converged_
        == (margin > 0 and "inseparable" not in alone.stop_reason_)
    )
    for c, reason in enumerate(together.stop_reason_):
        f = X @ together.coef_[c] + together.intercept_[c]
        assert ((f > 0) == (y == c)).all() == (reason == "separated")
