"""Certificates about functions of a kernel."""

import json

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import load_iris, make_circles

from rosenblatt import Certificate, certify, checker, datasets, verify
from rosenblatt.blocks import verify_blocks
from rosenblatt.separability.exact.monomials import monomials


def tried(X, y, **kernel):
    """A certificate that both checkers accept, for dense and for sparse rows."""
    found = certify(X, y, **kernel)
    if found.verdict != "undecided":
        text = found.to_json()
        assert Certificate.from_json(text).to_json() == text
        assert verify(text, X, y)
        assert checker.verify(text, X, y)
        assert verify(text, sp.csr_array(X), y)
        assert verify_blocks(found, [(X[:3], y[:3]), (X[3:], y[3:])])
        assert certify(sp.csr_array(X), y, **kernel).verdict == found.verdict
    return found


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("coef0", [0.0, 1.0])
def test_polynomials_get_the_verdict_of_their_monomials(seed, classes, coef0):
    rng = np.random.RandomState(seed)
    X, y = rng.randint(-3, 4, (10, 2)) / 2, np.arange(10) % classes
    found = tried(X, y, kernel="poly", degree=2, coef0=coef0, fit_intercept=False)
    table = monomials(X, 2, lower=coef0 > 0)
    assert table.shape[1] == (5 if coef0 else 3)
    assert found.verdict == certify(table, y, fit_intercept=coef0 > 0).verdict
    assert found.kernel == {"name": "poly", "degree": 2, "lower": coef0 > 0}


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("classes", [2, 3])
def test_distinct_rows_are_independent_for_rbf(seed, classes):
    """The twin has one feature for each distinct row, which are as independent."""
    rng = np.random.RandomState(seed)
    n, values = rng.randint(2, 12), rng.randint(1, 4)
    X, y = rng.randint(values, size=(n, 2)) * 1.0, rng.randint(classes, size=n)
    y[:classes] = np.arange(classes)[:n]
    if len(set(y.tolist())) < 2:
        return
    distinct = np.unique(X, axis=0, return_inverse=True)[1].ravel()
    one_each = np.eye(distinct.max() + 1)[distinct]
    for name in ("rbf", "laplacian"):
        for bias in (True, False):
            found = tried(X, y, kernel=name, fit_intercept=bias)
            assert found.verdict == certify(one_each, y, fit_intercept=False).verdict
            assert found.separator is None


def test_what_is_told():
    X, y = datasets.xor()
    assert str(tried(X, y, kernel="poly", degree=2)) == (
        "separable: a function of the polynomial kernel of degree 2 gets all 4 rows right"
    )
    assert str(tried(X, y, kernel="poly", degree=1)).startswith(
        "not separable: no function of the polynomial kernel of degree 1 gets rows 0, 1, 2 and 3 "
        "(counted from 0) right together; the classes overlap"
    )
    found = tried(np.vstack((X, X[:1])), np.append(y, -y[0]), kernel="rbf")
    assert str(found) == (
        "not separable: no function of the rbf kernel gets rows 0 and 4 (counted from 0) "
        "right together; the "
        "classes touch: some function has no row on the wrong side"
    )
    assert "rbf kernel" in found._repr_html_()
    with pytest.raises(ValueError, match="this is about a kernel"):
        found.infinite_coefficients()
    assert certify(X, y, kernel="linear") == certify(X, y)


def test_products_that_are_rounded_are_separated_in_fractions():
    X, y = load_iris(return_X_y=True)
    assert tried(X, y, kernel="poly", degree=2).verdict == "separable"
    X, y = make_circles(60, factor=0.5, noise=0.05, random_state=0)
    assert tried(X, y, kernel="poly", degree=2).verdict == "separable"
    found = tried(X, np.arange(60) % 2, kernel="poly", degree=2)
    assert (found.verdict, found.reason[:28]) == ("undecided", "its monomials are not exact ")


@pytest.mark.parametrize("y", [[1, 0, 0], [2, 1, 0]])
def test_monomials_that_overflow_are_left_open(y):
    X = np.array([[1e217, -1], [1e251, 0], [1e-200, 3]])
    found = certify(X, y, kernel="poly", degree=2)
    assert (found.verdict, found.reason[:28]) == ("undecided", "its monomials are not exact ")


def test_many_monomials_are_left_open():
    rng = np.random.RandomState(0)
    found = certify(rng.randint(3, size=(9, 40)), np.arange(9) % 2, kernel="poly", degree=4)
    assert found.reason == "there are more than 5,000 monomials"
    found = certify(
        rng.randint(3, size=(9, 2)), np.arange(9) % 2, kernel="poly", degree=101, coef0=0
    )
    assert found.reason == "there are more than 5,000 monomials"  # with those of lower degrees


def test_high_degrees_of_one_feature():
    X = np.array([[0.0], [1.0], [-1.0], [2.0]])
    assert tried(X, [0, 1, 0, 1], kernel="poly", degree=120).verdict == "separable"


def test_equal_rows_are_equal_in_blocks_of_any_kind():
    X, y = np.array([[1.0, 0], [0, 2], [1, 0], [3, 1]]), np.array([0, 1, 1, 0])
    stored = sp.csr_array((X[2:].ravel(), np.tile([0, 1], 2), [0, 2, 4]), shape=(2, 2))
    found = certify(X, y, kernel="rbf")
    forged = json.loads(found.to_json()) | {"verdict": "separable"}
    del forged["conflict"]
    for last in (X[2:], X[2:].astype(np.float32), stored, sp.csr_array(X[2:])):
        blocks = [(X[:2], y[:2]), (last, y[2:])]
        assert verify_blocks(found, blocks)
        with pytest.raises(ValueError, match="equal rows refute the verdict"):
            verify_blocks(forged, blocks)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"kernel": {"name": "laplacian", "gamma": 1}}, "the kernel is not known"),
        ({"kernel": {"name": "poly", "degree": 10**9, "lower": True}}, "the kernel is not known"),
        ({"kernel": {"name": "poly", "degree": 101, "lower": False}}, "too many monomials"),
        ({"kernel": {"name": "poly", "degree": 101, "lower": True}}, "too many monomials"),
        ({"kernel": "rbf"}, "the kernel is not known"),
        ({"kernel": ["rbf"]}, "the kernel is not known"),
        ({"verdict": "overlapping"}, "equal rows refute the verdict"),
        ({"verdict": "separable", "conflict": None}, "equal rows refute the verdict"),
        ({"conflict": {"rows": [0, 1], "weights": ["1/2", "1/2"]}}, "are not equal, with"),
        ({"conflict": {"rows": [0, 5], "weights": ["1/2", "1/2"]}}, "are not equal, with"),
        ({"conflict": {"rows": [0, 4], "weights": ["1/2", "1/3"]}}, "weights must be positive"),
        ({"conflict": None}, "the conflict is missing"),
        ({"format": "rosenblatt-certificate/1", "kind": None}, "the kernel is not known"),
    ],
)
def test_forged_certificates_are_refused(change, said):
    X, y = datasets.xor()
    X, y = np.vstack((X, X[:1], X[:1], np.eye(2, 2) * 7)), np.append(y, [-y[0], y[0], 1, -1])
    told = json.loads(certify(X, y, kernel="rbf").to_json()) | change
    told = {name: value for name, value in told.items() if value is not None}
    for check in (verify, checker.verify):
        with pytest.raises(ValueError, match=said):
            check(told, X, y)


def test_a_separator_of_one_degree_proves_no_other():
    X, y = datasets.xor()
    told = json.loads(certify(X, y, kernel="poly", degree=2).to_json())
    for kernel in ({"name": "poly", "degree": 3, "lower": True}, None):
        for check in (verify, checker.verify):
            with pytest.raises(ValueError, match="the separator has the wrong length"):
                check({**told, "kernel": kernel}, X, y)


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({"kernel": "sigmoid"}, "kernel='sigmoid' cannot be decided; kernel is one of"),
        ({"kernel": "poly", "degree": 1.5}, "degree=1.5; monomials have a whole degree"),
        ({"kernel": "poly", "degree": 0}, "degree=0; monomials have a whole degree"),
        ({"kernel": "poly", "coef0": -1}, "coef0=-1; below 0 the kernel has no feature space"),
        ({"kernel": "poly", "coef0": np.nan}, "coef0=nan; below 0"),
    ],
)
def test_what_is_no_kernel_is_refused(params, said):
    with pytest.raises(ValueError, match=said):
        certify(*datasets.xor(), **params)
