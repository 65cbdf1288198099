"""Columns that are exact combinations of others in all rows: levels of a category, totals, units.

Let every row be x̂ = (u, u C), with rational C: its dependent columns are the same combinations of
the independent ones. Weights that add rows u up to zero add x̂ up to zero too, which is a sum of
u (1, C). And if rows u span all independent columns, no row is outside the span of their x̂, for all
rows together have no more dimensions than that. So what is proved of a conflict in the independent
columns, that it cancels out and spans all rows, holds in all columns.

Columns that are combinations of others but for rounding are replaced by what is left of them: an
invertible change of columns, which changes neither what cancels out nor what spans all rows. Scaled
to the size of the others, it no longer depends on them.

A relation is a row of whole numbers v with v·x̂ = 0. Where all terms of such a product are multiples
of one power of two, and their sizes sum to less than 2**53 of it, floating point has it exactly, in
whatever order it was summed. Other products are computed in digits.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from rosenblatt.core.loop import Array
from rosenblatt.core.vectors import dense
from rosenblatt.separability.exact.digit_products import rounded_products, signs
from rosenblatt.separability.exact.rational import binary_digits, common

Relations = Mapping[int, dict[int, Fraction]]  # dependent columns, and the shares of others in each

NUMBERS_RELATED = 2**22  # numbers looked at together
EXACT_BELOW = 2**53  # whole numbers that floats hold
SHORT_ROW = 64  # numbers of rows of which many may be equal


class Bound(NamedTuple):
    """The columns in which a bound on rounding errors proves a conflict: without those that are
    `dependent` on others, and with what is left of those that are `combined` with others."""

    dependent: Relations = MappingProxyType({})
    combined: Relations = MappingProxyType({})

    def repeated(self, width: int, times: int) -> "Bound":
        """The same in several blocks of columns beside each other."""
        return Bound(*(repeated(relations, width, times) for relations in self))

    def renamed(self, names: Sequence[Any]) -> tuple[dict[Any, Any], ...]:
        """The relations with other names for columns."""
        return tuple(
            {names[k]: {names[j]: x for j, x in shares.items()} for k, shares in relations.items()}
            for relations in self
        )


PLAIN = Bound()  # in all columns as they are


def with_constant(X: Any, bias: float) -> Any:
    """Rows with a last column for the bias, dense or CSR."""
    last = np.full((X.shape[0], 1), bias)
    return sp.hstack((X, last), format="csr") if sp.issparse(X) else np.hstack((X, last))


def kept_columns(relations: Relations, width: int) -> Array:
    """The columns that no relation makes superfluous."""
    return np.setdiff1d(np.arange(width), list(relations))


def replaced(combined: Relations, Z: Array) -> Array | None:
    """Rows with what is left of columns without the shares of others, but for factors and for
    rounding; None if that has too many digits, or nothing is left."""
    if not combined:
        return Z
    V = [whole_relation(k, shares) for k, shares in combined.items()]
    places = sorted(set().union(*V))
    left = rounded_products(Z[:, places], [[v.get(j, 0) for j in places] for v in V])
    if left is None or not left.any(axis=0).all():
        return None
    result = Z.copy()
    result[:, list(combined)] = left
    return result


def repeated(relations: Relations, width: int, times: int) -> Relations:
    """The same relations in several blocks of columns beside each other."""
    starts = range(0, times * width, width)
    return {
        at + k: {at + j: share for j, share in shares.items()}
        for at in starts
        for k, shares in relations.items()
    }


def broken(relations: Relations, X: Any, bias: float | None = None) -> set[int]:
    """The dependent columns that are another combination in some row, dense or CSR.

    A bias is the last column, unless X has it already.
    """
    names, wrong = list(relations), set[int]()
    for _, mask in failures(relations, X, bias):
        wrong |= {names[k] for k in np.flatnonzero(mask.any(axis=0))}
    return wrong


def strays(relations: Relations, X: Any, bias: float, empty: Any = ()) -> Array:
    """The rows that break some relation, or are not zero in columns that are `empty` elsewhere."""
    found = [at + np.flatnonzero(mask.any(axis=1)) for at, mask in failures(relations, X, bias)]
    filled = X[:, np.asarray(empty, np.int64)].nonzero()[0]
    return np.unique(np.concatenate([filled, *found])).astype(np.int64)


def failures(relations: Relations, X: Any, bias: float | None) -> Iterator[tuple[int, Array]]:
    """Blocks of rows: where each begins, and which of its rows break which relation."""
    each = X.nnz // max(1, X.shape[0]) if sp.issparse(X) else X.shape[1]
    size = max(1, NUMBERS_RELATED // max(1, each, len(relations)))
    V = [whole_relation(k, shares) for k, shares in relations.items()]
    for at in range(0, X.shape[0], size) if V else ():
        block = X[at : at + size]
        yield at, nonzero_products(block if bias is None else with_constant(block, bias), V)


def combined(V: list[dict[int, int]], X: Any, bias: float) -> Any:
    """The products of rows with whole numbers v, dense or CSR; None if they would be rounded."""
    found, size = [], max(1, NUMBERS_RELATED // X.shape[1])
    for at in range(0, X.shape[0], size):
        A = with_constant(X[at : at + size], bias)
        digits = column_digits(A)
        if not all(is_exact(v, *digits) for v in V):
            return None
        found.append(products_with(A, V))
    return sp.vstack(found, format="csr") if sp.issparse(X) else np.vstack(found)


def whole_relation(k: int, shares: dict[int, Fraction]) -> dict[int, int]:
    """A relation as whole numbers, without zeros, whose product with each row is zero."""
    v = dict(zip([k, *shares], common([Fraction(-1), *shares.values()]), strict=True))
    return {j: x for j, x in v.items() if x}


def nonzero_products(A: Any, V: list[dict[int, int]]) -> Array:
    """Which rows of A have a product with which v that is not zero."""
    digits, result = column_digits(A), np.empty((A.shape[0], len(V)), bool)
    quick = np.array([is_exact(v, *digits) for v in V], bool)
    result[:, quick] = dense(products_with(A, [V[k] for k in np.flatnonzero(quick)])) != 0
    for k in np.flatnonzero(~quick).tolist():
        rows, same = distinct_rows(dense(A[:, list(V[k])]))
        result[:, k] = (signs(rows, list(V[k].values())) != 0)[same]
    return result


def distinct_rows(Z: Array) -> tuple[Array, Array | slice]:
    """The different rows, if they are short, and where they are."""
    if Z.shape[1] > SHORT_ROW:
        return Z, slice(None)
    rows, same = np.unique(Z, axis=0, return_inverse=True)
    return rows, same.ravel()


def column_digits(A: Any) -> tuple[Array, Array]:
    """The powers of two of the lowest and of the highest binary digit of each column; 0 if it has
    none."""
    if not sp.issparse(A):
        return binary_digits(np.asarray(A, float).T)
    lowest, highest = np.zeros((2, A.shape[1]), np.int64)
    low, high = binary_digits(np.asarray(A.data, float)[:, None])
    np.minimum.at(lowest, A.indices, low)
    np.maximum.at(highest, A.indices, high)
    return lowest, highest


def is_exact(v: dict[int, int], lowest: Array, highest: Array) -> bool:
    """Whether floating point computes products with v without rounding."""
    columns, size = list(v), max(map(abs, v.values()))
    reach = int(highest[columns].max() - lowest[columns].min())
    if reach > 53 or size >= EXACT_BELOW:
        return False
    unit = lowest[columns].min()
    sizes = zip(v.values(), (highest[columns] - unit).tolist(), strict=True)
    return sum(abs(x) << power for x, power in sizes) < EXACT_BELOW


def products_with(A: Any, V: list[dict[int, int]]) -> Any:
    """The products of all rows with all v, dense or CSR."""
    triples = [(j, k, float(x)) for k, v in enumerate(V) for j, x in v.items()]
    rows, columns, numbers = zip(*triples, strict=True) if triples else ((), (), ())
    M = sp.csr_array((numbers, (rows, columns)), shape=(A.shape[1], len(V)))
    return A @ (M if sp.issparse(A) else M.toarray())
