"""The program: run a command, and end as it should.

Heavy imports wait until a command needs them, so that --help is quick.
"""

import io
import sys
import traceback

import click

from rosenblatt.command_line.commands import learning, pictures, proofs  # noqa: F401
from rosenblatt.command_line.group import cli
from rosenblatt.command_line.messages import choose_language
from rosenblatt.command_line.terminal import (
    ABOUT,
    buffered,
    complain,
    discard_stdout,
    error_line,
    stems_from_ctrl_c,
)
from rosenblatt.command_line.translation import MessageSubject


def main(args: list[str] | None = None) -> None:
    """Run the command line; errors are one line and exit code 2."""
    args = sys.argv[1:] if args is None else args
    if isinstance(getattr(sys.stdout, "buffer", None), io.RawIOBase):
        sys.stdout = buffered(sys.stdout)
    code = run(args)
    discard_stdout()
    sys.exit(code)


def run(args: list[str]) -> int:
    """Run a command; the exit code."""
    choose_language(args)
    ABOUT.set(MessageSubject())
    try:
        return cli.main(args, prog_name="rosenblatt", standalone_mode=False) or 0
    except KeyboardInterrupt:
        return interrupted()
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
    except click.ClickException as error:
        complain("error", error.format_message())
    except Exception as error:
        if stems_from_ctrl_c(error):
            return interrupted()
        if isinstance(error, click.Abort):  # click takes the end of a file for Ctrl-D
            error = EOFError(str(error.__cause__))
        if "--debug" in args:
            traceback.print_exc()
        complain("error", error_line(error))
    return 2


def interrupted() -> int:
    complain("interrupted", "")
    return 130
