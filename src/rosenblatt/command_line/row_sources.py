"""What commands ask of rows: of a table in memory, or of blocks of one that need not fit there."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from rosenblatt import Perceptron, certify, checker, verify
from rosenblatt.blocks import certify_blocks, score_blocks, verify_blocks
from rosenblatt.html_report.learning import MARGIN_NUMBERS, deviations
from rosenblatt.inputs.fitted_model import FittedModel
from rosenblatt.separability.max_margin import augmented_margin
from rosenblatt.tables import Blocks
from rosenblatt.tables.reading_ahead import ahead


def features(table: Any) -> Iterable[Any]:
    """The features of all rows, block by block."""
    return (X for X, _ in ahead(iter(table))) if isinstance(table, Blocks) else [table.X]


def accuracy(table: Any, model: FittedModel) -> float:
    """The share of rows that a model gets right."""
    if isinstance(table, Blocks):
        return score_blocks(model, table)
    return float(model.score(table.X, table.y))


def baseline(table: Any) -> dict[str, Any] | None:
    """The largest class and its share of the rows; not of blocks."""
    if isinstance(table, Blocks):
        return None
    labels, counts = np.unique(table.y, return_counts=True)
    return {"label": labels[counts.argmax()], "accuracy": counts.max() / counts.sum()}


def deviations_by_name(table: Any) -> dict[str, float] | None:
    """The standard deviation of each feature, by name; not of blocks."""
    if isinstance(table, Blocks):
        return None
    return dict(zip(table.feature_names, deviations(table.X).tolist(), strict=True))


def certified(table: Any, **how: Any) -> Any:
    """The certificate of all rows."""
    return (certify_blocks if isinstance(table, Blocks) else certify)(table, **how)


def verified(table: Any, claim: Any, independent: bool) -> None:
    """Check a certificate; ValueError says what fails."""
    if isinstance(table, Blocks):
        verify_blocks(claim, table)
    else:
        (checker.verify if independent else verify)(claim, table.X, table.y)


def widest_margin(table: Any, model: FittedModel) -> float | None:
    """Novikoff's γ, for two separable classes in memory, unless there is too much."""
    linear = isinstance(model, Perceptron) and len(model.classes_) == 2
    if isinstance(table, Blocks) or not linear or model.stop_reason_ != "separated":
        return None
    if np.prod(table.X.shape) > MARGIN_NUMBERS:
        return None
    try:
        return augmented_margin(table.X, table.y, model.fit_intercept).margin
    except ValueError:  # right only with points on the hyperplane
        return None
