"""Checkpoints: how far training over blocks has come, in a file that is always complete.

A checkpoint is safetensors with JSON metadata, like a model file: hypotheses, what the keepers
know, random numbers, and the place in the pass. Going on from it is the same as never having
stopped, bit by bit.
"""

import json
import math
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from rosenblatt.core.keepers import Average
from rosenblatt.core.log import LogSegment
from rosenblatt.core.orders import Rng
from rosenblatt.core.training import Run
from rosenblatt.model_files.checks import (
    Tensors,
    read_tensors,
    take_array,
    whole_number,
    write_tensors,
)
from rosenblatt.model_files.file import DAMAGE
from rosenblatt.out_of_core.block_learning import DeferredPocket

CHECKPOINT_FORMAT = "rosenblatt-checkpoint/1"
NO_CHECKPOINT = "is not a checkpoint, or it is damaged"
PLACES = {"t": np.int64, "i": np.int64, "c": np.float64, "rival": np.int32}
REASONS = None, "separated", "margin", "max_iter", "max_updates", "tol"  # of runs among passes

Facts = dict[str, Any]


def any_number(value: Any) -> float:
    """A number; infinity is one that is not known yet."""
    if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
        raise ValueError(f"{value!r} is not a number")
    return value


def any_length(value: Any) -> float:
    """A number that is not negative."""
    if any_number(value) < 0:
        raise ValueError(f"{value!r} is negative")
    return value


def reason_of_passes(value: Any) -> str | None:
    """Why passes have ended; what only a proof may say is never in a checkpoint."""
    if value not in REASONS:
        raise ValueError(f"{value!r} is not a reason to stop")
    return value


# What is written of a run, part by part, and how it is checked when it is read.
RUN_FACTS: dict[str, dict[str, Callable[[Any], Any]]] = {
    "run": {"seen": whole_number, "moves": whole_number, "reason": reason_of_passes},
    "bracket": {"radius": any_length, "bound": any_length, "travelled": any_length},
    "keeper": {"born": partial(whole_number, low=-1), "longest": whole_number},
    "plateau": {"best": any_number, "stale": whole_number},
    "course": {"errors": whole_number, "loss": any_number, "seen": whole_number},
}


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
    run, keeper = progress.run, progress.run.keeper
    tensors |= {name + "W": run.W, name + "start": run.bracket.start}
    tensors[name + "mistakes"] = np.array(run.mistakes, np.int64)
    if isinstance(keeper, Average):
        tensors[name + "sums"] = keeper.sums
    if isinstance(keeper, DeferredPocket):
        tensors[name + "waiting"] = np.stack(keeper.waiting)
    for column in PLACES:
        parts = [getattr(stretch, column) for stretch in run.log]
        tensors[name + column] = np.concatenate([np.empty(0, PLACES[column]), *parts])
    facts = {
        key: {fact: getattr(part, fact) for fact in RUN_FACTS[key] if hasattr(part, fact)}
        for key, part in parts_by_name(progress).items()
    }
    return facts | {"rng": put_rng(progress.rng, tensors, name + "rng")}


def parts_by_name(progress: RunProgress) -> dict[str, Any]:
    """What has facts that are written."""
    run = progress.run
    parts = {"run": run, "bracket": run.bracket, "keeper": run.keeper}
    return parts | {"plateau": run.limits.plateau, "course": progress}


def put_rng(rng: Rng, tensors: Tensors, name: str) -> Facts:
    """A source of random numbers, as it is now."""
    state: Any = rng.get_state(legacy=False)
    tensors[name] = state["state"]["key"]
    return {"pos": state["state"]["pos"], "gauss": state["gauss"], "has": state["has_gauss"]}


def restore(training: Training, facts: Facts, tensors: Tensors) -> None:
    """Bring a training that has just begun to where another one was."""
    training.done = whole_number(facts["done"])
    set_rng(training.rng, facts["rng"], tensors, "rng")
    for k, (progress, run) in enumerate(zip(training.runs, facts["runs"], strict=True)):
        _restore_run(progress, run, tensors, f"{k}.")


def _restore_run(progress: RunProgress, facts: Facts, tensors: Tensors, name: str) -> None:
    run, keeper = progress.run, progress.run.keeper
    run.W[:] = take_array(tensors, name + "W", run.W.shape)
    run.bracket.start = take_array(tensors, name + "start", run.W.shape)
    run.mistakes = take_array(tensors, name + "mistakes", (-1,), np.int64).tolist()
    if isinstance(keeper, Average):
        keeper.sums[:] = take_array(tensors, name + "sums", run.W.shape)
    if isinstance(keeper, DeferredPocket):
        keeper.waiting = list(take_array(tensors, name + "waiting", (-1, *run.W.shape)))
    run.log = _restored_log(tensors, name)
    for key, part in parts_by_name(progress).items():
        checks = {fact: check for fact, check in RUN_FACTS[key].items() if hasattr(part, fact)}
        vars(part).update({fact: check(facts[key][fact]) for fact, check in checks.items()})
    run.bracket.roundings = run.moves
    set_rng(progress.rng, facts["rng"], tensors, name + "rng")


def _restored_log(tensors: Tensors, name: str) -> list[LogSegment]:
    t = take_array(tensors, name + "t", (-1,), PLACES["t"])
    others = list(PLACES)[1:]
    columns = [take_array(tensors, name + n, t.shape, PLACES[n]) for n in others]
    return [LogSegment(t, *columns)] if len(t) else []


def set_rng(rng: Rng, facts: Facts, tensors: Tensors, name: str) -> None:
    """Bring a source of random numbers to where it was."""
    key, place = take_array(tensors, name, (-1,), np.uint32), whole_number(facts["pos"])
    if place > len(key):
        raise ValueError(f"{name} has {len(key)} numbers, and no place {place}")
    rng.set_state(("MT19937", key, place, facts["has"], facts["gauss"]))


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
        facts, about, tensors = self._open()
        for name, now in self.about.items():
            if (then := about.get(name)) != now:
                raise ValueError(
                    f"{self.path} is a checkpoint of other data or parameters: {name} was {then}, "
                    f"and is {now} now. Name another file, or delete it to start again"
                )
        try:
            restore(training, facts, tensors)
        except (KeyError, *DAMAGE) as error:
            raise ValueError(f"{self.path} {NO_CHECKPOINT}") from error

    def _open(self) -> tuple[Facts, Facts, Tensors]:
        """What a file says of a training, of what it is, and its arrays."""
        from safetensors import SafetensorError

        try:
            text, tensors = read_tensors(self.path)
            facts = json.loads(text or "")
            form, about = facts["format"], dict(facts["about"])
        except (SafetensorError, KeyError, OSError, *DAMAGE) as error:
            raise ValueError(f"{self.path} {NO_CHECKPOINT}") from error
        if form != CHECKPOINT_FORMAT:
            raise ValueError(
                f"{self.path} is not a checkpoint of this version ({CHECKPOINT_FORMAT})"
            )
        return facts, about, tensors

    def remember(self, training: Training, now: bool = False) -> None:
        """Write the file when it is time. If it cannot be written, the previous one is kept."""
        if not now and time.monotonic() - self.saved < self.every:
            return
        facts, tensors = training_facts(training)
        text = json.dumps(facts | {"format": CHECKPOINT_FORMAT, "about": self.about})
        try:
            write_tensors(self.path, text, tensors)
        except OSError as error:
            what = f"{self.path}: {error.strerror}; the checkpoint could not be written"
            warnings.warn(f"{what}, and the previous one, if any, is kept", stacklevel=2)
        self.saved = time.monotonic()
