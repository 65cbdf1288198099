"""The quick way to verify a certificate: the answers of `checker`, in one read of the data.

A product of d numbers is computed within a known error, so most rows are certain in floating
point; the others are computed in whole numbers. A conflict is added up exactly, on its few rows.
These span all rows if they have full rank modulo a prime; only if not, their span is computed
exactly and every row is tested against it.
"""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from hashlib import sha256
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from rosenblatt import exact
from rosenblatt.certificates import outside
from rosenblatt.checker import claim, conflict, require, separator
from rosenblatt.confirmation import cancels, dense, rank_modulo, sides, with_bias
from rosenblatt.files import ahead
from rosenblatt.geometry import store
from rosenblatt.streams import fetch, supply_of
from rosenblatt.sweep import Array

BLOCK = 2**19  # numbers looked at together

SIZE = "the number of rows or features differs"
CLASSES = "the classes are not the two labels"


def verify(certificate: Any, X: Any, y: Any) -> bool:
    """Check a certificate against the data, exactly and quickly.

    Floating point is believed only where a bound on its error shows the side of a row; everything
    else is computed in whole numbers. `rosenblatt.checker.verify` gives the same answers slowly, in
    a page of Python that needs nothing but the standard library.

    Parameters
    ----------
    certificate : Certificate, dict or str
        What `certify` gave, or its JSON.
    X, y : array-like
        The data that it is about.

    Returns
    -------
    bool
        True. A certificate that the data do not prove raises ValueError, which says what fails.

    Examples
    --------
    >>> from rosenblatt import certify, datasets, verify
    >>> X, y = datasets.textbook()
    >>> verify(certify(X, y), X, y)
    True
    >>> verify(certify(X, y), X + 1, y)
    Traceback (most recent call last):
    ...
    ValueError: certificate refuted: the hash is of other data
    """
    c, rows = claim(certificate), matrix_of(X)
    labels = y if isinstance(y, np.ndarray) else np.array(list(y), object)
    require(rows.ndim == 2 and labels.shape == rows.shape[:1], SIZE)

    def read() -> Iterator[tuple[Any, Array]]:
        size = max(1, BLOCK // max(1, rows.shape[1]))
        for k in range(0, len(labels), size):
            yield rows[k : k + size], labels[k : k + size]

    n, d = rows.shape
    return check(c, Table(n, d, read, lambda i: (rows[i], labels[i])))


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
        return ahead((matrix_of(X), y) for _, X, y in supply.numbered() if len(y))

    table = Table(supply.n_samples, supply.n_features, read, lambda i: fetch(supply, np.array(i)))
    return check(c, table)


# -- Data ------------------------------------------------------------------------------------------


class Table(NamedTuple):
    """The rows and labels to verify against."""

    n: int
    d: int
    blocks: Callable[[], Iterable[tuple[Any, Array]]]  # all of them
    take: Callable[[list[int]], tuple[Any, Array]]  # those with these numbers


def matrix_of(X: Any) -> Any:
    """A matrix of doubles, dense or CSR."""
    if sp.issparse(X):
        X = sp.csr_array(X, dtype=float)
        X = X if X.has_canonical_format else X.copy()
        X.sum_duplicates()
        return X
    X = X.to_numpy() if hasattr(X, "to_numpy") else X
    return np.asarray(X if hasattr(X, "__array__") else [list(x) for x in X], float)


def two_classes(classes: Any) -> list[str]:
    """The two labels of a claim."""
    texts = isinstance(classes, list) and [type(label) for label in classes] == [str, str]
    require(texts and classes[0] != classes[1], CLASSES)
    return list(classes)


def codes_of(y: Any, classes: list[str]) -> Array:
    """The class of each row, 0 or 1, by the text of its label."""
    y = np.asarray(y)
    y = np.array([str(label) for label in y.tolist()]) if y.dtype == object else y
    labels, place = np.unique(y, return_inverse=True)
    names = [str(label) for label in labels.tolist()]
    require(set(names) <= set(classes), CLASSES)
    return np.array([classes.index(name) for name in names], np.uint8)[place]


# -- Checks ----------------------------------------------------------------------------------------


def check(c: dict[str, Any], table: Table) -> bool:
    """True if the data prove the claim; otherwise ValueError says what fails."""
    require(table.n and [c.get("n_samples"), c.get("n_features")] == [table.n, table.d], SIZE)
    classes, verdict = two_classes(c.get("classes")), c["verdict"]
    w = None if verdict == "overlapping" else separator(c, table.d + c["fit_intercept"])
    seen = look(table, classes, w, strict=verdict == "separable")
    require(c.get("sha256") == seen.digest, "the hash is of other data")
    require(seen.both, CLASSES)
    require(seen.wrong is None, f"row {seen.wrong} is on the wrong side")
    require(w is None or seen.apart, "the separator separates nothing")
    if verdict != "separable":
        check_conflict(c, table, verdict == "overlapping")
    return True


class Look(NamedTuple):
    """What one read of all rows shows."""

    digest: str
    both: bool  # whether there are rows of both classes
    wrong: int | None  # the first row on the wrong side
    apart: bool  # whether some row is off the hyperplane


def look(table: Table, classes: list[str], w: list[Fraction] | None, strict: bool) -> Look:
    """Hash all rows, and see on which side of a hyperplane they are."""
    digest, codes, wrong, apart, done = sha256(), [], None, False, 0
    for X, y in table.blocks():
        rows = dense(X)
        require(np.isfinite(rows).all(), "the data are empty or not finite")
        digest.update(np.add(rows, 0.0, dtype="<f8", order="C").data)  # -0 becomes 0
        codes.append(codes_of(y, classes))
        if w is not None and wrong is None:
            side = sides(X, w) * (2.0 * codes[-1] - 1)
            bad = np.flatnonzero(side <= 0 if strict else side < 0)
            wrong, apart = done + int(bad[0]) if len(bad) else None, apart or bool(side.any())
        done += len(codes[-1])
    require(done == table.n, SIZE)
    for part in codes:
        digest.update(b"\n" + "\n".join(np.array(classes)[part].tolist()).encode())
    both = {int(code) for part in codes for code in (part.min(), part.max())} == {0, 1}
    return Look(digest.hexdigest(), both, wrong, apart)


def check_conflict(c: dict[str, Any], table: Table, spanning: bool) -> None:
    """Whether the rows in conflict cancel out and, where they must, span all rows."""
    rows, weights = conflict(c, table.n)
    X, y = table.take(rows)
    bias = float(c["fit_intercept"])
    X, y = with_bias(X, bias), 2.0 * codes_of(y, c["classes"]) - 1
    require(cancels(X * y[:, None], weights), "the weighted rows do not add up to zero")
    if spanning and rank_modulo(exact.whole_rows(X)[0]) < table.d + c["fit_intercept"]:
        span = exact.span(X)
        for block, _ in table.blocks():
            stray = outside(store(block, bias), np.arange(block.shape[0]), span)
            require(not len(stray), "the conflict does not span all rows")
