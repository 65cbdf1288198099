"""Compiled code that cannot be kept, or was kept badly, is compiled again."""

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
from functools import partial

import numba
import pytest

from rosenblatt.core.jit import compiled


def plus(a, b):
    return a + b


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "kept"))
    return tmp_path / "kept"


def hits(function):
    return sum(function.stats.cache_hits.values())


def test_the_next_process_finds_it(folder):
    assert compiled(plus)(1, 2) == 3
    again = compiled(plus)
    assert (again(1, 2), hits(again)) == (3, 1)


@pytest.mark.slow
def test_a_python_without_its_lock_is_refused():
    line = "import sys; sys._is_gil_enabled = lambda: False; from rosenblatt.cli import main; "
    for lang, said in (("en", "needs Python's global interpreter lock"), ("zh", "全局解释器锁")):
        run = [sys.executable, "-c", f"{line}main(['fit', '--lang', '{lang}'])"]
        ended = subprocess.run(run, capture_output=True, text=True)
        assert (ended.returncode, ended.stdout) == (2, "")
        assert said in ended.stderr


def test_without_a_folder_it_is_compiled_all_the_same():
    names = {}
    exec("def twice(x): return x + x", names)  # code without a file has no place beside it
    assert compiled(names["twice"])(2) == 4


def test_without_a_home_no_folder_is_made(tmp_path, monkeypatch):
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setattr("os.path.expanduser", lambda path: path)
    monkeypatch.chdir(tmp_path)
    assert compiled(plus)(1, 2) == 3
    assert (list(tmp_path.iterdir()), hits(compiled(plus))) == ([], 0)


def test_a_full_disk_is_no_reason_not_to_compute(folder):
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
    try:
        assert compiled(plus)(1, 2) == 3
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, before)
    assert not [path for path in folder.rglob("*") if path.is_file()]


def test_damaged_files_are_written_anew(folder):
    compiled(plus)(1, 2)
    for index in folder.rglob("*.nbi"):
        index.write_bytes(index.read_bytes()[:7])
    assert compiled(plus)(1, 2) == 3
    again = compiled(plus)
    assert (again(1, 2), hits(again)) == (3, 1)


def test_code_under_the_types_of_another_is_not_run(folder):
    compiled(plus)(1, 2)  # one process begins with an empty folder,
    whole = folder.rename(folder.with_name("whole"))
    compiled(plus)(0.5, 0.25)  # another one too, with other types,
    for code in whole.rglob("*.nbc"):
        shutil.copy(code, next(folder.rglob("*.nbc")))  # and the files of both are mixed
    again = compiled(plus)
    assert (again(0.5, 0.25), hits(again)) == (0.75, 0)


@pytest.mark.slow
def test_a_warm_program_compiles_nothing_more(tmp_path):
    env = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    python = partial(subprocess.run, env=env, check=True, capture_output=True, text=True)
    told = python([sys.executable, "-m", "rosenblatt", "warm", "--json"])
    assert json.loads(told.stdout)["kept"]
    kept = set(tmp_path.rglob("*.nbc"))
    assert len(kept) > 80
    python([sys.executable, "-c", USES])
    assert set(tmp_path.rglob("*.nbc")) == kept


USES = """
import warnings; warnings.simplefilter("ignore")
import numpy as np
from scipy.sparse import csr_array
from sklearn.datasets import load_digits, load_wine, make_classification
from rosenblatt import KernelPerceptron, Perceptron, certify, fewest_mistakes
from rosenblatt.blocks import certify_blocks, fit_blocks

tables = [make_classification(3000, flip_y=flip, class_sep=3, random_state=0) for flip in (0, 0.1)]
tables += [load_wine(return_X_y=True), load_digits(n_class=4, return_X_y=True)]
for X, y in tables:
    for Z in (X, X.astype(np.float32), np.asfortranarray(X), X.astype(int), csr_array(X)):
        certify(Z, y)
        model = Perceptron().fit(Z, y)
        model.predict(Z), model.score(Z, y)
    for keep in ("last", "average", "best", "pocket", "vote"):
        Perceptron(keep=keep, max_iter=3).fit(X, y).predict(X)
    for how in ({"multi_class": "ovr"}, {"form": "dual"}, {"batch_size": 9}, {"rule": "pa1"},
                {"order": "active"}, {"penalty": "l1"}, {"record": True}, {"min_margin": 0.1}):
        Perceptron(max_iter=3, **how).fit(X, y)
    blocks = [(X[::2], y[::2]), (X[1::2], y[1::2])]
    fit_blocks(Perceptron(max_iter=3), blocks)
    KernelPerceptron(max_iter=2).fit(X[:200], y[:200]).predict(X)
    KernelPerceptron(kernel="poly", max_iter=2, budget=20).fit(csr_array(X[:200]), y[:200])
certify_blocks(blocks)
fewest_mistakes(*tables[1], effort=0.1)
"""
