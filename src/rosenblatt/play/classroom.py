"""Classrooms: the address that others open, and a square that their phones can read."""

import contextlib
import importlib.util
import io
import socket

# Addresses that documentation uses: a datagram socket finds the way to them and sends nothing.
ELSEWHERE = (socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")


def network_numbers() -> list[str]:
    """The numbers of this machine in the networks it is in."""
    found = []
    for family, far in ELSEWHERE:
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as sock:
            sock.connect((far, 9))
            found.append(sock.getsockname()[0])
    return found


def can_draw() -> bool:
    """Whether there is something that draws the squares."""
    return importlib.util.find_spec("segno") is not None


def square_svg(address: str) -> bytes:
    """The square (a QR code) of an address, as a picture."""
    import segno

    picture = io.BytesIO()
    segno.make(address, micro=False).save(picture, kind="svg", scale=6, border=3, light="white")
    return picture.getvalue()


def square_text(address: str) -> str:
    """The square of an address, for a terminal."""
    import segno

    text = io.StringIO()
    segno.make(address, micro=False).terminal(text, compact=True)
    return text.getvalue()
