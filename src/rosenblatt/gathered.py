"""Decide on rows that are not all at hand: gather the hard ones, decide on those, check everywhere.

A conflict among gathered rows is a conflict of all. A separator of the gathered rows is checked on
all rows where they are; those that it does not get right for certain are gathered too, and the
question is put again. Each time the answer is one that the rows before did not give, so this ends.
"""

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import reduce
from hashlib import sha256
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from rosenblatt import exact
from rosenblatt.certificates import Proof, outside, prove
from rosenblatt.geometry import margins, store, take
from rosenblatt.problem import rows_of
from rosenblatt.separate import Answer, Conflict, Undecided, decide
from rosenblatt.spread import Block, Each, Primal, Task, assess, features
from rosenblatt.sweep import Array, Rows
from rosenblatt.verdicts import Certificate, Clash

ROUNDS = 100  # the most times that all rows are checked
AT_ONCE = 2**24  # bytes gathered in one look
IN_ALL = 2**29  # bytes gathered


class Hard(NamedTuple):
    """Rows worth gathering."""

    i: Array
    X: Any
    y: Array  # ±1
    distance: Array  # from the hypothesis; the smallest are the hardest
    bias: float

    def cut(self, places: Array) -> "Hard":
        return Hard(
            self.i[places], self.X[places], self.y[places], self.distance[places], self.bias
        )

    def join(self, other: "Hard") -> "Hard":
        """Both, each row once."""
        sparse = sp.issparse(self.X)
        X = sp.vstack((self.X, other.X), format="csr") if sparse else np.vstack((self.X, other.X))
        columns = zip(
            (self.i, self.y, self.distance), (other.i, other.y, other.distance), strict=True
        )
        i, y, distance = (np.concatenate(pair) for pair in columns)
        return Hard(i, X, y, distance, self.bias).cut(np.unique(i, return_index=True)[1])

    def hardest(self, most: int) -> "Hard":
        return self.cut(np.sort(np.argsort(self.distance, kind="stable")[:most]))

    @property
    def nbytes(self) -> int:
        return int(self.X.data.nbytes)

    def problem(self) -> tuple[Primal, Rows]:
        """These rows as a problem of their own."""
        primal = store(self.X, self.bias)
        return primal, rows_of(primal, self.y)


def pick(block: Block, k: int, i: Array, distance: Array) -> Hard:
    """Some rows of a block."""
    numbers, X = block.start + i.astype(np.int64), features(block)[i]
    return Hard(numbers, X, block.rows[k].y[i], distance, block.storage.bias)


def capacity(d: int) -> int:
    """Rows to gather in one look."""
    return min(max(AT_ONCE // (8 * d), 256), 2**16)


def gather(each: Each[Hard], find: Callable[[Block], Hard], most: int) -> Hard:
    """The hardest rows that are found in all blocks."""
    return reduce(lambda a, b: a.join(b).hardest(most), each(find))


def beginning(each: Each[Hard], k: int, W: Array, stride: int) -> Hard:
    """Rows to begin with: every so many, and those nearest to the hypothesis or beyond it."""
    most = capacity(W.shape[1])

    def find(block: Block) -> Hard:
        rows = block.rows[k]
        lengths = np.sqrt(np.maximum(rows.norm2[rows.train], np.finfo(float).tiny))
        distance = (
            margins(block.storage, W, rows) / lengths if W.any() else np.full(len(lengths), 1.0)
        )
        distance[(block.start + rows.train.astype(np.int64)) % stride == 0] = -np.inf
        near = np.argsort(distance, kind="stable")[:most]
        return pick(block, k, rows.train[near], distance[near])

    return gather(each, find, most)


def doubts(each: Each[Hard], k: int, w: Array, most: int) -> Hard:
    """The hardest of the rows that w does not certainly get right."""

    def find(block: Block) -> Hard:
        rows = block.rows[k]._replace(boundary=0)
        i = exact.doubtful(block.storage, w, rows)[:most]
        m = margins(block.storage, w[None], rows, i)
        return pick(block, k, i, m / np.sqrt(np.maximum(rows.norm2[i], np.finfo(float).tiny)))

    return gather(each, find, most)


# -- Deciding --------------------------------------------------------------------------------------


def settle(each: Each[Hard], k: int, W: Array, n: int) -> tuple[Answer, Hard]:
    """Separate the n rows of run k, or find some in conflict; and the rows gathered for it."""
    most = capacity(W.shape[1])
    found = beginning(each, k, W, stride(n, most))
    for _ in range(ROUNDS):
        answer = decide(*found.problem())
        if isinstance(answer, Conflict):
            return Conflict(found.i[answer.rows], answer.weights), found
        if isinstance(answer, Undecided):
            return answer, found
        more = doubts(each, k, answer.w, most)
        if not len(more.i):
            return answer, found
        found = found.join(more)
        if found.nbytes > IN_ALL:
            break
    return Undecided(unanswered(found)), found


def stride(n: int, most: int) -> int:
    """The distance of about most/2 rows out of n."""
    return max(1, 2 * n // most)


def unanswered(found: Hard) -> str:
    """Why there is no answer."""
    return f"no answer on the {len(found.i)} hardest rows holds for all of them"


# -- Proving ---------------------------------------------------------------------------------------


def certified(each: Each[Hard], d: int, n: int) -> tuple[Proof, Hard]:
    """A verdict on all n rows with its proof; and the rows gathered for it."""
    most = capacity(d)
    found = beginning(each, 0, np.zeros((1, d + 1)), stride(n, most))
    for _ in range(ROUNDS):
        primal, rows = found.problem()
        proof = prove(primal, rows)
        if proof.verdict == "undecided":
            return proof._replace(reason=f"of the hardest rows: {proof.reason}"), found
        more = gather(each, refutation(proof, primal, most), most)
        if not len(more.i):
            return numbered(proof, found.i), found
        found = found.join(more)
        if found.nbytes > IN_ALL:
            break
    return Proof("undecided", reason=unanswered(found)), found


def numbered(proof: Proof, i: Array) -> Proof:
    """A proof on gathered rows, with the numbers that these have among all."""
    if proof.conflict is None:
        return proof
    rows = [int(i[row]) for row in proof.conflict.rows]
    return proof._replace(conflict=Clash(rows, proof.conflict.weights))


def refutation(proof: Proof, primal: Primal, most: int) -> Callable[[Block], Hard]:
    """What finds the rows for which a proof on other rows does not hold."""
    ratios = [*proof.separator.w, proof.separator.b] if proof.separator else []
    span = exact.span(take(primal, np.array(proof.conflict.rows))) if proof.conflict else None

    def find(block: Block) -> Hard:
        rows = block.rows[0]
        if proof.verdict == "overlapping":
            assert span is not None
            i = outside(block.storage, rows.train, span)
        elif proof.verdict == "touching":
            i = beyond(block.storage, rows, ratios)
        else:
            i = exact.doubtful(block.storage, np.array([float(x) for x in ratios]), rows)
        return pick(block, 0, i[:most], np.arange(len(i[:most]), dtype=float))

    return find


def beyond(primal: Primal, rows: Rows, ratios: list[Fraction]) -> Array:
    """The rows on the wrong side of a hyperplane; those on it are not."""
    w = np.array([exact.rounded(x) for x in ratios])
    m, lengths = margins(primal, w[None], rows), np.sqrt(rows.norm2[rows.train])
    bound = exact.slack(w) * float(np.linalg.norm(w)) * lengths + exact.TINY
    if (m < -bound).any():
        return rows.train[m < -bound]
    unsure = rows.train[~(m > bound)]
    Z, place = np.unique(take(primal, unsure) * rows.y[unsure, None], axis=0, return_inverse=True)
    wrong = np.array([exact.dot(z, ratios) < 0 for z in Z.tolist()], bool)
    return unsure[wrong[place.ravel()]]


def fingerprint(rows: Iterable[tuple[Any, Array]], classes: tuple[str, ...]) -> str:
    """The hash of a certificate, from the features and codes of all rows, block by block."""
    digest, kept = sha256(), []
    for X, codes in rows:
        digest.update(np.add(X.toarray() if sp.issparse(X) else X, 0.0, dtype="<f8"))
        kept.append(codes.astype(np.uint8))
    names, first = np.array(classes), b"\n"
    for codes in kept:
        digest.update(first + "\n".join(names[codes].tolist()).encode())
        first = b"\n"
    return digest.hexdigest()


def certificate(
    each: Each, task: Task, n: int, rows: Iterable[tuple[Any, Array]] | None
) -> Certificate:
    """The certificate of all n rows. Without their features and codes, it has no hash."""
    if len(task.classes) > 2:
        raise ValueError(f"y has {len(task.classes)} classes; a certificate is about two")
    d = task.specimen.X.shape[1]
    proof = certified(each, d, n)[0]
    classes = tuple(str(label) for label in task.classes.tolist())
    return Certificate(
        verdict=proof.verdict,
        fit_intercept=task.bias > 0,
        classes=classes,
        n_samples=n,
        n_features=d,
        sha256=fingerprint(rows, classes) if rows is not None else "",
        separator=proof.separator,
        conflict=proof.conflict,
        margin=geometric_margin(each, proof),
        reason=proof.reason,
    )


def geometric_margin(each: Each, proof: Proof) -> float:
    """The distance of the nearest row from a strict separator."""
    if proof.separator is None or proof.verdict != "separable":
        return 0.0
    w = np.array([exact.rounded(x) for x in [*proof.separator.w, proof.separator.b]])
    w /= np.abs(w).max()  # lest its length overflow
    return float(assess(each, [[w[None]]])[0].least[0] / np.linalg.norm(w[:-1]))
