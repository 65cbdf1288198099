"""The command. Processes of a search import it from a module of its own."""

import sys

from adversary.search import main

if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
