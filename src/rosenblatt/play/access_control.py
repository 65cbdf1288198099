"""The guard: who may ask, and how much.

The page is for the person who opened it. Other pages in the same browser can send requests here
too; so the address has a secret, the Host must be ours (else a foreign name could be made to point
here), and what computes must come from our own page.
"""

import asyncio
import ipaddress
import secrets
from typing import Any, NamedTuple

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from rosenblatt.play.classroom import network_numbers
from rosenblatt.play.json_fields import Refused

BODY = 2**20
BODY_SECONDS = 10.0  # for a body to arrive
LOCAL = ("127.0.0.1", "localhost", "[::1]")
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "connect-src 'self'; img-src 'self' blob:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}


class ServerAddress(NamedTuple):
    """Where the server is found, and the secret in its address."""

    host: str
    port: int
    token: str

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach it."""
        return self.host == "localhost" or is_loopback(self.host)

    @property
    def address(self) -> str:
        """What a browser opens."""
        return self._at("127.0.0.1" if self._is_everywhere else self.host)

    @property
    def for_others(self) -> str | None:
        """What a browser on another machine opens; None if none can, or if no way is known."""
        if self.is_local:
            return None
        numbers = network_numbers() if self._is_everywhere else [self.host]
        return self._at(numbers[0]) if numbers else None

    @property
    def _is_everywhere(self) -> bool:
        return self.host in ("0.0.0.0", "::")

    def _at(self, host: str) -> str:
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}/{self.token}/"


class Guard:
    """An application behind a door; whatever leaves it carries the headers above."""

    def __init__(self, app: Any, door: ServerAddress) -> None:
        self.app, self.door = app, door

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return await self.app(scope, receive, send)

        async def send_guarded(message: Any) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        try:
            check_access(self.door, Request(scope))
        except Refused as refused:
            return await refusal(refused)(scope, receive, send_guarded)
        return await self.app(scope, receive, send_guarded)


def refusal(refused: Refused) -> Response:
    """One sentence, and a word for the page."""
    return JSONResponse(refused.reply, refused.status)


def check_access(door: ServerAddress, request: Request) -> None:
    """Refuse a request that is not for us, or not from our page."""
    headers = request.headers
    host = headers.get("host", "")
    if not is_ours(door, host):
        raise Refused(f"there is no {host[:80]!r} here; open the address that was printed", 403)
    given = request.url.path.lstrip("/").partition("/")[0]
    if not secrets.compare_digest(given.encode(), door.token.encode()):
        raise Refused("the address has a secret, and this is another; open what was printed", 403)
    if headers.get("origin", f"http://{host}") != f"http://{host}":
        raise Refused("this request comes from another page", 403)
    if request.method == "POST" and headers.get("sec-fetch-site", "same-origin") != "same-origin":
        raise Refused("this request comes from another site", 403)


def is_ours(door: ServerAddress, host: str) -> bool:
    """Whether a Host header names us, port and all.

    Where other machines may come in, they may use any of our numbers, but no name that we do not
    know: a name can be made to point anywhere.
    """
    if door.port == 80 and not host.endswith(":80"):
        host += ":80"  # browsers leave it out
    name, _, port = host.rpartition(":")
    if port != str(door.port):
        return False
    known = name in (*LOCAL, door.host, f"[{door.host}]")
    return known or (not door.is_local and is_number(name))


def is_number(name: str) -> bool:
    """Whether a host is given by its number."""
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def is_loopback(host: str) -> bool:
    """Whether a number is this machine's own."""
    return is_number(host) and ipaddress.ip_address(host).is_loopback


async def read_body(request: Request) -> bytes:
    """The body of a request, read no further than the limit."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise Refused("requests are application/json", 415)
    length = request.headers.get("content-length", "0")
    if not length.isdecimal() or int(length[:20]) > BODY:
        raise too_large()
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for part in request.stream():
                body += part
                if len(body) > BODY:
                    raise too_large()
    except TimeoutError:
        raise Refused(
            f"the request took more than {BODY_SECONDS:g} seconds to arrive", 408
        ) from None
    return bytes(body)


def too_large() -> Refused:
    return Refused(f"a request has at most {BODY:,} bytes", 413, "body")
