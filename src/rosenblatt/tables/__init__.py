"""Tables: `read` one into memory, or `scan` it in blocks of rows.

CSV, TSV, white space, Parquet (a file or a folder), Feather, Excel, libsvm, .npy, .npz, packed or
not; several of them; at an address; "-" is standard input. Numbers are taken as they are; text
becomes one feature for each of its levels.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import issparse

from rosenblatt.core.loop import Array
from rosenblatt.tables.column_selection import ReadOptions
from rosenblatt.tables.encoding import Encoding
from rosenblatt.tables.file_formats.formats import RowFile
from rosenblatt.tables.schema import Survey

MARKS_IN_WORDS = {",": "decimal commas", ".": "commas or spaces between thousands"}


def counted(count: int, noun: str) -> str:
    """A number of things: "1 row", "2 rows"."""
    return f"{count} {noun}" + ("" if count == 1 else "s")


class ReadSummary(NamedTuple):
    """What was decided in reading a table; as text, in one line."""

    file: str
    rows: int
    features: int
    target: str | None
    encoded: tuple[str, ...]  # the columns of text
    dropped: int  # rows left out because something was missing
    filled: int  # rows in which something was filled in
    decimal: str | None = None  # the decimal mark, if numbers are not as programs write them

    def __str__(self) -> str:
        parts = [f"{self.file}: {counted(self.rows, 'row')}, {counted(self.features, 'feature')}"]
        if self.target is not None:
            parts.append(f"target {self.target!r}")
        if self.encoded:
            parts.append(f"text columns encoded: {', '.join(self.encoded)}")
        if self.decimal is not None:
            parts.append(MARKS_IN_WORDS[self.decimal])
        for count, what in ((self.dropped, "dropped"), (self.filled, "filled")):
            if count:
                parts.append(f"rows with missing values {what}: {count}")
        return "; ".join(parts)


def read_summary(survey: Survey) -> ReadSummary:
    """What a survey decided."""
    encoding, dropped = survey.encoding, len(survey.dropped)
    return ReadSummary(
        file=survey.file.name,
        rows=survey.rows - dropped,
        features=encoding.n_features,
        target=None if survey.target is None else survey.source.names[survey.target],
        encoded=tuple(c.name for c in encoding.columns if c.levels is not None),
        dropped=dropped,
        filled=len(survey.missing) - dropped,
        decimal=getattr(survey.source, "decimal", None),
    )


class Table(NamedTuple):
    """A table in memory."""

    X: Any  # an array, or a CSR matrix
    y: Any  # the labels; None without a target
    feature_names: Sequence[str]
    target: str | None
    encoding: Encoding  # for reading the next table alike
    told: ReadSummary
    dropped: Array  # the rows of the file that were left out
    source: RowFile

    def numbers(self, rows: Any) -> list[int]:
        """The numbers that rows of X have in the file: its lines, or its records from 1."""
        return in_file(self.source, self.dropped, rows)


def in_file(source: RowFile, dropped: Array, rows: Any) -> list[int]:
    """The numbers in a file of rows, which are counted without those that were dropped."""
    passed = dropped - np.arange(len(dropped))  # rows before each dropped one
    rows = np.asarray(rows, np.int64)
    return source.numbers((rows + np.searchsorted(passed, rows, "right")).tolist())


class Blocks:
    """A table as blocks of rows, which is read again for each iteration.

    Attributes
    ----------
    feature_names, target, classes
        The names of the features and of the target, and the labels there are.
    n_samples, n_features : int
        All rows, and the features of each.
    encoding, told
        As in a table of :func:`read`.
    """

    def __init__(self, survey: Survey) -> None:
        self._survey, self.source = survey, survey.source
        self.encoding, self.told, self.stamps = survey.encoding, read_summary(survey), survey.stamps
        self.feature_names, self.target = survey.encoding.features(), self.told.target
        self.classes = survey.classes
        self.n_samples, self.n_features = self.told.rows, self.told.features

    def __iter__(self) -> Iterator[tuple[Any, Array]]:
        return ((X if issparse(X) else np.asarray(X), y) for _, X, y in self.numbered())

    @property
    def pieces(self) -> int:
        """How many parts can be read by themselves; 0 if rows come only as they stand."""
        return len(self._survey.source.pieces)

    @property
    def piece_starts(self) -> list[int]:
        """The number of the first row of each piece, and of all rows."""
        starts = np.cumsum([0, *self._survey.source.pieces])
        return (starts - np.searchsorted(self._survey.dropped, starts)).tolist()

    def numbered(self, pieces: Sequence[int] | None = None) -> Iterator[tuple[int, Any, Array]]:
        """The number of its first row, X and y of each block; of some pieces, in their order.

        A dense X is held column by column.
        """
        try:
            yield from self._survey.blocks(pieces)
        except Exception as error:
            if changed := self.changes():
                raise outdated(changed) from error
            raise

    def numbers(self, rows: Any) -> list[int]:
        """The numbers that rows have in the file: its lines, or its records from 1."""
        return in_file(self.source, self._survey.dropped, rows)

    def changes(self) -> list[str]:
        """The files that are not what they were."""
        try:
            now = self._survey.file.stamps()
        except FileNotFoundError as error:
            return [str(error.filename)]
        return sorted({name for name, *_ in set(now) ^ set(self.stamps)})


def outdated(changed: list[str]) -> ValueError:
    """What to say of files that are not what they were."""
    return ValueError(f"{changed[0]} has changed since it was first read: start again")


def read(
    path: Any,
    target: int | str | None = -1,
    *,
    missing: str = "refuse",
    without: Sequence[str] = (),
    header: bool | None = None,
    like: Encoding | None = None,
    decimal: str | None = None,
    text: Sequence[str] = (),
) -> Table:
    """Read a table into memory.

    Parameters
    ----------
    path : str, Path, list of them, or data frame
        A file, a pattern like ``part-*.csv``, or a list of these, whose rows follow each other; a
        folder of Parquet files, where names such as "year=2024" make columns; an address (s3://,
        https://, read by fsspec, the extra ``remote``); "-" for standard input; or a data frame of
        pandas, polars or Arrow, whose rows count from 0. The format of a file, and whether it is
        packed (gzip, bzip2, xz, zstd), is found in the contents. CSV is read by pyarrow where it is
        installed (the extra ``tables``), otherwise much more slowly; Parquet, Feather and zstd need
        it, and Excel the extra ``excel``.
    target : int, str or None
        The column of labels, by position or name; -1 is the last that is not left out. None if
        there is none.
    missing : {"refuse", "drop", "mean"}
        What to do about missing values: say where the first one is; leave out their rows; or put
        the mean in their place, which for text is the share of each level.
    without : sequence of str
        Columns to leave out.
    header : bool or None
        Whether the first line names the columns; None detects it.
    like : Encoding or None
        Encode columns as in another table (its ``encoding``). They are found by name, or else by
        position. A level that was not there becomes all zeros, with a warning.
    decimal : {",", "."} or None
        The decimal mark of text files; the other one, or a space, stands between thousands. None
        detects it, and refuses numbers such as 1,500 if no other number shows what they mean.
    text : sequence of str
        Columns of text files that are text, such as codes, though cells look like numbers.

    Returns
    -------
    Table
        A tuple ``X, y, feature_names, target, encoding, told, …``; ``told`` says what was decided.

    Examples
    --------
    >>> import rosenblatt, tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "fruit.csv"
    ...     _ = path.write_text("weight,colour,kind\\n5,red,cherry\\n150,red,apple\\n")
    ...     X, y, names, *_ = rosenblatt.read(path)
    >>> names, y.tolist()
    (['weight', 'colour=red'], ['cherry', 'apple'])
    """
    survey = Survey(
        path, ReadOptions(target, missing, without, header, like, decimal, text), hold=True
    )
    told, encoding = read_summary(survey), survey.encoding
    X, y = survey.collect()
    names = encoding.features()
    return Table(X, y, names, told.target, encoding, told, survey.dropped, survey.source)


def scan(
    path: Any,
    target: int | str | None = -1,
    *,
    missing: str = "refuse",
    without: Sequence[str] = (),
    header: bool | None = None,
    like: Encoding | None = None,
    decimal: str | None = None,
    text: Sequence[str] = (),
) -> Blocks:
    """Read a table in blocks of rows, one in memory at a time.

    The file is read once to learn its columns and labels, and again for each iteration. The
    parameters are those of :func:`read`.

    Returns
    -------
    Blocks
        Iterating over it gives ``X, y`` for each block.

    Examples
    --------
    >>> import rosenblatt, tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "points.dat"
    ...     _ = path.write_text("1 2 +1\\n2 1 +1\\n0 0 -1\\n")
    ...     blocks = rosenblatt.scan(path)
    ...     blocks.classes, [X.shape for X, y in blocks]
    (array([-1,  1]), [(3, 2)])
    """
    return Blocks(
        Survey(path, ReadOptions(target, missing, without, header, like, decimal, text), hold=False)
    )


Told = ReadSummary  # the name that earlier pickles hold
