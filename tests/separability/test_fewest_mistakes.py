"""The fewest mistakes, from both sides: hypotheses that make few, and proofs of how few."""

import json
import pickle
from fractions import Fraction

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_iris, load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler
from specimens import csr, tables
from test_checker import assert_refuted, changed, places, verify

from rosenblatt import MistakesCertificate, certify, datasets, fewest_mistakes, obstacles
from rosenblatt.core.vectors import store
from rosenblatt.inputs.validation import rows_of
from rosenblatt.separability.counting.annealing import Search, Walk, make_chart
from rosenblatt.separability.counting.packing import Branch


def counted(X, y, found):
    """The mistakes of what was found, in exact arithmetic; y is 0 or 1."""
    w, b = [Fraction(v) for v in found.w.tolist()], Fraction(found.b)
    scores = [sum((Fraction(a) * v for a, v in zip(x, w, strict=True)), b) for x in X.tolist()]
    return [i for i, f in enumerate(scores) if (f if y[i] else -f) <= 0]


@pytest.mark.parametrize(("x", "said"), [(1e-323, "row 1 of X is too short"), (1e200, "too long")])
def test_rows_whose_lengths_are_lost_are_refused(x, said):
    with pytest.raises(ValueError, match=said):
        fewest_mistakes([[1.0], [x]], [1, 0], fit_intercept=False)


# -- Against brute force ---------------------------------------------------------------------------


@given(tables(most=7), st.booleans(), st.data())
def test_no_subset_is_smaller(table, fit_intercept, data):
    X, y = table
    n = len(y)
    weight = data.draw(st.none() | st.lists(st.integers(1, 3), min_size=n, max_size=n))
    assert_fewest(X, y, fit_intercept, weight)


def assert_fewest(X, y, fit_intercept, weight):
    cost = np.ones(len(y)) if weight is None else np.array(weight, float)
    found = fewest_mistakes(X, y, fit_intercept=fit_intercept, sample_weight=weight)
    least = naive.fewest_mistakes(naive.augment(X, fit_intercept), 2 * y - 1, cost)
    assert counted(X, y, found) == found.rows.tolist()
    assert (found.mistakes, found.at_least, found.optimal) == (least, least, True)
    assert cost[found.rows].sum() == least
    certificate = found.certificate()
    assert certificate.at_least <= least == certificate.mistakes
    assert verify(certificate, X, y)


def test_rows_that_all_have_opposites_are_wrong_by_half():
    X = np.array([[0.0, 1.0], [0.0, 1.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
    y = np.array([1, 1, 0, 0, 0, 1])
    found = fewest_mistakes(X, y, fit_intercept=False)
    assert (found.mistakes, found.at_least) == (3, 3)
    assert counted(X, y, found) == found.rows.tolist()


@pytest.mark.slow
def test_thousands_of_tiny_tables():
    for seed in range(5000):
        rng = np.random.RandomState(seed)
        n, d = rng.randint(2, 13 if seed % 20 == 0 else 10), rng.randint(1, 4)
        X = rng.randint(-4, 5, (n, d)) / rng.choice([1, 2, 4.0])  # the twin has tolerances
        X[rng.randint(n)] = X[rng.randint(n)]
        y = np.append(rng.permutation(2), rng.randint(2, size=n - 2))
        weight = rng.choice([None, 1])
        weight = weight and rng.randint(1, 4, n)
        assert_fewest(X, y, bool(rng.randint(3)), weight)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("n", "d", "grid"), [(30, 2, 2), (40, 2, 6), (18, 3, 2), (11, 4, 1)])
def test_enumeration_agrees_with_its_slow_twin(n, d, grid, seed):
    rng = np.random.RandomState(seed)
    X, y = rng.randint(-grid, grid + 1, (n, d)) / 2, rng.randint(2, size=n)
    found = fewest_mistakes(X, y)
    assert found.optimal
    assert found.proof == ("enumeration" if found.mistakes else "conflicts")
    assert found.mistakes == naive.fewest_by_edges(naive.augment(X, True), 2 * y - 1)


def nearly_dependent(seed, delta, far=14, thin=12):
    """Rows whose second column is the first plus very little, and a few units in the last place."""
    rng, n = np.random.RandomState(seed), thin + far
    first, y = rng.uniform(1, 2, n), rng.randint(0, 2, n) * 2 - 1
    off = rng.uniform(0.1, 1, n) * y * np.where(rng.rand(n) < 0.3, -1, 1) * (np.arange(n) >= thin)
    units = np.where(np.arange(n) < thin, y, 0)
    return np.column_stack((first, first + delta * off + units * 2.0**-52)), y


@pytest.mark.parametrize("delta", [1e-5, 1e-6, 5e-7])
def test_no_hyperplane_beats_the_bound_where_columns_nearly_depend_on_each_other(delta):
    for seed in range(10):
        X, y = nearly_dependent(seed, delta)
        scores = [Fraction(b) - Fraction(a) for a, b in X.tolist()]  # w = (-1, 1), b = 0
        made = sum(f * k <= 0 for f, k in zip(scores, y.tolist(), strict=True))
        found = fewest_mistakes(X, y, effort=0.01)
        assert found.at_least <= min(made, found.mistakes)


@pytest.mark.parametrize("shear", [3, 2**10, 2**20, 2**24])
def test_an_exact_change_of_columns_changes_no_count(shear):
    for seed in range(8):
        rng = np.random.RandomState(seed)
        n, d = rng.randint(12, 40), rng.randint(2, 4)
        X, y = rng.randint(-500, 501, (n, d)) / 64, rng.randint(0, 2, n)
        sheared = X.copy()
        sheared[:, 1:] += shear * X[:, :1]  # exact: columns that are nearly multiples of the first
        one, other = (fewest_mistakes(Z, y, effort=0.01) for Z in (X, sheared))
        assert max(one.at_least, other.at_least) <= min(one.mistakes, other.mistakes)
        assert one.optimal
        assert one.proof == "enumeration"


@pytest.mark.parametrize("light", [1e-3, 1e-10, 2.0**-40])
def test_weights_of_very_different_size_are_all_counted(light):
    for seed in range(6):
        rng = np.random.RandomState(seed)
        X, y = rng.randint(-8, 9, (9, 2)).astype(float), rng.randint(0, 2, 9)
        weight = np.where(rng.rand(9) < 0.5, 1.0, light)
        found = fewest_mistakes(X, y, sample_weight=weight)
        costs = np.array([Fraction(c) for c in weight.tolist()], object)
        least = naive.fewest_mistakes(naive.augment(X, True), 2 * y - 1, costs)
        assert (found.mistakes, found.at_least, found.optimal) == (float(least), float(least), True)


def test_weights_that_vanish_beside_others_bound_nothing_falsely():
    rng = np.random.RandomState(1)
    X, y = rng.randint(-8, 9, (9, 2)).astype(float), rng.randint(0, 2, 9)
    weight = np.where(rng.rand(9) < 0.5, 1.0, 2.0**-60)
    found = fewest_mistakes(X, y, sample_weight=weight, effort=0.01)
    least = naive.fewest_mistakes(naive.augment(X, True), 2 * y - 1, weight)
    assert found.at_least <= least <= found.mistakes


def test_a_bound_on_weights_too_long_for_their_sums_is_below_them():
    rng = np.random.default_rng(0)
    X, y, weight = rng.normal(size=(40, 2)), rng.integers(0, 2, 40), rng.random(40)
    found = fewest_mistakes(X, y, sample_weight=weight)
    assert found.proof == "enumeration"
    assert found.at_least <= found.mistakes == weight[found.rows].sum()
    assert found.mistakes - found.at_least < 1e-12


@pytest.mark.parametrize("seed", range(4))
def test_weights_of_any_digits_are_counted_in_time_and_proved(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(-1, 2, (30, 8)).astype(float), rng.integers(0, 2, 30)
    for weight in (rng.random(30), rng.choice([0.1, 0.3], 30), 10.0 ** rng.integers(-30, 30, 30)):
        found = fewest_mistakes(X, y, sample_weight=weight, effort=0.005)
        certificate = found.certificate()
        assert float(certificate.at_least) <= found.at_least <= found.mistakes
        assert found.mistakes == pytest.approx(weight[found.rows].sum())
        assert verify(certificate, X, y)


def test_the_units_of_decimal_weights_are_too_fine_to_rise_by():
    near = 1 - np.array([0, 4, 0, 9, 9, -9, 9]) * 1.1e-16
    y, weight = [0, 1, 0, 0, 1, 0, 1], [0.1, 0.1, 0.1, 0.3, 0.1, 0.3, 0.3]
    found = fewest_mistakes(near[:, None], y, sample_weight=weight)
    assert verify(found.certificate(), near[:, None], y)


@pytest.mark.parametrize("weight", [1e200, 1e-200])
def test_weights_are_counted_in_any_unit(weight):
    X, y = [[0.0], [1.0], [2.0]], [0, 1, 0]
    found = fewest_mistakes(X, y, sample_weight=[weight] * 3)
    assert (found.mistakes, found.at_least, found.optimal) == (weight, weight, True)
    assert verify(found.certificate(), X, y)


@pytest.mark.parametrize("weight", [[1e308] * 3, [5e-324] * 3, [1.0, 1e-320, 1.0]])
def test_weights_that_cannot_be_added_up_are_refused(weight):
    with pytest.raises(ValueError, match=r"weights are from 1e-250 to 1e\+250 together: scale"):
        fewest_mistakes([[0.0], [1.0], [2.0]], [0, 1, 0], sample_weight=weight)


def test_two_weights_raise_a_bound_to_what_mistakes_can_cost():
    X, y = noisy(80, 6, 3, noise=2.0)
    found = fewest_mistakes(X, y, class_weight={0: 0.7, 1: 1.3}, effort=0.02)
    a, b = Fraction(0.7), Fraction(1.3)
    totals = {float(i * a + j * b) for i in range(60) for j in range(60)}
    assert found.proof == "conflicts"
    assert 0 < found.at_least <= found.mistakes
    assert {found.at_least, found.mistakes} <= totals
    certificate = found.certificate()
    assert 0 < certificate.at_least <= Fraction(found.at_least) + Fraction(1, 10**9)
    assert verify(certificate, X, y)


def test_labels_of_rows_without_weight_are_known():
    X, y = np.arange(8.0)[:, None], np.array(list("aabbaabc"))
    with pytest.raises(ValueError, match="the classes: 'c'\\. Only rows without weight have them"):
        fewest_mistakes(X, y, sample_weight=[1, 1, 1, 1, 1, 1, 1, 0])


def test_threads_do_not_change_the_answer():
    X, y = noisy(90, 3)
    one, two = (fewest_mistakes(X, y, n_jobs=jobs) for jobs in (1, 2))
    assert one.rows.tolist() == two.rows.tolist()
    assert one.w.tolist() == two.w.tolist()


# -- The search ------------------------------------------------------------------------------------


def noisy(n, d, seed=0, noise=0.5):
    rng = np.random.RandomState(seed)
    X = rng.standard_normal((n, d))
    return X, (X @ rng.standard_normal(d) + noise * rng.standard_normal(n) > 0).astype(int)


def test_no_more_mistakes_than_logistic_regression():
    iris, wine = load_iris(return_X_y=True), load_wine(return_X_y=True)
    tables = [(iris[0][50:], iris[1][50:]), (wine[0][:, :4], wine[1] == 1), noisy(400, 8)]
    for X, y in tables:
        Z = StandardScaler().fit_transform(X)
        theirs = int((LogisticRegression(C=1e3, max_iter=3000).fit(Z, y).predict(Z) != y).sum())
        assert fewest_mistakes(X, y, effort=0.02).mistakes <= theirs


def test_the_scale_of_columns_does_not_matter():
    X, y = noisy(300, 6)
    scale = 10.0 ** np.arange(-3, 3)
    plain, scaled = (fewest_mistakes(Z, y, effort=0.2) for Z in (X, X * scale + 5 * scale))
    assert plain.mistakes == scaled.mistakes


def test_the_same_seed_gives_the_same_answer():
    X, y = noisy(200, 7)
    one, two = (fewest_mistakes(X, y, effort=0.01, random_state=3) for _ in range(2))
    assert one.w.tolist() == two.w.tolist()
    assert one.rows.tolist() == two.rows.tolist()


def test_sparse_rows_and_collinear_columns():
    X, y = noisy(150, 5)
    X = np.round(X, 1)
    X = np.column_stack((X, X[:, 0] + X[:, 1], np.zeros(len(X))))
    dense, sparse = (fewest_mistakes(Z, y, effort=0.02) for Z in (X, csr(X)))
    assert abs(dense.mistakes - sparse.mistakes) <= 1
    assert verify(sparse.certificate(), X, y)


def test_flipped_labels_are_found_and_proved():
    X, y = datasets.clouds(2000, 5, 0.05)
    flips = np.random.RandomState(0).choice(2000, 20, replace=False)
    y[flips] *= -1
    found = fewest_mistakes(X, y)
    assert set(found.rows.tolist()) <= set(flips.tolist())
    assert (found.optimal, found.proof) == (True, "conflicts")
    assert found.mistakes == len(found.rows) >= 18
    assert verify(found.certificate(), X, y)


@pytest.mark.slow
def test_many_rows_are_searched_by_a_sample():
    X, y = datasets.clouds(150_000, 3, 0.05)
    y[::100] *= -1
    found = fewest_mistakes(X, y, effort=0.002)
    assert 1 <= found.at_least <= found.mistakes <= 1500


def test_weights_count_as_rows_do():
    X, y = noisy(60, 2)
    weight = np.random.RandomState(1).randint(0, 4, 60)
    weighted = fewest_mistakes(X, y, sample_weight=weight)
    repeated = fewest_mistakes(np.repeat(X, weight, 0), np.repeat(y, weight))
    assert weighted.mistakes == repeated.mistakes
    assert verify(weighted.certificate(), X, y)


def test_class_weights_count_mistakes():
    X, y = noisy(80, 2)
    found = fewest_mistakes(X, y, class_weight={0: 10, 1: 0.5})
    assert found.mistakes == np.where(y == 0, 10, 0.5)[found.rows].sum()
    assert (y[found.rows] == 1).all()
    assert verify(found.certificate(), X, y)
    balanced = fewest_mistakes(X, y, class_weight="balanced")
    assert verify(balanced.certificate(), X, y)


def test_separable_data_have_no_mistakes():
    X, y = datasets.textbook()
    found = fewest_mistakes(X, y)
    assert (found.mistakes, found.at_least, found.optimal) == (0, 0, True)
    assert found.rows.tolist() == []
    assert str(found) == "0 mistakes of 3 rows, and no hyperplane makes fewer"
    assert verify(found.certificate(), X, y)


def test_it_tells_what_it_found(capsys):
    X, y = datasets.xor()
    found = fewest_mistakes(X, y, verbose=1)
    assert str(found) == "1 mistakes of 4 rows, and no hyperplane makes fewer"
    assert "<th>mistakes</th><td>1</td>" in found._repr_html_()
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("effort", [0, -1, "much", None])
def test_effort_is_a_positive_number(effort):
    with pytest.raises(ValueError, match="effort must be a number above 0"):
        fewest_mistakes(*datasets.xor(), effort=effort)


def test_rows_of_no_weight_are_refused():
    X, y = datasets.xor()
    with pytest.raises(ValueError, match="weight"):
        fewest_mistakes(X, y, sample_weight=np.zeros(4))
    with pytest.raises(ValueError, match="weight zero"):
        fewest_mistakes(X, y, class_weight={-1: 0, 1: 0})


# -- Certificates ----------------------------------------------------------------------------------


def proved(n=40, d=3, seed=0, weight=None):
    """A certificate as plain data, and what it is about."""
    X, y = noisy(n, d, seed)
    X = np.round(X, 1)
    found = fewest_mistakes(X, y, sample_weight=weight)
    return json.loads(found.certificate().to_json()), X, y


JUNK = [
    "1e9", "1/0", "0x1", "NaN", "-", "", "1.5", "+1", "-1", "0", "7/3", "99", None, True, 1.5,
    10**9, -1, [], {}, [[]], {"w": []}, float("nan"),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("weighted", [False, True])
def test_every_change_is_refused(weighted):
    weight = np.random.RandomState(0).randint(1, 4, 40) if weighted else None
    certificate, X, y = proved(weight=weight)
    assert len(certificate["conflicts"]) > 2
    assert verify(certificate, X, y)
    for path in places(certificate):
        if path[0] == "hypothesis":
            continue  # others may make as many mistakes
        for junk in JUNK:
            mutant = changed(certificate, path, lambda _, junk=junk: junk)
            if mutant != certificate:
                assert_refuted(mutant, X, y)


def test_a_hypothesis_is_counted():
    certificate, X, y = proved()
    plane = certificate["hypothesis"]
    turned = {"w": [turn(v) for v in plane["w"]], "b": turn(plane["b"])}
    assert_refuted(certificate | {"hypothesis": turned}, X, y, "other mistakes")
    nothing = {"w": ["0"] * 3, "b": "0"}
    assert_refuted(certificate | {"hypothesis": nothing}, X, y, "other mistakes")
    for junk in JUNK:
        if not isinstance(junk, dict):
            assert_refuted(certificate | {"hypothesis": junk}, X, y)


def turn(v):
    return v[1:] if v.startswith("-") else f"-{v}"


@pytest.mark.parametrize(
    ("change", "match"),
    [
        (lambda c: c | {"at_least": str(int(c["at_least"]) + 1)}, "another bound"),
        (lambda c: c | {"at_least": "0"}, "another bound"),
        (lambda c: c | {"mistakes": str(int(c["mistakes"]) - 1)}, "other mistakes"),
        (lambda c: c | {"weights": ["1"] * 40}, "hash"),
        (lambda c: c | {"weights": {}}, "weights are missing"),
        (lambda c: c | {"conflicts": []}, "not there"),
        (lambda c: c | {"packing": None}, "packing is missing"),
        (lambda c: c | {"kind": "most mistakes"}, "not a kind"),
        (lambda c: c | {"format": "rosenblatt-certificate/1"}, "not a kind"),
        (lambda c: c | {"packing": c["packing"] | {"row": 0}}, "packing is missing"),
    ],
)
def test_what_is_missing_is_named(change, match):
    certificate, X, y = proved()
    certificate["packing"].setdefault("conflicts", [])
    assert_refuted(change(certificate), X, y, match)


def test_no_row_carries_more_than_it_costs():
    certificate, X, y = proved()
    first = certificate["conflicts"][0]
    twice = certificate | {
        "conflicts": [first, first],
        "packing": {"conflicts": [0, 1], "weights": ["1", "1/2"], "sum": "3/2"},
        "at_least": "2",
    }
    assert_refuted(twice, X, y, "carries more")


def test_trees_tell_cases_apart():
    certificate, X, y = proved()
    conflict = certificate["conflicts"][0]
    row, other = conflict["rows"][:2]
    leaf = {"conflicts": [0], "weights": ["1"], "sum": "1"}
    none = {"conflicts": [], "weights": [], "sum": "0"}
    rest = {"conflicts": [conflict], "at_least": "1"}
    good = {"row": row, "wrong": none, "right": leaf}
    assert verify(certificate | rest | {"packing": good}, X, y)
    heavy = {"conflicts": [0], "weights": ["9"], "sum": "9"}
    free = good
    for i in conflict["rows"][1:]:
        free = {"row": i, "wrong": none, "right": free}
    assert verify(certificate | rest | {"packing": free}, X, y)
    for bad in (
        good | {"row": other, "wrong": leaf | {"conflicts": [0]}},
        good | {"right": heavy},
        good | {"right": {"row": row, "wrong": none, "right": leaf}},
        good | {"row": 99},
        good | {"wrong": None},
        {"row": row, "right": leaf},
        good | {"right": none},
    ):
        assert_refuted(certificate | rest | {"packing": bad}, X, y)


@pytest.mark.slow
def test_branching_proves_more_than_a_packing():
    X, y = noisy(60, 3, 1, noise=0.7)
    found = fewest_mistakes(X, y)
    certificate = found.certificate()
    assert isinstance(certificate.tree, Branch)
    assert certificate.at_least == found.mistakes
    assert verify(certificate, X, y)
    assert MistakesCertificate.from_json(certificate.to_json()) == certificate


def test_certificates_survive_json():
    X, y = noisy(60, 4, 1, noise=0.4)
    certificate = fewest_mistakes(X, y, effort=0.01).certificate()
    again = MistakesCertificate.from_json(certificate.to_json(indent=1))
    assert again == certificate
    assert "and none makes fewer" in str(again)
    for junk in ("", "[]", "{}", "null", certificate.to_json().replace('"mistakes"', '"m"')):
        with pytest.raises(ValueError, match="not a certificate"):
            MistakesCertificate.from_json(junk)


# -- Rows in the way -------------------------------------------------------------------------------


def assert_frees(X, y, rows, **given):
    """What is left without them is separable."""
    left = np.setdiff1d(np.arange(len(y)), rows)
    assert len(left)
    if len(set(y[left].tolist())) == 2:
        assert certify(X[left], y[left], **given).verdict == "separable"


@pytest.mark.parametrize(
    "seed", [0, 1, *(pytest.param(s, marks=pytest.mark.slow) for s in (2, 3, 4))]
)
def test_one_flipped_label_is_that_row(seed):
    X, y = datasets.clouds(500, 5, 0.1, random_state=seed)
    assert obstacles(X, y).tolist() == []
    y[7 * seed] *= -1
    assert obstacles(X, y).tolist() == obstacles(csr(X), y).tolist() == [7 * seed]


@given(tables(), st.booleans())
def test_without_them_the_rest_is_separable(table, fit_intercept):
    X, y = table
    rows = obstacles(X, y, fit_intercept=fit_intercept)
    assert rows.tolist() == sorted(set(rows.tolist()))
    if not fit_intercept:  # a zero row is always in the way
        zero = np.flatnonzero(~X.any(axis=1))
        assert set(zero) <= set(rows)
    if len(rows) < len(y):
        assert_frees(X, y, rows, fit_intercept=fit_intercept)
    if not len(rows):
        assert certify(X, y, fit_intercept=fit_intercept).verdict == "separable"


@pytest.mark.parametrize("flip", [5, pytest.param(40, marks=pytest.mark.slow)])
def test_several_flipped_labels(flip):
    X, y = datasets.clouds(400, 4, 0.05, flip=flip)
    rows = obstacles(X, y)
    assert 0 < len(rows) <= 3 * flip
    assert_frees(X, y, rows)


def test_iris_and_columns_of_any_scale():
    X, y = load_iris(return_X_y=True)
    X, y = X[50:], y[50:]
    for scale in (1.0, np.array([1e6, 1e-6, 1, 1e3])):
        rows = obstacles(X * scale, y)
        assert 0 < len(rows) <= 5
        assert_frees(X * scale, y, rows)


def test_more_classes_are_refused():
    with pytest.raises(ValueError, match="two at a time"):
        obstacles([[1], [2], [3]], [0, 1, 2])


def test_results_can_be_pickled():
    X, y = datasets.clouds(60, 2, 0.05, flip=3)
    for verbose in (0, 1):
        found = fewest_mistakes(X, y, verbose=verbose)
        again = pickle.loads(pickle.dumps(found))
        assert (again.mistakes, again.at_least) == (found.mistakes, found.at_least)
        assert again.certificate() == found.certificate()


@pytest.mark.parametrize("kind", [np.asarray, csr])
def test_rows_at_hand_have_the_margins_and_directions_of_those_in_store(kind):
    X, y = datasets.clouds(60, 3, margin=0.0, flip=9)
    primal = store(kind(X), 1.0)
    search = Search(primal, rows_of(primal, y), make_chart(primal, np.arange(60)))
    near, u = search.at_hand(), np.array([0.5, -0.5, 0.5, 0.5])
    assert near.Z is not None
    assert near.mistakes(u) == search.mistakes(u)
    np.testing.assert_allclose(near.margins(u), search.margins(u), rtol=1e-9, atol=1e-9)
    walks = [Walk(each, np.random.RandomState(0), u) for each in (search, near)]
    for k in range(60):
        np.testing.assert_allclose(*(walk.towards(k) for walk in walks), rtol=1e-9)


def test_a_bound_is_rounded_to_the_unit_of_all_weights():
    """Row 1 is in no conflict, and its weight makes the unit a quarter instead of a half."""
    X = [
        [-1683065392.0, 1329365896.0],
        [1452722136.0, 1806735942.0],
        [77831361.0, -1632172439.0],
        [1919698406.0, -1252167840.0],
        [-569366138.0, 1562740276.0],
        [-877154822.0, -2100430019.0],
    ]
    y, weights = [0, 0, 1, 0, 1, 0], [1, 3.25, 2, 1, 1, 0.5]
    found = fewest_mistakes(X, y, fit_intercept=False, sample_weight=weights, n_jobs=1, effort=0.01)
    assert (found.mistakes, found.at_least) == (1.5, 1.5)
    assert verify(found.certificate(), X, y)
