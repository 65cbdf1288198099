"""Products of features: exact in double precision, or not at all."""

from itertools import combinations_with_replacement

import numpy as np

from rosenblatt.core.loop import Array
from rosenblatt.separability.exact.double_double import two_product

SMALLEST = 2.0**-900  # a product whose error does not underflow
INEXACT = "its monomials are not exact in double precision: round the features"


@np.errstate(over="ignore", invalid="ignore")  # what overflows is not exact
def monomials(X: Array, degree: int, lower: bool, rounded: bool = False) -> Array | None:
    """All products of so many features, or with `lower` of fewer too.

    None if one of them is not exact, unless they may be rounded.
    """
    X = X.astype(np.float64, copy=False)
    columns: dict[tuple[int, ...], Array] = {(j,): X[:, j] for j in range(X.shape[1])}
    for size in range(2, degree + 1):
        for powers in combinations_with_replacement(range(X.shape[1]), size):
            a, b = columns[powers[:-1]], X[:, powers[-1]]
            product = a * b if rounded else exact_product(a, b)
            if product is None:
                return None
            columns[powers] = product
    return np.column_stack([c for powers, c in columns.items() if lower or len(powers) == degree])


@np.errstate(over="ignore", invalid="ignore")
def exact_product(a: Array, b: Array) -> Array | None:
    """Products of floats, if none is rounded."""
    product = two_product(a, b)
    known = (product.lo == 0) & ((np.abs(product.hi) > SMALLEST) | (a == 0) | (b == 0))
    return product.hi if known.all() else None
