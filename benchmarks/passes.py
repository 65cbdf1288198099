"""The same passes over the same rows, ours and the peers'."""

import tempfile
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from race import fitting, once, race, row
from river.linear_model import Perceptron as River
from sklearn.linear_model import Perceptron as Peer
from sklearn.linear_model import SGDClassifier
from threadpoolctl import threadpool_limits
from vowpalwabbit import Workspace

from rosenblatt import KernelPerceptron, Perceptron, datasets

SHAPES = [
    (10_000, 10),
    (100_000, 20),
    (100_000, 100),
    (200_000, 50),
    (1_000_000, 30),
    (20_000, 500),
]
PLAIN = {"keep": "last", "shuffle": False, "settle": "never", "min_margin": 0}


def dense(count=20):
    """The same passes, dense, against scikit-learn's Perceptron."""
    for n, d in SHAPES:
        X, y = datasets.clouds(n, d, 0.0)
        a = Perceptron(max_iter=count, **PLAIN)
        b = Peer(shuffle=False, tol=None, max_iter=count)
        times = race(fitting(a, X, y), fitting(b, X, y))
        assert np.allclose(a.coef_, b.coef_, rtol=1e-9)
        assert a.n_iter_ == count
        yield row(f"{n:,} × {d}, {count} passes", *times, mistakes=a.n_updates_)


def shuffled(count=20):
    """The same number of passes, rows shuffled each time, against scikit-learn's Perceptron."""
    for n, d in SHAPES:
        X, y = datasets.clouds(n, d, 0.0)
        a = Perceptron(max_iter=count, **PLAIN | {"shuffle": True})
        b = Peer(shuffle=True, tol=None, max_iter=count)
        times = race(fitting(a, X, y), fitting(b, X, y), rounds=3)
        yield row(f"{n:,} × {d}, {count} passes", *times)


def text_like(n=100_000, d=100_000, each=80):
    """Sparse rows with Zipf columns, labelled by a random hyperplane."""
    rng = np.random.default_rng(0)
    columns = np.minimum(rng.zipf(1.3, n * each) - 1, d - 1)
    X = sp.csr_matrix((rng.random(n * each), columns, np.arange(0, n * each + 1, each)), (n, d))
    X.sum_duplicates()
    return X, np.where(X @ rng.standard_normal(d) > 0, 1, -1)


def csr(count=20):
    """The same passes, CSR without intercept, against scikit-learn's Perceptron."""
    X, y = text_like()
    a = Perceptron(max_iter=count, fit_intercept=False, **PLAIN)
    b = Peer(shuffle=False, tol=None, max_iter=count, fit_intercept=False)
    times = race(fitting(a, X, y), fitting(b, X, y))
    assert np.allclose(a.coef_, b.coef_, rtol=1e-9)
    yield row(f"{X.shape[0]:,} × {X.shape[1]:,}, {count} passes", *times, mistakes=a.n_updates_)


def bandwidth(count=20):
    """Bytes a second of a pass with few mistakes, against a read-only X @ w on one thread."""
    for n, d in SHAPES:
        X, y = datasets.clouds(n, d, 0.05)
        w = 1e6 * Perceptron(settle="first").fit(X, y).coef_[0]
        y[:: n // 10] *= -1  # a few errors, so that it goes on; too small to move the hypothesis
        few, many = (Perceptron(max_iter=k, **PLAIN) for k in (1, count + 1))
        with threadpool_limits(1):
            short, long, product = race(
                lambda m=few, X=X, y=y, w=w: m.fit(X, y, coef_init=w),
                lambda m=many, X=X, y=y, w=w: m.fit(X, y, coef_init=w),
                lambda X=X, w=w: X @ w,
            )
        ours = (long - short) / count
        speed = {
            "GB/s": round(X.nbytes / ours / 1e9, 1),
            "X @ w": round(X.nbytes / product / 1e9, 1),
        }
        yield row(f"{n:,} × {d} (wanted 0.7)", ours, product, **speed)


def vowpal(count=20):
    """As many passes of Vowpal Wabbit's hinge loss over its own binary cache."""
    n, d = 100_000, 20
    X, y = datasets.clouds(n, d, 0.0)
    ours = race(fitting(Perceptron(max_iter=count, **PLAIN), X, y))[0]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "rows.vw")
        lines = (
            f"{label} | " + " ".join(f"{j}:{v:.9g}" for j, v in enumerate(x))
            for x, label in zip(X, y, strict=True)
        )
        file.write_text("\n".join(lines) + "\n")
        told = f"-d {file} --loss_function hinge --quiet --cache_file {file}.cache"
        Workspace(told).finish()  # writes the cache
        theirs = once(lambda: Workspace(f"{told} --passes {count} --holdout_off").finish())
    yield row(f"{n:,} × {d}, {count} passes", ours, theirs)


def vowpal_row(x, label):
    """A row as Vowpal Wabbit reads it."""
    return f"{label} | {' '.join(f'{j}:{v:.9g}' for j, v in enumerate(x))}\n"


def online():
    """Learning online, against scikit-learn and river."""
    X, y = datasets.clouds(10_000, 20, 0.05)
    sgd = {"loss": "perceptron", "learning_rate": "constant", "eta0": 1.0, "penalty": None}
    for size, calls in ((1, 1000), (1000, 10)):
        parts = [(X[k : k + size], y[k : k + size]) for k in range(0, size * calls, size)]

        def learn(model, parts=parts):
            for part in parts:
                model.partial_fit(*part, classes=[-1, 1])

        times = race(lambda: learn(Perceptron(keep="last")), lambda: learn(SGDClassifier(**sgd)))
        yield row(f"{size:,} rows a call, {calls:,} calls: scikit-learn", *times)
    rows = [(dict(enumerate(x)), label > 0) for x, label in zip(X[:1000].tolist(), y, strict=False)]

    def one_by_one():
        model = River()
        for x, label in rows:
            model.learn_one(x, label)

    def at_once():
        Perceptron(keep="last").partial_fit(X[:1000], y[:1000], classes=[-1, 1])

    yield row("1,000 rows: river", *race(at_once, one_by_one))


def classes(count=20):
    """Ten classes one against the rest: two threads against one, and against scikit-learn."""
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((100_000, 50)), rng.integers(0, 10, 100_000)
    two, one = (Perceptron(max_iter=count, n_jobs=k, **PLAIN) for k in (2, 1))
    peer = Peer(shuffle=False, tol=None, max_iter=count, n_jobs=2)
    times = race(*(fitting(model, X, y) for model in (two, one, peer)), rounds=2)
    yield row("two threads against one", *times[:2])
    yield row("against scikit-learn, n_jobs=2", times[0], times[2])


def kept():
    """keep="best" against one NumPy product for each update; then pocket against last."""
    X, y = datasets.clouds(10_000, 20, 0.0, flip=1000)
    a = Perceptron(max_iter=2, record=True, **PLAIN | {"keep": "best"})
    ours = race(fitting(a, X, y), rounds=3)[0]
    path = a.log_.path(X)

    def one_by_one():
        errors = [np.count_nonzero(y * (X @ w[:-1] + w[-1]) <= 0) for w in path]
        return path[int(np.argmin(errors))]

    assert np.allclose(one_by_one(), np.append(a.coef_, a.intercept_), rtol=1e-9)
    yield row("best, 10,000 × 20, noisy", ours, once(one_by_one))
    last, pocket = (Perceptron(max_iter=50, **PLAIN | {"keep": k}) for k in ("last", "pocket"))
    times = race(fitting(last, X, y), fitting(pocket, X, y))
    yield row("pocket over last (at most 1.3)", *times)


def dual(n=2000):
    """The dual form, the Gram matrix included, against the textbook's loops."""
    X, y = datasets.clouds(n, 10, 0.02)
    X = np.round(64 * X) / 64  # exact products, so that the mistakes are the same
    model = KernelPerceptron("linear", shuffle=False, keep="last", min_margin=0)
    ours = race(fitting(model, X, y))[0]
    passes, K, steps = model.n_iter_, X @ X.T + 1.0, np.zeros(n)
    steps[model.support_] = model.dual_coef_
    yield row(
        f"{n:,} rows: three loops, from one pass", ours, passes * once(lambda: three_loops(K, y, 1))
    )
    assert np.array_equal(one_product(K, y, passes) * y, steps)
    yield row(f"{n:,} rows: a product at each visit", ours, once(lambda: one_product(K, y, passes)))


def three_loops(K, y, passes):
    """A score is a sum over all rows, written out."""
    n, alpha = len(y), [0.0] * len(y)
    K, y = K.tolist(), y.tolist()
    for _ in range(passes):
        for i in range(n):
            f = 0.0
            for j in range(n):
                f += alpha[j] * y[j] * K[j][i]
            if y[i] * f <= 0:
                alpha[i] += 1.0
    return np.array(alpha)


def one_product(K, y, passes):
    """A score is a dot product with a column of the Gram matrix, at each visit."""
    alpha = np.zeros(len(y))
    for _ in range(passes):
        for i in range(len(y)):
            if y[i] * np.dot(alpha * y, K[:, i]) <= 0:
                alpha[i] += 1.0
    return alpha
