"""The fewest mistakes and the largest margin, against all subsets and exact distances."""

from fractions import Fraction

import numpy as np

from adversary import judge
from adversary.configurations import is_expected, linear
from adversary.verdicts import accepted
from rosenblatt import Perceptron, checker, fewest_mistakes, max_margin, novikoff, verify

CLOSE = 1 + Fraction(1, 10**12)
MOST = 8  # rows, of which all subsets are tried


def check_fewest(X, y, rng):
    """What is false about the fewest mistakes of two classes."""
    if y.max() > 1:
        return []
    X, y = X[:MOST], y[:MOST]
    if len(set(y.tolist())) < 2:
        return []
    intercept = bool(rng.random() < 0.75)
    costs = rng.choice([1.0, 1.0, 2.0, 0.5, 3.25], len(y)) if rng.random() < 0.3 else None
    how = {"fit_intercept": intercept, "sample_weight": costs, "effort": 0.01}
    try:
        found = fewest_mistakes(X, y, n_jobs=1, **how)
    except ValueError as error:
        return [] if "floating point" in str(error) else [f"{how} is refused: {error}"]
    given = [Fraction(1)] * len(y) if costs is None else [Fraction(c) for c in costs]
    return [f"{told}: {how}" for told in false_count(found, X, y, intercept, given)]


def false_count(found, X, y, intercept, costs):
    """What a count says, and is not so."""
    rows, codes = judge.fractions_of(X), y.tolist()
    least = judge.fewest_mistakes(judge.vectors(judge.fractions_of(X, intercept), codes, 2), costs)
    W = [[*found.w.tolist(), found.b]]
    wrong = [i for i, m in enumerate(judge.leads(rows, codes, W)) if m <= 0]
    said = []
    if not found.at_least <= least <= found.mistakes:
        said.append(f"from {found.at_least} to {found.mistakes} mistakes, and it is {least}")
    if wrong != found.rows.tolist() or sum(costs[i] for i in wrong) != found.mistakes:
        said.append(f"the rows {found.rows.tolist()} are wrong, and it is {wrong}")
    if found.optimal != (found.at_least == found.mistakes):
        said.append(f"optimal is {found.optimal}")
    proof = found.certificate()
    if not all(accepted(check, proof, X, y) for check in (verify, checker.verify)):
        said.append(f"a true certificate is refused: {proof.to_json()}")
    return said


def check_margin(X, y, rng):
    """What is false about the largest margin of two classes."""
    if y.max() > 1:
        return []
    intercept = bool(rng.random() < 0.75)
    truth = exact_margin(X, y, intercept)
    try:
        with np.errstate(all="ignore"):
            found = max_margin(X, y, fit_intercept=intercept)
    except ValueError as error:
        fine = "floating point" in str(error) or "too" in str(error)
        return [] if fine or not truth else [f"max_margin: {error}, and it is √{float(truth)!r}"]
    low, high = Fraction(found.margin) ** 2, Fraction(found.upper) ** 2
    if low <= truth * CLOSE and truth <= high * CLOSE:
        return []
    return [f"max_margin is from {found.margin} to {found.upper}, and it is √{float(truth)!r}"]


def exact_margin(X, y, intercept):
    """The squared margin: half of the distance of two hulls, or that of one from the origin."""
    rows = judge.fractions_of(X, fit_intercept=False)
    if not intercept:
        return judge.squared_margin(judge.gram(judge.vectors(rows, y.tolist(), 2)))
    sides = [[x for x, c in zip(rows, y, strict=True) if c == side] for side in (0, 1)]
    apart = [[b - a for a, b in zip(p, q, strict=True)] for p in sides[0] for q in sides[1]]
    return judge.squared_margin(judge.gram(apart)) / 4


def check_bound(X, y, rng):
    """What is false about Novikoff's bound on the mistakes of a run."""
    p = {name: linear(rng)[name] for name in ("keep", "order", "fit_intercept", "max_iter")}
    try:
        with np.errstate(all="ignore"):
            model = Perceptron(record=True, **p).fit(X, y)
            found = novikoff(model, X, y)
    except ValueError as error:
        return [] if is_expected(error) else [f"novikoff is refused: {error!r}: {p}"]
    if found.reason is not None:
        return []
    Z = judge.vectors(judge.fractions_of(X, p["fit_intercept"]), y.tolist(), 2)
    K = judge.gram(Z)
    truth = judge.squared_margin(K)
    low, high = Fraction(found.gamma) ** 2, Fraction(found.gamma_upper) ** 2
    holds = low <= truth * CLOSE and truth <= high * CLOSE
    most = max(K[i][i] for i in range(len(K))) / truth if truth else None
    if holds and found.holds and most and found.mistakes <= most <= found.bound * CLOSE:
        return []
    return [f"novikoff says {found.mistakes}, {found.bound}, and it is {most and float(most)}: {p}"]
