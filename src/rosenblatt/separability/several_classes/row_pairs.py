"""Pairs of rows and rivals, the rows of Kesler's construction; a linear machine's leads on them.

A linear machine is right on a row of class y when y leads every rival r: (ŵ_y - ŵ_r)·x̂ > 0. So each
pair (row, rival) is one row z = (e_y - e_r) ⊗ x̂ of a problem with a single hypothesis, the weights
of all classes in line. Adding the same weights to all classes changes nothing; those of the first
are zero. With two classes, z is x̂ or -x̂.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import scipy.sparse as sp

from rosenblatt.core.loop import Array, Primal, Rows
from rosenblatt.core.vectors import dense, store
from rosenblatt.inputs.validation import rows_of
from rosenblatt.separability.exact.column_relations import with_constant
from rosenblatt.separability.exact.confirmation import scaled, sides, unsure_rows
from rosenblatt.separability.exact.rational import in_line
from rosenblatt.separability.row_sources.gathering import Gathered, gather
from rosenblatt.separability.row_sources.source import LabelledRows, Source, csr_or_array

Machine = Sequence[Sequence[Fraction]]  # exact weights of each class, the bias last if there is one

SCORED_ROWS = 2**16  # rows scored together


def augmented(X: Any, bias: float) -> Any:
    """Rows x̂, dense or CSR: with a constant if there is a bias."""
    return with_constant(X, bias) if bias else X


def design(X: Any, own: Array, rival: Array, k: int) -> Any:
    """The rows z of pairs, from their rows x̂, dense or CSR."""
    if sp.issparse(X):
        return sparse_design(X.tocoo(), own - 1, rival - 1, k)
    Z, rows = np.zeros((len(X), k, X.shape[1])), np.arange(len(X))
    Z[rows, own], Z[rows, rival] = X, -X
    return Z[:, 1:].reshape(len(X), -1)


def sparse_design(X: sp.coo_array, own: Array, rival: Array, k: int) -> sp.csr_array:
    """The same of sparse rows; the class without weights has the number -1."""
    (i, j), (n, width) = X.coords, X.shape
    rows, values = np.tile(i, 2), np.concatenate((X.data, -X.data))
    columns = np.concatenate((own[i], rival[i])).astype(np.int64) * width + np.tile(j, 2)
    held = columns >= 0
    places = rows[held], columns[held]
    return sp.csr_array((values[held], places), shape=(n, (k - 1) * width))


# -- Hard pairs ------------------------------------------------------------------------------------


def problem_of_pairs(found: Gathered, k: int) -> tuple[Primal, Rows]:
    """Pairs as a problem of their own, without a bias."""
    primal = store(design(found.X, found.own, found.rival, k), 0.0)
    return primal, rows_of(primal, np.ones(len(found.i)))


@np.errstate(over="ignore")  # of a length, which is then the largest number
def some_pairs(rows: LabelledRows, source: Source, i: Array, rival: Array, lead: Array) -> Gathered:
    """Some pairs of some rows, no more than are gathered at once."""
    if len(i) > source.capacity:
        behind = np.argpartition(lead, source.capacity)[: source.capacity]
        i, rival, lead = i[behind], rival[behind], lead[behind]
    X = dense(augmented(csr_or_array(rows.X)[i], source.bias))
    lengths = np.clip(np.linalg.norm(X, axis=1), np.finfo(float).tiny, np.finfo(float).max)
    return Gathered(rows.numbers[i], rows.codes[i], rival, X, lead / lengths)


def every_pair(rows: LabelledRows, source: Source) -> Gathered:
    """All pairs of sparse rows."""
    i, rival = np.nonzero(rows.codes[:, None] != np.arange(source.k))
    X = augmented(rows.X, source.bias)[i]
    return Gathered(rows.numbers[i], rows.codes[i], rival, X, np.zeros(len(i)))


def leads_over_rivals(X: Any, codes: Array, W: Array) -> Array:
    """By how much the own class of each row leads each rival; infinite over itself."""
    f = X @ W[:, : X.shape[1]].T
    f += W[:, X.shape[1] :].sum(axis=1)
    rows = np.arange(len(codes))
    lead = f[rows, codes][:, None] - f
    lead[rows, codes] = np.inf
    return lead


def beginning(source: Source, W: Array) -> Gathered:
    """Pairs to begin with: all rivals of a few rows, and the closest rivals under W."""
    stride = max(1, 2 * source.n * (source.k - 1) // source.capacity)
    about = source.without_rows

    def find(rows: LabelledRows) -> Gathered:
        lead = leads_over_rivals(csr_or_array(rows.X), rows.codes, W)
        sampled = (rows.numbers % stride == 0)[:, None] & np.isfinite(lead)
        lead[sampled] = -np.inf
        near = np.argsort(lead.min(axis=1), kind="stable")[: about.capacity // 2]
        sampled[near, lead[near].argmin(axis=1)] = True
        i, rival = np.nonzero(sampled)
        return some_pairs(rows, about, i, rival, lead[i, rival])

    return gather(source, find, source.capacity)


# -- Checking a linear machine on all rows ---------------------------------------------------------


def refuting(rows: LabelledRows, source: Source, machine: Machine, strict: bool) -> Gathered:
    """The pairs that a machine gets wrong: its own class is behind or, if it must lead, ties."""
    X, V, found = csr_or_array(rows.X), floats(machine), []
    for k in range(0, len(rows.codes), SCORED_ROWS):
        lead, signs = exact_leads(
            X[k : k + SCORED_ROWS], rows.codes[k : k + SCORED_ROWS], machine, V
        )
        i, rival = np.nonzero(signs <= 0 if strict else signs < 0)
        found.append((k + i, rival, lead[i, rival]))
    return some_pairs(
        rows, source, *(np.concatenate(column) for column in zip(*found, strict=True))
    )


@np.errstate(all="ignore")  # a bound that is not finite makes nothing certain
def exact_leads(X: Any, codes: Array, machine: Machine, V: Array) -> tuple[Array, Array]:
    """The own class's lead over each class, about, and its sign, exactly; 1 over itself.

    A lead in floating point is off by at most twice the error of a score. V are the machine's
    weights in floats.
    """
    lead = leads_over_rivals(X, codes, V)
    unsure = unsure_rows(np.abs(lead).min(axis=1) / 2, X, np.abs(V).max(axis=0))
    signs = np.sign(lead)
    signs[unsure] = exact_signs(X[unsure], codes[unsure], machine)
    return lead, signs


def floats(machine: Machine) -> Array:
    """The weights, rounded, of which the largest is about 1."""
    return scaled(in_line(machine)).reshape(len(machine), -1)


def exact_signs(X: Any, codes: Array, machine: Machine) -> Array:
    """The signs of leads, each lead as a product with the difference of two classes."""
    signs = np.ones((len(codes), len(machine)))
    for own in np.unique(codes).tolist():
        rows = np.flatnonzero(codes == own)
        for rival in set(range(len(machine))) - {own}:
            w = [a - b for a, b in zip(machine[own], machine[rival], strict=True)]
            signs[rows, rival] = sides(X[rows], w)
    return signs


def all_pairs(X: Any, codes: Array, k: int, bias: float) -> Iterator[tuple[Array, Array, Array]]:
    """Rows, rivals and z of all pairs, some at a time."""
    size = max(1, SCORED_ROWS // (k * k * (X.shape[1] + 1)))
    for begin in range(0, len(codes), size):
        i, rival = np.nonzero(codes[begin : begin + size, None] != np.arange(k))
        i += begin
        yield i, rival, design(dense(augmented(X[i], bias)), codes[i], rival, k)
