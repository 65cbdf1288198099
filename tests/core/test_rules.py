"""Rules: five numbers say how far a mistake moves the hypothesis."""

import math

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from specimens import plain

from rosenblatt.core.loop import step
from rosenblatt.rules import RULES, Rule

numbers = st.floats(-50, 0.9)
lengths = st.floats(0.1, 100)


@given(numbers, lengths, st.sampled_from(sorted(RULES)), st.sampled_from([0.25, 1.0, 3.0]))
def test_five_numbers_are_the_textbook_step(m, q, name, C):
    rule = RULES[name](0.5, None, C)
    wanted = naive.STEPS[name](m, q, 0.5, C, naive.margin_of(name, None))
    assert step(m, q, rule) == pytest.approx(wanted, rel=1e-12)


def test_the_members_of_the_family():
    assert RULES["rosenblatt"](2.0, None, 1.0) == Rule(rate=2.0)
    assert RULES["margin"](2.0, 3.0, 1.0) == Rule(margin=3.0, rate=2.0)
    assert RULES["pa"](2.0, None, 1.0) == Rule(margin=1.0, gain=1.0)
    assert RULES["pa1"](2.0, None, 0.5) == Rule(margin=1.0, gain=1.0, cap=0.5)
    assert RULES["pa2"](2.0, None, 0.25) == Rule(margin=1.0, gain=1.0, damping=2.0)
    assert RULES["relaxation"](1.5, None, 1.0) == Rule(margin=1.0, gain=1.5)
    assert RULES["pa"](1.0, None, 1.0).cap == math.inf


def test_margin_is_one_unless_told_otherwise():
    for name in ("margin", "pa", "pa1", "pa2", "relaxation"):
        assert RULES[name](1.0, None, 1.0).margin == 1
        assert RULES[name](1.0, 0.5, 1.0).margin == 0.5


def test_a_zero_row_has_nowhere_to_move_the_hypothesis():
    assert step(-1.0, 0.0, RULES["pa"](1.0, None, 1.0)) == 0
    assert step(-1.0, 0.0, RULES["rosenblatt"](1.0, None, 1.0)) == 0


def test_passive_aggressive_lands_on_the_margin():
    X, y = np.array([[3.0, 4.0], [-1.0, 0.0]]), [1, -1]
    log = plain(X, y, rule="pa", shuffle=False, fit_intercept=False, max_updates=1).log_
    w = log.path(X)[-1]
    assert w[:2] @ X[0] == pytest.approx(1)


def test_a_step_of_zero_is_not_logged():
    X, y = np.array([[2.0], [-2.0]]), [1, -1]
    model = plain(X, y, rule="pa", shuffle=False, fit_intercept=False)
    assert (model.coef_ @ X.T).tolist() == [[1, -1]]  # both rows exactly on the margin
    assert model.log_.i.tolist() == [0]


@pytest.mark.parametrize("rule", ["rosenblatt", "margin"])
def test_constant_steps_end_at_a_pass_without_moves(rule):
    X, y = np.array([[1.0], [-1.0]]), [1, -1]
    model = plain(X, y, rule=rule, shuffle=False)
    assert model.mistakes_[-1] == 0
    assert model.stop_reason_ == "separated"


@pytest.mark.parametrize("rule", ["pa", "pa1", "pa2", "relaxation"])
def test_gains_end_at_a_pass_without_errors(rule):
    X, y = np.array([[1.0], [-1.0], [0.25], [-0.25]]), [1, -1, 1, -1]
    model = plain(X, y, rule=rule, C=0.125, eta0=0.125, shuffle=False)
    assert model.stop_reason_ == "separated"
    assert model.mistakes_[-1] > 0  # rows within the margin still moved it
    assert model.converged_


def test_the_margin_rule_asks_for_more_than_being_right():
    X, y = np.array([[1.0], [-1.0]]), [1, -1]
    wide = plain(X, y, rule="margin", margin=10.0, fit_intercept=False, shuffle=False)
    assert wide.coef_[0, 0] > 10
    assert plain(X, y, fit_intercept=False, shuffle=False).coef_[0, 0] == 1
