"""Verdicts on separability, each with its proof."""

import json
import pickle
from dataclasses import replace
from itertools import pairwise

import naive
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_digits, load_iris
from specimens import csr

from rosenblatt import Certificate, certify, certify_each, datasets, verify
from rosenblatt.core.vectors import store
from rosenblatt.inputs.validation import rows_of, validate_data
from rosenblatt.separability import answers
from rosenblatt.separability.certificate_parts import listed_rows
from rosenblatt.separability.coefficients.infinite import (
    Reach,
    multinomial_directions,
    reachable,
    weak_separators,
)


def proved(X, y, **given):
    """A certificate that its checker has seen, before and after JSON."""
    certificate = certify(X, y, **given)
    assert verify(certificate, X, y)
    again = Certificate.from_json(certificate.to_json())
    assert again == certificate
    assert verify(again, X, y)
    return certificate


def verdict(X, y, **given):
    return proved(X, y, **given).verdict


# -- An exact twin ---------------------------------------------------------------------------------


@st.composite
def crowds(draw):
    """Few rows of few small numbers, so that all kinds of degeneracy occur."""
    n, d, most = draw(st.integers(2, 7)), draw(st.integers(1, 3)), draw(st.integers(1, 3))
    entry = st.integers(-most, most)
    X = np.array(draw(st.lists(st.lists(entry, min_size=d, max_size=d), min_size=n, max_size=n)))
    twist = draw(st.sampled_from(["", "constant", "collinear", "repeated", "zero", "scaled"]))
    if twist == "constant":
        X[:, 0] = 2
    elif twist == "collinear":
        X[:, -1] = 3 * X[:, 0]
    elif twist == "repeated":
        X[-1] = X[0]
    elif twist == "zero":
        X[0] = 0
    scale = 2.0 ** np.array([17, -20, 0])[:d] if twist == "scaled" else 1.0
    y = draw(st.lists(st.sampled_from([-1, 1]), min_size=n - 2, max_size=n - 2))
    return X * scale, np.array(draw(st.permutations([-1, 1, *y])))


@settings(max_examples=150)
@given(crowds(), st.booleans())
def test_the_verdict_is_that_of_an_exact_enumeration(crowd, fit_intercept):
    X, y = crowd
    certificate = proved(X, y, fit_intercept=fit_intercept)
    assert certificate.verdict == naive.verdict(X, y, fit_intercept)
    if certificate.conflict:
        wanted = naive.in_conflict(naive.signed_rows(X, y, fit_intercept))
        assert set(certificate.conflict.rows) <= wanted
    if certificate.verdict == "touching":
        assert len(certificate.conflict.rows) <= X.shape[1] + 2


# -- Known answers ---------------------------------------------------------------------------------


def test_iris():
    X, y = load_iris(return_X_y=True)
    assert verdict(X, y == 0) == "separable"
    assert verdict(X[50:], y[50:]) == "overlapping"


def test_breast_cancer_as_it_is():
    assert verdict(*load_breast_cancer(return_X_y=True)) == "separable"


def test_digits_each_against_the_rest():
    X, y = load_digits(return_X_y=True)
    verdicts = [certificate.verdict for certificate in certify_each(X, y).values()]
    assert verdicts[:8] == ["separable"] * 8
    assert not {"separable", "undecided"} & set(verdicts[8:])
    for digit in (0, 8, 9):
        proved(X, y == digit)


@pytest.mark.parametrize(
    ("X", "y", "wanted"),
    [
        ([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0], "overlapping"),
        ([[2, 3], [2, 3]], [0, 1], "overlapping"),
        ([[2, 3], [2, 3], [0, 0], [5, 5]], [0, 1, 0, 1], "touching"),
        ([[0], [1], [1], [2]], [0, 0, 1, 1], "touching"),
        ([[0], [2], [1], [3]], [0, 0, 1, 1], "overlapping"),
        ([[0], [1], [2], [3]], [0, 0, 1, 1], "separable"),
        ([[0, 0], [0, 0]], [0, 1], "overlapping"),
        ([[1, 2, 3], [3, 1, 2]], [0, 1], "separable"),
    ],
)
def test_small_tables(X, y, wanted):
    assert verdict(X, y) == wanted


@pytest.mark.parametrize(
    ("X", "y", "wanted"),
    [
        ([[0], [1], [-1]], [1, 1, 0], "touching"),
        ([[0], [0]], [1, 0], "overlapping"),
        ([[1], [2]], [0, 1], "overlapping"),
        ([[1, 0], [-1, 5]], [0, 1], "separable"),
    ],
)
def test_through_the_origin(X, y, wanted):
    certificate = proved(X, y, fit_intercept=False)
    assert certificate.verdict == wanted
    assert certificate.separator is None or certificate.separator.b == 0


def test_a_face_of_many_random_rows():
    rng = np.random.RandomState(0)
    A, y = rng.standard_normal((60, 100)), rng.choice([0, 1], 60)
    assert verdict(np.vstack((A, A[:25])), np.append(y, 1 - y[:25])) == "touching"
    A = A[:, :10]
    assert verdict(np.vstack((A, A)), np.append(y, 1 - y)) == "overlapping"


@pytest.mark.parametrize("power", [-10, -5, 5, 10])
def test_touching_classes_touch_at_any_scale(power):
    X, y = np.array([[0, 1], [1, 0], [1, 0], [2, 5]]) * [1, 10.0**power], [0, 0, 1, 1]
    assert verdict(X, y) == "touching"


@pytest.mark.parametrize("size", [1e-200, 1e200, 5e-324, 1.7e308])
@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("X", [[[1], [-1]], [[1], [1]], [[1], [0.5]]])
def test_numbers_of_any_size_are_told_rightly(X, size, fit_intercept):
    X, y = np.array(X) * size, np.array([1, -1])
    assert verdict(X, y, fit_intercept=fit_intercept) == naive.verdict(X, y, fit_intercept)


def test_the_margin_is_the_distance_of_the_nearest_row():
    X, y = datasets.clouds(200, 4, 0.1)
    found = proved(X, y)
    w, b = np.array([float(x) for x in found.separator.w]), float(found.separator.b)
    assert found.margin == pytest.approx((y * (X @ w + b)).min() / np.linalg.norm(w))
    assert proved(*datasets.xor()).margin == 0


# -- Coefficients that run away --------------------------------------------------------------------


def test_the_square_of_threes_and_ones():
    X = [[3, 1], [3, -1], [-3, 1], [-3, -1]]
    found = proved(X, [1, 1, 0, 0])
    assert found.infinite_coefficients() == {"x0": "+inf", "x1": "either", "intercept": "either"}


def test_a_quasi_complete_table():
    X = [[0, 1], [0, 2], [0, 3], [0, 4], [1, 1], [1, 4]]  # those with x0 are all of class 1
    found = proved(X, [0, 1, 0, 1, 1, 1])
    assert found.verdict == "touching"
    assert found.infinite_coefficients() == {"x0": "+inf", "x1": "finite", "intercept": "finite"}
    other = proved(X, [1, 0, 1, 0, 0, 0])
    assert other.infinite_coefficients() == {"x0": "-inf", "x1": "finite", "intercept": "finite"}


def test_overlapping_classes_have_finite_coefficients():
    found = proved(*datasets.xor()).infinite_coefficients()
    assert set(found.values()) == {"finite"}


def test_coefficients_have_the_names_of_a_frame():
    pandas = pytest.importorskip("pandas")
    X = pandas.DataFrame({"dose": [3, 3, -3, -3], "age": [1, -1, 1, -1]})
    found = proved(X, [1, 1, 0, 0]).infinite_coefficients()
    assert found == {"dose": "+inf", "age": "either", "intercept": "either"}
    assert list(certify(X, [1, 1, 0, 0], fit_intercept=False).infinite_coefficients()) == [*X]


def test_aliased_columns_are_named():
    X = np.array([[0, 0, 7, 1], [0, 0, 7, 2], [1, 2, 7, 1], [1, 2, 7, 2]])
    found = proved(X, [0, 0, 1, 1]).infinite_coefficients()
    assert found["x0"] == "+inf"
    assert found["x1"] == found["x2"] == "aliased"


@given(crowds())
def test_a_column_is_aliased_if_those_before_it_make_it(crowd):
    X, y = crowd
    columns = [[1] * len(X), *X.T.tolist()]
    ranks = [k - len(naive.kernel(exactly(columns[:k]))) for k in range(1, len(columns) + 1)]
    grows = [after > before for before, after in pairwise(ranks)]
    told = list(certify(X, y).infinite_coefficients().values())[:-1]
    assert [name != "aliased" for name in told] == grows


@given(crowds(), st.booleans())
def test_a_coefficient_runs_where_no_conflict_with_its_axis_holds_it(crowd, fit_intercept):
    X, y = crowd
    told = list(certify(X, y, fit_intercept=fit_intercept).infinite_coefficients().values())
    free = [j for j, name in enumerate(told) if name != "aliased"]
    Z = [[z[j] for j in free] for z in naive.signed_rows(X, y, fit_intercept)]

    def can(k, sign):
        axis = [naive.Fraction(sign * (k == j)) for j in range(len(free))]
        return len(Z) not in naive.in_conflict([*Z, axis])

    names = {(1, 1): "either", (1, 0): "+inf", (0, 1): "-inf", (0, 0): "finite"}
    assert [told[j] for j in free] == [names[can(k, 1), can(k, -1)] for k in range(len(free))]


@given(crowds(), st.booleans())
def test_the_multinomial_model_of_two_classes_is_the_logistic_one(crowd, fit_intercept):
    X, y = crowd
    found = certify(X, y, fit_intercept=fit_intercept).infinite_coefficients()
    assert multinomial_directions(validate_data(X, y), fit_intercept) == [list(found.values())]


def test_coefficients_of_several_classes_are_against_the_first():
    found = certify([[0.0], [1.0], [0.5], [1.5], [9.0]], ["a", "a", "b", "b", "c"])
    assert found.verdict == "touching"
    assert found.infinite_coefficients() == {
        "b": {"x0": "finite", "intercept": "finite"},
        "c": {"x0": "+inf", "intercept": "-inf"},
    }
    with pytest.raises(ValueError, match="with two classes"):
        found.dependence()


def test_too_many_pairs_of_rows_and_rivals_are_refused(monkeypatch):
    monkeypatch.setattr("rosenblatt.separability.coefficients.infinite.PAIR_NUMBERS", 10)
    with pytest.raises(ValueError, match="3 rows of 3 classes are too many; take some of the cl"):
        certify([[0.0], [1.0], [2.0]], [0, 1, 2]).infinite_coefficients()


def exactly(rows):
    return [[naive.Fraction(v) for v in row] for row in rows]


def left_open(certificate):
    """The same, without a verdict."""
    return replace(
        certificate, verdict="undecided", reason="time is up", conflict=None, separator=None
    )


def test_coefficients_need_data_and_a_verdict():
    found = certify(*datasets.xor())
    with pytest.raises(ValueError, match="needs the data"):
        Certificate.from_json(found.to_json()).infinite_coefficients()
    with pytest.raises(ValueError, match="open"):
        left_open(found).infinite_coefficients()


# -- Kinds of data ---------------------------------------------------------------------------------


@pytest.mark.parametrize("flip", [0, 5])
def test_all_kinds_of_tables_get_one_verdict(flip):
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    X, y = datasets.clouds(200, 4, 0.1, flip=flip)
    X = np.round(4 * X) / 4  # exact in single precision
    y[X[:, 0] == X[:, 0].max()] = y[0]
    wanted = verdict(X, y)
    frame = pandas.DataFrame(X, columns=list("abcd"))
    kinds = [X.astype(np.float32), csr(X), csr(X, np.int64), sp.csc_array(X), sp.lil_array(X)]
    for rows in (*kinds, X.tolist(), frame, polars.DataFrame(X), np.asfortranarray(X)):
        assert verdict(rows, y) == wanted
    for labels in (y.tolist(), pandas.Series(y), np.where(y > 0, "yes", "no"), y > 0):
        assert verdict(X, labels) == wanted


def test_several_classes():
    X, y = load_iris(return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    rest = certify_each(X, names)
    assert [c.verdict for c in rest.values()] == ["separable", "overlapping", "overlapping"]
    pairs = certify_each(X, names, "one-vs-one")
    assert {pair: c.verdict for pair, c in pairs.items()} == {
        ("setosa", "versicolor"): "separable",
        ("setosa", "virginica"): "separable",
        ("versicolor", "virginica"): "overlapping",
    }
    for label, certificate in rest.items():
        assert verify(certificate, X, names == label)
    for pair, certificate in pairs.items():
        i = np.isin(names, pair)
        assert verify(certificate, X[i], names[i])


# -- Refusals --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        ([[1], [2]], [0, 0], "one class"),
        ([[1], [np.nan]], [0, 1], "NaN"),
        ([[1], [np.inf]], [0, 1], "infinity"),
        ([[1], [2]], [0, 1, 1], "inconsistent"),
        ([[1], [2]], [0.5, 1.25], "continuous"),
        (np.array([[2**53 + 1], [0]]), [0, 1], r"2\*\*53"),
        (np.array([[-(2**53) - 1], [0]]), [0, 1], r"2\*\*53"),
        (np.array([[2**63], [0]], np.uint64), [0, 1], r"2\*\*53"),
        ([[2**53 + 1, 0.5], [0, 1]], [0, 1], r"2\*\*53"),
        ([[2**70], [0]], [0, 1], r"2\*\*53"),
        (np.array([[2**70], [0]], object), [0, 1], r"2\*\*53"),
        (sp.csr_array(np.array([[2**53 + 1], [0]])), [0, 1], r"2\*\*53"),
    ],
)
def test_what_is_refused(X, y, message):
    with pytest.raises(ValueError, match=message):
        certify(X, y)


def test_large_whole_numbers_in_one_column_of_a_frame_are_refused():
    pandas = pytest.importorskip("pandas")
    with pytest.raises(ValueError, match=r"2\*\*53"):
        certify(pandas.DataFrame({"a": [0.5, 1], "b": [2**53 + 1, 0]}), [0, 1])
    assert verdict([[2**53], [0]], [0, 1]) == "separable"


def test_an_unknown_scheme_is_refused():
    with pytest.raises(ValueError, match="one-vs-rest"):
        certify_each([[1], [2]], [0, 1], scheme="all")


# -- Telling a person ------------------------------------------------------------------------------


def test_a_verdict_in_words():
    assert "no hyperplane has rows 0, 1, 2 and 3 (counted from 0)" in str(
        sort(certify(*datasets.xor()))
    )
    assert str(certify([[0], [1]], [0, 1])).startswith("separable: a hyperplane has all 2 rows")
    touching = certify([[0], [1], [1], [2]], [0, 0, 1, 1])
    assert "the classes touch" in str(touching)
    assert "row 0 (counted from 0) is zero" in str(
        certify([[0], [1], [-1]], [1, 1, 0], fit_intercept=False)
    )
    assert str(left_open(touching)) == "undecided: time is up"


def sort(certificate):
    """The same certificate, its rows in order."""
    fields = json.loads(certificate.to_json())
    both = sorted(zip(*fields["conflict"].values(), strict=True))
    fields["conflict"] = dict(
        zip(("rows", "weights"), map(list, zip(*both, strict=True)), strict=True)
    )
    return Certificate.from_json(json.dumps(fields))


def test_rows_in_a_sentence():
    assert listed_rows([3]) == "3 (counted from 0)"
    assert listed_rows([3, 5]) == "3 and 5 (counted from 0)"
    assert listed_rows([12, 57, 103]) == "12, 57 and 103 (counted from 0)"
    assert listed_rows(list(range(10))) == "0, 1, 2, 3, 4, 5, 6, 7 and 2 more (counted from 0)"


def test_html_is_escaped():
    page = certify([[0], [1]], ["<b>", "&"])._repr_html_()
    assert "&lt;b&gt;" in page
    assert "<b>" not in page
    assert "rows in conflict" in certify(*datasets.xor())._repr_html_()


@pytest.mark.parametrize(
    "change",
    [
        {"format": "other"},
        {"verdict": "separable"},
        {"verdict": ["overlapping"]},
        {"conflict": {"rows": [1e400], "weights": ["1"]}},
        {"conflict": {"rows": [0.5], "weights": ["1"]}},
        {"conflict": {"rows": [0], "weights": ["1e9"]}},
        {"conflict": {"rows": [0], "weights": ["1/0"]}},
        {"conflict": [1, 2]},
        {"conflict": None},
        {"separator": {"w": ["1"], "b": "0"}},
        {"classes": 5},
        {"margin": "wide"},
        {"stranger": 1},
    ],
)
def test_what_is_no_certificate_is_not_read(change):
    fields = json.loads(certify(*datasets.xor()).to_json()) | change
    with pytest.raises(ValueError, match="not a certificate"):
        Certificate.from_json(json.dumps(fields))


@pytest.mark.parametrize("text", ["", "[]", "{}", "[" * 100_000, "null", '{"format": 1}'])
def test_other_text_is_no_certificate(text):
    with pytest.raises(ValueError, match="not a certificate"):
        Certificate.from_json(text)


def test_a_hundred_contradictory_pairs_are_one_face():
    rng = np.random.default_rng(0)
    X = (rng.random((1200, 150)) < 0.04).astype(float)
    y, again = np.where(X @ rng.standard_normal(150) > 0, 1, -1), rng.choice(1200, 110, False)
    X, y = np.vstack((X, X[again])), np.append(y, -y[again])
    certificate = certify(X, y)
    assert certificate.verdict in ("touching", "overlapping")
    assert verify(certificate, X, y)


def test_a_pickled_certificate_leaves_the_data_behind():
    X, y = datasets.clouds(5_000, 20, margin=0.1)
    certificate = certify(X, y)
    packed = pickle.dumps(certificate)
    assert len(packed) < 4 * len(certificate.to_json())
    again = pickle.loads(packed)
    assert again == certificate
    assert verify(again, X, y)
    with pytest.raises(ValueError, match="this needs the data: call certify on them"):
        again.infinite_coefficients()


@pytest.mark.parametrize("margin", [0.1, 1e-12])
@pytest.mark.parametrize("scale", [1.0, 1e-150, 2.0**-600])
def test_the_margin_of_a_certificate_is_that_of_rows_read_again(margin, scale, monkeypatch):
    X, y = datasets.clouds(2000, 3, margin=margin)
    found, scaled = certify(X * scale, y), answers.well_scaled
    monkeypatch.setattr(answers, "well_scaled", lambda *of: scaled(*of)._replace(least=None))
    assert found.margin == certify(X * scale, y).margin > 0
    assert found.margin == pytest.approx(certify(X, y).margin * scale, rel=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_columns_that_are_asked_for_together_move_as_each_alone_does(seed):
    rng = np.random.RandomState(seed)
    levels = rng.randint(6, size=(300, 5))
    X = np.hstack([(levels[:, [j]] == np.arange(6)) * 1.0 for j in range(5)])
    y = np.where(levels[:, 0] == 1, 1, np.where(levels[:, 1] > 3, -1, rng.choice([-1, 1], 300)))
    primal = store(X, 1.0)
    cone = weak_separators(primal, rows_of(primal, y.astype(np.int32)))

    def moves(k, sign):
        goal = sign * np.eye(len(cone.columns))[k]
        return Reach(cone, np.zeros((2, len(goal)), bool), cone.rows.train[:0]).farthest(goal).any()

    alone = [[moves(k, sign) for k in range(len(cone.columns))] for sign in (1.0, -1.0)]
    together = reachable(cone)
    assert together.tolist() == alone
    assert 0 < together.sum() < together.size


def test_coefficients_of_one_name_are_told_apart():
    pd = pytest.importorskip("pandas")
    X = pd.DataFrame({"intercept": [0.0, 1, 3, 4]})
    found = certify(X, [0, 0, 1, 1]).infinite_coefficients()
    assert found == {"intercept (column 0)": "+inf", "intercept": "-inf"}
    X = pd.DataFrame({"a": list("uvuv"), "a=u": [0.0, 1, 3, 4]})
    found = certify(X, [0, 0, 1, 1]).infinite_coefficients()
    assert list(found) == ["a=u (column 0)", "a=v", "a=u (column 2)", "intercept"]
