"""Reports: what the command line tells, as facts for machines and as lines for people."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from typing import Any

from rich.cells import cell_len

from rosenblatt.command_line.messages import language, say
from rosenblatt.command_line.terminal import in_our_words
from rosenblatt.command_line.translation import in_words
from rosenblatt.command_line.wrapping import wide, wrapped
from rosenblatt.play.json_text import json_value

Facts = dict[str, Any]
SHOWN = 20  # weights and rows in text; JSON has all


def aligned(pairs: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Names and values in two columns; Chinese letters are two wide."""
    pairs = list(pairs)
    width = max((cell_len(name) for name, _ in pairs), default=0)
    for name, value in pairs:
        yield f"{name}{' ' * (width - cell_len(name))}  {value}".rstrip()


def data_line(facts: Facts) -> str:
    """What was decided in reading, in one line."""
    told = facts["data"] | {"encoded": ", ".join(facts["data"]["encoded"])}
    told["file"] = in_words(told["file"], language())
    parts = [say("data", **told)]
    parts += [say(k, **told) for k in ("target", "encoded", "dropped", "filled") if told[k]]
    parts += [say(f"decimal{told['decimal']}")] if told.get("decimal") else []
    if len(names := facts.get("classes", [])) > 2:
        parts += [say("classes", count=len(names), names=listed_names(list(map(str, names))))]
    return "".join(parts)


def places(table: Any, rows: Any) -> Facts:
    """Where rows are in the file."""
    return {"unit": table.source.unit, "numbers": table.numbers(sorted(rows))}


def some(found: Facts, unnamed: int = 0) -> Facts:
    """How many places there are, and the first of them in words."""
    numbers, more = found["numbers"], max(0, len(found["numbers"]) - SHOWN) + unnamed
    word = f"{found['unit']}_at" if len(numbers) == 1 else f"{found['unit']}s"
    shown = say(word, numbers=", ".join(map(str, numbers[:SHOWN])))
    shown += " " + say("more", count=more) if more else ""
    return {"count": len(numbers), "places": shown}


def told_lines(facts: Facts, pairs: Iterable[tuple[str, str]]) -> Iterator[str]:
    """What was read, what is told of it, and the files that were written."""
    yield data_line(facts)
    yield from aligned([*pairs, *((say("saved"), path) for path in facts.get("saved", []))])


def listed_names(names: Sequence[str]) -> str:
    """The first names of columns."""
    shown = ", ".join(names[:SHOWN])
    return shown if len(names) <= SHOWN else f"{shown} {say('and_more', count=len(names) - SHOWN)}"


# Verdicts on more than two classes, which are decided jointly.
JOINTLY = {name: f"{name}_jointly" for name in ("separable", "touching", "overlapping")}


def contributions(by_name: Facts, spread: Facts | None) -> Facts | None:
    """The share of each weight times the standard deviation of its column, the largest first."""
    if spread is None:
        return None
    moved = {name: abs(w) * spread[name] for name, w in by_name.items()}
    total = sum(moved.values()) or 1.0
    return {name: moved[name] / total for name in sorted(moved, key=lambda name: -moved[name])}


def weight_lines(
    by_name: Facts, intercept: float, title: str, shares: Facts | None = None
) -> Iterator[str]:
    """Weights with the shares that they contribute, if these are known, the largest first."""
    yield title
    texts = {name: f"{by_name[name]:+.6g}" for name in list(shares or by_name)[:SHOWN]}
    width = max(map(len, texts.values()), default=0)
    shown = [
        (name, f"{text:{width}}  {shares[name]:6.1%}" if shares else text)
        for name, text in texts.items()
    ]
    for line in aligned([*shown, (say("bias"), f"{intercept:+.6g}")]):
        yield f"  {line}"
    if len(by_name) > SHOWN:
        yield f"  {say('more', count=len(by_name) - SHOWN)}"


# -- explain and bound -----------------------------------------------------------------------------


def mistakes(table: Any, log: Any, most: int) -> list[Facts]:
    """The first mistakes of a run."""
    if isinstance(log, list):
        raise ValueError(
            f"there are {len(log)} classes, each with a run of its own; to see one run, use "
            "--multi-class direct"
        )
    rows = log.i[:most]
    columns = log.t[:most], rows, table.numbers(rows), table.y[rows], log.c[:most]
    names = "seen", "row", table.source.unit, "label", "step"
    return json_value([dict(zip(names, m, strict=True)) for m in zip(*columns, strict=True)])


def mistake_lines(listed: list[Facts], count: int) -> Iterator[str]:
    """The first mistakes of a run, as a table."""
    if not count:
        yield say("none")
        return
    if not listed:
        yield say("unlisted", count=count)
        return
    few = len(listed) < count
    yield say("first" if few else "all", shown=len(listed), count=count)
    unit = "line" if "line" in listed[0] else "row"
    head = [say(word) for word in ("number", "seen", unit, "label", "step")]
    rows = [
        [str(k), str(m["seen"]), str(m[unit]), str(m["label"]), f"{m['step']:+g}"]
        for k, m in enumerate(listed, 1)
    ]
    widths = [max(map(cell_len, column)) for column in zip(head, *rows, strict=True)]
    for row in [head, *rows]:
        cells = zip(row, widths, strict=True)
        yield "  " + "  ".join(" " * (width - cell_len(c)) + c for c, width in cells)


def bound_lines(found: Any) -> Iterator[str]:
    """What Novikoff's theorem says of a run, with a blank line between paragraphs."""
    for k, part in enumerate(found.paragraphs()):
        if k:
            yield ""
        yield from step_lines(part) if "\n" in part else wrapped(in_our_words(part))


def step_lines(table: str) -> Iterator[str]:
    """The table of the steps, under a head in the language of the reader."""
    head, *lines = table.split("\n")
    for word, width in (("mistake", 9), ("angle", 6)):
        said = say({"mistake": "number"}.get(word, word))
        head = head.replace(f"{word:>{width}}", " " * (width - wide(said)) + said)
    yield from (head, *lines)


# -- predict ---------------------------------------------------------------------------------------


def joined_columns(parts: Iterable[Facts]) -> Facts:
    """The same columns in one."""
    found = list(parts)
    return {name: [value for part in found for value in part[name]] for name in found[0]}


def as_csv(parts: Iterable[Facts]) -> Iterator[str]:
    """Columns as CSV, under one header."""
    for k, columns in enumerate(parts):
        text = StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerows([columns] if k == 0 else [])
        writer.writerows(zip(*columns.values(), strict=True))
        yield text.getvalue()
