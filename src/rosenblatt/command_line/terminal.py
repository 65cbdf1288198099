"""The terminal: lines, bars, and results that go to files."""

import json
import logging
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import click

from rosenblatt.command_line.messages import language, say
from rosenblatt.command_line.translation import MessageSubject, in_words
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
    from threading import Timer

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
    for message in dict.fromkeys(str(w.message) for w in caught):
        complain("warning", message)


def complain(kind: str, message: str) -> None:
    """One line on standard error."""
    click.echo(say(kind, message=in_our_words(" ".join(message.split()))), err=True)


def in_our_words(message: Any) -> str:
    """What the library says, in the words of the command line, of the table that was read."""
    return in_words(str(message), language(), ABOUT.get(MessageSubject()))


def talk_about(table: Any) -> Any:
    """The same table; messages speak of its target, its columns and its lines."""
    from rosenblatt.command_line.reports.report_lines import listed_names, places, some

    ABOUT.set(
        MessageSubject(
            target=str(table.target),
            columns=listed_names(table.source.names),
            place=lambda rows, more: some(places(table, rows), more)["places"],
        )
    )
    return table


def open_table(path: Any, **how: Any) -> Any:
    """A table; the embedded credit data without a path."""
    from importlib.resources import as_file, files

    from rosenblatt.tables import read

    name = say("credit") if path is None else path
    with waiting(say("reading", file=file_names(path) or name)):
        if path is not None:
            return talk_about(read(path, **how))
        with as_file(files("rosenblatt").joinpath("data/credit.csv")) as credit:
            table = read(credit, **how)
    return talk_about(table._replace(told=table.told._replace(file=name)))


def file_names(path: Any) -> str | None:
    """A file, or several."""
    return ", ".join(path) if isinstance(path, list) else path


def open_rows(path: Any, stream: bool | None, **how: Any) -> Any:
    """A table; or blocks of its rows, if that is asked for, or it does not fit in memory."""
    from rosenblatt.tables import scan
    from rosenblatt.tables.memory import fits

    at_once = path in (None, "-") or stream is False
    if stream and at_once:
        raise click.UsageError(say("file"))
    if at_once or (not stream and fits(path)):
        return open_table(path, **how)
    with waiting(say("reading", file=file_names(path))):
        return talk_about(scan(path, **how))


def learned(path: Any, scale: Any, params: Any, how: Any) -> tuple[Any, Any]:
    """A table and what was learned from it: in memory, block by block, or in several processes."""
    from rosenblatt.tables.memory import fits

    stream, workers = scale["stream"] or scale["checkpoint"], scale["workers"]
    in_memory = path in (None, "-") or "kernel" in params or scale["stream"] is False
    if ((stream or workers) and in_memory) or (stream and workers):
        raise click.UsageError(say("scale"))
    if workers:
        return distributed(path, workers, params, how)
    if stream or not (in_memory or fits(path)):
        return streamed(path, scale["checkpoint"], params, how)
    table = open_table(path, **how)
    return table, trained(table, **params)


def streamed(path: Any, checkpoint: Any, params: Any, how: Any) -> tuple[Any, Any]:
    """Blocks of rows, and what was learned from them."""
    from rosenblatt import Perceptron, fit_blocks

    blocks = open_rows(path, True, **how)
    with waiting(say("learning")):
        return blocks, fit_blocks(Perceptron(**params), blocks, checkpoint=checkpoint)


def distributed(path: Any, workers: int, params: Any, how: Any) -> tuple[Any, Any]:
    """Blocks of rows, and what processes of this machine learned from them."""
    from rosenblatt.extras import need

    cluster = need("rosenblatt.dask", "dask", "--workers")
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)  # what Ctrl-C cuts short is no error
    blocks = open_rows(path, True, **how)
    with waiting(say("learning")), cluster.local_client(workers):
        return blocks, cluster.DaskPerceptron(**params).fit(blocks).local()


def trained(table: Any, **params: Any) -> Any:
    """A fitted Perceptron, or a KernelPerceptron if a kernel is named."""
    from rosenblatt import KernelPerceptron, Perceptron

    estimator = KernelPerceptron if "kernel" in params else Perceptron
    with waiting(say("learning")):
        return estimator(**params).fit(table.X, table.y)


def write(path: str, parts: Iterable[bytes]) -> None:
    """A complete file, or none."""
    from rosenblatt.atomic_write import replacing

    with replacing(path) as stream:
        stream.writelines(parts)


def plotting() -> Any:
    """The module of pictures, for files only; asked for before the work begins."""
    from rosenblatt.extras import need

    need("matplotlib", "plot", "drawing").use("agg")
    return need("rosenblatt.plots", "plot", "drawing")


def draw_picture(path: str, kind: str, model: FittedModel, table: Any) -> None:
    """A picture in a file."""
    from io import BytesIO
    from pathlib import Path

    with waiting(say("drawing")):
        figure = getattr(plotting(), kind)(model, table.X, table.y, lang=language()).figure
        picture = BytesIO()
        figure.savefig(picture, format=Path(path).suffix.lstrip("."))
        write(path, [picture.getvalue()])


def film(path: str, model: FittedModel, table: Any) -> None:
    """An animation in a file."""
    with waiting(say("drawing")):
        plotting().animate(model, table.X, table.y, save=path, lang=language())
