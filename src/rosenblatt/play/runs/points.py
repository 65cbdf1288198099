"""Samples: the points that a state names, and the line of Python that gives them."""

import re
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from sklearn.datasets import load_iris

from rosenblatt import datasets
from rosenblatt.core.loop import Array
from rosenblatt.play.json_fields import LETTERS, Refused
from rosenblatt.play.samples import CLASSES, FEATURES, POINTS, Sample, check_points
from rosenblatt.tables import read
from rosenblatt.tables.file_formats.text_layout import layout_of
from rosenblatt.tables.files import find

COLUMNS_READ = 8 * FEATURES  # the most of a table that is read, to count its features

TABLE_FAULTS = {
    "table_ragged": "where the first row has",
    "table_missing": "a missing value",
    "table_empty": "no rows",
    "table_narrow": "one column only",
    "size": "too large for floating point",
}

# A line has the first class above it, the second below, and three points of both on it.
TOUCHING = (
    ([1.0, 2.0], [5.0, 2.0], [2.0, 4.0], [4.0, 3.5], [3.0, 2.0], [2.0, 0.5], [4.0, 1.0]),
    (1, 1, 1, 1, 0, 0, 0),
)

PETALS = """from sklearn.datasets import load_iris

iris = load_iris()
X, y = iris.data[:, 2:], iris.target_names[iris.target]"""
NAMED_FEATURES = {
    "credit": list(datasets.CREDIT_FEATURES),
    "iris": ["petal length (cm)", "petal width (cm)"],
}


class LabelledPoints(NamedTuple):
    """Points, their classes from 0, the names of classes and features, and code for all of it."""

    X: Array
    codes: Array
    classes: tuple[str, ...]
    features: list[str]
    code: str

    @property
    def signs(self) -> Array:
        """Of two classes, the sides: -1 and 1."""
        return 2 * self.codes - 1

    @property
    def is_several(self) -> bool:
        """Whether there is a hypothesis for each class."""
        return len(self.classes) > 2

    @property
    def labels(self) -> Array:
        """The labels as an estimator is to have them: names where those sort as the classes do."""
        if self.classes != ("-1", "1") and list(self.classes) == sorted(self.classes):
            return np.array(self.classes)[self.codes]
        return self.codes if self.is_several else self.signs

    def take(self, rows: Array) -> "LabelledPoints":
        """Some of them."""
        return self._replace(X=self.X[rows], codes=self.codes[rows])


def collect(sample: Sample) -> LabelledPoints:
    """The points of a sample."""
    if sample.name == "points":
        return from_points(sample)
    if sample.name == "table":
        return from_points(from_table(sample.text))
    if sample.name == "touching":
        return from_points(sample._replace(X=TOUCHING[0], codes=TOUCHING[1]))
    given = arguments(**sample.knobs)
    X, y = petals() if sample.name == "iris" else getattr(datasets, sample.name)(**given)
    labels, codes = np.unique(y, return_inverse=True)
    words = ", ".join(f"{name}={value!r}" for name, value in given.items())
    return LabelledPoints(
        X=X,
        codes=codes,
        classes=tuple(map(str, labels.tolist())),
        features=NAMED_FEATURES.get(sample.name) or numbered_features(X),
        code=PETALS if sample.name == "iris" else f"X, y = datasets.{sample.name}({words})",
    )


def petals() -> tuple[Array, Array]:
    """The irises by their petals, with their names."""
    iris = load_iris()
    return iris.data[:, 2:], iris.target_names[iris.target]


def arguments(**knobs: Any) -> dict[str, Any]:
    """The knobs of the page, as the arguments of the functions that make data."""
    if "seed" in knobs:
        knobs["random_state"] = knobs.pop("seed")
    if "classes" in knobs:
        knobs["spread"] = knobs.pop("noise")
    if "margin" in knobs:  # clouds, whose noise is flipped labels
        knobs |= {"d": 2, "flip": round(knobs.pop("noise") * knobs["n"])}
    return knobs


def from_points(sample: Sample) -> LabelledPoints:
    """Points as they were sent."""
    X, codes = np.array(sample.X, float), np.array(sample.codes)
    cloud = LabelledPoints(
        X, codes, sample.classes, list(sample.features) or numbered_features(X), ""
    )
    return cloud._replace(code=literal(cloud))


def from_table(text: str) -> Sample:
    """The points of a pasted table, which is read as the command line reads files."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        path.write_text(text, encoding="utf-8")
        try:
            columns = len(layout_of(find(path)).names)
            table = read(path) if columns <= COLUMNS_READ else None
        except (ValueError, OSError) as error:
            raise unreadable(str(error).replace(f"{folder}/", "")) from None
    if table is None:
        raise too_large(f"has {columns:,} columns")
    n, d = table.X.shape
    if n > POINTS or d > FEATURES:
        raise too_large(f"is {n:,} × {d:,}")
    X = table.X.toarray() if sp.issparse(table.X) else np.asarray(table.X, float)
    labels, codes = np.unique(table.y, return_inverse=True)
    if not 2 <= len(labels) <= CLASSES:
        told = f"the last column has {len(labels)} labels; the playground shows 2 to {CLASSES}"
        raise Refused(told, code="one_class")
    features = [name[:LETTERS] for name in table.feature_names]
    return check_points("points", X.tolist(), codes.tolist(), named(labels), features)


def unreadable(sentence: str) -> Refused:
    """What is wrong with a pasted table, as a word that the page has a sentence for, and where."""
    code = next((code for code, part in TABLE_FAULTS.items() if part in sentence), "table")
    line = re.search(r"line (\d+)", sentence)
    return Refused(sentence, code=code, line=line and int(line[1]), message=sentence)


def too_large(size: str) -> Refused:
    """Say that a table is too large for the page."""
    told = f"the table {size}; the playground takes {POINTS:,} × {FEATURES} at most"
    return Refused(told, code="points")


def named(labels: Array) -> list[str]:
    """What labels are called."""
    if np.issubdtype(labels.dtype, np.number):
        return [f"{label:g}" for label in labels.tolist()]
    return [str(label)[:LETTERS] for label in labels.tolist()]


def numbered_features(X: Array) -> list[str]:
    """x₁, x₂, …"""
    digits = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
    return [f"x{j + 1}".translate(digits) for j in range(X.shape[1])]


def literal(cloud: LabelledPoints) -> str:
    """Points written out."""
    rows = "".join(f"    {row!r},\n" for row in cloud.X.tolist())
    return f"X = np.array([\n{rows}])\ny = np.array({cloud.labels.tolist()!r})"
