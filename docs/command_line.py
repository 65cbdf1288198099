"""Writes command-line.md from what the commands say of themselves: python docs/command_line.py"""

from pathlib import Path

import click

from rosenblatt import KernelPerceptron, Perceptron
from rosenblatt.cli import cli

PAGE = Path(__file__).with_name("command-line.md")
PARAMETERS = KernelPerceptron(kernel=None).get_params() | Perceptron().get_params()


def page() -> str:
    """All commands and their options."""
    parts = ["# The command line", "<!-- Written by python docs/command_line.py; do not edit. -->"]
    parts += [paragraphs(cli.help)]
    for name, command in sorted(cli.commands.items()):
        arguments = [p for p in command.params if isinstance(p, click.Argument)]
        usage = " ".join(argument(p) for p in arguments)
        parts += [f"## rosenblatt {name} {usage}", paragraphs(command.help)]
        parts += ["\n".join(option(p) for p in command.params if isinstance(p, click.Option))]
    return "\n\n".join(parts) + "\n"


def argument(found: click.Argument) -> str:
    """An argument, in brackets if it may be left out."""
    name = found.name.upper() + ("..." if found.nargs == -1 else "")
    return name if found.required else f"[{name}]"


def paragraphs(text: str | None) -> str:
    """A docstring without its indentation."""
    return "\n".join(line.strip() for line in (text or "").strip().splitlines())


def option(found: click.Option) -> str:
    """An option in one line."""
    names = ", ".join(f"`{name}`" for name in found.opts + found.secondary_opts)
    choices = getattr(found.type, "choices", ())
    listed = f" ({', '.join(choices)})" if choices else ""
    return f"- {names}: {found.help}{listed}{default(found)}"


def default(found: click.Option) -> str:
    """What holds without the option, if that is something."""
    given = found.default if isinstance(found.default, str | int | float) else None
    value = PARAMETERS.get(found.name) if given is None else given
    if value is None or (value is False and not found.secondary_opts):
        return ""
    if found.secondary_opts:
        return f" Default: `{(found.opts if value else found.secondary_opts)[0]}`."
    return f" Default: {value}."


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
