"""Numbers as people write them: decimal commas, and marks between groups of three digits.

1,5 is one and a half, and 1,234,567 a whole number. But 1,500 is one and a half in one half of the
world, and fifteen hundred in the other: where no other number of the file tells, it is refused.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

# What stands for a missing value where all other cells of a column are numbers.
MISSING_WORDS = (
    "", "NA", "na", "N/A", "n/a", "#N/A", "#NA", "<NA>", "NaN", "nan", "-nan", "-NaN", "1.#QNAN",
    "-1.#QNAN", "1.#IND", "-1.#IND", "null", "Null", "NULL", "(null)", "\\N", "nil", "None", "none",
    "NONE", "?", "-", "--", ".", "缺失", "无",
    "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#NULL!",
)  # fmt: skip
MINUS = "\u2212"  # as typesetters and spreadsheets write it
COMMA, POINT = ",", "."  # the decimal mark; the other one stands between thousands
BEYOND = "whole numbers beyond 2**53"  # which a double does not hold
SPACES = " \u00a0\u202f'’"  # stand between thousands, and mean nothing else


def _written(decimal: str, between: str) -> re.Pattern[str]:
    whole = rf"(?:[1-9][0-9]{{0,2}}(?:[{between}{SPACES}][0-9]{{3}})+|[0-9]+)"
    return re.compile(rf"[+-]?{whole}(?:[{decimal}][0-9]+)?(?:[eE][+-]?[0-9]+)?")


WRITTEN = {COMMA: _written(COMMA, POINT), POINT: _written(POINT, COMMA)}


class Stored(str):
    """A number that a file stores as such, however people would write it."""


def number_of_text(text: str, decimal: str | None = None) -> float:
    """The number that a text is: as programs write it or, with a decimal mark, as people do."""
    stored, text = isinstance(text, Stored), text.replace(MINUS, "-")
    if decimal is None or stored:
        if "_" in text:  # Python reads 1_000 as a number, files do not mean it
            raise ValueError(text)
        return float(text)
    if WRITTEN[decimal].fullmatch(text.strip()):
        return float(re.sub(rf"[^0-9eE+\-{decimal}]", "", text).replace(COMMA, POINT))
    if decimal == COMMA and POINT in text:
        raise ValueError(text)
    return number_of_text(text)


def numeric(cell: str, decimal: str | None = None) -> bool:
    """Whether a cell fits in a column of numbers."""
    try:
        number_of_text(cell, decimal)
    except ValueError:
        return cell.strip() in MISSING_WORDS
    return True


def looks_numeric(cell: str) -> bool:
    """Whether a cell is a number in some way of writing."""
    return any(numeric(cell, decimal) for decimal in (None, COMMA, POINT))


def is_beyond(cell: str, decimal: str | None = None) -> bool:
    """Whether a cell is a whole number beyond 2**53, written with all its digits."""
    between = {None: "", COMMA: POINT + SPACES, POINT: COMMA + SPACES}[decimal]
    digits = re.sub(f"[-+{MINUS}{between}]", "", cell.strip()).lstrip("0")
    return digits.isdecimal() and (len(digits) > 16 or int(digits) > 2**53)


@dataclass
class ColumnText:
    """How the numbers of a column are written, if they are numbers."""

    name: str
    plain: bool = True  # as programs write them
    fits: dict[str, bool] = field(default_factory=lambda: {COMMA: True, POINT: True})
    marked: bool = False  # whether a comma or a point is in one of them
    example: tuple[str, int] = ("", 0)  # a cell that is not plain, or has a point, and its line

    def has_news(self, cell: str) -> bool:
        """Whether a cell may tell more than those before; nearly all do not."""
        if isinstance(cell, Stored) or not (self.plain or self.fits[COMMA] or self.fits[POINT]):
            return False
        try:
            float(cell)
        except ValueError:
            return True
        return "_" in cell or (POINT in cell and self.fits[COMMA])

    def add(self, cell: str, line: int) -> None:
        """Take in a cell."""
        plain, cell = numeric(cell), cell.strip().replace(MINUS, "-")
        if plain and POINT not in cell:
            return
        if (self.plain and not plain) or not self.example[0]:
            self.example = cell, line
        self.plain &= plain
        self.marked |= COMMA in cell or POINT in cell
        for decimal, written in WRITTEN.items():
            self.fits[decimal] &= bool(written.fullmatch(cell)) or (plain and decimal == POINT)

    def is_text(self, decimal: str | None) -> bool:
        """Whether some cells are no numbers, as these are written."""
        return not (self.plain if decimal is None else self.fits[decimal])

    @property
    def told(self) -> str:
        cell, line = self.example
        return f"column {self.name!r} holds {cell!r} in line {line}"


def how_written(
    file: str, names: Sequence[str], rows: Iterable[tuple[int, Sequence[str]]], asked: str | None
) -> tuple[str | None, frozenset[int]]:
    """The decimal mark of a file, if its numbers need one, and the columns that are text."""
    columns = [ColumnText(name) for name in names]
    for line, row in rows:
        for column, cell in zip(columns, row, strict=False):
            if column.has_news(cell):
                column.add(cell, line)
    decimal = decimal_mark(file, columns, asked)
    return decimal, frozenset(j for j, c in enumerate(columns) if c.is_text(decimal))


def decimal_mark(file: str, columns: Sequence[ColumnText], asked: str | None) -> str | None:
    """The decimal mark of a file, if some of its numbers need one to be read."""
    written = [c for c in columns if not c.plain and any(c.fits.values())]
    if asked == COMMA or (asked and written):
        return agreed(file, columns, asked)
    if not written:
        return None
    commas = [c for c in written if not c.fits[POINT]]
    points = [c for c in columns if not c.fits[COMMA] and c.fits[POINT]]
    if commas and points:
        raise ValueError(
            f"{file}: {commas[0].told}, and {points[0].told}: which mark is the decimal one?"
        )
    if not commas and not points and any(c.marked for c in written):
        raise ValueError(f"{file}: {ambiguous(written)}; say which with decimal=',' or decimal='.'")
    return COMMA if commas else POINT


def agreed(file: str, columns: Sequence[ColumnText], asked: str) -> str:
    """The decimal mark that was asked for, unless there are numbers with another one."""
    numbers = [c for c in columns if c.plain or any(c.fits.values())]
    if odd := [c for c in numbers if not c.fits[asked]]:
        raise ValueError(f"{file}: {odd[0].told}, which is no number with decimal={asked!r}")
    return asked


def ambiguous(written: Sequence[ColumnText]) -> str:
    """What a number may mean."""
    column = next(c for c in written if c.marked)
    either = (number_of_text(column.example[0], decimal) for decimal in (COMMA, POINT))
    return f"{column.told}, which may mean {' or '.join(f'{x:.12g}' for x in either)}"
