"""Arrays of other libraries, as NumPy has them: PyTorch, CuPy, JAX and all that speak DLPack."""

from typing import Any

import numpy as np


def in_numpy(X: Any, name: str) -> Any:
    """An array of another library as one of NumPy's; whatever else comes is handed on as it is."""
    if isinstance(X, np.ndarray) or not hasattr(X, "__dlpack__") or hasattr(X, "columns"):
        return X
    try:
        return np.asarray(X)
    except Exception as error:  # each library has its own way to refuse
        kind = f"{type(X).__module__.split('.')[0]} array"
        where = f" on {X.device}" if hasattr(X, "device") else ""
        raise TypeError(
            f"{name} is a {kind}{where}, which NumPy cannot read: {error}. Copy it to the CPU first"
        ) from error
