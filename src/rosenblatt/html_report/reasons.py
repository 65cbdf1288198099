"""Which coefficients of a logistic regression are infinite, and the rows behind each, in words.

A statement such as "region = west: 6 rows, all of class dead" is counted on all rows of the table.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.core.loop import Array
from rosenblatt.core.vectors import dense
from rosenblatt.html_report.subject import DISCRETE, Subject, TableColumn, number_text
from rosenblatt.separability.certificate import Certificate
from rosenblatt.separability.coding import INTERCEPT, sums_by_class
from rosenblatt.separability.coefficients.separated_rows import SeparatedRows

PROGRAM_COLUMNS = 500  # of a table for which linear programs are solved
MOST_REASONS = 6  # combinations of values that are told of a coefficient
INFINITE = ("+inf", "-inf", "either")


class Condition(NamedTuple):
    """What a column holds: a value, or numbers beyond one."""

    column: str
    relation: str  # "=", ">" or "<"
    value: str


@dataclass(frozen=True)
class Reason:
    """Rows that are all of one class, or none of which is of a class."""

    conditions: list[Condition]
    count: int
    label: str
    all_of: bool = True  # else none of


@dataclass(frozen=True)
class InfiniteCoefficient:
    """A coefficient without a finite estimate."""

    name: str
    direction: str  # "+inf", "-inf"; or "either", where its sign is not determined
    label: str | None  # the class that it belongs to, with several
    reasons: list[Reason]
    columns: list[str]  # those that do it together
    count: int  # rows whose class they determine


class Coefficients(NamedTuple):
    """What is known of the coefficients of a logistic regression."""

    infinite: list[InfiniteCoefficient]
    finite: int
    references: dict[str, str]  # of each text column, the level that others are compared with
    pure: list[Reason]  # levels and columns that determine the class of their rows by themselves
    examined: bool  # whether coefficients were looked at one by one


def examine_coefficients(subject: Subject, certificate: Certificate) -> Coefficients:
    """Whether estimates are infinite. Where classes are separable, that is so of all."""
    references, pure = reference_levels(subject, certificate.fit_intercept), pure_columns(subject)
    known = Coefficients([], 0, references, pure, certificate.verdict == "overlapping")
    if certificate.verdict != "touching" or subject.shape[1] > PROGRAM_COLUMNS:
        return known
    try:
        told = certificate.infinite_coefficients()
    except ValueError:  # there are too many pairs of rows and several classes
        return known
    several = len(certificate.classes) > 2
    by_class = told if several else {None: told}
    behind = {} if several else certificate.separated_rows()
    each = [(label, *one) for label, of_class in by_class.items() for one in of_class.items()]
    found = [infinite(subject, behind, *one) for one in each if one[-1] in INFINITE]
    finite = sum(what == "finite" for *_, what in each)
    return known._replace(infinite=found, finite=finite, examined=True)


def reference_levels(subject: Subject, fit_intercept: bool) -> dict[str, str]:
    """The reference level of each text column; without a bias, not of the first."""
    given = subject.coding.references(subject.X, subject.codes, fit_intercept)
    found = zip(subject.coding.groups[not fit_intercept :], given, strict=True)
    return {g.column.name: (g.column.levels or ())[j - g.features.start] for g, j in found}


def infinite(
    subject: Subject, behind: dict[str, SeparatedRows], label: Any, name: str, direction: str
) -> InfiniteCoefficient:
    """An infinite coefficient, with the rows behind it; of several classes, that of one of them
    against the first, in the multinomial model."""
    if label is not None:
        reasons = absent(subject, name, direction)
        return InfiniteCoefficient(name, direction, str(label), reasons, [], 0)
    if name not in behind:
        return InfiniteCoefficient(name, direction, None, [], [], 0)
    features, rows = behind[name]
    places = {each: j for j, each in enumerate(subject.names)}
    used = [subject.column_of(places[each]) for each in features if each != INTERCEPT]
    columns = list(dict.fromkeys(used))
    called = [column.name for column in columns]
    reasons = reasons_of(subject, columns, rows)
    return InfiniteCoefficient(name, direction, None, reasons, called, len(rows))


def reasons_of(subject: Subject, columns: list[TableColumn], rows: Array) -> list[Reason]:
    """The rows behind a coefficient by the values of the columns that do it; none if too many."""
    if all(is_discrete(subject, column) for column in columns):
        return by_values(subject, columns, rows)
    return list(beyond_others(subject, columns[0], rows)) if len(columns) == 1 else []


def is_discrete(subject: Subject, column: TableColumn) -> bool:
    """Whether a column is described by its values: text, or few different numbers."""
    return column.levels is not None or len(np.unique(values_of(subject, column))) <= DISCRETE


def values_of(subject: Subject, column: TableColumn) -> Array:
    """The numbers of a column."""
    return dense(subject.X[:, column.features])[:, 0]


def by_values(subject: Subject, columns: list[TableColumn], rows: Array) -> list[Reason]:
    """One reason for each combination of values, the most frequent first."""
    everyone = np.arange(len(subject.codes))
    cells = list(zip(*(subject.cells(c, everyone) for c in columns), strict=True))
    held: dict[tuple[str, ...], list[int]] = {cells[i]: [] for i in rows.tolist()}
    for i, cell in enumerate(cells):
        if cell in held:
            held[cell].append(subject.codes[i])
    ranked = sorted(held.items(), key=lambda item: -len(item[1]))
    if len(ranked) > MOST_REASONS or any(len(set(codes)) > 1 for _, codes in ranked):
        return []
    return [
        Reason(
            [Condition(c.name, "=", v) for c, v in zip(columns, cell, strict=True)],
            len(codes),
            subject.classes[codes[0]],
        )
        for cell, codes in ranked
    ]


def beyond_others(subject: Subject, column: TableColumn, rows: Array) -> Iterator[Reason]:
    """Numbers above or below all those of the other class."""
    x = values_of(subject, column)
    for k, label in enumerate(subject.classes):
        mine, others = rows[subject.codes[rows] == k], x[subject.codes != k]
        low, high = others.min(), others.max()
        for relation, end, beyond in ((">", high, x > high), ("<", low, x < low)):
            if len(mine) and beyond[mine].all():
                condition = Condition(column.name, relation, number_text(end))
                yield Reason([condition], int(np.count_nonzero(beyond)), label)


def pure_columns(subject: Subject) -> list[Reason]:
    """Values of a column that only one class has, of text and of numbers with two values."""
    counts = sums_by_class(subject.X == 1, subject.codes)  # of classes and levels
    found: list[Reason] = []
    for column in subject.columns if subject.shape[1] <= PROGRAM_COLUMNS else ():
        if column.levels is None:
            found += pure_number(subject, column)
            continue
        for level, of_level in zip(column.levels, counts[:, column.features].T, strict=True):
            if np.count_nonzero(of_level) == 1:
                label = subject.classes[int(of_level.argmax())]
                condition = Condition(column.name, "=", level)
                found.append(Reason([condition], int(of_level.sum()), label))
    return sorted(found, key=lambda reason: -reason.count)


def pure_number(subject: Subject, column: TableColumn) -> Iterator[Reason]:
    """Each of two values that only one class has."""
    x = values_of(subject, column)
    low, high = x.min(), x.max()
    if low == high or not ((x == low) | (x == high)).all():
        return
    for value in (low, high):
        codes = subject.codes[x == value]
        if (codes == codes[0]).all():
            condition = Condition(column.name, "=", number_text(value))
            yield Reason([condition], len(codes), subject.classes[codes[0]])


def absent(subject: Subject, name: str, direction: str) -> list[Reason]:
    """The classes that a level, or the larger of two values, does not have."""
    if name == INTERCEPT or direction == "either":
        return []
    j = list(subject.names).index(name)
    column = subject.column_of(j)
    x = dense(subject.X[:, [j]])[:, 0]
    if column.levels is None and len(np.unique(x)) != 2:
        return []
    rows = x == x.max()
    value = column.levels[j - column.features.start] if column.levels else number_text(x.max())
    there = np.unique(subject.codes[rows])
    condition = [Condition(column.name, "=", value)]
    if len(there) == 1:
        return [Reason(condition, int(rows.sum()), subject.classes[there[0]])]
    missing = [c for k, c in enumerate(subject.classes) if k not in there]
    return [Reason(condition, int(rows.sum()), label, all_of=False) for label in missing]
