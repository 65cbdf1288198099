"""Certificates: either answer on separability, turned into a proof.

A conflict shows that no hypothesis gets all rows right. Whether one at least gets none wrong (the
classes *touch*) or not even that (they *overlap*) is a question of faces: the rows in conflict span
all rows, or a weak separator vanishes on them and not on others. Floating point finds the face;
its span is computed exactly, so that a hypothesis can be made to vanish on it exactly, and what
remains is shown row by row.
"""

from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from hashlib import sha256
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from rosenblatt import exact, modular, rational
from rosenblatt.faces import find_face
from rosenblatt.geometry import take
from rosenblatt.parameters import choice
from rosenblatt.problem import exactly, require_two, two_sides
from rosenblatt.separate import REACH, Conflict, Primal, Separator, Undecided, decide
from rosenblatt.sweep import Array, Rows
from rosenblatt.verdicts import Certificate, Clash, Hyperplane

BLOCK = 2**22  # numbers looked at together


def certify(X: Any, y: Any, *, fit_intercept: bool = True) -> Certificate:
    """Decide whether two classes are linearly separable, with a proof.

    Parameters
    ----------
    X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
        The rows. Their numbers are taken as they are stored, as exact rationals.
    y : array-like of shape (n_samples,)
        Two labels.
    fit_intercept : bool
        Whether the hyperplane may be anywhere, or must go through the origin.

    Returns
    -------
    Certificate

    Examples
    --------
    >>> from rosenblatt import certify, datasets, verify
    >>> X, y = datasets.xor()
    >>> certificate = certify(X, y)
    >>> certificate.verdict, sorted(certificate.conflict.rows)
    ('overlapping', [0, 1, 2, 3])
    >>> verify(certificate, X, y)
    True
    """
    problem = exactly(X, y)
    primal, rows = two_sides(problem, fit_intercept, "use certify_each")
    classes = tuple(str(label) for label in problem.classes.tolist())
    with ThreadPoolExecutor(1) as beside:
        digest = beside.submit(fingerprint, problem.X, np.array(classes)[problem.codes])
        proof = prove(primal, rows)
    return Certificate(
        verdict=proof.verdict,
        fit_intercept=bool(fit_intercept),
        classes=classes,
        n_samples=problem.X.shape[0],
        n_features=problem.X.shape[1],
        sha256=digest.result(),
        separator=proof.separator,
        conflict=proof.conflict,
        margin=geometric_margin(primal, rows, proof),
        reason=proof.reason,
        _data=(primal, rows, names_of(X, problem.X.shape[1]) + ["intercept"] * bool(fit_intercept)),
    )


def certify_each(
    X: Any, y: Any, scheme: str = "one-vs-rest", *, fit_intercept: bool = True
) -> dict[Any, Certificate]:
    """Certify every class against the rest, or every pair of classes.

    Parameters
    ----------
    X, y, fit_intercept
        As for `certify`; y may have any number of labels.
    scheme : {"one-vs-rest", "one-vs-one"}
        The result is keyed by label, and the certificate is about ``certify(X, y == label)``; or
        by pair, and it is about the rows of these two labels.

    Examples
    --------
    >>> from rosenblatt import certify_each
    >>> from sklearn.datasets import load_iris
    >>> {label: c.verdict for label, c in certify_each(*load_iris(return_X_y=True)).items()}
    {0: 'separable', 1: 'overlapping', 2: 'overlapping'}
    """
    choice("scheme", scheme, ("one-vs-rest", "one-vs-one"))
    problem = exactly(X, y)
    require_two(problem.classes)
    labels = problem.classes[problem.codes]
    if scheme == "one-vs-rest":
        return {
            label: certify(X, labels == label, fit_intercept=fit_intercept)
            for label in problem.classes.tolist()
        }
    pairs = combinations(problem.classes.tolist(), 2)
    rows = {pair: np.flatnonzero(np.isin(labels, pair)) for pair in pairs}
    return {
        pair: certify(problem.X[i], labels[i], fit_intercept=fit_intercept)
        for pair, i in rows.items()
    }


# -- Proving ---------------------------------------------------------------------------------------


class Proof(NamedTuple):
    """A verdict with what shows it."""

    verdict: str
    separator: Hyperplane | None = None
    conflict: Clash | None = None
    reason: str | None = None


def prove(primal: Primal, rows: Rows) -> Proof:
    """Decide, and prove it."""
    answer = decide(primal, rows)
    if isinstance(answer, Undecided):
        return Proof("undecided", reason=answer.reason)
    if isinstance(answer, Separator):
        return Proof("separable", hyperplane(answer.exactly()))
    return reduce_face(primal, rows, answer)


def reduce_face(primal: Primal, rows: Rows, first: Conflict) -> Proof:
    """Tell touching from overlapping, given a conflict."""
    if modular.rank(take(primal, first.rows)) == exact.width(primal) - (primal.bias == 0):
        return Proof("overlapping", conflict=clash(first))
    face = find_face(primal, rows, first)
    if face is None:
        return open_between(first, why_no_face(primal, rows))
    if face.w is not None:
        return Proof("touching", hyperplane(face.w), clash(first))
    span = rational.span(take(primal, face.conflict.rows))
    if len(outside(primal, rows.train, span)):
        return open_between(first, "the rows in conflict span all others only modulo a prime")
    return Proof("overlapping", conflict=clash(face.conflict))


def why_no_face(primal: Primal, rows: Rows) -> str:
    """Why facial reduction gave no answer."""
    if min(len(rows.train), exact.width(primal)) > REACH:
        return f"exact arithmetic is tried in {REACH} dimensions at most"
    return "facial reduction failed numerically"


def open_between(conflict: Conflict, reason: str) -> Proof:
    """Not separable for certain, and no more than that."""
    rows = ", ".join(map(str, conflict.rows.tolist()[:8]))
    known = (
        f"the data are not separable (rows {rows} are in conflict), but whether the classes touch"
    )
    return Proof("undecided", reason=f"{known} or overlap is open: {reason}")


def outside(primal: Primal, train: Array, span: rational.Span) -> Array:
    """The rows that are not in a span."""
    if span.is_whole(primal.bias):
        return train[:0]
    size = max(1, BLOCK // span.width)
    blocks = [train[k : k + size] for k in range(0, len(train), size)]
    return np.concatenate([i[~span.holds(take(primal, i))] for i in blocks])


def hyperplane(ratios: list[Fraction]) -> Hyperplane:
    return Hyperplane(ratios[:-1], ratios[-1])


def clash(conflict: Conflict) -> Clash:
    return Clash(conflict.rows.tolist(), conflict.weights)


# -- What a certificate is about -------------------------------------------------------------------


def geometric_margin(primal: Primal, rows: Rows, proof: Proof) -> float:
    """The distance of the nearest row from a strict separator."""
    if proof.verdict != "separable" or proof.separator is None:
        return 0.0
    return exact.distance(primal, [*proof.separator.w, proof.separator.b], rows)


def fingerprint(X: Any, labels: Array) -> str:
    """The hash of the data: little-endian float64 by rows, a newline, the labels by lines."""
    digest, size = sha256(), max(1, BLOCK // X.shape[1])
    for k in range(0, X.shape[0], size):
        block = X[k : k + size]
        block = block.toarray() if sp.issparse(block) else block
        digest.update(np.add(block, 0.0, dtype="<f8"))  # -0 becomes 0
    digest.update(b"\n" + "\n".join(labels.tolist()).encode())
    return digest.hexdigest()


def names_of(X: Any, d: int) -> list[str]:
    """The names of the features: those of a data frame, or x0, x1, …"""
    return [str(name) for name in getattr(X, "columns", [f"x{j}" for j in range(d)])]
