"""The command line, by the path under which it is public."""

from rosenblatt.command_line.commands import cli, main, run

__all__ = ["cli", "main", "run"]
