"""Sources of rows: in memory, in a stream of blocks, on a cluster; what deciding asks of each."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, Protocol, Self

import numpy as np
import scipy.sparse as sp

from rosenblatt.core.loop import Array, Primal, Rows

AT_ONCE = 2**23  # bytes of pairs gathered in one look, or a few for each dimension


class LabelledRows(Protocol):
    """Rows, their numbers among all, and their classes."""

    @property
    def numbers(self) -> Array: ...
    @property
    def X(self) -> Any: ...
    @property
    def codes(self) -> Array: ...
    @property
    def bias(self) -> float: ...
    @property
    def storage(self) -> Primal: ...
    @property
    def rows(self) -> Sequence[Rows]: ...  # what each run has to learn from them
    def undecided(self, hypotheses: list[Array]) -> Self: ...  # all but the certainly right


def csr_or_array(X: Any) -> Any:
    """A CSR matrix, or an array."""
    return X if sp.issparse(X) else np.asarray(X)


class Whole(NamedTuple):
    """Rows in memory."""

    numbers: Array
    X: Any
    codes: Array
    bias: float
    storage: Any = None  # of two classes
    rows: Sequence[Rows] = ()

    def undecided(self, hypotheses: list[Array]) -> "Whole":
        return self


def nowhere(_: Any) -> Any:
    raise LookupError("the rows are elsewhere")


class Source(NamedTuple):
    """The rows of two classes or more, wherever they are."""

    n: int
    d: int
    k: int  # classes
    bias: float
    each: Callable[[Callable[[Any], Any]], Iterable[Any]]  # what a function says of every block
    take: Callable[[Array], Any]  # rows by their numbers, read again
    whole: Whole | None = None  # where they are in memory

    @property
    def without_rows(self) -> "Source":
        """What is known of them, to be sent to where they are."""
        return self._replace(each=nowhere, take=nowhere, whole=None)

    @property
    def width(self) -> int:
        """The numbers in x̂."""
        return self.d + (self.bias > 0)

    @property
    def dimensions(self) -> int:
        """Those of pairs of rows and rivals."""
        return (self.k - 1) * self.width

    @property
    def capacity(self) -> int:
        """Pairs to gather in one look."""
        return max(AT_ONCE // (8 * self.dimensions), 3 * self.dimensions, 256)


def in_memory(
    X: Any, codes: Array, k: int, bias: float, two: tuple[Primal, Rows] | None = None
) -> Source:
    """A source of rows in memory; those of two classes also as the loop holds them."""
    if two:
        whole = Whole(two[1].train, X, codes, bias, two[0], [two[1]])
    else:
        whole = Whole(np.arange(len(codes)), X, codes, bias)

    def take(i: Array) -> Whole:
        return Whole(i, X[i], codes[i], bias)

    return Source(X.shape[0], X.shape[1], k, bias, lambda find: [find(whole)], take, whole)
