"""Verdicts: whether the points that are learned from are separable, with proof."""

import json
from typing import Any

import numpy as np

from rosenblatt import certify, fewest_mistakes, max_margin
from rosenblatt.core.loop import Array
from rosenblatt.play.runs.points import LabelledPoints
from rosenblatt.play.runs.replay import Replay
from rosenblatt.separability.max_margin import augmented_margin

COUNTED = 500  # points whose fewest mistakes are counted, in the plane

Facts = dict[str, Any]


def judge(replay: Replay) -> Facts:
    """Whether a hyperplane separates the points, or a linear machine; with what proves it."""
    numbers, fit_intercept = replay.trained, replay.model.fit_intercept
    cloud = replay.cloud.take(numbers)
    proof = certify(cloud.X, cloud.labels, fit_intercept=fit_intercept)
    facts: Facts = {"verdict": proof.verdict, "certificate": json.loads(proof.to_json())}
    if proof.verdict == "separable" and cloud.is_several:
        facts["margin"] = proof.margin
    elif proof.verdict == "separable":
        facts |= widest_band(cloud, numbers, fit_intercept)
    if proof.conflict is not None:
        facts["conflict"] = conflict_facts(cloud, proof.conflict, numbers, fit_intercept)
    return facts


def widest_band(cloud: LabelledPoints, numbers: Array, fit_intercept: bool) -> Facts:
    """The widest band between two classes, and its margin in the space of (x, 1)."""
    best = max_margin(cloud.X, cloud.labels, fit_intercept=fit_intercept)
    band = {"w": best.w, "b": best.b, "margin": best.margin, "support": numbers[best.support]}
    gamma = augmented_margin(cloud.X, cloud.labels, fit_intercept).margin
    return {"band": band, "gamma": gamma}


def conflict_facts(
    cloud: LabelledPoints, conflict: Any, numbers: Array, fit_intercept: bool
) -> Facts:
    """The rows in conflict with their weights; of two classes, the point common to their hulls."""
    rows, shares = conflict.rows, [float(weight) for weight in conflict.weights]
    meets = fit_intercept and not cloud.is_several
    return {
        "rows": numbers[rows],
        "weights": [str(weight) for weight in conflict.weights],
        "shares": shares,
        "point": meeting(cloud, rows, np.array(shares)) if meets else None,
        "rivals": getattr(conflict, "rivals", None),
    }


def meeting(cloud: LabelledPoints, rows: list[int], shares: Array) -> Array:
    """The point that is in the hulls of both classes: weighted, each class's rows add up to it."""
    ours = cloud.signs[rows] > 0
    return shares[ours] @ cloud.X[rows][ours] / shares[ours].sum()


def fewest_facts(replay: Replay, verdict: Facts) -> Facts | None:
    """The best line of all, and how few mistakes there can be, where that takes no time."""
    cloud = replay.cloud.take(replay.trained)
    n, d = cloud.X.shape
    if verdict["verdict"] == "separable" or d > 2 or n > COUNTED or cloud.is_several:
        return None
    fit_intercept = replay.model.fit_intercept
    best = fewest_mistakes(cloud.X, cloud.labels, fit_intercept=fit_intercept, n_jobs=1)
    line = np.append(best.w, best.b)
    wrong = replay.errs(replay.margins_of(line[None]))[0]
    return {
        "mistakes": best.mistakes,
        "at_least": best.at_least,
        "rows": replay.trained[best.rows],
        "line": line,
        "held": np.count_nonzero(wrong[replay.held]),
    }
