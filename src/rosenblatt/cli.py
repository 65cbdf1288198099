"""The command line, by the path under which it is public."""

from rosenblatt.command_line.group import cli
from rosenblatt.command_line.program import main, run

__all__ = ["cli", "main", "run"]
