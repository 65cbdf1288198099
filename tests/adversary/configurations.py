"""Random parameters of every estimator, and random ways to come to a fitted model."""

import numpy as np

from adversary.forms import in_some_form

COMMON = {
    "rule": ["rosenblatt", "rosenblatt", "margin", "pa", "pa1", "pa2", "relaxation"],
    "order": ["sweep", "random", "worst", "active"],
    "keep": ["pocket", "best", "last", "average", "vote"],
    "settle": ["auto", "first", "after", "never"],
    "boundary": ["mistake", "mistake", 1, -1],
    "eta0": [1.0, 0.1, 0.3, 1.5],
    "C": [1.0, 0.1],
    "batch_size": [1, 1, 2, "all"],
    "min_margin": [1e-3, 0.0],
    "tol": [None, None, None, 1e-3],
    "fit_intercept": [True, True, False],
    "shuffle": [True, False],
    "max_iter": [1, 5, 50],
    "max_updates": [None, None, None, 3],
    "multi_class": ["direct", "direct", "ovr"],
    "class_weight": [None, None, None, "balanced", {0: 2.0, 1: 0.5}],
    "record": [False, False, True],
    "random_state": [0, 1, 2],
}
LINEAR = {
    "form": ["auto", "primal", "dual"],
    "scale": [None, None, None, "standard"],
    "penalty": [None, None, None, None, "l2", "l1", "elasticnet"],
    "alpha": [1e-4, 0.1],
    "warm_start": [False, False, True],
}
KERNEL = {
    "kernel": ["linear", "poly", "poly", "poly", "rbf", "laplacian", "cosine", "sigmoid"],
    "gamma": [1.0, 0.5, 0.25, "scale", "auto"],
    "degree": [1, 2, 3],
    "coef0": [0.0, 1.0, 0.5],
    "rule": ["auto", *COMMON["rule"]],
    "budget": [None, None, None, 2, 5],
    "forget": ["margin", "project"],
}
# What goes together with nothing else: a refusal of these is right, and says so.
EXPECTED = (
    "overflow", "too short", "too long", "too large", "not finite", "beyond", "needs two",
    "does not go with", "needs all hypotheses", "needs all rows", "is not supported",
    "needs keep", "budget", "scale='standard'", "one class", "infinite or NaN",
    "must contain at least one non-zero", "are not in class_weight",
    "divides by K(x, x)",
)  # fmt: skip
BLOCKWISE = {
    "order": "sweep", "batch_size": 1, "form": "auto", "penalty": None, "record": False,
    "warm_start": False,
}  # fmt: skip


def is_expected(error):
    """Whether a refusal is one that is known."""
    return isinstance(error, ValueError) and any(word in str(error) for word in EXPECTED)


def drawn(rng, *choices):
    """One of the values for each name."""
    merged = {name: values for each in choices for name, values in each.items()}
    return {name: values[rng.integers(len(values))] for name, values in merged.items()}


def linear(rng):
    """Parameters of a Perceptron that go together."""
    p = drawn(rng, COMMON, LINEAR)
    if p["penalty"]:
        p |= {"form": "auto", "batch_size": 1, "record": False, "keep": "last"}
    if p["scale"]:
        p |= {"record": False, "keep": "pocket" if p["keep"] == "vote" else p["keep"]}
    return p


def of_kernels(rng):
    """Parameters of a KernelPerceptron that go together."""
    p = drawn(rng, COMMON, KERNEL)
    if p["budget"]:
        p |= {"keep": "pocket" if p["keep"] in ("average", "vote") else p["keep"], "record": False}
        p["max_updates"] = p["max_updates"] or 200  # each forgets something, in Python
    return p


def stored(rng, X):
    """The same rows as an array of doubles, or in another form."""
    return in_some_form(rng, X) if rng.random() < 0.3 else X


def weights(rng, n):
    """Sample weights, or none; some are zero."""
    return rng.choice([1.0, 1.0, 2.0, 0.5, 0.0], n) if rng.random() < 0.2 else None


def cut(X, y, rng):
    """Rows, perhaps in the order of their classes, and the same in blocks; some may be empty."""
    n = len(y)
    order = np.argsort(y, kind="stable") if rng.random() < 0.3 else np.arange(n)
    many = (1, 1, n - 1, int(rng.integers(n + 2)))[rng.integers(4)]
    cuts = np.arange(1, n) if many == n - 1 else np.sort(rng.integers(0, n + 1, many))
    X, y = X[order], y[order]
    return X, y, list(zip(np.split(X, cuts), np.split(y, cuts), strict=True))


class OneBuffer:
    """Blocks that come in the same memory, one after the other; where they can, as arrays."""

    def __init__(self, blocks):
        self.blocks = blocks

    def __iter__(self):
        most = max(len(y) for _, y in self.blocks)
        memory = np.empty((most, self.blocks[0][0].shape[1])), np.empty(most, np.int64)
        for block in self.blocks:
            X, y = (held[: len(block[1])] for held in memory)
            X[:], y[:] = block
            yield X, y


def in_some_forms(rng, blocks):
    """The same blocks, each perhaps in another form."""
    return [(stored(rng, X), y) for X, y in blocks]
