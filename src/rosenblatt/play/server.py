"""The server: behind the guard, it hands out the page and passes questions to workers."""

import asyncio
import contextlib
import secrets
import socket
from collections.abc import AsyncIterator
from importlib.resources import files
from types import FrameType

import h11
import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from uvicorn.protocols.http.h11_impl import H11Protocol

from rosenblatt.play.access_control import Guard, ServerAddress, read_body, refusal
from rosenblatt.play.classroom import can_draw, square_svg
from rosenblatt.play.json_fields import Refused
from rosenblatt.play.process_pool import Pool

PORT = 1958  # the year of the perceptron
SECONDS = 10.0  # for one answer
HEADER_SECONDS = 10.0  # for the header of a request to arrive, as long as for its body
ANSWERED = ("run", "export")
CONTENT_TYPES = {
    "html": "text/html",
    "js": "text/javascript",
    "css": "text/css",
    "svg": "image/svg+xml",
}


def application(door: ServerAddress, pool: Pool) -> Starlette:
    """The playground behind a door, with workers."""
    page = load_page(door.for_others)

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        pool.begin()
        try:
            yield
        finally:
            await pool.stop()

    async def show(request: Request) -> Response:
        name = request.path_params["name"] or "index.html"
        if name not in page:
            raise Refused(f"there is no {name[:80]!r} here", 404)
        return Response(page[name], media_type=CONTENT_TYPES[name.rpartition(".")[2]])

    async def ask(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in ANSWERED:
            raise Refused(f"nothing here answers {name[:80]!r}", 404)
        status, reply = await pool.ask(name, await read_body(request))
        return Response(reply, status, media_type="application/json")

    routes = [
        Route("/{token}/{name:path}", show, methods=["GET"]),
        Route("/{token}/{name}", ask, methods=["POST"]),
    ]
    return Starlette(
        routes=routes,
        lifespan=lifespan,
        middleware=[Middleware(Guard, door=door)],
        exception_handlers={Refused: told, ClientDisconnect: told},
    )


async def told(request: Request, error: Exception) -> Response:
    """An error as a reply; to one who has gone, any will do."""
    return refusal(error) if isinstance(error, Refused) else Response(status_code=400)


def load_page(for_others: str | None = None) -> dict[str, bytes]:
    """The files of the page, by name; with the address for other machines, where there is one."""
    folder = files("rosenblatt.play").joinpath("page")
    page = {
        f.name: f.read_bytes()
        for f in folder.iterdir()
        if f.name.rpartition(".")[2] in CONTENT_TYPES
    }
    if for_others:
        marked = f'<body data-classroom="{for_others}">'.encode()
        page["index.html"] = page["index.html"].replace(b"<body>", marked)
    if for_others and can_draw():
        page["classroom.svg"] = square_svg(for_others)
    return page


# -- Opening and closing ---------------------------------------------------------------------------


def listen(host: str, port: int | None) -> socket.socket:
    """A socket that listens; without a port, at the usual one, or where there is room."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for wanted in (port,) if port is not None else (PORT, 0):
        sock = socket.socket(family, socket.SOCK_STREAM)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            sock.bind((host, wanted))
        except OSError as error:
            sock.close()
            refused = OSError(error.errno, error.strerror, f"{host}:{wanted}")
        else:
            sock.listen()
            return sock
    raise refused


def open_door(host: str, sock: socket.socket) -> ServerAddress:
    """Where a socket is found, with a new secret."""
    return ServerAddress(host, sock.getsockname()[1], secrets.token_urlsafe(16))


class TimedConnection(H11Protocol):
    """A connection that ends when the header of a request takes too long."""

    deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.deadline = self.loop.call_later(HEADER_SECONDS, transport.abort)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._arrived()
        elif self.deadline is None:  # the next request on this connection
            self.deadline = self.loop.call_later(HEADER_SECONDS, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        self._arrived()
        super().connection_lost(exc)

    def _arrived(self) -> None:
        if self.deadline is not None:
            self.deadline.cancel()
            self.deadline = None


class Server(uvicorn.Server):
    """A server that does not wait for its workers when it is told to end."""

    def __init__(self, config: uvicorn.Config, pool: Pool) -> None:
        super().__init__(config)
        self.pool = pool

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self.pool.close()
        super().handle_exit(sig, frame)


def serve(door: ServerAddress, sock: socket.socket) -> None:
    """Serve until interrupted."""
    pool = Pool(SECONDS)
    config = uvicorn.Config(
        application(door, pool),
        log_config=None,  # warnings go to standard error, as they do by themselves
        log_level="warning",
        access_log=False,
        server_header=False,
        ws="none",
        http=TimedConnection,
        timeout_graceful_shutdown=1,
    )
    Server(config, pool).run(sockets=[sock])
