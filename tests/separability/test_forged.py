"""Certificates written by hand about data that are not what they seem: each is refused by all."""

import hashlib
import json
import struct
import subprocess
import sys
from collections import deque
from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import scipy.sparse as sp

from rosenblatt import certify, checker, read, verify
from rosenblatt.blocks import certify_blocks, verify_blocks
from rosenblatt.separability.exact.rational import exact_conflict

QUADRATIC = {"name": "poly", "degree": 2, "lower": True}
LARGE = [[2**53, 0.5], [2**53 + 1, 0.5]]  # in double precision, one point


def written(X, y, **claimed):
    """A certificate whose hash is right."""
    data = b"".join(struct.pack("<d", v) for x in X for v in x)
    kind = {"format": "rosenblatt-certificate/2", "kind": "two classes"}
    return {
        **(kind if claimed.get("kernel") else {"format": "rosenblatt-certificate/1"}),
        "fit_intercept": True,
        "classes": sorted(set(y)),
        "n_samples": len(y),
        "n_features": len(X[0]),
        "sha256": hashlib.sha256(data + b"\n" + "\n".join(y).encode()).hexdigest(),
    } | claimed


def separated(X, y):
    return written(X, y, verdict="separable", separator={"w": ["1"], "b": "-1/2"})


def in_conflict(X, y):
    return written(
        X, y, verdict="overlapping", conflict={"rows": [0, 1], "weights": ["1/2", "1/2"]}
    )


def everywhere(certificate, X, y):
    """What each of the three says."""
    return (
        lambda: verify(certificate, X, y),
        lambda: checker.verify(certificate, X, y),
        lambda: verify_blocks(certificate, [(X, y)]),
    )


# -- Numbers ---------------------------------------------------------------------------------------


def test_squares_of_single_precision_are_those_of_its_numbers():
    k = np.array([0, 1000, 2049, 2100])
    X, y = (1 + k * 2.0**-23).astype(np.float32)[:, None], np.array(["p", "m", "m", "p"])
    Z = np.column_stack([X[:, 0], (X * X)[:, 0], np.ones(4)]).astype(float)  # squares are rounded
    weights = exact_conflict(Z * np.array([1, -1, -1, 1])[:, None], [1] * 4)
    forged = written(
        X.tolist(),
        y.tolist(),
        kernel=QUADRATIC,
        verdict="overlapping",
        conflict={"rows": [0, 1, 2, 3], "weights": [str(w) for w in weights]},
    )
    for check in everywhere(forged, X, y):
        with pytest.raises(ValueError, match="the weighted rows do not add up to zero"):
            check()
    assert certify(X, y, kernel="poly", degree=2).verdict == "separable"


def test_monomials_of_single_precision_verify_in_blocks():
    rng = np.random.default_rng(0)
    X, y = rng.integers(1, 2**14, (30, 2)).astype(np.float32), rng.integers(0, 2, 30)
    certificate = certify(X, y, kernel="poly", degree=2)
    assert certificate.verdict == "overlapping"
    assert all(check() for check in everywhere(certificate, X, y))


@pytest.mark.parametrize(
    "rows",
    [
        lambda: LARGE,
        lambda: deque(LARGE),
        lambda: (row for row in LARGE),
        lambda: [iter(row) for row in LARGE],
        lambda: [[np.array(v) for v in row] for row in LARGE],
        pytest.param(
            lambda: [[pa.scalar(v) for v in row] for row in LARGE],
            marks=pytest.mark.skipif(
                not hasattr(pa.scalar(1), "__index__"), reason="Arrow's scalars are no numbers yet"
            ),
        ),
        lambda: pd.DataFrame({"a": [2**53, 2**53 + 1], "b": [0.5, 0.5]}),
        lambda: np.array(LARGE, object),
    ],
)
def test_numbers_that_doubles_do_not_hold_are_seen_wherever_they_are(rows):
    forged = in_conflict([[2.0**53, 0.5]] * 2, ["0", "1"])
    for check in (verify, checker.verify):
        with pytest.raises(ValueError, match=r"X holds"):
            check(forged, rows(), ["0", "1"])
    with pytest.raises((ValueError, TypeError)):
        certify(rows(), ["0", "1"])


@pytest.mark.parametrize("text", [[], ["t"]])
def test_decimals_are_seen_beside_text(text):
    numbers = [Decimal("0.1"), Decimal("0.10000000000000000001")]
    frame = pd.DataFrame({name: ["u", "u"] for name in text} | {"a": numbers})
    with pytest.raises(ValueError, match=r"X holds Decimal\('0.1'\), which double precision"):
        certify(frame, ["0", "1"])


def test_decimals_of_parquet_beyond_doubles_are_refused(tmp_path):
    def write(numbers):
        column = pa.array(numbers, pa.decimal128(38, 0))
        pq.write_table(pa.table({"a": column, "y": ["p", "q"]}), tmp_path / "d.parquet")
        return tmp_path / "d.parquet"

    with pytest.raises(ValueError, match=r"column 'a' holds whole numbers beyond 2\*\*53"):
        read(write([Decimal(2**53), Decimal(2**53 + 1)]))
    assert read(write([Decimal(7), Decimal(2**53 - 1)])).X.ravel().tolist() == [7, 2**53 - 1]


def test_entries_of_one_place_add_up_as_they_do_for_certify():
    data = np.array([1, 2**-30], np.float32), [0, 0], [0, 2, 2]
    X, y = sp.csr_matrix(data, shape=(2, 1)), ["1", "0"]
    assert all(check() for check in everywhere(certify(X, y), X, y))


# -- Shapes, labels, kernels -----------------------------------------------------------------------


@pytest.mark.parametrize("widths", [(2, 1), (1, 2), (3, 1)])
def test_blocks_of_several_widths_are_no_table(widths):
    first, last = (np.arange(1.0, 1 + 2 * width).reshape(2, width) for width in widths)
    blocks = [(first, ["p", "p"]), (-last, ["m", "m"])]
    data = first.tobytes() + (-last).tobytes() + b"\np\np\nm\nm"
    forged = written(
        [[0.0] * widths[0]] * 4,
        ["p", "p", "m", "m"],
        verdict="separable",
        separator={"w": ["1"] + ["0"] * (widths[0] - 1), "b": "0"},
        sha256=hashlib.sha256(data).hexdigest(),
    )
    with pytest.raises(ValueError, match="the number of rows or features differs"):
        verify_blocks(forged, blocks)


def test_a_kernel_with_a_constant_has_an_intercept():
    X, y = [[0.0], [1.0]], ["a", "b"]
    forged = written(
        X,
        y,
        kernel=QUADRATIC,
        fit_intercept=False,
        verdict="touching",
        separator={"w": ["1", "0"], "b": "0"},
        conflict={"rows": [0], "weights": ["1"]},
    )
    for check in everywhere(forged, X, y):
        with pytest.raises(ValueError, match=r"fit_intercept must be true$"):
            check()
    true = certify(X, y, kernel="poly", degree=2, coef0=1.0, fit_intercept=False)
    assert true.verdict == "separable"
    assert all(check() for check in everywhere(true, X, y))


def test_labels_may_end_in_nothing():
    X, y = [[0.0], [1.0], [5.0]], np.array(["a", "a\0", "b"], object)
    for check in everywhere(certify(X, ["a", "a", "b"]), X, y):
        with pytest.raises(ValueError, match="certificate refuted"):
            check()
    assert all(check() for check in everywhere(certify(X, y), X, y))


@pytest.mark.parametrize(
    ("whole", "broken"),
    [
        (np.array([2**53, 2**53 + 1]), np.array([0.0, 0.0])),
        (np.array([2**63, 2**63 + 1], np.uint64), np.array([-1, -1])),
    ],
)
def test_labels_that_become_one_among_others_are_refused(whole, broken):
    X = np.array([[1.0], [2.0]])
    blocks = [(X, whole), (-X, broken)]
    forged = written(
        [[1.0], [2.0], [-1.0], [-2.0]],
        [str(float(label)) for label in [*whole, *broken]],
        verdict="separable",
        separator={"w": ["1"], "b": "0"},
    )
    for refuse in (certify_blocks, lambda blocks: verify_blocks(forged, blocks)):
        with pytest.raises(ValueError, match="y holds whole numbers beyond"):
            refuse(blocks)
    with pytest.raises(ValueError, match="y holds whole numbers beyond"):
        certify([[1.0], [2.0], [-1.0]], [2**53, 2**53 + 1, 0.0])


@pytest.mark.parametrize("y", [[0, 1.0, 0, 1.0], [True, 0, True, 0], [0, np.float64(1), 0, 1]])
def test_labels_of_several_types_are_read_as_certify_does(y):
    X = [[0.0], [1.0], [3.0], [4.0]]
    assert verify(certify(X, y), X, y)
    assert verify_blocks(certify(X, y), [(X, y)])


# -- The checker by itself -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "labels", "said"),
    [
        (b'0,"a\nb"\n1,c\n', ["a\nb", "c"], "valid"),
        (b'0,"a\nb"\n1,c\n', ["ab", "c"], "the hash is of other data"),
        (b"0,a\x0b1,b\n", ["a", "b"], "could not convert"),
        ("0,a\u2028\r\n1,b\r\n".encode(), ["a\u2028", "b"], "valid"),
        ("\ufeff0,a\n1,b".encode(), ["a", "b"], "valid"),
    ],
)
def test_the_checker_reads_lines_as_csv_has_them(tmp_path, data, labels, said):
    (tmp_path / "proof.json").write_text(json.dumps(separated([[0.0], [1.0]], labels)))
    (tmp_path / "data.csv").write_bytes(data)
    told = subprocess.run(
        [sys.executable, checker.__file__, tmp_path / "proof.json", tmp_path / "data.csv"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert said in told.stdout + told.stderr
    assert told.returncode == (said != "valid")


def test_high_powers_do_not_hold_the_checker_up():
    X, y = [[0.1], [0.3]], ["a", "b"]
    forged = written(
        X,
        y,
        kernel=QUADRATIC | {"degree": 2500},
        verdict="separable",
        separator={"w": ["0"] * 2500, "b": "0"},
    )
    for check in everywhere(forged, X, y):
        with pytest.raises(ValueError, match=r"row 0 .* is on the wrong side"):
            check()
