"""Files that are not what they should be: one clear sentence, bounded work, nothing written."""

import contextlib
import csv
import gzip
import io
import json
import os
import subprocess
import sys
import textwrap
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors import safe_open
from safetensors.numpy import load_file, save_file

import rosenblatt.checker
from rosenblatt import (
    Certificate,
    KernelPerceptron,
    Perceptron,
    certify,
    datasets,
    load,
    read,
    save,
    scan,
)
from rosenblatt.cli import main

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

FRUIT = "weight,colour,kind\n5,red,cherry\n150,green,apple\n150,,apple\n7,red,cherry\n"
M = np.array([[1.5, 2, 0], [3, 4, 1], [5, 6, 0], [7, -8, 1]])


def written(write, *args, **kwargs):
    """The bytes that a writer of files writes."""
    stream = io.BytesIO()
    write(stream, *args, **kwargs)
    return stream.getvalue()


def parquet(stream, table):
    pq.write_table(table, stream)


TABLES = {
    "t.csv": FRUIT.encode(),
    "quoted.csv": b'"a b","c,d",y\n"1","2",u\n3,4,v\n5,6,u\n',
    "t.dat": b"# points\n1 2 +1\n2 1 +1\n0 0 -1\n",
    "t.tsv": b"a\tb\ty\n1\t2\tu\n3\t4\tv\n",
    "t.libsvm": b"1 1:2 3:4.5 # c\n-1 2:1\n1 qid:3 1:7\n",
    "t.csv.gz": gzip.compress(FRUIT.encode()),
    "t.npy": written(np.save, M),
    "whole.npy": written(np.save, M.astype(int)),
    "text.npy": written(np.save, M.astype(str)),
    "t.npz": written(np.savez, X=M[:, :2], y=M[:, 2]),
    "packed.npz": written(np.savez_compressed, X=M[:, :2], y=np.array(list("abab"))),
    "t.parquet": written(parquet, pa.table({"a": M[:, 0], "b": list("uvuv"), "y": [0, 1] * 2})),
}
XOR = datasets.xor()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Good files, once."""
    folder = tmp_path_factory.mktemp("files")
    (folder / "fruit.csv").write_text(FRUIT)
    X, y, _, _, encoding, *_ = read(folder / "fruit.csv", missing="mean")
    save(Perceptron().fit(X, y), folder / "table", encoding=encoding)
    three = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 2, 0]
    save(Perceptron(keep="vote", max_iter=3, settle="never").fit(*three), folder / "vote")
    save(Perceptron().fit(*XOR), folder / "conflict")
    save(KernelPerceptron().fit(*XOR), folder / "kernel")
    np.savetxt(folder / "xor.csv", np.column_stack(XOR), delimiter=",", fmt="%d")
    (folder / "proof.json").write_text(certify(*XOR).to_json())
    return folder


MODELS = ("table", "vote", "conflict", "kernel")
WORDS = [
    b"\0", b"\n", b"\r", b",", b'"', b" ", b":", b"#", b"-", b"{", b"[", b"(", b"'", b"nan",
    b"1e999", b"\xff\xfe", b"\x1f\x8b", b"PAR1", b"PK\x03\x04", b"\xe2\x80\xa8", b"0", b"9",
    b"2000000000", b"99999999999999999999", b"\xff\xff\xff\xff", b"\xff\xff\xff\x7f", b"\0\0\0\0",
]  # fmt: skip
edits = st.lists(
    st.tuples(st.sampled_from(["flip", "cut", "insert", "replace", "repeat", "end"]),
              st.floats(0, 1, exclude_max=True), st.integers(0, 255), st.sampled_from(WORDS)),
    min_size=1, max_size=5,
)  # fmt: skip


def mutated(data, changes):
    """Bytes with some of them changed."""
    data = bytearray(data)
    for kind, where, number, word in changes:
        i = int(where * len(data))
        if kind == "flip" and data:
            data[i] ^= 1 << number % 8
        elif kind == "cut":
            del data[i : i + 1 + number % 16]
        elif kind == "insert":
            data[i:i] = word
        elif kind == "replace":
            data[i : i + len(word)] = word
        elif kind == "repeat":
            data[i:i] = data[i : i + number]
        elif kind == "end" and number < 64:
            del data[i:]
    return bytes(data)


@contextlib.contextmanager
def refusals(*beginnings):
    """Only errors of one line that begin as told."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    except (ValueError, OSError) as error:
        said = str(error)
        assert said.startswith(tuple(map(str, beginnings))), said
        assert "\n" not in said


# -- In Python -------------------------------------------------------------------------------------


@given(st.sampled_from(sorted(TABLES)), edits)
def test_a_table_is_read_or_refused(tmp_path_factory, name, changes):
    path = tmp_path_factory.getbasetemp() / f"mutated-{name}"
    path.write_bytes(mutated(TABLES[name], changes))
    with refusals(path):
        table = read(path)
        assert np.isfinite(table.X.data if hasattr(table.X, "indptr") else table.X).all()
        assert table.X.shape == (len(table.y), len(table.feature_names))
    with refusals(path):
        assert all(X.shape[0] == len(y) for X, y in scan(path))


@given(st.sampled_from(MODELS), edits)
def test_a_model_file_is_read_or_refused(folder, name, changes):
    path = folder / "mutated"
    path.write_bytes(mutated((folder / name).read_bytes(), changes))
    with refusals(path):
        model = load(path)
        model.predict(np.zeros((2, model.n_features_in_)))


@given(edits)
def test_a_certificate_is_read_or_refused(folder, changes):
    text = mutated((folder / "proof.json").read_bytes(), changes).decode("utf-8", "replace")
    with refusals("this is not a certificate"):
        certificate = Certificate.from_json(text)
        assert json.loads(certificate.to_json())
        assert str(certificate)
        assert certificate._repr_html_()


# -- Facts of a model ------------------------------------------------------------------------------

JUNK = [
    None, True, 1.5, -1, 0, 2**62, 10**400, float("inf"), "", "x", "1/0", "1e999999999", "NaN", "O",
    "<U999999999", "f8,f8", "\ud800", [], [1], [[]], ["a", "b"], {}, {"a": 1},
]  # fmt: skip


def places(node, path=()):
    """The path of everything in JSON."""
    for key, value in node.items() if isinstance(node, dict) else enumerate(node):
        yield (*path, key)
        if isinstance(value, dict | list):
            yield from places(value, (*path, key))


@pytest.mark.parametrize("name", MODELS)
@given(data=st.data())
def test_facts_of_a_model_are_right_or_refused(folder, name, data):
    with safe_open(folder / name, framework="numpy") as file:
        facts = json.loads(file.metadata()["rosenblatt"])
    path = data.draw(st.sampled_from([*places(facts)]))
    if name == "kernel" and path[-1] in ("cache_size", "kernel_params"):
        return
    node = facts
    for key in path[:-1]:
        node = node[key]
    node[path[-1]] = data.draw(st.sampled_from(JUNK))
    target = folder / "doctored"
    with contextlib.suppress(UnicodeEncodeError):
        save_file(load_file(folder / name), target, {"rosenblatt": json.dumps(facts)})
    with refusals(target, ""):
        model = load(target)
        rows = np.zeros((2, model.n_features_in_))
        model.predict(rows)
        if model.keep != "vote":
            model.partial_fit(rows, model.classes_[:2])
        save(model, folder / "again")


# -- At the command line ---------------------------------------------------------------------------


def run(*args):
    """Run the command in this process: exit code, standard error."""
    said = io.StringIO()
    with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
        try:
            main([*map(str, args), "--lang", "en"])
        except SystemExit as ended:
            return ended.code, said.getvalue()


def assert_a_sentence(code, said, codes=(0,)):
    """An exit code that is told of, and no sign that an error was not expected."""
    assert code in (*codes, 2), said
    assert "Traceback" not in said
    assert "--debug" not in said, said
    if code == 2:
        assert len([line for line in said.splitlines() if line.startswith("error")]) == 1


@given(st.sampled_from(sorted(TABLES)), edits, st.sampled_from(["fit", "certify", "bound"]))
def test_commands_refuse_tables_with_a_sentence(folder, name, changes, command):
    path, out = folder / f"cli-{name}", folder / "out"
    path.write_bytes(mutated(TABLES[name], changes))
    out.unlink(missing_ok=True)
    before = sorted(os.listdir(folder))
    code, said = run(command, path, *(["--save", out] if command != "bound" else []))
    assert_a_sentence(code, said, (0, 1, 3) if command == "certify" else (0,))
    if code == 2:
        assert sorted(os.listdir(folder)) == before


@given(edits, st.booleans())
def test_predict_refuses_models_with_a_sentence(folder, changes, packed):
    data = mutated((folder / "table").read_bytes(), changes)
    (folder / "cli-model").write_bytes(gzip.compress(data) if packed else data)
    (folder / "labels.csv").unlink(missing_ok=True)
    code, said = run(
        "predict", folder / "cli-model", folder / "fruit.csv", "-o", folder / "labels.csv"
    )
    assert_a_sentence(code, said)
    assert (folder / "labels.csv").exists() == (code == 0)


@given(edits, st.booleans())
def test_verify_refuses_certificates_with_a_sentence(folder, changes, packed):
    data = (folder / "proof.json").read_bytes()
    data = mutated(gzip.compress(data), changes) if packed else mutated(data, changes)
    (folder / "cli-proof").write_bytes(data)
    assert_a_sentence(*run("verify", folder / "cli-proof", folder / "xor.csv"), (0, 1))


@pytest.mark.parametrize(
    ("proof", "table"),
    [
        (b"\xff\xfe", b"0,0\n1,1\n"),
        (b"{}", b"\xff\n"),
        (b"{}", b'a,"' + b"x" * 200_000),
        (b"[" * 100_000, b"0,0\n1,1\n"),
        (b"{}", None),
        (None, None),
    ],
)
def test_the_checker_refuses_files_with_a_sentence(tmp_path, proof, table):
    given = [tmp_path / "proof.json", tmp_path / "table.csv"]
    for path, data in zip(given, (proof, table), strict=True):
        if data is not None:
            path.write_bytes(data)
    command = [sys.executable, "-I", rosenblatt.checker.__file__, *given[: 1 + (proof is not None)]]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert ran.returncode == 1
    assert ran.stdout == ""
    assert len(ran.stderr.splitlines()) == 1
    assert "Traceback" not in ran.stderr


# -- Bombs -----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_small_files_cost_little_memory(folder):
    """Files of a few bytes that would fill the memory, where a process may have 3 GB."""
    pytest.importorskip("resource")
    bombs = folder / "bombs"
    bombs.mkdir(exist_ok=True)
    (bombs / "index.libsvm").write_text("1 1:2 2000000000:4\n0 2:1\n")
    shape = TABLES["t.npy"].replace(b"(4, 3), }         ", b"(9999999999, 3), }")
    (bombs / "shape.npy").write_bytes(shape)
    ones = gzip.compress(b"1" * 2**24, 1)  # a file of many such parts is one long line
    (bombs / "line.csv.gz").write_bytes(ones * 64)
    (bombs / "late.csv.gz").write_bytes(gzip.compress(b"1,2,0\n" * 20_000) + ones * 64)
    for name, change in (("type", "<U999999999"), ("weight", "1e999999999")):
        with safe_open(folder / "conflict", framework="numpy") as file:
            facts = json.loads(file.metadata()["rosenblatt"])
        if name == "type":
            facts["classes"]["type"] = change
        else:
            facts["conflict"][0]["weights"][0] = change
        save_file(load_file(folder / "conflict"), bombs / name, {"rosenblatt": json.dumps(facts)})
    code = """
        import faulthandler, resource, sys
        from pathlib import Path
        from rosenblatt import load, read
        faulthandler.dump_traceback_later(300, exit=True)
        resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
        for path in sorted(Path(sys.argv[1]).iterdir()):
            try:
                (read if path.suffix else load)(path)
            except ValueError as error:
                print(path.name)
    """
    command = [sys.executable, "-c", textwrap.dedent(code), bombs]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=400)
    assert ran.stderr == ""
    assert ran.stdout.split() == sorted(os.listdir(bombs))


# -- Found by fuzzing ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("mac.dat", b"1 2 0\r3 4 1\r", "line 1: a carriage return inside"),
        ("return.csv", b"a,b,y\n1,2,0\n" * 9000 + b"3,\r4,1\n", "line 18001: a carriage return"),
        ("two.csv", b"a,b,y\n3,\r4,1\n", "line 2: a carriage return inside"),
        ("cell.csv", b"a,b,y\n1,%s,0\n" % (b"x" * 131_073), "line 2: a cell of more than 131,072"),
        ("labels.libsvm", b"0\n1\n", "has no features, only labels"),
        ("index.libsvm", b"1 2000000000:1\n", "a number beyond 100,000,000"),
        ("complex.npy", written(np.save, M * 1j), "neither numbers nor text"),
        ("header.npy", b"\x93NUMPY\x01\x00\x02\x00{\n", "cannot be read as an array"),
        (
            "twice.parquet",
            written(parquet, pa.table([[1.0], [2.0], [0]], names=["a", "a", "y"])),
            "has two columns named 'a'",
        ),
    ],
)  # fmt: skip
def test_strange_tables_are_refused(tmp_path, name, data, said):
    csv.field_size_limit(2**17)  # Python's own, which scipy.io.arff lifts for the whole process
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(ValueError, match=said) as raised:
        read(path)
    assert str(raised.value).startswith(str(path))


def test_lines_of_white_space_may_be_long(tmp_path):
    row = np.arange(40_000) / 4
    np.savetxt(tmp_path / "wide.dat", [np.append(row, 0), np.append(-row, 1)], fmt="%g")
    assert read(tmp_path / "wide.dat").X.shape == (2, 40_000)


def test_names_of_sparse_features_are_made_when_they_are_asked_for(tmp_path):
    (tmp_path / "t.libsvm").write_text("1 1:2 90000000:4\n0 2:1\n")
    names = read(tmp_path / "t.libsvm").feature_names
    assert (len(names), names[0], names[-1], names[1:3]) == (
        90_000_000, "x1", "x90000000", ["x2", "x3"]
    )  # fmt: skip


@pytest.fixture
def learned(tmp_path):
    """How a table with a column of words, of numbers and of labels was read."""
    (tmp_path / "train.csv").write_text("a,b,y\n1,2,u\nx,3,v\n2,4,u\n")
    return read(tmp_path / "train.csv").encoding


def test_text_that_looks_like_numbers_is_still_text(tmp_path, learned):
    (tmp_path / "new.csv").write_text("a,b,y\n1,2,7\n2,3,8\n")
    X, y, *_ = read(tmp_path / "new.csv", like=learned)
    assert X.tolist() == [[1, 0, 0, 2], [0, 1, 0, 3]]
    assert y.tolist() == ["7", "8"]


def test_another_kind_of_column_is_refused(tmp_path, learned):
    (tmp_path / "words.csv").write_text("a,b\n1,2\n2,many\n1,4\n")
    with pytest.raises(ValueError, match="column 'b' holds text, such as 'many' in line 3, where"):
        read(tmp_path / "words.csv", target=None, like=learned)
    (tmp_path / "t.libsvm").write_text("1 1:2\n")
    with pytest.raises(ValueError, match="holds a matrix, where the model has seen text"):
        read(tmp_path / "t.libsvm", target=None, like=learned)
    (tmp_path / "numbers.csv").write_text("1,0\n2,1\n")
    numbers = read(tmp_path / "numbers.csv").encoding
    (tmp_path / "text.csv").write_text("1,no\n2,yes\n")
    with pytest.raises(ValueError, match="the labels are text, where those of the model are int"):
        read(tmp_path / "text.csv", like=numbers, header=False)


def test_conflicts_with_long_fractions_can_be_saved(tmp_path):
    X = np.array([[1.0, 2.0**-400, 3.0**0.5], [2.0**300, 1.0, 1 / 3], [1e-9, 1e9, 0.1]])
    X = np.vstack((X, X))
    model = Perceptron(settle="first").fit(X, [0, 0, 0, 1, 1, 1])
    save(model, tmp_path / "model")
    assert load(tmp_path / "model").conflict_[1] == model.conflict_[1]
    rng = np.random.RandomState(0)
    X = rng.standard_normal((60, 40)) * 2.0 ** rng.randint(-200, 200, 40)
    model = Perceptron(settle="first", max_iter=1).fit(X, rng.permutation(np.arange(60) % 2))
    save(model, tmp_path / "model")
    if model.conflict_ is not None:
        assert load(tmp_path / "model").conflict_[1] == model.conflict_[1]


def test_a_folder_is_no_certificate(folder):
    code, said = run("verify", folder, folder / "xor.csv")
    assert code == 2
    assert Path(folder).name in said
