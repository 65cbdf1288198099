"""Rows as a matrix of floats: dense in C order or CSR, and finite."""

import datetime
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.utils import check_array

from rosenblatt.core.loop import Array
from rosenblatt.core.vectors import lengths2, store
from rosenblatt.inputs.exact_numbers import added_up, columns_of, refuse_times
from rosenblatt.inputs.other_arrays import in_numpy


def read_rows(X: Any, bias: float) -> tuple[Any, Array | None]:
    """A finite matrix, and the squared lengths |x̂|² of its rows if one read tells both."""
    if not is_plain(X):
        return matrix_of(X), None
    lengths = lengths2(store(X, bias), len(X))
    return X if lengths.max() < math.inf else matrix_of(X), lengths


def matrix_of(X: Any) -> Any:
    """A finite matrix of floats, dense in C order or CSR."""
    if is_plain(X) and is_finite(X):
        return X
    if type(X).__name__ == "LazyFrame":
        raise TypeError("X is a lazy frame, which holds no rows yet: collect it first, X.collect()")
    given = in_numpy(X, "X")
    if sp.issparse(given):
        given = added_up(given)
    try:
        refuse_times(given)
        X = check_array(
            given,
            accept_sparse="csr",
            accept_large_sparse=True,
            dtype=(np.float64, np.float32),
            order="C",
            input_name="X",
        )
    except OverflowError as error:
        raise ValueError("X holds numbers beyond the range of double precision") from error
    except (TypeError, ValueError) as error:
        refuse_words(X, error)
        raise
    return canonical(sp.csr_array(X)) if sp.issparse(X) else X  # not csr_matrix, whose * is @


def refuse_words(X: Any, error: Exception) -> None:
    """Name the columns of a data frame that hold text or dates, if this is why it is refused."""
    if not (hasattr(X, "columns") and hasattr(X, "to_numpy")):
        return
    columns = zip(X.columns, columns_of(X), strict=True)
    if named := ", ".join(repr(name) for name, values in columns if holds_words(values)):
        raise ValueError(
            f"X has columns that are no numbers: {named}. Encode them first; "
            "rosenblatt.read(X, target=None).X has a feature for each word, and dates as days"
        ) from error


def holds_words(values: Array) -> bool:
    """Whether a column holds text, dates or times."""
    words = str | datetime.date | datetime.timedelta
    objects = values if values.dtype.kind == "O" else ()
    return values.dtype.kind in "USTMm" or any(isinstance(v, words) for v in objects)


def canonical(X: Any) -> Any:
    """The same matrix, columns in order and no zero stored: equal rows are stored alike."""
    if X.has_canonical_format and X.data.all():
        return X
    X = X.copy()
    X.sum_duplicates()
    X.eliminate_zeros()
    return X


def stack(parts: Sequence[Any]) -> Any:
    """One matrix of several, on top of each other: CSR if any of them is."""
    if any(map(sp.issparse, parts)):
        return sp.vstack([sp.csr_array(part) for part in parts], format="csr")
    return np.vstack(parts)


def is_plain(X: Any) -> bool:
    """Whether this is plainly a matrix as it must be, but for numbers that are not finite."""
    floats = type(X) is np.ndarray and X.dtype in (np.float64, np.float32)
    return bool(floats and X.ndim == 2 and X.flags.c_contiguous and X.size)


@np.errstate(over="ignore", invalid="ignore")  # then it is looked at more closely
def is_finite(X: Array) -> bool:
    """Whether numbers are plainly finite: so is their sum."""
    return bool(np.isfinite(X.sum()))
