"""Model files and ONNX: what comes back is what went in, and nothing else is believed."""

import errno
import io
import json
import os
from contextlib import suppress

import joblib
import numpy as np
import onnxruntime
import pytest
import scipy.sparse as sp
import skops.io
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from safetensors import safe_open
from safetensors.numpy import load_file, save_file
from specimens import quietly

from rosenblatt import KernelPerceptron, Perceptron, datasets, load, novikoff, read, save, to_onnx
from rosenblatt.model_files.file import unpack
from rosenblatt.model_files.state import MODEL_FORMAT

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

KEEPERS = ("pocket", "best", "last", "average", "vote")
MEMBERS = [
    {"keep": keep, "multi_class": form, "boundary": boundary, "classes": classes}
    for keep in KEEPERS
    for form, classes, boundary in (
        ("ovr", 2, "mistake"),
        ("ovr", 2, -1),
        ("ovr", 3, "mistake"),
        ("direct", 3, "mistake"),
    )
]


def grid(seed, n=64, d=3, classes=2):
    """Whole numbers, many rows on one spot: ties are common, and sums are exact."""
    rng = np.random.RandomState(seed)
    return rng.randint(-2, 3, (n, d)).astype(float), rng.permutation(np.arange(n) % classes)


def fitted(classes=2, seed=0, n=64, **params):
    """64 rows and 4 passes: averages over 256 visits are exact too."""
    X, y = grid(seed, n, classes=classes)
    model = Perceptron(max_iter=4, settle="never", min_margin=0, **params)
    return model.fit(X, y), X


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.rosenblatt"


# -- save and load ---------------------------------------------------------------------------------


@pytest.mark.parametrize("member", MEMBERS, ids=lambda m: "-".join(map(str, m.values())))
def test_what_comes_back_is_what_went_in(member, path):
    model, X = fitted(**member)
    save(model, path)
    again = load(path)
    assert_array_equal(again.predict(X), model.predict(X))
    assert_array_equal(again.decision_function(X), model.decision_function(X))
    assert again.get_params() == model.get_params()
    for name in ("coef_", "intercept_", "classes_"):
        assert_array_equal(getattr(again, name), getattr(model, name))
    for name in ("n_iter_", "n_updates_", "stop_reason_", "converged_", "margin_bounds_"):
        assert getattr(again, name) == getattr(model, name)
    assert np.array(again.mistakes_, object).tolist() == np.array(model.mistakes_, object).tolist()


@settings(max_examples=30, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    classes=st.integers(2, 4),
    keep=st.sampled_from(KEEPERS),
    fit_intercept=st.booleans(),
    labels=st.sampled_from(["int", "text", "object", "bool", "float"]),
)
def test_save_load_predict_is_the_identity(
    tmp_path_factory, seed, classes, keep, fit_intercept, labels
):
    X, y = grid(seed, n=24, classes=2 if labels == "bool" else classes)
    y = {
        "int": y - 1,
        "text": np.array(["否", "yes", "maybe", "é"])[y],
        "object": np.array(["a", "b", "c", "d"], object)[y],
        "bool": y == 1,
        "float": y.astype(float),
    }[labels]
    model = Perceptron(keep=keep, fit_intercept=fit_intercept, max_iter=3, settle="never").fit(X, y)
    path = tmp_path_factory.mktemp("models") / "model"
    save(model, path)
    predicted = load(path).predict(X)
    assert predicted.dtype == model.predict(X).dtype
    assert_array_equal(predicted, model.predict(X))


@pytest.mark.parametrize("keep", ["last", "average", "pocket"])
@pytest.mark.parametrize("classes", [2, 3])
def test_partial_fit_goes_on_after_loading(keep, classes, path):
    X, y = grid(1, classes=classes)
    one = Perceptron(keep=keep).partial_fit(X[:30], y[:30], classes=np.unique(y))
    save(one, path)
    other = load(path)
    for model in (one, other):
        model.partial_fit(X[30:], y[30:])
    assert_array_equal(other.coef_, one.coef_)
    assert other.n_updates_ == one.n_updates_
    assert other.margin_bounds_ == one.margin_bounds_


@pytest.mark.parametrize("data", [datasets.xor(), datasets.credit()], ids=["xor", "credit"])
def test_what_was_settled_survives(data, path):
    X, y = data
    model = Perceptron(settle="first").fit(X, y)
    save(model, path)
    again = load(path)
    assert again.stop_reason_ == model.stop_reason_ in ("inseparable", "separated")
    assert again.settled_ == model.settled_
    if model.conflict_ is not None:
        assert_array_equal(again.conflict_[0], model.conflict_[0])
        assert again.conflict_[1] == model.conflict_[1]
    for m in (model, again):
        m.partial_fit(X[:3], y[:3])
    assert_array_equal(again.coef_, model.coef_)


def test_equal_models_have_equal_bytes(path, tmp_path):
    save(fitted(3)[0], path)
    save(fitted(3)[0], tmp_path / "other")
    assert path.read_bytes() == (tmp_path / "other").read_bytes()
    save(load(path), tmp_path / "again")
    assert path.read_bytes() == (tmp_path / "again").read_bytes()


def test_feature_names_parameters_and_weights_of_classes_survive(path):
    pandas = pytest.importorskip("pandas")
    X, y = grid(0)
    frame = pandas.DataFrame(X, columns=["age", "收入", "debt"])
    weight = {0: 2, 1: np.float64(0.5)}
    save(Perceptron(class_weight=weight, margin=1.0, rule="margin").fit(frame, y), path)
    again = load(path)
    assert again.feature_names_in_.tolist() == ["age", "收入", "debt"]
    assert again.class_weight == {0: 2, 1: 0.5}
    assert again.predict(frame).shape == (64,)


def test_the_encoding_of_the_columns_is_in_the_file(path, tmp_path):
    table = tmp_path / "fruit.csv"
    table.write_text("weight,colour,kind\n5,red,cherry\n150,green,apple\n150,,apple\n")
    X, y, _, _, encoding, *_ = read(table, missing="mean")
    save(Perceptron().fit(X, y), path, encoding=encoding)
    assert unpack(path).encoding == encoding
    new = tmp_path / "new.csv"
    new.write_text("colour,weight\ngreen,150\n,5\n")
    X = read(new, target=None, like=unpack(path).encoding).X
    assert X.tolist() == [[150, 1, 0], [5, 0.5, 0.5]]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda e: e["columns"].pop(), "become 1 features, not 3"),
        (lambda e: e.update(label="colour"), "labels that are 'colour'"),
        (lambda e: e["columns"][0].update(width=2), "'weight' does not have 1 features"),
    ],
)
def test_a_doctored_encoding_is_refused(path, tmp_path, change, said):
    table = tmp_path / "fruit.csv"
    table.write_text("weight,colour,kind\n5,red,cherry\n150,green,apple\n")
    X, y, _, _, encoding, *_ = read(table)
    save(Perceptron().fit(X, y), path, encoding=encoding)
    doctored(path, lambda facts: change(facts["encoding"]))
    with pytest.raises(ValueError, match=said):
        load(path)


def test_a_model_of_another_library_is_refused(path):
    save_file({"coef": np.zeros(3)}, path, {"rosenblatt": "[]"})
    with pytest.raises(ValueError, match="not a model of this library"):
        load(path)


def test_no_code_is_in_the_file(path):
    save(fitted()[0], path)
    with safe_open(path, framework="numpy") as file:
        facts = json.loads(file.metadata()["rosenblatt"])
        kinds = {file.get_tensor(name).dtype.kind for name in file.keys()}  # noqa: SIM118
    assert (facts["format"], facts["class"]) == (MODEL_FORMAT, "Perceptron")
    assert kinds <= set("biuf")


# -- what is refused -------------------------------------------------------------------------------


def doctored(path, change, **tensors):
    """The file with other facts or numbers."""
    with safe_open(path, framework="numpy") as file:
        facts = json.loads(file.metadata()["rosenblatt"])
    change(facts)
    kept = {k: v for k, v in (load_file(path) | tensors).items() if v is not None}
    save_file(kept, path, {"rosenblatt": json.dumps(facts)})


@pytest.mark.parametrize(
    ("change", "tensors", "said"),
    [
        (lambda f: f.update(format="rosenblatt-model/2"), {}, "rosenblatt-model/2"),
        (lambda f: f.update({"class": "os.system"}), {}, "os.system"),
        (lambda f: f["parameters"].update(spam=1), {}, "spam"),
        (lambda f: f["parameters"].update(eta0=-1), {}, "eta0"),
        (lambda f: f["parameters"].update(keep="all"), {}, "keep"),
        (lambda f: f["classes"].update(values=[1, 1]), {}, "labels"),
        (lambda f: f["classes"].update(type="M8[s]"), {}, "labels"),
        (lambda f: f["classes"].update(type="O"), {}, "labels are not text"),
        (lambda f: f["summary"].update(n_updates_=[3]), {}, "one for each run"),
        (lambda f: f["online"][0]["bracket"].update(radius="far"), {}, "not a finite number"),
        (lambda f: None, {"0.start": np.zeros((1, 3))}, "start has the shape"),
        (lambda f: f.update(n_features=4), {}, "coef"),
        (lambda f: f.update(n_features="many"), {}, "many"),
        (lambda f: f.update(feature_names=["a"]), {}, "feature names"),
        (lambda f: f["summary"].pop("radius_"), {}, "summary"),
        (lambda f: f["summary"].update(radius_="far"), {}, "not a finite number"),
        (lambda f: f["summary"].update(stop_reason_=7), {}, "one for each run"),
        (lambda f: f["summary"].update(converged_="yes"), {}, "neither true nor false"),
        (lambda f: f["summary"].update(_errors=[-1]), {}, "whole number"),
        (lambda f: f.pop("online"), {}, "online"),
        (lambda f: f.update(online=[]), {}, "runs"),
        (lambda f: None, {"coef": np.zeros((2, 3))}, "shape"),
        (lambda f: None, {"coef": np.zeros((1, 3), np.float32)}, "float32"),
        (lambda f: None, {"coef": np.array([[1.0, np.nan, 0.0]])}, "NaN"),
        (lambda f: None, {"intercept": np.array([np.inf])}, "infinity"),
        (lambda f: None, {"coef": None}, "coef"),
        (lambda f: None, {"more": np.zeros(1)}, "more"),
    ],
)
def test_a_doctored_file_is_refused(path, change, tensors, said):
    save(fitted(keep="last")[0], path)
    doctored(path, change, **tensors)
    with pytest.raises(ValueError, match=said):
        load(path)


def test_a_mean_without_the_hypothesis_to_go_on_from_is_refused(path):
    save(fitted(keep="average")[0], path)
    doctored(path, lambda f: None, **{"0.last": None})
    with pytest.raises(ValueError, match=r"'0.last' is not in it"):
        load(path)


def test_a_truncated_or_enlarged_file_is_refused(path):
    save(fitted()[0], path)
    whole = path.read_bytes()
    header = int.from_bytes(whole[:8], "little")
    broken = [whole[:n] for n in (0, 4, 8, 100, header, len(whole) - 1)]
    broken += [whole + b"\0", (2**62).to_bytes(8, "little") + whole[8:]]
    broken += [(header + 8).to_bytes(8, "little") + whole[8:], b"a,b,y\n1,2,0\n"]
    for data in broken:
        path.write_bytes(data)
        with pytest.raises(ValueError, match="not a model file"):
            load(path)


def test_flipped_bits_of_the_header_never_get_further_than_a_sentence(path):
    save(fitted(3, keep="vote")[0], path)
    whole = path.read_bytes()
    rng = np.random.RandomState(0)
    for at in rng.randint(0, 8 + int.from_bytes(whole[:8], "little"), 150):
        broken = bytearray(whole)
        broken[at] ^= 1 << rng.randint(8)
        path.write_bytes(broken)
        with suppress(ValueError):
            load(path)


def test_a_missing_file_and_a_folder_are_refused(tmp_path):
    for place in (tmp_path, tmp_path / "nothing"):
        with pytest.raises(FileNotFoundError, match="no such file"):
            load(place)


def test_what_cannot_be_saved_is_refused(path):
    with pytest.raises(ValueError, match="not fitted"):
        save(Perceptron(), path)
    with pytest.raises(TypeError, match="int cannot be saved"):
        save(3, path)
    model = fitted(random_state=np.random.RandomState(0))[0]
    with pytest.raises(TypeError, match=r"set_params\(random_state"):
        save(model, path)
    assert not path.exists()


@pytest.mark.parametrize("estimator", [Perceptron, KernelPerceptron])
@pytest.mark.parametrize("multi_class", ["direct", "ovr"])
def test_a_model_that_was_fitted_otherwise_is_refused(estimator, multi_class, path):
    X, y = grid(0, classes=3)
    model = quietly(estimator(multi_class=multi_class, max_iter=4), X, y)
    model.set_params(multi_class={"direct": "ovr", "ovr": "direct"}[multi_class])
    for refused in (lambda: save(model, path), lambda: model.partial_fit(X, y)):
        with pytest.raises(ValueError, match=r"multi_class='.*' was set after the fit: fit again"):
            refused()
    assert not path.exists()


def test_a_full_disk_leaves_the_old_file_and_no_other(path, monkeypatch):
    save(fitted()[0], path)
    before = path.read_bytes()

    def full(number):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        save(fitted(3)[0], path)
    assert path.read_bytes() == before
    assert os.listdir(path.parent) == [path.name]


def test_files_are_as_readable_as_others(path, tmp_path):
    (tmp_path / "plain").write_bytes(b"")
    save(fitted()[0], path)
    assert path.stat().st_mode == (tmp_path / "plain").stat().st_mode


# -- other ways ------------------------------------------------------------------------------------


@pytest.mark.parametrize("member", MEMBERS[::3], ids=lambda m: "-".join(map(str, m.values())))
def test_joblib_and_skops_work_as_well(member):
    model, X = fitted(**member)
    buffer = io.BytesIO()
    joblib.dump(model, buffer)
    buffer.seek(0)
    data = skops.io.dumps(model)
    for again in (
        joblib.load(buffer),
        skops.io.loads(data, trusted=skops.io.get_untrusted_types(data=data)),
    ):
        assert_array_equal(again.predict(X), model.predict(X))


def run(model, X):
    session = onnxruntime.InferenceSession(to_onnx(model).SerializeToString())
    return session.run(["label", "score"], {"X": X})


@pytest.mark.parametrize("member", MEMBERS, ids=lambda m: "-".join(map(str, m.values())))
def test_onnx_gives_our_labels_ties_included(member):
    model, _ = fitted(**member)
    everywhere = np.stack(np.meshgrid(*[np.arange(-3, 3.5, 0.5)] * 3), -1).reshape(-1, 3)
    label, score = run(model, everywhere)
    if member["keep"] not in ("average", "vote") and member["classes"] == 2:
        assert (model.decision_function(everywhere) == 0).any()
    assert_array_equal(label, model.predict(everywhere))
    assert_array_equal(score, model.decision_function(everywhere))


@pytest.mark.parametrize("kernel", ["linear", "poly"])
@pytest.mark.parametrize("member", MEMBERS, ids=lambda m: "-".join(map(str, m.values())))
def test_onnx_of_exact_kernels_gives_our_labels_ties_included(member, kernel):
    member = dict(member)
    X, y = grid(0, classes=member.pop("classes"))
    member["rule"] = "rosenblatt"  # whose steps are whole numbers
    model = KernelPerceptron(kernel, 0.5, 2, max_iter=4, min_margin=0, **member).fit(X, y)
    everywhere = np.stack(np.meshgrid(*[np.arange(-3, 3.5, 0.5)] * 3), -1).reshape(-1, 3)
    label, score = run(model, everywhere)
    assert_array_equal(label, model.predict(everywhere))
    assert_array_equal(score, model.decision_function(everywhere))


@pytest.mark.parametrize("keep", ["last", "average"])
@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize(
    ("kernel", "degree"),
    [("poly", 5), ("poly", 1.5), ("rbf", 3), ("sigmoid", 3), ("laplacian", 3), ("cosine", 3)],
)
def test_onnx_of_other_kernels_is_in_double_precision(kernel, degree, intercept, keep):
    X, y = grid(1, classes=3)
    params = {"fit_intercept": intercept, "keep": keep, "coef0": 9.0 if degree == 1.5 else 0.1}
    model = KernelPerceptron(kernel, 0.1, degree, max_iter=4, **params).fit(X, y)
    rows = np.vstack((np.zeros(3), np.full(3, 1e-20), np.random.RandomState(2).randn(200, 3)))
    label, score = run(model, rows)
    ours = model.decision_function(rows)
    ranked = np.sort(ours, axis=1)
    clear = ranked[:, 2] - ranked[:, 1] > 1e-9  # at zero, all are equal but for the last digit
    assert clear[2:].all()
    assert_array_equal(label[clear], model.predict(rows)[clear])
    assert_allclose(score, ours, rtol=1e-11, atol=1e-11 * np.abs(model.dual_coef_).sum())


def test_onnx_of_rbf_far_from_the_origin():
    X, y = grid(1, classes=3)
    X = X + 1.6e9
    model = KernelPerceptron("rbf", 0.5).fit(X, y)
    label, score = run(model, X)
    assert_array_equal(label, model.predict(X))
    assert_allclose(score, model.decision_function(X), atol=1e-12)


def test_onnx_of_a_tie_between_mirrored_rows():
    for boundary in ("mistake", -1):
        model = KernelPerceptron("rbf", 0.3, fit_intercept=False, boundary=boundary)
        model.fit([[-1.0], [1.0]], [0, 1])
        label, score = run(model, np.array([[0.0]]))
        assert (model.support_.tolist(), score.tolist()) == ([0, 1], [0.0])
        assert label.tolist() == model.predict([[0.0]]).tolist()


def test_onnx_of_sparse_support_and_of_none():
    X, y = grid(3)
    model = KernelPerceptron("poly", 0.5, 2, max_iter=4).fit(sp.csr_array(X), y)
    assert_array_equal(run(model, X)[1], model.decision_function(X))
    model.support_vectors_, model.dual_coef_ = X[:0], np.zeros(0)  # the zero hypothesis
    assert_array_equal(run(model, X)[0], model.predict(X))


@pytest.mark.parametrize("kernel", ["precomputed", np.inner])
def test_onnx_has_no_kernels_without_a_name(kernel):
    with pytest.raises(ValueError, match="a function or precomputed cannot be converted"):
        to_onnx(KernelPerceptron(kernel).fit(np.eye(2), [0, 1]))


def test_onnx_refuses_votes_that_are_too_large(monkeypatch):
    X, y = grid(0)
    model = KernelPerceptron(keep="vote", max_iter=4).fit(X, y)
    monkeypatch.setattr("rosenblatt.model_files.onnx_export.MOST_VOTER_BYTES", 1000)
    with pytest.raises(ValueError, match="too large for ONNX; use keep='average'"):
        to_onnx(model)


@pytest.mark.parametrize("keep", ["last", "average", "pocket", "vote"])
@pytest.mark.parametrize("classes", [2, 3])
def test_onnx_of_single_precision_weights_is_in_double_precision(keep, classes):
    X, y = grid(0, classes=classes)
    single = quietly(Perceptron(keep=keep, max_iter=4), X.astype(np.float32), y)
    label, score = run(single, X)
    assert_array_equal(label, single.predict(X))
    assert_array_equal(score, single.decision_function(X))


def test_onnx_keeps_double_precision_in_votes():
    model, X = fitted(keep="vote", n=60)
    assert_array_equal(run(model, X)[1], model.decision_function(X))


def test_weights_held_sparse_are_exported_and_bounded_as_dense_ones():
    X, y = datasets.textbook()
    dense, sparse = Perceptron().fit(X, y), Perceptron().fit(X, y).sparsify()
    assert to_onnx(sparse).SerializeToString() == to_onnx(dense).SerializeToString()
    assert str(novikoff(sparse, X, y)) == str(novikoff(dense, X, y))


def test_onnx_has_text_labels():
    X, y = datasets.credit()
    model = Perceptron(max_iter=10).fit(X, y)
    assert run(model, X)[0].tolist() == model.predict(X).tolist()


def test_onnx_needs_a_fitted_model():
    with pytest.raises(ValueError, match="not fitted"):
        to_onnx(Perceptron())


def test_without_onnx_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "onnx", None)
    with pytest.raises(ImportError, match=r"pip install 'rosenblatt\[onnx\]'"):
        to_onnx(fitted()[0])
