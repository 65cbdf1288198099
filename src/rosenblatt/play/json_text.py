"""Facts as JSON."""

import json
from typing import Any

import numpy as np


def encoded(facts: Any) -> bytes:
    """Facts as JSON."""
    return json.dumps(
        json_value(facts), allow_nan=False, ensure_ascii=False, separators=(",", ":")
    ).encode()


def json_value(value: Any) -> Any:
    """NumPy's things as JSON has them; what is not finite becomes null."""
    if isinstance(value, dict):
        return {str(json_value(key)): json_value(item) for key, item in value.items()}
    if isinstance(value, np.ndarray) and value.dtype.kind in "biuf" and np.isfinite(value).all():
        return value.tolist()
    if isinstance(value, list | tuple | np.ndarray):
        return [json_value(item) for item in value]
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not np.isfinite(value) else value
