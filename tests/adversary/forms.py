"""The same table as other people hold it: other types, orders of memory, sparse, in a frame."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import scipy.sparse as sp


def columns_first(X):
    return np.asfortranarray(X)


def strided(X):
    """Every other row and column of a larger array."""
    held = np.full((2 * X.shape[0], 2 * X.shape[1]), np.nan)
    held[::2, ::2] = X
    return held[::2, ::2]


def with_zeros(X):
    """CSR whose zeros are stored, in columns out of order."""
    n, d = X.shape
    order = np.tile(np.arange(d)[::-1], n)
    return sp.csr_array((X[:, ::-1].ravel(), order, np.arange(0, n * d + 1, d)), shape=(n, d))


def with_duplicates(X):
    """COO in which every number is written as itself and zero."""
    at = sp.coo_array(X)
    twice = [np.append(each, each) for each in at.coords]
    return sp.coo_array((np.append(at.data, 0 * at.data), twice), shape=X.shape)


def with_halves(X):
    """CSR in which every number is written as two halves, of the narrowest type that holds them;
    what has no exact half is written as itself and zero."""
    n, d = X.shape
    half = np.where(X / 2 * 2 == X, X / 2, X)
    twice = np.stack((half, X - half), axis=2).ravel()
    for kind in ("int8", "int16", "int64"):
        if of_type(kind)(X).dtype == of_type(kind)(twice[:, None]).dtype == kind:
            twice = twice.astype(kind)
            break
    columns = np.tile(np.repeat(np.arange(d), 2), n)
    return sp.csr_array((twice, columns, np.arange(0, 2 * n * d + 1, 2 * d)), shape=(n, d))


def of_type(kind):
    """X in another type of numbers, if it loses nothing; whole numbers beyond 2**53 are refused."""

    def converted(X):
        with np.errstate(all="ignore"):
            other = X.astype(kind)
        refused = other.dtype.kind in "iu" and np.abs(X).max(initial=0) > 2**53
        return other if (other.astype(float) == X).all() and not refused else X

    converted.__name__ = str(kind)
    return converted


def objects(X):
    """Python's own numbers, whole ones as int."""
    rows = [[int(v) if v == int(v) and abs(v) < 2**53 else v for v in x] for x in X.tolist()]
    return np.array(rows, object)


def frame(X):
    return pd.DataFrame(X, columns=[f"column {j}" for j in range(X.shape[1])])


def mixed_frame(X):
    """A frame with columns of whole numbers, where they are."""
    return pd.DataFrame({f"column {j}": of_type("int64")(X[:, j]) for j in range(X.shape[1])})


def nullable_frame(X):
    """Columns that might have missing values, and have none."""
    return frame(X).convert_dtypes(convert_integer=False)


def polars_frame(X):
    return pl.DataFrame({f"column {j}": x for j, x in enumerate(X.T.tolist())})


def arrow_table(X):
    return pa.table({f"column {j}": x for j, x in enumerate(X.T.tolist())})


def tuples(X):
    return tuple(map(tuple, X.tolist()))


def long_indices(X):
    """CSR whose indices have 64 bits."""
    rows = sp.csr_array(X)
    rows.indices, rows.indptr = rows.indices.astype(np.int64), rows.indptr.astype(np.int64)
    return rows


FORMS = (
    columns_first, strided, np.ndarray.tolist, tuples, objects, np.ma.masked_array,
    frame, mixed_frame, nullable_frame, polars_frame, arrow_table,
    sp.csr_array, sp.csc_array, sp.coo_array, sp.csr_matrix, sp.lil_array, sp.dok_array,
    sp.bsr_array, with_zeros, with_duplicates, with_halves, long_indices,
    *map(of_type, ("float32", "float16", "int64", "int8", "uint8", "bool", ">f8")),
)  # fmt: skip


def in_some_form(rng, X):
    """The same rows in one of the forms."""
    return FORMS[rng.integers(len(FORMS))](X)


def names(y):
    """Labels in words, in the order of their numbers."""
    return np.array(["ant", "bee", "cat", "dog"])[y]


LABELS = (
    lambda y: y,
    np.ndarray.tolist,
    names,
    lambda y: names(y).astype(object),
    lambda y: names(y).tolist(),
    lambda y: pd.Series(names(y), index=np.arange(len(y))[::-1]),
    lambda y: pd.Series(pd.Categorical(names(y))),
    lambda y: y.astype(float),
    lambda y: y.astype(bool) if y.max() == 1 else y.astype(np.int8),
    lambda y: (y - 1).astype(np.float32),
    lambda y: y[:, None],
    lambda y: pd.DataFrame({"y": names(y)}),
    lambda y: pd.array(y, dtype="Int64"),
    lambda y: names(y).astype(bytes),
)


def labels_in_some_form(rng, y):
    """The same labels under other names or in other types; their order is the same."""
    return LABELS[rng.integers(len(LABELS))](y)
