"""Excel files: the first sheet, whose cells are read as those of a text file."""

import datetime
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from rosenblatt.extras import need
from rosenblatt.tables.decimal_marks import Stored
from rosenblatt.tables.file_formats.delimited_text import Delimited
from rosenblatt.tables.file_formats.formats import UNREADABLE
from rosenblatt.tables.file_formats.text_layout import NumberedLines, layout, refuse_title
from rosenblatt.tables.files import File


@dataclass(frozen=True)
class Sheet(Delimited):
    """The rows of a sheet; their numbers are those that Excel shows."""

    held: NumberedLines = field(default_factory=list)

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        return iter(self.held)


def read_sheet(
    file: File, header: bool | None = None, expected: Any = None, decimal: str | None = None
) -> Sheet:
    """The first sheet of a file. Rows are as long as the longest: empty cells are not kept."""
    found = list(sheet_rows(file))
    refuse_title(file.name, found, "row")
    width = max((len(cells) for _, cells in found), default=0)
    rows = [(number, cells + [""] * (width - len(cells))) for number, cells in found]
    shown = layout(file.name, rows, header, expected, decimal)
    held = rows[1:] if shown["named"] else rows
    return Sheet(file, ",", skip=0, fast=False, unit="row", held=held, **shown)


def sheet_rows(file: File) -> Iterator[tuple[int, list[str]]]:
    """The number and the cells of each row that is not empty, as text."""
    openpyxl = need("openpyxl", "excel", "reading Excel")
    try:
        with file.open() as stream:
            book = openpyxl.load_workbook(stream, read_only=True, data_only=True)
            for number, row in enumerate(book.worksheets[0].iter_rows(values_only=True), 1):
                cells = [as_text(value) for value in row]
                while cells and not cells[-1]:
                    cells.pop()
                if cells:
                    yield number, cells
    except (*UNREADABLE, KeyError, IndexError) as error:
        why = str(error).partition("\n")[0] or type(error).__name__
        raise ValueError(f"{file.name} cannot be read as Excel: {why}") from error


def as_text(value: Any) -> str:
    """A cell as a text file has it; dates and times as days since 1970, as those of Parquet."""
    if value is None:
        return ""
    if isinstance(value, datetime.datetime):
        return Stored((value - datetime.datetime(1970, 1, 1)) / datetime.timedelta(days=1))
    if isinstance(value, datetime.date):
        return Stored((value - datetime.date(1970, 1, 1)).days)
    return str(value) if isinstance(value, str | bool) else Stored(value)
