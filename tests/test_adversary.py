"""The adversary finds what is false, and nothing else; its judge agrees with a slower one."""

from fractions import Fraction

import naive
import numpy as np
import pytest
from adversary import __main__ as search
from adversary import commands, fits, judge, optima, tables, verdicts
from specimens import quietly

from rosenblatt import Perceptron, certify

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.mark.parametrize("family", tables.FAMILIES)
def test_nothing_is_false(family):
    for k in range(3):
        X, y = tables.draw(family, np.random.default_rng((0, k)))
        assert search.look(X, y, (0, k), share=1.0)[2] == []


@pytest.mark.parametrize("attack", search.ATTACKS)
def test_every_attack_finds_nothing(attack):
    for k, family in enumerate(tables.FAMILIES[::4]):
        X, y = tables.draw(family, np.random.default_rng((1, k)))
        assert attack(X, y, np.random.default_rng(k)) == []


# -- The judge -------------------------------------------------------------------------------------


@pytest.mark.parametrize("family", tables.FAMILIES)
def test_the_judge_agrees_with_a_program_for_each_row(family):
    for k in range(4):
        X, y = family(np.random.default_rng((2, k)))
        wanted = naive.quick_verdict(X, y, bool(k % 2))
        assert judge.verdict_of(X, (y > 0).astype(int), bool(k % 2)) == wanted


def test_several_classes_two_of_which_are_two_classes():
    for k in range(20):
        X, y = tables.draw(tables.lattice, np.random.default_rng((3, k)))
        rows, two = judge.fractions_of(X), np.minimum(y, 1)
        pairs = judge.vectors(rows, two.tolist(), 3)
        known = [z for i, z in enumerate(pairs) if i % 2 == 0]  # the other class, not the third
        assert judge.verdict(known) == judge.verdict_of(X, two)


def test_the_margin_of_two_points_is_half_of_their_distance():
    X, y = np.array([[0.0, 0], [3, 4], [9, 9]]), np.array([0, 1, 1])
    assert optima.exact_margin(X, y, True) == Fraction(25, 4)
    assert optima.exact_margin(X, y, False) == 0


def test_the_fewest_mistakes_are_those_of_all_subsets():
    rng = np.random.default_rng(0)
    for _ in range(20):
        X, y = rng.integers(-2, 3, (7, 2)).astype(float), rng.integers(0, 2, 7)
        cost = rng.choice([1.0, 2.0, 0.5], 7)
        Z = judge.vectors(judge.fractions_of(X), y.tolist(), 2)
        found = judge.fewest_mistakes(Z, [Fraction(c) for c in cost])
        assert found == naive.fewest_mistakes(naive.augment(X), 2 * y - 1, cost)


# -- What is false is found ------------------------------------------------------------------------


def test_a_wrong_verdict_is_found_and_shrunk(monkeypatch, capsys):
    def lying(X, y, fit_intercept):
        found = certify(X, y, fit_intercept=fit_intercept)
        return certify(X, np.sign(X[:, 0]), fit_intercept=True) if len(y) > 3 else found

    X, y = np.array([[-2.0, 0], [-1, 0], [1, 0], [2, 0], [3, 0]]), np.array([-1, 1, -1, 1, 1])
    monkeypatch.setattr(verdicts, "certify", lying)
    monkeypatch.setattr(search, "ATTACKS", {fits.check_fit: 1.0})

    def is_false(X, y):
        return search.look(X, y, 0)[2]

    assert is_false(X, (y > 0).astype(int))
    assert search.shrunk(X, (y > 0).astype(int), is_false)[0].shape == (4, 1)
    monkeypatch.setattr(search, "FAMILIES", [lambda rng: (X, y)])
    assert search.main("0.01s", 7) == 1
    assert capsys.readouterr().out.startswith("seed 7\n<lambda>")


def test_what_raises_is_told(monkeypatch):
    monkeypatch.setattr(fits, "fit_blocks", lambda *args: 1 / 0)
    monkeypatch.setattr(fits, "WAYS", [fits.in_blocks])
    X, y = np.array([[0.0], [1]]), np.array([0, 1])
    (told,) = fits.check_fit(X, y, np.random.default_rng(0))
    assert told.endswith("is refused: ZeroDivisionError('division by zero')")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("converged_", False),
        ("stop_reason_", "inseparable"),
        ("margin_bounds_", (0.0, 0.1)),
        ("margin_bounds_", (0.99, 1.0)),
        ("conflict_", (np.array([0, 1]), [Fraction(1), Fraction(1)])),
    ],
)
def test_a_wrong_claim_of_a_model_is_found(name, value):
    X, y = np.array([[-2.0], [-1], [1], [2]]), np.array([0, 0, 1, 1])
    model = quietly(Perceptron(), X, y)
    learned = fits.about(model, X, y)
    assert fits.false_of(learned) == []
    setattr(model, name, value)
    assert name in " ".join(fits.false_of(learned))


def test_a_command_that_fails_is_found(monkeypatch):
    monkeypatch.setattr(commands, "run", lambda args: 2)
    X, y = np.array([[0.0], [1]]), np.array([0, 1])
    assert commands.check_commands(X, y, np.random.default_rng(1)) != []
