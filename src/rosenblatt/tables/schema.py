"""A survey of a table: one look at all of it, to know what its columns are and what is missing."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from typing import Any

import numpy as np
import scipy.sparse as sp

from rosenblatt.core.loop import Array
from rosenblatt.core.threads import CORES
from rosenblatt.tables.column_selection import ReadOptions, find_columns, find_target, find_texts
from rosenblatt.tables.decimal_marks import BEYOND
from rosenblatt.tables.encoding import (
    MAX_LEVELS,
    Batch,
    ColumnStatistics,
    Encoding,
    Text,
    batch_labels,
    encode,
    encode_sparse,
    is_wide,
    kind_of_labels,
    n_rows,
)
from rosenblatt.tables.file_formats.delimited_text import Delimited
from rosenblatt.tables.file_formats.formats import Unfit
from rosenblatt.tables.file_formats.parquet import release
from rosenblatt.tables.file_formats.readers import open_source
from rosenblatt.tables.file_formats.several import Several
from rosenblatt.tables.files import DAMAGED, find_all
from rosenblatt.tables.frames import Frame, is_frame
from rosenblatt.tables.kinds import (
    FEW,
    MOST,
    first_word,
    kind_of,
    kind_wanted,
    labels_in,
    numeric_but_for,
    text_places,
)
from rosenblatt.tables.troubles import (
    CORRECT,
    DROP,
    FILL,
    WITHOUT,
    Trouble,
    Unusable,
    columns_error,
    listed_columns,
)

KINDS = ("int", "float", "bool", "text")  # of labels, each more than those before
LABELS_BEYOND = "has labels beyond 2**53, where different whole numbers become one"
LABELS_CUT = "has labels that end in NUL"  # which NumPy takes for padding
MISSING_VALUE = "a missing value"
EMPTY_THROUGHOUT = "is empty throughout"
READ_BYTES = 2**22  # of numbers: few enough to have no mistake among them, as passes go on
LOOK_ON = 2**20  # rows in which to look for more trouble, after the first
MISSING_POLICIES = ("refuse", "drop", "mean")


class Survey:
    """What a table holds. With `hold`, its rows are kept, to be collected."""

    def __init__(self, path: Any, options: ReadOptions, hold: bool) -> None:
        if options.missing not in MISSING_POLICIES:
            raise ValueError(
                f"missing={options.missing!r} is not known; it is one of {MISSING_POLICIES}"
            )
        self.file, self.options = Frame(path) if is_frame(path) else find_all(path), options
        self.stamps = self.file.stamps()  # by which a file that has changed is known
        try:
            self._survey(hold)
        except (*DAMAGED, OSError) as error:
            if isinstance(error, OSError) and error.errno is not None:
                raise
            raise ValueError(f"{self.file.name} cannot be unpacked: {error}") from error

    def _survey(self, hold: bool) -> None:
        options = self.options
        self.source = open_source(self.file, options)
        self.target = find_target(self.source, self.file.name, options)
        self.places = find_columns(self.source, self.file.name, options, self.target)
        texts = find_texts(self.source, self.file.name, options)
        if options.like:
            texts |= text_places(options.like, self.places, self.target)
        if isinstance(self.source, Delimited | Several):
            self.source = self.source.with_texts(frozenset(texts))
        try:
            self._look(hold)
        except Unfit:
            assert isinstance(self.source, Delimited | Several)
            self.source = self.source.patient()
            self._look(hold)
        known = self.places if options.like else texts
        features = {j: self.tallies[j] for j in self.places if j not in known}
        if odd := list(numeric_but_for(self.source, features)):
            raise columns_error(self.file.name, odd)
        if len(self.dropped) == self.rows:
            raise ValueError(f"{self.file.name} has no rows, or something is missing in each")
        self.encoding = self._encoding()
        self.sparse = is_wide(self.encoding.columns, self.rows)

    @property
    def dropped(self) -> Array:
        """The rows that are left out."""
        return self.missing if self.options.missing == "drop" else self.missing[:0]

    # -- the look ----------------------------------------------------------------------------------

    def _look(self, hold: bool) -> None:
        places = self.places if self.target is None else [*self.places, self.target]
        self.rows, self.held, none = 0, list[Batch](), [np.empty(0, np.intp)]
        self.tallies, self.values = {j: ColumnStatistics() for j in places}, set[Any]()
        self.troubles, last = dict[int, Trouble](), np.inf
        self.empty = set[int]() if self.options.like else set(places)  # as far as they were read
        for batch in self.source.batches():
            none += [self._take_in(batch, j) + self.rows for j in places]
            if len(self.troubles) == len(places):
                break
            self.rows += n_rows(batch)
            if hold and not self.troubles:
                self.held.append(batch)
            last = min(last, self.rows + LOOK_ON) if self.troubles else last
            if self.rows > last:
                break
        else:
            self.troubles |= self._empty_columns()
        if self.troubles:
            raise columns_error(self.file.name, list(self.troubles.values()))
        self.missing = np.unique(np.concatenate(none))

    def _empty_columns(self) -> dict[int, Trouble]:
        """What to say of columns that are in trouble as nothing is in any of their rows."""
        found = sorted(self.empty & set(self.troubles)) if self.rows > 1 else []
        return {j: Trouble(self.source.names[j], EMPTY_THROUGHOUT, advice=WITHOUT) for j in found}

    def _take_in(self, batch: Batch, j: int) -> Array:
        """Take in a column of a batch; the rows in which there is nothing."""
        try:
            if j not in self.troubles or j in self.empty:
                return self._tally(batch[j], j)
        except Unusable as found:
            if found.what != MISSING_VALUE:
                self.empty.discard(j)
            if j not in self.troubles:
                place = "" if found.row is None else self._place(found.row)
                self.troubles[j] = Trouble(self.source.names[j], found.what, place, found.advice)
        return np.empty(0, np.intp)

    def _tally(self, values: Any, j: int) -> Array:
        tally = self.tallies[j]
        if isinstance(values, str):
            raise Unusable(*self._held(values, j))
        if self.options.like:
            self._compare(values, j, self.options.like)
        missing = tally.add(values)
        if tally.number or tally.counts or tally.is_matrix:
            self.empty.discard(j)
        if j == self.target:
            self.values.update(labels_in(values, tally))
        if len(tally.counts) > MAX_LEVELS or len(self.values) > MAX_LEVELS:
            raise self._too_many(j)
        if len(missing) and not self._may_miss(j):
            fill = j != self.target and not self.options.like
            raise Unusable(MISSING_VALUE, int(missing[0]), FILL if fill else DROP)
        return missing

    def _held(self, what: str, j: int) -> tuple[str, None, str]:
        """What to say of a column that holds neither numbers nor text: what, where, and advice."""
        if j != self.target:
            return f"holds {what}", None, WITHOUT
        return LABELS_BEYOND if what == BEYOND else f"holds {what}", None, ""

    def _compare(self, values: Any, j: int, like: Encoding) -> None:
        """Refuse a column that is of another kind than the one that it is to be read like."""
        found = kind_of(values)
        wanted = kind_wanted(like, None if j == self.target else self.places.index(j))
        if found != wanted and not (j == self.target and wanted == "numbers"):
            odd = first_word(self.source, j, MOST)
            found += f", such as {odd[1]!r} in line {odd[0]}" if odd else ""
            raise Unusable(f"holds {found}, where the model has seen {wanted}")

    def _may_miss(self, j: int) -> bool:
        if self.options.missing == "drop":
            return True
        if self.options.like and j != self.target:
            return self.options.like.columns[self.places.index(j)].fill is not None
        return self.options.missing == "mean" and j != self.target

    def _place(self, row: int) -> str:
        return f"{self.source.unit} {self.source.numbers([row + self.rows])[0]}"

    def _too_many(self, j: int) -> ValueError:
        more = f"more than {MAX_LEVELS:,} different values"
        if j == self.target:
            advice = "a perceptron learns classes, not numbers: name the column of labels (target)"
            told = f"the target {self.source.names[j]!r} has {more}; {advice}"
            return ValueError(f"{self.file.name}: {told}: {listed_columns(self.source.names)}")
        if odd := first_word(self.source, j, FEW):
            return Unusable(f"is numeric but for {odd[1]!r} in line {odd[0]}", advice=CORRECT)
        return Unusable(f"is text with {more}", advice=WITHOUT)

    def _encoding(self) -> Encoding:
        named = self.source.named
        if like := self.options.like:
            if KINDS.index(kind_of_labels(self.values)) > KINDS.index(like.label) and self.values:
                what = f"{kind_of_labels(self.values)}, where those of the model are {like.label}"
                raise ValueError(f"{self.file.name}: the labels are {what}")
            columns = zip(like.columns, self.places, strict=True)
            return like._replace(columns=tuple(c._replace(place=j) for c, j in columns))
        mean = self.options.missing == "mean"
        found = [self.tallies[j].column(self.source.names[j], j, mean) for j in self.places]
        if empty := [c.name for c in found if mean and c.fill is None and c.first is None]:
            what = "has no values to take the mean of"
            raise columns_error(self.file.name, [Trouble(c, what, "", WITHOUT) for c in empty])
        if endless := [c.name for c in found if c.fill and not np.isfinite(c.fill).all()]:
            what = "has a mean that is too large for floating point"
            raise columns_error(self.file.name, [Trouble(c, what) for c in endless])
        if not sum(column.width for column in found):
            raise ValueError(f"{self.file.name} has no features, only labels")
        if self.target is None:
            return Encoding(tuple(found), None, -1, "text", len(self.source.names), named)
        label, name = kind_of_labels(self.values), self.source.names[self.target]
        if label == "float" and any(abs(float(value)) >= 2**53 for value in self.values):
            raise ValueError(f"{self.file.name}: the target {name!r} {LABELS_BEYOND}")
        if any(value.endswith("\0") for value in self.values):
            raise ValueError(f"{self.file.name}: the target {name!r} {LABELS_CUT}")
        return Encoding(tuple(found), name, self.target, label, len(self.source.names), named)

    # -- the rows ----------------------------------------------------------------------------------

    @property
    def classes(self) -> Array:
        """The labels there are."""
        levels = sorted(self.values)
        return np.unique(batch_labels(Text(np.arange(len(levels)), levels), self.encoding.label))

    def blocks(self, pieces: Sequence[int] | None = None) -> Iterator[tuple[int, Any, Any]]:
        """First row, features and labels, batch by batch; of some pieces only, in their order."""
        if pieces is None:
            return self._blocks(self.source.batches(), 0)
        starts = np.cumsum([0, *self.source.pieces]).tolist()
        return chain.from_iterable(self._blocks(self.source.piece(k), starts[k]) for k in pieces)

    def _blocks(self, batches: Iterator[Batch], done: int) -> Iterator[tuple[int, Any, Any]]:
        for batch in batches:
            end = done + n_rows(batch)
            first, last = np.searchsorted(self.dropped, (done, end))
            X, y = without(*self._encoded(batch), self.dropped[first:last] - done)
            yield from in_slices(done - int(first), X, y)
            done = end

    def collect(self) -> tuple[Any, Any]:
        """All features and labels of the rows that are held, each batch let go when it is used."""
        release()
        ends = np.cumsum([n_rows(batch) for batch in self.held])
        dense = np.empty((0 if self.sparse else int(ends[-1]), self.encoding.n_features))
        outs = np.split(dense, ends[:-1])

        def use(k: int) -> tuple[Any, Any]:
            batch, self.held[k] = self.held[k], []
            X, y = self._encoded(batch)
            return X if self.sparse else X.write(outs[k]), y

        with ThreadPoolExecutor(CORES) as pool:
            parts, labels = zip(*pool.map(use, range(len(self.held))), strict=True)
        X = sp.vstack(parts, format="csr") if self.sparse else dense
        return without(X, np.concatenate(labels) if self.target is not None else None, self.dropped)

    def _encoded(self, batch: Batch) -> tuple[Any, Any]:
        """Features, as a CSR matrix or held column by column, and labels."""
        X = (encode_sparse if self.sparse else encode)(batch, self.encoding.columns)
        if self.target is None:
            return X, None
        return X, batch_labels(batch[self.target], self.encoding.label)


def without(X: Any, y: Any, dropped: Array) -> tuple[Any, Any]:
    """Features and labels of the rows that are not dropped."""
    if not len(dropped):
        return X, y
    whole = np.delete(np.arange(X.shape[0]), dropped)
    return X[whole], y if y is None else y[whole]


def in_slices(start: int, X: Any, y: Any) -> Iterator[tuple[int, Any, Any]]:
    """Features and labels in blocks, each with the number of its first row."""
    n, d = X.shape
    size = n if sp.issparse(X) else max(64, READ_BYTES // (8 * d))
    for k in range(0, n, size):
        yield start + k, X[k : k + size], y if y is None else y[k : k + size]
