"""The terminal: lines, bars, and results that go to files."""

import json
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from io import BytesIO
from pathlib import Path
from threading import Timer
from typing import Any

import click

from rosenblatt.atomic_write import replacing
from rosenblatt.command_line.messages import language, say
from rosenblatt.command_line.translation import MessageSubject, in_words
from rosenblatt.extras import need
from rosenblatt.inputs.fitted_model import FittedModel

ABOUT: ContextVar[MessageSubject] = ContextVar("ABOUT")  # the table read last


def tell(facts: dict[str, Any], lines: Iterable[str], as_json: bool) -> None:
    """Print facts as one JSON object, or lines."""
    if as_json:
        click.echo(as_line(facts), nl=False)
        return
    for line in lines:
        click.echo(line)


def as_line(facts: dict[str, Any]) -> str:
    """Facts as one line of JSON."""
    return json.dumps(facts, ensure_ascii=False, allow_nan=False) + "\n"


@contextmanager
def waiting(text: str) -> Iterator[None]:
    """A bar on standard error for what takes longer than a second; warnings in one line each."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn()
    bar = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
    bar.add_task(text, total=None)
    timer = Timer(1.0, bar.start)
    timer.start()
    try:
        with warnings.catch_warnings(record=True) as caught:
            yield
    finally:
        timer.cancel()
        timer.join()
        if bar.live.is_started:  # else rich may print an empty line
            bar.stop()
    messages = (str(w.message) for w in caught)
    for message in dict.fromkeys(say("glyphs") if is_glyph(m) else m for m in messages):
        complain("warning", message)


def is_glyph(message: str) -> bool:
    """Whether matplotlib says that its fonts lack a character; it does so for each."""
    return message.startswith("Glyph ") and "missing from font" in message


def complain(kind: str, message: str) -> None:
    """One line on standard error."""
    click.echo(say(kind, message=in_our_words(" ".join(message.split()))), err=True)


def in_our_words(message: Any) -> str:
    """What the library says, in the words of the command line, of the table that was read."""
    return in_words(str(message), language(), ABOUT.get(MessageSubject()))


def write(path: str, parts: Iterable[bytes]) -> None:
    """A complete file, or none."""
    with replacing(path) as stream:
        stream.writelines(parts)


def plotting() -> Any:
    """The module of pictures, for files only; asked for before the work begins."""
    need("matplotlib", "plot", "drawing").use("agg")
    return need("rosenblatt.plots", "plot", "drawing")


def draw_picture(path: str, kind: str, model: FittedModel, table: Any) -> None:
    """A picture in a file."""
    with waiting(say("drawing")):
        figure = getattr(plotting(), kind)(model, table.X, table.y, lang=language()).figure
        picture = BytesIO()
        figure.savefig(picture, format=Path(path).suffix.lstrip("."))
        write(path, [picture.getvalue()])
