"""Learning: the learner of a state on its points, with the library's own estimators."""

import warnings
from typing import Any

import numpy as np

from rosenblatt import KernelPerceptron, Perceptron
from rosenblatt.core.loop import Array
from rosenblatt.play.json_fields import Refused
from rosenblatt.play.requests import TRACE, State
from rosenblatt.play.runs.adversary import game_of, presented_rows
from rosenblatt.play.runs.points import LabelledPoints
from rosenblatt.play.runs.replay import Replay


def learn_state(state: State, cloud: LabelledPoints) -> Replay:
    """Let the learner of a state learn; it is recorded, and never beyond what can be replayed."""
    params = estimator_parameters(state, cloud)
    kernel = "kernel" in params
    if kernel and params["kernel"] == "precomputed":
        raise Refused("the playground has points, not a precomputed kernel")
    rows, start = training_rows(state, cloud), start_of_run(state, cloud)
    rows = presented(state, cloud, rows) if state.adversary else rows
    taken = cloud.take(rows)
    model = (KernelPerceptron if kernel else Perceptron)(**params)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return Replay(model.fit(taken.X, taken.labels, **start), cloud, rows)


def estimator_parameters(state: State, cloud: LabelledPoints) -> dict[str, Any]:
    """The parameters of the estimator."""
    params = state.params if "kernel" in state.params else {"settle": "after"} | state.params
    params = params | ({"shuffle": False} if state.adversary else {})
    return params | class_weight(state, cloud) | {"max_updates": TRACE, "record": True}


def class_weight(state: State, cloud: LabelledPoints) -> dict[str, Any]:
    """The weights of the classes, by their labels."""
    if state.weights is None:
        return {}
    k = len(cloud.classes)
    if len(state.weights) != k:
        told = f"class_weight has {len(state.weights)} weights; there are {k} classes"
        raise Refused(told, code="weights", k=k)
    labels = np.unique(cloud.labels).tolist()
    return {"class_weight": dict(zip(labels, state.weights, strict=True))}


def training_rows(state: State, cloud: LabelledPoints) -> Array:
    """The points that are not held out: of every so many, the last one is."""
    every, rows = state.sample.held, np.arange(len(cloud.X))
    rows = rows[rows % every != every - 1] if every else rows
    if len(set(cloud.codes[rows].tolist())) < len(cloud.classes):
        raise Refused("without those held out, a class has no points", code="held")
    return rows


def presented(state: State, cloud: LabelledPoints, rows: Array) -> Array:
    """The rows as an adversary presents them, each of them wrong when it comes; then all."""
    p, start = {"eta0": 1.0, "fit_intercept": True} | state.params, state.start
    usual = {"rule": "rosenblatt", "batch_size": 1, "boundary": "mistake", "kernel": None}
    plain = all(p.get(name, value) == value for name, value in usual.items())
    if not plain or cloud.is_several or state.weights or "class_weight" in p:
        told = "an adversary is for two classes, Rosenblatt's rule and equal steps, point by point"
        raise Refused(told, code="adversary")
    w = np.array(start) if start else np.zeros(cloud.X.shape[1] + 1)
    chosen = presented_rows(*game_of(cloud.take(rows), p["fit_intercept"]), w, p["eta0"])
    return rows[np.append(chosen, np.arange(len(rows)))]


def start_of_run(state: State, cloud: LabelledPoints) -> dict[str, Any]:
    """Where a run starts, as fit takes it; not at all from zero."""
    if state.start is None or not any(state.start):
        return {}
    d, k = cloud.X.shape[1], len(cloud.classes) if cloud.is_several else 1
    if len(state.start) != k * (d + 1):
        each = " for each class" if k > 1 else ""
        told = (
            f"a start is {d} weights and a bias{each}, {k * (d + 1)} numbers; "
            f"there are {len(state.start)}"
        )
        raise Refused(told, code="start" if k == 1 else "starts", d=d, numbers=k * (d + 1))
    W = np.array(state.start).reshape(k, d + 1)
    return {"coef_init": W[:, :-1].tolist(), "intercept_init": W[:, -1].tolist()}
