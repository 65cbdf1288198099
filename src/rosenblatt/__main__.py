"""The program: ``rosenblatt``, or ``python -m rosenblatt``. It can be ended at any moment."""

import signal
import sys
from types import FrameType
from typing import Any


def main() -> None:
    """Run the command line; Ctrl-C ends it even while it is loading."""
    signal.signal(signal.SIGTERM, end)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # not ignored, as by nohup
        signal.signal(signal.SIGINT, end)
    try:
        from rosenblatt import cli

        cli.main()
    except KeyboardInterrupt:
        sys.exit(130)


def end(number: int, frame: FrameType | None) -> None:
    """End: what is half written goes away, and other processes end too.

    Modules that are being loaded may take every exception for a failure of their own. So it is
    raised when they are loaded, by whoever asked for them.
    """

    def leave(*event: Any) -> None:
        raise KeyboardInterrupt if number == signal.SIGINT else SystemExit(128 + number)

    importer = outside_imports(frame)
    if importer is frame or importer is None:
        leave()
    else:
        importer.f_trace = leave
        sys.settrace(lambda *event: None)


def outside_imports(frame: FrameType | None) -> FrameType | None:
    """The innermost frame that no import has called."""
    found, inner = frame, frame
    while inner is not None:
        if inner.f_code.co_filename == "<frozen importlib._bootstrap>":
            found = inner.f_back
        inner = inner.f_back
    return found


if __name__ == "__main__":
    main()
