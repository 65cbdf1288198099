"""Verifying quickly: the answers of the independent checker, wherever the rows are."""

import hashlib
import json
import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from specimens import csr, tables
from test_numbers import cancelling, wild

import rosenblatt
from rosenblatt import Perceptron, certify, checker, datasets, fit_blocks, scan
from rosenblatt.blocks import certify_blocks, verify_blocks
from rosenblatt.cli import run
from rosenblatt.core import threads
from rosenblatt.out_of_core.block_stream import fetch
from rosenblatt.separability.answers import Conflict
from rosenblatt.separability.certificate_parts import ConflictWeights
from rosenblatt.separability.exact import confirmation
from rosenblatt.separability.exact.confirmation import sides
from rosenblatt.separability.fingerprint import hash_of
from rosenblatt.separability.proofs import Proof

fractions = st.fractions(max_denominator=10**6) | st.builds(
    lambda x, k: x * Fraction(2) ** k, st.fractions(max_denominator=99), st.integers(-1200, 1200)
)


def sign(x):
    return (x > 0) - (x < 0)


# -- Sides and ranks, against fractions ------------------------------------------------------------


@given(st.one_of(wild(), cancelling()), st.data(), st.booleans(), st.booleans())
def test_sides_are_those_of_fractions(table, data, bias, sparse):
    X = table[0]
    width = X.shape[1] + bias
    w = data.draw(st.lists(fractions, min_size=width, max_size=width))
    rows = [[Fraction(v) for v in [*x, 1.0][:width]] for x in X.tolist()]
    wanted = [sign(sum(map(Fraction.__mul__, row, w))) for row in rows]
    assert sides(csr(X) if sparse else X, w).tolist() == wanted


@given(tables())
def test_a_row_on_the_hyperplane_is_on_no_side(table):
    X, _ = table
    w = [Fraction(3, 7), *[Fraction(0)] * (X.shape[1] - 1)]
    b = -w[0] * Fraction(X[0, 0])
    assert sides(X, [*w, b]).tolist() == np.sign(X[:, 0] - X[0, 0]).tolist()


@given(tables(), st.lists(fractions, min_size=10, max_size=10))
def test_rows_cancel_out_when_fractions_do(table, weights):
    Z = table[0]
    weights = [abs(w) for w in weights[: len(Z)]]
    total = sum(weights)
    shares = [w / total for w in weights] if total else weights
    sums = [sum(Fraction(x) * w for x, w in zip(c, shares, strict=True)) for c in Z.T.tolist()]
    wanted = bool(total) and min(shares) > 0 and not any(sums)
    assert confirmation.cancels(Z, shares) == wanted


# -- Wherever the rows are -------------------------------------------------------------------------

TABLES = {
    "separable": datasets.textbook(),
    "touching": (np.array([[0.0, 0.5], [1.0, 0.5], [1.0, 0.5], [2.0, 0.25]]), [0, 0, 1, 1]),
    "overlapping": datasets.xor(),
    "in a subspace": (np.array([[1.0, 2.0], [2.0, 4.0], [3.0, 6.0], [0.0, 0.0]]), [0, 1, 0, 1]),
}


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_blocks_verify_as_rows_in_memory(name, fit_intercept):
    X, y = TABLES[name][0], np.asarray(TABLES[name][1])
    certificate = certify(X, y, fit_intercept=fit_intercept)
    for rows in (X, csr(X)):
        blocks = [(rows[:1], y[:1]), (rows[1:3], y[1:3]), (rows[3:], y[3:])]
        assert verify_blocks(certificate, blocks)
    with pytest.raises(ValueError, match="the hash is of other data"):
        verify_blocks(certificate, [(X[::-1][:2], y[::-1][:2]), (X[::-1][2:], y[::-1][2:])])


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".npy", ".svm"])
def test_every_format_verifies_streamed_and_in_memory(tmp_path, suffix, capsys):
    X, y = datasets.clouds(300, 3, margin=0.1)
    y[0] = -y[0]
    path, proof = tmp_path / f"rows{suffix}", str(tmp_path / "proof.json")
    write(path, X, y)
    assert run(["certify", str(path), "--save", proof]) == 1
    for how in ("--stream", "--no-stream", "--independent"):
        assert run(["verify", proof, str(path), how]) == 0
    assert "valid" in capsys.readouterr().out
    facts = json.loads((tmp_path / "proof.json").read_text())
    facts["conflict"]["rows"][0] += 1
    (tmp_path / "proof.json").write_text(json.dumps(facts))
    for how in ("--stream", "--no-stream", "--independent"):
        assert run(["verify", proof, str(path), how]) == 1
        assert "refuted" in capsys.readouterr().out


def write(path, X, y):
    if path.suffix == ".npy":
        np.save(path, np.column_stack((X, y)))
    elif path.suffix == ".parquet":
        columns = {f"x{j}": x for j, x in enumerate(X.T)} | {"y": y}
        pq.write_table(pa.table(columns), path, row_group_size=100)
    elif path.suffix == ".svm":
        rows = (" ".join(f"{j + 1}:{v!r}" for j, v in enumerate(x)) for x in X.tolist())
        path.write_text("".join(f"{k} {row}\n" for k, row in zip(y.tolist(), rows, strict=True)))
    else:
        rows = np.column_stack((X, y)).tolist()
        path.write_text("".join(",".join(map(repr, row)) + "\n" for row in rows))


def test_labels_may_be_a_column():
    X, y = datasets.textbook()
    for column in (y[:, None], y[:, None].tolist(), pd.DataFrame({"y": y})):
        assert rosenblatt.verify(certify(X, column), X, column)


def test_independent_and_stream_do_not_go_together(tmp_path, capsys):
    path = tmp_path / "proof.json"
    path.write_text(certify(*datasets.xor()).to_json())
    assert run(["verify", str(path), "x.csv", "--stream", "--independent"]) == 2
    assert "--independent needs the table in memory" in capsys.readouterr().err


def test_a_certificate_of_many_rows_and_sparse_rows_agree_with_the_checker():
    X, y = datasets.clouds(3000, 6, margin=0.001, flip=3)
    for rows in (X, csr(X), X.astype(np.float32)):
        certificate = certify(rows, y)
        assert rosenblatt.verify(certificate, rows, y)
        assert checker.verify(certificate, rows, y)


def test_verifying_leaves_a_sparse_matrix_as_it_is():
    X, y = datasets.textbook()
    rows = csr(X)
    rows.indices[:2] = rows.indices[1::-1]  # not sorted any more
    rows.data[:2] = rows.data[1::-1]
    before = rows.indices.copy(), rows.data.copy()
    assert rosenblatt.verify(certify(X, y), rows, y)
    assert (rows.indices == before[0]).all()
    assert (rows.data == before[1]).all()


# -- Nothing is told that fails its own check ------------------------------------------------------


def false_conflict(primal, rows, *_, **__):
    return Conflict(rows.train[:2].astype(int), [Fraction(1, 2)] * 2)


def false_proof(primal, rows, bounded):
    return Proof("overlapping", conflict=ConflictWeights([0, 1, 2, 3, 4], [Fraction(1, 5)] * 5))


def test_rows_that_do_not_cancel_out_are_an_internal_error(monkeypatch):
    X, y = datasets.clouds(200, 3, margin=0.2)
    blocks = [(X[:90], y[:90]), (X[90:], y[90:])]
    monkeypatch.setattr("rosenblatt.separability.row_sources.hard_rows.decide", false_conflict)
    with pytest.raises(confirmation.SelfCheckError, match=r"internal error.*add up.*report"):
        fit_blocks(Perceptron(settle="first"), blocks)
    monkeypatch.setattr("rosenblatt.separability.row_sources.prove.prove", false_proof)
    with pytest.raises(confirmation.SelfCheckError, match="do not add up to zero"):
        certify_blocks(blocks)


def test_inseparable_beside_a_hypothesis_without_mistakes_is_an_internal_error(monkeypatch):
    X, y = datasets.clouds(200, 3, margin=0.2)
    monkeypatch.setattr("rosenblatt.separability.exact.confirmation.cancels", lambda *_: True)
    monkeypatch.setattr("rosenblatt.estimators.in_memory.decide", false_conflict)
    monkeypatch.setattr("rosenblatt.separability.row_sources.hard_rows.decide", false_conflict)
    with pytest.raises(confirmation.SelfCheckError, match="gets all rows right"):
        Perceptron(settle="first").fit(X, y)
    with pytest.raises(confirmation.SelfCheckError, match="gets all rows right"):
        fit_blocks(Perceptron(settle="first"), [(X[:90], y[:90]), (X[90:], y[90:])])


def test_a_class_may_own_the_hyperplane_where_no_separator_is_strict():
    model = Perceptron(fit_intercept=False, boundary=-1, keep="best", max_iter=1)
    model.fit([[0.0], [1.0]], [0, 1])
    assert (model.stop_reason_, model.converged_) == ("separated", True)
    blocks = [(np.array([[0.0]]), np.array([0])), (np.array([[1.0]]), np.array([1]))]
    model = fit_blocks(Perceptron(fit_intercept=False, boundary=-1, max_iter=3), blocks)
    assert (model.stop_reason_, model.converged_) == ("separated", True)


def test_rows_read_again_are_the_rows(tmp_path):
    X, y = datasets.clouds(1000, 4, margin=0.1)
    X[17, 2] = math.nan  # dropped, so that later rows have other numbers
    for suffix in (".parquet", ".npy"):
        write(tmp_path / f"rows{suffix}", X, y)
        blocks = scan(tmp_path / f"rows{suffix}", missing="drop")
        rows = np.array([998, 0, 500, 17, 16])
        found, labels = fetch(blocks, rows)
        kept = np.delete(np.arange(1000), 17)[rows]
        np.testing.assert_array_equal(found, X[kept])
        np.testing.assert_array_equal(labels, y[kept])


# -- Numbers and labels that are not what they seem ------------------------------------------------

CHECKS = [rosenblatt.verify, checker.verify, lambda c, X, y: verify_blocks(c, [(X, y)])]
WHOLE = [[2**53], [2**53 + 2], [0]]
WIDE = np.array([[1], [2], [3]], np.longdouble) / 10


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize(
    "X",
    [
        np.array(WHOLE),
        np.array(WHOLE, np.uint64),
        np.array(WHOLE, object),
        np.array(WHOLE)[:, 0].astype(object)[:, None],
        pd.DataFrame(WHOLE),
        pd.DataFrame(WHOLE, dtype="Int64"),
        csr(np.array(WHOLE)),
        np.array([[Fraction(1, 3)], [Fraction(2)], [Fraction(0)]]),
        np.array([[Decimal("0.1")], [Decimal(2)], [Decimal(0)]]),
        pd.DataFrame({"a": [Decimal("0.1"), Decimal(2), Decimal(0)]}),
        WIDE,
        pd.DataFrame(WIDE),
    ],
)
def test_numbers_that_doubles_do_not_hold_are_refused_by_all(X, check):
    if np.longdouble(1) / 10 == 0.1 and np.asarray(X).dtype == np.longdouble:
        pytest.skip("here, they are doubles")
    y, doubles = [0, 1, 0], np.asarray(X.toarray() if hasattr(X, "toarray") else X).astype(float)
    with pytest.raises(ValueError, match="X holds"):
        certify(X, y)
    with pytest.raises(ValueError, match="X holds"):
        certify_blocks([(X, y)])
    with pytest.raises(ValueError, match="X holds"):
        check(certify(doubles, y), X, y)


@pytest.mark.parametrize("check", CHECKS[:2])
def test_so_are_lists_and_the_scalars_of_numpy(check):
    for X in (WHOLE, [[np.int64(2**53 + 1)], [np.int64(2**53)], [0]], [[Fraction(1, 3)], [2], [0]]):
        with pytest.raises(ValueError, match="X holds"):
            check(certify([[float(v) for v in x] for x in X], [0, 1, 0]), X, [0, 1, 0])


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize(
    "X",
    [
        np.array([[Fraction(1, 2)], [Fraction(2)], [Fraction(0)]]),
        np.array([[Decimal("0.5")], [Decimal(2)], [Decimal(0)]]),
        np.array([[0.5], [2], [0]], np.longdouble),
        pd.DataFrame({"a": [True, False, True]}, dtype="boolean"),
    ],
)
def test_numbers_that_doubles_hold_are_fine_whatever_they_are(X, check):
    assert check(certify(X, [0, 1, 0]), X, [0, 1, 0])


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize(
    ("y", "classes"),
    [
        (np.array([0.0, -0.0, 1.0]), ("0.0", "1.0")),
        (np.array([-0.0, 0.0, 1.0]), ("0.0", "1.0")),
        (np.array([-0.0, -0.0, 1.0]), ("0.0", "1.0")),
        (np.array([-1.0, -1.0, -0.0]), ("-1.0", "0.0")),
        (pd.Series([-0.0, 0.0, 1.0]), ("0.0", "1.0")),
        (np.array(["-0.0", "-0.0", "0.0"]), ("-0.0", "0.0")),
        (pd.array([True, True, False], dtype="boolean"), ("False", "True")),
        (pd.Series([True, True, False], dtype="boolean"), ("False", "True")),
        (pd.Series([7, 7, 5], dtype="Int64"), ("5", "7")),
    ],
)
def test_labels_are_the_same_text_for_all(y, classes, check):
    X = np.array([[1.0], [2.0], [3.0]])
    certificate = certify(X, y)
    assert certificate.classes == certify_blocks([(X, y)]).classes == classes
    assert check(certificate, X, y)


def test_a_margin_that_nobody_checks_is_not_told():
    X, y = datasets.textbook()
    certificate = certify(X, y)
    assert certificate.margin > 0
    assert "margin" not in json.loads(certificate.to_json())
    forged = json.dumps(json.loads(certificate.to_json()) | {"margin": 1e9})
    read = rosenblatt.Certificate.from_json(forged)
    assert (read, read.margin) == (certificate, None)
    assert "away" in str(certificate)
    assert "away" not in str(read)
    assert "margin" not in read._repr_html_()


@pytest.mark.parametrize("names", [["-1", "1"], ["no", "yes, of course"], ["感知机", "", "\0"]])
def test_labels_are_hashed_in_lines(names):
    X, codes = np.arange(60.0).reshape(20, 3), np.arange(20) % len(names)
    lines = "\n".join(names[c] for c in codes)
    told = hashlib.sha256(X.tobytes() + f"\n{lines}".encode()).hexdigest()
    assert hash_of([(X[:7], codes[:7]), (X[7:], codes[7:])], names) == told


@pytest.mark.parametrize("rows", [threads.FEW_NUMBERS - 1, threads.FEW_NUMBERS])
def test_a_table_has_one_hash_in_this_thread_and_in_another(rows):
    X = np.arange(float(rows)).reshape(-1, 1)
    y = (X[:, 0] > 7).astype(int)
    lines = "\n".join(map(str, y.tolist()))
    certificate = certify(X, y)
    assert certificate.sha256 == hashlib.sha256(X.tobytes() + f"\n{lines}".encode()).hexdigest()
    assert rosenblatt.verify(certificate, X, y)
    with pytest.raises(ValueError, match="hash"):
        rosenblatt.verify(certificate, X + 1, y)
