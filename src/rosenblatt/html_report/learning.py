"""How the perceptron learned the table: the run, the weights and the accuracy."""

import warnings
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from sklearn.model_selection import StratifiedKFold, cross_val_score

from rosenblatt.core.loop import Array
from rosenblatt.estimators.perceptron import Perceptron
from rosenblatt.html_report.subject import Subject
from rosenblatt.mistake_bound import novikoff

FOLDS = 5
MOST_VALIDATED = 20_000  # rows of a table that is cross-validated whole
MARGIN_NUMBERS = 2e7  # in a table of which the widest margin is computed


class RunFindings(NamedTuple):
    """How plain passes went, and what Novikoff's theorem says of them."""

    updates: int
    passes: int
    reason: str  # why it ended
    settled: bool  # whether a second stage found the hypothesis
    radius: float  # the longest row (x, 1)
    gamma: float | None  # the widest margin in the space of (x, 1)
    bound: float | None  # (R/γ)²
    relative_margin: float  # of the hypothesis that was returned, as a share of R


class Accuracy(NamedTuple):
    """Shares of rows that are right."""

    majority: str  # the most frequent label
    baseline: float  # its share
    training: float
    folds: int  # 0 if a class is too small
    mean: float
    std: float
    validated: int  # rows that were cross-validated


class Weight(NamedTuple):
    """A weight of a hyperplane, and its share of what moves the score."""

    name: str
    weight: float
    contribution: float  # of weight times standard deviation, among all; positive
    towards: str  # the class that a larger value speaks for
    is_for: bool = True  # else against it


def quiet(function: Any, *args: Any, **how: Any) -> Any:
    """Call a function whose warnings the page tells in its own words."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*args, **how)


def run_findings(subject: Subject, model: Perceptron) -> RunFindings:
    """How the run went."""
    small = np.prod(subject.shape) <= MARGIN_NUMBERS
    found = quiet(novikoff, model, subject.X, subject.y) if small else None
    return RunFindings(
        updates=int(model.n_updates_),
        passes=int(model.n_iter_),
        reason=str(model.stop_reason_),
        settled=bool(model.settled_),
        radius=float(model.radius_),
        gamma=found and found.gamma,
        bound=found and found.bound,
        relative_margin=float(model.margin_bounds_[0]) if model.margin_bounds_ else 0.0,
    )


def accuracy_of(subject: Subject, model: Perceptron) -> Accuracy:
    """The accuracy in training and in cross-validation, beside that of the largest class."""
    sizes = np.bincount(subject.codes)
    folds = min(FOLDS, int(sizes.min()))
    rows = validated_rows(subject)
    scores = np.array([np.nan])
    if folds > 1:
        scores = quiet(fold_scores, Perceptron(), subject.X[rows], subject.y[rows], folds)
    return Accuracy(
        majority=subject.classes[int(sizes.argmax())],
        baseline=float(sizes.max() / sizes.sum()),
        training=float(model.score(subject.X, subject.y)),
        folds=folds if folds > 1 else 0,
        mean=float(scores.mean()),
        std=float(scores.std()),
        validated=len(rows),
    )


def fold_scores(model: Any, X: Any, y: Any, folds: int) -> Array:
    """The accuracy on rows that are held back, fold by fold."""
    cut = StratifiedKFold(folds, shuffle=True, random_state=0)
    return np.asarray(cross_val_score(model, X, y, cv=cut, error_score="raise"))


def validated_rows(subject: Subject) -> Array:
    """All rows, or a sample of those of a large table, in order."""
    n = subject.shape[0]
    if n <= MOST_VALIDATED:
        return np.arange(n)
    return np.sort(np.random.RandomState(0).choice(n, MOST_VALIDATED, replace=False))


def largest_weights(subject: Subject, coef: Array) -> list[list[Weight]]:
    """The weights of a hyperplane, the largest contributions first; of each class, if several."""
    spread = deviations(subject.X)
    if len(coef) > 1:
        return [ranked(subject, w, spread, c) for w, c in zip(coef, subject.classes, strict=True)]
    negative, positive = subject.classes
    found = ranked(subject, coef[0], spread, positive)
    return [[w if w.is_for else w._replace(towards=negative, is_for=True) for w in found]]


def ranked(subject: Subject, w: Array, spread: Array, label: str) -> list[Weight]:
    """The weights for a class, the largest contributions first."""
    moved = np.abs(w) * spread
    share = moved / (moved.sum() or 1.0)
    return [
        Weight(subject.names[j], float(w[j]), float(share[j]), label, bool(w[j] > 0))
        for j in np.argsort(-share, kind="stable").tolist()
        if w[j]
    ]


def deviations(X: Any) -> Array:
    """The standard deviation of each column."""
    if not sp.issparse(X):
        return np.asarray(X.std(axis=0))
    mean = np.asarray(X.mean(axis=0)).ravel()
    square = np.asarray(X.multiply(X).mean(axis=0)).ravel()
    return np.sqrt(np.maximum(square - mean**2, 0.0))
