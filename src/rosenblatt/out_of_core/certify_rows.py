"""Certificates of rows that are not all at hand: made, and verified."""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

import numpy as np

from rosenblatt.checker import claim
from rosenblatt.core.loop import Array
from rosenblatt.out_of_core.block import RowSource, source_of
from rosenblatt.out_of_core.block_stream import fetch, supply_of
from rosenblatt.separability.certificate import Certificate
from rosenblatt.separability.certify import About
from rosenblatt.separability.fingerprint import form_of, hash_of
from rosenblatt.separability.row_sources.prove import margin_of, prove_source
from rosenblatt.separability.verify import RowAccess, check_claim, doubles_of
from rosenblatt.tables.reading_ahead import ahead


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
    c, supply = claim(certificate), supply_of(blocks)

    def read() -> Iterator[tuple[Any, Array]]:
        return ahead((doubles_of(X), y) for _, X, y in supply.numbered() if len(y))

    table = RowAccess(
        supply.n_samples, supply.n_features, read, lambda i: fetch(supply, np.array(i))
    )
    return check_claim(c, table)
