"""How many threads work: several where there is much to read, one in small linear algebra."""

import os
import sys
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from functools import wraps
from itertools import pairwise
from threading import Lock
from typing import Any, ParamSpec, TypeVar

import numpy as np
from threadpoolctl import ThreadpoolController

CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
THREADED = 2**20  # numbers to read, above which more than one thread does
FEW_NUMBERS = 2**14  # numbers that are hashed sooner than a thread starts

P = ParamSpec("P")
R = TypeVar("R")


def in_parts(work: Callable[[slice], None], n: int, each: int) -> None:
    """Work on n rows of so many numbers each, in several threads if there is much to read."""
    if n * each < THREADED:
        return work(slice(0, n))
    cuts = np.linspace(0, n, CORES + 1).astype(int).tolist()
    first, *rest = [slice(a, b) for a, b in pairwise(cuts)]
    with ThreadPoolExecutor(CORES) as pool:
        others = [pool.submit(work, part) for part in rest]
        work(first)  # here, which spares a thread
    for other in others:
        other.result()  # an error in a part is raised here
    return None


class AtOnce(Executor):
    """Work is done where and when it is asked for."""

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        done = Future[R]()
        done.set_result(fn(*args, **kwargs))
        return done


def beside(size: int) -> Executor:
    """Who does something else with so many numbers meanwhile: a thread, if they are not few."""
    return AtOnce() if size < FEW_NUMBERS else ThreadPoolExecutor(1)


class SingleThreadBLAS:
    """One thread for linear algebra, which is a setting of the whole process: the first who works
    alone makes it, and the last one takes it back."""

    def __init__(self) -> None:
        self.lock, self.inside, self.modules = Lock(), 0, 0
        self.libraries: Any = None
        self.limit: Any = None

    def __enter__(self) -> None:
        with self.lock:
            if not self.inside:
                self.limit = self._loaded().limit(limits=1, user_api="blas")
            self.inside += 1

    def _loaded(self) -> Any:
        """The libraries of linear algebra. To look for them takes milliseconds; only modules that
        were imported since can have loaded another one."""
        if len(sys.modules) != self.modules:
            self.libraries, self.modules = ThreadpoolController(), len(sys.modules)
        return self.libraries

    def __exit__(self, *error: object) -> None:
        with self.lock:
            self.inside -= 1
            if not self.inside:
                self.limit.restore_original_limits()

    def part(self) -> None:
        """Begin anew after a fork: those who worked alone in other threads are not here."""
        self.lock = Lock()
        if self.inside:
            self.inside = 0
            self.limit.restore_original_limits()


ALONE = SingleThreadBLAS()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=ALONE.part)


def one_thread(function: Callable[P, R]) -> Callable[P, R]:
    """Keep linear algebra to one thread: on small matrices, more cost more than they bring."""

    @wraps(function)
    def alone(*args: P.args, **kwargs: P.kwargs) -> R:
        with ALONE:
            return function(*args, **kwargs)

    return alone
