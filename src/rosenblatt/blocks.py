"""Larger than memory: learn, certify, score and predict over blocks of rows.

The loop is the one for rows in memory, so that one block, many blocks and one matrix make the same
mistakes in the same order. Where rows are shuffled, so are the pieces of the table that can be read
by themselves, and the rows within each block.
"""

import zlib
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from scipy.sparse import issparse

from rosenblatt.checker import claim
from rosenblatt.core.loop import Array
from rosenblatt.estimators.linear_model import LinearModel
from rosenblatt.estimators.perceptron import Perceptron
from rosenblatt.inputs.fitted_model import FittedModel
from rosenblatt.inputs.labels import labels_of
from rosenblatt.inputs.validation import matrix_of, shape_of
from rosenblatt.out_of_core.block import RowSource, Task, set_task, source_of
from rosenblatt.out_of_core.block_learning import column_scales
from rosenblatt.out_of_core.block_stream import NO_ROWS, Stream, Supply, fetch, supply_of, weigh
from rosenblatt.out_of_core.checkpoint import Checkpoint
from rosenblatt.out_of_core.finish import carry_out
from rosenblatt.out_of_core.sequential_passes import begin_training, make_passes
from rosenblatt.separability.certificate import Certificate
from rosenblatt.separability.certify import About
from rosenblatt.separability.fingerprint import form_of, hash_of
from rosenblatt.separability.row_sources.prove import margin_of, prove_source
from rosenblatt.separability.verify import RowAccess, check_claim, doubles_of
from rosenblatt.tables.reading_ahead import ahead

__all__ = ["certify_blocks", "fit_blocks", "predict_blocks", "score_blocks", "verify_blocks"]


Model = TypeVar("Model", bound=LinearModel)

# What a checkpoint need not know: blocks have no penalty.
IRRELEVANT = ("verbose", "n_jobs", "penalty", "alpha", "l1_ratio")


def fit_blocks(model: Model, blocks: Any, *, checkpoint: Any = None, every: float = 60.0) -> Model:
    """Fit a perceptron to a table that need not fit in memory.

    The blocks are read again for every pass; each is read while training on the previous one.
    Without shuffling, the updates are those of ``model.fit`` on all rows at once. With it, row
    groups of Parquet files (or parts of an array, or members of a list) come in a new order each
    pass, and rows in a new order within each block; blocks of text come as they stand.

    Parameters
    ----------
    model : Perceptron
        With ``order="sweep"``, ``batch_size=1`` and ``keep`` one of "pocket", "average" and "last".
    blocks : Blocks, or list of pairs X, y
        What :func:`scan` returns, or anything that yields pairs each time it is iterated over.
    checkpoint : str, Path or None
        Checkpoint file: the state of training, saved every so many seconds. If it exists, training
        continues from it, to the same result as without interruption.
    every : float
        Seconds between checkpoints.

    Returns
    -------
    model
        Fitted; ``dual_coef_`` is None. ``n_reads_`` is how often the blocks were read, for passes,
        checks and counts. ``block_starts_`` are the numbers of their first rows, by which
        ``np.searchsorted(model.block_starts_, i, "right") - 1`` is the block of row i.

    Examples
    --------
    >>> from rosenblatt import Perceptron, datasets, fit_blocks
    >>> X, y = datasets.credit()
    >>> model = fit_blocks(Perceptron(), [(X[:50], y[:50]), (X[50:], y[50:])])
    >>> model.stop_reason_, model.score(X, y)
    ('separated', 1.0)
    """
    supply = supply_of(blocks)
    task = task_of(model, supply)
    stream = Stream(supply, task)
    columns = column_scales(stream)
    passes = stream if columns is None else Stream(supply, task._replace(columns=columns))
    states = model._starts(task.specimen, len(task.kinds), None, None)
    training = begin_training(model.random_state, passes.task, states)
    file = Checkpoint(checkpoint, about(stream), every) if checkpoint else None
    go_on = partial(make_passes, training, passes, file)
    runs = [progress.run for progress in training.runs]
    told = carry_out(model, stream, runs, states, go_on, columns)
    model.n_reads_ = stream.reads + (0 if passes is stream else passes.reads)
    model.block_starts_ = np.array(sorted(stream.starts | passes.starts))
    model._warn(task.specimen, *told)
    return model


def task_of(model: LinearModel, supply: Supply) -> Task:
    """What a model is to learn, and how."""
    if not isinstance(model, Perceptron):
        raise TypeError(f"fit_blocks needs a Perceptron, not a {type(model).__name__}")
    p = model._checked()
    if p["record"] and p["multi_class"] == "direct" and len(supply.classes) > 2:
        raise ValueError(
            "with multi_class='direct', record=True needs all rows in memory; use multi_class='ovr'"
        )
    p["class_weight"] = weigh(supply, p["class_weight"])
    return set_task(p, supply.classes, supply.n_features)


def about(stream: Stream) -> dict[str, Any]:
    """Of which data and parameters a checkpoint is."""
    supply, task, row = stream.supply, stream.task, matrix_of(stream.head[:1])
    files = [(Path(name).name, size, time) for name, size, time in supply.stamps]
    return {
        "rows": supply.n_samples,
        "features": supply.n_features,
        "classes": task.classes.tolist(),
        "files": files,
        "the first row": zlib.crc32((row.toarray() if issparse(row) else row).tobytes()),
    } | {name: value for name, value in task.params.items() if name not in IRRELEVANT}


# -- What a model says of blocks -------------------------------------------------------------------


def predict_blocks(model: FittedModel, blocks: Any) -> Iterator[Array]:
    """The predictions of a fitted model, block by block.

    Parameters
    ----------
    model : Perceptron or KernelPerceptron
        A fitted model.
    blocks : Blocks, or iterable of pairs X, y
        What :func:`scan` gives, with or without a target, or pairs of which y is not looked at.

    Examples
    --------
    >>> from rosenblatt import Perceptron, datasets
    >>> from rosenblatt.blocks import predict_blocks
    >>> X, y = datasets.textbook()
    >>> model = Perceptron().fit(X, y)
    >>> [labels.tolist() for labels in predict_blocks(model, [(X[:2], None), (X[2:], None)])]
    [[1, 1], [-1]]
    """
    for X, _ in ahead(iter(blocks)):
        yield model.predict(X) if np.shape(X)[0] else model.classes_[:0]


def score_blocks(model: FittedModel, blocks: Any) -> float:
    """The accuracy of a fitted model on all rows.

    Parameters
    ----------
    model, blocks
        As in :func:`fit_blocks`.

    Examples
    --------
    >>> from rosenblatt import Perceptron, datasets
    >>> from rosenblatt.blocks import score_blocks
    >>> X, y = datasets.textbook()
    >>> score_blocks(Perceptron().fit(X, y), [(X[:2], y[:2]), (X[2:], y[2:])])
    1.0
    """
    found = [right_of(model, X, y) for X, y in ahead(iter(blocks))]
    return share(found, NO_ROWS)


def right_of(model: FittedModel, X: Any, y: Any) -> tuple[int, int]:
    """How many rows of a block a model gets right, and how many there are."""
    labels = labels_of(y)
    n = shape_of(X, labels)[0]
    return (int(np.sum(model.predict(X) == labels)) if n else 0), n


def share(found: list[tuple[int, int]], nothing: str) -> float:
    """The share of all rows that are right."""
    right, rows = (sum(each) for each in zip((0, 0), *found, strict=True))
    if not rows:
        raise ValueError(nothing)
    return right / rows


# -- What is proved of blocks ----------------------------------------------------------------------


def certify_blocks(blocks: Any, *, fit_intercept: bool = True) -> Certificate:
    """Decide whether classes are linearly separable, with a proof; see :func:`certify`.

    The hardest rows are gathered and the question is decided for them; what was found is checked on
    all blocks, and the rows for which it does not hold are gathered too, until it holds for all.

    Parameters
    ----------
    blocks : Blocks, or list of pairs X, y
        As in :func:`fit_blocks`.
    fit_intercept : bool
        Whether the hyperplane may be anywhere, or must go through the origin.

    Examples
    --------
    >>> from rosenblatt import datasets, verify
    >>> from rosenblatt.blocks import certify_blocks
    >>> X, y = datasets.xor()
    >>> certificate = certify_blocks([(X[:2], y[:2]), (X[2:], y[2:])])
    >>> certificate.verdict, verify(certificate, X, y)
    ('overlapping', True)
    """
    supply = supply_of(blocks, exactly=True)
    task = set_task(
        Perceptron(fit_intercept=fit_intercept).get_params(), supply.classes, supply.n_features
    )
    stream = Stream(supply, task)
    rows = (
        (doubles_of(X), np.searchsorted(task.classes, y)) for _, X, y in supply.numbered() if len(y)
    )
    return certificate_of_rows(stream, ahead(rows))


def certificate_of_rows(rows: RowSource, pairs: Iterable[tuple[Any, Array]] | None) -> Certificate:
    """The certificate of all rows. Without their features and codes, it has no hash."""
    source, task = source_of(rows), rows.task
    about = About(task.classes, (source.n, source.d), source.bias > 0)
    proof = prove_source(source)
    digest, form = digest_of(pairs, about) if pairs else ("", None)
    return about.certificate(proof, margin_of(proof, source), digest, hashed=form)


def digest_of(rows: Iterable[tuple[Any, Array]], about: About) -> tuple[str, str | None]:
    """The hash of all rows, from their features and codes, block by block; and its form."""
    small = np.min_scalar_type(len(about.classes))
    blocks = ((X, codes.astype(small)) for X, codes in rows)  # codes are kept to the end
    first = next(blocks)
    form = form_of(first[0], about.shape)
    return hash_of(chain([first], blocks), about.names, form), form


def verify_blocks(certificate: Any, blocks: Any) -> bool:
    """Check a certificate against a table that need not fit in memory; see :func:`verify`.

    Parameters
    ----------
    certificate : Certificate, dict or str
        What `certify` or `certify_blocks` gave, or its JSON.
    blocks : Blocks, or list of pairs X, y
        As in :func:`fit_blocks`.

    Examples
    --------
    >>> from rosenblatt import certify, datasets
    >>> from rosenblatt.blocks import verify_blocks
    >>> X, y = datasets.textbook()
    >>> verify_blocks(certify(X, y), [(X[:2], y[:2]), (X[2:], y[2:])])
    True
    """
    c, supply = claim(certificate), supply_of(blocks, exactly=True)

    def read() -> Iterator[tuple[Any, Array]]:
        return ahead((doubles_of(X), y) for _, X, y in supply.numbered() if len(y))

    def take(numbers: list[int]) -> tuple[Any, Array]:
        X, y = fetch(supply, np.array(numbers))
        return doubles_of(X), y

    return check_claim(c, RowAccess(supply.n_samples, supply.n_features, read, take))
