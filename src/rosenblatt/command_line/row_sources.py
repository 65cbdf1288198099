"""The rows of a command, in memory or in blocks that need not fit there: how they are opened and
learned from, and what is asked of them."""

import logging
from collections.abc import Iterator
from importlib.resources import as_file, files
from typing import Any

import click
import numpy as np

from rosenblatt import KernelPerceptron, Perceptron, certify, checker, tables, verify
from rosenblatt.blocks import certify_blocks, fit_blocks, score_blocks, verify_blocks
from rosenblatt.command_line.messages import say
from rosenblatt.command_line.reports.report_lines import Facts, listed_names, places, some
from rosenblatt.command_line.terminal import ABOUT, complain, waiting
from rosenblatt.command_line.translation import MessageSubject
from rosenblatt.extras import need
from rosenblatt.html_report.learning import MARGIN_NUMBERS, deviations, fold_scores
from rosenblatt.inputs.fitted_model import FittedModel
from rosenblatt.out_of_core.dask_partitions import require_pieces
from rosenblatt.play.json_text import json_value
from rosenblatt.separability.max_margin import augmented_margin
from rosenblatt.tables import Blocks
from rosenblatt.tables.memory import fits
from rosenblatt.tables.reading_ahead import ahead

FEW_CLASSES = 100  # a table may have; more are labels only with
FEWEST_ROWS = 5  # rows of each, on average


def talk_about(table: Any) -> Any:
    """The same table; messages speak of its target, its columns and its lines."""
    ABOUT.set(
        MessageSubject(
            target=str(table.target),
            columns=listed_names(table.source.names),
            place=lambda rows, more: some(places(table, rows), more)["places"],
        )
    )
    return table


def open_table(path: Any, **how: Any) -> Any:
    """A table; the embedded credit data without a path."""
    name = say("credit") if path is None else path
    with waiting(say("reading", file=file_names(path) or name)):
        if path is not None:
            return require_classes(talk_about(tables.read(path, **how)), how)
        with as_file(files("rosenblatt").joinpath("data/credit.csv")) as credit:
            table = tables.read(credit, **how)
    return talk_about(table._replace(told=table.told._replace(file=name)))


def require_classes(table: Any, how: Any) -> Any:
    """The same table, unless its last column, which nobody named, was taken for labels and is none;
    labels that are read like those of a model are its classes."""
    unnamed = how.get("target", -1) == -1 and not how.get("like")
    labels = distinct_labels(table) if unnamed else ()
    if len(labels) > FEW_CLASSES and table.told.rows < FEWEST_ROWS * len(labels):
        raise click.UsageError(
            f"the target {str(table.target)!r} has {len(labels)} different values in "
            f"{table.told.rows} rows, too many for classes; name the column of labels (target)"
        )
    return table


def distinct_labels(table: Any) -> Any:
    """The labels there are."""
    return table.classes if isinstance(table, Blocks) else np.unique(table.y)


def file_names(path: Any) -> str | None:
    """A file, or several."""
    return ", ".join(path) if isinstance(path, list) else path


def open_rows(path: Any, stream: bool | None, **how: Any) -> Any:
    """A table; or blocks of its rows, if that is asked for, or it does not fit in memory."""
    at_once = path in (None, "-") or stream is False
    if stream and at_once:
        raise click.UsageError(say("file"))
    if at_once or (not stream and fits(path)):
        return open_table(path, **how)
    with waiting(say("reading", file=file_names(path))):
        return require_classes(talk_about(tables.scan(path, **how)), how)


def learned(path: Any, scale: Any, params: Any, how: Any) -> tuple[Any, Any]:
    """A table and what was learned from it: in memory, block by block, or in several processes."""
    stream, workers = scale["stream"] or scale["checkpoint"], scale["workers"]
    in_memory = path in (None, "-") or "kernel" in params or scale["stream"] is False
    if ((stream or workers) and in_memory) or (stream and workers):
        raise click.UsageError(say("scale"))
    if workers:
        return distributed(path, workers, params, how)
    table = open_rows(path, False if in_memory else bool(stream) or None, **how)
    if not isinstance(table, Blocks):
        return table, trained(table, **params)
    with waiting(say("learning")):
        return table, fit_blocks(Perceptron(**params), table, checkpoint=scale["checkpoint"])


def distributed(path: Any, workers: int, params: Any, how: Any) -> tuple[Any, Any]:
    """Blocks of rows, and what processes of this machine learned from them."""
    cluster = need("rosenblatt.dask", "dask", "--workers")
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)  # what Ctrl-C cuts short is no error
    blocks = open_rows(path, True, **how)
    require_pieces(blocks)  # a cluster takes seconds to start
    with waiting(say("learning")), cluster.local_client(workers):
        return blocks, cluster.DaskPerceptron(**params).fit(blocks).local()


def trained(table: Any, **params: Any) -> Any:
    """A fitted Perceptron, or a KernelPerceptron if a kernel is named."""
    estimator = KernelPerceptron if "kernel" in params else Perceptron
    with waiting(say("learning")):
        return estimator(**params).fit(table.X, table.y)


# -- What is asked of them ------------------------------------------------------------------------


def predictions(model: FittedModel, table: Any) -> Iterator[Facts]:
    """Labels and scores, as columns, block by block; nothing where a row was left out."""
    blocks = (X for X, _ in ahead(iter(table))) if isinstance(table, Blocks) else [table.X]
    for X in blocks:
        scores = np.reshape(model.decision_function(X), (X.shape[0], -1))
        names = [f"score={c}" for c in model.classes_] if scores.shape[1] > 1 else ["score"]
        columns = {"prediction": model.predict(X)} | dict(zip(names, scores.T, strict=True))
        if table.told.dropped:
            columns = {name: with_gaps(each, table.dropped) for name, each in columns.items()}
        yield json_value(columns)


def with_gaps(values: Any, dropped: Any) -> Any:
    """Values of the rows that were kept, and None at the places of those that were not."""
    found = np.full(len(values) + len(dropped), None)
    found[np.delete(np.arange(len(found)), dropped)] = values
    return found.tolist()


def accuracy(table: Any, model: FittedModel) -> float:
    """The share of rows that a model gets right; warns of labels that it does not know."""
    known = set(map(str, model.classes_))
    if strange := [str(label) for label in distinct_labels(table) if str(label) not in known]:
        what = "has labels that the model does not know, and whose rows count as wrong"
        complain("warning", f"{table.told.file} {what}: {listed_names(strange)}")
    if isinstance(table, Blocks):
        return score_blocks(model, table)
    return float(model.score(table.X, table.y))


def cross_validated(table: Any, model: FittedModel, folds: int) -> Facts:
    """The accuracy on rows that are held back."""
    sizes = np.unique(table.y, return_counts=True)[1]
    if len(sizes) == 2 and sizes.min() == 1:
        raise ValueError(say("one row"))
    if sizes.max() < folds:
        raise ValueError(say("folds", folds=folds, most=sizes.max()))
    with waiting(say("learning")):
        scores = fold_scores(model, table.X, table.y, folds)
    return {"folds": folds, "mean": float(scores.mean()), "std": float(scores.std())}


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
    of_two = len(model.classes_) == 2 and model.stop_reason_ == "separated"
    if isinstance(table, Blocks) or not of_two or np.prod(table.X.shape) > MARGIN_NUMBERS:
        return None
    try:
        return augmented_margin(table.X, table.y, model.fit_intercept).margin
    except ValueError:  # right only with points on the hyperplane
        return None
