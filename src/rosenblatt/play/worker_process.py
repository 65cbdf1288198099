"""A process that answers: frames come in on standard input, and go out on standard output.

A question is a name, a newline and JSON, after its length; a reply is a status and JSON, after its
length. The end of input ends the process.
"""

import contextlib
import os
import struct
import sys
import traceback
from typing import BinaryIO

LENGTH = struct.Struct(">I")
REPLY = struct.Struct(">HI")
FAILED = b'{"error":"the server failed here, which is a mistake of its own","code":"failed"}'
WARM = (  # among them, everything that is compiled is used
    b'{"data":{"name":"textbook"},"learner":{}}',
    b'{"data":{"name":"xor"},"learner":{"kernel":"rbf"}}',
    b'{"data":{"name":"xor"},"learner":{"kernel":"rbf","max_iter":1}}',
    b'{"data":{"name":"iris"},"learner":{"max_iter":2}}',
    b'{"data":{"name":"iris"},"learner":{"kernel":"rbf","max_iter":1}}',
)


def main() -> None:
    """Answer until there are no more questions."""
    source, sink = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what anybody prints is not a reply
    for question in WARM:  # to load, and to compile what is not compiled yet
        reply("run", question)
    send(sink, 200, b"{}")
    while head := source.read(LENGTH.size):
        name, _, body = source.read(*LENGTH.unpack(head)).partition(b"\n")
        send(sink, *reply(name.decode(), body))


def reply(name: str, body: bytes) -> tuple[int, bytes]:
    """The answer; an error that nobody foresaw is told on standard error."""
    from rosenblatt.play.responses import answer

    try:
        return answer(name, body)
    except Exception:
        traceback.print_exc()
        return 500, FAILED


def send(sink: BinaryIO, status: int, body: bytes) -> None:
    """One frame."""
    sink.write(REPLY.pack(status, len(body)) + body)
    sink.flush()


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError):  # the server is gone
        main()
