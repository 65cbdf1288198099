"""Arrays of other libraries, as NumPy has them: PyTorch, CuPy, JAX and all that speak DLPack."""

from typing import Any

import numpy as np


def in_numpy(X: Any, name: str) -> Any:
    """An array of another library as one of NumPy's; whatever else comes is handed on as it is."""
    if np.ma.is_masked(X):
        raise ValueError(f"{name} has masked values: fill them, or leave their rows out")
    if isinstance(X, np.ndarray) or not hasattr(X, "__dlpack__") or hasattr(X, "columns"):
        return X
    try:
        return np.asarray(plain_tensor(X) if hasattr(X, "requires_grad") else X)
    except Exception as error:  # each library has its own way to refuse
        where = f" on {X.device}" if hasattr(X, "device") else ""
        raise TypeError(
            f"{name} is an array of {type(X).__module__.split('.')[0]}{where}, which NumPy cannot "
            f"read: {str(error).rstrip('.')}. Copy it into a NumPy array first"
        ) from error


def plain_tensor(X: Any) -> Any:
    """A tensor of PyTorch without what NumPy does not know: gradients, signs set aside, bfloat16.

    Single precision holds every number of the narrower floats.
    """
    X = X.detach().resolve_conj().resolve_neg()
    return X.float() if X.is_floating_point() and X.dtype.itemsize < 4 else X
