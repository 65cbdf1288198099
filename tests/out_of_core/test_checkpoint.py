"""Checkpoints: killed at any moment, training goes on to the same result."""

import json
import os
import resource
import signal
import subprocess
import sys
import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from rosenblatt import Perceptron, datasets, fit_blocks
from rosenblatt.model_files.checks import read_tensors, write_tensors

PARAMS = {"max_iter": 12, "min_margin": 0, "settle": "never", "record": True}

# A process that kills itself when it has called a function so many times.
KILLED = """
import os, signal, sys
import numpy as np
from rosenblatt import Perceptron, fit_blocks
folder, module, name, left, params = sys.argv[1:]
home, left = __import__(module, fromlist=["x"]), int(left)
real = getattr(home, name)

def deadly(*args, **kwargs):
    global left
    left -= 1
    if not left:
        os.kill(os.getpid(), signal.SIGKILL)
    return real(*args, **kwargs)

setattr(home, name, deadly)
table = np.load(f"{folder}/table.npz")
blocks = list(zip(np.split(table["X"], [100, 200]), np.split(table["y"], [100, 200])))
fit_blocks(Perceptron(**eval(params)), blocks, checkpoint=f"{folder}/point", every=0)
"""


def cut(X, y):
    return list(zip(np.split(X, [100, 200]), np.split(y, [100, 200]), strict=True))


def quiet(model, blocks, **how):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return fit_blocks(model, blocks, **how)


def kill_at(folder, module, name, count, params):
    run = [sys.executable, "-c", KILLED, str(folder), module, name, str(count), repr(params)]
    assert subprocess.run(run).returncode == -signal.SIGKILL


def assert_same(a, b):
    for name in ("coef_", "intercept_", "mistakes_", "stop_reason_", "margin_bounds_"):
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name), name)
    for column in ("t", "i", "c"):
        np.testing.assert_array_equal(getattr(a.log_, column), getattr(b.log_, column))


@pytest.mark.slow
@pytest.mark.parametrize("keep", ["pocket", "average"])
def test_killed_again_and_again_it_ends_as_if_it_had_not_been(tmp_path, keep):
    X, y = datasets.clouds(300, 3, margin=0.05, flip=30)
    np.savez(tmp_path / "table.npz", X=X, y=y)
    params = PARAMS | {"keep": keep}
    kill_at(
        tmp_path, "rosenblatt.out_of_core.sequential_passes", "learn_block", 8, params
    )  # within a pass
    assert (tmp_path / "point").exists()
    kill_at(tmp_path, "os", "fsync", 5, params)  # the next checkpoint is half written
    kill_at(tmp_path, "os", "replace", 4, params)  # written, and not yet in its place
    resumed = quiet(Perceptron(**params), cut(X, y), checkpoint=tmp_path / "point")
    whole = quiet(Perceptron(**params), cut(X, y))
    assert_same(resumed, whole)
    assert resumed.n_reads_ < whole.n_reads_


@pytest.mark.parametrize(
    ("module", "name", "count"),
    [
        ("sequential_passes", "learn_block", 5),
        ("sequential_passes", "evaluate_candidates", 8),  # just before it is decided
        ("finish", "goes_on", 1),  # just after
        ("finish", "assess", 1),
    ],
)
def test_killed_around_its_decision_it_ends_as_if_it_had_not_been(tmp_path, module, name, count):
    X, y = datasets.clouds(300, 3, margin=0.05, flip=2)
    np.savez(tmp_path / "table.npz", X=X, y=y)
    whole = fit_blocks(Perceptron(record=True), cut(X, y))
    assert (whole.stop_reason_, whole.n_iter_) == ("inseparable", 8)
    kill_at(tmp_path, f"rosenblatt.out_of_core.{module}", name, count, {"record": True})
    resumed = fit_blocks(Perceptron(record=True), cut(X, y), checkpoint=tmp_path / "point")
    assert_same(resumed, whole)


@pytest.mark.parametrize("keep", ["pocket", "average"])
def test_a_finished_training_is_found_finished(tmp_path, keep):
    X, y = datasets.clouds(300, 3, margin=0.05)
    how = {"keep": keep, "record": True}
    first = fit_blocks(Perceptron(**how), cut(X, y), checkpoint=tmp_path / "point")
    again = fit_blocks(Perceptron(**how), cut(X, y), checkpoint=tmp_path / "point")
    assert_same(first, again)
    assert again.n_reads_ == 1  # to count the errors


def test_other_data_and_other_parameters_are_refused(tmp_path):
    X, y = datasets.clouds(300, 3, margin=0.05)
    fit_blocks(Perceptron(), cut(X, y), checkpoint=tmp_path / "point")
    with pytest.raises(ValueError, match=r"or parameters: eta0 was 1\.0, and is 0\.5 now"):
        fit_blocks(Perceptron(eta0=0.5), cut(X, y), checkpoint=tmp_path / "point")
    with pytest.raises(ValueError, match="other data or parameters: rows was 300, and is 299 now"):
        fit_blocks(Perceptron(), cut(X[1:], y[1:]), checkpoint=tmp_path / "point")
    with pytest.raises(ValueError, match="other data or parameters: the first row was"):
        fit_blocks(Perceptron(), cut(X + 1, y), checkpoint=tmp_path / "point")


def test_what_is_no_checkpoint_is_refused(tmp_path):
    path = tmp_path / "point"
    path.write_text("hello")
    with pytest.raises(ValueError, match="point is not a checkpoint, or it is damaged"):
        fit_blocks(Perceptron(), cut(*datasets.clouds(300, 3, margin=0.05)), checkpoint=path)
    assert path.read_text() == "hello"


@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("0.W", np.zeros((1, 1))),
        ("0.mistakes", None),
        ("0.waiting", np.zeros((2, 1, 3))),
        ("0.start", np.zeros((1, 4), np.float32)),
        ("0.W", np.full((1, 4), np.nan)),
        ("rng", np.zeros(3, np.uint32)),
    ],
)
def test_arrays_of_another_shape_are_refused(tmp_path, name, array):
    path, blocks = tmp_path / "point", cut(*datasets.clouds(300, 3, margin=0.05))
    fit_blocks(Perceptron(), blocks, checkpoint=path)
    text, tensors = read_tensors(path)
    tensors |= {name: array}
    write_tensors(path, text, {k: v for k, v in tensors.items() if v is not None})
    with pytest.raises(ValueError, match="point is not a checkpoint, or it is damaged"):
        fit_blocks(Perceptron(), blocks, checkpoint=path)


def spoil(path, change):
    """Write a checkpoint again, after a change of what it says."""
    text, tensors = read_tensors(path)
    write_tensors(path, json.dumps(change(json.loads(text))), tensors)


def put(*keys, value):
    """A change of one fact."""

    def change(facts):
        part = facts
        for key in keys[:-1]:
            part = part[key]
        part[keys[-1]] = value
        return facts

    return change


@pytest.mark.parametrize(
    "change",
    [
        lambda facts: [],
        lambda facts: {"format": facts["format"]},
        put("about", value=[1]),
        put("runs", value=[]),
        put("runs", value={}),
        put("done", value=-5),
        put("runs", 0, "run", "reason", value="inseparable"),
        put("runs", 0, "run", "reason", value="banana"),
        put("runs", 0, "run", value={"seen": 3}),
        put("runs", 0, "run", "seen", value="x"),
        put("runs", 0, "bracket", "radius", value=float("nan")),
        put("runs", 0, "course", "loss", value=True),
        put("rng", "pos", value="x"),
        put("rng", "pos", value=700),
        put("runs", 0, "bracket", "bound", value=-5),
    ],
)
def test_facts_that_cannot_be_are_refused(tmp_path, change):
    path, blocks = tmp_path / "point", cut(*datasets.clouds(300, 3, margin=0.05))
    fit_blocks(Perceptron(), blocks, checkpoint=path)
    spoil(path, change)
    with pytest.raises(ValueError, match="point is not a checkpoint, or it is damaged"):
        fit_blocks(Perceptron(), blocks, checkpoint=path)


def test_a_checkpoint_changes_nothing_but_what_it_is_of(tmp_path):
    path, blocks = tmp_path / "point", cut(*datasets.clouds(300, 3, margin=0.05))
    fit_blocks(Perceptron(), blocks, checkpoint=path)
    spoil(path, put("runs", 0, "run", "average", value="a stranger"))
    assert fit_blocks(Perceptron(), blocks, checkpoint=path).converged_


class Filling:
    """Blocks during whose fourth pass the disk becomes full."""

    def __init__(self, pairs):
        self.pairs, self.readings = pairs, 0

    def __iter__(self):
        self.readings += 1
        if self.readings == 7:  # three come before the first pass
            resource.setrlimit(resource.RLIMIT_FSIZE, (4000, resource.RLIM_INFINITY))
        return iter(self.pairs)


@pytest.fixture
def room_on_disk():
    """What is there at the end, whatever a test did to it."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    yield lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    signal.signal(signal.SIGXFSZ, before)


def test_a_full_disk_leaves_the_checkpoint_before_and_training_goes_on(tmp_path, room_on_disk):
    X, y = datasets.clouds(300, 3, margin=0.05, flip=30)
    path, params = tmp_path / "point", PARAMS | {"shuffle": False}
    blocks = Filling(cut(X, y))
    with pytest.warns(UserWarning, match="point: File too large; the checkpoint could not be"):
        whole = fit_blocks(Perceptron(**params), blocks, checkpoint=path, every=0)
    room_on_disk()
    assert os.listdir(tmp_path) == ["point"]
    resumed = quiet(Perceptron(**params), cut(X, y), checkpoint=path)
    assert_same(whole, resumed)
    assert 1 < resumed.n_reads_ < whole.n_reads_
