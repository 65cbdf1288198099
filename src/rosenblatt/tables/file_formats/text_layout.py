"""What the first lines of a text file show: delimiter, header, and how numbers are written."""

import re
from collections import Counter
from contextlib import suppress
from itertools import islice, takewhile
from typing import Any

from rosenblatt.tables.decimal_marks import COMMA, how_written, looks_numeric, numeric
from rosenblatt.tables.encoding import Numbered
from rosenblatt.tables.file_formats.delimited_text import (
    RETURN,
    Delimited,
    Malformed,
    decoded,
    split_lines,
)
from rosenblatt.tables.files import File

SAMPLE_BYTES = 2**16
DELIMITER_LINE = re.compile(r'"?sep=."?[;,\t]*', re.IGNORECASE)
SELDOM = 10  # rows, for each that repeats a header
NumberedLines = list[tuple[int, list[str]]]  # numbers of lines, and cells


def layout_of(
    file: File, header: bool | None = None, expected: Any = None, decimal: str | None = None
) -> Delimited:
    """A text file, by its first lines."""
    lines = _sample(file)
    comments = len(list(takewhile(is_remark, lines)))
    remarks, lines = lines[:comments], [""] * comments + lines[comments:]
    delimiter = _delimiter(file, lines)
    returns = [k for k, line in enumerate(lines, 1) if "\r" in line.strip()]
    if delimiter is None and returns:
        raise ValueError(f"{file.name}, line {returns[0]}: {RETURN}")
    rows = list(split_lines(file, iter(lines), delimiter))
    names = [] if header is False else _names_in_a_comment(file, remarks, delimiter, rows)
    if names and set(expected or ()) <= set(names):
        header = True
        if not _has_header([row for _, row in rows], expected):
            rows = [(comments, names), *rows]
    found = layout(file.name, rows, header, expected, decimal)
    skip = rows[0][0] if found["named"] else comments
    for k, line in enumerate(islice(file.lines(), skip) if found["named"] else (), 1):
        if k > min(comments, skip - 1):
            decoded(file, k, line)  # the fast reader does not look at it again
    return Delimited(file, delimiter, skip=skip, **found)


def is_remark(line: str) -> bool:
    """Whether a line above the rows is a comment, or tells Excel the delimiter, as sep=; does."""
    return line.lstrip().startswith("#") or bool(DELIMITER_LINE.fullmatch(line.strip("\r\n")))


def _names_in_a_comment(
    file: File, remarks: list[str], delimiter: str | None, rows: NumberedLines
) -> list[str]:
    """The names in the last comment line above the rows, if it has as many words as they have."""
    with suppress(Malformed):
        last = (line.lstrip("# \t") for line in remarks[-1:] if line.lstrip().startswith("#"))
        for _, (first, *others) in split_lines(file, last, delimiter):
            names = [first or "#", *others]
            alike = others and rows and all(len(row) == len(names) for _, row in rows)
            return names if alike and not any(map(looks_numeric, names)) else []
    return []


def layout(
    file: str, rows: NumberedLines, header: bool | None, expected: Any, decimal: str | None
) -> dict[str, Any]:
    """What rows show: the names of the columns, which are text, and how numbers are written."""
    if not rows:
        raise ValueError(f"{file} has no rows")
    refuse_title(file, rows)
    cells = [row for _, row in rows]
    if header is None:
        header = _has_header(cells, expected)
    if header and len(cells) == 1:
        raise ValueError(f"{file} has a header, but no rows")
    if header and cells[0] in cells[1:]:
        again = rows[1 + cells[1:].index(cells[0])][0]
        raise ValueError(f"{file}, line {again}: repeats the header; remove such lines")
    unnamed = list(Numbered("x", range(1, len(cells[0]) + 1)))
    names = distinct_names(cells[0]) if header else unnamed
    full = (row for row in rows[header:] if len(row[1]) == len(names))
    decimal, texts = how_written(file, names, full, decimal)
    shown = {"names": names, "named": header, "texts": texts, "decimal": decimal}
    return shown | {"repeated": renamed(cells[0], names) if header else {}}


def refuse_title(file: str, rows: NumberedLines, unit: str = "line") -> None:
    """Refuse a line of one value above others."""
    if rows and len(rows[0][1]) == 1 < len(rows[-1][1]):
        raise ValueError(
            f"{file}, {unit} {rows[0][0]}: one value, where others have {len(rows[-1][1])}; "
            "remove the title above the table"
        )


def distinct_names(names: list[str]) -> list[str]:
    """Names as they are, but for those that are empty, or that came before."""
    known: dict[str, int] = {}
    for k, name in enumerate(names, 1):
        name = name.strip() or f"x{k}"
        known[name if name not in known else f"{name}.{k}"] = k
    return list(known)


def renamed(cells: list[str], names: list[str]) -> dict[int, str]:
    """The places and the former names of columns that are called otherwise, as names come twice."""
    pairs = enumerate(zip(map(str.strip, cells), names, strict=True))
    return {j: cell for j, (cell, name) in pairs if cell not in ("", name)}


def _sample(file: File) -> list[str]:
    """The first whole lines."""
    lines: list[str] = []
    size = 0
    for raw in file.lines():
        lines.append(raw.decode("utf-8-sig" if not lines else "utf-8", errors="replace"))
        size += len(raw)
        if size > SAMPLE_BYTES and len(lines) > 2:
            break
    return lines


def _delimiter(file: File, lines: list[str]) -> str | None:
    """The delimiter that gives all first lines the same number of cells; else white space."""

    def cells(delimiter: str | None) -> list[int]:
        counts = []
        with suppress(Malformed):  # whoever reads that line tells
            for _, row in split_lines(file, iter(lines), delimiter):
                counts.append(len(row))
        return counts or [1]

    if file.stem.endswith((".tsv", ".tab")):
        return "\t"
    for space in ("\t", None):
        if _has_decimal_commas(file, lines, space):
            return space
    for delimiter in (";", ",", "|"):
        if min(cells(delimiter)) > 1 and len(set(cells(delimiter))) == 1:
            return delimiter
    commas = file.stem.endswith(".csv") or max(cells(None)) == 1
    if commas and max(cells(",")) > 1:
        return ","
    return "\t" if len(set(cells(None))) > 1 and set(cells("\t")).isdisjoint({1}) else None


def _has_decimal_commas(file: File, lines: list[str], delimiter: str | None) -> bool:
    """Whether lines have the same number of cells, and all commas in these are decimal ones."""
    with suppress(Malformed):
        rows = [row for _, row in split_lines(file, iter(lines), delimiter)]
        marked = [cell for row in rows for cell in row if "," in cell]
        alike = len({len(row) for row in rows}) == 1 and len(rows[0]) > 1
        return alike and bool(marked) and all(numeric(cell, COMMA) for cell in marked)
    return False


def _has_header(rows: list[list[str]], expected: Any) -> bool:
    """Whether the first row names the columns.

    It does if it has a word where the rows below have numbers; or, where everything is words, if
    its words are all different and none comes again in its column; or if it numbers the columns,
    but for words of which none comes again where others do.
    """
    first, body = rows[0], [row for row in rows[1:] if len(row) == len(rows[0])]
    if SELDOM * body.count(first) <= len(body):  # a header that stands again between the rows
        body = [row for row in body if row != first]
    if expected and set(expected) <= {cell.strip() for cell in first}:
        return True
    words = [j for j, cell in enumerate(first) if not looks_numeric(cell)]
    if not words:
        return False
    if any(body and all(looks_numeric(row[j]) for row in body) for j in words):
        return True
    again = any(row[j] == first[j] for row in body for j in words)
    named = len(words) == len(set(first)) == len(first)
    return not again and (named or (_counts_up(first, words) and _come_again(body, words)))


def _counts_up(first: list[str], words: list[int]) -> bool:
    """Whether cells are whole numbers, one after the other, but for words and those left empty."""
    numbers = [cell.strip() for j, cell in enumerate(first) if cell.strip() and j not in words]
    whole = len(numbers) > 1 and all(map(str.isdecimal, numbers))
    return whole and list(map(int, numbers)) == [int(numbers[0]) + k for k in range(len(numbers))]


def _come_again(body: list[list[str]], words: list[int]) -> bool:
    """Whether each word in these columns is in several rows."""
    return bool(body) and all(min(Counter(row[j] for row in body).values()) > 1 for j in words)
