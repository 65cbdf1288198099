"""Samples: the points that a state names, and the line of Python that gives them."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from rosenblatt import datasets
from rosenblatt.play.states import FEATURES, POINTS, SIZES, Refused, Sample
from rosenblatt.sweep import Array
from rosenblatt.tables import read

# A line has the first class above it, the second below, and three points of both on it.
TOUCHING = (
    [[1.0, 2.0], [5.0, 2.0], [2.0, 4.0], [4.0, 3.5], [3.0, 2.0], [2.0, 0.5], [4.0, 1.0]],
    [1, 1, 1, 1, -1, -1, -1],
)


class Cloud(NamedTuple):
    """Points, their sides, what the sides and features are called, and code for all of it."""

    X: Array
    signs: Array
    classes: tuple[str, str]
    features: list[str]
    code: str

    @property
    def labels(self) -> Array:
        """The labels as an estimator is to have them: names where those sort as the sides do."""
        negative, positive = self.classes
        named = self.classes != ("-1", "1") and negative < positive
        return np.array(self.classes)[(self.signs + 1) // 2] if named else self.signs


def collect(sample: Sample) -> Cloud:
    """The points of a sample."""
    if sample.name == "points":
        return from_points(sample)
    if sample.name == "table":
        return from_table(sample.text)
    X, y = MAKERS[sample.name](**sample.knobs)
    classes = tuple(str(label) for label in np.unique(y).tolist())
    signs = np.where(y == np.unique(y)[1], 1, -1)
    cloud = Cloud(X, signs, (classes[0], classes[1]), features(sample.name, X.shape[1]), "")
    return cloud._replace(code=CALLS[sample.name](**sample.knobs) or literal(cloud))


def from_points(sample: Sample) -> Cloud:
    """Points as they were sent."""
    X, signs = np.array(sample.X, float), np.array(sample.signs)
    named = list(sample.features) or features("", X.shape[1])
    cloud = Cloud(X, signs, sample.classes, named, "")
    return cloud._replace(code=literal(cloud))


def from_table(text: str) -> Cloud:
    """A pasted table, read as the command line reads files."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        path.write_text(text, encoding="utf-8")
        try:
            table = read(path)
        except (ValueError, OSError) as error:
            raise Refused(str(error).replace(f"{folder}/", "")) from None
    n, d = table.X.shape
    if n > POINTS or d > FEATURES:
        told = f"the table is {n:,} × {d:,}; the playground takes {POINTS:,} × {FEATURES} at most"
        raise Refused(told, code="points")
    X = table.X.toarray() if sp.issparse(table.X) else np.asarray(table.X, float)
    if (np.abs(X[X != 0]) < SIZES[0]).any() or (np.abs(X) > SIZES[1]).any():
        told = f"numbers here are 0, or between {SIZES[0]:g} and {SIZES[1]:g} in size"
        raise Refused(told, code="size")
    labels = np.unique(table.y)
    if len(labels) != 2:
        told = f"the last column has {len(labels)} labels; the playground shows two classes"
        raise Refused(told, code="one_class")
    classes = tuple(str(label)[:80] for label in labels.tolist())
    if {float(c) for c in classes if is_number(c)} == {-1.0, 1.0}:
        classes = "-1", "1"
    cloud = Cloud(
        X, np.where(table.y == labels[1], 1, -1), (classes[0], classes[1]), table.feature_names, ""
    )
    return cloud._replace(code=literal(cloud))


def is_number(text: str) -> bool:
    """Whether a label reads as a number."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def features(name: str, d: int) -> list[str]:
    """The names of the features: x₁, x₂, … unless the data have their own."""
    if name == "credit":
        return list(datasets.CREDIT_FEATURES)
    digits = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
    return [f"x{j + 1}".translate(digits) for j in range(d)]


def clouds(n: int, margin: float, noise: float, seed: int) -> datasets.Data:
    """Two classes with a gap, and some labels flipped."""
    return datasets.clouds(n, 2, margin, flip=round(noise * n), random_state=seed)


MAKERS: dict[str, Callable[..., tuple[Any, Any]]] = {
    "textbook": datasets.textbook,
    "credit": datasets.credit,
    "xor": datasets.xor,
    "clouds": clouds,
    "moons": lambda n, noise, seed: datasets.moons(n, noise=noise, random_state=seed),
    "circles": lambda n, noise, seed: datasets.circles(n, noise=noise, random_state=seed),
    "touching": lambda: (np.array(TOUCHING[0]), np.array(TOUCHING[1])),
}

# -- In Python -------------------------------------------------------------------------------------

CALLS: dict[str, Callable[..., str]] = {
    "textbook": lambda: "X, y = datasets.textbook()",
    "credit": lambda: "X, y = datasets.credit()",
    "xor": lambda: "X, y = datasets.xor()",
    "clouds": lambda n, margin, noise, seed: (
        f"X, y = datasets.clouds({n}, 2, {margin!r}, flip={round(noise * n)}, random_state={seed})"
    ),
    "moons": lambda n, noise, seed: (
        f"X, y = datasets.moons({n}, noise={noise!r}, random_state={seed})"
    ),
    "circles": lambda n, noise, seed: (
        f"X, y = datasets.circles({n}, noise={noise!r}, random_state={seed})"
    ),
    "touching": lambda: "",
}


def literal(cloud: Cloud) -> str:
    """Points written out."""
    rows = "".join(f"    {row!r},\n" for row in cloud.X.tolist())
    return f"X = np.array([\n{rows}])\ny = np.array({cloud.labels.tolist()!r})"
