"""Verify a certificate against rows that need not fit in memory."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from rosenblatt.checker import claim
from rosenblatt.core.loop import Array
from rosenblatt.out_of_core.block_stream import fetch, supply_of
from rosenblatt.separability.verify import RowAccess, check_claim, doubles_of
from rosenblatt.tables.reading_ahead import ahead


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
