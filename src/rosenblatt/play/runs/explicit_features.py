"""Explicit features: what a hyperplane sees beside the features given, so that its border bends."""

from itertools import combinations

import numpy as np

from rosenblatt.core.loop import Array
from rosenblatt.play.json_fields import Refused
from rosenblatt.play.runs.points import LabelledPoints
from rosenblatt.play.samples import FEATURES

CODES = {
    "squares": "X**2",
    "products": "np.prod(X[:, list(combinations(range(X.shape[1]), 2))], axis=2)",
    "sines": "np.sin(X)",
}


def lifted(cloud: LabelledPoints, kinds: tuple[str, ...]) -> LabelledPoints:
    """The points with features of some kinds beside their own."""
    kinds = tuple(kind for kind in kinds if kind != "products" or len(cloud.features) > 1)
    if not kinds:
        return cloud
    names = [name for kind in kinds for name in feature_names(cloud.features, kind)]
    X = np.column_stack((cloud.X, *(columns(cloud.X, kind) for kind in kinds)))
    if X.shape[1] > FEATURES:
        told = f"that makes {X.shape[1]} features; the playground takes at most {FEATURES}"
        raise Refused(told, code="features")
    parts = ", ".join(["X", *(CODES[kind] for kind in kinds)])
    code = f"{cloud.code}\nX = np.column_stack(({parts}))"
    return cloud._replace(X=X, features=[*cloud.features, *names], code=code)


def columns(X: Array, kind: str) -> Array:
    """The features of one kind."""
    if kind == "products":
        pairs = list(combinations(range(X.shape[1]), 2))
        return np.prod(X[:, pairs], axis=2)
    return X**2 if kind == "squares" else np.sin(X)


def feature_names(names: list[str], kind: str) -> list[str]:
    """What the features of one kind are called."""
    if kind == "products":
        return [f"{a}·{b}" for a, b in combinations(names, 2)]
    return [f"{a}²" if kind == "squares" else f"sin {a}" for a in names]
