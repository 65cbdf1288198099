"""Settling: what becomes of a plain run that left the question open."""

import warnings
from fractions import Fraction

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, make_classification
from sklearn.exceptions import ConvergenceWarning
from specimens import assert_same_log, csr, plain, quietly, tables

from rosenblatt import Perceptron, certify, datasets, fewest_mistakes, fit_blocks
from rosenblatt.core.orders import UNDRAWN
from rosenblatt.core.rules import Rule
from rosenblatt.core.training import Plan
from rosenblatt.core.vectors import store
from rosenblatt.estimators import settle as settling
from rosenblatt.estimators.runs import Online, RunSpec, all_passes, finish
from rosenblatt.inputs.validation import rows_of
from rosenblatt.separability import answers
from rosenblatt.separability.exact import rational
from rosenblatt.separability.max_margin import augmented_margin

HARD = datasets.clouds(400, 5, 1e-5, tight=True)  # separable, but not by a few plain passes
NOISY = datasets.clouds(400, 5, 0.05, flip=10)


def settled(X, y, sample_weight=None, **params):
    """A fitted model that had nothing to warn of."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        return Perceptron(**{"settle": "after"} | params).fit(X, y, sample_weight=sample_weight)


def fit_in_blocks(model, X, y):
    return fit_blocks(model, [(X[k : k + 300], y[k : k + 300]) for k in range(0, len(X), 300)])


def assert_conflict(model, X, y, conflict=None, fit_intercept=True):
    """The rows y (x, 1) of a conflict add up to zero, exactly."""
    rows, weights = model.conflict_ if conflict is None else conflict
    Z = naive.signed_rows(np.asarray(X, float)[rows], np.asarray(y)[rows], fit_intercept)
    assert min(weights) > 0
    assert sum(weights) == 1
    assert len(rows) == len(set(rows.tolist())) <= len(Z[0]) + 1
    for column in zip(*Z, strict=True):
        assert sum(v * z for v, z in zip(weights, column, strict=True)) == 0


@given(tables(most=7), st.sampled_from(["after", "first"]), st.booleans())
def test_the_question_is_always_settled(table, settle, fit_intercept):
    X, codes = table
    y = 2 * codes - 1
    params = {"settle": settle, "fit_intercept": fit_intercept, "max_iter": 3}
    model = settled(X, y, **params)
    separable = naive.verdict(X, y, fit_intercept) == "separable"
    assert model.stop_reason_ == ("separated" if separable else "inseparable")
    assert model.converged_ == separable == (model.conflict_ is None)
    if separable:
        assert (model.predict(X) == y).all()
    else:
        assert_conflict(model, X, y, fit_intercept=fit_intercept)
        assert not model.settled_
        assert model.margin_bounds_ == (0, 0)


def test_breast_cancer_as_it_is():
    X, y = load_breast_cancer(return_X_y=True)
    model = settled(X, y)
    assert (model.stop_reason_, model.settled_, model.converged_) == ("separated", True, True)
    assert model.score(X, y) == 1
    assert model.n_updates_ == model.mistakes_.sum() > 0


@pytest.mark.parametrize("form", ["primal", "dual"])
@pytest.mark.parametrize("data", [HARD, NOISY])
def test_the_counts_are_those_of_the_plain_run(data, form):
    params = {"record": True, "max_iter": 5, "form": form}
    after = settled(*data, **params)
    never = quietly(Perceptron(settle="never", **params), *data)
    assert never.stop_reason_ == "max_iter"
    assert not never.settled_
    assert never.conflict_ is None
    assert_same_log(after.log_, never.log_)
    assert (after.n_iter_, after.n_updates_) == (never.n_iter_, never.n_updates_)
    np.testing.assert_array_equal(after.mistakes_, never.mistakes_)
    np.testing.assert_array_equal(after.dual_coef_, never.dual_coef_)
    if data is HARD:
        assert (after.stop_reason_, after.settled_, after.conflict_) == ("separated", True, None)
        assert after.converged_
        assert 0 < after.margin_bounds_[0] <= after.margin_bounds_[1]
    else:
        assert (after.stop_reason_, after.settled_) == ("inseparable", False)
        np.testing.assert_array_equal(after.coef_, never.coef_)  # the kept hypothesis
        assert_conflict(after, *data)


@pytest.mark.parametrize("form", ["primal", "dual"])
def test_first_makes_no_pass_where_data_are_separable(form):
    model = settled(*HARD, settle="first", form=form, record=True)
    assert (model.stop_reason_, model.settled_, model.converged_) == ("separated", True, True)
    assert (model.n_iter_, model.n_updates_, len(model.log_.i)) == (0, 0, 0)
    assert not model.dual_coef_.any()
    assert len(model.mistakes_) == 0


def test_first_makes_plain_passes_elsewhere():
    model = settled(*NOISY, settle="first", max_iter=5)
    after = settled(*NOISY, max_iter=5)
    assert (model.stop_reason_, model.n_iter_) == ("inseparable", 5)
    np.testing.assert_array_equal(model.coef_, after.coef_)
    assert_conflict(model, *NOISY)


def test_a_plain_run_that_separates_is_left_alone():
    X, y = datasets.textbook()
    model = settled(X, y, shuffle=False)
    assert (model.stop_reason_, model.settled_, model.n_updates_) == ("separated", False, 7)


@pytest.mark.parametrize(
    ("params", "reason"),
    [({"max_updates": 3}, "max_updates"), ({"tol": 10.0}, "tol"), ({"min_margin": 0.5}, "margin")],
)
def test_other_open_endings_are_settled_too(params, reason):
    assert quietly(Perceptron(settle="never", **params), *HARD).stop_reason_ == reason
    model = settled(*HARD, **params)
    assert (model.stop_reason_, model.settled_) == ("separated", True)
    assert settled(*NOISY, **params).stop_reason_ == "inseparable"


@pytest.mark.parametrize(
    "params",
    [
        {"settle": "never"},
        {"keep": "average"},
        {"keep": "vote"},
        {"rule": "pa1"},
        {"rule": "margin"},
    ],
)
def test_where_it_does_not_apply_the_warning_says_so(params):
    name, value = next(iter(params.items()))
    with pytest.warns(ConvergenceWarning, match=f"{name}={value!r}"):
        model = Perceptron(max_iter=3, **params).fit(*NOISY)
    assert not model.settled_
    assert model.conflict_ is None
    assert model.stop_reason_ == "max_iter"


def test_several_classes_are_settled_jointly():
    X, y = load_iris(return_X_y=True)
    model = Perceptron(max_iter=3, multi_class="direct").fit(X, y)
    assert (model.stop_reason_, model.settled_) == ("inseparable", True)
    assert len(model.conflict_) == 3  # rows, weights and rivals


def test_too_many_dimensions_are_said_so():
    rng = np.random.RandomState(0)
    X, y = rng.standard_normal((1100, 1050)), rng.choice([-1, 1], 1100)
    i, j = np.flatnonzero(y == 1)[:2]
    X[-1], y[-1] = (X[i] + X[j]) / 2, -1
    with pytest.warns(ConvergenceWarning, match="1051 dimensions"):
        model = Perceptron(max_iter=2).fit(X, y)
    assert model.stop_reason_ == "max_iter"


def test_each_class_against_the_rest():
    X, y = load_iris(return_X_y=True)
    model = settled(X, y, multi_class="ovr")
    assert model.stop_reason_ == ["separated", "inseparable", "inseparable"]
    assert model.conflict_[0] is None
    for c in (1, 2):
        assert_conflict(model, X, np.where(y == c, 1, -1), model.conflict_[c])
    X, y = load_digits(return_X_y=True)
    model = settled(X, y, settle="first", max_iter=2, multi_class="ovr")
    assert model.stop_reason_ == ["separated"] * 8 + ["inseparable"] * 2
    assert model.settled_
    scores = model.decision_function(X)
    for c in range(8):
        assert ((scores[:, c] > 0) == (y == c)).all()


@pytest.mark.parametrize("learn", [Perceptron.fit, fit_in_blocks], ids=["memory", "blocks"])
def test_settled_classes_have_one_scale(learn):
    """Lengths of 18 beside 0.16 made the longest hypothesis win, whatever the row."""
    X, y = load_digits(return_X_y=True)
    X, y = X[:500], y[:500]
    model = learn(Perceptron(multi_class="ovr", settle="first"), X, y)
    lengths = np.linalg.norm(np.column_stack((model.coef_, model.intercept_)), axis=1)
    assert lengths.max() <= 2 * lengths.min()
    assert model.score(X, y) > 0.98
    for c in range(10):
        alone = Perceptron(settle="first").fit(X, y == c)
        assert (alone.stop_reason_ == "separated") == (model.stop_reason_[c] == "separated")
    separated = [c for c in range(10) if model.stop_reason_[c] == "separated"]
    scores = model.decision_function(X)[:, separated]
    assert np.array_equal(scores > 0, y[:, None] == separated)


def test_a_settled_class_has_the_length_of_the_others():
    X, y = make_classification(500, 20, n_informative=15, n_classes=5, class_sep=3, random_state=1)
    model = quietly(Perceptron(multi_class="ovr", keep="last"), X, y)
    W = np.column_stack((model.coef_, model.intercept_))
    lengths, settled = np.linalg.norm(W, axis=1), np.array(model.stop_reason_) == "separated"
    assert 0 < settled.sum() < 5
    typical = np.exp(np.log(lengths[~settled]).mean())
    assert (np.abs(np.log2(lengths[settled] / typical)) <= 0.5).all()


def test_no_scale_where_digits_would_be_lost():
    """A bias of 10⁻³²³ became zero, and a separated class was not separated."""
    X = 5e-324 * np.array([[-6, -1, 0], [-4, -3, 2], [-6, 1, 1], [3, 4, -1], [6, -3, 6]])
    y = np.array([1, 2, 3, 0, 0])
    model = quietly(Perceptron(multi_class="ovr", settle="first", eta0=0.1), X, y)
    assert model.stop_reason_[3] == "separated"
    signs = naive.signed_rows(X, np.where(y == 3, 1, -1))
    W = [Fraction(v) for v in (*model.coef_[3].tolist(), float(model.intercept_[3]))]
    assert all(sum(map(Fraction.__mul__, map(Fraction, z), W)) > 0 for z in signs)


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_weights_whose_squares_overflow_have_one_scale():
    """Two lengths told as infinite made a scale that was not a number, and the fit was refused."""
    X = 1e-187 * np.array([[1.0, 0], [2, 0], [3, 0], [0, 1], [0, 2], [1, 1]])
    model = Perceptron(multi_class="ovr", settle="first", keep="last", max_iter=1)
    model.fit(X, [0, 1, 0, 2, 2, 1], coef_init=np.full((3, 2), 1e170), intercept_init=np.zeros(3))
    assert model.stop_reason_ == ["inseparable", "inseparable", "separated"]
    assert np.array_equal(model.decision_function(X)[:, 2] > 0, [0, 0, 0, 1, 1, 0])
    assert 0.5 <= np.linalg.norm(model.coef_[2] / 1e170) / np.sqrt(2) <= 2


def test_partial_fit_goes_on_from_what_settled():
    X, y = HARD
    model = settled(X, y, max_iter=5)
    coef, intercept = model.coef_.copy(), model.intercept_.copy()
    model.partial_fit(X[:50], y[:50])
    np.testing.assert_array_equal(model.coef_, coef)  # it gets these rows right
    far = -100 * coef / np.linalg.norm(coef)
    model.partial_fit(far, [1])
    np.testing.assert_allclose(model.coef_, coef + far)
    np.testing.assert_allclose(model.intercept_, intercept + 1)


def test_rows_that_settled_without_a_pass_bound_the_margin_of_later_ones():
    X, y = np.array([[1.0], [0.5]]), np.array([0, 1])
    model = quietly(Perceptron(settle="first"), X, y)
    model.partial_fit(X[:1], y[:1])
    lower, upper = model.margin_bounds_
    assert lower * model.radius_ <= augmented_margin(X, y).margin <= upper * model.radius_


def test_rows_without_weight_do_not_count():
    X, y = datasets.clouds(300, 4, 1e-4, tight=True)
    weight = np.ones(300)
    weight[[3, 50]] = 0
    y[[3, 50]] *= -1
    model = settled(X, y, weight, max_iter=3)
    assert model.stop_reason_ == "separated"
    y[200] *= -1  # far from the hyperplane; on it, rounding in the data would decide
    model = settled(X, y, weight, max_iter=3)
    assert model.stop_reason_ == "inseparable"
    assert not {3, 50} & set(model.conflict_[0].tolist())
    assert_conflict(model, X, y)


def test_rows_held_back_do_not_count():
    X, y = NOISY
    model = quietly(Perceptron(early_stopping=True, settle="first"), X, y)
    assert_conflict(model, X, y)


@pytest.mark.parametrize("data", [HARD, NOISY])
@pytest.mark.parametrize("kind", [csr, lambda X: X.astype(np.float32)])
def test_sparse_and_single_precision(data, kind):
    X, y = kind(data[0]), data[1]
    wanted = certify(X, y).verdict == "separable"
    model = settled(X, y, max_iter=5)
    assert model.stop_reason_ == ("separated" if wanted else "inseparable")
    if not wanted:
        dense = X.toarray() if hasattr(X, "toarray") else X
        assert_conflict(model, dense.astype(float), y)


@pytest.mark.parametrize("boundary", [1, -1])
def test_settling_is_strict_whatever_the_boundary(boundary):
    X, y = np.array([[0.0], [1.0], [1.0], [2.0]]), np.array([-1, -1, 1, 1])
    model = settled(X, y, boundary=boundary, max_iter=20)
    assert model.stop_reason_ == "inseparable"
    assert_conflict(model, X, y)


def test_the_separator_is_strict_exactly():
    X, y = HARD
    model = settled(X, y, max_iter=2)
    w = [*model.coef_[0].tolist(), model.intercept_[0]]
    ratios = [naive.Fraction(v) for v in w]
    sides = [rational.exact_dot(z, ratios) for z in naive.signed_rows(X, y)]
    assert min(sides) > 0


# -- By default ------------------------------------------------------------------------------------


def errors(model, X, y):
    return int((model.predict(X) != y).sum())


def test_textbook_runs_come_to_their_own_end():
    X, y = datasets.textbook()
    params = {"shuffle": False, "record": True}
    auto, never = settled(X, y, settle="auto", **params), plain(X, y, **params)
    assert (auto.settled_, auto.stop_reason_, auto.mistake_bounds_) == (False, "separated", (0, 0))
    assert_same_log(auto.log_, never.log_)
    X, y = datasets.xor()
    assert settled(X, y, settle="auto", min_margin=0).n_iter_ == 1000


def test_plain_passes_are_cut_short_where_deciding_is_quicker():
    auto = settled(*NOISY, settle="auto", record=True)
    cut = plain(*NOISY, max_iter=auto.n_iter_)
    assert auto.n_iter_ < 10
    assert_same_log(auto.log_, cut.log_)
    np.testing.assert_array_equal(auto.dual_coef_, cut.dual_coef_)
    assert_conflict(auto, *NOISY)


@pytest.mark.parametrize("seed", range(4))
def test_no_hypothesis_met_is_better(seed):
    X, y = datasets.clouds(200, 4, 0.02, flip=20, random_state=seed)
    auto = settled(X, y, settle="auto")
    best = plain(X, y, keep="best", max_iter=auto.n_iter_)
    average = plain(X, y, keep="average", max_iter=auto.n_iter_)
    assert errors(auto, X, y) <= min(errors(best, X, y), errors(average, X, y))
    assert auto.mistake_bounds_ == (1, errors(auto, X, y))
    assert fewest_mistakes(X, y, effort=0.02).at_least <= auto.mistake_bounds_[1]


def test_large_tables_are_decided_first():
    X, y = datasets.clouds(60_000, 8, 0.02)
    auto = settled(X, y, settle="auto")
    assert (auto.n_iter_, auto.settled_, auto.converged_) == (0, True, True)
    y[::50] *= -1
    auto = settled(X, y, settle="auto")
    assert auto.stop_reason_ == "inseparable"
    assert 1 <= auto.n_iter_ <= 3
    assert errors(auto, X, y) <= 1.01 * 1200


def test_the_last_hypothesis_is_handed_back_where_it_is_asked_for():
    last = settled(*NOISY, settle="auto", keep="last")
    cut = plain(*NOISY, keep="last", max_iter=last.n_iter_)
    np.testing.assert_array_equal(last.coef_, cut.coef_)


def test_weights_keep_plain_passes():
    X, y = NOISY
    weight = np.arange(1.0, len(y) + 1)
    auto, after = (settled(X, y, weight, settle=when, max_iter=20) for when in ("auto", "after"))
    np.testing.assert_array_equal(auto.coef_, after.coef_)


@pytest.mark.parametrize("kind", [np.float64, np.float32])
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_a_separated_fit_describes_itself_as_if_it_read_the_rows_again(
    kind, fit_intercept, monkeypatch
):
    X, y = datasets.clouds(30_000, 10, margin=0.01)
    X, weight = X.astype(kind), np.arange(len(y)) % 3 > 0
    known = Perceptron(fit_intercept=fit_intercept).fit(X, y, sample_weight=weight)
    scaled = answers.well_scaled
    monkeypatch.setattr(answers, "well_scaled", lambda *of: scaled(*of)._replace(least=None))
    read = Perceptron(fit_intercept=fit_intercept).fit(X, y, sample_weight=weight)
    assert known.stop_reason_ == "separated"
    for name in ("margin_bounds_", "converged_", "stop_reason_", "radius_", "_errors", "settled_"):
        assert getattr(known, name) == getattr(read, name)
    np.testing.assert_array_equal(known.coef_, read.coef_)


# -- The end of a fit, wherever the rows are -------------------------------------------------------


class Told:
    """Rows whose answers and counts are told beforehand; what they were asked."""

    def __init__(self, answer, errs):
        self.answer, self.errs, self.asked = answer, errs, []

    def decide_near(self, k, run):
        self.asked.append("decide")
        return self.answer

    def hand_back(self, runs, answers):
        self.asked.append("hand back")
        spec = RunSpec(*one_run())
        return [settling.settled(finish(run, spec), answers.get(k)) for k, run in enumerate(runs)]

    def last_errs(self, k, outcome):
        self.asked.append("confirm")
        return self.errs


def one_run():
    primal = store(np.array([[1.0], [-1.0]]), 1.0)
    rows, state = rows_of(primal, np.array([1, -1])), Online(np.zeros((1, 2)))
    return primal, primal, rows.train[:0], rows, state, Plan(Rule(rate=1.0))


@pytest.mark.parametrize("settle", [True, False])
@pytest.mark.parametrize("errs", [True, False])
def test_what_only_seems_to_separate_is_open_again_and_decided(errs, settle):
    run = all_passes(RunSpec(*one_run()), UNDRAWN, lambda run: None)
    ground = Told(answers.Separator(np.array([2.0, 0.0])), errs)
    (outcome,) = settling.end(ground, [run], {}, decides=settle)
    again = ["decide", "hand back"] if errs and settle else []
    assert ground.asked == ["hand back", "confirm", *again]
    assert run.misled == errs
    assert outcome.settled == (errs and settle)
    assert run.reason == ("max_iter" if errs and not settle else "separated")


def test_an_answer_that_is_known_is_not_asked_for_and_a_separator_gives_way_to_the_runs_own():
    run = all_passes(RunSpec(*one_run()), UNDRAWN, lambda run: None)
    found = answers.Separator(np.array([2.0, 0.0]))
    assert not settling.end(Told(None, False), [run], {0: found})[0].settled
    run.reopen()
    ground = Told(None, False)
    assert settling.end(ground, [run], {0: found})[0].settled
    assert ground.asked == ["hand back"]


def test_who_was_given_an_answer_keeps_it_when_another_run_is_misled():
    misled, given = (all_passes(RunSpec(*one_run()), UNDRAWN, lambda run: None) for _ in range(2))
    given.reason = "max_iter"
    ground = Told(answers.Separator(np.array([2.0, 0.0])), True)
    first, second = settling.end(ground, [misled, given], {})
    assert first.settled
    assert second.settled
    assert ground.asked == ["decide", "hand back", "confirm", "decide", "hand back"]
