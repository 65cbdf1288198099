"""The program: run a command, and end as it should.

Heavy imports wait until a command needs them, so that --help is quick.
"""

import io
import os
import sys
import traceback
from typing import Any

import click

from rosenblatt.command_line.commands import learning, pictures, proofs, warm  # noqa: F401
from rosenblatt.command_line.group import cli
from rosenblatt.command_line.messages import choose_language, say
from rosenblatt.command_line.terminal import ABOUT, complain
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
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
    except click.ClickException as error:
        complain("error", error.format_message())
    except (Exception, KeyboardInterrupt) as error:
        if stems_from_ctrl_c(error):
            complain("interrupted", "")
            return 130
        if isinstance(error, click.Abort):  # click takes the end of a file for Ctrl-D
            error = EOFError(str(error.__cause__))
        if "--debug" in args:
            traceback.print_exc()
        complain("error", error_line(error))
    return 2


def stems_from_ctrl_c(error: BaseException | None) -> bool:
    """Whether an error came of an interrupt, in whose wake something else went wrong."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def buffered(stream: Any) -> Any:
    """The same stream with a buffer: without one, Python forgets what is not taken at once."""
    how = {"encoding": stream.encoding, "errors": stream.errors}
    return open(stream.fileno(), "w", closefd=False, **how)


def discard_stdout() -> None:
    """Forget what standard output did not take, lest Python try again when it ends."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def error_line(error: BaseException) -> str:
    """An error in one line."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    if isinstance(error, ValueError | TypeError | OSError | ImportError):
        return str(error)
    message = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return say("unexpected", message=message)
