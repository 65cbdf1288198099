"""Checkpoints: how far training over blocks has come, in a file that is always complete.

A checkpoint is safetensors with JSON metadata, like a model file: hypotheses, what the keepers
know, random numbers, and the place in the pass. Going on from it is the same as never having
stopped, bit by bit.
"""

import json
import time
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from rosenblatt.core.keepers import Average
from rosenblatt.core.log import LogSegment
from rosenblatt.core.loop import Array
from rosenblatt.core.orders import Rng
from rosenblatt.core.training import Run
from rosenblatt.model_files.checks import Tensors, read_tensors, write_tensors
from rosenblatt.out_of_core.block_learning import DeferredPocket

CHECKPOINT_FORMAT = "rosenblatt-checkpoint/1"
NO_CHECKPOINT = "is not a checkpoint, or it is damaged"
PLACES = {"t": np.int64, "i": np.int64, "c": np.float64, "rival": np.int32}

Facts = dict[str, Any]


@dataclass
class RunProgress:
    """A run among blocks, and how far it is in its pass."""

    run: Run
    rng: Rng
    errors: int = 0
    loss: float = 0.0
    seen: int = 0  # when the pass began

    @property
    def open(self) -> bool:
        return self.run.reason is None


@dataclass
class Training:
    """All runs, and how far they are in the blocks."""

    runs: list[RunProgress]
    rng: Rng  # from which the order of the blocks is drawn
    done: int = 0  # blocks of this pass


# -- A training as facts and numbers ---------------------------------------------------------------


def training_facts(training: Training) -> tuple[Facts, Tensors]:
    """Everything there is to know."""
    tensors: Tensors = {}
    rng = put_rng(training.rng, tensors, "rng")
    runs = [_run_facts(progress, tensors, f"{k}.") for k, progress in enumerate(training.runs)]
    return {"done": training.done, "runs": runs, "rng": rng}, tensors


def _run_facts(progress: RunProgress, tensors: Tensors, name: str) -> Facts:
    run, keeper, plateau = progress.run, progress.run.keeper, progress.run.limits.plateau
    tensors |= {name + "W": run.W, name + "start": run.bracket.start}
    tensors[name + "mistakes"] = np.array(run.mistakes, np.int64)
    if isinstance(keeper, Average):
        tensors[name + "sums"] = keeper.sums
    if isinstance(keeper, DeferredPocket):
        tensors[name + "waiting"] = np.stack(keeper.waiting)
    for column in PLACES:
        parts = [getattr(stretch, column) for stretch in run.log]
        tensors[name + column] = np.concatenate([np.empty(0, PLACES[column]), *parts])
    return {
        "run": {"seen": run.seen, "moves": run.moves, "reason": run.reason},
        "bracket": {n: getattr(run.bracket, n) for n in ("radius", "bound", "travelled")},
        "keeper": {n: getattr(keeper, n) for n in ("born", "longest") if hasattr(keeper, n)},
        "plateau": {"best": plateau.best, "stale": plateau.stale},
        "course": {"errors": progress.errors, "loss": progress.loss, "seen": progress.seen},
        "rng": put_rng(progress.rng, tensors, name + "rng"),
    }


def put_rng(rng: Rng, tensors: Tensors, name: str) -> Facts:
    """A source of random numbers, as it is now."""
    state: Any = rng.get_state(legacy=False)
    tensors[name] = state["state"]["key"]
    return {"pos": state["state"]["pos"], "gauss": state["gauss"], "has": state["has_gauss"]}


def restore(training: Training, facts: Facts, tensors: Tensors) -> None:
    """Bring a training that has just begun to where another one was."""
    training.done = facts["done"]
    set_rng(training.rng, facts["rng"], tensors["rng"])
    for k, progress in enumerate(training.runs):
        _restore_run(progress, facts["runs"][k], tensors, f"{k}.")


def _restore_run(progress: RunProgress, facts: Facts, tensors: Tensors, name: str) -> None:
    run, keeper = progress.run, progress.run.keeper
    run.W[:] = checked_array(tensors, name + "W", run.W.shape)
    run.bracket.start = checked_array(tensors, name + "start", run.W.shape)
    run.mistakes = checked_array(tensors, name + "mistakes", (-1,), np.int64).tolist()
    if isinstance(keeper, Average):
        keeper.sums[:] = checked_array(tensors, name + "sums", run.W.shape)
    if isinstance(keeper, DeferredPocket):
        keeper.waiting = list(checked_array(tensors, name + "waiting", (-1, *run.W.shape)))
    columns = [
        checked_array(tensors, name + column, (-1,), kind) for column, kind in PLACES.items()
    ]
    run.log = [LogSegment(*columns)] if len(columns[0]) else []
    whole = (run, "run"), (run.bracket, "bracket"), (keeper, "keeper"), (progress, "course")
    for part, key in (*whole, (run.limits.plateau, "plateau")):
        vars(part).update(facts[key])
    run.bracket.roundings = run.moves
    set_rng(progress.rng, facts["rng"], tensors[name + "rng"])


def checked_array(
    tensors: Tensors, name: str, shape: tuple[int, ...], dtype: type = np.float64
) -> Array:
    """An array of a checkpoint, if it is as such an array must be; -1 stands for any length."""
    found = tensors[name]
    if found.dtype != dtype or found.ndim != len(shape):
        raise ValueError(name)
    if any(n != m for n, m in zip(found.shape, shape, strict=True) if m >= 0):
        raise ValueError(name)
    return found


def set_rng(rng: Rng, facts: Facts, key: Array) -> None:
    """Bring a source of random numbers to where it was."""
    rng.set_state(("MT19937", key, facts["pos"], facts["has"], facts["gauss"]))


# -- The file --------------------------------------------------------------------------------------


@dataclass
class Checkpoint:
    """A file to go on from. `about` says of which data and parameters it is."""

    path: Any
    about: Facts
    every: float  # seconds
    saved: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        self.about = json.loads(json.dumps(self.about, default=str))

    def recall(self, training: Training) -> None:
        """Go on where the file says, if there is one."""
        if not Path(self.path).exists():
            return
        facts, tensors = self._open()
        for name, now in self.about.items():
            if (then := facts["about"].get(name)) != now:
                raise ValueError(
                    f"{self.path} is a checkpoint of something else: {name} was {then}, and is "
                    f"{now} now. Name another file, or delete it to start again"
                )
        try:
            restore(training, facts, tensors)
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{self.path} {NO_CHECKPOINT}") from error

    def _open(self) -> tuple[Facts, Tensors]:
        from safetensors import SafetensorError

        try:
            text, tensors = read_tensors(self.path)
            facts = json.loads(text or "")
        except (SafetensorError, ValueError, OSError) as error:
            raise ValueError(f"{self.path} {NO_CHECKPOINT}") from error
        if facts.get("format") != CHECKPOINT_FORMAT:
            raise ValueError(
                f"{self.path} is not a checkpoint of this version ({CHECKPOINT_FORMAT})"
            )
        return facts, tensors

    def remember(self, training: Training, now: bool = False) -> None:
        """Write the file when it is time. If it cannot be written, the one before stands."""
        if not now and time.monotonic() - self.saved < self.every:
            return
        facts, tensors = training_facts(training)
        text = json.dumps(facts | {"format": CHECKPOINT_FORMAT, "about": self.about})
        try:
            write_tensors(self.path, text, tensors)
        except OSError as error:
            what = f"{self.path}: {error.strerror}; the checkpoint could not be written"
            warnings.warn(f"{what}, and the one before, if any, stands", stacklevel=2)
        self.saved = time.monotonic()
