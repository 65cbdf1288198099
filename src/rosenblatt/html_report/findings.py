"""What a report says, as plain data: everything is found here, and nothing is worded."""

from collections import Counter
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.estimators.linear_model import LinearModel
from rosenblatt.estimators.perceptron import Perceptron
from rosenblatt.html_report.columns import (
    ColumnFindings,
    Contradiction,
    contradictory_rows,
    examine_columns,
)
from rosenblatt.html_report.hyperplanes import Margins, margins_of, rows_on_border
from rosenblatt.html_report.learning import (
    Accuracy,
    RunFindings,
    Weight,
    accuracy_of,
    largest_weights,
    quiet,
    run_findings,
)
from rosenblatt.html_report.reasons import Coefficients, examine_coefficients
from rosenblatt.html_report.subject import Subject
from rosenblatt.separability.certificate import Certificate
from rosenblatt.separability.certify import certify, certify_each
from rosenblatt.separability.fewest_mistakes import FewestMistakes, fewest_mistakes

EFFORT = 0.25  # of the search for few mistakes: seconds, seldom more than ten
MOST_CLASSES = 12  # whose pairs are decided one by one
LISTED_ROWS = 50  # rows that are listed
SHOWN_COLUMNS = 12  # of these rows


class BestHyperplane(NamedTuple):
    """The best hypothesis found, and how near it is to the best there can be."""

    mistakes: int
    at_least: int


class WrongRow(NamedTuple):
    """A row in the way of separating the others."""

    number: int
    label: str
    cells: list[str]
    conflicts: int  # how many of the conflicts it is in


@dataclass(frozen=True)
class Wrong:
    """The rows in the way."""

    columns: list[str]
    rows: list[WrongRow]
    count: int
    conflicts: int  # how many conflicts were looked at


@dataclass(frozen=True)
class Findings:
    """All that is found of a table."""

    subject: Subject
    certificate: Certificate
    model: LinearModel  # with the best hypothesis found
    margin: Margins | None  # where the classes can be separated
    on_border: int | None  # where they touch, the rows that the separator leaves undecided
    best: BestHyperplane | None  # where the classes cannot be separated
    wrong: Wrong | None
    coefficients: Coefficients
    columns: ColumnFindings
    contradictions: list[Contradiction] | None
    pairs: dict[tuple[int, int], str] | None  # verdicts, by positions of classes
    run: RunFindings
    weights: list[list[Weight]]
    accuracy: Accuracy

    @property
    def verdict(self) -> str:
        return self.certificate.verdict

    @property
    def several(self) -> bool:
        """Whether there are more than two classes."""
        return len(self.subject.classes) > 2


def examine_table(subject: Subject) -> Findings:
    """Find out all that a report says."""
    certificate = certify(subject.coded, subject.y)
    model = quiet(Perceptron().fit, subject.X, subject.y)  # as `rosenblatt fit` does
    run, accuracy = run_findings(subject, model), accuracy_of(subject, model)
    found = None
    if certificate.verdict != "separable" and len(subject.classes) == 2:
        found = fewest_mistakes(subject.X, subject.y, effort=EFFORT)
        model.coef_, model.intercept_ = found.w[None], np.array([found.b])
    weights = largest_weights(subject, model.coef_)
    best = None if certificate.verdict == "separable" else best_of(model, found)
    return Findings(
        subject=subject,
        certificate=certificate,
        model=model,
        margin=margins_of(subject, model) if certificate.verdict == "separable" else None,
        on_border=rows_on_border(subject, certificate),
        best=best,
        wrong=rows_listed(subject, certificate, model, found, weights) if best else None,
        coefficients=examine_coefficients(subject, certificate),
        columns=examine_columns(subject),
        contradictions=contradictory_rows(subject),
        pairs=pairs_of(subject),
        run=run,
        weights=weights,
        accuracy=accuracy,
    )


def best_of(model: LinearModel, found: FewestMistakes | None) -> BestHyperplane:
    """The bracket of the fewest mistakes."""
    if found is not None:
        return BestHyperplane(int(found.mistakes), int(found.at_least))
    least, made = model.mistake_bounds_
    return BestHyperplane(int(made), int(least))


def rows_listed(
    subject: Subject,
    certificate: Certificate,
    model: LinearModel,
    found: FewestMistakes | None,
    weights: list[list[Weight]],
) -> Wrong:
    """The rows that the best hypothesis gets wrong, those in most conflicts first."""
    rows = found.rows if found else np.flatnonzero(model.predict(subject.X) != subject.y)
    named = certificate.conflict.rows if certificate.conflict else []
    conflicts: Any = found.conflicts if found and found.conflicts else [named]
    often = Counter(i for conflict in conflicts for i in np.unique(conflict).tolist())
    shown = sorted(rows.tolist(), key=lambda i: (-often[i], i))[:LISTED_ROWS]
    columns = telling_columns(subject, weights)
    cells = [subject.cells(column, shown) for column in columns]
    numbers = subject.numbers(shown) if shown else []
    listed = [
        WrongRow(number, subject.classes[subject.codes[i]], [cell[k] for cell in cells], often[i])
        for k, (i, number) in enumerate(zip(shown, numbers, strict=True))
    ]
    return Wrong([column.name for column in columns], listed, len(rows), len(conflicts))


def telling_columns(subject: Subject, weights: list[list[Weight]]) -> list[Any]:
    """The columns to show: all if they are few, else those that contribute most, in their order."""
    if len(subject.columns) <= SHOWN_COLUMNS:
        return subject.columns
    place = {name: j for j, name in enumerate(subject.names)}
    features = [place[w.name] for w in weights[0][: 4 * SHOWN_COLUMNS]]
    ranked = list(dict.fromkeys(subject.column_of(j) for j in features))[:SHOWN_COLUMNS]
    return [column for column in subject.columns if column in ranked]


def pairs_of(subject: Subject) -> dict[tuple[int, int], str] | None:
    """The verdict on each pair of several classes."""
    k = len(subject.classes)
    if not 2 < k <= MOST_CLASSES:
        return None
    found = quiet(certify_each, subject.coded, subject.y, "one-vs-one")
    place = {label: c for c, label in enumerate(subject.labels.tolist())}
    return {(place[a], place[b]): each.verdict for (a, b), each in found.items()}
