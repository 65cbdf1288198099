"""Arrays of PyTorch, JAX and array-api-strict, where these are installed."""

import os
import subprocess
import sys

import numpy as np
import pytest
import sklearn

from rosenblatt import (
    KernelPerceptron,
    Perceptron,
    certify,
    datasets,
    fewest_mistakes,
    fit_blocks,
    max_margin,
    obstacles,
    verify,
)

X, y = datasets.clouds(40, 3, 0.1)
NOISY = np.where(np.arange(40) == 7, -y, y)
USES = {
    "fit": lambda X, y: Perceptron().fit(X, y).coef_,
    "predict": lambda X, y: Perceptron().fit(X, y).predict(X),
    "decision_function": lambda X, y: Perceptron().fit(X, y).decision_function(X),
    "score": lambda X, y: Perceptron().fit(X, y).score(X, y),
    "partial_fit": lambda X, y: (
        Perceptron().partial_fit(X, y, classes=y[4:8]).partial_fit(X, y, y[4:8]).coef_
    ),
    "weights": lambda X, y: Perceptron().fit(X, y, sample_weight=X[:, 0] ** 2).coef_,
    "start": lambda X, y: Perceptron().fit(X, y, coef_init=X[:1], intercept_init=X[0, :1]).coef_,
    "scale": lambda X, y: Perceptron(scale="standard").fit(X, y).coef_,
    "kernel": lambda X, y: KernelPerceptron(kernel="rbf").fit(X, y).decision_function(X),
    "Gram matrix": lambda X, y: KernelPerceptron(kernel="precomputed").fit(X @ X.T, y).n_updates_,
    "kernel, online": lambda X, y: KernelPerceptron().partial_fit(X, y, y[4:8]).score(X, y),
    "certify": lambda X, y: certify(X, y).to_json(),
    "verify": lambda X, y: verify(certify(X, y), X, y),
    "max_margin": lambda X, y: max_margin(X, X[:, 0] > 0).margin,
    "fewest_mistakes": lambda X, y: fewest_mistakes(X, y).rows,
    "obstacles": lambda X, y: obstacles(X, y),
    "blocks": lambda X, y: fit_blocks(Perceptron(), [(X[:9], y[:9]), (X[9:], y[9:])]).coef_,
}
SOME = ("fit", "predict", "score", "kernel", "certify", "fewest_mistakes")


def same(ours, expected):
    np.testing.assert_equal(np.asarray(ours), np.asarray(expected))


def use(name, X, y):
    return USES[name](X, y)


@pytest.mark.parametrize("dispatch", [False, True])
@pytest.mark.parametrize("name", USES)
def test_tensors_of_pytorch_give_what_numpy_gives(name, dispatch):
    torch = pytest.importorskip("torch")
    if dispatch and "SCIPY_ARRAY_API" not in os.environ:
        pytest.skip("SCIPY_ARRAY_API is not set")
    with sklearn.config_context(array_api_dispatch=dispatch):
        same(use(name, torch.tensor(X), torch.tensor(NOISY)), use(name, X, NOISY))


@pytest.mark.parametrize("name", USES)
def test_arrays_of_jax_give_what_numpy_gives(name):
    jnp = pytest.importorskip("jax.numpy")
    single = X.astype(np.float32)
    same(use(name, jnp.asarray(single), jnp.asarray(NOISY)), use(name, single, NOISY.astype("i4")))


@pytest.mark.parametrize("name", SOME)
def test_arrays_of_the_standard_give_what_numpy_gives(name):
    xp = pytest.importorskip("array_api_strict")
    same(use(name, xp.asarray(X), xp.asarray(NOISY)), use(name, X, NOISY))


@pytest.mark.parametrize("kind", ["float16", "bfloat16", "float8_e4m3fn", "float32", "int16"])
@pytest.mark.parametrize("name", ["fit", "predict", "kernel", "certify", "verify", "score"])
def test_tensors_of_other_widths_are_exact(name, kind):
    torch = pytest.importorskip("torch")
    tensor = torch.tensor(np.rint(4 * X)).to(getattr(torch, kind))
    expected = use(name, tensor.double().numpy(), NOISY)
    np.testing.assert_array_equal(use(name, tensor, torch.tensor(NOISY)), expected)


@pytest.mark.parametrize("name", USES)
def test_tensors_that_require_gradients_are_taken_without(name):
    torch = pytest.importorskip("torch")
    tensor = torch.tensor(X, requires_grad=True)
    same(use(name, tensor, torch.tensor(NOISY)), use(name, X, NOISY))
    assert tensor.requires_grad
    assert tensor.grad is None


@pytest.mark.parametrize("view", ["conjugate", "transposed", "strided"])
def test_views_of_tensors(view):
    torch = pytest.importorskip("torch")
    tensor = torch.tensor(X)
    views = {
        "conjugate": lambda: torch.complex(tensor, -tensor).conj().imag,
        "transposed": lambda: tensor.T.contiguous().T,
        "strided": lambda: tensor.repeat_interleave(2, dim=0)[::2],
    }
    same(use("fit", views[view](), torch.tensor(NOISY)), use("fit", X, NOISY))


@pytest.mark.parametrize("name", SOME)
def test_what_numpy_cannot_read_is_refused_in_a_sentence(name):
    torch = pytest.importorskip("torch")
    refused = "X is an array of torch on (meta|cpu), which NumPy cannot read: .*[^.]. Copy it"
    tensor = torch.tensor(X)
    for strange in (tensor.to("meta"), tensor.to_sparse(), tensor.to_sparse_csr()):
        with pytest.raises(TypeError, match=refused):
            use(name, strange, torch.tensor(NOISY))
    with pytest.raises(TypeError, match="y is an array of torch on meta, which NumPy"):
        use(name, tensor, torch.tensor(NOISY, device="meta"))


def test_weights_starts_and_classes_elsewhere_are_refused_in_a_sentence():
    torch = pytest.importorskip("torch")
    elsewhere = torch.ones(40, device="meta")
    with pytest.raises(TypeError, match="sample_weight is an array of torch on meta"):
        Perceptron().fit(X, y, sample_weight=elsewhere)
    with pytest.raises(TypeError, match="coef_init is an array of torch on meta"):
        Perceptron().fit(X, y, coef_init=elsewhere)
    with pytest.raises(TypeError, match="y is an array of torch on meta"):
        Perceptron().partial_fit(X, y, classes=elsewhere)


def test_another_device_is_refused_in_a_sentence():
    xp = pytest.importorskip("array_api_strict")
    elsewhere = xp.asarray(X, device=xp.Device("device1"))
    for name in SOME:
        with pytest.raises(TypeError, match=r"X is an array of array_api_strict on .*device1"):
            use(name, elsewhere, xp.asarray(NOISY))


def test_nothing_of_pytorch_is_imported():
    code = "import sys; from rosenblatt import Perceptron; Perceptron().fit([[0], [1]], [0, 1])"
    command = [sys.executable, "-c", code + "; print('torch' in sys.modules)"]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["False"]
