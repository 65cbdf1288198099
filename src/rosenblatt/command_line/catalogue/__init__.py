"""The catalogue: what the library says in Python, and how the command line says it.

A pattern is a sentence with gaps. It has its Chinese, or else the English of the command line and
its Chinese, where that is not the English of Python: there are options, not arguments, and rows are
lines of a file. Gaps whose names begin with `what`, `why` or `where` hold sentences of the
catalogue again.
"""

from rosenblatt.command_line.catalogue import help, learning, models, proofs, tables, usage

MESSAGES = (
    tables.MESSAGES
    | learning.MESSAGES
    | proofs.MESSAGES
    | models.MESSAGES
    | usage.MESSAGES
    | help.MESSAGES
)
