"""The border: whatever can be refused is refused here."""

import math

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.model_selection import StratifiedShuffleSplit
from specimens import csr

from rosenblatt import certify, max_margin
from rosenblatt.core.loop import Dense, Gram, Sparse
from rosenblatt.core.vectors import lengths2, store
from rosenblatt.estimators.perceptron import Perceptron
from rosenblatt.inputs import parameters
from rosenblatt.inputs import validation as border
from rosenblatt.inputs.labels import require_two
from rosenblatt.inputs.plan import make_plan

X, Y = np.array([[3.0, 3.0], [4.0, 3.0], [1.0, 1.0]]), np.array(["a", "a", "b"])


def params(**given):
    return Perceptron(**given).get_params(deep=False)


def plan(**given):
    return make_plan(params(**given), 3)


# -- Parameters ------------------------------------------------------------------------------------


def test_names_become_a_plan():
    assert plan().order == "shuffled"
    assert plan(shuffle=False).order == "sweep"
    assert plan(order="worst").order == "worst"
    assert (plan(batch_size="all").batch, plan(batch_size=2).batch, plan(batch_size=9).batch) == (
        3,
        2,
        3,
    )
    assert (plan().max_updates, plan(max_updates=5).max_updates) == (math.inf, 5)
    assert (plan().tol, plan(tol=0.5).tol) == (-math.inf, 0.5)
    assert (plan(early_stopping=True).tol, plan(n_iter_no_change=7).patience) == (1e-3, 7)
    assert plan(keep="vote").record


WORDS = {
    "order": ["sweep", "random", "worst"],
    "rule": ["rosenblatt", "margin", "pa", "pa1", "pa2", "relaxation"],
    "keep": ["last", "average", "best", "pocket", "vote"],
    "form": ["auto", "primal", "dual"],
    "settle": ["after", "first", "never"],
    "multi_class": ["ovr", "direct"],
    "boundary": ["mistake", 1, -1],
}


@pytest.mark.parametrize("name", WORDS)
def test_an_unknown_name_is_answered_with_the_known_ones(name):
    with pytest.raises(ValueError, match=f"{name}='smallest' is not known") as refusal:
        Perceptron(**{name: "smallest"}).fit(X, Y)
    assert all(repr(word) in str(refusal.value) for word in WORDS[name])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"eta0": 0}, "eta0 must be a number above 0, got 0"),
        ({"eta0": -1.0}, "eta0 must be a number above 0, got -1.0"),
        ({"eta0": math.nan}, "eta0 must be a number above 0, got nan"),
        ({"eta0": math.inf}, "eta0 must be a number above 0, got inf"),
        ({"eta0": "fast"}, "eta0 must be a number above 0, got 'fast'"),
        ({"eta0": 2.0, "rule": "relaxation"}, "eta0 must be a number above 0 and below 2"),
        ({"C": 0.0}, "C must be a number above 0"),
        ({"margin": -1.0, "rule": "margin"}, "margin must be a number at least 0"),
        ({"margin": 0.0, "rule": "pa"}, "margin must be a number above 0"),
        ({"margin": 1.0}, "rule='rosenblatt' has no margin, got margin=1.0; use rule='margin'"),
        ({"max_iter": 0}, "max_iter must be a whole number of at least 1, got 0"),
        ({"max_iter": 2.5}, "max_iter must be a whole number of at least 1, got 2.5"),
        ({"max_updates": 0}, "max_updates must be a whole number of at least 1"),
        ({"batch_size": 0}, "batch_size must be a whole number of at least 1"),
        ({"min_margin": -0.1}, "min_margin must be a number at least 0"),
        ({"tol": math.nan}, "tol must be a number"),
        ({"n_iter_no_change": 0}, "n_iter_no_change must be a whole number"),
        ({"validation_fraction": 0.0}, "validation_fraction must be a number above 0 and below 1"),
        ({"validation_fraction": 1.0}, "validation_fraction must be a number above 0 and below 1"),
        ({"class_weight": {"a": -1}}, "class weights must be finite and not negative"),
    ],
)
def test_numbers_out_of_range_are_refused(given, message):
    with pytest.raises(ValueError, match=message):
        Perceptron(**given).fit(X, Y)


def test_with_several_classes_a_tie_is_a_mistake_whatever_the_boundary():
    (rows,) = targets([0, 1, 2], boundary=1)
    assert rows.boundary not in rows.y


def test_an_unknown_batch_size_is_told_of_all():
    with pytest.raises(ValueError, match="batch_size must be a whole number or 'all'"):
        Perceptron(batch_size="everything").fit(X, Y)


def test_numbers_of_numpy_are_numbers():
    p = params(eta0=np.float32(0.5), max_iter=np.int64(3), batch_size=np.int32(2))
    assert make_plan(p, 3)[:3] == plan(eta0=0.5, batch_size=2)[:3]
    assert parameters.choice("boundary", np.int64(-1), ("mistake", 1, -1)) == -1


# -- Data ------------------------------------------------------------------------------------------


def test_labels_become_positions_among_the_classes():
    problem = border.validate_data(X, Y)
    assert (problem.classes.tolist(), problem.codes.tolist()) == (["a", "b"], [0, 0, 1])
    assert problem.train.tolist() == [0, 1, 2]


def test_rows_of_weight_zero_are_dropped():
    problem = border.validate_data(X, Y, sample_weight=[1, 0, 2])
    assert problem.train.tolist() == [0, 2]
    only_a = border.validate_data(X, Y, sample_weight=[1, 1, 0])
    with pytest.raises(ValueError, match="y has one class, 'a'; a perceptron needs two"):
        require_two(only_a.classes.astype(object))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_floats_stay_what_they_are(dtype):
    assert border.matrix_of(X.astype(dtype)).dtype == dtype
    assert border.matrix_of(csr(X.astype(dtype))).dtype == dtype
    assert border.matrix_of(X.astype(int)).dtype == np.float64


@pytest.mark.parametrize("kind", ["csc", "coo", "bsr", "lil", "dok"])
def test_other_sparse_kinds_become_csr(kind):
    S = border.matrix_of(getattr(sp, f"{kind}_array")(X))
    assert S.format == "csr"
    np.testing.assert_array_equal(S.toarray(), X)


@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_indices_keep_their_width(index):
    S = border.matrix_of(csr(X, index))
    assert S.indices.dtype == S.indptr.dtype == index


def test_duplicate_entries_are_added_up_in_a_copy():
    S = sp.csr_array((np.ones(3), np.array([1, 0, 1]), np.array([0, 3])), shape=(1, 2))
    assert border.matrix_of(S).toarray().tolist() == [[1, 2]]
    assert border.matrix_of(S).nnz == 2
    assert S.indices.tolist() == [1, 0, 1]


def test_the_rows_that_scikit_learn_would_are_held_back():
    problem = border.validate_data(np.zeros((24, 1)), [0] * 10 + [1] * 10 + [2] * 4)
    held = border.validation_split(problem, 0.25, 7)
    draw = StratifiedShuffleSplit(1, test_size=0.25, random_state=7)
    _, wanted = next(draw.split(problem.X, problem.codes))
    assert sorted(held.held) == sorted(wanted)
    assert sorted([*held.held, *held.train]) == list(range(24))


def test_what_cannot_be_held_back_is_refused():
    with pytest.raises(ValueError, match="cannot hold back rows of each class"):
        border.validation_split(border.validate_data([[1], [2], [3]], [0, 1, 1]), 0.5, 0)
    unweighted = border.validate_data(np.zeros((8, 1)), [0, 1] * 4, [1, 1] + [0] * 6)
    with pytest.raises(ValueError, match="the sample weights of the rows held back"):
        border.validation_split(unweighted, 0.25, 1)


def test_the_form_follows_the_shape(monkeypatch):
    def chosen(rows, form="auto"):
        problem = border.validate_data(rows, np.arange(rows.shape[0]) % 2)
        return type(border.make_storage(store(problem.X, 1.0), problem, form))

    wide = np.ones((3, 5))
    assert chosen(wide) is chosen(csr(wide)) is Gram
    assert (chosen(wide.T), chosen(csr(wide.T)), chosen(np.eye(4))) == (Dense, Sparse, Dense)
    assert (chosen(wide, "primal"), chosen(wide.T, "dual")) == (Dense, Gram)
    monkeypatch.setattr(border, "GRAM_PRODUCTS", 44)
    assert (chosen(wide), chosen(wide, "dual")) == (Dense, Gram)


def test_inner_products_are_those_of_many_threads(monkeypatch):
    X = np.arange(12.0).reshape(3, 4)
    alone = border.inner_products(X)
    monkeypatch.setattr(border, "GRAM_PRODUCTS", 0)
    np.testing.assert_array_equal(border.inner_products(X), alone)
    np.testing.assert_array_equal(border.inner_products(csr(X)), alone)


def test_the_gram_matrix_holds_augmented_products():
    problem = border.validate_data(X.astype(np.float32), Y)
    gram = border.make_storage(store(problem.X, 1.0), problem, "dual")
    assert gram.K.dtype == np.float64
    np.testing.assert_array_equal(gram.K, X @ X.T + 1)


def targets(y, **given):
    problem = border.validate_data(np.ones((len(y), 1)), y)
    return border.targets(problem, store(problem.X, 1.0), params(**given))


def test_two_classes_are_minus_and_plus():
    (rows,) = targets(["no", "yes", "no"])
    assert (rows.y.tolist(), rows.norm2.tolist()) == ([-1, 1, -1], [2, 2, 2])


def test_several_classes_are_each_against_the_rest():
    rest = [r.y.tolist() for r in targets([0, 1, 2], multi_class="ovr")]
    assert rest == [[1, -1, -1], [-1, 1, -1], [-1, -1, 1]]
    (direct,) = targets([0, 1, 2], multi_class="direct")
    assert direct.y.tolist() == [0, 1, 2]
    assert direct.boundary not in direct.y


def test_class_weights_scale_their_rows():
    (rows,) = targets([0, 0, 0, 1], class_weight="balanced")
    np.testing.assert_allclose(rows.weight, [2 / 3, 2 / 3, 2 / 3, 2])
    first, *_ = targets([0, 1, 2], class_weight={0: 5, 1: 7}, multi_class="ovr")
    assert first.weight.tolist() == [5, 1, 1]  # as in scikit-learn, the rest keeps its weight


@pytest.mark.parametrize("names", [["0", "1"], ["1", "01"], [False, True], [0.0, 1.0], ["a", "b"]])
def test_weights_in_a_dict_are_those_of_equal_labels(names):
    """scikit-learn takes text that is a number for that number."""
    given = dict(zip(names, [2.0, 3.0], strict=True))
    (rows,) = targets([names[0], names[0], names[1]], class_weight=given)
    assert rows.weight.tolist() == [given[label] for label in [names[0], names[0], names[1]]]


def test_boundary_matters_only_at_margin_zero():
    assert targets([0, 1], boundary=-1)[0].boundary == -1
    assert targets([0, 1], boundary=-1, rule="margin", margin=0.0)[0].boundary == -1
    assert targets([0, 1], boundary=-1, rule="pa")[0].boundary == 0


def test_starts_are_zero_or_as_given():
    assert border.first_hypotheses(None, None, (1, 2), True).tolist() == [[0, 0, 0]]
    assert border.first_hypotheses([1, 2], 3, (1, 2), True).tolist() == [[1, 2, 3]]
    assert border.first_hypotheses([[1, 2]], [3], (1, 2), False).tolist() == [[1, 2, 0]]
    with pytest.raises(ValueError, match=r"coef_init does not match .* shape \(1, 2\), got \(3,\)"):
        border.first_hypotheses([1, 2, 3], None, (1, 2), True)
    with pytest.raises(ValueError, match="intercept_init does not match dataset"):
        border.first_hypotheses(None, [1, 2], (1, 2), True)
    with pytest.raises(ValueError, match="coef_init holds NaN or infinity"):
        border.first_hypotheses([1, np.nan], None, (1, 2), True)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("n", [5, 300_000])
@pytest.mark.parametrize("classes", [2, 3])
def test_numbers_that_are_not_finite_are_refused_by_whoever_reads_them(value, n, classes):
    X, y = np.ones((n, 4)), np.arange(n) % classes
    X[:, :2] = np.column_stack((y == 1, y == 2))
    model = Perceptron().fit(X, y)
    model.coef_[:] = 0.0  # which hides nothing
    X[n // 2, 3] = value
    for read in (model.predict, lambda X: Perceptron().fit(X, y), lambda X: certify(X, y)):
        with pytest.raises(ValueError, match=r"Input X contains (NaN|infinity)"):
            read(X)
    for part in (X[n // 2 : n // 2 + 1], X[n // 2 - 1 :], X.astype(np.float32), X * [1, 1, 0, 1]):
        with pytest.raises(ValueError, match=r"Input X contains (NaN|infinity)"):
            model.predict(part)


def test_finite_rows_too_long_for_floating_point_are_told_from_infinite_ones():
    X, y = np.array([[1e200], [-1e200]]), [0, 1]
    assert certify(X, y).verdict == "separable"
    with pytest.raises(ValueError, match="row 0 of X is too long"):
        Perceptron().fit(X, y)
    model = Perceptron().fit(X / 1e200, y)
    assert model.predict(X).tolist() == y
    model.coef_ *= 1e200
    with pytest.raises(ValueError, match="scores overflowed"):
        model.predict(X)


@pytest.mark.parametrize("rows", [np.asarray, csr])
def test_lengths_are_those_of_rows_read_once_more(rows):
    X = np.random.default_rng(0).standard_normal((50, 7))
    for given, bias in ((0.0, 0.0), (1.0, 1.0), (0.0, 1.0), (1.0, 0.0)):
        problem = border.validate_data(rows(X), np.arange(50) % 2, bias=given)
        primal = store(problem.X, bias)
        np.testing.assert_array_equal(problem.lengths2(primal), lengths2(primal, 50))
    other = problem.with_rows(2 * problem.X)
    again = other.lengths2(store(other.X, 0.0))
    np.testing.assert_array_equal(again, 4 * problem.lengths2(store(problem.X, 0.0)))


@pytest.mark.parametrize("other", [None, 1])
def test_labels_that_have_no_order_are_refused(other):
    y = np.array(["a", other, "b"], object)
    for refuse in (Perceptron().fit, certify, max_margin):
        with pytest.raises(ValueError, match="labels must be all numbers or all text; y holds"):
            refuse(X, y)


def test_masked_values_are_refused():
    masked = np.ma.masked_greater(X, 3)
    for refuse in (Perceptron().fit, certify, max_margin):
        with pytest.raises(ValueError, match="X has masked values: fill them, or leave"):
            refuse(masked, Y)
    assert certify(np.ma.masked_greater(X, 9), Y).verdict == "separable"
