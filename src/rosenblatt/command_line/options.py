"""The options of the command line."""

from collections.abc import Callable
from typing import Any

import click

from rosenblatt.atomic_write import place_for

Command = Callable[..., Any]
Params = dict[str, Any]


def batch(ctx: Any, option: Any, value: str | None) -> Any:
    """A number, or "all"."""
    return int(value) if value and value.isdigit() else value


def edge(ctx: Any, option: Any, value: str | None) -> Any:
    """What a point on the hyperplane is."""
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
        return {_label(name): float(weight) for name, weight in pairs}
    except ValueError:
        raise click.BadParameter("use balanced, or label=weight,label=weight") from None


def _label(text: str) -> Any:
    return int(text) if text.lstrip("+-").isdigit() else text


def to_write(*suffixes: str) -> Callable[..., Any]:
    """A check that a file can be written, and is of a kind that is known, before work begins."""

    def check(ctx: Any, option: Any, value: str | None) -> str | None:
        if value is None or value == "-":
            return value
        place_for(value)
        if suffixes and not value.endswith(suffixes):
            raise click.BadParameter(f"{value} should end in {', '.join(suffixes)}")
        return value

    return check


PICTURE = to_write(".png", ".svg", ".pdf", ".jpg")
FILM = to_write(".gif", ".mp4", ".html")

# name: what click is to make of it. The defaults are those of Perceptron.
PARAMETERS: dict[str, dict[str, Any]] = {
    "eta0": {"type": float, "help": "The learning rate."},
    "fit_intercept": {"is_flag": True, "help": "Whether to learn a bias."},
    "max_iter": {"type": int, "help": "The most passes."},
    "max_updates": {"type": int, "help": "The most mistakes to learn from."},
    "min_margin": {"type": float, "help": "Stop when no separator has a larger margin."},
    "tol": {"type": float, "help": "Stop when a pass improves the loss by less."},
    "n_iter_no_change": {"type": int, "help": "Passes without improvement, for --tol."},
    "shuffle": {"is_flag": True, "help": "A new order each pass."},
    "order": {"type": str, "help": "sweep, random, worst or active."},
    "rule": {"type": str, "help": "rosenblatt, margin, pa, pa1, pa2, relaxation."},
    "margin": {"type": float, "help": "The margin of the rules that have one."},
    "C": {"type": float, "help": "The aggressiveness of pa1 and pa2."},
    "form": {"type": str, "help": "auto, primal or dual."},
    "batch_size": {"callback": batch, "help": "Rows that move it together, or all."},
    "keep": {"type": str, "help": "pocket, best, last, average or vote."},
    "boundary": {
        "type": click.Choice(["mistake", "1", "+1", "-1"]),
        "callback": edge,
        "help": "What a point on the hyperplane is.",
    },
    "settle": {"type": str, "help": "first, after or never: when to decide separability."},
    "multi_class": {"type": str, "help": "ovr or direct, for more than two classes."},
    "class_weight": {"callback": class_weights, "help": "balanced, or label=weight,…"},
    "early_stopping": {"is_flag": True, "help": "Stop when held back rows get no better."},
    "validation_fraction": {"type": float, "help": "The share of rows to hold back."},
    "n_jobs": {"type": int, "help": "Threads for several classes."},
    "random_state": {"type": int, "help": "The seed."},
    "verbose": {"type": int, "help": "1 shows each pass."},
}

# The parameters that only KernelPerceptron has; with a kernel, it is what learns.
KERNELS = ("linear", "poly", "rbf", "sigmoid", "laplacian", "cosine")
KERNEL_PARAMETERS: dict[str, dict[str, Any]] = {
    "kernel": {"type": click.Choice(KERNELS), "help": "Learn in the feature space of a kernel."},
    "gamma": {"callback": scale, "help": "Of the kernel: scale, auto or a number."},
    "degree": {"type": float, "help": "Of the kernel poly."},
    "coef0": {"type": float, "help": "Of the kernels poly and sigmoid."},
    "cache_size": {"type": float, "help": "MB for the kernel of the rows."},
    "budget": {"type": int, "help": "The most support vectors of a kernel."},
    "forget": {"type": str, "help": "margin or project: what goes beyond --budget."},
}
LINEAR = ("form", "settle")  # the parameters that KernelPerceptron does not have


def model_options(command: Command) -> Command:
    """An option for each parameter of Perceptron and KernelPerceptron."""
    for name, how in reversed((PARAMETERS | KERNEL_PARAMETERS).items()):
        dashed = name.replace("_", "-")
        flag = f"--{dashed}/--no-{dashed}" if how.get("is_flag") else f"--{dashed}"
        command = click.option(flag, name, **{"default": None, **how})(command)
    return command


def table_options(command: Command) -> Command:
    """How a table is read."""
    for option in (
        click.option("--header/--no-header", default=None, help="Whether line 1 names columns."),
        click.option("--without", multiple=True, metavar="NAME", help="A column to leave out."),
        click.option(
            "--missing",
            type=click.Choice(["refuse", "drop", "mean"]),
            default="refuse",
            help="What to do about missing values.",
        ),
        click.option("--target", default="-1", help="The column of labels: name or position."),
    ):
        command = option(command)
    return command


STREAM = click.option(
    "--stream/--no-stream",
    default=None,
    help="Read it for every pass, or once; by default once if it fits in memory.",
)


def scale_options(command: Command) -> Command:
    """How to learn from a table that is large."""
    for option in (
        click.option("--workers", type=click.IntRange(min=1), help="Learn in so many processes."),
        click.option(
            "--checkpoint", metavar="FILE", callback=to_write(), help="Write here how far it is."
        ),
        STREAM,
    ):
        command = option(command)
    return command


def common_options(command: Command) -> Command:
    """What every command understands."""
    for option in (
        click.option("--debug", is_flag=True, expose_value=False, help="Show tracebacks."),
        click.option("--lang", type=click.Choice(["en", "zh"]), help="English or Chinese."),
        click.option("--json", "as_json", is_flag=True, help="One JSON object, for machines."),
    ):
        command = option(command)
    return command


DATA = click.argument("data", required=False)


def chosen(options: Params) -> Params:
    """The parameters that were given, all of one estimator; the other options stay."""
    given = {name: options.pop(name) for name in PARAMETERS | KERNEL_PARAMETERS}
    given = {name: value for name, value in given.items() if value is not None}
    kernel = "kernel" in given
    for name in given:
        if name in (LINEAR if kernel else KERNEL_PARAMETERS):
            why = "does not apply to kernels" if kernel else "needs --kernel"
            raise click.UsageError(f"--{name.replace('_', '-')} {why}")
    return given
