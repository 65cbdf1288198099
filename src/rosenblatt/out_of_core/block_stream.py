"""Streams of blocks: read again for every pass, each block while the one before is used."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import deepcopy
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import numpy as np

from rosenblatt.core.loop import Array
from rosenblatt.core.threads import ALONE
from rosenblatt.inputs.labels import all_classes, distinct, encode_labels, labels_of
from rosenblatt.inputs.matrix import matrix_of, stack
from rosenblatt.inputs.other_arrays import in_numpy
from rosenblatt.inputs.validation import shape_of
from rosenblatt.out_of_core.block import Block, Task
from rosenblatt.separability.coding import refuse_uncoded
from rosenblatt.tables import Blocks, outdated
from rosenblatt.tables.column_matrix import ByColumn
from rosenblatt.tables.reading_ahead import abreast, ahead

WIDE = 1_000  # features of a table whose pieces are read one at a time: each column has its buffers
NO_ROWS = "there are no rows in these blocks"
ITERABLE = "the list or iterable of blocks"
NO_PAIRS = "blocks are a list of pairs X, y, or what rosenblatt.scan(path) returns"

T = TypeVar("T")


class Pairs:
    """Pairs X, y in a list, or in anything that can be gone through again and again, as blocks."""

    def __init__(self, pairs: Iterable[tuple[Any, Any]], exactly: bool) -> None:
        try:
            first = iter(pairs)
        except TypeError:
            raise TypeError(NO_PAIRS) from None
        if first is pairs:
            raise TypeError(
                "blocks are read once for each pass, and a generator can be read only once; give a "
                "list of pairs X, y, or rosenblatt.scan(path)"
            )
        found = [facts_of(*pair_of(each), exactly) for each in pairs]
        if not (full := [facts for facts in found if facts.n]):
            raise ValueError(NO_ROWS)
        refuse_other_columns(facts.names for facts in full)
        self.pairs, self.stamps = pairs, ()
        self.sizes = [facts.n for facts in found]
        self.piece_starts = np.cumsum([0, *self.sizes]).tolist()
        self.n_samples, self.n_features = self.piece_starts[-1], full[0].width
        self.classes = all_classes([facts.labels for facts in full])
        self.pieces = len(pairs) if isinstance(pairs, Sequence) else 0

    def numbered(self, pieces: Sequence[int] | None = None) -> Iterator[tuple[int, Any, Any]]:
        if pieces is not None:
            assert isinstance(self.pairs, Sequence)
            yield from (self.block(k, *self.pairs[k]) for k in pieces)
            return
        k = -1
        for k, pair in enumerate(self.pairs):
            yield self.block(k, *pair)
        if k + 1 < len(self.sizes):
            raise outdated([ITERABLE])

    def block(self, k: int, X: Any, y: Any) -> tuple[int, Any, Array]:
        """A pair and the number of its first row; all labels are of one type.

        What is not in a list may be written over before it is used, because blocks are read ahead.
        """
        if type(y) is not np.ndarray or y.ndim > 1 or y.dtype != self.classes.dtype:
            y = labels_of(y)
            y = y.astype(np.result_type(y.dtype, self.classes.dtype), copy=False)
        if self.sizes[k : k + 1] != [len(y)]:
            raise outdated([ITERABLE])
        if not self.pieces:
            X, y = deepcopy(in_numpy(X, "X")), y.copy()
        return self.piece_starts[k], X, y

    def changes(self) -> list[str]:
        return []


Supply = Blocks | Pairs


class BlockFacts(NamedTuple):
    """What must be known of every block before one is learned from."""

    n: int
    width: int
    names: list[Any] | None  # of the columns of a data frame
    labels: Array  # the different ones


def pair_of(block: Any) -> tuple[Any, Any]:
    """The rows and labels of a block."""
    try:
        X, y = block
    except (TypeError, ValueError):
        raise TypeError(NO_PAIRS) from None
    return X, y


def facts_of(X: Any, y: Any, exactly: bool) -> BlockFacts:
    """The facts of a block, whose labels and rows must be as many."""
    labels = labels_of(y)
    if exactly:
        refuse_uncoded(X)
    n, *width = shape_of(X, labels)
    return BlockFacts(n, sum(width), names_of(X), distinct(labels) if n else labels)


def names_of(X: Any) -> list[Any] | None:
    """The names of the columns of a data frame, or of a table of Arrow."""
    names = getattr(X, "column_names", getattr(X, "columns", None))
    return None if names is None else list(names)


def refuse_other_columns(names: Iterable[list[Any] | None]) -> None:
    """Refuse data frames whose columns are others than those of the first, or in another order."""
    named = [each for each in names if each is not None]
    if odd := [each for each in named if each != named[0]]:
        raise ValueError(f"a block has the columns {odd[0]}, where the first has {named[0]}")


def supply_of(blocks: Any, exactly: bool = False) -> Supply:
    """Blocks of rows, whatever they come in; for a proof, numbers must be `exactly` as given."""
    if not isinstance(blocks, Blocks):
        return Pairs(blocks, exactly)
    if blocks.target is None:
        raise ValueError("these blocks have no target: scan the table with one")
    return blocks


class Stream:
    """The rows of a task, block by block."""

    def __init__(self, supply: Supply, task: Task) -> None:
        self.supply, self.task, self.n, self.reads = supply, task, supply.n_samples, 0
        self.starts: set[int] = set()  # the first rows of blocks

    @cached_property
    def head(self) -> Any:
        """The first rows."""
        X = next(X for _, X, y in self.supply.numbered() if len(y))
        return np.asarray(X[:1]) if isinstance(X, ByColumn) else X

    def take(self, numbers: Array) -> Block:
        """The rows with these numbers, read again."""
        self.reads += 1
        X, y = fetch(self.supply, numbers)
        return Block(numbers, self.task, X, encode_labels(y, self.task.classes))

    def each(self, use: Callable[[Block], T], pieces: Sequence[int] | None = None) -> Iterator[T]:
        """What a function says of all blocks, or of those of pieces, in the threads that read."""
        self.reads += 1
        with ALONE:  # other threads decode
            if self.supply.pieces and self.supply.n_features <= WIDE:
                each = range(self.supply.pieces) if pieces is None else pieces
                yield from abreast(map(use, self._made(self.supply.numbered([k]))) for k in each)
            else:
                yield from ahead(map(use, self._made(self.supply.numbered(pieces))))
        if changed := self.supply.changes():
            raise outdated(changed)

    def _made(self, rows: Iterator[tuple[int, Any, Any]]) -> Iterator[Block]:
        seen = isinstance(self.supply, Blocks)  # when it was scanned
        for start, X, y in rows:
            if len(y):
                self.starts.add(start)
                yield self.task.block(start, X, y, seen)


def fetch(supply: Supply, numbers: Array) -> tuple[Any, Array]:
    """The rows with these numbers, read again: in this thread, and apart from every block."""
    order = np.argsort(numbers)
    wanted, found = numbers[order], []
    for start, X, y in supply.numbered(pieces_with(supply, wanted)):
        here = wanted[(wanted >= start) & (wanted < start + len(y))] - start
        if len(here):
            rows = np.asarray(X[here]) if isinstance(X, ByColumn) else matrix_of(X)[here]
            found.append((rows, labels_of(y)[here]))
    if changed := supply.changes():
        raise outdated(changed)
    X, y = (each for each in zip(*found, strict=True))
    place = np.argsort(order)
    return stack(X)[place], np.concatenate(y)[place]


def pieces_with(supply: Supply, numbers: Array) -> list[int] | None:
    """The pieces of a table that hold some rows; None if it has no pieces."""
    if not supply.pieces:
        return None
    return np.unique(np.searchsorted(supply.piece_starts, numbers, "right") - 1).tolist()


def weigh(supply: Supply, class_weight: Any) -> Any:
    """Class weights, those that are "balanced" by a look at all labels."""
    counts = np.zeros(len(supply.classes))
    if class_weight == "balanced":
        for _, _, y in supply.numbered():
            counts += np.bincount(np.searchsorted(supply.classes, y), minlength=len(counts))
    return class_weights_of(class_weight, supply.classes, counts)


def class_weights_of(class_weight: Any, classes: Array, counts: Array) -> Any:
    """Class weights, those that are "balanced" from the rows of each class."""
    if class_weight != "balanced":
        return class_weight
    return dict(zip(classes.tolist(), counts.sum() / (len(classes) * counts), strict=True))
