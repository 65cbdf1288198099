"""The options of the command line."""

import math
from collections.abc import Callable
from functools import reduce
from typing import Any, get_args

import click

from rosenblatt.atomic_write import place_for
from rosenblatt.command_line.file_roles import reads, take_note
from rosenblatt.command_line.messages import ASKED
from rosenblatt.inputs.parameters import (
    KERNEL_NAMES,
    KernelParameters,
    LinearParameters,
    options_of,
)

CommandFunction = Callable[..., Any]
Params = dict[str, Any]


def batch(ctx: Any, option: Any, value: str | None) -> Any:
    """A number, or "all"."""
    return int(value) if value and value.isdigit() else value


def edge(ctx: Any, option: Any, value: str | None) -> Any:
    """How to count a point on the hyperplane."""
    return value if value in (None, "mistake") else int(value)


def scale(ctx: Any, option: Any, value: str | None) -> Any:
    """A number, or a word for one."""
    if value in (None, "scale", "auto"):
        return value
    try:
        return float(value)
    except ValueError:
        raise click.BadParameter("use scale, auto or a number") from None


def class_weights(ctx: Any, option: Any, value: str | None) -> Any:
    """ "balanced", or weights as label=weight,label=weight."""
    if value is None or value == "balanced":
        return value
    try:
        pairs = [pair.rsplit("=", 1) for pair in value.split(",")]
        weights = {_label(name): float(weight) for name, weight in pairs}
    except ValueError:
        raise click.BadParameter("use balanced, or label=weight,label=weight") from None
    if wrong := [weight for weight in weights.values() if not 0 <= weight < math.inf]:
        raise click.BadParameter(f"weights must be finite and not negative, got {wrong[0]:g}")
    return weights


def _label(text: str) -> Any:
    return int(text) if text.lstrip("+-").isdigit() else text


def to_write(*suffixes: str) -> Callable[..., Any]:
    """A check that a file can be written, and is of a kind that is known, before work begins."""

    def check(ctx: Any, option: Any, value: str | None) -> str | None:
        if value is None or value == "-":
            return value
        if not value:
            raise click.BadParameter("name a file to write")
        place_for(value)
        take_note(ctx, value, written=True)
        if suffixes and not value.endswith(suffixes):
            raise click.BadParameter(f"{value} should end in {', '.join(suffixes)}")
        return value

    return check


PICTURE = to_write(".png", ".svg", ".pdf", ".jpg")
FILM = to_write(".gif", ".mp4", ".html")

# What click is to make of parameters that are not just numbers or words.
READ: dict[str, dict[str, Any]] = {
    "batch_size": {"callback": batch},
    "boundary": {"type": click.Choice(["mistake", "1", "+1", "-1"]), "callback": edge},
    "class_weight": {"callback": class_weights},
    "random_state": {"type": click.IntRange(0, 2**32 - 1)},
    "kernel": {"type": click.Choice(KERNEL_NAMES)},
    "gamma": {"callback": scale},
}
LINEAR, KERNEL = options_of(LinearParameters), options_of(KernelParameters)


def stacked(*options: CommandFunction) -> CommandFunction:
    """Several options as one decorator; help shows them in this order."""
    return lambda command: reduce(lambda made, option: option(made), reversed(options), command)


def model_option(name: str, declared: Any) -> CommandFunction:
    """The option of a parameter."""
    flag = f"--{name.replace('_', '-')}"
    if declared.type is bool:
        flag += f"/--no-{name.replace('_', '-')}"
    plain = next(iter(get_args(declared.type)), declared.type)  # of a type that may allow None
    how = READ.get(name) or {"type": plain}
    return click.option(flag, name, default=None, help=declared.metadata["help"], **how)


LANGUAGE = click.option(
    "--lang",
    type=click.Choice(["en", "zh"]),
    expose_value=False,
    callback=lambda ctx, option, value: value and ASKED.set(value),
    help="English or Chinese.",
)
HEADER = click.option("--header/--no-header", default=None, help="Whether line 1 names columns.")
DECIMAL = click.option(
    "--decimal",
    type=click.Choice(["comma", "point"]),
    callback=lambda ctx, option, value: value and {"comma": ",", "point": "."}[value],
    help="The decimal mark; by default, what the numbers show.",
)
STREAM = click.option(
    "--stream/--no-stream",
    default=None,
    help="Read it for every pass, or once; by default once if it fits in memory.",
)

# Each parameter of Perceptron and KernelPerceptron; with a kernel, the latter learns.
model_options = stacked(*(model_option(*item) for item in (LINEAR | KERNEL).items()))
# How a table is read.
table_options = stacked(
    click.option(
        "--target",
        default="-1",
        callback=lambda ctx, option, value: -1 if value == "-1" else value,
        help="The column of labels: name, or position from 0; by default the last.",
    ),
    click.option(
        "--missing",
        type=click.Choice(["refuse", "drop", "mean"]),
        default="refuse",
        help="What to do about missing values.",
    ),
    click.option(
        "--without", multiple=True, metavar="NAME", help="A column to leave out; can be repeated."
    ),
    click.option(
        "--text",
        multiple=True,
        metavar="NAME",
        help="A column of codes to read as text; can be repeated.",
    ),
    HEADER,
    DECIMAL,
)
# How to learn from a table that is large.
scale_options = stacked(
    STREAM,
    click.option(
        "--checkpoint",
        metavar="FILE",
        callback=to_write(),
        help="Checkpoint file, from which an interrupted run continues.",
    ),
    click.option("--workers", type=click.IntRange(min=1), help="Number of worker processes."),
)
# What every command understands.
common_options = stacked(
    click.option("--json", "as_json", is_flag=True, help="Print one JSON object."),
    LANGUAGE,
    click.option("--debug", is_flag=True, expose_value=False, help="Show tracebacks."),
)


def files(ctx: Any, argument: Any, value: tuple[str, ...]) -> Any:
    """No file, one, or several."""
    reads(ctx, argument, value)
    return list(value) if len(value) > 1 else value[0] if value else None


DATA = click.argument("data", nargs=-1, callback=files)
REQUIRED_DATA = click.argument("data", nargs=-1, required=True, callback=files)


def chosen(options: Params) -> Params:
    """The parameters that were given, all of one estimator; the other options stay."""
    given = {name: options.pop(name) for name in LINEAR | KERNEL}
    given = {name: value for name, value in given.items() if value is not None}
    kernel = "kernel" in given
    for name in given:
        if name not in (KERNEL if kernel else LINEAR):
            why = "does not apply to kernels" if kernel else "needs --kernel"
            raise click.UsageError(f"--{name.replace('_', '-')} {why}")
    return given
