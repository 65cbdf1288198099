"""Tables as lines of text: comma, semicolon, tab, or any white space between the cells.

There are two readers. The fast one (pyarrow, or NumPy for white space) believes what the first
lines show; if the rest does not fit, the patient one reads the file line by line, and either makes
sense of it or says which line is to blame.
"""

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice, repeat

import numpy as np

from rosenblatt.tables.decimal_marks import (
    BEYOND,
    MISSING_WORDS,
    POINT,
    how_written,
    is_beyond,
    number_of_text,
)
from rosenblatt.tables.encoding import Batch, Text, Values
from rosenblatt.tables.file_formats.formats import (
    BATCH_BYTES,
    BATCH_LINES,
    Lines,
    RowFile,
    Unfit,
    of_rows,
)
from rosenblatt.tables.file_formats.parquet import from_arrow
from rosenblatt.tables.files import File
from rosenblatt.tables.reading_ahead import mapped

RETURN = "a carriage return inside; end lines as others do, with tr '\\r' '\\n'"


class Malformed(ValueError):
    """A line that cannot be split into cells."""


@dataclass(frozen=True)
class Delimited(Lines):
    """A text file of rows."""

    file: File
    delimiter: str | None  # None is white space
    names: list[str]
    named: bool
    skip: int  # lines before the first row
    texts: frozenset[int]  # columns that are not numbers
    fast: bool = True
    decimal: str | None = None  # how people wrote the numbers, if not as programs do
    unit: str = "line"
    repeated: dict[int, str] = field(default_factory=dict)  # names that earlier columns have, too

    def batches(self) -> Iterator[Batch]:
        if not self.fast:
            return self._patiently()
        return self._by_numpy() if self.delimiter is None else self._by_arrow()

    def _by_arrow(self) -> Iterator[Batch]:
        """Pieces of whole lines, each parsed by one of our threads: those of pyarrow may wait for
        one another for ever where a cell is malformed."""
        try:
            import pyarrow as pa
        except ModuleNotFoundError as error:
            raise Unfit from error
        try:
            pieces = self.file.lines_together(self.skip, BATCH_BYTES)
            yield from mapped(self._parsed, pieces)
        except pa.ArrowInvalid as error:
            raise Unfit from error

    def _parsed(self, lines: bytes) -> Batch:
        batch = self._columns(lines, self.texts)
        large = frozenset(j for j, v in enumerate(batch) if reaches_beyond(v))
        texts = self._columns(lines, self.texts | large) if large else batch
        for j in large:
            batch[j] = BEYOND if any(map(is_beyond, texts[j].levels)) else batch[j]
        return batch

    def _columns(self, lines: bytes, texts: frozenset[int]) -> Batch:
        import pyarrow as pa
        from pyarrow import csv as arrow

        names = [str(j) for j in range(len(self.names))]
        text = pa.dictionary(pa.int32(), pa.string())
        kinds = {name: text if j in texts else pa.float64() for j, name in enumerate(names)}
        table = arrow.read_csv(
            pa.BufferReader(lines),
            arrow.ReadOptions(column_names=names, use_threads=False, block_size=len(lines) + 1),
            arrow.ParseOptions(delimiter=self.delimiter),
            arrow.ConvertOptions(
                column_types=kinds, null_values=MISSING_WORDS, decimal_point=self.decimal or POINT
            ),
        )
        return [from_arrow(column) for column in table.to_batches()[0].columns]

    def _by_numpy(self) -> Iterator[Batch]:
        if self.texts or self.decimal:
            raise Unfit
        lines = (line.partition(b"#")[0] for line in islice(self.file.lines(), self.skip, None))
        full = (line for line in lines if line.strip())
        while block := list(islice(full, BATCH_LINES)):
            yield self._matrix(block)

    def _matrix(self, lines: list[bytes]) -> Batch:
        try:
            matrix = np.loadtxt(lines, ndmin=2, encoding="utf-8", comments=None)
        except ValueError as error:
            raise Unfit from error
        if matrix.shape[1] != len(self.names):
            raise Unfit
        large = np.flatnonzero([reaches_beyond(column) for column in matrix.T])
        cells = [line.decode().split() for line in lines] if len(large) else []
        beyond = {j for j in large if any(is_beyond(row[j]) for row in cells)}
        return [BEYOND if j in beyond else column for j, column in enumerate(matrix.T)]

    # -- the patient reader ------------------------------------------------------------------------

    def patient(self) -> RowFile:
        """The same file, read line by line, after a look at all of it."""
        decimal, texts = how_written(self.file.name, self.names, self.rows(), self.decimal)
        return replace(self, texts=self.texts | texts, fast=False, decimal=decimal)

    def with_texts(self, texts: frozenset[int]) -> RowFile:
        """The same file, with text in these columns even where it looks like numbers."""
        return replace(self, texts=self.texts | texts)

    def _patiently(self) -> Iterator[Batch]:
        rows = (row for _, row in self.rows())
        while block := list(islice(rows, BATCH_LINES)):
            columns = enumerate(zip(*block, strict=True))
            yield [_texts(c) if j in self.texts else self._numbers(c) for j, c in columns]

    def _numbers(self, cells: tuple[str, ...]) -> Values:
        missing, decimal = frozenset(MISSING_WORDS), self.decimal
        values = np.array(
            [np.nan if c.strip() in missing else number_of_text(c, decimal) for c in cells]
        )
        large = (cells[k] for k in np.flatnonzero(np.abs(values) >= 2**53))
        return BEYOND if any(is_beyond(cell, decimal) for cell in large) else values

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """The number of each line that is a row, and its cells."""
        blank = repeat("\n", self.skip)  # so that lines keep their numbers
        lines = chain(blank, islice(self._lines(), self.skip, None))
        for line, row in split_lines(self.file, lines, self.delimiter):
            if len(row) != len(self.names):
                raise ValueError(
                    f"{self.file.name}, line {line}: {len(row)} values, where "
                    f"{'the header' if self.named else 'the first row'} has {len(self.names)}"
                )
            yield line, row

    def _lines(self) -> Iterator[str]:
        return (decoded(self.file, k, line) for k, line in enumerate(self.file.lines(), 1))

    def numbers(self, rows: Sequence[int]) -> list[int]:
        return of_rows((line for line, _ in self.rows()), rows)


def decoded(file: File, k: int, line: bytes) -> str:
    """Line k of a file as text."""
    try:
        return line.decode("utf-8-sig" if k == 1 else "utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{file.name}, line {k}: bytes that are not UTF-8; convert the file first: Chinese "
            "with iconv -f GB18030 -t UTF-8, Western European with iconv -f CP1252 -t UTF-8"
        ) from error


def reaches_beyond(values: Values) -> bool:
    """Whether there are numbers so large that doubles do not hold each whole one."""
    return isinstance(values, np.ndarray) and bool((np.abs(values) >= 2**53).any())


def _texts(cells: tuple[str, ...]) -> Values:
    known: dict[str, int] = {}
    codes = np.array([known.setdefault(cell, len(known)) for cell in cells])
    return Text(codes, list(known))


def split_lines(
    file: File, lines: Iterator[str], delimiter: str | None
) -> Iterator[tuple[int, list[str]]]:
    """The cells of each line of a file that is not empty, and its number."""
    if delimiter is None:
        rows = ((k, line.partition("#")[0].split()) for k, line in enumerate(lines, 1))
        yield from ((k, row) for k, row in rows if row)
        return
    reader = csv.reader(lines, delimiter=delimiter)
    try:
        for row in reader:
            if row and (len(row) > 1 or row[0].strip()):
                yield reader.line_num, row
    except csv.Error as error:
        long = f"a cell of more than {csv.field_size_limit():,} letters; is a quote left open?"
        what = RETURN if "new-line" in str(error) else long  # the only two it raises
        raise Malformed(f"{file.name}, line {reader.line_num}: {what}") from error
