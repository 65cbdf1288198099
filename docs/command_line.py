"""Writes command-line.md from what the commands say of themselves: python docs/command_line.py"""

from pathlib import Path

import click

from rosenblatt.cli import cli

PAGE = Path(__file__).with_name("command-line.md")


def page() -> str:
    """All commands and their options."""
    parts = ["# The command line", "Written by `python docs/command_line.py`; do not edit."]
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
    return f"- {names}: {found.help}{listed}"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
