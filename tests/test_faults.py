"""Faults of the world around: what cannot be written, and readers that go away."""

import gzip
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from rosenblatt import (
    Perceptron,
    certify,
    datasets,
    fit_blocks,
    plots,
    save,
    scan,
)
from rosenblatt.atomic_write import replacing
from rosenblatt.cli import main

COMMAND = Path(sys.executable).with_name("rosenblatt")


@pytest.fixture
def model():
    return Perceptron(record=True).fit(*datasets.textbook())


def refuse(monkeypatch, *places):
    """Take away the permission to write to some places, even from root."""
    real = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: path not in places and real(path, mode))


# -- What must not be written to -------------------------------------------------------------------

OUTPUTS = {
    "m.model": ("fit", "t.csv", "--save"),
    "b.png": ("fit", "t.csv", "--plot"),
    "point": ("fit", "t.csv", "--checkpoint"),
    "proof.json": ("certify", "t.csv", "--save"),
    "p.svg": ("plot", "t.csv", "-o"),
    "film.gif": ("animate", "t.csv", "-o"),
    "new.csv": ("predict", "old.model", "t.csv", "-o"),
}


@pytest.mark.parametrize("name", OUTPUTS)
def test_what_is_protected_is_refused_before_the_work(name, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    target = tmp_path / name
    for place, made in ((tmp_path, False), (target, True)):
        if made:
            target.write_text("old")
        before = sorted(os.listdir())
        with monkeypatch.context() as patch:
            refuse(patch, place)
            with pytest.raises(SystemExit) as ended:
                main([*OUTPUTS[name], name])  # there is no t.csv, which nobody comes to see
        out, err = capfd.readouterr()
        assert (ended.value.code, out) == (2, "")
        assert err == f"error: {name}: {place} must not be written to\n"
        assert sorted(os.listdir()) == before
    assert target.read_text() == "old"


def test_pictures_and_models_of_python_keep_to_it(tmp_path, monkeypatch, model):
    X, y = datasets.textbook()
    refuse(monkeypatch, tmp_path)
    with pytest.raises(PermissionError, match="must not be written to"):
        save(model, tmp_path / "m")
    with pytest.raises(PermissionError, match="must not be written to"):
        plots.animate(model, X, y, save=tmp_path / "film.html")


@pytest.mark.slow
def test_a_film_that_fails_leaves_the_one_before(tmp_path, model, monkeypatch):
    film = plots.animate(model, *datasets.textbook())
    target = tmp_path / "film.gif"
    target.write_text("old")
    monkeypatch.setattr("pathlib.Path.read_bytes", lambda path: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        film.save(target)
    assert os.listdir(tmp_path) == ["film.gif"]
    assert target.read_text() == "old"


def test_a_pipe_is_written_to_and_not_replaced(tmp_path, model):
    pipe, got = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    save(model, pipe)
    reader.join()
    save(model, tmp_path / "file")
    assert got == [(tmp_path / "file").read_bytes()]
    assert pipe.is_fifo()
    with pytest.raises(OSError, match=r"No space left on device: '/dev/full'"):
        save(model, "/dev/full")


@pytest.mark.parametrize("fault", [KeyboardInterrupt, MemoryError, OSError(28, "full")])
def test_what_is_half_written_goes_away(tmp_path, fault):
    (tmp_path / "proof.json").write_text("old")
    with pytest.raises(type(fault) if isinstance(fault, OSError) else fault):
        write_half(tmp_path / "proof.json", fault)
    assert os.listdir(tmp_path) == ["proof.json"]
    assert (tmp_path / "proof.json").read_text() == "old"


def write_half(path, fault):
    text = certify(*datasets.xor()).to_json()
    with replacing(path) as stream:
        stream.write(text[: len(text) // 2].encode())
        stream.flush()
        raise fault


DYING = """
import os, signal, sys
import rosenblatt
setattr(os, sys.argv[1], lambda *args: os.kill(os.getpid(), signal.SIGKILL))
X, y = rosenblatt.datasets.xor()
rosenblatt.save(rosenblatt.Perceptron(max_iter=2, settle="never").fit(X, y), sys.argv[2])
"""


@pytest.mark.slow
@pytest.mark.parametrize("moment", ["fsync", "replace"])  # half written, and not yet in its place
def test_killed_while_it_saves_the_file_before_is_whole(tmp_path, model, moment):
    save(model, tmp_path / "m")
    before = (tmp_path / "m").read_bytes()
    run = [sys.executable, "-W", "ignore", "-c", DYING, moment, tmp_path / "m"]
    assert subprocess.run(run).returncode == -signal.SIGKILL
    assert (tmp_path / "m").read_bytes() == before


# -- Files that change while they are read ---------------------------------------------------------


def save_turned(path, table):
    np.save(path, np.asfortranarray(table))


def save_zipped(path, table):
    with gzip.open(path, "wt") as stream:
        np.savetxt(stream, table, delimiter=",", fmt="%.9g")


def save_parquet(path, table):
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    names = [str(j) for j in range(table.shape[1])]
    pq.write_table(pa.table(list(table.T), names=names), path, row_group_size=5000)


KINDS = {
    "t.npy": np.save,
    "turned.npy": save_turned,
    "t.csv": lambda path, table: np.savetxt(path, table, delimiter=","),
    "t.csv.gz": save_zipped,
    "t.parquet": save_parquet,
}


@pytest.mark.parametrize("name", KINDS)
def test_a_file_that_is_cut_short_or_lost_is_not_believed(name, tmp_path, monkeypatch):
    monkeypatch.setattr("rosenblatt.tables.file_formats.formats.ARRAY_BYTES", 2**16)
    monkeypatch.setattr("rosenblatt.tables.schema.READ_BYTES", 2**16)
    X, y = datasets.clouds(50000, 8, margin=0.001, flip=9)
    KINDS[name](tmp_path / name, np.column_stack([X, y]))
    blocks = scan(tmp_path / name)
    os.truncate(tmp_path / name, 200000)
    with pytest.raises(ValueError, match=f"{name} has changed since it was first read"):
        fit_blocks(Perceptron(settle="never"), blocks)
    (tmp_path / name).unlink()
    with pytest.raises(ValueError, match=f"{name} has changed since it was first read"):
        list(blocks)


def test_the_end_of_a_file_is_not_taken_for_ctrl_d(monkeypatch, capfd):
    def cut(*args, **kwargs):
        raise EOFError("it ends too early")

    monkeypatch.setattr("rosenblatt.tables.read", cut)
    with pytest.raises(SystemExit) as ended:
        main(["fit", "--lang", "en"])
    assert ended.value.code == 2
    assert "error: EOFError: it ends too early" in capfd.readouterr().err


# -- Standard input and output ---------------------------------------------------------------------


def shell(line, **environment):
    """Run a line of the shell; the command is $R."""
    env = os.environ | {"R": str(COMMAND), "LC_ALL": "C.UTF-8"} | environment
    ran = subprocess.run(["bash", "-c", line], capture_output=True, text=True, env=env)
    return ran.returncode, ran.stdout, ran.stderr


def test_closed_streams():
    assert shell('"$R" --help >&-') == (0, "", "")
    assert shell('"$R" fit - <&-') == (2, "", "error: standard input is closed\n")
    assert shell('"$R" fry 2>&-') == (2, "", "")


@pytest.mark.slow
def test_a_full_disk_behind_standard_output():
    for unbuffered in ("", "1"):
        ran = shell('"$R" --help >/dev/full', PYTHONUNBUFFERED=unbuffered)
        assert ran == (2, "", "error: No space left on device\n")


@pytest.mark.slow
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_has_enough(tmp_path, unbuffered):
    X, y = datasets.clouds(20, 2, margin=0.1)
    save(Perceptron().fit(X, y), tmp_path / "m")
    np.savetxt(tmp_path / "rows.csv", np.repeat(X, 5000, axis=0), delimiter=",", fmt="%.3f")
    line = f'cd {tmp_path}; "$R" predict m rows.csv | head -1; exit ${{PIPESTATUS[0]}}'
    assert shell(line, PYTHONUNBUFFERED=unbuffered) == (1, "prediction,score\n", "")


# -- Signals ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("wrapped", [False, True])
def test_what_goes_wrong_in_the_wake_of_ctrl_c_is_ctrl_c(wrapped, monkeypatch, capfd):
    def read(*args, **kwargs):
        try:
            raise KeyboardInterrupt
        finally:
            if wrapped:
                raise IndexError

    monkeypatch.setattr("rosenblatt.tables.read", read)
    with pytest.raises(SystemExit) as ended:
        main(["fit", "--lang", "en"])
    assert (ended.value.code, capfd.readouterr().err.strip()) == (130, "interrupted")


@pytest.fixture
def begin():
    """Start the command, in a session of its own that does not outlive the test."""
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    env, started = os.environ | {"LC_ALL": "C.UTF-8"}, []

    def begun(*args, **how):
        how |= {"start_new_session": True, "env": env} | pipes
        started.append(subprocess.Popen([COMMAND, *args], **how))
        return started[-1]

    yield begun
    for process in started:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def session(process):
    """The command lines that are left of it, but for those that only wait to be counted."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has just ended
            state, _, _, leader, *_ = (folder / "stat").read_text().rpartition(")")[2].split()
            if leader == str(process.pid) and state != "Z":
                found.append((folder / "cmdline").read_text())
    return found


def test_sigterm_ends_it_and_leaves_nothing(tmp_path, begin):
    process = begin("fit", "-", "--save", "m", cwd=tmp_path)
    wait_for(lambda: "numpy" in Path(f"/proc/{process.pid}/maps").read_text())
    process.send_signal(signal.SIGTERM)
    assert process.communicate(timeout=60) == (b"", b"")
    assert (process.returncode, os.listdir(tmp_path)) == (143, [])


@pytest.mark.parametrize(("name", "code"), [("SIGTERM", 143), ("SIGINT", 130)])
def test_a_module_that_swallows_the_signal_while_it_loads_delays_the_end(tmp_path, name, code):
    """As extensions do, which take every exception for a failure of their own."""
    (tmp_path / "rude.py").write_text(
        "import os, signal, time\n"
        "try:\n"
        f"    os.kill(os.getpid(), signal.{name})\n"
        "    time.sleep(0.1)\n"
        "except BaseException:\n"
        "    print('swallowed')\n"
        "print('loaded')\n"
    )
    script = (
        "from rosenblatt import __main__, cli\n"
        "def main():\n"
        "    import rude\n"
        "    print('went on')\n"
        "cli.main = main\n"
        "__main__.main()\n"
    )
    run = [sys.executable, "-c", script]
    ended = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stdout, ended.stderr) == (code, "loaded\n", "")


def wait_for(what):
    for _ in range(600):
        if what():
            return
        time.sleep(0.05)
    raise AssertionError("it does not come")


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [0.5, 1.5])
def test_ctrl_c_ends_all_workers_without_noise(tmp_path, begin, seconds):
    """Ctrl-C reaches all processes of a terminal, workers too: while they start, and at work."""
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    X, y = datasets.clouds(40000, 5, margin=0.01, flip=400)
    table = pa.table([*X.T, y], names=[*"abcdey"])
    pq.write_table(table, tmp_path / "t.parquet", row_group_size=10000)
    options = "--workers", "2", "--settle", "never", "--min-margin", "0", "--max-iter", "100000"
    process = begin("fit", "t.parquet", *options, cwd=tmp_path)
    wait_for(lambda: any("spawn_main" in line for line in session(process)))
    time.sleep(seconds)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err.strip()) == (130, b"", b"interrupted")
    wait_for(lambda: not session(process))


# -- Many times ------------------------------------------------------------------------------------


MANY_TIMES = """
import gc, resource, sys, warnings
from pathlib import Path
import numpy as np
from rosenblatt import KernelPerceptron, Perceptron, certify, datasets

def megabytes():
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 2**20

warnings.simplefilter("ignore")
X, y = datasets.clouds(300, 5, margin=0.01, flip=3)
online = Perceptron(keep="average")
work = {
    "fit": lambda: Perceptron().fit(X, y),
    "kernel": lambda: KernelPerceptron(max_iter=5).fit(X, y),
    "partial_fit": lambda: online.partial_fit(X, y, classes=np.unique(y)),
    "certify": lambda: certify(X, y),
}[sys.argv[1]]
for k in range(1000):
    if k == 100:
        before = megabytes()
    work()
print(megabytes() - before)
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
@pytest.mark.parametrize("name", ["fit", "kernel", "partial_fit", "certify"])
def test_a_thousand_times_take_the_memory_of_a_hundred(name):
    run = [sys.executable, "-c", MANY_TIMES, name]
    assert float(subprocess.run(run, capture_output=True, check=True).stdout) < 5
