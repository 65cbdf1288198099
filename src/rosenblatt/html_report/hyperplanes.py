"""The hyperplane that is drawn and that of the certificate, in numbers."""

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from rosenblatt.estimators.linear_model import LinearModel
from rosenblatt.geometry import distance
from rosenblatt.html_report.learning import MARGIN_NUMBERS
from rosenblatt.html_report.subject import Subject
from rosenblatt.separability.certificate import Certificate
from rosenblatt.separability.certificate_parts import LinearMachine
from rosenblatt.separability.max_margin import max_margin
from rosenblatt.separability.several_classes.row_pairs import augmented, exact_leads, floats


class Margins(NamedTuple):
    """How far the nearest row is from the hyperplane that is drawn, and from the widest."""

    nearest: float
    widest: float | None  # None with several classes, and where there is too much to compute


def margins_of(subject: Subject, model: LinearModel) -> Margins | None:
    """The margins of a table whose classes are separable; None if the model does not say."""
    try:
        nearest = min(distances(subject, model))
    except ValueError:  # scores overflowed, or classes have equal weights
        return None
    return Margins(nearest, widest_of_two(subject)) if nearest > 0 else None


def distances(subject: Subject, model: LinearModel) -> Iterator[float]:
    """For each class and rival, the distance of its nearest row from the border between them."""
    W, b = model.coef_, model.intercept_
    if len(W) == 1:  # the score is that of the second class
        W, b = np.vstack((np.zeros_like(W), W)), np.append(0.0, b)
    for own in range(len(W)):
        rows = subject.X[subject.codes == own]
        for rival in set(range(len(W))) - {own}:
            yield float(distance(rows, W[own] - W[rival], b[own] - b[rival]).min())


def widest_of_two(subject: Subject) -> float | None:
    """The widest geometric margin of two classes."""
    if len(subject.classes) > 2 or np.prod(subject.shape) > MARGIN_NUMBERS:
        return None
    try:
        return max_margin(subject.X, subject.y).margin
    except ValueError:  # it is too fine
        return None


def rows_on_border(subject: Subject, certificate: Certificate) -> int | None:
    """Of classes that touch, the rows that the separator leaves undecided: on it, or tied."""
    found = certificate.separator
    if certificate.verdict != "touching" or found is None:
        return None
    zero, bias = Fraction(0), certificate.fit_intercept
    if not isinstance(found, LinearMachine):  # its score is that of the second class
        found = LinearMachine([[zero] * len(found.w), found.w], [zero, found.b])
    machine = [[*w, b] if bias else [*w] for w, b in zip(found.w, found.b, strict=True)]
    X = augmented(subject.X, float(bias))
    _, signs = exact_leads(X, subject.codes, machine, floats(machine))
    return int(np.count_nonzero(signs.min(axis=1) == 0))
