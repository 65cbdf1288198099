"""The hash of large dense tables: over the hashes of blocks of rows, in any number of threads."""

import json

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from naive import hash_by_blocks

from rosenblatt import certify, checker, scan, verify
from rosenblatt.blocks import certify_blocks, verify_blocks
from rosenblatt.core import threads
from rosenblatt.separability import fingerprint
from rosenblatt.separability.certificate import Certificate
from rosenblatt.separability.fingerprint import BLOCKS, MOST_AT_ONCE, form_of, hash_of

NAMES = ["no", "yes"]


def table(n, d, random_state=0):
    """Small numbers, with -0 among them, and codes of two classes."""
    rng = np.random.RandomState(random_state)
    X = rng.randint(-3, 4, (n, d)) / np.where(rng.rand(d) < 0.5, 1, -3)
    return X, (X[:, 0] > 0).astype(int)


def twin(X, codes):
    return hash_by_blocks(X, [NAMES[c] for c in codes])


@pytest.mark.parametrize("cores", [1, 2, 3, 8])
@pytest.mark.parametrize(
    ("n", "d"),
    [(9 * 2048 - 1, 64), (9 * 2048, 64), (9 * 2048 + 1, 64), (23_000, 50), (12, 100_000)],
)
def test_any_number_of_threads_hash_what_a_loop_hashes(monkeypatch, cores, n, d):
    X, codes = table(n, d)
    monkeypatch.setattr(threads, "CORES", cores)
    assert X.size > threads.THREADED
    assert hash_of([(X, codes)], NAMES, BLOCKS) == twin(X, codes)
    assert hash_of([(np.asfortranarray(X), codes)], NAMES, BLOCKS) == twin(X, codes)


@pytest.mark.parametrize("n", [1, 2047, 2048, 2049, 4095, 4096, 4097])
def test_few_blocks(n):
    X, codes = table(n, 64)
    assert hash_of([(X, codes)], NAMES, BLOCKS) == twin(X, codes)


@pytest.mark.parametrize("seed", range(8))
def test_rows_may_come_in_any_blocks(seed):
    rng = np.random.RandomState(seed)
    X, codes = table(20_000, (64, 50, 33_000 // 64, 127)[seed % 4], seed)
    cuts = np.sort(rng.randint(0, len(X), 12))
    cuts = np.r_[0, 0, cuts, cuts[3], cuts[3] + 1, cuts[3] + 2, len(X)]
    parts = [(X[a:b], codes[a:b]) for a, b in zip(np.sort(cuts), np.sort(cuts)[1:], strict=False)]
    assert hash_of(parts, NAMES, BLOCKS) == hash_of([(X, codes)], NAMES, BLOCKS)
    sparse = [(sp.csr_array(A), b) for A, b in parts]
    assert hash_of(sparse, NAMES, BLOCKS) == hash_of([(X, codes)], NAMES, BLOCKS)


def test_only_large_dense_tables_have_blocks():
    few, many = (2**12, 2**10), (2**12 + 1, 2**10)
    assert few[0] * few[1] == MOST_AT_ONCE
    assert form_of(np.eye(2), few) is None
    assert form_of(np.eye(2), many) == BLOCKS
    assert form_of(sp.eye_array(2), many) is None


def large():
    """A table that is just large enough; a block has 2048 rows."""
    X, codes = table(MOST_AT_ONCE // 64 + 77, 64)
    X[codes == 0, 0] -= 3
    return X, np.array(NAMES)[codes]


def test_certificates_of_large_tables(monkeypatch):
    X, y = large()
    found = certify(X, y)
    told = json.loads(found.to_json())
    assert (told["format"], told["hash"]) == ("rosenblatt-certificate/2", "blocks")
    assert found.sha256 == hash_by_blocks(X, y)
    assert Certificate.from_json(found.to_json()).to_json() == found.to_json()
    sparse = certify(sp.csr_array(X), y)
    assert (sparse.verdict, sparse.hashed) == ("separable", None)
    for each in (found, sparse):
        assert verify(each, X, y)
        assert verify(each, sp.csr_array(X), y)
        assert verify_blocks(each, [(X[:999], y[:999]), (X[999:], y[999:])])
    monkeypatch.setattr(fingerprint, "MOST_AT_ONCE", X.size)
    old = certify(X, y)
    assert json.loads(old.to_json())["format"] == "rosenblatt-certificate/1"
    assert verify(old, X, y)


@pytest.mark.parametrize("form", [pytest.param("csv", marks=pytest.mark.slow), "parquet", "npy"])
def test_files_have_the_hash_of_the_table_in_memory(tmp_path, form):
    X, y = large()
    X, y = np.round(X, 2), (y == "yes") + 0.0
    path, frame = tmp_path / f"t.{form}", pd.DataFrame(np.column_stack((X, y)))
    if form == "npy":
        np.save(path, frame.to_numpy())
    elif form == "csv":
        frame.to_csv(path, index=False, header=False)
    else:
        frame.rename(columns=str).to_parquet(path, row_group_size=777)
    found = certify_blocks(scan(path))
    assert (found.hashed, found.verdict) == (BLOCKS, "separable")
    assert found.sha256 == hash_by_blocks(X, found_labels(scan(path)))
    assert verify_blocks(found, scan(path))


def found_labels(blocks):
    return [label for _, y in blocks for label in y.tolist()]


# -- Both verifiers --------------------------------------------------------------------------------


@pytest.fixture
def in_blocks(monkeypatch):
    monkeypatch.setattr(fingerprint, "MOST_AT_ONCE", 0)


@pytest.mark.parametrize(
    ("n", "d", "classes"),
    [
        (8, 2**14, 2),
        (9, 2**14, 3),
        pytest.param(9, 2**15 + 1, 3, marks=pytest.mark.slow),
        pytest.param(3, 2**17 + 1, 2, marks=pytest.mark.slow),
    ],
)
def test_the_checker_hashes_the_same_blocks(in_blocks, n, d, classes):
    X, y = np.zeros((n, d)), np.arange(n) % classes
    X[:, 0], X[:, -1], X[1, 5] = y == 1, y == 2, -0.0
    found = certify(X, y)
    assert (found.verdict, found.hashed) == ("separable", BLOCKS)
    for check in (verify, checker.verify):
        assert check(found, X, y)
        with pytest.raises(ValueError, match="the hash is of other data"):
            check(found, np.where(X == 0, 2.0**-60, X), y)
        with pytest.raises(ValueError, match="the hash is of other data"):
            check(found, np.roll(X, 1, axis=1), y)


def damaged(told):
    """A certificate whose hash, or the form of whose hash, is another one."""
    yield told | {"sha256": told["sha256"][::-1]}, "the hash is of other data"
    yield told | {"hash": None}, "the hash is of other data"
    yield told | {"hash": "nonzero"}, "the hash is of other data"
    yield told | {"hash": "block"}, "the hash is of an unknown form"
    yield told | {"hash": [BLOCKS]}, "the hash is of an unknown form"
    yield told | {"format": "rosenblatt-certificate/1", "kind": None}, "of an unknown form"
    yield told | {"kind": "fewest mistakes"}, "the hash is of an unknown form"


def test_damaged_certificates_are_refused(in_blocks):
    X, y = np.arange(24.0).reshape(8, 3), np.arange(8) // 4
    told = json.loads(certify(X, y).to_json())
    for check in (verify, checker.verify):
        assert check(told, X, y)
        for wrong, why in damaged(told):
            with pytest.raises(ValueError, match=why):
                check(wrong, X, y)
        for i in (0, 7):
            other = X.copy()
            other[i, 2] += 1
            with pytest.raises(ValueError, match="the hash is of other data"):
                check(told, other, y)
    for text in (told | {"hash": "block"}, told | {"format": "rosenblatt-certificate/1"}):
        with pytest.raises(ValueError, match="this is not a certificate"):
            Certificate.from_json(json.dumps(text))


def test_streams_of_large_sparse_rows_are_hashed_as_in_memory(monkeypatch):
    monkeypatch.setattr(fingerprint, "MOST_DENSE", 0)
    X, y = sp.csr_array(np.arange(24.0).reshape(8, 3) * np.eye(8, 3)), np.arange(8) % 2
    found = certify_blocks([(X[:3], y[:3]), (X[3:], y[3:])])
    assert (found.hashed, found.sha256) == ("nonzero", certify(X, y).sha256)
    assert verify(found, X, y)
    assert checker.verify(found, X, y)
