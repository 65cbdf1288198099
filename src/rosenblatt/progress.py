"""A progress bar for long runs, on standard error."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rosenblatt.core.training import Run

RunWatch = Callable[[Run], None]
ShareReport = Callable[[float, str], None]


def unreported(*told: Any) -> None:
    """Ignore what is told of progress."""


@contextmanager
def bars(shown: bool, names: list[str], passes: int) -> Iterator[list[RunWatch]]:
    """A function for each run, to be called with it after every pass."""
    if not shown:
        yield [unreported for _ in names]
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()
    with Progress(*columns, console=Console(stderr=True)) as progress:

        def watch(name: str) -> RunWatch:
            task = progress.add_task(name, total=passes)

            def told(run: Run) -> None:
                text = f"{name}: {run.mistakes[-1]} mistakes, margin <= {run.bracket.upper:.2g}"
                ended = f", {run.reason}" if run.reason else ""
                progress.update(task, completed=run.passes, description=text + ended)

            return told

        yield [watch(name) for name in names]


@contextmanager
def bar(shown: bool) -> Iterator[ShareReport]:
    """A function to be called with the share of the work that is done, and a text."""
    if not shown:
        yield unreported
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

    columns = TextColumn("{task.description}"), BarColumn(), TaskProgressColumn()
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task("", total=1.0)
        yield lambda share, text: progress.update(task, completed=share, description=text)
