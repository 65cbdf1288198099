"""Problems whose numbers are exact in floating point, so that results are equal, not close."""

import warnings

import naive
import numpy as np
import scipy.sparse as sp
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning

from rosenblatt import Perceptron

quarters = st.integers(-12, 12).map(lambda k: k / 4)


@st.composite
def tables(draw, classes=2, most=10):
    """Rows of quarters, and labels 0, 1, … that all occur."""
    n, d = draw(st.integers(classes, most)), draw(st.integers(1, 4))
    X = draw(st.lists(st.lists(quarters, min_size=d, max_size=d), min_size=n, max_size=n))
    more = draw(st.lists(st.integers(0, classes - 1), min_size=n - classes, max_size=n - classes))
    return np.array(X), np.array(draw(st.permutations([*range(classes), *more])))


@st.composite
def plans(draw, rules=("rosenblatt", "margin"), orders=("sweep", "random", "worst")):
    """Parameters of a perceptron that leave its plain run to itself."""
    choose = st.sampled_from
    return {
        "order": draw(choose(orders)),
        "shuffle": draw(st.booleans()),
        "rule": draw(choose(rules)),
        "eta0": draw(choose([0.25, 1.0, 1.5])),
        "C": draw(choose([0.25, 1.0, 2.0])),
        "batch_size": draw(choose([1, 1, 2, 3, "all"])),
        "keep": draw(choose(list(naive.KEEPERS))),
        "fit_intercept": draw(st.booleans()),
        "max_iter": draw(st.integers(1, 6)),
        "max_updates": draw(choose([None, 1, 4])),
        "random_state": draw(st.integers(0, 5)),
    }


def quietly(model, X, y, **given):
    """A fitted model, whatever it has to say about convergence."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(X, y, **given)


def plain(X, y, given=None, **params):
    """A plain run with its log, settling aside."""
    params = {"record": True, "settle": "never", "min_margin": 0} | params
    return quietly(Perceptron(**params), X, y, **(given or {}))


def twin(X, y, params, form=naive.Primal, run=0, runs=1, **more):
    """The naive run of the same parameters; y is ±1, or a class for the direct form."""
    p = Perceptron(**params).get_params()
    seeds = np.random.RandomState(p["random_state"]).randint(2**31 - 1, size=runs)
    return naive.perceptron(
        naive.augment(X, p["fit_intercept"]),
        y,
        form=form,
        order="shuffled" if p["order"] == "sweep" and p["shuffle"] else p["order"],
        rule=p["rule"],
        margin=p["margin"],
        eta0=p["eta0"],
        C=p["C"],
        batch=len(y) if p["batch_size"] == "all" else p["batch_size"],
        boundary=p["boundary"] if p["boundary"] != "mistake" else None,
        max_iter=p["max_iter"],
        max_updates=np.inf if p["max_updates"] is None else p["max_updates"],
        rng=np.random.RandomState(seeds[run]),
        **more,
    )


def kept(result, X, y, params, **count):
    """What the naive keeper hands back."""
    p = Perceptron(**params).get_params()
    counted = p["batch_size"] != 1 or p["order"] == "worst" or len(y) == 1
    name = "best" if p["keep"] == "pocket" and counted else p["keep"]
    return naive.KEEPERS[name](result, naive.augment(X, p["fit_intercept"]), y, **count)


def csr(X, index=np.int32):
    """A CSR matrix with the given type of indices."""
    S = sp.csr_array(X)
    S.indices, S.indptr = S.indices.astype(index), S.indptr.astype(index)
    return S


def assert_same_log(a, b):
    """Mistake for mistake."""
    for column in ("t", "i", "c"):
        np.testing.assert_array_equal(getattr(a, column), getattr(b, column))
    assert a.seen == b.seen
