"""Readers: the one for each format, and how a file is opened with it."""

from typing import Any

from rosenblatt.tables.column_selection import ReadOptions
from rosenblatt.tables.file_formats.delimited_text import Delimited
from rosenblatt.tables.file_formats.excel import read_sheet
from rosenblatt.tables.file_formats.feather import Feather
from rosenblatt.tables.file_formats.formats import Arrays, Libsvm, RowFile
from rosenblatt.tables.file_formats.parquet import Parquet
from rosenblatt.tables.file_formats.recognition import kind
from rosenblatt.tables.file_formats.several import together
from rosenblatt.tables.file_formats.text_layout import layout_of
from rosenblatt.tables.files import File, FileSet
from rosenblatt.tables.frames import Frame

READERS: dict[str, Any] = {
    "parquet": Parquet,
    "feather": Feather,
    "npy": Arrays,
    "npz": Arrays,
    "libsvm": Libsvm,
}


def open_source(file: File | FileSet | Frame, options: ReadOptions) -> RowFile:
    """The rows of a file, whatever its format; the first of several tells whether they name
    columns, and how numbers are written."""
    if isinstance(file, Frame):
        return file
    if isinstance(file, FileSet):
        first = open_source(file.files[0], options)
        if isinstance(first, Delimited):
            decimal = options.decimal or first.decimal
            options = options._replace(header=first.named or options.header, decimal=decimal)
        return together([first, *(open_source(other, options) for other in file.files[1:])])
    form = kind(file)
    if form in READERS:
        return READERS[form](file)
    like = options.like if options.like and options.like.named else None
    expected = [c.name for c in like.columns] if like else None
    read = read_sheet if form == "excel" else layout_of
    return read(file, options.header, expected, options.decimal)
