"""Numbers at the ends of floating point: what is said of them is true, or they are refused."""

import warnings
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning
from specimens import assert_same_log, csr, plain, quarters, quietly

from rosenblatt import (
    Certificate,
    Perceptron,
    certify,
    distance,
    fit_blocks,
    max_margin,
    perceptron_loss,
    read,
    verify,
)
from rosenblatt.inputs.validation import matrix_of

REFUSED = "too long|too short|overflowed|beyond"
extremes = [0.0, -0.0, 5e-324, 2.2e-308, 1e-300, 1e-160, 1e-20, 2.0**53, 1e150, 1e300, 1.7e308]
numbers = st.one_of(
    st.sampled_from(extremes + [-x for x in extremes]),
    st.floats(allow_nan=False, allow_infinity=False),
    quarters,
)


@st.composite
def wild(draw, values=numbers):
    """A few rows of numbers of any size; or of one size for each column."""
    n, d = draw(st.integers(2, 6)), draw(st.integers(1, 3))
    X = np.array(draw(st.lists(values, min_size=n * d, max_size=n * d))).reshape(n, d)
    y = draw(st.lists(st.integers(0, 1), min_size=n - 2, max_size=n - 2))
    return X, np.array([0, 1, *y])


@st.composite
def cancelling(draw):
    """Rows whose large numbers nearly cancel, so that rounding decides on signs."""
    d, power = draw(st.integers(3, 8)), draw(st.integers(50, 54))
    X = np.array(draw(st.lists(quarters, min_size=2 * d, max_size=2 * d))).reshape(2, d)
    X[:, 0] += 2.0**power
    X[:, -1] -= 2.0**power
    y = draw(st.lists(st.integers(0, 1), min_size=2, max_size=2))
    return np.vstack((np.ones(d), -np.ones(d), X)), np.array([1, 0, *y])


def margins(model, X, y):
    """The margins of rows, exactly."""
    w = [Fraction(v) for v in [*model.coef_[0].tolist(), float(model.intercept_[0])]]
    rows = [[Fraction(v) for v in [*x, 1.0]] for x in np.asarray(X).tolist()]
    signs = np.where(y == model.classes_[1], 1, -1).tolist()
    return [s * sum(map(Fraction.__mul__, x, w)) for x, s in zip(rows, signs, strict=True)]


def assert_true_of(model, X, y, rows=None):
    """Every claim of a model about two classes, exactly; `rows` are X as it saw them."""
    assert np.isfinite(model.coef_).all()
    assert np.isfinite(model.intercept_).all()
    if model.converged_:
        assert min(margins(model, X, y)) > 0
        assert model.score(X if rows is None else rows, y) == 1
    if model.stop_reason_ == "inseparable":
        rows, weights = model.conflict_
        assert min(weights) > 0
        Z = [np.append(X[i], float(model.fit_intercept)) * (2 * y[i] - 1) for i in rows]
        for column in zip(*(z.tolist() for z in Z), strict=True):
            assert sum(Fraction(v) * w for v, w in zip(column, weights, strict=True)) == 0
    low, high = model.margin_bounds_
    assert 0 <= low <= high <= 1


configurations = st.fixed_dictionaries(
    {
        "fit_intercept": st.booleans(),
        "settle": st.sampled_from(["after", "first", "never"]),
        "rule": st.sampled_from(["rosenblatt", "rosenblatt", "margin", "pa", "pa1", "relaxation"]),
        "keep": st.sampled_from(["pocket", "last", "best", "average"]),
        "form": st.sampled_from(["primal", "dual"]),
        "eta0": st.sampled_from([1.0, 0.1, 1e-100, 1e100]),
    }
)


@given(st.one_of(wild(), cancelling()), configurations, st.booleans())
def test_what_a_model_claims_is_true_or_the_numbers_are_refused(table, params, sparse):
    X, y = table
    params["eta0"] = min(params["eta0"], 1.5) if params["rule"] == "relaxation" else params["eta0"]
    rows = csr(X) if sparse else X
    try:
        model = quietly(Perceptron(max_iter=20, **params), rows, y)
    except ValueError as error:
        assert any(word in str(error) for word in REFUSED.split("|"))  # noqa: PT017
        return
    assert_true_of(model, X, y, rows)


@given(cancelling(), st.sampled_from(["after", "first"]))
def test_separated_is_meant_exactly(table, settle):
    X, y = table
    model = quietly(Perceptron(settle=settle, max_iter=50), X, y)
    if model.stop_reason_ == "separated" and not model.settled_:
        assert min(margins(model, X, y)) > 0


TURNED = [[-3.0, -3], [-3, -2], [3, -2]], [0, 1, 0]  # 0.1 (-3 + 3) is not 0 when it is rounded


def is_right_exactly(model):
    """Whether the last hypothesis gets these rows right. Without fused sums, rounding is kinder."""
    last = model._online[0].W if model.keep == "average" else model.coef_
    w = [Fraction(x) for x in last[0, :2]]
    sides = [Fraction(a) * w[0] + Fraction(b) * w[1] for a, b in TURNED[0]]
    return all(
        side > 0 if label else side < 0 for side, label in zip(sides, TURNED[1], strict=True)
    )


@pytest.mark.parametrize("keep", ["pocket", "average"])
@pytest.mark.parametrize("settle", ["auto", "first", "after", "never"])
def test_separated_is_meant_exactly_where_the_hyperplane_has_a_class(settle, keep):
    how = {"eta0": 0.1, "boundary": 1, "fit_intercept": False, "shuffle": False, "max_iter": 50}
    model = quietly(Perceptron(**how, settle=settle, keep=keep), *TURNED)
    if keep == "pocket":
        assert model.converged_ == (model.stop_reason_ == "separated")
        assert model.converged_ or settle == "never"
    assert (model.stop_reason_ == "separated") == is_right_exactly(model)


@pytest.mark.parametrize("keep", ["pocket", "average"])
def test_a_run_that_rounding_misled_has_not_separated_the_blocks(keep):
    X, y = np.array(TURNED[0]), np.array(TURNED[1])
    how = {"eta0": 0.1, "boundary": 1, "fit_intercept": False, "shuffle": False, "max_iter": 50}
    with warnings.catch_warnings(record=True) as said:
        model = fit_blocks(
            Perceptron(**how, settle="never", keep=keep), [(X[:2], y[:2]), (X[2:], y[2:])]
        )
    assert model.stop_reason_ == ("separated" if is_right_exactly(model) else "max_iter")
    assert model.converged_ == (keep == "average" or is_right_exactly(model))
    assert ["rounding decides on their side" in str(each.message) for each in said] == [True] * (
        not model.converged_
    )


def test_rows_that_are_right_exactly_are_right_whatever_rounding_says():
    far = 2.0**53
    X = np.array([[1.0] * 8, [-1.0] * 8, [0.0] * 8, [0.0] * 8])
    X[2:, 0], X[2:, 6], X[2:, 7] = far, (1.25, -0.5), -far
    y, how = np.array([1, 0, 0, 1]), {"fit_intercept": False, "rule": "margin"}
    for model in (
        quietly(Perceptron(max_iter=20, **how), X, y),
        fit_blocks(Perceptron(max_iter=20, **how), [(X[:0], y[:0]), (X, y)]),
    ):
        assert (min(margins(model, X, y)) > 0) == model.converged_ == (model.score(X, y) == 1)


@pytest.mark.parametrize("classes", [2, 3])
def test_predictions_on_training_rows_are_those_of_exact_scores(classes):
    rng = np.random.RandomState(0)
    X = rng.randint(-12, 13, (60, 4)) / 4
    X[:, 0], X[:, 3] = X[:, 0] + 2.0**52, X[:, 3] - 2.0**52
    y = np.arange(60) % classes
    model = quietly(Perceptron(settle="never", eta0=0.1, max_iter=3), X, y)
    weights = np.column_stack((model.coef_, model.intercept_)).tolist()
    for x, label, f in zip(X.tolist(), model.predict(X), model.decision_function(X), strict=True):
        exact = [
            sum(Fraction(a) * Fraction(b) for a, b in zip([*x, 1.0], w, strict=True))
            for w in weights
        ]
        if classes == 2:
            assert (exact[0] > 0, exact[0] < 0) == (f > 0, f < 0)
        else:
            assert exact[label] == max(exact)


blockwise = st.fixed_dictionaries(
    {
        "fit_intercept": st.booleans(),
        "settle": st.sampled_from(["after", "first", "never"]),
        "rule": st.sampled_from(["rosenblatt", "rosenblatt", "margin", "pa"]),
        "keep": st.sampled_from(["pocket", "last", "average"]),
        "eta0": st.sampled_from([1.0, 0.1]),
    }
)


@given(st.one_of(wild(), cancelling()), blockwise, st.integers(0, 6))
def test_what_is_claimed_of_blocks_is_true_or_the_numbers_are_refused(table, params, place):
    X, y = table
    blocks = list(zip(np.split(X, [place]), np.split(y, [place]), strict=True))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        try:
            model = fit_blocks(Perceptron(max_iter=20, **params), blocks)
        except ValueError as error:
            assert any(word in str(error) for word in REFUSED.split("|"))  # noqa: PT017
            return
    assert_true_of(model, X, y)
    if model.stop_reason_ == "inseparable":
        assert not model.converged_


@given(cancelling(), st.integers(0, 4))
def test_separated_is_meant_exactly_over_blocks(table, place):
    X, y = table
    blocks = list(zip(np.split(X, [place]), np.split(y, [place]), strict=True))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = fit_blocks(Perceptron(max_iter=50), blocks)
    memory = quietly(Perceptron(max_iter=50, form="primal"), X, y)
    assert (model.stop_reason_, model.converged_) == (memory.stop_reason_, memory.converged_)
    if model.stop_reason_ == "separated" and not model.settled_ and model.converged_:
        assert min(margins(model, X, y)) > 0


@given(wild(), st.booleans())
def test_every_verdict_verifies_or_is_left_open(table, fit_intercept):
    X, y = table
    certificate = certify(X, y, fit_intercept=fit_intercept)
    if certificate.verdict == "undecided":
        assert certificate.reason
    else:
        assert verify(certificate, X, y)
    again = Certificate.from_json(certificate.to_json())
    assert again == certificate


def test_rounding_does_not_decide():
    X = np.ones((3, 9))
    X[1] = 2.0**53, 2.0**53, 1, 1, 1, -(2.0**53), -(2.0**53), -1.5, -2.75
    X[2] *= -1
    for label in (0, 1):
        y = np.array([1, label, 0])
        for settle in ("after", "never"):
            model = quietly(Perceptron(shuffle=False, settle=settle, max_iter=50), X, y)
            assert_true_of(model, X, y)


@given(wild(st.sampled_from([0.0, -0.0, 1.0, -1.0, 2.5])), st.booleans())
def test_both_zeros_are_one(table, fit_intercept):
    X, y = table
    params = {"fit_intercept": fit_intercept, "max_iter": 9}
    for rows in (X, csr(X)):
        assert_same_log(plain(rows, y, **params).log_, plain(X + 0.0, y, **params).log_)
    one, other = certify(X, y, fit_intercept=fit_intercept), certify(X + 0.0, y)
    assert one.sha256 == other.sha256
    assert verify(one, X + 0.0, y)


def test_entries_of_a_sparse_matrix_that_are_zero_or_come_twice():
    X = np.array([[0.0, 2.0], [0.0, 0.0], [-1.0, 0.0]])
    entries = ([0.0, 1.5, 0.5, -0.0, -1.0], ([0, 0, 0, 1, 2], [0, 1, 1, 0, 0]))
    explicit, y = sp.coo_array(entries, shape=(3, 2)).tocsr(), np.array([1, 0, 0])
    explicit.sum_duplicates()
    assert_same_log(plain(explicit, y).log_, plain(X, y).log_)
    assert certify(explicit, y).sha256 == certify(X, y).sha256
    for stored in (matrix_of(explicit), matrix_of(csr(X))):
        assert (stored.data.tolist(), stored.indices.tolist()) == ([2.0, -1.0], [1, 0])


# -- What is refused -------------------------------------------------------------------------------

LARGE = [[2**53], [2**53 + 1]]


@pytest.mark.parametrize(
    "X",
    [
        LARGE,
        np.array(LARGE),
        np.array(LARGE, np.uint64),
        np.array(LARGE, object),
        sp.csr_array(np.array(LARGE)),
        [[-(2**53) - 1], [0.5]],
        [[10**30], [1]],
    ],
    ids=["list", "int64", "uint64", "object", "csr", "mixed", "beyond int64"],
)
def test_whole_numbers_that_would_change_are_refused(X):
    for use in (Perceptron().fit, certify, partial(Perceptron().partial_fit, classes=[0, 1])):
        with pytest.raises(ValueError, match=r"whole numbers beyond 2\*\*53"):
            use(X, [0, 1])
    frame = pytest.importorskip("pandas").DataFrame({"a": [2**53 + 1, 1], "b": [0.5, 1.5]})
    with pytest.raises(ValueError, match=r"whole numbers beyond 2\*\*53"):
        Perceptron().fit(frame, [0, 1])


def test_whole_numbers_up_to_there_are_themselves():
    X, y = np.array([[2**53], [2**53 - 1]]), [0, 1]
    assert certify(X, y).verdict in ("separable", "undecided")
    assert quietly(Perceptron(), X, y).stop_reason_ != "inseparable"


@pytest.mark.parametrize("form", ["primal", "dual"])
@pytest.mark.parametrize(("size", "said"), [(1e-200, "too short"), (1e200, "too long")])
def test_rows_whose_squares_are_lost_are_refused(form, size, said):
    X = np.array([[1.0], [-size], [size]])
    for rows in (X, csr(X)):
        with pytest.raises(ValueError, match=f"row 1 of X is {said} for floating point"):
            Perceptron(fit_intercept=False, form=form).fit(rows, [1, 0, 1])
    if size < 1:
        with pytest.raises(ValueError, match=said):
            Perceptron(fit_intercept=False).partial_fit(X, [1, 0, 1], classes=[0, 1])


def test_no_separator_is_ruled_out_by_an_underflow():
    model = quietly(Perceptron(settle="never"), [[1e-200], [-1e-200]], [1, 0])
    assert model.margin_bounds_[1] >= 1e-200
    assert quietly(Perceptron(), [[1e-200], [-1e-200]], [1, 0]).converged_


@pytest.mark.parametrize("learn", [lambda m, X, y: m.fit(X, y), lambda m, *b: fit_blocks(m, [b])])
def test_the_length_of_a_pair_of_rows_does_not_overflow_if_that_of_a_row_does_not(learn):
    X, y = np.array([[-1e154], [1e-100], [1e10]]), np.array([0, 1, 2])
    model = Perceptron(settle="never", max_iter=3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        learn(model, X, y)
    assert model.radius_ == pytest.approx(np.sqrt(2) * 1e154, rel=1e-15)


@pytest.mark.parametrize("row", [[1e308, 1e308], [1e308, 0.0], [1e308, -1e308]])
def test_scores_that_overflow_are_refused(row):
    model = Perceptron(fit_intercept=False).fit([[16.0, -16], [-16, 16]], [1, 0])
    with pytest.raises(ValueError, match="scores overflowed"):
        model.predict([row])
    assert model.predict([[1e300, 0.0]]).tolist() == [1]


def test_distances_of_long_and_short_normals():
    for size in (1e200, 1e-200):
        assert distance([[3.0, 3.0]], [3 * size, 4 * size], -7 * size)[0] == pytest.approx(2.8)
    for measure in (
        lambda: distance([[1e200]], [1e200]),
        lambda: perceptron_loss([[1e200, 1e200]], [1], [1e200, -1e200]),
    ):
        with pytest.raises(ValueError, match="too large for floating point"):
            measure()


@given(wild(), st.booleans())
def test_the_widest_margin_is_finite_or_refused(table, fit_intercept):
    X, y = table
    try:
        widest = max_margin(X, y, fit_intercept=fit_intercept)
    except ValueError as error:
        assert str(error)  # noqa: PT017
        return
    assert np.isfinite(widest.margin)
    assert widest.margin > 0


# -- Numbers in files ------------------------------------------------------------------------------


def test_whole_numbers_in_files_that_would_change_are_refused(tmp_path):
    np.save(tmp_path / "x.npy", np.array([[2**53 + 1, 0], [1, 1]]))
    with pytest.raises(ValueError, match=r"'x1' holds whole numbers beyond 2\*\*53"):
        read(tmp_path / "x.npy")
    (tmp_path / "y.csv").write_text("1,9007199254740993\n2,9007199254740992\n")
    with pytest.raises(ValueError, match=r"labels beyond 2\*\*53"):
        read(tmp_path / "y.csv")


def test_a_mean_that_overflows_is_refused(tmp_path):
    (tmp_path / "m.csv").write_text("a,y\n1e308,0\n1e308,1\n,1\n")
    with pytest.raises(ValueError, match="a mean that is too large"):
        read(tmp_path / "m.csv", missing="mean")


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=2, max_size=20))
def test_floats_survive_text(tmp_path_factory, values):
    path = tmp_path_factory.mktemp("t") / "t.csv"
    path.write_text("".join(f"{v!r},{k % 2}\n" for k, v in enumerate(values)))
    assert read(path).X[:, 0].tolist() == values


@pytest.mark.parametrize("eta0", [1.0, 2.0**-600])
def test_scores_of_rows_near_the_hyperplane_have_their_exact_signs(eta0):
    rng = np.random.RandomState(0)
    X, w = rng.randn(50, 5), rng.randn(5)
    model = Perceptron(eta0=eta0, settle="never").fit(X, (X @ w > 0).astype(int))
    c = model.coef_[0] / eta0
    near = rng.randn(400, 5) * 0.3
    near -= ((near @ c + model.intercept_[0] / eta0) / (c @ c))[:, None] * c
    ratios = [Fraction(v) for v in [*model.coef_[0].tolist(), *model.intercept_.tolist()]]
    exact = [
        sum(Fraction(a) * v for a, v in zip([*x, 1.0], ratios, strict=True)) for x in near.tolist()
    ]
    signs = [(f > 0) - (f < 0) for f in exact]
    assert np.sign(model.decision_function(near)).tolist() == signs
