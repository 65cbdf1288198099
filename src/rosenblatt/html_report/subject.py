"""The table that a report is about: rows as numbers, and what they were before."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.core.loop import Array
from rosenblatt.core.vectors import dense
from rosenblatt.inputs.labels import require_two
from rosenblatt.inputs.validation import validate_exactly
from rosenblatt.separability.coding import Coded, Coding, coded
from rosenblatt.separability.fingerprint import text_of
from rosenblatt.tables import Table

DISCRETE = 12  # different values of a column that is described by them


class TableColumn(NamedTuple):
    """A column of the table, and the features that it became."""

    name: str
    features: range
    levels: tuple[str, ...] | None  # of text; None for numbers


@dataclass(frozen=True)
class Subject:
    """Rows as numbers, their labels, and what the columns were."""

    X: Any
    codes: Array  # the position of each row's label in
    labels: Array
    coding: Coding
    table: Table | None  # if the rows were read from one

    @property
    def y(self) -> Array:
        return self.labels[self.codes]

    @property
    def shape(self) -> tuple[int, int]:
        return self.X.shape

    @cached_property
    def classes(self) -> list[str]:
        """The labels as text."""
        return [text_of(label) for label in self.labels.tolist()]

    @cached_property
    def class_sizes(self) -> list[int]:
        """The rows of each class."""
        return np.bincount(self.codes, minlength=len(self.classes)).tolist()

    @cached_property
    def names(self) -> Sequence[str]:
        """The names of the features."""
        return self.coding.coefficients(self.shape[1], False)

    @property
    def coded(self) -> Coded:
        """The rows as `certify` takes them."""
        return Coded(self.X, None, self.coding)

    @property
    def unit(self) -> str:
        """What rows are counted by: lines of a file, or rows."""
        return self.table.source.unit if self.table else "row"

    @property
    def counted(self) -> str:
        """The same, and from which number on."""
        return "line" if self.unit == "line" else f"row_from_{self.numbers([0])[0]}"

    @property
    def numbers(self) -> Callable[[Any], list[int]]:
        """The numbers of rows for people: those in the file, or else from 0."""
        return self.table.numbers if self.table else lambda rows: np.asarray(rows, int).tolist()

    @cached_property
    def columns(self) -> list[TableColumn]:
        """The columns of the table, in order: numbers are one feature, text is several."""
        groups, names = self.coding.groups, self.names
        text = [TableColumn(g.column.name, g.features, g.column.levels) for g in groups]
        of_text = {j for column in text for j in column.features}
        numbers = (j for j in range(len(names)) if j not in of_text)
        found = text + [TableColumn(names[j], range(j, j + 1), None) for j in numbers]
        return sorted(found, key=lambda column: column.features.start)

    def cells(self, column: TableColumn, rows: Any) -> list[str]:
        """What a column holds in some rows, as people read it."""
        values = dense(self.X[rows][:, column.features])
        if column.levels is None:
            return [number_text(v) for v in values[:, 0].tolist()]
        known, place = values.max(axis=1) == 1, values.argmax(axis=1)  # else missing, and filled
        return [column.levels[k] if sure else "–" for sure, k in zip(known, place, strict=True)]

    def column_of(self, feature: int) -> TableColumn:
        """The column that a feature came from."""
        return next(c for c in self.columns if feature in c.features)


def subject_of(X: Any, y: Any = None) -> Subject:
    """The subject of a report, from whatever `certify` takes."""
    rows, labels, coding = coded(X, y)
    problem = validate_exactly(rows, labels)
    require_two(problem.classes)
    table = X if isinstance(X, Table) else None
    return Subject(problem.X, problem.codes, problem.classes, coding, table)


def number_text(value: float) -> str:
    """A number without more digits than it needs."""
    return f"{value:.6g}".replace("e+0", "e").replace("e-0", "e-")
