"""Certificates: a verdict on rows in memory, with its proof and what it is about."""

import math
from fractions import Fraction
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.checker import CONSTANT, MOST_MONOMIALS, can_be_written
from rosenblatt.core.loop import Array
from rosenblatt.core.threads import beside
from rosenblatt.inputs.labels import require_two
from rosenblatt.inputs.parameters import choice
from rosenblatt.inputs.validation import Problem, binary_problem, validate_exactly
from rosenblatt.separability.certificate import Certificate
from rosenblatt.separability.certificate_parts import DependentColumns
from rosenblatt.separability.coding import coded
from rosenblatt.separability.exact.column_relations import Bound
from rosenblatt.separability.exact.monomials import INEXACT
from rosenblatt.separability.feature_spaces import (
    STRICTLY_DEFINITE,
    Space,
    dimensions,
    feature_space,
    fraction_leads,
    in_space,
    prove_independent,
)
from rosenblatt.separability.fingerprint import form_of, hash_of, text_of
from rosenblatt.separability.proofs import Proof
from rosenblatt.separability.row_sources.prove import margin_of, prove_source
from rosenblatt.separability.row_sources.source import Source, in_memory


def certify(
    X: Any,
    y: Any = None,
    *,
    fit_intercept: bool = True,
    kernel: str | None = None,
    degree: float = 3,
    coef0: float = 1.0,
) -> Certificate:
    """Decide whether classes are linearly separable, with a proof.

    Two classes are separable if some hyperplane has each on its own side. Several are, if some
    linear machine (weights and a bias for each class) scores every row highest for its own class.

    Parameters
    ----------
    X : array-like, sparse matrix, data frame or table of `read`, (n_samples, n_features)
        The rows. Numbers are taken as stored, as exact rationals. Text and
        categories of a data frame become a feature for each level, dates days since 1970.
    y : array-like of shape (n_samples,)
        Two labels or more; by default those of the table.
    fit_intercept : bool
        Whether the hyperplane may be anywhere, or must go through the origin.
    kernel : {None, "linear", "poly", "rbf", "laplacian"}
        Whether some function of this kernel separates the classes, with any gamma above 0. For
        "poly", the rows are written out as monomials, whose weights are the separator. With "rbf"
        and "laplacian", only equal rows with different labels are in conflict, so that a separator
        is not written out.
    degree, coef0 : float
        Of the kernel "poly". If coef0 is 0, only monomials of this degree count.

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
    >>> certify(X, y, kernel="poly", degree=2).verdict
    'separable'
    """
    X, y, coding = coded(X, y)
    bias, space = float(bool(fit_intercept)), feature_space(kernel, degree, coef0)
    problem = validate_exactly(X, y, bias=bias)
    constant = bool(fit_intercept) or (space or {}).get("lower", False)
    about = About(problem.classes, problem.X.shape, constant, space)
    given = coding.references(problem.X, problem.codes, about.fit_intercept)
    data: Any = None
    with beside(math.prod(about.shape)) as hasher:
        form = form_of(problem.X, about.shape)
        digest = hasher.submit(hash_of, [(problem.X, problem.codes)], about.names, form)
        if space:
            require_two(problem.classes)
            proof, margin = prove_in_features(problem, space, constant), 0.0
        else:
            source, data = rows_at_hand(problem, bool(fit_intercept))
            proof = prove_source(source)
            margin, data = margin_of(proof, source), (*data, coding, given)
    return about.certificate(proof, margin, digest.result(), data, form)


def prove_in_features(problem: Problem, space: Space, constant: bool) -> Proof:
    """The proof in the feature space of a kernel; of rounded features, only that they separate."""
    if space["name"] in STRICTLY_DEFINITE:
        return prove_independent(problem.X, problem.codes, len(problem.classes))
    if not can_be_written(problem.X.shape[1], space):
        return Proof("undecided", reason=f"there are more than {MOST_MONOMIALS:,} monomials")
    exact = in_space(problem.X, space)
    M = in_space(problem.X, space, rounded=True) if exact is None else exact
    if not np.isfinite(M).all():
        return Proof("undecided", reason=INEXACT)
    proof = prove_source(rows_at_hand(problem.with_rows(M), constant)[0])
    separates = proof.verdict == "separable" and gets_all_right(problem, proof.separator, space)
    return proof if exact is not None or separates else Proof("undecided", reason=INEXACT)


def rows_at_hand(problem: Problem, fit_intercept: bool) -> tuple[Source, tuple[Any, ...]]:
    """The rows as a source; and those of two classes as the loop holds them, or the problem."""
    X, codes, k, bias = problem.X, problem.codes, len(problem.classes), float(fit_intercept)
    two = None if k > 2 else binary_problem(problem, fit_intercept, "use certify_each")
    return in_memory(X, codes, k, bias, two), two or (problem,)


def gets_all_right(problem: Problem, found: Any, space: Space) -> bool:
    """Whether the separator of rounded features gets all rows right, in fractions."""
    zero = [Fraction(0)] * len(found.w), Fraction(0)
    planes = zip(*found, strict=True) if len(problem.classes) > 2 else (zero, found)
    machine = [[*w, b] for w, b in planes]
    return bool((fraction_leads(problem.X, problem.codes, machine, space) > 0).all())


def certify_each(
    X: Any, y: Any = None, scheme: str = "one-vs-rest", *, fit_intercept: bool = True
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
    table = coded(X, y)
    problem = validate_exactly(table.X, table.y)
    require_two(problem.classes)
    table, labels = table._replace(X=problem.X), problem.classes[problem.codes]
    if scheme == "one-vs-rest":
        return {
            label: certify(table, labels == label, fit_intercept=fit_intercept)
            for label in problem.classes.tolist()
        }
    pairs = combinations(problem.classes.tolist(), 2)
    rows = {pair: np.flatnonzero(np.isin(labels, pair)) for pair in pairs}
    return {
        pair: certify(table._replace(X=problem.X[i]), labels[i], fit_intercept=fit_intercept)
        for pair, i in rows.items()
    }


# -- What a certificate is about -------------------------------------------------------------------


class About(NamedTuple):
    """What a certificate is about."""

    classes: Array
    shape: tuple[int, int]
    fit_intercept: bool
    space: Space | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The labels as text."""
        return tuple(map(text_of, self.classes.tolist()))

    def named(self, bound: Bound | None) -> tuple[DependentColumns | None, ...]:
        """Dependent and combined columns, by the names that certificates have for them."""
        if bound is None:
            return None, None
        names = [*map(str, range(dimensions(self.shape[1], self.space))), CONSTANT]
        return tuple(relations or None for relations in bound.renamed(names))

    def certificate(
        self,
        proof: Proof,
        margin: float,
        sha256: str,
        data: Any = None,
        hashed: str | None = None,
    ) -> Certificate:
        """The certificate that a proof is."""
        dependent, combined = self.named(proof.bound)
        return Certificate(
            verdict=proof.verdict,
            fit_intercept=self.fit_intercept,
            classes=self.names,
            n_samples=self.shape[0],
            n_features=self.shape[1],
            sha256=sha256,
            separator=proof.separator,
            conflict=proof.conflict,
            margin=margin,
            reason=proof.reason,
            proof="bounded" if proof.bound else "exact",
            dependent=dependent,
            combined=combined,
            hashed=hashed,
            kernel=self.space,
            _data=data,
        )
