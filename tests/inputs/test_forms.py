"""Rows and labels in forms in which NumPy would make one value of several, or one of none."""

import warnings
from collections import deque

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp

from rosenblatt import KernelPerceptron, Perceptron, certify, fit_blocks, max_margin, read, verify
from rosenblatt.blocks import certify_blocks, predict_blocks, verify_blocks

XOR = np.array([[0.0, 0], [1, 1], [0, 1], [1, 0]])
y = [0, 0, 1, 1]
LEARNERS = {
    "fit": lambda X, y: Perceptron().fit(X, y),
    "kernel": lambda X, y: KernelPerceptron().fit(X, y),
    "certify": certify,
    "max_margin": max_margin,
    "blocks": lambda X, y: fit_blocks(Perceptron(), [(X, y)]),
    "certify_blocks": lambda X, y: certify_blocks([(X, y)]),
}
everywhere = pytest.mark.parametrize("learn", LEARNERS.values(), ids=LEARNERS)
DATES = pd.to_datetime(["2024-01-01", None, "2024-01-03", "2024-01-04"])


@everywhere
@pytest.mark.parametrize(
    "labels",
    [pd.Series(DATES), pl.Series(pd.Series(DATES)), DATES.to_numpy() - DATES[0].to_datetime64()],
)
def test_dates_are_no_labels_and_missing_ones_no_class(learn, labels):
    with pytest.raises(ValueError, match=r"y holds (date|time)\w+\[.*\], which are no labels"):
        learn(XOR, labels)


@pytest.mark.parametrize("labels", [["A", "A", "a\0", "a\0"], ["a", "a", "a\0", "a\0"]])
@pytest.mark.parametrize("form", [lambda y: np.array(y, object), pd.Series], ids=["array", "frame"])
def test_labels_may_end_in_nul(labels, form):
    labels = form(labels)
    certificate = certify(XOR, labels)
    assert certificate.verdict == certify_blocks([(XOR, labels)]).verdict == "overlapping"
    assert verify(certificate, XOR, labels)
    assert certify(XOR[[0, 0, 2, 2]], labels).verdict == "separable"
    for model in (Perceptron(), KernelPerceptron("poly", degree=2)):
        for X in (XOR, XOR[[0, 0, 2, 2]]):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                model.fit(X, labels)
            assert model.converged_ == (model.score(X, labels) == 1)
    with pytest.raises(ValueError, match=r"not separable|no hyperplane"):
        max_margin(XOR, labels)


@everywhere
@pytest.mark.parametrize(
    "labels",
    [[1, "1", "2", "2"], ["a", "a", float("nan"), "b"], [b"a", "a"], [b"1", 1], [b"a", True]],
)
def test_labels_in_a_list_that_would_become_one_are_refused(learn, labels):
    with pytest.raises(ValueError, match="labels must be all numbers or all text; y holds"):
        learn(XOR[: len(labels)], labels)


@everywhere
@pytest.mark.parametrize("form", [list, tuple])
def test_labels_in_a_list_that_numpy_would_cut_are_refused(learn, form):
    with pytest.raises(ValueError, match="labels that end in NUL, which NumPy cuts: use an object"):
        learn(XOR, form(["a", "a", "a\0", "a\0"]))


def test_text_of_variable_width_is_text():
    labels = np.array(["a", "b"], np.dtypes.StringDType())
    model = Perceptron().fit([[0.0], [1.0]], labels)
    assert model.classes_.tolist() == ["a", "b"]
    assert verify(certify([[0.0], [1.0]], labels), [[0.0], [1.0]], labels)


@everywhere
@pytest.mark.parametrize(
    "form",
    [
        lambda f: f.to_numpy(),
        lambda f: [list(x) for x in f.to_numpy()],
        lambda f: f.to_numpy() - f.to_numpy()[0],
        lambda f: f.to_numpy().astype("M8[us]"),
        lambda f: np.array([[np.datetime64("2020-01-01")]] * 4, object),
        lambda f: [[1.0, np.timedelta64(5, "ns")]] * 4,
    ],
)
def test_missing_dates_are_no_numbers(learn, form):
    with pytest.raises(ValueError, match="X holds dates or times: make numbers of them first"):
        learn(form(pd.DataFrame({"day": DATES})), y)


@pytest.mark.parametrize("form", [lambda f: f, pl.DataFrame], ids=["pandas", "polars"])
def test_columns_of_dates_are_named(form):
    X = form(pd.DataFrame({"day": DATES, "x": [1.0, 2, 3, 4]}))
    with pytest.raises(ValueError, match="X has columns that are no numbers: 'day'"):
        Perceptron().fit(X, y)
    model = Perceptron().fit([[1.0, 2], [3, 4]], [0, 1])
    with pytest.raises(ValueError, match="X has columns that are no numbers: 'day'"):
        model.predict(X)


def times(*ticks, start="2024-05-05 12:00"):
    return pd.DataFrame({"time": [pd.Timestamp(start) + pd.Timedelta(k, "ns") for k in ticks]})


@pytest.mark.parametrize(
    "form",
    [lambda f: f, pl.DataFrame, pa.Table.from_pandas, lambda f: f.astype(object)],
    ids=["pandas", "polars", "arrow", "objects"],
)
def test_times_that_days_cannot_tell_apart_are_refused(form):
    with pytest.raises(ValueError, match="column 'time' holds times that days in double"):
        certify(form(times(0, 0, 100, 100)), y)
    apart = form(times(0, 1000, 2000, 3000))
    certificate = certify(apart, y)
    assert certificate.verdict == "separable"
    assert verify(certificate, apart, y)


def test_far_dates_are_days():
    days = np.array(["300000-01-01", "2000-01-01", "NaT"], "M8[s]")
    found = read(pd.DataFrame({"t": days, "x": [1.0, 2, 3]}), target=None, missing="drop").X
    assert found.tolist() == [[108853222, 1], [10957, 2]]
    far = pa.table({"t": pa.array([2**31 - 1, 0], pa.int32()).cast(pa.date32()), "x": [1.0, 2]})
    assert read(far, target=None).X.tolist() == [[2**31 - 1, 1], [0, 2]]
    ends = pd.DataFrame({"t": np.array(["9999-12-31T23:59:59", "2024-01-01"], "M8[us]")})
    assert read(ends, target=None).X[:, 0].tolist() == [2932896 + 86399 / 86400, 19723]


def test_times_in_nanoseconds_and_microseconds_are_the_same_days():
    f = times(0, 10**9, 2 * 10**12, 3 * 10**15)
    by_unit = [certify(f.astype(f"datetime64[{unit}]"), y).sha256 for unit in ("us", "ns")]
    assert by_unit[0] == by_unit[1]


@pytest.mark.parametrize("kind", [bool, np.uint8, np.int8, np.int64])
@pytest.mark.parametrize("form", [sp.csr_array, sp.csc_array, sp.coo_array])
def test_entries_in_one_place_add_up_as_they_do_in_an_array(kind, form):
    values = np.array([1, 1, 1] if kind is bool else [100, 100, 1]).astype(kind)
    X = form((values, ([0, 0, 1], [0, 0, 0])), shape=(2, 1))
    if form is sp.csr_array:
        X = sp.csr_array((values, np.zeros(3, int), [0, 2, 3]), shape=(2, 1))
    dense = X.toarray()
    certificate = certify(X, [0, 1])
    assert certificate.verdict == certify(dense, [0, 1]).verdict
    assert certificate.sha256 == certify(dense, [0, 1]).sha256
    assert verify(certificate, X, [0, 1])
    assert verify(certificate, dense, [0, 1])
    model = Perceptron().fit(X, [0, 1])
    assert model.converged_ == (model.score(dense, [0, 1]) == 1)


@pytest.mark.parametrize("values", [[2**52, 2**52 + 1, 1], [np.longdouble(1), 1e-19, 1]])
def test_sums_of_entries_that_doubles_do_not_hold_are_refused(values):
    X = sp.csr_array((np.array(values), np.zeros(3, int), [0, 2, 3]), shape=(2, 1))
    with pytest.raises(ValueError, match=r"whole numbers beyond 2\*\*53|precision would change"):
        certify(X, [0, 1])


@everywhere
@pytest.mark.parametrize("place", [-1, 2, 5, 10**6])
@pytest.mark.parametrize("form", ["csr", "csc", "coo"])
def test_sparse_indices_out_of_range_are_refused(learn, place, form):
    X = sp.csr_array(XOR).asformat(form)
    places = X.coords[1] if form == "coo" else X.indices
    places[1] = 4 + abs(place) if form == "csc" else place
    with pytest.raises(ValueError, match=r"ind(ex|ices) .*(must be|should be|exceeds)|negative"):
        learn(X, y)


@pytest.mark.parametrize("form", ["csr", "csc", "coo"])
def test_sparse_indices_out_of_range_are_no_proof(form):
    certificate, X = certify(XOR, y), sp.csr_array(XOR).asformat(form)
    (X.coords[1] if form == "coo" else X.indices)[1] = 10**8
    for check in (
        lambda: verify(certificate, X, y),
        lambda: verify_blocks(certificate, [(X, y)]),
    ):
        with pytest.raises(ValueError, match=r"ind(ex|ices) .*(must be|should be|exceeds)"):
            check()


def test_a_sparse_matrix_is_left_as_it_was():
    data, indices = np.array([1.0, 1, 1, 1, 7]), np.array([0, 1, 1, 0, 0])
    X = sp.csr_array((data, indices, [0, 0, 2, 3, 4]), shape=(4, 2))
    held = X.data
    certify(X, y)
    assert X.data is held


@pytest.mark.parametrize("kind", [np.float16, object])
def test_sparse_matrices_of_other_types_are_taken(kind):
    X = sp.csr_array(XOR)
    X.data = X.data.astype(kind)
    assert certify(X, y).verdict == "overlapping"
    assert verify(certify(X, y), X, y)


def test_rows_in_a_queue_are_taken():
    assert certify(deque(map(tuple, XOR)), y).verdict == "overlapping"


def test_numbers_that_no_double_comes_near_are_refused():
    with pytest.raises(ValueError, match="X holds numbers beyond the range of double precision"):
        Perceptron().fit([[10**400], [1]], [0, 1])


def test_rows_in_lists_are_predicted_in_blocks():
    model = Perceptron().fit(XOR[:3], y[:3])
    (found,) = predict_blocks(model, [(XOR[:3].tolist(), None)])
    assert found.tolist() == y[:3]
