"""Verdicts and certificates: linear ones, those of kernels, and forged ones."""

import json
from contextlib import ExitStack, contextmanager
from fractions import Fraction
from functools import partial
from unittest.mock import patch

import numpy as np

from adversary import judge
from adversary.configurations import OneBuffer, cut, in_some_forms, is_expected
from rosenblatt import blocks, certify, checker, verify
from rosenblatt.separability import decide, facial_reduction, proofs, slack_conflicts
from rosenblatt.separability.floating_point import orthonormal_basis

VERDICTS = ("separable", "touching", "overlapping", "undecided")
PARTS = ("separator", "conflict", "hypothesis", "packing")
THOUSANDS = {
    "REACH": (decide, facial_reduction, proofs),
    "MOST_DIMENSIONS": (decide, orthonormal_basis),
}
HUNDREDS = {"SOONER_BOUNDED": (slack_conflicts,)}


def check_verdict(X, y, rng):
    """The verdict, and what is false about it."""
    intercept = bool(rng.random() < 0.75)
    found = certify(X, y, fit_intercept=intercept)
    if found.verdict == "undecided":
        return "undecided", []
    truth = judge.verdict_of(X, y, intercept)
    said = [] if found.verdict == truth else [f"certify says {found.verdict}, and it is {truth}"]
    return found.verdict, said + check_certificate(
        found, partial(judge.verdict_of, X, y), X, y, rng
    )


def check_certificate(found, truth_of, X, y, rng):
    """What both checkers do with a certificate, and with a forged one.

    `truth_of` tells the verdict with an intercept, or without.
    """
    said, told = [], found.to_json()
    if not all(accepted(check, told, X, y) for check in (verify, checker.verify)):
        said.append(f"a true certificate is refused: {told}")
    forged = forge(json.loads(told), rng)
    both = [accepted(check, forged, X, y) for check in (verify, checker.verify)]
    if both[0] != both[1]:
        said.append(f"verify says {both[0]} and the checker {both[1]} of {json.dumps(forged)}")
    if both[1] and forged["verdict"] != truth_of(forged["fit_intercept"]):
        said.append(f"a forged certificate is accepted: {json.dumps(forged)}")
    return said


def accepted(check, certificate, *table):
    try:
        return check(certificate, *table)
    except ValueError:
        return False


def forge(fields, rng):
    """A certificate with something changed."""
    places = [fields, *(fields[part] for part in PARTS if fields.get(part))]
    place = places[rng.integers(len(places))]
    kept = ("format", "kind", "sha256", "kernel")
    name = str(rng.choice([key for key in place if key not in kept]))
    value = place[name]
    if name == "verdict":
        place[name] = str(rng.choice(VERDICTS[:3]))
    elif isinstance(value, list) and value:
        replace_one(value, rng)
    elif isinstance(value, bool | int):
        place[name] = not value if isinstance(value, bool) else value + 1
    else:
        place[name] = str(Fraction(int(rng.integers(-9, 10)), int(rng.integers(1, 5))))
    return fields


def replace_one(values, rng):
    """Change an entry of a list, or of a list in it."""
    k = int(rng.integers(len(values)))
    if isinstance(values[k], dict):  # a conflict, of rows or of weights
        return replace_one(values[k][str(rng.choice(list(values[k])))], rng)
    if isinstance(values[k], list) and values[k]:
        return replace_one(values[k], rng)
    is_text = isinstance(values[k], str)
    values[k] = str(rng.integers(-9, 10)) if is_text else int(rng.integers(20))


# -- Kernels, and rows in blocks -------------------------------------------------------------------


def check_kernel(X, y, rng):
    """The verdict of certify(kernel=…), against monomials in fractions or equal rows."""
    name = str(rng.choice(["linear", "poly", "poly", "poly", "rbf", "laplacian"]))
    degree, coef0 = int(rng.integers(1, 4)), float(rng.choice([0.0, 1.0, 0.5]))
    intercept = bool(rng.random() < 0.5)
    how = {"kernel": name, "degree": degree, "coef0": coef0, "fit_intercept": intercept}
    found = certify(X, y, **how)
    if found.verdict == "undecided":
        return None

    def truth_of(intercept):
        if name in ("rbf", "laplacian"):
            return judge.verdict_of_equals(X, y)
        return judge.verdict(feature_vectors(X, y, name, degree, coef0, intercept))

    truth = truth_of(intercept)
    said = [] if found.verdict == truth else [f"certify({how}) says {found.verdict}: it is {truth}"]
    return said + check_certificate(found, truth_of, X, y, rng)


def feature_vectors(X, y, name, degree, coef0, intercept):
    """The vectors of a table in the monomials of a kernel, one of them constant if coef0 is."""
    rows, poly = judge.fractions_of(X, fit_intercept=False), name == "poly"
    constant = intercept or (poly and coef0 > 0)
    rows = judge.monomials(rows, degree, coef0 > 0) if poly else rows
    rows = [[*x, *[Fraction(1)] * constant] for x in rows]
    return judge.vectors(rows, y.tolist(), int(y.max()) + 1)


def check_blocks(X, y, rng):
    """The verdict on rows in blocks, and both checkers on its certificate."""
    X, y, parts = cut(X, y, rng)
    table = OneBuffer(parts) if rng.random() < 0.2 else in_some_forms(rng, parts)
    intercept = bool(rng.random() < 0.75)
    try:
        found = blocks.certify_blocks(table, fit_intercept=intercept)
    except ValueError as error:
        return None if is_expected(error) else [f"blocks are refused: {error}"]
    if found.verdict == "undecided":
        return None
    truth = judge.verdict_of(X, y, intercept)
    said = [] if found.verdict == truth else [f"blocks are {found.verdict}, and it is {truth}"]
    if not (blocks.verify_blocks(found, table) and accepted(checker.verify, found, X, y)):
        said.append(f"a true certificate of blocks is refused: {found.to_json()}")
    ragged = [*parts[:-1], (np.zeros((1, X.shape[1] + 1)), y[:1])]
    if accepted(blocks.verify_blocks, found, ragged):
        said.append("a certificate is accepted for blocks of several widths")
    return said


# -- Wide tables -----------------------------------------------------------------------------------


@contextmanager
def as_if_wide(limits=THOUSANDS):
    """Decide as in thousands of columns, without a frame and without exact arithmetic; or as in
    hundreds, where a bound on rounding errors is tried first."""
    with ExitStack() as patches:
        for name, modules in limits.items():
            for module in modules:
                patches.enter_context(patch.object(module, name, 0))
        yield


def check_wide(X, y, rng):
    """The verdict as if the table were wide, in memory or in blocks, which may be undecided."""
    X, y, parts = cut(X, y, rng)
    intercept = bool(rng.random() < 0.75)
    in_memory = rng.random() < 0.75
    how, table = (certify, (X, y)) if in_memory else (blocks.certify_blocks, (parts,))
    try:
        with as_if_wide(THOUSANDS if rng.random() < 0.5 else HUNDREDS):
            found = how(*table, fit_intercept=intercept)
    except ValueError as error:
        return None if is_expected(error) else [f"wide, {error!r}"]
    if found.verdict == "undecided":
        return None
    truth = judge.verdict_of(X, y, intercept)
    said = [] if found.verdict == truth else [f"wide, it is {found.verdict}, and it is {truth}"]
    return said + check_certificate(found, partial(judge.verdict_of, X, y), X, y, rng)
