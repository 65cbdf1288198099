"""The group of all commands, and their help in English and Chinese."""

import re
from collections.abc import Iterable
from typing import Any

import click

from rosenblatt.command_line.catalogue.help import METAVARS
from rosenblatt.command_line.messages import language
from rosenblatt.command_line.options import LANGUAGE
from rosenblatt.command_line.translation import in_words
from rosenblatt.command_line.wrapping import wide, wrapped


class HelpFormatter(click.HelpFormatter):
    """Help in the language that was asked for. click counts letters, and Chinese ones are wide."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        super().write_usage(prog, metavars(args), said("Usage: ") if prefix is None else prefix)

    def write_heading(self, heading: str) -> None:
        self.write(f"{'':>{self.current_indent}}{said(heading)}{':' if is_english() else '：'}\n")

    def write_text(self, text: str) -> None:
        if is_english():
            return super().write_text(text)
        width = self.width - self.current_indent
        parts = [said(" ".join(part.split())) for part in re.split(r"\n\s*\n", text.strip())]
        for k, part in enumerate(parts):
            self.write("\n" if k else "")
            self._write_lines(wrapped(part, width), self.current_indent)

    def write_dl(self, rows: Iterable[tuple[str, str]], *args: Any, **how: Any) -> None:
        if is_english():
            return super().write_dl(rows, *args, **how)
        named = [(metavars(name), said(text)) for name, text in rows]
        column = self.current_indent + min(32, max(wide(name) for name, _ in named)) + 2
        for name, text in named:
            self._write_lines([name], self.current_indent)
            lines = wrapped(text, max(20, self.width - column))
            if wide(name) + self.current_indent + 2 <= column:
                self.buffer[-1] = self.buffer[-1].rstrip("\n")
                self.write(" " * (column - self.current_indent - wide(name)) + lines.pop(0) + "\n")
            self._write_lines(lines, column)

    def _write_lines(self, lines: list[str], indent: int) -> None:
        self.write("".join(f"{'':>{indent}}{line}\n" for line in lines))


class Context(click.Context):
    """A context whose help is so."""

    formatter_class = HelpFormatter


def is_english() -> bool:
    return language() == "en"


def said(text: str) -> str:
    return in_words(text, language())


def metavars(text: str) -> str:
    """Words in capitals, which stand for what is to be written."""
    if is_english():
        return text
    return re.sub(r"\b[A-Z]+\b", lambda word: METAVARS.get(word[0], word[0]), text)


class Command(click.Command):
    """A command whose first sentence is whole in the list of all, and in the language asked for."""

    context_class = Context

    def get_short_help_str(self, limit: int = 45) -> str:
        sentence = " ".join((self.help or "").split("\n\n")[0].split())
        return sentence if is_english() else said(sentence)


class Group(click.Group):
    """All commands."""

    context_class = Context
    command_class = Command


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="rosenblatt")
@LANGUAGE
def cli() -> None:
    """The perceptron: separate your data, or prove that no hyperplane can.

    DATA is a CSV, TSV, white space, Parquet, Feather, Excel, libsvm, .npy or .npz file, packed or
    not; several of them, or a pattern such as 'part-*.csv'; a folder of Parquet files; an address
    (s3://, https://); or - for standard input. Without it, commands use embedded credit data.
    """
