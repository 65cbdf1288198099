"""The independent checker: what it accepts, and that it accepts nothing else."""

import ast
import copy
import json
import math
import subprocess
import sys
from fractions import Fraction
from itertools import combinations_with_replacement, tee
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from specimens import csr, tables

import rosenblatt.checker
from rosenblatt import certify, checker, datasets, fewest_mistakes
from rosenblatt.separability.fingerprint import hash_of

FILE = Path(rosenblatt.checker.__file__)
TOUCHING = np.array([[0.0, 0.5], [1.0, 0.5], [1.0, 0.5], [2.0, 0.25]]), np.array([0, 0, 1, 1])
EXAMPLES = {
    "separable": datasets.textbook(),
    "touching": TOUCHING,
    "overlapping": datasets.xor(),
}


def fields(name):
    """A certificate as plain data, and what it is about."""
    X, y = EXAMPLES[name]
    return json.loads(certify(X, y).to_json()), X, y


def verify(certificate, X, y):
    """What both ways to verify say: True, or a refusal."""
    ways = rosenblatt.checker.verify, rosenblatt.verify
    found = [said(way, certificate, *both) for way, both in zip(ways, twice(X, y), strict=True)]
    assert (found[0] is True) == (found[1] is True), found
    if found[0] is not True:
        raise found[1]
    return True


def twice(X, y):
    """The same data for each of two readers."""
    return zip(tee(X) if iter(X) is X else (X, X), (y, y), strict=True)


def said(way, certificate, X, y):
    try:
        return way(certificate, X, y)
    except ValueError as error:
        return error


def assert_refuted(certificate, X, y, match="refuted"):
    with pytest.raises(ValueError, match=match):
        verify(certificate, X, y)


# -- The file itself -------------------------------------------------------------------------------


def test_it_is_short_and_stands_alone():
    text = FILE.read_text("utf-8")
    assert len(text.splitlines()) < 400
    imports = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import)]
    froms = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom)]
    names = {alias.name for node in imports for alias in node.names}
    assert names | {node.module for node in froms} <= sys.stdlib_module_names
    assert all(node.level == 0 for node in froms)


@pytest.mark.parametrize("given", [[], ["proof.json"], ["a", "b", "c"]])
def test_the_command_says_what_it_needs(given):
    command = [sys.executable, "-m", "rosenblatt.checker", *given]
    said = subprocess.run(command, capture_output=True, text=True)
    assert said.returncode == 1
    assert said.stderr.startswith("usage: python ")
    assert said.stderr.endswith("checker.py CERTIFICATE.json TABLE.csv\n")


@pytest.mark.parametrize("command", [["-m", "rosenblatt.checker"], ["-I", str(FILE)]])
@pytest.mark.parametrize("name", EXAMPLES)
def test_on_the_command_line(command, name, tmp_path):
    certificate, X, y = fields(name)
    proof, table = tmp_path / "proof.json", tmp_path / "table.csv"
    lines = zip(X.tolist(), y.tolist(), strict=True)
    rows = [",".join(map(repr, [*x, label])) for x, label in lines]
    table.write_text("\n".join(rows) + "\n")

    def check():
        given = [sys.executable, *command, proof, table]
        return subprocess.run(given, capture_output=True, text=True)

    proof.write_text(json.dumps(certificate))
    good = check()
    assert (good.returncode, good.stdout) == (0, "valid\n")
    proof.write_text(json.dumps(certificate | {"sha256": "0" * 64}))
    bad = check()
    assert bad.returncode == 1
    assert "refuted: the hash" in bad.stderr
    assert "Traceback" not in bad.stderr


# -- What it accepts -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", EXAMPLES)
def test_certificates_in_all_forms(name):
    certificate, X, y = fields(name)
    for form in (certify(X, y), certificate, json.dumps(certificate)):
        assert verify(form, X, y) is True
    for rows in (csr(X), X.tolist(), X.astype(np.float32), X.astype(object), iter(X)):
        assert verify(certificate, rows, y)
    assert verify(certificate, X, y.tolist())


def test_minus_zero_is_zero():
    X, y = np.array([[0.0], [1.0]]), [0, 1]
    assert verify(certify(X, y), -X * [[1], [-1]], y)


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize("other", [*EXAMPLES, "undecided", "", None, ["separable"]])
def test_two_verdicts_never_both_verify(name, other):
    certificate, X, y = fields(name)
    if other != name:
        assert_refuted(certificate | {"verdict": other}, X, y)
        parts = {p: fields(n)[0].get(p) for n in EXAMPLES for p in ("separator", "conflict")}
        assert_refuted(certificate | parts | {"verdict": other}, X, y)


@given(tables(), st.booleans())
def test_no_other_verdict_follows_from_the_same_parts(table, fit_intercept):
    X, y = table
    certificate = json.loads(certify(X, y, fit_intercept=fit_intercept).to_json())
    assert verify(certificate, X, y)
    for other in set(EXAMPLES) - {certificate["verdict"]}:
        assert_refuted(certificate | {"verdict": other}, X, y)
        bare = {p: v for p, v in certificate.items() if p not in ("separator", "conflict")}
        assert_refuted(bare | {"verdict": other}, X, y)


# -- What it refuses -------------------------------------------------------------------------------


def places(node, path=()):
    """The path of everything in a certificate."""
    inner = node.items() if isinstance(node, dict) else enumerate(node)
    for key, value in inner:
        yield (*path, key)
        if isinstance(value, dict | list):
            yield from places(value, (*path, key))


def changed(certificate, path, change):
    """A copy in which one place is changed."""
    certificate = copy.deepcopy(certificate)
    node = certificate
    for key in path[:-1]:
        node = node[key]
    node[path[-1]] = change(node[path[-1]])
    return certificate


JUNK = [
    "1e999999999", "1/0", "1/00", "0x1", "1" * 100_000, "1/" + "1" * 100_000, "NaN", "inf", "-", "",
    "1.5", " 1", "1\n", "+1", "1/-2", "1//2", "٣", "1_000", None, True, 1.5, 10**400, [], {}, [[]],
    {"w": []}, [1], "separable", float("nan"),
]  # fmt: skip


@pytest.mark.parametrize("name", EXAMPLES)
def test_junk_anywhere_is_refused(name):
    certificate, X, y = fields(name)
    for path in places(certificate):
        for junk in JUNK:
            if path == ("margin",) or (path == ("verdict",) and junk == name):
                continue  # the margin is told, not proved
            if path == ("fit_intercept",) and junk is True:
                continue
            assert_refuted(changed(certificate, path, lambda _, junk=junk: junk), X, y)


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_missing_part_is_refused(name):
    certificate, X, y = fields(name)
    for path in [*places(certificate)]:
        mutant = copy.deepcopy(certificate)
        node = mutant
        for key in path[:-1]:
            node = node[key]
        del node[path[-1]]
        if path != ("margin",):
            assert_refuted(mutant, X, y)


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, "", "null", "7", '"x"', "[]"])
def test_other_text_is_refused(text):
    with pytest.raises(ValueError, match=r"refuted|Expecting"):
        verify(text, *TOUCHING)


@given(tables(), st.booleans(), st.data())
def test_every_change_of_a_proof_or_its_data_is_refused(table, fit_intercept, data):
    X, y = table
    certificate = json.loads(certify(X, y, fit_intercept=fit_intercept).to_json())
    kind = data.draw(st.sampled_from(["weight", "row", "cell", "label", "drop", "swap", "count"]))
    i = data.draw(st.integers(0, len(y) - 1))
    conflict = certificate.get("conflict")
    if kind in ("weight", "row", "drop") and not conflict:
        kind = "cell"
    if kind == "weight":
        k = data.draw(st.integers(0, len(conflict["weights"]) - 1))
        conflict["weights"][k] += "1"
    elif kind == "row":
        k = data.draw(st.integers(0, len(conflict["rows"]) - 1))
        conflict["rows"][k] = data.draw(
            st.sampled_from([-1, len(y), 10**30, conflict["rows"][-1 - k]])
        )
        if len(conflict["rows"]) == 1 or len(conflict["rows"]) == 2 * k + 1:
            conflict["rows"][k] = len(y)
    elif kind == "cell":
        X = X.copy()
        X[i, data.draw(st.integers(0, X.shape[1] - 1))] += data.draw(st.sampled_from([2**-40, 1]))
    elif kind == "label":
        y = y.copy()
        y[i] = 1 - y[i]
    elif kind == "drop":
        conflict["rows"].pop()
        conflict["weights"].pop()
    elif kind == "swap":
        order = np.roll(np.arange(len(y)), 1)
        if (X[order] == X).all() and (y[order] == y).all():
            return
        X, y = X[order], y[order]
    else:
        certificate["n_samples"] += 1
    assert_refuted(certificate, X, y)


@given(tables(), st.data())
def test_a_turned_separator_is_refused(table, data):
    X, y = table
    certificate = json.loads(certify(X, y).to_json())
    if "separator" in certificate:
        plane = certificate["separator"]
        turned = {"w": [turn(v) for v in plane["w"]], "b": turn(plane["b"])}
        assert_refuted(certificate | {"separator": turned}, X, y)
        nothing = {"w": ["0"] * X.shape[1], "b": "0"}
        assert_refuted(certificate | {"separator": nothing}, X, y)


def turn(v):
    return v[1:] if v.startswith("-") else f"-{v}"


def test_a_span_that_is_too_small_is_refused():
    certificate, X, y = fields("touching")
    del certificate["separator"]
    assert_refuted(certificate | {"verdict": "overlapping"}, X, y, "does not span")


def test_a_strict_separator_may_not_touch():
    certificate, X, y = fields("touching")
    del certificate["conflict"]
    assert_refuted(certificate | {"verdict": "separable"}, X, y, "wrong side")


@pytest.mark.parametrize(
    ("extra", "name"), [("conflict", "separable"), ("separator", "overlapping")]
)
def test_a_part_that_proves_nothing_is_refused(extra, name):
    certificate, X, y = fields(name)
    part = fields("touching")[0][extra]
    assert_refuted(certificate | {extra: part}, X, y, "no part")


def test_without_intercept_there_is_no_bias():
    X, y = [[1.0], [-1.0]], [1, 0]
    certificate = json.loads(certify(X, y, fit_intercept=False).to_json())
    assert verify(certificate, X, y)
    certificate["separator"]["b"] = "7"
    assert_refuted(certificate, X, y, "b must be 0")


@pytest.mark.parametrize("name", ["separable", "touching"])
def test_classes_the_other_way_round_are_refused(name):
    certificate, X, y = fields(name)
    assert_refuted(certificate | {"classes": certificate["classes"][::-1]}, X, y)


def test_labels_sort_as_text_or_as_numbers():
    X, y = [[0.0], [1.0], [2.0]], [2, 10, 10]
    assert verify(certify(X, y), X, y)


@pytest.mark.parametrize("X", [[], [[np.nan]] * 4, [[np.inf, 0]] * 4, [[1.0]] * 4])
def test_other_data_are_refused(X):
    certificate, _, y = fields("touching")
    assert_refuted(certificate, X, y)


# -- Parts that do not belong together -------------------------------------------------------------

NO_CONFLICTS = {"mistakes": "0", "at_least": "0", "conflicts": [],
                "packing": {"conflicts": [], "weights": [], "sum": "0"}}  # fmt: skip


@pytest.mark.parametrize(
    "stray",
    [
        {"verdict": "overlapping"},
        {"verdict": "separable"},
        {"kernel": {"name": "rbf"}},
        {"kernel": {"name": "poly", "degree": 2, "lower": True}},
    ],
)
@pytest.mark.parametrize("change", [{}, NO_CONFLICTS])
def test_the_fewest_mistakes_have_neither_verdict_nor_kernel(stray, change):
    X, y = np.zeros((2, 1)), np.array([0, 1])
    true = json.loads(fewest_mistakes(X, y).certificate().to_json())
    assert verify(true, X, y)
    assert_refuted(true | change | stray, X, y, "not a proof|the kernel is not known")


@pytest.mark.parametrize(
    "change",
    [
        {"conflict": {"rows": [0, 1], "rivals": [2, 2], "weights": ["1/3", "2/3"]}},
        {"proof": "bounded", "dependent": {"99": {"7": "x"}}},
        {"separator": {"w": [["1"]] * 3, "b": ["0"] * 3}},
    ],
)
def test_nothing_stands_unchecked_beside_equal_rows(change):
    X, y = np.array([[0.0], [0.0], [1.0]]), np.array([0, 1, 2])
    true = json.loads(certify(X, y, kernel="rbf").to_json())
    assert verify(true, X, y)
    assert_refuted(true | change, X, y)


@pytest.mark.parametrize("power", [-537, 600])
def test_a_bound_on_rounding_errors_is_about_doubles(power):
    """Squares of the rows are not; where they are subnormal, rounding makes a conflict of them."""
    X, y = np.ldexp([[1.125], [1.25], [1.375], [1.75]], power), np.array([1, 1, 0, 1])
    about = {"kernel": {"name": "poly", "degree": 2, "lower": True}, "proof": "bounded"}
    false = about | {
        "format": "rosenblatt-certificate/2", "kind": "two classes", "verdict": "overlapping",
        "fit_intercept": True, "classes": ["0", "1"], "n_samples": 4, "n_features": 1,
        "sha256": hash_of([(X, y)], ["0", "1"]),
        "conflict": {"rows": [0, 1, 2, 3], "weights": ["1/6", "1/6", "1/2", "1/6"]},
    }  # fmt: skip
    assert_refuted(false, X, y)


@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize(("d", "degree"), [(1, 6), (2, 1), (3, 4), (5, 2)])
def test_monomials_are_products_of_features(d, degree, lower):
    x = [Fraction(k + 2, 3) for k in range(d)]
    sizes = range(1 if lower else degree, degree + 1)
    powers = (p for size in sizes for p in combinations_with_replacement(range(d), size))
    found = checker.features(x, {"name": "poly", "degree": degree, "lower": lower})
    assert found == [math.prod(x[j] for j in p) for p in powers]
