"""The quick way to verify a certificate: the answers of `checker`, in one read of the data.

A product of d numbers is computed within a known error, so most rows are certain in floating
point; the others are computed in whole numbers. A conflict is added up exactly, on its few rows.
These span all rows if they have full rank modulo a prime; only if not, their span is computed
exactly and every row is tested against it.
"""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from rosenblatt import checker
from rosenblatt.checker import require
from rosenblatt.core.loop import Array
from rosenblatt.core.threads import one_thread
from rosenblatt.core.vectors import dense, store
from rosenblatt.inputs.exact_numbers import added_up, refuse_rounded
from rosenblatt.inputs.labels import distinct, encode_labels, labels_of
from rosenblatt.inputs.matrix import canonical
from rosenblatt.inputs.other_arrays import in_numpy
from rosenblatt.separability.coding import coded
from rosenblatt.separability.exact import modular, rational
from rosenblatt.separability.exact.bounded_conflict import is_conflict
from rosenblatt.separability.exact.column_relations import Bound, broken, with_constant
from rosenblatt.separability.exact.confirmation import cancels
from rosenblatt.separability.exact.monomials import INEXACT
from rosenblatt.separability.feature_spaces import (
    dimensions,
    first_rows,
    fraction_leads,
    in_space,
    row_keys,
    verdict_by_labels,
)
from rosenblatt.separability.fingerprint import Fingerprint, hashing, text_of
from rosenblatt.separability.proofs import outside
from rosenblatt.separability.several_classes.row_pairs import (
    Machine,
    all_pairs,
    augmented,
    design,
    exact_leads,
    floats,
)

NUMBERS_READ = 2**17  # numbers looked at together: few enough to stay in the cache

SIZE = "the number of rows or features differs"
CLASSES = "the classes are not the labels"


def verify(certificate: Any, X: Any, y: Any = None) -> bool:
    """Check a certificate against the data, exactly and quickly.

    Floating point is used only where a bound on its error determines the side of a row; everything
    else is computed in integers. `rosenblatt.checker.verify` gives the same answers slowly, in
    a few pages of Python that need nothing but the standard library.

    Parameters
    ----------
    certificate : Certificate, dict or str
        What `certify` returned, or its JSON.
    X, y : array-like
        The data that it is about, as `certify` takes them.

    Returns
    -------
    bool
        True. A certificate that the data do not prove raises ValueError, which says what fails.

    Examples
    --------
    >>> from rosenblatt import certify, datasets, verify
    >>> X, y = datasets.textbook()
    >>> verify(certify(X, y), X, y)
    True
    >>> verify(certify(X, y), X + 1, y)
    Traceback (most recent call last):
    ...
    ValueError: certificate refuted: the hash is of other data
    """
    X, y, _ = coded(X, y)
    require(y is not None, "there are no labels y")
    c, rows, labels = checker.claim(certificate), doubles_of(in_numpy(X, "X")), labels_of(y)
    require(rows.ndim == 2 and labels.shape == rows.shape[:1], SIZE)

    def read() -> Iterator[tuple[Any, Array]]:
        each = rows.nnz // rows.shape[0] if sp.issparse(rows) else rows.shape[1]
        size = max(1, NUMBERS_READ // max(1, each))
        for k in range(0, len(labels), size):
            yield rows[k : k + size], labels[k : k + size]

    n, d = rows.shape
    return check_claim(c, RowAccess(n, d, read, lambda i: (rows[i], labels[i])))


# -- The data: rows as doubles, labels as classes --------------------------------------------------


class RowAccess(NamedTuple):
    """The rows and labels to verify against."""

    n: int
    d: int
    blocks: Callable[[], Iterable[tuple[Any, Array]]]  # all of them
    take: Callable[[list[int]], tuple[Any, Array]]  # those with these numbers


def doubles_of(X: Any) -> Any:
    """A matrix of doubles, dense or CSR; numbers that would be others are refused."""
    if not hasattr(X, "__array__") and not sp.issparse(X):
        X = [list(x) for x in X]
    X = added_up(X) if sp.issparse(X) else X
    refuse_rounded(X)
    if sp.issparse(X):
        kept = X.dtype if X.dtype == np.float32 else float  # in which entries of one place add up
        return canonical(sp.csr_array(X, dtype=kept)).astype(float)
    X = X.to_numpy() if hasattr(X, "to_numpy") else X
    return np.asarray(X, float)


def codes_of(y: Any, classes: list[str]) -> Array:
    """The class of each row, as a position, by the text of its label."""
    y, place = np.asarray(y), {name: k for k, name in enumerate(classes)}
    labels = y if y.dtype == object else distinct(y)
    names = [text_of(label) for label in labels.tolist()]
    require(place.keys() >= set(names), CLASSES)
    codes = np.array([place[name] for name in names], np.int32)
    return codes if y.dtype == object else codes[encode_labels(y, labels)]


# -- Checks ----------------------------------------------------------------------------------------


def check_claim(c: Any, table: RowAccess) -> bool:
    """True if the data prove the claim; otherwise ValueError says what fails."""
    require(table.n and [c.get("n_samples"), c.get("n_features")] == [table.n, table.d], SIZE)
    classes, verdict = c.get("classes"), c.get("verdict")
    require(checker.are_classes(classes, c) and len(set(classes)) == len(classes), CLASSES)
    if "degree" in (c.get("kernel") or {}):
        require(checker.can_be_written(table.d, c["kernel"]), "the kernel has too many monomials")
    codes, side, apart = look(c, table)
    require(len(np.unique(codes)) == len(classes), CLASSES)
    if c.get("kind") == checker.FEWEST:
        return require_mistakes(c, table, codes, side)
    if c.get("kernel") in checker.INDEPENDENT:
        return require_equal(c, table, codes)
    if verdict != "overlapping":
        wrong = np.flatnonzero(side < (verdict == "separable"))
        require(not len(wrong), f"row {wrong[:1].sum()} (counted from 0) is on the wrong side")
        require(apart, "the separator separates nothing")
    if verdict != "separable":
        require_conflict(c, table, codes, verdict == "overlapping")
    return True


def claimed_machine(c: Any, d: int) -> Machine | None:
    """The weights of each class that a claim is about, those of the first being zero."""
    if c.get("verdict") == "overlapping" or c.get("kernel") in checker.INDEPENDENT:
        return None
    width = dimensions(d, c.get("kernel")) + c["fit_intercept"]
    part = "hypothesis" if c.get("kind") == checker.FEWEST else "separator"
    w = checker.separator(c, width, part)
    return [[Fraction(0)] * width, *(w[k : k + width] for k in range(0, len(w), width))]


@one_thread  # of linear algebra: blocks are small, and the hash has another
def look(c: Any, table: RowAccess) -> tuple[Array, Array, bool]:
    """Check the hash in one read of all rows, and see the class of each; on which side it is (1, or
    0 on the border, or -1 if its class is behind a rival); and whether some row leads some rival.
    """
    machine, codes, side = claimed_machine(c, table.d), list[Array](), [np.empty(0, np.int8)]
    digest, apart = Fingerprint(c.get("hash")), False
    V = floats(machine) if machine else np.empty(0)
    for X, y in hashing(digest, table.blocks(), table.n * table.d):
        require(X.shape[1:] == (table.d,), SIZE)
        finite = np.isfinite(X.data if sp.issparse(X) else X).all()
        require(finite, "the data are empty or not finite")
        codes.append(codes_of(y, c["classes"]))
        if machine is not None:
            signs = signs_of(c, X, codes[-1], machine, V)
            side.append(signs.min(axis=1).astype(np.int8))
            apart |= int(np.count_nonzero(signs > 0)) > len(signs)  # beside that over itself
    together = np.concatenate(codes)
    require(len(together) == table.n, SIZE)
    digest.tell(c["classes"], together)
    told = digest.close(checker.costs_told(c))
    require(c.get("sha256") == told, "the hash is of other data")
    return together, np.concatenate(side), apart


def signs_of(c: Any, X: Any, codes: Array, machine: Machine, V: Array) -> Array:
    """On which side of each class the own one is; where products would be rounded, in fractions."""
    kernel = c.get("kernel")
    M = in_space(X, kernel)
    if M is None:
        return fraction_leads(X, codes, machine, kernel)
    return exact_leads(M, codes, machine, V)[1]


def features_of(X: Any, c: Any) -> Any:
    """Rows in the feature space that a claim is about."""
    M = in_space(X, c.get("kernel"))
    require(M is not None, INEXACT)
    return M


def require_equal(c: Any, table: RowAccess, codes: Array) -> bool:
    """Whether equal rows have the classes of the verdict, where distinct rows are independent."""
    keys = [key for X, _ in table.blocks() for key in row_keys(X)]
    verdict = verdict_by_labels(first_rows(keys, codes), len(c["classes"]))
    require(c["verdict"] == verdict, "equal rows refute the verdict")
    if verdict != "separable":
        _, weights = checker.conflict(c, codes)
        rows = c["conflict"]["rows"]
        equal = len({keys[i] for i in rows}) == 1 < len(set(codes[rows].tolist()))
        require(equal, "the rows in conflict are not equal, with different labels")
        Z = pairs_in_conflict(c, codes, np.ones((len(rows), 1)))
        require(cancels(Z, weights), "the weighted rows do not add up to zero")
    return True


def pairs_in_conflict(c: Any, codes: Array, X: Array) -> Array:
    """The z of the pairs in conflict, given their rows."""
    s, k = c["conflict"], len(c["classes"])
    own = codes[s["rows"]]
    return design(X, own, np.array(s["rivals"] if k > 2 else 1 - own), k)


def require_conflict(c: Any, table: RowAccess, codes: Array, spanning: bool) -> None:
    """Whether the pairs in conflict cancel out and, where they must, span all pairs."""
    _, weights = checker.conflict(c, codes)
    k, bias = len(c["classes"]), float(c["fit_intercept"])
    X = dense(augmented(features_of(table.take(c["conflict"]["rows"])[0], c), bias))
    Z = pairs_in_conflict(c, codes, X)
    if c.get("proof") == checker.BOUNDED:
        return require_bounded(c, table, Z, weights, spanning)
    require(cancels(Z, weights), "the weighted rows do not add up to zero")
    if spanning and modular.rank_modulo(Z) < Z.shape[1]:
        used = Z.any(axis=0)
        span = rational.span(with_constant(Z[:, used], 0.0))
        for X, y in table.blocks():
            for *_, pairs in all_pairs(features_of(X, c), codes_of(y, c["classes"]), k, bias):
                stray = pairs[:, ~used].any() or len(
                    outside(store(pairs[:, used], 0.0), np.arange(len(pairs)), span)
                )
                require(not stray, "the conflict does not span all rows")


def require_bounded(
    c: Any, table: RowAccess, Z: Array, weights: list[Fraction], spanning: bool
) -> None:
    """Whether a bound proves a conflict. If it must span all rows, these are zero in the columns
    that its rows do not use, and obey the relations of columns that it leaves out."""
    bias = float(c["fit_intercept"])
    width = dimensions(table.d, c.get("kernel")) + c["fit_intercept"]
    given, combined = (checker.related_columns(c, name, width) for name in checker.RELATED)
    used = np.all(Z.reshape(len(Z), -1, width).any(axis=0), axis=0)
    used[[*given, *combined]] = True
    used |= not spanning
    blocks = table.blocks() if spanning else [table.take(c["conflict"]["rows"])]
    for X, _ in blocks if given or not used.all() else ():
        M = with_constant(features_of(X, c), bias)[:, :width]
        wrong = sorted(broken(given, M))
        require(not wrong, f"column {sum(wrong[:1])} (counted from 0) is not the combination given")
        require(not dense(M[:, ~used]).any(), "the conflict does not span all rows")
    bound = Bound(given, combined).repeated(width, Z.shape[1] // width)
    require(is_conflict(Z, weights, bound), "the bound on rounding errors does not hold")


def require_mistakes(c: Any, table: RowAccess, codes: Array, side: Array) -> bool:
    """Whether a hypothesis makes so many mistakes, and conflicts prove how few there can be."""
    costs, conflicts = checker.costs_of(c, table.n), c.get("conflicts")
    made = sum((costs[i] for i in np.flatnonzero(side <= 0)), Fraction(0))
    require(checker.number(c.get("mistakes")) == made, "the hypothesis makes other mistakes")
    require(isinstance(conflicts, list), "the conflicts are missing")
    found = [checker.weighted(s, table.n) for s in conflicts]
    numbers = sorted({i for rows, _ in found for i in rows})
    if numbers:
        place = {i: k for k, i in enumerate(numbers)}
        own = codes[numbers]
        X = dense(augmented(table.take(numbers)[0], float(c["fit_intercept"])))
        Z = X * (2.0 * own - 1)[:, None]
        for rows, weights in found:
            require(len(set(rows)) == len(rows), "every row needs one weight")
            shares = [weight / sum(weights) for weight in weights]
            right = cancels(Z[[place[i] for i in rows]], shares)
            require(right, "the weighted rows do not add up to zero")
    least = checker.number(c.get("at_least"))
    require(least == checker.bound(c, costs), "the packing proves another bound")
    return True
