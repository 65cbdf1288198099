"""The data that a certificate is verified against: rows as doubles, labels as classes."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from rosenblatt.checker import require
from rosenblatt.core.loop import Array
from rosenblatt.inputs.exact_numbers import refuse_rounded
from rosenblatt.inputs.validation import canonical, distinct, encode_labels
from rosenblatt.separability.fingerprint import text_of

CLASSES = "the classes are not the labels"


class RowAccess(NamedTuple):
    """The rows and labels to verify against."""

    n: int
    d: int
    blocks: Callable[[], Iterable[tuple[Any, Array]]]  # all of them
    take: Callable[[list[int]], tuple[Any, Array]]  # those with these numbers


def doubles_of(X: Any) -> Any:
    """A matrix of doubles, dense or CSR; numbers that would be others are refused."""
    refuse_rounded(X)
    if sp.issparse(X):
        return canonical(sp.csr_array(X, dtype=float))
    X = X.to_numpy() if hasattr(X, "to_numpy") else X
    return np.asarray(X if hasattr(X, "__array__") else [list(x) for x in X], float)


def codes_of(y: Any, classes: list[str]) -> Array:
    """The class of each row, as a position, by the text of its label."""
    y = np.asarray(y)
    y = np.array([text_of(label) for label in y.tolist()]) if y.dtype == object else y
    labels = distinct(y)
    names = [text_of(label) for label in labels.tolist()]
    require(set(names) <= set(classes), CLASSES)
    return np.array([classes.index(each) for each in names], np.int32)[encode_labels(y, labels)]
