"""Fits of kernel perceptrons, against monomials and inner products in fractions."""

from fractions import Fraction

import numpy as np

from adversary import judge
from adversary.configurations import of_kernels, stored, weights
from adversary.fits import about, false_bounds, more, online, outcome_of
from adversary.verdicts import feature_vectors
from rosenblatt import KernelPerceptron

OFF = Fraction(1, 10**7)  # bounds below this mean little: the squared length is a rounded sum


def check_kernel_fit(X, y, rng):
    """What is false about a kernel perceptron of a random configuration."""
    p = of_kernels(rng)
    way = (at_once, online_after_all, online)[rng.integers(3)]
    return outcome_of(way, KernelPerceptron(**p), X, y, rng, f"{way.__name__} {p}", false_of)


def at_once(model, X, y, rng):
    given = weights(rng, len(y))
    model.fit(stored(rng, X), y, sample_weight=given)
    return about(model, X, y, given)


def online_after_all(model, X, y, rng):
    model.fit(X, y)
    return more(about(model, X, y), X, y, 0, rng)


def false_of(learned):
    """All that a kernel perceptron says, and is not so."""
    m, said = learned.model, []
    equals = judge.verdict_of_equals(learned.X, learned.y)
    if m.converged_ and m.boundary == "mistake" and equals != "separable":
        said.append("converged_ is True, and equal rows have different labels")
    if m.converged_ and (m.predict(learned.X) != m.classes_[learned.y]).any():
        said.append("converged_ is True, and predict errs")
    if len(m.classes_) > 2 and m.multi_class == "ovr":
        return said
    return said + false_verdict(learned, equals) + false_margin(learned) + false_claim(learned)


def false_verdict(learned, equals):
    """What is said of separability, and is not so."""
    m, k = learned.model, len(learned.model.classes_)
    if m.stop_reason_ != "inseparable" or equals != "separable":
        return []
    if m.kernel not in ("linear", "poly"):
        return ["stop_reason_ is 'inseparable', and no rows are equal"]
    how = m.kernel, m.degree, m.coef0, m.fit_intercept
    wrong = judge.verdict(feature_vectors(learned.X, learned.y, *how)) == "separable"
    return [f"stop_reason_ is 'inseparable', and it is not so, of {k} classes"] if wrong else []


def false_margin(learned):
    """What margin bounds exclude, in the feature space of a polynomial kernel."""
    m = learned.model
    if m.kernel not in ("linear", "poly") or m.margin_bounds_ is None:
        return []
    K = kernel_matrix(m, learned.all_X, learned.all_X)
    K = signed(K, learned.all_y.tolist(), len(m.classes_))
    return false_bounds(learned, m.margin_bounds_, judge.FromProducts(K), OFF)


def kernel_matrix(m, A, B):
    """The kernel of rows in fractions, with its constant."""
    A, B = (judge.fractions_of(rows, fit_intercept=False) for rows in (A, B))
    products = [[sum(map(Fraction.__mul__, a, b)) for b in B] for a in A]
    one = int(m.fit_intercept)
    if m.kernel == "linear":
        return [[v + one for v in row] for row in products]
    gamma, coef0 = Fraction(m.gamma_), Fraction(m.coef0)
    return [[(gamma * v + coef0) ** m.degree + one for v in row] for row in products]


def signed(K, y, k):
    """The inner products of the vectors of a table, from those of its rows."""
    if k == 2:
        y = [2 * c - 1 for c in y]
        return [
            [a * b * v for b, v in zip(y, row, strict=True)] for a, row in zip(y, K, strict=True)
        ]
    at = [(i, c, r) for i, c in enumerate(y) for r in range(k) if r != c]
    return [
        [K[i][j] * ((c == e) - (c == s) - (r == e) + (r == s)) for j, e, s in at] for i, c, r in at
    ]


def false_claim(learned):
    """Whether converged_ is so, where all sums are exact: small whole numbers and steps."""
    m, X = learned.model, learned.X
    exact = m.kernel in ("linear", "poly") and are_small(X) and are_small(learned.all_X)
    if not exact or m.keep == "vote" or m.rule not in ("rosenblatt", "margin") or m.budget:
        return []
    if (
        m.eta0 not in (1.0, 1.5)
        or isinstance(m.gamma, str)
        or m.class_weight == "balanced"
        or m.keep == "average"
    ):
        return []
    K = kernel_matrix(m, X, np.asarray(support(m), float))
    strict = m.rule != "rosenblatt" or m.boundary == "mistake" or len(m.classes_) > 2
    right = judge.is_right(
        K, learned.y.tolist(), np.atleast_2d(m.dual_coef_), 0 if strict else m.boundary
    )
    return [] if m.converged_ == right else [f"converged_ is {m.converged_}, and it is not so"]


def are_small(X):
    """Whether these are small whole numbers."""
    return (np.rint(X) == X).all() and np.abs(X).max() < 10


def support(m):
    """The rows of the support, dense."""
    rows = m.support_vectors_
    return rows.toarray() if hasattr(rows, "toarray") else rows
