"""The adversary finds what is false, and nothing else."""

import adversary
import numpy as np
import pytest
from specimens import quietly

from rosenblatt import Perceptron, certify


@pytest.mark.parametrize("family", adversary.FAMILIES)
@pytest.mark.filterwarnings("ignore")
def test_nothing_is_false(family):
    for k in range(3):
        X, y = family(np.random.default_rng((0, k)))
        assert adversary.look(X, y, (0, k))[1] == []


@pytest.mark.filterwarnings("ignore")
def test_a_wrong_verdict_is_found_and_shrunk(monkeypatch, capsys):
    def lying(X, y, fit_intercept):
        found = certify(X, y, fit_intercept=fit_intercept)
        return certify(X, np.sign(X[:, 0]), fit_intercept=True) if len(y) > 3 else found

    X, y = np.array([[-2.0], [-1], [1], [2], [3]]), np.array([-1, 1, -1, 1, 1])
    monkeypatch.setattr(adversary, "certify", lying)
    assert adversary.look(X, y, 0)[1]
    assert len(adversary.shrunk(X, y, 0)[1]) == 4
    monkeypatch.setattr(adversary, "FAMILIES", [lambda rng: (X, y)])
    assert adversary.main("0.01s", 7) == 1
    assert capsys.readouterr().out.startswith("seed 7\n<lambda>")


def test_a_wrong_claim_of_a_model_is_found():
    X, y = np.array([[-2.0], [-1], [1], [2]]), np.array([-1, -1, 1, 1])
    how = {"rule": "rosenblatt", "boundary": "mistake", "fit_intercept": True}
    model = quietly(Perceptron(), X, y)
    assert adversary.false_of(model, X, y, how) == []
    model.converged_ = False
    assert adversary.false_of(model, X, y, how) == [f"converged_ is False, and it is not so: {how}"]
    model.stop_reason_ = "inseparable"
    assert len(adversary.false_of(model, X, y, how)) == 2
