"""Threads that read ahead: while some items are used, the next are made."""

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import TypeVar

from rosenblatt.core.threads import CORES

S = TypeVar("S")
T = TypeVar("T")


def ahead(items: Iterator[T], many: int = 2) -> Iterator[T]:
    """The same items, a few of them made in a thread while others are used."""
    with ThreadPoolExecutor(1) as pool:
        coming = deque(pool.submit(next, items, None) for _ in range(many))
        while (item := coming.popleft().result()) is not None:
            coming.append(pool.submit(next, items, None))
            yield item


def mapped(function: Callable[[S], T], items: Iterator[S]) -> Iterator[T]:
    """What a function makes of the items, in their order, by as many threads as there are cores."""
    with ThreadPoolExecutor(CORES) as pool:
        coming = deque(pool.submit(function, item) for item in islice(items, CORES + 1))
        while coming:
            made = coming.popleft().result()
            coming.extend(pool.submit(function, item) for item in islice(items, 1))
            yield made


def abreast(parts: Iterator[Iterator[T]], many: int = 2, at_once: int = 16) -> Iterator[T]:
    """The items of one part after another, the first few of the next parts made meanwhile."""
    with ThreadPoolExecutor(many) as pool:

        def begin(part: Iterator[T]) -> tuple[Iterator[T], Future[list[T]]]:
            return part, pool.submit(list, islice(part, at_once))

        begun = deque(map(begin, islice(parts, many + 1)))  # lest a thread wait for the next
        while begun:
            part, coming = begun.popleft()
            items = coming.result()
            if len(items) == at_once:
                begun.appendleft(begin(part))
            else:
                begun.extend(map(begin, islice(parts, 1)))
            yield from items
