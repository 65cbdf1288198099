"""Data frames (pandas, polars, Arrow) as a source of rows, which are encoded as those of a file.

As from Parquet: numbers as they are, booleans, categories and text as text, dates and times as days
since 1970.
"""

import datetime
import numbers
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np

from rosenblatt.core.loop import Array
from rosenblatt.tables.decimal_marks import BEYOND, is_beyond
from rosenblatt.tables.encoding import Batch, Text, Values
from rosenblatt.tables.file_formats.formats import Lines, from_numpy

DAY = np.timedelta64(1, "D")
MICRO = np.dtype("m8[us]")
EPOCH = np.datetime64("1970-01-01")
TOO_CLOSE = "times that days in double precision do not tell apart"


@dataclass
class Frame(Lines):
    """A data frame as a file of rows, which count from 0."""

    frame: Any
    name: str = "X"
    named: bool = True
    unit: str = "row"

    @property
    def names(self) -> Sequence[str]:
        return column_names(self.frame)

    def batches(self) -> Iterator[Batch]:
        yield [column_values(column) for column in frame_columns(self.frame)]

    def numbers(self, rows: Sequence[int]) -> list[int]:
        return list(rows)

    def stamps(self) -> list[tuple[str, int, int | str]]:
        return []


def is_frame(X: Any) -> bool:
    """Whether rows are a data frame that is all in memory."""
    lazy = hasattr(X, "collect") or hasattr(X, "compute")
    return not lazy and hasattr(X, "columns") and (hasattr(X, "dtypes") or is_arrow(X))


def is_arrow(X: Any) -> bool:
    """Whether a data frame is a table of Arrow."""
    return hasattr(X, "column_names")


def column_names(frame: Any) -> list[str]:
    """The names of its columns, as text."""
    return [str(name) for name in (frame.column_names if is_arrow(frame) else frame.columns)]


def frame_columns(frame: Any) -> list[Any]:
    """Its columns, by position: two may have one name."""
    if hasattr(frame, "items"):
        return [column for _, column in frame.items()]
    return frame.columns if is_arrow(frame) else frame.get_columns()


def is_numeric(column: Any) -> bool:
    """Whether a column holds numbers and booleans only."""
    if is_category(column):
        return False
    kind = np.asarray(column[:0]).dtype.kind
    return kind in "fiub" or (kind == "O" and all(map(is_real, np.asarray(column))))


def is_category(column: Any) -> bool:
    """Whether pandas holds a column as categories."""
    return str(getattr(column, "dtype", None)) == "category"


def is_real(value: Any) -> bool:
    """Whether it is a number, or nothing."""
    return isinstance(value, numbers.Real | Decimal) or is_missing(value)


def is_missing(value: Any) -> bool:
    """Whether it is None, NaN, NA or NaT."""
    return value is None or type(value).__name__ in ("NAType", "NaTType") or value != value


def column_values(column: Any) -> Values:
    """A column as a batch has it; a string says what is wrong with it."""
    if is_category(column):
        return Text(np.asarray(column.cat.codes), [str(level) for level in column.cat.categories])
    values = np.asarray(column)
    if values.dtype.kind in "Mm":
        return days(values)
    if values.dtype.kind == "f" and is_whole(column) and (abs(values) >= 2**53).any():
        return BEYOND  # rounded already: among missing values, whole numbers become doubles
    return object_values(values) if values.dtype.kind in "Ob" else from_numpy(values)


def is_whole(column: Any) -> bool:
    """Whether a column is of whole numbers, which may be missing."""
    return "int" in str(getattr(column, "dtype", getattr(column, "type", ""))).lower()


def object_values(values: Array) -> Values:
    """Booleans; or text, numbers or dates that are objects of Python."""
    there = [v for v in values if not is_missing(v)]
    if there and all(isinstance(v, bool | np.bool_) for v in there):
        return coded_text([v if is_missing(v) else str(v).lower() for v in values])
    if all(isinstance(v, str | np.str_) for v in there):
        return coded_text(values)
    if all(map(is_real, there)):
        if any(is_beyond(str(v)) for v in there):
            return BEYOND
        return np.array([np.nan if is_missing(v) else float(v) for v in values])
    if all(isinstance(v, datetime.date) for v in there):
        unit = "ns" if any(getattr(v, "nanosecond", 0) for v in there) else "us"
        stamps = [None if is_missing(v) else getattr(v, "asm8", v) for v in values]
        return days(np.array(stamps, f"datetime64[{unit}]"))
    return "objects that are neither numbers, text nor dates"


def coded_text(values: Iterable[Any]) -> Text:
    """Text as codes and levels, which are in the order in which they come."""
    levels: dict[str, int] = {}
    codes = [-1 if is_missing(v) else levels.setdefault(str(v), len(levels)) for v in values]
    return Text(np.array(codes), list(levels))


def days(values: Array) -> Values:
    """Dates and times as days since 1970, lengths of time as days; NaN where there is none.

    Up to 2**16 days, doubles tell microseconds apart. Finer times must be what their days give
    back, and of others no two may become one.
    """
    since = values - EPOCH if values.dtype.kind == "M" else values
    if np.promote_types(since.dtype, MICRO) != MICRO:
        micro, there = since.astype(MICRO), ~np.isnat(since)
        if (micro != since)[there].any():
            told = np.asarray(since / DAY, np.float64)
            back = np.rint(told[there] * (DAY / np.ones(1, since.dtype)[0])).astype(np.int64)
            return told if (back == since[there].astype(np.int64)).all() else TOO_CLOSE
        since = micro
    told = np.asarray(since / DAY, np.float64)
    is_far = bool((np.abs(told) >= 2**16).any())
    return TOO_CLOSE if is_far and len(np.unique(told)) < len(np.unique(since)) else told


def refuse_missing(frame: Frame) -> None:
    """Refuse missing values, all columns in one message."""
    batch = next(frame.batches())
    found = {name: missing_rows(v) for name, v in zip(frame.names, batch, strict=True)}
    told = [f"{name!r} (row {rows[0]})" for name, rows in found.items() if len(rows)]
    if told:
        raise ValueError(f"X has missing values in {', '.join(told)}: drop such rows, or fill them")


def missing_rows(values: Values) -> Array:
    """The rows in which there is nothing."""
    if isinstance(values, str):
        return np.empty(0, np.intp)
    return np.flatnonzero(values.codes < 0 if isinstance(values, Text) else np.isnan(values))
