"""Blocks: one, many, or none at all: the same mistakes in the same order."""

import gzip
import json
import signal
import subprocess
import sys
import time
import warnings
from functools import partial
from threading import Lock

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning
from specimens import assert_same_log, csr, quietly, tables

from rosenblatt import (
    KernelPerceptron,
    Perceptron,
    certify,
    datasets,
    fit_blocks,
    load,
    read,
    scan,
    verify,
)
from rosenblatt.blocks import (
    certify_blocks,
    digest_of,
    predict_blocks,
    score_blocks,
    verify_blocks,
)
from rosenblatt.cli import main
from rosenblatt.out_of_core.block_stream import WIDE
from rosenblatt.separability.certify import About
from rosenblatt.separability.fingerprint import Fingerprint
from rosenblatt.tables.file_formats.parquet import Parquet
from rosenblatt.tables.memory import available, size

ATTRIBUTES = (
    "coef_",
    "intercept_",
    "classes_",
    "n_iter_",
    "n_updates_",
    "mistakes_",
    "stop_reason_",
    "radius_",
    "n_features_in_",
)


def cut(X, y, *places):
    """Rows in blocks."""
    return list(zip(np.split(X, places), np.split(y, places), strict=True))


HEAVY = {-1: 2.0, 1: 1.0}  # mistakes in one class weigh more


def in_blocks(model, blocks, **how):
    """A model fitted to blocks, whatever it has to say about convergence."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return fit_blocks(model, blocks, **how)


def assert_same(a, b):
    for name in ATTRIBUTES:
        x, y = getattr(a, name), getattr(b, name)
        if isinstance(x, list):
            assert all(map(np.array_equal, x, y)), name
        else:
            np.testing.assert_array_equal(x, y, name)
    # Averages are not dyadic, so that margins depend on the order of their sums.
    np.testing.assert_allclose(a.margin_bounds_, b.margin_bounds_, atol=1e-12)
    assert a.keep == "average" or a.converged_ == b.converged_


@st.composite
def configurations(draw):
    choose = st.sampled_from
    return {
        "rule": draw(choose(["rosenblatt", "margin"])),
        "keep": draw(choose(["last", "average", "pocket"])),
        "eta0": draw(choose([0.25, 1.0, 1.5])),
        "fit_intercept": draw(st.booleans()),
        "max_iter": draw(st.integers(1, 8)),
        "max_updates": draw(choose([None, 1, 4])),
        "min_margin": draw(choose([0, 0.25])),
        "boundary": draw(choose(["mistake", 1, -1])),
        "class_weight": draw(choose([None, None, {0: 2}, "balanced"])),
    }


@given(tables(), configurations(), st.data())
def test_blocks_make_the_mistakes_of_rows_in_memory(table, params, data):
    X, y = table
    places = sorted(data.draw(st.lists(st.integers(0, len(y)), max_size=3)))
    if params["class_weight"] == "balanced":  # whose weights are exact
        params["class_weight"] = None if 2 * np.sum(y) != len(y) else "balanced"
    params |= {"shuffle": False, "settle": "never", "record": True}
    whole = quietly(Perceptron(form="primal", **params), X, y)
    parts = in_blocks(Perceptron(**params), cut(X, y, *places))
    assert_same(whole, parts)
    assert_same_log(whole.log_, parts.log_)
    assert parts.dual_coef_ is None
    assert score_blocks(parts, cut(X, y, *places)) == whole.score(X, y)


@given(tables(classes=3), configurations(), st.sampled_from(["ovr", "direct"]), st.data())
def test_several_classes_in_blocks(table, params, how, data):
    X, y = table
    places = sorted(data.draw(st.lists(st.integers(0, len(y)), max_size=3)))
    params |= {"shuffle": False, "settle": "never", "multi_class": how, "class_weight": None}
    params |= {"boundary": "mistake"}
    whole = quietly(Perceptron(form="primal", **params), X, y)
    assert_same(whole, in_blocks(Perceptron(**params), cut(X, y, *places)))


@given(tables(), configurations())
def test_one_block_is_rows_in_memory_even_when_they_are_shuffled(table, params):
    X, y = table
    params |= {"settle": "never", "class_weight": None, "record": True}
    whole, part = quietly(Perceptron(form="primal", **params), X, y), Perceptron(**params)
    assert_same(whole, in_blocks(part, [(X, y)]))
    assert_same_log(whole.log_, part.log_)


@pytest.mark.parametrize("rule", ["pa", "pa1", "relaxation"])
def test_rules_that_move_right_rows_too(rule):
    X, y = datasets.clouds(60, 3, margin=0.1, random_state=1)
    params = {"rule": rule, "shuffle": False, "keep": "last", "settle": "never"}
    whole, parts = Perceptron(**params).fit(X, y), Perceptron(**params)
    fit_blocks(parts, cut(X, y, 20, 45))
    assert parts.stop_reason_ == whole.stop_reason_ == "separated"
    np.testing.assert_array_equal(parts.mistakes_, whole.mistakes_)
    np.testing.assert_allclose(parts.coef_, whole.coef_)


def test_sparse_blocks():
    X, y = datasets.clouds(80, 4, margin=0.1)
    X = np.round(4 * X) / 4
    whole = quietly(Perceptron(shuffle=False, form="primal", settle="never"), X, y)
    blocks = [(csr(A), b) for A, b in cut(X, y, 30)]
    assert_same(whole, in_blocks(Perceptron(shuffle=False, settle="never"), blocks))


def test_the_pocket_is_counted_in_one_read():
    X, y = datasets.clouds(300, 3, margin=0.05, flip=30)
    params = {"shuffle": False, "max_iter": 20, "settle": "never", "min_margin": 0}
    whole, parts = quietly(Perceptron(**params), X, y), Perceptron(**params)
    in_blocks(parts, cut(X, y, 100, 200))
    assert_same(whole, parts)
    assert parts.n_reads_ == 21


def test_a_shuffled_run_separates_too_and_comes_again():
    X, y = datasets.clouds(300, 3, margin=0.05)
    first, again = (fit_blocks(Perceptron(), cut(X, y, 70, 100, 200)) for _ in "12")
    assert first.stop_reason_ == "separated"
    assert first.converged_
    assert_same(first, again)


# -- Files -----------------------------------------------------------------------------------------


def quarters(n=6000, d=3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.integers(-40, 40, (n, d)) / 4
    y = np.where(X @ np.arange(1, d + 1) > 0.5, 1, -1)
    return X, y


def write_parquet(path, X, y, size=700):
    path.mkdir()
    for k, (A, b) in enumerate(cut(X, y, len(y) // 3)):
        columns = {f"x{j}": A[:, j] for j in range(A.shape[1])} | {"y": b}
        pq.write_table(pa.table(columns), path / f"{k}.parquet", row_group_size=size)
    return path


def write_csv(path, X, y):
    np.savetxt(path, np.column_stack((X, y)), fmt="%g", delimiter=",")
    return path


def write_libsvm(path, X, y):
    pairs = ([f"{j}:{v}" for j, v in enumerate(x, 1)] for x in X)
    lines = (" ".join([str(b), *x]) for x, b in zip(pairs, y, strict=True))
    path.write_text("\n".join(lines) + "\n")
    return path


def write_npy(path, X, y):
    np.save(path, np.column_stack((X, y)))
    return path


@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("p", write_parquet),
        ("t.csv", write_csv),
        ("t.libsvm", write_libsvm),
        ("t.npy", write_npy),
    ],
)
def test_files_are_learned_as_from_memory(tmp_path, monkeypatch, name, write):
    for limit in (
        "tables.file_formats.formats.ARRAY_BYTES",
        "tables.file_formats.formats.BATCH_LINES",
        "tables.schema.READ_BYTES",
    ):
        monkeypatch.setattr(f"rosenblatt.{limit}", 2**12)
    path = write(tmp_path / name, *quarters())
    table, blocks = read(path), scan(path)
    params = {"shuffle": False, "max_iter": 5, "settle": "never", "min_margin": 0, "record": True}
    whole = quietly(Perceptron(form="primal", **params), table.X, table.y)
    parts = in_blocks(Perceptron(**params), blocks)
    assert_same(whole, parts)
    assert_same_log(whole.log_, parts.log_)
    labels = np.concatenate(list(predict_blocks(parts, blocks)))
    np.testing.assert_array_equal(labels, whole.predict(table.X))


@pytest.mark.parametrize(("name", "write"), [("p", write_parquet), ("t.npy", write_npy)])
def test_pieces_are_shuffled_and_the_log_names_the_rows(tmp_path, monkeypatch, name, write):
    monkeypatch.setattr("rosenblatt.tables.file_formats.formats.ARRAY_BYTES", 2**12)
    monkeypatch.setattr("rosenblatt.tables.schema.READ_BYTES", 2**12)
    X, y = quarters()
    model = Perceptron(record=True, settle="never", keep="last")
    model = in_blocks(model, scan(write(tmp_path / name, X, y)))
    log = model.log_
    np.testing.assert_array_equal(log.path(X)[-1], [*model.coef_[0], *model.intercept_])
    first = log.i[log.t < 1000]
    assert (first >= 1024).all()  # not the rows of the first piece
    assert (np.diff(first) < 0).any()
    assert (np.sign(log.c) == y[log.i]).all()
    assert model.block_starts_[0] == 0
    assert (np.diff(model.block_starts_) > 0).all()


def test_rows_with_missing_values_keep_their_numbers(tmp_path):
    X, y = quarters(3000)
    X[::7, 1] = np.nan
    path = write_parquet(tmp_path / "p", X, y)
    params = {"shuffle": False, "max_iter": 3, "settle": "never", "record": True}
    table = read(path, missing="drop")
    whole = quietly(Perceptron(**params), table.X, table.y)
    parts = in_blocks(Perceptron(**params), scan(path, missing="drop"))
    assert_same_log(whole.log_, parts.log_)


def test_blocks_that_are_kept_are_not_filled_again(tmp_path, monkeypatch):
    monkeypatch.setattr("rosenblatt.tables.file_formats.formats.ARRAY_BYTES", 2**12)
    monkeypatch.setattr("rosenblatt.tables.schema.READ_BYTES", 2**12)
    path = write_parquet(tmp_path / "p", *quarters())
    X, blocks = read(path).X, scan(path)
    starts, kept = zip(*((start, X[5:8]) for start, X, _ in blocks.numbered()), strict=True)
    assert len(kept) > 5
    for start, rows in zip(starts, kept, strict=True):
        np.testing.assert_array_equal(rows, X[start + 5 : start + 8])


@pytest.mark.parametrize(("factor", "what"), [(1e200, "long"), (1e-200, "short")])
def test_rows_that_cannot_be_measured_are_named_as_in_the_table(factor, what):
    X, y = quarters(300)
    X[250] = factor
    with pytest.raises(ValueError, match=f"row 250 of X is too {what} for floating point"):
        fit_blocks(Perceptron(fit_intercept=False), cut(X, y, 100, 200))


def test_groups_without_rows_are_passed_over(tmp_path):
    table = pa.table({"x": [1.0, 2.0, 3.0], "y": [0, 1, 1]})
    with pq.ParquetWriter(tmp_path / "b.parquet", table.schema) as file:
        for part in (table[:2], table[:0], table[2:]):
            file.write_table(part)
    pq.write_table(table[:0], tmp_path / "a.parquet")
    assert [y.tolist() for _, y in scan(tmp_path)] == [[0, 1, 1]]


def test_a_file_that_changes_is_not_believed(tmp_path):
    path = write_csv(tmp_path / "t.csv", *quarters(200))
    blocks = scan(path)
    path.write_text(path.read_text() + "1,2,3,1\n")
    with pytest.raises(ValueError, match=r"t\.csv has changed since it was first read"):
        fit_blocks(Perceptron(), blocks)


# -- Settling and proving --------------------------------------------------------------------------


@pytest.mark.parametrize("settle", ["first", "after"])
def test_settling_separates_what_plain_passes_do_not(settle):
    X, y = datasets.clouds(3000, 5, margin=1e-4, tight=True)
    model = fit_blocks(Perceptron(settle=settle, max_iter=3), cut(X, y, 1000, 2000))
    assert (model.stop_reason_, model.settled_, model.converged_) == ("separated", True, True)
    assert model.score(X, y) == 1
    assert model.margin_bounds_[0] > 0


def test_few_mistakes_are_searched_for_on_a_sample():
    X, y = datasets.clouds(60_000, 10, margin=0.02, flip=1200)
    parts = list(zip(np.split(X, 6), np.split(y, 6), strict=True))
    model = fit_blocks(Perceptron(), parts)
    wrong = int(np.count_nonzero(model.predict(X) != y))
    assert (model.stop_reason_, model.settled_) == ("inseparable", True)
    assert model.mistake_bounds_ == (1, wrong)
    assert wrong <= 1.05 * 1200
    assert certify_blocks(parts).verdict == "overlapping"


@pytest.mark.parametrize(("n", "d", "flip"), [(100, 5, 5), (1000, 5, 3), (20_000, 10, 2)])
def test_where_nothing_separates_plain_passes_end_as_in_memory(n, d, flip):
    X, y = datasets.clouds(n, d, margin=0.05, flip=flip)
    whole = Perceptron(shuffle=False).fit(X, y)
    model = fit_blocks(Perceptron(shuffle=False), cut(X, y, n // 3, n // 2))
    assert (model.stop_reason_, model.converged_) == ("inseparable", False)
    np.testing.assert_array_equal(model.mistakes_, whole.mistakes_)
    assert len(model.mistakes_) <= 8


def test_runs_end_one_by_one_as_in_memory():
    rng = np.random.default_rng(0)
    X, y = rng.integers(-4, 5, (60, 4)).astype(float), rng.integers(0, 3, 60)
    params = {"multi_class": "ovr", "shuffle": False, "class_weight": {0: 2.0}}
    whole = Perceptron(**params).fit(X, y)
    model = fit_blocks(Perceptron(**params), cut(X, y, 30))
    for k in range(3):
        np.testing.assert_array_equal(model.mistakes_[k], whole.mistakes_[k])


@pytest.mark.parametrize(
    "params", [{"settle": "after"}, {"keep": "last"}, {"class_weight": {-1: 2}}]
)
def test_elsewhere_there_is_no_search(params):
    X, y = datasets.clouds(3000, 3, margin=0.02, flip=60)
    model = in_blocks(Perceptron(**params), cut(X, y, 1000))
    assert (model.stop_reason_, model.settled_) == ("inseparable", False)


@pytest.mark.parametrize("settle", ["first", "after"])
def test_settling_finds_a_conflict_and_its_rows(settle):
    X, y = datasets.clouds(3000, 5, margin=0.05, flip=1)
    whole = Perceptron(settle=settle, max_iter=3, shuffle=False).fit(X, y)
    model = fit_blocks(Perceptron(settle=settle, max_iter=3, shuffle=False), cut(X, y, 1000, 2000))
    assert model.stop_reason_ == "inseparable"
    assert_same(whole, model)
    rows, weights = model.conflict_
    Z = (
        np.column_stack((X, np.ones(len(X))))[rows]
        * (2 * (y[rows] == model.classes_[1]) - 1)[:, None]
    )
    np.testing.assert_allclose(np.array(weights, float) @ Z, 0, atol=1e-12)


def small(n, seed, flip=0):
    """A table on a coarse grid: rows in conflict, and many on one hyperplane."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-2, 3, (n, 2)).astype(float)
    return X, np.where(X[:, 0] + (rng.random(n) < flip) > 0, 1, -1)


@given(tables(most=14), st.data())
def test_certificates_of_blocks_are_those_of_rows_in_memory(table, data):
    X, y = table
    places = sorted(data.draw(st.lists(st.integers(0, len(y)), max_size=3)))
    certificate = certify_blocks(cut(X, y, *places))
    assert certificate.verdict == certify(X, y).verdict
    assert certificate.verdict == "undecided" or verify(certificate, X, y)


@pytest.mark.parametrize(
    "table",
    [
        datasets.clouds(4000, 4, margin=0.01),
        datasets.clouds(4000, 4, margin=0.01, flip=1),
        small(4000, 1),
        small(4000, 2, flip=0.01),
    ],
    ids=["separable", "flipped", "grid", "touching"],
)
def test_certificates_need_few_rows_and_hold_for_all(table, monkeypatch):
    monkeypatch.setattr("rosenblatt.separability.row_sources.hard_rows.BYTES_AT_ONCE", 1)
    X, y = table
    certificate = certify_blocks(cut(X, y, 1000, 2500))
    assert certificate.verdict == certify(X, y).verdict
    assert verify(certificate, X, y)


# -- On the command line ---------------------------------------------------------------------------


@pytest.fixture
def run(capfd):
    """Run the command in this process: exit code, what it found, standard error."""

    def ran(*args):
        with pytest.raises(SystemExit) as ended:
            main([*map(str, args), "--json", "--lang", "en"])
        out, err = capfd.readouterr()
        return ended.value.code, json.loads(out or "{}"), err

    return ran


PLAIN = ("--no-shuffle", "--settle", "never", "--max-iter", "4", "--form", "primal")


ONLY_IN_MEMORY = ("mistake_bound", "widest_margin", "contributions", "baseline")


def test_stream_tells_what_fit_tells(tmp_path, run):
    path = write_parquet(tmp_path / "p", *quarters())
    code, streamed, _ = run("fit", path, *PLAIN, "--stream", "--save", tmp_path / "a")
    assert code == 0
    whole = run("fit", path, *PLAIN, "--save", tmp_path / "b")[1]
    for facts in (streamed, whole):
        for name in ("saved", *ONLY_IN_MEMORY):
            facts.pop(name)
    assert streamed == whole
    np.testing.assert_array_equal(load(tmp_path / "a").coef_, load(tmp_path / "b").coef_)


def test_a_table_is_streamed_by_itself_when_memory_is_short(tmp_path, run, monkeypatch):
    path = write_csv(tmp_path / "t.csv", *quarters())
    monkeypatch.setattr("rosenblatt.tables.read", None)  # which would need the memory
    monkeypatch.setattr("rosenblatt.tables.memory.available", lambda: 1.99 * path.stat().st_size)
    assert run("fit", path, *PLAIN)[0] == 0
    monkeypatch.setattr("rosenblatt.tables.memory.available", lambda: 2.0 * path.stat().st_size)
    assert run("fit", path, *PLAIN)[0] == 2


@pytest.mark.parametrize("write", [write_parquet, write_csv])
def test_certificates_of_streams_are_those_of_tables(tmp_path, run, write):
    X, y = quarters()
    y[[70, 4000]] *= -1
    path = write(tmp_path / "t", X, y)
    code, streamed, _ = run("certify", path, "--stream", "--save", tmp_path / "proof")
    assert (code, streamed["verdict"]) == (1, "overlapping")
    whole = run("certify", path)[1]
    assert streamed["data"] == whole["data"]
    assert streamed["certificate"]["sha256"] == whole["certificate"]["sha256"]
    places = np.array(streamed["conflict"]["numbers"]) - 1
    assert set(places) == set(streamed["certificate"]["conflict"]["rows"])
    assert run("verify", tmp_path / "proof", path)[0] == 0


def test_streams_are_predicted_and_scored_block_by_block(tmp_path, run, monkeypatch):
    path, model = write_parquet(tmp_path / "p", *quarters()), tmp_path / "model"
    tested = run("fit", path, "--test", path, "--save", model)[1]["test"]

    def predicted(name):
        with pytest.raises(SystemExit):
            main(["predict", str(model), str(path), "-o", str(tmp_path / name)])
        return (tmp_path / name).read_text()

    columns, rows = run("predict", model, path)[1], predicted("a.csv")
    assert rows.count("\n") == 6001
    monkeypatch.setattr("rosenblatt.tables.read", None)  # which would need the memory
    monkeypatch.setattr("rosenblatt.tables.file_formats.formats.ARRAY_BYTES", 2**12)
    monkeypatch.setattr("rosenblatt.tables.schema.READ_BYTES", 2**12)
    assert run("predict", model, path, "--stream")[1] == columns
    monkeypatch.setattr("rosenblatt.tables.memory.available", lambda: 0.0)
    assert predicted("b.csv") == rows
    assert run("fit", path, "--test", path)[1]["test"] == tested


def test_the_size_of_tables(tmp_path):
    X, y = quarters(2000)
    assert size(write_parquet(tmp_path / "p", X, y)) == 8 * 4 * 2000
    text = write_csv(tmp_path / "t.csv", X, y)
    assert size(text) == text.stat().st_size
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(text.read_bytes()))
    assert size(tmp_path / "t.csv.gz") > 2 * (tmp_path / "t.csv.gz").stat().st_size
    assert available() > 2**20


def test_checkpoints_on_the_command_line(tmp_path, run):
    path, point = write_parquet(tmp_path / "p", *quarters()), tmp_path / "point"
    first = run("fit", path, *PLAIN, "--checkpoint", point)[1]
    assert run("fit", path, *PLAIN, "--checkpoint", point)[1] == first
    code, _, err = run("fit", path, *PLAIN, "--eta0", "2", "--checkpoint", point)
    assert code == 2
    assert "a checkpoint of other data or parameters: eta0 was 1.0, and is 2.0 now" in err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--stream"], "need a file"),
        (["FILE", "--stream", "--kernel", "rbf"], "do not go with --kernel"),
        (["FILE", "--stream", "--workers", "2"], "--workers goes alone"),
        (["FILE", "--stream", "--cv", "3"], "--plot and --cv need the table in memory"),
    ],
)
def test_options_that_do_not_go_together(tmp_path, run, options, said):
    path = write_csv(tmp_path / "t.csv", *quarters(100))
    code, _, err = run("fit", *(str(path) if o == "FILE" else o for o in options))
    assert code == 2
    assert said in err


# The command line, with a checkpoint after every block.
OFTEN = """
import sys
from rosenblatt import blocks
from rosenblatt.out_of_core import checkpoint
from rosenblatt import cli
blocks.Checkpoint = lambda path, about, every: checkpoint.Checkpoint(path, about, 0.0)
cli.main(sys.argv[1:])
"""


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [0.0, 0.3])
def test_killed_from_outside_it_goes_on_to_the_same_result(tmp_path, run, seconds):
    path = write_parquet(tmp_path / "p", *quarters(400_000, 8), size=20_000)
    point, plain = tmp_path / "point", ["fit", str(path), "--stream", "--settle", "never"]
    plain += ["--max-iter", "60", "--min-margin", "0"]
    child = subprocess.Popen([sys.executable, "-c", OFTEN, *plain, "--checkpoint", point])
    while not point.exists() and child.poll() is None:
        time.sleep(0.01)
    time.sleep(seconds)
    child.kill()
    assert child.wait() == -signal.SIGKILL  # it had not ended by itself
    assert run(*plain, "--checkpoint", point)[1] == run(*plain)[1]


MEASURE = """
import re, sys, rosenblatt
model = rosenblatt.Perceptron(settle="never", max_iter=2)
rosenblatt.fit_blocks(model, rosenblatt.scan(sys.argv[1]))
print(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
"""


@pytest.mark.slow
def test_memory_does_not_grow_with_the_table(tmp_path):
    peaks = []
    for rows in (200_000, 1_600_000):
        path = write_parquet(tmp_path / str(rows), *quarters(rows, 30), size=50_000)
        command = [sys.executable, "-W", "ignore", "-c", MEASURE, path]
        ran = subprocess.run(command, capture_output=True)
        peaks.append(1024 * int(ran.stdout))
    assert peaks[1] - peaks[0] < 8 * 30 * 1_600_000 / 4


# -- What is refused -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "params",
    [{"order": "worst"}, {"keep": "vote"}, {"form": "dual"}, {"batch_size": "all"}],
    ids=str,
)
def test_what_needs_all_rows_is_refused(params):
    with pytest.raises(ValueError, match="needs all rows in memory; over blocks, use"):
        fit_blocks(Perceptron(**params), [datasets.textbook()])


def test_a_generator_is_refused():
    with pytest.raises(TypeError, match="a generator can be read only once"):
        fit_blocks(Perceptron(), (pair for pair in [datasets.textbook()]))


class Blocks:
    """Blocks that are other ones each time they are gone through."""

    def __init__(self, *times):
        self.times = iter(times)

    def __iter__(self):
        return iter(next(self.times))


@pytest.mark.parametrize("learn", [certify_blocks, partial(fit_blocks, Perceptron())])
@pytest.mark.parametrize("later", [slice(2, 3), slice(2, 2)], ids=["fewer rows", "no rows"])
def test_blocks_that_change_are_refused(learn, later):
    X, y = datasets.xor()
    first, rest = (X[:2], y[:2]), (X[2:], y[2:])
    for again in [(first, (X[later], y[later])), (first,), (), (first, rest, rest)]:
        blocks = Blocks((), (first, rest), again, again, again)  # the first is looked at only
        with pytest.raises(ValueError, match="blocks has changed since it was first read"):
            learn(blocks)


class OneBuffer:
    """Blocks that come in the same memory, one after the other."""

    def __init__(self, X, y, size, form):
        self.X, self.y, self.size, self.form = X, y, size, form

    def __iter__(self):
        X, y = np.empty_like(self.X[: self.size]), np.empty_like(self.y[: self.size])
        held = self.form(X)
        for k in range(0, len(self.y), self.size):
            X, y[:] = self.X[k : k + self.size], self.y[k : k + self.size]
            if self.form is pd.DataFrame:
                held.loc[:, :] = X
            else:
                held[:] = X.tolist()
            yield held, y


class Subclass(np.ndarray):
    """An array of a kind of its own."""


BUFFERS = {
    "array": np.asarray,
    "subclass": lambda X: X.view(Subclass),
    "frame": pd.DataFrame,
    "list": list,
}


@pytest.mark.parametrize("wrong", [0, 3])
@pytest.mark.parametrize("form", BUFFERS.values(), ids=BUFFERS)
def test_blocks_may_come_in_one_buffer(wrong, form):
    X, y = datasets.clouds(2000, 4, margin=0.1, flip=wrong)
    blocks = OneBuffer(X, y, 100, form)
    certificate = certify_blocks(blocks)
    assert verify(certificate, X, y)
    assert verify_blocks(certify(X, y), blocks)
    plain = {"shuffle": False, "settle": "never", "max_iter": 20}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        learned = fit_blocks(Perceptron(**plain), blocks)
    assert learned.coef_.tolist() == quietly(Perceptron(**plain), X, y).coef_.tolist()


@pytest.mark.parametrize("blocks", [3, None, [datasets.xor()[0]], [(*datasets.xor(), None)]])
@pytest.mark.parametrize("learn", [certify_blocks, partial(fit_blocks, Perceptron())])
def test_what_is_no_pairs_is_refused(learn, blocks):
    with pytest.raises(TypeError, match="blocks are a list of pairs X, y, or what"):
        learn(blocks)


class ByNumber:
    """Blocks by their numbers, as data sets of PyTorch have them."""

    def __init__(self, blocks):
        self.blocks = blocks

    def __len__(self):
        return len(self.blocks)

    def __getitem__(self, k):
        return self.blocks[k]


def test_blocks_may_be_found_by_number():
    X, y = datasets.xor()
    certificate = certify_blocks(ByNumber([(X[:2], y[:2]), (X[2:], y[2:])]))
    assert certificate.verdict == "overlapping"
    assert verify(certificate, X, y)


def test_a_fit_in_memory_leaves_nothing_of_one_over_blocks():
    X, y = datasets.xor()
    model = fit_blocks(Perceptron(), [(X, y)])
    assert model.n_reads_ > 0
    model.fit(X, y)
    assert not {"n_reads_", "block_starts_"} & vars(model).keys()


def test_one_class_is_refused():
    with pytest.raises(ValueError, match="y has one class"):
        fit_blocks(Perceptron(), [([[1.0]], [1]), ([[2.0]], [1])])


def test_blocks_of_different_widths_are_refused():
    with pytest.raises(ValueError, match="the block from row 2 on has 1 features, and the first"):
        fit_blocks(Perceptron(), [(np.eye(2), [0, 1]), (np.eye(1), [1])])


def test_what_blocks_cannot_be(tmp_path):
    pair = np.eye(3), [0, 1, 2]
    with pytest.raises(TypeError, match="needs a Perceptron, not a KernelPerceptron"):
        fit_blocks(KernelPerceptron(), [pair])
    with pytest.raises(ValueError, match="with multi_class='direct', record=True needs all rows"):
        fit_blocks(Perceptron(multi_class="direct", record=True), [pair])
    with pytest.raises(ValueError, match="there are no rows in these blocks"):
        fit_blocks(Perceptron(), [(np.empty((0, 2)), [])])
    with pytest.raises(ValueError, match="there are no rows in these blocks"):
        score_blocks(Perceptron().fit(*pair), [])
    with pytest.raises(ValueError, match=r"whole numbers beyond 2\*\*53"):
        certify_blocks([(np.array([[2**53 + 1], [1]]), [0, 1])])
    path = write_csv(tmp_path / "t.csv", *quarters(20))
    with pytest.raises(ValueError, match="have no target: scan the table with one"):
        fit_blocks(Perceptron(), scan(path, target=None))


def test_the_hash_is_of_more_classes_than_a_byte_counts():
    X, y = np.arange(600.0).reshape(300, 2), np.arange(300)
    names = tuple(map(str, range(300)))
    parts = [(X[:100], y[:100]), (X[100:], y[100:])]
    about = About(np.arange(300), X.shape, True)
    whole = Fingerprint(None)
    whole.update(X)
    assert digest_of(parts, about) == (whole.close(names), None)


@pytest.mark.parametrize(("features", "most"), [(WIDE, 3), (WIDE + 1, 1)])
def test_the_files_of_a_wide_table_are_open_one_at_a_time(tmp_path, monkeypatch, features, most):
    for k in range(6):
        X = np.random.RandomState(k).randint(-3, 4, (10, features)).astype(float)
        columns = {f"x{j}": X[:, j] for j in range(features)} | {"y": np.arange(10) % 2}
        pq.write_table(pa.table(columns), tmp_path / f"{k}.parquet")
    table, lock, open_now, seen, read = scan(tmp_path, "y"), Lock(), set(), [], Parquet._read

    def counted(self, *group):
        with lock:
            open_now.add(here := object())
            seen.append(len(open_now))
        try:
            yield from read(self, *group)
        finally:
            with lock:
                open_now.remove(here)

    monkeypatch.setattr(Parquet, "_read", counted)
    fit_blocks(Perceptron(max_iter=2), table)
    assert max(seen) <= most


# -- Blocks that are odd ---------------------------------------------------------------------------

ODD = np.random.RandomState(0).randint(-5, 6, (3_000, 3)).astype(float)
SIDES = (ODD @ [1, 2, -1] > 0).astype(int)


@pytest.mark.parametrize("settle", ["auto", "first", "after", "never"])
@pytest.mark.parametrize(
    "cuts", [(0, 1_000), (1_000, 1_000), (1_000, 3_000), (1, 2, 2_990), (0, 0, 3_000, 3_000)]
)
def test_blocks_that_are_empty_or_unequal_are_rows_in_memory(cuts, settle):
    how = {"shuffle": False, "settle": settle}
    memory = Perceptron(**how).fit(ODD, SIDES)
    blocks = list(zip(np.split(ODD, cuts), np.split(SIDES, cuts), strict=True))
    model = fit_blocks(Perceptron(**how), blocks)
    assert (model.stop_reason_, model.converged_) == ("separated", True)
    if settle in ("after", "never"):
        np.testing.assert_array_equal(model.coef_, memory.coef_)
    assert verify(certify_blocks(blocks), ODD, SIDES)


def test_blocks_of_one_class_each_are_learned_from():
    order = np.argsort(SIDES, kind="stable")
    cut = int((SIDES == 0).sum())
    blocks = [(ODD[part], SIDES[part]) for part in np.split(order, [cut])]
    assert fit_blocks(Perceptron(), blocks).converged_
    with pytest.raises(ValueError, match="y has one class"):
        fit_blocks(Perceptron(), blocks[:1])


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_missing_value_in_the_last_block_is_refused(bad):
    X = ODD.copy()
    X[-1, 0] = bad
    blocks = [(X[:2_000], SIDES[:2_000]), (X[2_000:], SIDES[2_000:])]
    for settle in ("auto", "first", "never"):
        with pytest.raises(ValueError, match=r"NaN|infinity"):
            fit_blocks(Perceptron(settle=settle), blocks)
    with pytest.raises(ValueError, match=r"NaN|infinity"):
        certify_blocks(blocks)


@pytest.mark.parametrize("names", [["c", "a", "b"], ["a", "b", "z"]])
def test_frames_with_other_columns_are_refused(names):
    frame = pd.DataFrame(ODD, columns=["a", "b", "c"])
    first, last = (frame[:2_000], SIDES[:2_000]), (frame[2_000:], SIDES[2_000:])
    other = [first, (last[0].set_axis(names, axis=1), last[1])]
    for refused in (
        lambda: fit_blocks(Perceptron(), other),
        lambda: certify_blocks(other),
        lambda: verify_blocks(certify(ODD, SIDES), other),
    ):
        with pytest.raises(ValueError, match=r"a block has the columns \["):
            refused()
    assert fit_blocks(Perceptron(), [first, last]).converged_
    assert verify_blocks(certify_blocks([first, last]), [first, last])


def test_tables_of_arrow_are_blocks():
    table = pa.table({name: ODD[:, j] for j, name in enumerate("abc")})
    first, last = (table[:2_000], SIDES[:2_000]), (table[2_000:], SIDES[2_000:])
    blocks, proof = [first, last], certify(ODD, SIDES)
    assert certify_blocks(blocks).sha256 == proof.sha256
    assert verify_blocks(proof, blocks)
    assert_same(fit_blocks(Perceptron(), blocks), fit_blocks(Perceptron(), cut(ODD, SIDES, 2_000)))
    with pytest.raises(ValueError, match=r"columns \['c', 'b', 'a'\], where the first has \['a'"):
        fit_blocks(Perceptron(), [first, (last[0].select(["c", "b", "a"]), last[1])])


@pytest.mark.parametrize(
    "column",
    [
        pd.Categorical([1, 2, 3, 1, 2, 3]),
        ["1", "2", "3", "1", "2", "3"],
        np.arange(6).astype("M8[D]"),
    ],
    ids=["categories", "text", "dates"],
)
def test_frames_that_would_have_to_be_encoded_are_refused(column):
    frame, y = pd.DataFrame({"a": column, "b": [1.0, 2, 3, 4, 5, 7]}), np.arange(6) % 2
    blocks = [(frame[:3], y[:3]), (frame[3:], y[3:])]
    proof = certify(frame, y)
    assert verify(proof, frame, y)
    for refused in (certify_blocks, partial(verify_blocks, proof)):
        with pytest.raises(ValueError, match=r"columns that are no numbers, .* own way: a\. E"):
            refused(blocks)


def test_parquet_in_odd_files_is_rows_in_memory(tmp_path):
    def write(name, rows, names):
        columns = {"abc"[j]: ODD[rows, j] for j in range(3)} | {"y": SIDES[rows]}
        pq.write_table(pa.table({each: columns[each] for each in names}), tmp_path / name)

    write("0.parquet", slice(0, 0), "abcy")
    write("1.parquet", slice(0, 1), "abcy")
    write("2.parquet", slice(1, 2_500), "ycab")
    write("3.parquet", slice(2_500, 2_500), "abcy")
    write("4.parquet", slice(2_500, 3_000), "bacy")
    table = scan(tmp_path, "y")
    model = fit_blocks(Perceptron(shuffle=False, settle="never"), table)
    memory = Perceptron(shuffle=False, settle="never").fit(ODD, SIDES)
    np.testing.assert_array_equal(model.coef_, memory.coef_)
    assert verify(certify_blocks(table), ODD, SIDES)


@pytest.mark.parametrize("first", [0, 1])
def test_blocks_may_be_dense_and_sparse(first):
    X, y = datasets.clouds(600, 4, margin=0.02, flip=2)
    parts = [
        (csr(part) if k % 2 == first else part, own)
        for k, (part, own) in enumerate(cut(X, y, 200, 400))
    ]
    assert certify_blocks(parts).verdict == "overlapping"
    assert fit_blocks(Perceptron(), parts).stop_reason_ == "inseparable"


# -- Labels of blocks ------------------------------------------------------------------------------


def two_parts(labels, more):
    return [(ODD[:2_000], labels[:2_000]), (ODD[2_000:], more[2_000:])]


@pytest.mark.parametrize(
    "blocks",
    [
        two_parts(SIDES[:, None], SIDES[:, None]),
        two_parts(SIDES, SIDES.astype(float)),
        two_parts(SIDES.astype(bool), SIDES),
        two_parts(SIDES.astype(str), SIDES.astype("U5")),
        [(ODD, SIDES), (np.empty((0, 3)), [])],
        [([], []), (ODD, SIDES)],
        [(pd.DataFrame(), []), (pd.DataFrame(ODD), pd.DataFrame({"y": SIDES}))],
    ],
    ids=["columns", "ints and floats", "truth values and ints", "text", "empty", "bare", "frames"],
)
@pytest.mark.parametrize("balance", [None, "balanced"])
def test_labels_of_blocks_are_those_of_their_rows_together(blocks, balance):
    full = [(X, np.ravel(y)) for X, y in blocks if len(y)]
    X, y = (np.concatenate(parts) for parts in zip(*full, strict=True))
    model = fit_blocks(Perceptron(class_weight=balance), blocks)
    assert model.classes_.dtype == y.dtype
    assert score_blocks(model, blocks) == model.score(X, y) == 1
    certificate = certify_blocks(blocks)
    assert certificate.classes == certify(X, y).classes
    assert verify_blocks(certificate, blocks)
    assert verify(certificate, X, y)


@pytest.mark.parametrize(("rows", "labels"), [(3_000, 0), (0, 3_000), (1, 3_000)])
@pytest.mark.parametrize("place", [0, 1])
def test_blocks_with_more_rows_than_labels_are_refused(rows, labels, place):
    blocks = [(ODD, SIDES)]
    model = fit_blocks(Perceptron(), blocks)
    certificate = certify(ODD, SIDES)
    blocks.insert(place, (-ODD[:rows], SIDES[:labels]))
    for refused in (
        lambda: fit_blocks(Perceptron(), blocks),
        lambda: certify_blocks(blocks),
        lambda: verify_blocks(certificate, blocks),
        lambda: score_blocks(model, blocks),
    ):
        with pytest.raises(ValueError, match="inconsistent numbers of samples"):
            refused()


@pytest.mark.parametrize(
    ("last", "said"),
    [
        ((ODD, SIDES.astype(str)), "labels of some blocks are numbers, and those of others"),
        ((ODD[:, 0], SIDES), "Expected 2D array, got 1D array"),
        ((ODD, np.where(SIDES, "a", None)), "labels must be all numbers or all text; y holds None"),
        ((np.ma.masked_less(ODD, 0), SIDES), "X has masked values"),
    ],
)
def test_blocks_that_cannot_be_rows_of_the_others_are_refused(last, said):
    for refuse in (certify_blocks, lambda blocks: fit_blocks(Perceptron(), blocks)):
        with pytest.raises(ValueError, match=said):
            refuse([(ODD, SIDES), last])
