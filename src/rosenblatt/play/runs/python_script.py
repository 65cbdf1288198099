"""Scripts: the Python that does what the page shows."""

from collections.abc import Iterator
from typing import Any

from rosenblatt.inputs.parameters import KernelParameters, LinearParameters, defaults
from rosenblatt.play.requests import State
from rosenblatt.play.runs.learning import estimator_parameters, start_of_run
from rosenblatt.play.runs.points import LabelledPoints
from rosenblatt.play.runs.replay import Replay


def script(state: State, replay: Replay) -> str:
    """A script whose log is the one that the page replays."""
    name = "KernelPerceptron" if replay.kernel else "Perceptron"
    words = [f"{k}={v!r}" for k, v in chosen(state, replay.cloud).items()]
    begin = "".join(f", {k}={v!r}" for k, v in start_of_run(state, replay.cloud).items())
    rows = list(rows_of(state, replay))
    lines = [
        *imports(name, "\n".join([replay.cloud.code, *rows])),
        replay.cloud.code,
        *rows,
        f"model = {name}({', '.join(words)})",
        f"model.fit(X, y{begin})",
        "",
        "print(model.stop_reason_, model.n_updates_)",
        f"print(model.log_.{'i' if replay.kernel else 'path(X)'})",
        f"print(certify(X, y{'' if replay.model.fit_intercept else ', fit_intercept=False'}))",
    ]
    return "\n".join(lines) + "\n"


def imports(name: str, code: str) -> Iterator[str]:
    """What the code needs."""
    if "combinations" in code:
        yield from ("from itertools import combinations", "")
    if "np." in code:
        yield from ("import numpy as np", "")
    yield f"from rosenblatt import {name}, certify{', datasets' if 'datasets.' in code else ''}"
    yield ""


def chosen(state: State, cloud: LabelledPoints) -> dict[str, Any]:
    """The parameters that are not as usual, or that matter most."""
    given = estimator_parameters(state, cloud)
    usual = defaults(KernelParameters if "kernel" in given else LinearParameters)
    return {k: v for k, v in given.items() if usual.get(k) != v or k == "kernel"}


def rows_of(state: State, replay: Replay) -> Iterator[str]:
    """Which rows are learned from, if not all, and in their order."""
    if state.adversary:
        yield f"shown = {replay.rows.tolist()}  # the adversary's order, then all"
        yield "X, y = X[shown], y[shown]"
    elif every := state.sample.held:
        yield f"held = np.arange(len(y)) % {every} == {every - 1}"
        yield "X, y = X[~held], y[~held]"
