"""Compiled code that cannot be kept, or was kept badly, is compiled again."""

import resource
import shutil
import signal
import subprocess
import sys

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
