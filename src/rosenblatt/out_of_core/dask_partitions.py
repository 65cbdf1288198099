"""Partitions: rows on the workers of a dask cluster."""

import logging
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np

from rosenblatt.core.loop import Array
from rosenblatt.extras import need
from rosenblatt.inputs.exact_numbers import refuse_rounded
from rosenblatt.inputs.labels import all_classes, distinct, encode_labels, labels_of
from rosenblatt.inputs.matrix import stack
from rosenblatt.inputs.validation import shape_of
from rosenblatt.out_of_core.block import Block, Task, set_task
from rosenblatt.out_of_core.block_stream import (
    class_weights_of,
    names_of,
    refuse_other_columns,
)
from rosenblatt.separability.coding import refuse_uncoded
from rosenblatt.tables import Blocks, read
from rosenblatt.tables.column_selection import ReadOptions
from rosenblatt.tables.file_formats.readers import open_source
from rosenblatt.tables.files import find

NO_PARTITIONS = "there are no rows in these partitions"

T = TypeVar("T")
Pair = tuple[Any, Any]


def dask(module: str) -> Any:
    """A module of the extra."""
    return need(module, "dask", "a cluster")


@contextmanager
def local_client(workers: int, processes: bool = True) -> Iterator[Any]:
    """A cluster on this machine, which nobody else can reach.

    Examples
    --------
    >>> with local_client(1, processes=False) as client:
    ...     client.submit(sum, [1, 2]).result()
    3
    """
    distributed = dask("distributed")
    how = {"host": "127.0.0.1", "dashboard_address": "127.0.0.1:0", "threads_per_worker": 1}
    how |= {"protocol": "tcp://", "silence_logs": logging.CRITICAL}  # errors are raised here too
    with undisturbed():
        cluster = distributed.LocalCluster(n_workers=workers, processes=processes, **how)
        client = distributed.Client(cluster)
    try:
        yield client
    finally:
        with undisturbed():
            client.close()
            cluster.close()


@contextmanager
def undisturbed() -> Iterator[None]:
    """Let Ctrl-C wait. Processes started meanwhile never see it: they are ended from here."""
    if not hasattr(signal, "pthread_sigmask"):  # on Windows
        yield
        return
    resource_tracker.ensure_running()  # it unblocks signals when it starts
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def client_now() -> Any:
    """The client of the cluster in use."""
    try:
        return dask("distributed").get_client()
    except ValueError as error:
        raise ValueError(
            "there is no cluster: make a distributed.Client first, or use "
            "rosenblatt.dask.local_client"
        ) from error


# -- Collections -----------------------------------------------------------------------------------


def is_collection(X: Any) -> bool:
    """Whether X is a dask array or dataframe."""
    return bool(dask("dask").is_dask_collection(X))


def is_file_list(X: Any) -> bool:
    """Whether X is a list of paths."""
    paths = isinstance(X, list | tuple) and all(isinstance(path, str | Path) for path in X)
    return paths and len(X) > 0


def partition_pairs(X: Any, y: Any) -> list[Any]:
    """Rows and labels of each partition, to be computed."""
    pair = dask("dask").delayed(lambda X, y: (X, y), pure=True)
    if is_file_list(X):
        if not isinstance(y, int | str):
            given = type(y).__name__
            raise TypeError(f"y must be a position or a name of a column of the files, not {given}")
        load = dask("dask").delayed(load_part, pure=True)
        names = dask("dask").delayed(names_in, pure=True)(str(X[0]))
        return [load(str(path), y, names) for path in X]
    if isinstance(X, Blocks):
        load = dask("dask").delayed(load_pieces, pure=True)
        return [load(X, pieces) for pieces in shared_out(X, len(client_now().nthreads()))]
    if not is_collection(X) or not is_collection(y):
        raise TypeError(
            "X and y must be dask arrays, or a dask dataframe and a dask series; or X a list of "
            "Parquet files and y a column; or X what rosenblatt.scan gives. They are "
            f"{type(X).__name__} and {type(y).__name__}"
        )
    if hasattr(X, "rechunk"):
        X = in_whole_rows(X)
        y = y.rechunk({0: X.chunks[0]}) if hasattr(y, "rechunk") and known(X, y) else y
    parts = [np.ravel(c.to_delayed()) for c in (X, y)]
    if len(parts[0]) != len(parts[1]):
        raise ValueError(f"X has {len(parts[0])} partitions, and y has {len(parts[1])}")
    return [pair(*both) for both in zip(*parts, strict=True)]


def in_whole_rows(X: Any) -> Any:
    """A dask array in chunks of whole rows."""
    if X.ndim != 2:
        raise ValueError(f"Expected 2D array, got {X.ndim}D array instead")
    return X.rechunk({1: -1})


def known(*arrays: Any) -> bool:
    """Whether all chunks have known sizes."""
    return not any(np.isnan(size) for a in arrays for size in a.chunks[0])


def names_in(path: str) -> list[str] | None:
    """The names of the columns of a file, if it has some."""
    source = open_source(find(path), ReadOptions())
    return list(source.names) if source.named else None


def load_part(path: str, target: Any, names: list[str] | None) -> Pair:
    """The numbers and labels in a file, its columns in the order of these names."""
    at_home = names and isinstance(target, int) and -len(names) <= target < len(names)
    table = read(path, names[target] if names and at_home else target)
    if table.told.encoded:
        coded = ", ".join(table.told.encoded)
        raise ValueError(
            f"{path} has columns that are no numbers, which each partition may encode in its own "
            f"way: {coded}"
        )
    if names is None:
        return table.X, table.y
    wanted, found = [name for name in names if name != table.target], list(table.feature_names)
    if lost := [name for name in wanted if name not in found]:
        raise ValueError(f"{path} has no column {lost[0]!r}, which the first file has")
    if more := [name for name in found if name not in wanted]:
        raise ValueError(f"{path} has a column {more[0]!r}, which the first file does not have")
    return table.X[:, [found.index(name) for name in wanted]], table.y


def require_pieces(blocks: Blocks) -> None:
    """Refuse a table that can only be read from its beginning to its end."""
    if not blocks.pieces:
        raise ValueError(
            f"{blocks.told.file} has no parts that can be read by themselves; Parquet and .npy have"
        )


def shared_out(blocks: Blocks, workers: int) -> list[list[int]]:
    """The pieces of a table, shared out among workers as they stand."""
    require_pieces(blocks)
    return [
        part.tolist() for part in np.array_split(np.arange(blocks.pieces), workers) if len(part)
    ]


def load_pieces(blocks: Blocks, pieces: list[int]) -> Pair:
    """Some pieces of a table, in memory."""
    X, y = zip(*((X, y) for _, X, y in blocks.numbered(pieces)), strict=True)
    return stack(X), np.concatenate(y)


def by_partition(function: Callable[[Any], Array], X: Any, classes: int, dtype: Any) -> Any:
    """What a function says of the rows of each partition, as a collection."""
    nothing = np.empty((0,) if classes == 2 else (0, classes), dtype)

    def said(rows: Any) -> Array:
        return function(rows) if rows.shape[0] else nothing

    if not hasattr(X, "rechunk"):
        return X.map_partitions(said, meta=nothing)
    X = in_whole_rows(X)
    if classes == 2:
        return X.map_blocks(said, dtype=dtype, drop_axis=1)
    return X.map_blocks(said, dtype=dtype, chunks=(X.chunks[0], (classes,)))


# -- The cluster -----------------------------------------------------------------------------------


class Partitions(NamedTuple):
    """The rows of a task, where they are."""

    client: Any
    task: Task
    blocks: list[Any]  # futures
    n: int
    head: Any  # rows without values, for the names of the features

    def each(self, function: Callable[..., T], *given: list[Any]) -> list[T]:
        """What a function says of every block, and of what is given with each."""
        return self.client.gather(self.client.map(function, self.blocks, *given, pure=False))

    def take(self, numbers: Array) -> Block:
        """The rows with these numbers, from the partitions that hold them."""
        parts = self.each(lambda block: block.only(np.isin(block.numbers, numbers)))
        held = np.concatenate([part.numbers for part in parts])
        codes = np.concatenate([part.codes for part in parts])
        place = np.searchsorted(held, numbers)  # partitions come in the order of their rows
        return Block(numbers, self.task, stack([part.X for part in parts])[place], codes[place])

    def scaled(self, task: Task) -> "Partitions":
        """The same rows, scaled where they are."""
        blocks = self.client.map(lambda block: block.scaled_by(task), self.blocks, pure=False)
        return self._replace(task=task, blocks=blocks)


def facts_of_partition(pair: Pair, exactly: bool) -> tuple[Array, Array, Any] | None:
    """The labels in a partition, how many there are of each, and its head; None if it is empty."""
    X, y = pair[0], labels_of(pair[1])
    if not shape_of(X, y)[0]:
        return None
    if exactly:
        refuse_uncoded(X)
        refuse_rounded(X)
    labels = distinct(y)
    head = X[:0] if names_of(X) else np.empty((0, np.shape(X)[1]))
    return labels, np.bincount(encode_labels(y, labels), minlength=len(labels)), head


def lay_out(X: Any, y: Any, params: dict[str, Any], exactly: bool = False) -> Partitions:
    """See what each partition holds, and make it a block where it is.

    For a proof, numbers must be `exactly` as they are given.
    """
    client = client_now()
    loaded = client.compute(partition_pairs(X, y))
    found = client.gather(client.map(facts_of_partition, loaded, exactly=exactly))
    full = [pair for pair, facts in zip(loaded, found, strict=True) if facts]
    if not full:
        raise ValueError(NO_PARTITIONS)
    labels, counts, heads = zip(*filter(None, found), strict=True)
    refuse_other_columns(map(names_of, heads))
    classes = all_classes(labels)
    in_class = np.bincount(np.searchsorted(classes, np.concatenate(labels)), np.concatenate(counts))
    weights = class_weights_of(params["class_weight"], classes, in_class)
    task = set_task(params | {"class_weight": weights}, classes, heads[0].shape[1])
    starts = np.cumsum([0, *map(np.sum, counts)]).tolist()
    make = zip(starts, full, strict=False)
    blocks = [client.submit(make_block, task, start, pair) for start, pair in make]
    return Partitions(client, task, blocks, starts[-1], heads[0])


def make_block(task: Task, start: int, pair: Pair) -> Block:
    """A block of a partition."""
    return task.block(start, *pair)
