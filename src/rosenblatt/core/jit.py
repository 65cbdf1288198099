"""Compiled code, kept for the next process where it can be.

numba keeps it in NUMBA_CACHE_DIR, beside the module, or in the user's cache folder. By itself it
raises if none can be written, or if the disk is full; and of two processes that begin with an empty
folder, one may leave its code under the types of the other. None of this may stop training.
"""

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import singledispatch
from pathlib import Path
from typing import Any

from numba import njit
from numba.core.caching import FunctionCache
from numba.extending import overload

if not getattr(sys, "_is_gil_enabled", lambda: True)():  # free-threaded Python is not tested
    raise ImportError(
        "rosenblatt needs Python's global interpreter lock: set PYTHON_GIL=1 before it starts"
    )

# Sums may be reordered, which makes them fast; NaN and infinity keep their meaning.
MATH = {"reassoc", "contract", "nsz", "arcp"}


def compiled(function: Callable[..., Any]) -> Any:
    """A function that is compiled when it is first called with arguments of its types."""
    return in_files(function, MATH)


def to_the_letter(function: Callable[..., Any]) -> Any:
    """The same, for arithmetic that must be carried out as it is written."""
    return in_files(function, False)


def in_files(function: Callable[..., Any], fastmath: set[str] | bool) -> Any:
    """A function to be compiled, whose code is kept in files."""
    loop: Any = njit(nogil=True, fastmath=fastmath, error_model="numpy")(function)
    if os.path.expanduser("~") != "~" or "NUMBA_CACHE_DIR" in os.environ:  # else it makes a "~"
        with suppress(RuntimeError):  # there is no folder to keep it in
            loop._cache = SafeCache(function)
    return loop


class SafeCache(FunctionCache):
    """Files of compiled code; what is wrong with them is compiled again.

    Code is stale when its source has changed, or that of the loop, which other modules call.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        loop = Path(__file__).with_name("loop.py").stat()
        self._cache_file._source_stamp = self._impl.locator.get_source_stamp(), loop.st_mtime_ns

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            found = super().load_overload(sig, target_context)
        except Exception:  # unpickling what is damaged may raise anything
            with suppress(OSError):
                self.flush()
            return None
        return found if found is not None and found.signature.args == sig else None

    def save_overload(self, sig: Any, data: Any) -> None:
        with suppress(OSError):
            super().save_overload(sig, data)


def by_storage(function: Callable[..., Any]) -> Any:
    """Choose an implementation by the storage's type, in Python and in compiled code alike."""
    generic = singledispatch(function)
    overload(generic, strict=False, jit_options={"fastmath": MATH})(
        lambda storage, *rest: generic.dispatch(storage.instance_class)
    )
    return generic
