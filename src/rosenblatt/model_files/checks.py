"""Numbers and arrays in a file: written, read and checked."""

import math
from typing import Any

import numpy as np
import scipy.sparse as sp

from rosenblatt.atomic_write import replacing
from rosenblatt.core.loop import Array

Tensors = dict[str, Array]


def write_tensors(path: Any, text: str, tensors: Tensors) -> None:
    """Write numbers, and beside them a text, to a file of safetensors, completely or not at all."""
    from safetensors.numpy import save as pack

    arrays = {name: np.ascontiguousarray(array) for name, array in tensors.items()}
    data = pack(arrays, {"rosenblatt": text})
    with replacing(path) as stream:
        stream.write(data)


def read_tensors(path: Any) -> tuple[str | None, Tensors]:
    """The text, if there is one, and the numbers of a file of safetensors."""
    from safetensors import safe_open

    with safe_open(path, framework="numpy") as file:
        text = (file.metadata() or {}).get("rosenblatt")
        return text, {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118


def take_array(
    tensors: Tensors, name: str, shape: tuple[int, ...], kind: Any = np.float64
) -> Array:
    """An array out of the file, of the right type and shape, and finite."""
    array = tensors.pop(name)
    right = len(array.shape) == len(shape) and all(
        wanted in (-1, n) for n, wanted in zip(array.shape, shape, strict=True)
    )
    if array.dtype != kind or not right:
        raise ValueError(f"{name} has the shape {array.shape} and type {array.dtype}, not {shape}")
    if not np.isfinite(array).all():
        raise ValueError(f"{name} holds NaN or infinity")
    return array


def finite_number(value: Any) -> float:
    """A number that is finite."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"{value!r} is not a finite number")
    return float(value)


def whole_number(value: Any, low: int = 0) -> int:
    """A whole number."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value < 2**62:
        raise ValueError(f"{value!r:.40} is not a whole number of at least {low}")
    return value


def pack_matrix(name: str, X: Any) -> Tensors:
    """A matrix, dense or CSR, as arrays."""
    if not sp.issparse(X):
        return {name: X}
    index = {f"{name}.indices": X.indices, f"{name}.indptr": X.indptr}
    return {f"{name}.data": X.data} | {k: v.astype(np.int64) for k, v in index.items()}


def take_matrix(tensors: Tensors, name: str, shape: tuple[int, int]) -> Any:
    """A matrix, dense or CSR, out of the file."""
    if name in tensors:
        return take_array(tensors, name, shape)
    data = take_array(tensors, f"{name}.data", (-1,))
    indices = take_places(tensors, f"{name}.indices", (len(data),), shape[1])
    indptr = take_places(tensors, f"{name}.indptr", (shape[0] + 1,), len(data) + 1)
    if indptr[0] != 0 or indptr[-1] != len(data) or (np.diff(indptr) < 0).any():
        raise ValueError(f"the rows of {name} are not in order")
    return sp.csr_array((data, indices, indptr), shape=shape)


def take_places(tensors: Tensors, name: str, shape: tuple[int, ...], n: int, low: int = 0) -> Array:
    """Whole numbers below n out of the file."""
    array = take_array(tensors, name, shape, np.int64)
    if array.size and (array.min() < low or array.max() >= n):
        raise ValueError(f"{name} holds numbers that are not between {low} and {n - 1}")
    return array
