"""Columns that say nothing of their own, and rows that contradict each other."""

from collections import defaultdict
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from rosenblatt.core.loop import Array
from rosenblatt.core.vectors import dense, store
from rosenblatt.html_report.subject import Subject
from rosenblatt.separability.coding import INTERCEPT
from rosenblatt.separability.coefficients.dependent_columns import combinations
from rosenblatt.separability.feature_spaces import row_keys

COMPARED_COLUMNS = 200  # of a table whose columns are compared with all others
COMPARED_NUMBERS = 2e7  # of a table whose rows are compared
FEWEST_NAMED = 20  # rows that have different values not by chance


class ColumnFindings(NamedTuple):
    """Columns that name or number the rows, or are constant, the same as others, or combinations
    of others."""

    row_names: list[str]
    constant: list[str]
    duplicates: list[list[str]]  # groups of the same features
    dependent: dict[str, list[str]]  # each with those that it is a combination of
    compared: bool  # whether combinations were looked for


class Contradiction(NamedTuple):
    """Rows with the same values and different labels."""

    rows: list[int]
    labels: list[str]


def examine_columns(subject: Subject) -> ColumnFindings:
    """The columns that add nothing, under reference coding."""
    X, d, named = subject.X, subject.shape[1], row_names(subject)
    constant = np.flatnonzero(ranges(X) == 0).tolist()
    if d > COMPARED_COLUMNS:
        few = [subject.names[j] for j in constant[:COMPARED_COLUMNS]]
        return ColumnFindings(named, few, [], {}, False)
    given = subject.coding.references(X, subject.codes, True)
    across = sp.csr_array(X.T) if sp.issparse(X) else np.ascontiguousarray(X.T)
    twins = [g for g in equal_rows(across) if not set(g) & set(constant)]
    found = combinations(store(X, 1.0), np.arange(X.shape[0], dtype=np.uint32), given)
    names = [*subject.names, INTERCEPT]
    known = {j for group in twins for j in group[1:]} | set(constant)
    dependent = {names[j]: [names[k] for k in on] for j, on in found.items() if j not in known}
    duplicates = [[names[j] for j in group] for group in twins]
    return ColumnFindings(named, constant_columns(subject, constant), duplicates, dependent, True)


def constant_columns(subject: Subject, constant: list[int]) -> list[str]:
    """The columns all of whose features are constant: levels may be, which no row has any more."""
    return [c.name for c in subject.columns if c.features and set(c.features) <= set(constant)]


def row_names(subject: Subject) -> list[str]:
    """The columns that have a different text in each row, or number the rows in any order."""
    n = subject.shape[0]
    if n < FEWEST_NAMED:
        return []
    text = [c.name for c in subject.columns if c.levels and len(c.levels) == n]
    near = np.flatnonzero(ranges(subject.X) == n - 1).tolist()
    columns = (dense(subject.X[:, [j]]).ravel() for j in near)
    runs = (np.array_equal(np.sort(x), x.min() + np.arange(n)) for x in columns)
    return text + [subject.names[j] for j, run in zip(near, runs, strict=True) if run]


def ranges(X: Any) -> Array:
    """How far the values of each column are apart."""
    if sp.issparse(X):
        return (X.max(axis=0) - X.min(axis=0)).toarray().ravel()
    return np.ptp(X, axis=0)


def equal_rows(X: Any) -> list[list[int]]:
    """Groups of two and more rows with the same numbers."""
    found: dict[Any, list[int]] = defaultdict(list)
    keys = row_keys(X) if sp.issparse(X) else [row.tobytes() for row in X + 0.0]  # −0 is 0
    for i, key in enumerate(keys):
        found[key].append(i)
    return [rows for rows in found.values() if len(rows) > 1]


def contradictory_rows(subject: Subject) -> list[Contradiction] | None:
    """Equal rows with different labels; None if there are too many rows to compare."""
    if subject.X.size > COMPARED_NUMBERS:
        return None
    codes = subject.codes
    mixed = [rows for rows in equal_rows(subject.X) if len(set(codes[rows].tolist())) > 1]
    return [Contradiction(rows, [subject.classes[c] for c in codes[rows]]) for rows in mixed]
