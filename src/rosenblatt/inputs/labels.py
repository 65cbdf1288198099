"""Labels: one for each row, and the classes that they are of."""

from collections.abc import Iterable, Sequence
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import column_or_1d

from rosenblatt.core.loop import Array
from rosenblatt.inputs.other_arrays import in_numpy

ADVICE = "make whole numbers of them with y.astype(int), or text with y.astype(str)"


def labels_of(y: Any) -> Array:
    """One label for each row."""
    if y is None:
        raise ValueError("requires y to be passed, but the target y is None")
    given = y = in_numpy(y, "y")
    y = y if type(y) is np.ndarray and y.ndim == 1 else column_or_1d(without_mask(y), warn=True)
    if y.dtype.kind in "fUS" and isinstance(given, Sequence):
        refuse_joined(y, np.asarray(given, object).ravel())
    if len(y) and y.dtype.kind in "biuUS":
        return y  # nothing in it can be continuous or missing
    y = y.astype(object) if y.dtype.kind == "T" else y
    if y.dtype == object:
        refuse_mixed(y)
    if y.dtype.kind in "MmV":
        raise ValueError(f"y holds {y.dtype}, which are no labels: make text of them first")
    kind = type_of_target(y, input_name="y")
    if kind.startswith("continuous"):
        raise ValueError(
            "y is continuous: a perceptron learns classes, not numbers. "
            "Unknown label type: continuous"
        )
    if kind == "unknown" and y.dtype == object:
        raise ValueError(
            f"y holds Python objects ({type_names(y)}), which are no labels: {ADVICE}. "
            "Unknown label type: unknown"
        )
    if kind not in ("binary", "multiclass"):
        check_classification_targets(y)  # which says what is wrong
    return y


def without_mask(y: Any) -> Any:
    """Nullable booleans and whole numbers of pandas as NumPy has them, if none is missing."""
    plain = getattr(getattr(y, "dtype", None), "numpy_dtype", None)
    if plain is None or plain.kind not in "biu" or y.isna().any():
        return y
    return y.to_numpy(plain)


def refuse_mixed(y: Array) -> None:
    """Refuse labels that cannot be sorted, such as text and None."""
    types = {type(label) for label in y.tolist()}
    kinds = {next((k for k in (str, bytes) if issubclass(each, k)), None) for each in types}
    if len(kinds) > 1:
        raise ValueError(f"labels must be all numbers or all text; y holds {type_names(y)}")


def type_names(y: Array) -> str:
    """The names of the types of labels."""
    return ", ".join(sorted({type(label).__name__ for label in y.tolist()}))


def distinct(y: Array) -> Array:
    """The different labels, sorted. Where they are two numbers, there is no need to sort."""
    if y.dtype.kind in "biuf":
        ends = np.array([y.min(), y.max()], y.dtype)
        if ends[0] != ends[1] and ((y == ends[0]) | (y == ends[1])).all():
            return ends
    return np.unique(y)


def all_classes(parts: Sequence[Array]) -> Array:
    """The different labels of all parts: numbers in each, or text in each."""
    firsts = [part.tolist()[0] for part in parts]
    if len({type(label) if isinstance(label, str | bytes) else None for label in firsts}) > 1:
        raise ValueError("the labels of some blocks are numbers, and those of others are text")
    together = np.concatenate(parts)
    if together.dtype.kind == "f":
        refuse_changed(label for part in parts for label in part.tolist())
    return distinct(together)


def refuse_joined(y: Array, given: Array) -> None:
    """Refuse labels of a list that have become others in an array."""
    if y.dtype.kind == "f":
        return refuse_changed(given)
    refuse_mixed(given)
    if any(label[-1:] in ("\0", b"\0") for label in given):
        raise ValueError("y holds labels that end in NUL, which NumPy cuts: use an object array")


def refuse_changed(labels: Iterable[Any]) -> None:
    """Refuse whole numbers that floating point would change."""
    if any(isinstance(label, Integral) and abs(int(label)) > 2**53 for label in labels):
        raise ValueError("y holds whole numbers beyond 2**53, which floating point would change")


def encode_labels(y: Array, classes: Array) -> Array:
    """The position of each label among the classes; of one that is not there, any."""
    if len(classes) == 2:  # as an array: NumPy would take a NUL at the end of text for padding
        return (y == classes[1:]).astype(np.int32)
    return np.minimum(np.searchsorted(classes, y), len(classes) - 1).astype(np.int32)


def refuse_strangers(y: Array, read: Array, advice: str) -> None:
    """Refuse labels that are read as others."""
    if len(strange := y[y != read]):
        listed = ", ".join(map(repr, np.unique(strange)[:5].tolist()))
        raise ValueError(f"y holds labels that are not among the classes: {listed}. {advice}")


def require_two(classes: Array) -> None:
    """Refuse a single class."""
    if len(classes) < 2:
        raise ValueError(f"y has one class, {classes.tolist()[0]!r}; a perceptron needs two")
