"""Feature spaces of kernels, in which the same question is asked.

The features of a polynomial kernel (γ x·z + c)^p are, but for positive factors, the monomials of
degree p, and with c > 0 those of lower degrees and a constant too. In the feature spaces of "rbf"
and "laplacian", distinct rows are independent (Micchelli 1986): a function of the kernel takes any
values on them, so only equal rows are in conflict. Neither depends on γ > 0.
"""

from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import scipy.sparse as sp

from rosenblatt import checker
from rosenblatt.core.loop import Array
from rosenblatt.core.vectors import dense
from rosenblatt.inputs.validation import canonical
from rosenblatt.separability.certificate_parts import ConflictWeights, PairConflictWeights
from rosenblatt.separability.exact.monomials import monomials
from rosenblatt.separability.proofs import Proof
from rosenblatt.separability.several_classes.row_pairs import Machine

STRICTLY_DEFINITE = ("rbf", "laplacian")

Space = dict[str, Any]  # as a certificate names it


def feature_space(kernel: str | None, degree: float, coef0: float) -> Space | None:
    """The feature space of a kernel; None if it is that of the rows."""
    if kernel in (None, "linear"):
        return None
    if kernel in STRICTLY_DEFINITE:
        return {"name": kernel}
    if kernel != "poly":
        known = "'linear', 'poly', 'rbf' or 'laplacian'"
        raise ValueError(f"kernel={kernel!r} cannot be decided; kernel is one of {known}")
    if not (float(degree).is_integer() and degree >= 1):
        raise ValueError(f"degree={degree!r}; monomials have a whole degree, 1 or more")
    if not coef0 >= 0:
        raise ValueError(f"coef0={coef0!r}; below 0 the kernel has no feature space")
    return {"name": "poly", "degree": int(degree), "lower": coef0 > 0}


def dimensions(d: int, space: Space | None) -> int:
    """The number of features of rows with d numbers."""
    return d if space is None else checker.n_monomials(d, space)


def in_space(X: Any, space: Space | None, rounded: bool = False) -> Any:
    """Rows in a feature space; None if a number is not exact, unless it may be rounded."""
    if space is None:
        return X
    return monomials(dense(X), space["degree"], space["lower"], rounded)


def fraction_leads(X: Any, codes: Array, machine: Machine, space: Space | None) -> Array:
    """On which side of each class the own one is, in fractions; for itself 1."""
    signs = np.ones((len(codes), len(machine)), np.int8)
    for i, (row, own) in enumerate(zip(dense(X).tolist(), codes.tolist(), strict=True)):
        x = [*checker.features([Fraction(v) for v in row], space), Fraction(1)]
        scores = [checker.dot(w, x[: len(w)]) for w in machine]
        signs[i] = [(scores[own] > s) - (scores[own] < s) for s in scores]
        signs[i, own] = 1
    return signs


# -- Independent rows ------------------------------------------------------------------------------


def row_keys(X: Any) -> list[bytes]:
    """For each row, what only equal rows share, whether they are held dense or sparse."""
    X = canonical(sp.csr_array(X, dtype=np.float64))
    columns, ends = X.indices.astype(np.int64), pairwise(X.indptr.tolist())
    return [columns[a:b].tobytes() + X.data[a:b].tobytes() for a, b in ends]


def first_rows(keys: Iterable[bytes], codes: Array) -> list[dict[int, int]]:
    """For each distinct row, the classes that it has, and the first row of each."""
    known: dict[bytes, dict[int, int]] = {}
    for i, (key, code) in enumerate(zip(keys, codes.tolist(), strict=True)):
        known.setdefault(key, {}).setdefault(code, i)
    return list(known.values())


def verdict_by_labels(distinct: list[dict[int, int]], k: int) -> str:
    """Separable if distinct rows have one class, overlapping if all have all of k."""
    sizes = {len(classes) for classes in distinct}
    return "separable" if sizes == {1} else "overlapping" if sizes == {k} else "touching"


def prove_independent(X: Any, codes: Array, k: int) -> Proof:
    """The proof where distinct rows are independent: contradictory rows, or that there are none."""
    distinct = first_rows(row_keys(X), codes)
    clash = next((list(rows.items())[:2] for rows in distinct if len(rows) > 1), None)
    if clash is None:
        return Proof("separable")
    (a, i), (b, j) = clash
    half = [Fraction(1, 2)] * 2
    pair = PairConflictWeights([i, j], [b, a], half) if k > 2 else ConflictWeights([i, j], half)
    return Proof(verdict_by_labels(distinct, k), conflict=pair)
