"""Commands that draw: plot, animate and play."""

from typing import Any

import click

from rosenblatt.command_line import terminal
from rosenblatt.command_line.group import cli
from rosenblatt.command_line.messages import language, say
from rosenblatt.command_line.options import (
    DATA,
    FILM,
    PICTURE,
    chosen,
    common_options,
    model_options,
    table_options,
)
from rosenblatt.extras import need

PLOTS = ("boundary", "path", "margins", "bound", "passes", "dual")


@cli.command()
@DATA
@click.option("-o", "--output", required=True, callback=PICTURE, help=".png, .svg, .pdf or .jpg")
@click.option("--kind", type=click.Choice(PLOTS), default="boundary", help="What to draw.")
@table_options
@model_options
@common_options
def plot(data: Any, as_json: bool, output: str, kind: str, **options: Any) -> None:
    """Draw the boundary, the path, the margins, the bound, the passes or the dual form."""
    from rosenblatt.command_line import row_sources

    params = chosen(options)
    terminal.plotting()
    table = row_sources.open_table(data, **options)
    model = row_sources.trained(table, **params | {"record": True})
    terminal.draw_picture(output, kind, model, table)
    terminal.tell({"saved": [output]}, [f"{say('saved')}  {output}"], as_json)


@cli.command()
@DATA
@click.option("-o", "--output", required=True, callback=FILM, help=".gif, .mp4 or .html")
@table_options
@model_options
@common_options
def animate(data: Any, as_json: bool, output: str, **options: Any) -> None:
    """Animate the run."""
    from rosenblatt.command_line import row_sources

    params = chosen(options)
    plots = terminal.plotting()
    table = row_sources.open_table(data, **options)
    model = row_sources.trained(table, **params | {"record": True})
    with terminal.waiting(say("drawing")):
        plots.animate(model, table.X, table.y, save=output, lang=language())
    terminal.tell({"saved": [output]}, [f"{say('saved')}  {output}"], as_json)


@cli.command()
@click.argument("link", required=False)
@click.option("--host", default="127.0.0.1", help="Where to listen; other machines need 0.0.0.0.")
@click.option("--port", type=click.IntRange(0, 65535), help="1958, or a free one, if not given.")
@click.option("--browser/--no-browser", default=True, help="Whether to open a browser.")
@common_options
def play(link: str | None, as_json: bool, host: str, port: int | None, browser: bool) -> None:
    """Watch the perceptron learn in a local web page; LINK is a shared state.

    Ctrl-C ends it.
    """
    if link and "#" not in link:
        raise click.UsageError(say("no_link", link=link))
    for module in ("starlette", "uvicorn"):
        need(module, "play", "the playground")
    from rosenblatt.play import server
    from rosenblatt.play.classroom import can_draw, square_text

    sock = server.listen(host, port)
    door = server.open_door(host, sock)
    state = f"#{link.partition('#')[2]}" if link else ""
    address, for_others = door.address + state, door.for_others
    facts, lines = {"address": address}, [say("playing", address=address)]
    if not door.is_local:
        terminal.complain("warning", say("exposed", host=host))
    if for_others:
        facts |= {"for_others": for_others + state}
        lines += [say("playing for others", address=for_others + state)]
        lines += [square_text(for_others)] if can_draw() else []
    terminal.tell(facts, lines, as_json)
    if browser:
        click.launch(address)
    server.serve(door, sock)
