"""Numbers that would not be the same in floating point, which proofs are not about."""

import numbers
from typing import Any

import numpy as np
import scipy.sparse as sp

from rosenblatt.core.loop import Array


def is_large(X: Any) -> bool:
    """Whether a float is so large that a whole number may have been rounded to it."""
    values = X.data if sp.issparse(X) else X
    return values.max(initial=0) >= 2**53 or values.min(initial=0) <= -(2**53)


def refuse_large(X: Any) -> None:
    """Refuse whole numbers that would not be the same in floating point."""
    if any(holds_large(column) for column in columns_of(X)):
        raise ValueError("X holds whole numbers beyond 2**53, which floating point would change")


def holds_large(X: Any) -> bool:
    """Whether there are whole numbers that floating point might change."""
    values = values_in(X)
    if values.dtype.kind in "iu" and values.size:
        return max(-int(values.min()), int(values.max())) > 2**53
    objects = map(scalar, values.flat) if values.dtype.kind == "O" else ()
    return any(isinstance(v, numbers.Integral) and abs(int(v)) > 2**53 for v in objects)


def refuse_rounded(X: Any) -> None:
    """Refuse numbers that would not be the same in double precision, and are no text of a file."""
    if type(X) is np.ndarray and X.dtype in (np.float64, np.float32):
        return
    refuse_times(X)
    refuse_large(X)
    changed = (v for column in columns_of(X) for v in wide_numbers(column) if is_rounded(v))
    if (first := next(changed, None)) is not None:
        raise ValueError(f"X holds {first!r}, which double precision would change")


def refuse_times(X: Any) -> None:
    """Refuse dates and times, which NumPy would count in units of its own."""
    if isinstance(X, list | tuple) or hasattr(X, "columns"):
        found = [np.asarray(column[:1]) for column in columns_of(X[:1])]
    else:
        found = [np.asarray(X)] if hasattr(X, "__array__") else []
    if any(holds_times(values) for values in found):
        raise ValueError(
            "X holds dates or times: make numbers of them first, such as days since the first"
        )


def columns_of(X: Any) -> list[Any]:
    """The columns of a data frame, or of rows held by column; otherwise all numbers at once."""
    if hasattr(X, "columns") and hasattr(X, "to_numpy"):
        return [X[name].to_numpy() for name in X.columns]
    return getattr(X, "columns", [X])


def holds_times(values: Array) -> bool:
    """Whether there are dates or times of NumPy."""
    times = np.datetime64 | np.timedelta64
    objects = values.flat if values.dtype.kind == "O" else ()
    return values.dtype.kind in "Mm" or any(isinstance(v, times) for v in objects)


def added_up(X: Any) -> Any:
    """A sparse matrix whose entries are in its shape, and in one place are added up in their own
    type, as in an array."""
    if X.format in ("csr", "csc", "bsr"):
        type(X)(X).check_format(full_check=True)  # of a copy that has the same arrays
    if X.format == "coo":
        type(X)((X.data, X.coords), shape=X.shape)  # which checks them
    if X.dtype.kind not in "biu" and X.dtype != np.longdouble:
        return X
    X = sp.csr_array(X, copy=True)
    X.sum_duplicates()
    return X


def values_in(X: Any) -> Any:
    """The numbers as they were given, those of lists as Python has them."""
    values = sp.csr_array(added_up(X)).data if sp.issparse(X) else X
    return np.asarray(values, None if hasattr(values, "__array__") else object)


def wide_numbers(X: Any) -> Any:
    """The numbers that may be wider than doubles."""
    values = values_in(X)
    wide = values.dtype.kind == "O" or values.dtype == np.longdouble
    return values.flat if wide else ()


def is_rounded(v: Any) -> bool:
    """Whether a number is not the same in double precision."""
    v = scalar(v)
    if isinstance(v, float | str | bytes) or v is None:
        return False
    try:
        return not (float(v) == v or v != v)
    except OverflowError:
        return True
    except (TypeError, ValueError):  # no number at all
        return False


def scalar(v: Any) -> Any:
    """A number of NumPy or Arrow, perhaps in an array without dimensions, as Python has it."""
    if type(v) is np.longdouble:
        return v
    return v.item() if hasattr(v, "item") else v.as_py() if hasattr(v, "as_py") else v
