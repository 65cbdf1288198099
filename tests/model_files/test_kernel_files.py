"""Kernel models in files: what comes back is what went in."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.datasets import make_circles
from specimens import csr, quietly

from rosenblatt import KernelPerceptron, load, save

X, Y = make_circles(60, noise=0.2, factor=0.5, random_state=0)
THREE = Y + (X[:, 0] > 0.5)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.rosenblatt"


def again(model, path):
    save(model, path)
    return load(path)


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("labels", [Y, THREE], ids=["two", "three"])
@pytest.mark.parametrize("multi_class", ["ovr", "direct"])
@pytest.mark.parametrize("keep", ["pocket", "average", "vote"])
def test_what_comes_back_is_what_went_in(keep, multi_class, labels, sparse, path):
    rows = csr(X) if sparse else X
    model = KernelPerceptron(keep=keep, multi_class=multi_class, max_iter=4)
    back = again(quietly(model, rows, labels), path)
    assert_array_equal(back.decision_function(rows), model.decision_function(rows))
    for name in ("support_", "dual_coef_", "n_support_", "margin_bounds_", "gamma_", "_errors"):
        assert_array_equal(getattr(back, name), getattr(model, name))
    assert set(vars(back)) == set(vars(model))
    assert back.get_params() == model.get_params()


@pytest.mark.parametrize("keep", ["pocket", "average"])
def test_partial_fit_goes_on_after_loading(keep, path):
    model = quietly(KernelPerceptron(keep=keep, max_iter=2), X[:40], THREE[:40])
    back = again(model, path)
    for each in (model, back):
        each.partial_fit(X[40:], THREE[40:])
    assert_array_equal(back.decision_function(X), model.decision_function(X))


def test_a_precomputed_kernel_and_one_without_a_bracket(path):
    K = X @ X.T
    model = quietly(KernelPerceptron("precomputed", max_iter=4), K, Y)
    back = again(model, path)
    assert_array_equal(back.decision_function(K), model.decision_function(K))
    assert back.margin_bounds_ is None


@pytest.mark.parametrize(("then", "now"), [("precomputed", "rbf"), ("rbf", "precomputed")])
def test_a_model_of_another_kernel_is_refused(then, now, path):
    K = X @ X.T
    model = quietly(KernelPerceptron(then, max_iter=4), K, Y).set_params(kernel=now)
    for refused in (lambda: save(model, path), lambda: model.predict(K)):
        with pytest.raises(ValueError, match=f"kernel='{now}' was set after the fit: fit again"):
            refused()
    assert not path.exists()


def test_a_function_cannot_be_written(path):
    model = quietly(KernelPerceptron(lambda A, B: A @ B.T, max_iter=2), X, Y)
    with pytest.raises(TypeError, match=r"kernel=.*cannot be written to a file"):
        save(model, path)


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("dual_coef", lambda a: a[:, 1:], "dual_coef has the shape"),
        ("n_support", lambda a: np.append(a, 0), "support vectors of 3 classes"),
        ("support_vectors.indices", lambda a: a + 9, "not between 0 and 1"),
        ("support_vectors.indptr", lambda a: a[::-1], "are not in order"),
        ("0.ballots.place", lambda a: a + 999, "0.ballots.place holds numbers"),
        ("memory.codes", lambda a: a - 1, "memory.codes holds numbers"),
    ],
)
def test_a_doctored_file_is_refused(name, change, said, path):
    from safetensors import safe_open
    from safetensors.numpy import save_file

    save(quietly(KernelPerceptron(keep="vote", max_iter=4), csr(X), Y), path)
    with safe_open(path, framework="numpy") as file:
        tensors = {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118
        told = file.metadata()
    tensors[name] = np.ascontiguousarray(change(tensors[name]))
    save_file(tensors, path, told)
    with pytest.raises(ValueError, match=said):
        load(path)
