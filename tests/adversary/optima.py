"""The fewest mistakes and the largest margin, against all subsets and exact distances."""

import json
from fractions import Fraction

import numpy as np

from adversary import judge
from adversary.configurations import is_expected, linear, stored
from adversary.verdicts import accepted, forge
from rosenblatt import Perceptron, checker, fewest_mistakes, max_margin, novikoff, verify

CLOSE = 1 + Fraction(1, 10**12)
NEAR = 1 + Fraction(1, 10**6)  # of what a hyperplane in doubles has of a margin
MOST = 8  # rows, of which all subsets are tried


# Parts of other certificates, which must not take the place of those of the fewest mistakes.
STRAYS = (
    *({}, {}, {}),
    *({"verdict": verdict} for verdict in ("separable", "overlapping")),
    {"kernel": {"name": "rbf"}},
    {"kernel": {"name": "poly", "degree": 2, "lower": True}},
)


def check_fewest(X, y, rng):
    """What is false about the fewest mistakes of two classes."""
    X, y = X[:MOST], y[:MOST]
    if y.max() > 1 or len(set(y.tolist())) < 2:
        return None
    intercept = bool(rng.random() < 0.75)
    costs = weights_of_rows(rng, len(y)) if rng.random() < 0.3 else None
    classes = ({0: 2.0, 1: 0.5}, {1: 3.0})[rng.integers(2)] if rng.random() < 0.2 else None
    how = {"fit_intercept": intercept, "sample_weight": costs, "class_weight": classes}
    try:
        found = fewest_mistakes(stored(rng, X), y, n_jobs=1, effort=0.01, **how)
    except ValueError as error:
        known = is_expected(error) or "floating point" in str(error)
        return None if known else [f"{how} is refused: {error}"]
    given = [1.0] * len(y) if costs is None else costs.tolist()
    pairs = zip(y.tolist(), given, strict=True)
    each = [Fraction(c * (classes or {}).get(k, 1.0)) for k, c in pairs]
    return [f"{told}: {how}" for told in false_count(found, X, y, intercept, each, rng)]


def weights_of_rows(rng, n):
    """Weights that add up exactly, of two kinds, of any digits, or of very different size."""
    if (kind := rng.integers(4)) == 0:
        return rng.choice([1.0, 1.0, 2.0, 0.5, 3.25, 0.0], n)
    if kind == 1:
        return rng.choice([0.1, 0.3], n)
    return rng.random(n) if kind == 2 else 10.0 ** rng.integers(-30, 30, n)


def false_count(found, X, y, intercept, costs, rng):
    """What a count says, and is not so."""
    rows, codes = judge.fractions_of(X), y.tolist()
    least = judge.fewest_mistakes(judge.judged(X, y, intercept, 2).vectors, costs)
    W = [[*found.w.tolist(), found.b]]
    wrong = [i for i, m in enumerate(judge.leads(rows, codes, W)) if m <= 0 < costs[i]]
    said = []
    if not found.at_least <= float(least) <= found.mistakes:  # all three are rounded
        said.append(f"from {found.at_least} to {found.mistakes} mistakes, and it is {least}")
    if wrong != found.rows.tolist() or float(sum(costs[i] for i in wrong)) != found.mistakes:
        said.append(f"the rows {found.rows.tolist()} are wrong, and it is {wrong}")
    equal, alike = found.at_least == found.mistakes, set(costs) == {1}
    if found.optimal > equal or (alike and equal > found.optimal):
        said.append(f"optimal is {found.optimal}")
    proof = found.certificate().to_json()
    if not all(accepted(check, proof, X, y) for check in (verify, checker.verify)):
        said.append(f"a true certificate is refused: {proof}")
    forged = forge(json.loads(proof), rng) | STRAYS[rng.integers(len(STRAYS))]
    both = [accepted(check, forged, X, y) for check in (verify, checker.verify)]
    if both[0] != both[1]:
        said.append(f"verify says {both[0]} and the checker {both[1]} of {json.dumps(forged)}")
    if both[1] and not is_true(forged, X, y, costs):
        said.append(f"a forged certificate is accepted: {json.dumps(forged)}")
    return said


def is_true(fields, X, y, costs):
    """Whether a count that a certificate tells is that of its hypothesis, and its bound is one."""
    try:
        return tells_so(fields, X, y, costs)
    except (TypeError, KeyError, ValueError, ArithmeticError):  # it tells nothing
        return False


def tells_so(fields, X, y, costs):
    plane, table = fields["hypothesis"], judge.judged(X, y, fields["fit_intercept"])
    w = [Fraction(v) for v in [*plane["w"], plane["b"]]]
    leads = judge.exact_leads(judge.fractions_of(X), y.tolist(), [w])
    made = sum(c for c, m in zip(costs, leads, strict=True) if m <= 0)
    least = judge.fewest_mistakes(table.vectors, costs)
    return Fraction(fields["mistakes"]) == made and Fraction(fields["at_least"]) <= least


def check_margin(X, y, rng):
    """What is false about the largest margin of two classes."""
    if y.max() > 1:
        return None
    intercept = bool(rng.random() < 0.75)
    truth = exact_margin(X, y, intercept)
    try:
        with np.errstate(all="ignore"):
            found = max_margin(stored(rng, X), y, fit_intercept=intercept)
    except ValueError as error:
        fine = "floating point" in str(error) or "too" in str(error)
        return None if fine or not truth else [f"max_margin: {error}, and it is √{float(truth)!r}"]
    low, high = Fraction(found.margin) ** 2, Fraction(found.upper) ** 2
    own = squared_distance(found, X, y)
    if low <= truth * CLOSE and truth <= high * CLOSE and low <= own * NEAR:
        return []
    told = f"its hyperplane has √{float(own)!r}, and it is √{float(truth)!r}"
    return [f"max_margin is from {found.margin} to {found.upper}, {told}"]


def squared_distance(found, X, y):
    """The squared distance of the nearest row from a hyperplane; 0 if one is on the wrong side."""
    least = min(judge.leads(judge.fractions_of(X), y.tolist(), [[*found.w.tolist(), found.b]]))
    return max(least, 0) ** 2 / sum(Fraction(v) ** 2 for v in found.w.tolist())


def exact_margin(X, y, intercept):
    """The squared margin: half of the distance of two hulls, or that of one from the origin."""
    if judge.verdict_of(X, y, intercept) != "separable":
        return Fraction(0)
    if not intercept:
        return judge.judged(X, y, False).squared_margin
    rows = judge.fractions_of(X, fit_intercept=False)
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
        return None if is_expected(error) else [f"novikoff is refused: {error!r}: {p}"]
    if found.reason is not None:
        return None
    table = judge.judged(X, y, p["fit_intercept"])
    truth = table.squared_margin
    low, high = Fraction(found.gamma) ** 2, Fraction(found.gamma_upper) ** 2
    holds = low <= truth * CLOSE and truth <= high * CLOSE
    most = max(table.squared_lengths) / truth if truth else None
    if holds and found.holds and most and found.mistakes <= most <= found.bound * CLOSE:
        return []
    return [f"novikoff says {found.mistakes}, {found.bound}, and it is {most and float(most)}: {p}"]
