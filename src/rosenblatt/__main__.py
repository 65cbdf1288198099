"""The program: ``rosenblatt``, or ``python -m rosenblatt``. It can be ended at any moment."""

import signal
import sys
from typing import Any, NoReturn


def main() -> None:
    """Run the command line; Ctrl-C ends it even while it is loading."""
    signal.signal(signal.SIGTERM, end)
    try:
        from rosenblatt import cli

        cli.main()
    except KeyboardInterrupt:
        sys.exit(130)


def end(number: int, frame: Any) -> NoReturn:
    """End as by Ctrl-C: what is half written goes away, and other processes end too."""
    sys.exit(128 + number)


if __name__ == "__main__":
    main()
