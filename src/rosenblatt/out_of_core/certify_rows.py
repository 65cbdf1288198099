"""Certificates of rows that are not all at hand."""

from collections.abc import Iterable
from itertools import chain
from typing import Any

import numpy as np

from rosenblatt.core.loop import Array
from rosenblatt.out_of_core.block import RowSource, source_of
from rosenblatt.separability.certificate import Certificate
from rosenblatt.separability.certify import About
from rosenblatt.separability.fingerprint import form_of, hash_of
from rosenblatt.separability.row_sources.prove import margin_of, prove_source


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
