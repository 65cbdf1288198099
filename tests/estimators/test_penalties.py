"""Penalties have scikit-learn's numbers, whatever the rows are held in."""

import warnings

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Perceptron as Peer
from sklearn.preprocessing import scale
from specimens import csr

from rosenblatt import Perceptron, fit_blocks, novikoff

PENALTIES = ["l2", "l1", "elasticnet"]
RNG = np.random.RandomState(0)
X, Y = RNG.standard_normal((80, 6)), RNG.choice(2, 80)


def weights(model):
    return np.column_stack((model.coef_, model.intercept_))


def both(X, y, passes, **params):
    """Our weights and scikit-learn's, after the same visits."""
    params |= {"shuffle": False, "max_iter": passes, "tol": None}
    return weights(Perceptron(multi_class="ovr", **params).fit(X, y)), weights(
        Peer(**params).fit(X, y)
    )


def by_hand(X, y, alpha, l1_ratio, eta, passes):
    """The rule of `rosenblatt.core.penalties`, word by word."""
    w, b, owed, paid = np.zeros(X.shape[1]), 0.0, 0.0, np.zeros(X.shape[1])
    for x, label in list(zip(X, y, strict=True)) * passes:
        assume(not w.any() or abs(w @ x + b) > 1e-12)  # which rounding would decide
        wrong = label * (w @ x + b) <= 0
        w = w * max(0.0, 1 - (1 - l1_ratio) * eta * alpha)
        if wrong:
            w, b = w + eta * label * x, b + eta * label
        owed += l1_ratio * eta * alpha
        for j in np.flatnonzero(x):
            before = w[j]
            if w[j] > 0:
                w[j] = max(0.0, w[j] - (owed + paid[j]))
            elif w[j] < 0:
                w[j] = min(0.0, w[j] + (owed - paid[j]))
            paid[j] += w[j] - before
    return np.append(w, b)


@pytest.mark.parametrize("penalty", PENALTIES)
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("alpha", [1e-4, 1e-2, 0.3, 3.0])
@pytest.mark.parametrize("passes", [1, 20])
def test_the_weights_are_those_of_scikit_learn(penalty, classes, alpha, passes):
    y = RNG.choice(classes, 80)
    ours, peers = both(X, y, passes, penalty=penalty, alpha=alpha, l1_ratio=0.4, eta0=0.5)
    np.testing.assert_allclose(ours, peers, rtol=1e-9, atol=1e-9)


@given(
    st.lists(st.lists(st.integers(-3, 3), min_size=2, max_size=2), min_size=2, max_size=8),
    st.sampled_from([0.0, 0.5, 1.0]),
    st.integers(1, 4),
)
def test_dense_and_sparse_rows_keep_the_rule(rows, l1_ratio, passes):
    X, y = np.array(rows, float), np.resize([1, -1], len(rows))
    params = {"penalty": "elasticnet", "alpha": 0.25, "l1_ratio": l1_ratio, "eta0": 0.5}
    params |= {"shuffle": False, "max_iter": passes}
    wanted = by_hand(X, y, 0.25, l1_ratio, 0.5, passes)
    sparse = Perceptron(**params).fit(csr(X), y)
    np.testing.assert_allclose(weights(sparse)[0], wanted, rtol=1e-9, atol=1e-12)
    if X.all():  # dense rows pay where they are zero, too, as scikit-learn's do
        dense = Perceptron(**params).fit(X, y)
        np.testing.assert_allclose(weights(dense)[0], wanted, rtol=1e-9, atol=1e-12)


def test_a_linear_machine_shrinks_all_its_classes():
    y = RNG.choice(3, 80)
    sizes = [
        np.abs(Perceptron(penalty="l1", alpha=alpha, max_iter=20).fit(X, y).coef_).sum()
        for alpha in (1e-4, 1e-2, 1.0)
    ]
    assert sizes[0] > sizes[1] > sizes[2]


def test_with_a_penalty_separability_is_not_asked():
    X, y = load_breast_cancer(return_X_y=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = Perceptron(penalty="l2", max_iter=7).fit(scale(X), y)
    assert (model.stop_reason_, model.n_iter_, model.settled_) == ("max_iter", 7, False)
    assert (model.dual_coef_, model.conflict_, model.t_) == (None, None, 1 + 7 * 569)
    assert model.mistake_bounds_ == (0, int(np.sum(model.predict(scale(X)) != y)))
    assert Perceptron(penalty="l2", tol=1e-3).fit(scale(X), y).stop_reason_ == "tol"
    assert "every visit moves" in str(novikoff(model, scale(X), y))


def test_a_run_that_was_to_stop_by_itself_and_did_not_warns_as_scikit_learn_does():
    with pytest.warns(ConvergenceWarning, match="^Maximum number of iteration reached before"):
        Perceptron(penalty="l1", tol=1e-9, max_iter=3).fit(X, Y)


def test_partial_fit_shrinks_too_and_goes_on_from_what_it_has():
    ours, peer = Perceptron(penalty="l2", alpha=0.01), Peer(penalty="l2", alpha=0.01, shuffle=False)
    for part in np.split(np.arange(80), 4):
        ours.partial_fit(X[part], Y[part], classes=[0, 1])
        peer.partial_fit(X[part], Y[part], classes=[0, 1])
        ours.coef_ *= 2
        peer.coef_ *= 2
    np.testing.assert_allclose(weights(ours), weights(peer), rtol=1e-9)
    assert ours.t_ == peer.t_


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({"penalty": "l3"}, "penalty='l3' is not known"),
        ({"penalty": "l2", "alpha": -1}, "alpha must be a number at least 0"),
        ({"penalty": "elasticnet", "l1_ratio": 1.5}, "l1_ratio must be a number from 0 to 1"),
        ({"penalty": "elasticnet", "l1_ratio": None}, "l1_ratio must be set when penalty is"),
        ({"penalty": "l2", "keep": "average"}, "keep='average' does not go with penalty='l2'"),
        ({"penalty": "l2", "record": True}, "record=True does not go with penalty='l2'"),
        ({"penalty": "l2", "form": "dual"}, "form='dual' does not go with penalty='l2'"),
        ({"penalty": "l2", "batch_size": 5}, "batch_size=5 does not go with penalty='l2'"),
    ],
)
def test_what_does_not_go_together_is_refused(params, said):
    with pytest.raises(ValueError, match=said):
        Perceptron(**params).fit(X, Y)


def test_blocks_have_no_penalty():
    with pytest.raises(ValueError, match="penalty='l2' needs all rows in memory"):
        fit_blocks(Perceptron(penalty="l2"), [(X, Y)])
