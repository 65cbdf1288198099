"""Workers: processes that compute, each stopped when it takes too long."""

import asyncio
import contextlib
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Coroutine

from rosenblatt.play.json_fields import Refused
from rosenblatt.play.worker_process import LENGTH, REPLY

WORKERS = 2
WAITING = 16  # requests that may wait for a worker

Reply = tuple[int, bytes]


def dead() -> Refused:
    """What to say when the worker died, or the pool is closed."""
    return Refused("the computation was ended from outside", 503, "gone")


class Pool:
    """Some workers, started one after the other, and replaced when they are stopped."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.closed = False
        self.idle: asyncio.Queue[Process | None] = asyncio.Queue()
        self.alive: set[Process] = set()
        self.tasks: set[asyncio.Task[None]] = set()
        self.waiting = 0

    def begin(self) -> None:
        """Start all workers without waiting for them."""
        self._later(self._start())

    def close(self) -> None:
        """Kill all workers, and let nobody wait for them."""
        self.closed = True
        for process in self.alive:
            kill(process)
        for _ in range(self.waiting):
            self.idle.put_nowait(None)

    async def stop(self) -> None:
        """End all workers, and see them gone.

        Until Python 3.12.4, a process whose start is cancelled is waited for until the waiting is
        cancelled too, and one whose output nobody reads is waited for in vain.
        """
        self.close()
        while self.tasks:
            for task in self.tasks:
                task.cancel()
            await asyncio.wait(self.tasks, timeout=0.1)
        if gone := [asyncio.create_task(process.wait()) for process in self.alive]:
            await asyncio.wait(gone, timeout=1)

    async def ask(self, name: str, body: bytes) -> Reply:
        """The reply to a question, within the time that there is, or why there is none."""
        process = await self._borrow()
        try:
            frame = name.encode() + b"\n" + body
            assert process.stdin is not None
            process.stdin.write(LENGTH.pack(len(frame)) + frame)
            answered = await asyncio.wait_for(receive(process), self.seconds)
        except BaseException as error:  # also when nobody waits for the answer any more
            self._replace(process)
            if isinstance(error, TimeoutError):
                told = f"stopped after {self.seconds:g} seconds; take fewer points or fewer passes"
                raise Refused(told, 503, "too_long") from None
            raise
        self.idle.put_nowait(process)
        return answered

    async def _borrow(self) -> Process:
        if self.waiting >= WAITING:
            raise Refused("too many requests are waiting; try again", 503, "busy")
        self.waiting += 1
        try:
            process = await self.idle.get()
        finally:
            self.waiting -= 1
        if process is None:
            raise dead()
        return process

    async def _start(self) -> None:
        for _ in range(WORKERS):  # the one that compiles spares the next the work
            await self._add()

    async def _add(self) -> None:
        command = sys.executable, "-m", "rosenblatt.play.worker_process"
        process = await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=PIPE, start_new_session=True
        )
        self.alive.add(process)
        with contextlib.suppress(Refused):  # whoever asks it is told so, and it is replaced
            await receive(process)
        self.idle.put_nowait(process)

    def _replace(self, process: Process) -> None:
        kill(process)
        if not self.closed:
            self.alive.discard(process)
            self._later(self._add())

    def _later(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)


def kill(process: Process) -> None:
    """Stop a worker, whatever it is doing."""
    with contextlib.suppress(ProcessLookupError):
        process.kill()


async def receive(process: Process) -> Reply:
    """One frame."""
    assert process.stdout is not None
    try:
        status, length = REPLY.unpack(await process.stdout.readexactly(REPLY.size))
        return status, await process.stdout.readexactly(length)
    except (EOFError, ConnectionError):
        raise dead() from None
