"""What commands ask of rows: of a table in memory, or of blocks of one that need not fit there."""

from collections.abc import Iterable
from functools import singledispatch
from typing import Any

import numpy as np

from rosenblatt import Perceptron, certify, checker, verify
from rosenblatt.blocks import certify_blocks, score_blocks, verify_blocks
from rosenblatt.html_report.learning import MARGIN_NUMBERS, deviations
from rosenblatt.inputs.fitted_model import FittedModel
from rosenblatt.separability.max_margin import augmented_margin
from rosenblatt.tables import Blocks
from rosenblatt.tables.reading_ahead import ahead


@singledispatch
def features(table: Any) -> Iterable[Any]:
    """The features of all rows, block by block."""
    return [table.X]


@features.register
def _(table: Blocks) -> Iterable[Any]:
    return (X for X, _ in ahead(iter(table)))


@singledispatch
def accuracy(table: Any, model: FittedModel) -> float:
    """The share of rows that a model gets right."""
    return float(model.score(table.X, table.y))


@accuracy.register
def _(table: Blocks, model: FittedModel) -> float:
    return score_blocks(model, table)


@singledispatch
def baseline(table: Any) -> dict[str, Any] | None:
    """The largest class and its share of the rows."""
    labels, counts = np.unique(table.y, return_counts=True)
    return {"label": labels[counts.argmax()], "accuracy": counts.max() / counts.sum()}


@baseline.register
def _(table: Blocks) -> dict[str, Any] | None:
    return None


@singledispatch
def deviations_by_name(table: Any) -> dict[str, float] | None:
    """The standard deviation of each feature, by name."""
    return dict(zip(table.feature_names, deviations(table.X).tolist(), strict=True))


@deviations_by_name.register
def _(table: Blocks) -> dict[str, float] | None:
    return None


@singledispatch
def certified(table: Any, **how: Any) -> Any:
    """The certificate of all rows."""
    return certify(table, **how)


@certified.register
def _(table: Blocks, **how: Any) -> Any:
    return certify_blocks(table, **how)


@singledispatch
def verified(table: Any, claim: Any, independent: bool) -> None:
    """Check a certificate; ValueError says what fails."""
    (checker.verify if independent else verify)(claim, table.X, table.y)


@verified.register
def _(table: Blocks, claim: Any, independent: bool) -> None:
    verify_blocks(claim, table)


@singledispatch
def widest_margin(table: Any, model: FittedModel) -> float | None:
    """Novikoff's γ, for two separable classes, unless there is too much."""
    linear = isinstance(model, Perceptron) and len(model.classes_) == 2
    if not linear or model.stop_reason_ != "separated" or np.prod(table.X.shape) > MARGIN_NUMBERS:
        return None
    try:
        return augmented_margin(table.X, table.y, model.fit_intercept).margin
    except ValueError:  # right only with points on the hyperplane
        return None


@widest_margin.register
def _(table: Blocks, model: FittedModel) -> float | None:
    return None
