"""The maximum geometric margin."""

from fractions import Fraction
from itertools import combinations

import clarabel
import naive
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from separability.convex_hull.test_nearest_point import shortest
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.svm import SVC
from specimens import csr, tables

from rosenblatt import certify, datasets, max_margin
from rosenblatt.separability.max_margin import augmented_margin


def assert_bracket(found, X, y, fit_intercept=True):
    """The margin is that of the separator, a distance, and not above its bound."""
    f = np.asarray(X, float) @ found.w + found.b
    assert found.margin <= found.upper
    assert (np.where(y == np.max(y), 1, -1) * f).min() == pytest.approx(1, rel=1e-5)
    assert 1 / np.linalg.norm(found.w) == pytest.approx(found.margin, rel=1e-5)
    assert len(found.support)
    assert fit_intercept or found.b == 0


# -- The exact optimum -----------------------------------------------------------------------------


def exact_distance2(X, codes, fit_intercept):
    """The squared distance of the hulls of two classes, or of the hull of y x and the origin.

    The nearest points lie inside simplices of few rows: solve for each set of rows, in rationals,
    and take the shortest of those whose weights are not negative.
    """
    n, d = X.shape
    Z = [[Fraction(v) * s for v in row] for row, s in zip(X.tolist(), 2 * codes - 1, strict=True)]
    sums = [codes == 0, codes == 1] if fit_intercept else [np.ones(n, bool)]
    best = None
    for size in range(len(sums), d + 3):
        for rows in combinations(range(n), min(size, n)):
            weights = affine_weights([Z[i] for i in rows], [s[list(rows)].tolist() for s in sums])
            if weights is not None and min(weights) >= 0:
                columns = zip(*(Z[i] for i in rows), strict=True)
                x = [sum(a * z for a, z in zip(weights, c, strict=True)) for c in columns]
                length2 = sum(v * v for v in x)
                best = length2 if best is None else min(best, length2)
    return best


def affine_weights(Z, sums):
    """The weights, each of `sums` adding up to 1, whose combination is the shortest."""
    k, m = len(Z), len(sums)
    G = [[sum(a * b for a, b in zip(u, v, strict=True)) for v in Z] for u in Z]
    top = [[*G[i], *(Fraction(s[i]) for s in sums), Fraction(0)] for i in range(k)]
    system = top + [[*map(Fraction, s), *[Fraction(0)] * m, Fraction(1)] for s in sums]
    solution = eliminated(system)
    return None if solution is None else solution[:k]


def eliminated(system):
    """The solution of a square system of rationals; None if it has none, or many."""
    for j in range(len(system)):
        pivot = next((row for row in system[j:] if row[j]), None)
        if pivot is None:
            return None
        others = [row for row in system if row is not pivot]
        top = [v / pivot[j] for v in pivot]
        rest = [[v - row[j] * t for v, t in zip(row, top, strict=True)] for row in others]
        system = [*rest[:j], top, *rest[j:]]
    return [row[-1] for row in system]


@given(
    tables(most=6),
    st.booleans(),
    st.lists(st.integers(-30, 30), min_size=4, max_size=4),
    st.sampled_from([0.0, 0.0, 1.0, 2.0**13]),
)
def test_the_bracket_holds_the_exact_optimum(table, fit_intercept, powers, shift):
    X, codes = table
    X = (X + shift) * 2.0 ** np.array(powers[: X.shape[1]])
    optimum2 = exact_distance2(X, codes, fit_intercept)
    if optimum2 == 0:
        with pytest.raises(ValueError, match="not separable"):
            max_margin(X, codes, fit_intercept=fit_intercept)
        return
    found = max_margin(X, codes, fit_intercept=fit_intercept)
    between = 4 if fit_intercept else 1
    assert between * Fraction(found.upper) ** 2 >= optimum2
    assert between * Fraction(found.margin) ** 2 <= optimum2 * (1 + Fraction(2) ** -51)
    assert found.margin >= (1 - 1e-6) * found.upper
    assert_bracket(found, X, codes, fit_intercept)


# -- Other solvers ---------------------------------------------------------------------------------


def solved(X, y, fit_intercept=True):
    """The maximum margin by an interior-point method: the least |w| with y (w·x + b) >= 1."""
    n, d = X.shape
    size = np.abs(X - X.mean(axis=0)).max() if fit_intercept else np.abs(X).max()
    X = (X - X.mean(axis=0) if fit_intercept else X) / size
    P = sp.csc_matrix(np.diag([1.0] * d + [0.0] * fit_intercept))
    A = sp.csc_matrix(-y[:, None] * naive.augment(X)[:, : d + fit_intercept])
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = 1e-11
    cones = [clarabel.NonnegativeConeT(n)]
    answer = clarabel.DefaultSolver(
        P, np.zeros(d + fit_intercept), A, -np.ones(n), cones, settings
    ).solve()
    assert "Solved" in str(answer.status)
    return size / np.sqrt(2 * answer.obj_val)


@pytest.mark.parametrize("seed", range(50))
def test_it_is_that_of_an_interior_point_method(seed):
    rng = np.random.RandomState(seed)
    d = int(rng.choice([1, 2, 3, 5, 10, 30]))
    n, margin = int(rng.choice([4, 20, 100, 400])) + d, rng.choice([0.5, 0.1, 0.01])
    X, y = datasets.clouds(n, d, margin, tight=bool(seed % 2), random_state=seed)
    mixed = X @ (np.eye(d) + rng.choice([0, 0.3]) * rng.standard_normal((d, d)))
    X = mixed * 10.0 ** rng.randint(-1, 2, d) + rng.choice([0, 1, 100.0])
    y[:2] = 1, -1
    fit_intercept = bool(seed % 5)
    if certify(X, y, fit_intercept=fit_intercept).verdict != "separable":
        X[:, 0] = y * (1 + np.abs(X[:, 0]))
    found = max_margin(X, y, fit_intercept=fit_intercept)
    assert found.margin == pytest.approx(solved(X, y, fit_intercept), rel=1e-6)
    assert found.margin >= (1 - 1e-6) * found.upper
    assert_bracket(found, X, y, fit_intercept)


@pytest.mark.parametrize("kind", [np.asarray, csr, lambda X: X.astype(np.float32)])
@pytest.mark.parametrize(("n", "d"), [(40, 2), (400, 5), (30, 60)])
def test_it_is_that_of_a_support_vector_machine(n, d, kind):
    X, y = datasets.clouds(n, d, 0.2)
    X = X.astype(np.float32).astype(float)
    found = max_margin(kind(X), y)
    machine = SVC(kernel="linear", C=1e10, tol=1e-6).fit(X, y)
    np.testing.assert_allclose(found.w, machine.coef_[0], rtol=2e-3, atol=2e-4)
    assert found.b == pytest.approx(machine.intercept_[0], rel=2e-3, abs=2e-4)
    assert set(found.support) <= set(machine.support_.tolist())
    assert_bracket(found, X, y)


@given(tables(), st.booleans())
def test_in_the_augmented_space_it_is_the_shortest_combination(table, fit_intercept):
    X, codes = table
    Z = naive.augment(X, fit_intercept) * (2 * codes - 1)[:, None]
    if shortest(Z) < 1e-6:
        with pytest.raises(ValueError, match="not separable"):
            augmented_margin(X, codes, fit_intercept)
        return
    found = augmented_margin(X, codes, fit_intercept)
    w = np.append(found.w, found.b)
    assert (Z @ w).min() == pytest.approx(1)
    assert 1 / np.linalg.norm(w) == pytest.approx(found.margin)
    assert found.margin == pytest.approx(shortest(Z), rel=2e-6)
    assert found.upper == pytest.approx(found.margin, rel=2e-6)


# -- Tables that everybody has ---------------------------------------------------------------------


def pairs(load, classes):
    """The separable pairs of the first classes of a data set."""
    X, y = load(return_X_y=True)
    for a, b in combinations(range(classes), 2):
        rows = np.isin(y, (a, b))
        if certify(X[rows], y[rows]).verdict == "separable":
            yield X[rows], y[rows]


@pytest.mark.parametrize(
    ("load", "classes"), [(load_iris, 3), (load_wine, 3), (load_breast_cancer, 2), (load_digits, 4)]
)
@pytest.mark.parametrize("shift", [0.0, 1e4])
def test_raw_tables(load, classes, shift):
    for X, y in pairs(load, classes):
        found = max_margin(X + shift, y)
        assert_bracket(found, X + shift, y)
        assert found.margin >= (1 - 1e-6) * found.upper


def test_known_margins():
    assert max_margin([[3, 0], [3, 100]], [0, 1]).margin == 50
    assert max_margin([[0.0], [2.0]], [0, 1]).margin == 1
    X, y = load_iris(return_X_y=True)
    assert max_margin(X[y < 2], y[y < 2]).margin == pytest.approx(0.8175557692888)
    beside = augmented_margin(X[y < 2], y[y < 2])  # the widest of another space
    assert 1 / np.linalg.norm(beside.w) == pytest.approx(0.755, abs=1e-3)


# -- Invariances -----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("d", [2, 5, 20])
def test_columns_of_very_different_scale(d, seed):
    X, y = datasets.clouds(20 * d, d, 0.01, random_state=seed)
    X = X * 2.0 ** np.random.RandomState(seed).choice([-30, 0, 30], d)
    found = max_margin(X, y)
    assert_bracket(found, X, y)
    assert found.margin >= (1 - 1e-6) * found.upper


@pytest.mark.parametrize("seed", range(8))
def test_a_scale_of_all_columns_and_a_translation_change_nothing_else(seed):
    X, y = datasets.clouds(60, 4, 0.05, random_state=seed)
    X = np.round(X * 2**20) / 2**20  # so that it can be moved without rounding
    plain = max_margin(X, y)
    for moved, factor in ((X + 2.0**13, 1.0), (X * 2.0**30, 2.0**30), (X * 2.0**-30, 2.0**-30)):
        found = max_margin(moved, y)
        assert found.margin / factor == pytest.approx(plain.margin, rel=1e-6)
        assert found.upper / factor == pytest.approx(plain.upper, rel=1e-6)
        assert found.margin >= (1 - 1e-6) * found.upper
        np.testing.assert_array_equal(found.support, plain.support)


def test_repeated_rows_classes_of_one_row_and_lines():
    for X, y, margin in [
        ([[0.0, 0], [0, 0], [3, 4], [3, 4]], [0, 0, 1, 1], 2.5),
        ([[0.0, 0], [3, 4]], [0, 1], 2.5),
        ([[0.0, 5], [-7, 1], [7, 1], [0, 0.0]], [0, 0, 0, 1], 0.5),
        ([[0.0, 0], [1, 1], [2, 2], [3, 3]], [0, 0, 1, 1], 0.5**0.5),
        ([[-2.0], [-1], [3], [9]], [0, 0, 1, 1], 2.0),
        ([[1.0, 2, 3]] * 3 + [[1.0, 2, 5]] * 2, [1, 1, 1, 0, 0], 1.0),
    ]:
        found = max_margin(X, y)
        assert found.margin == pytest.approx(margin)
        assert_bracket(found, X, np.array(y))


@pytest.mark.parametrize("margin", [1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-13])
@pytest.mark.parametrize("measure", [max_margin, augmented_margin])
def test_margins_of_all_sizes_stay_below_their_bound(measure, margin):
    X = np.array([[0.0, 1.0], [margin, 1.0], [0.0, -3.0], [margin, 2.0], [5.0, 1.0]])
    y = np.array([-1, 1, -1, 1, 1])
    found = measure(X, y)
    assert found.margin >= (1 - 1e-6) * found.upper
    if measure is max_margin:
        assert_bracket(found, X, y)


def test_a_tolerance_is_kept_with_repeated_rows():
    X, y = datasets.clouds(100, 3, 0.1)
    X, y = np.vstack((X, X)), np.append(y, y)
    for tol in (0.5, 1e-3, 1e-9, 1e-15):
        found = max_margin(X, y, tol=tol)
        assert_bracket(found, X, y)
        assert found.margin >= (1 - max(tol, 1e-9)) * found.upper


def test_the_support_is_nearest_and_of_both_classes():
    X, y = datasets.clouds(500, 3, 0.1)
    found = max_margin(X, y)
    distances = y * (X @ found.w + found.b)
    np.testing.assert_allclose(distances[found.support], 1, rtol=1e-5)
    assert set(y[found.support]) == {-1, 1}


def test_the_same_input_gives_the_same_output():
    X, y = datasets.clouds(2000, 10, 0.01)
    first, second = max_margin(X, y), max_margin(X.copy(), y.copy())
    for a, b in zip(first, second, strict=True):
        np.testing.assert_array_equal(a, b)


# -- What is refused -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (*datasets.xor(), "rows .* are in conflict"),
        ([[1], [2], [3]], [0, 1, 2], "3 classes"),
        ([[1], [2]], [1, 1], "one class"),
        ([[0.0, 1], [0, 1]], [0, 1], r"rows 0 and 1 \(counted from 0\) are in conflict"),
    ],
)
def test_what_is_refused(X, y, message):
    with pytest.raises(ValueError, match=message):
        max_margin(X, y)


def test_without_a_bias_rows_on_one_side_of_the_origin_are_not_separable():
    with pytest.raises(ValueError, match="not separable"):
        max_margin([[1.0], [2.0]], [0, 1], fit_intercept=False)


@pytest.mark.parametrize("size", [1e-200, 1e-150, 1e-100, 1e100, 1e150, 1e200])
def test_sizes_at_the_ends_of_floating_point_are_right_or_refused(size):
    try:
        found = max_margin([[size], [-size]], [0, 1])
    except ValueError as error:
        assert "scale" in str(error) or "too" in str(error)  # noqa: PT017
    else:
        assert found.margin == pytest.approx(size)


@pytest.mark.parametrize("tol", [0, -1, 1, "small"])
def test_a_tolerance_is_between_0_and_1(tol):
    with pytest.raises(ValueError, match="tol"):
        max_margin(*datasets.textbook(), tol=tol)


@pytest.mark.parametrize("far", [2e73, 1e60])
def test_the_bound_holds_where_squares_would_be_lost(far):
    found = max_margin([[-2e-118], [far], [3e-285]], [0, 1, 1])
    assert found.margin <= 1e-118 * (1 + 1e-12)
    assert found.upper >= 1e-118


def test_a_margin_that_underflow_may_hide_is_refused():
    X = [[2e120, 0.0], [-2e-203, -2e-203], [1e-224, 1e-224]]
    with pytest.raises(ValueError, match="the margin is too fine for floating point"):
        max_margin(X, [1, 1, 0])
