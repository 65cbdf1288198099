"""Scripts: the Python that does what the page shows."""

from rosenblatt.inputs.parameters import KernelParameters, LinearParameters, defaults
from rosenblatt.play.points import LabelledPoints
from rosenblatt.play.replay import start_of_run
from rosenblatt.play.requests import TRACE, State


def script(state: State, cloud: LabelledPoints) -> str:
    """A script whose log is the one that the page replays."""
    kernel = "kernel" in state.params
    name = "KernelPerceptron" if kernel else "Perceptron"
    usual = defaults(KernelParameters if kernel else LinearParameters)
    chosen = {k: v for k, v in state.params.items() if usual.get(k) != v or k == "kernel"}
    chosen = chosen if kernel else {"settle": "after"} | chosen
    words = [f"{k}={v!r}" for k, v in chosen.items()] + [f"max_updates={TRACE}", "record=True"]
    begin = "".join(f", {k}={v!r}" for k, v in start_of_run(state, cloud).items())
    named = "datasets." in cloud.code
    lines = [
        *([] if named else ["import numpy as np", ""]),
        f"from rosenblatt import {name}, certify{', datasets' if named else ''}",
        "",
        cloud.code,
        f"model = {name}({', '.join(words)})",
        f"model.fit(X, y{begin})",
        "",
        "print(model.stop_reason_, model.n_updates_)",
        f"print(model.log_.{'i' if kernel else 'path(X)'})",
        "print(certify(X, y))",
    ]
    return "\n".join(lines) + "\n"
