"""Verdicts and certificates on the same table in other forms, and of each class and pair."""

import json

import numpy as np

from adversary import judge
from adversary.configurations import is_expected
from adversary.forms import in_some_form, labels_in_some_form
from adversary.verdicts import accepted
from rosenblatt import Certificate, certify, certify_each, checker, verify

WRITTEN = (
    lambda c: c,
    lambda c: c.to_json(),
    lambda c: c.to_json(indent=1),
    lambda c: json.loads(c.to_json()),
    lambda c: Certificate.from_json(c.to_json()),
)


def check_inputs(X, y, rng):
    """What is false about a table in another form: the verdict, the hash, what verify says."""
    intercept = bool(rng.random() < 0.75)
    given, labels = in_some_form(rng, X), labels_in_some_form(rng, y)
    how = f"{type(given).__name__} {getattr(given, 'dtype', '')} {type(labels).__name__}"
    try:
        found = certify(given, labels, fit_intercept=intercept)
    except Exception as error:
        return [f"certify of {how} is refused: {error!r}"]
    if found.verdict == "undecided":
        return None
    truth, said = judge.verdict_of(X, y, intercept), []
    if found.verdict != truth:
        said.append(f"certify of {how} says {found.verdict}, and it is {truth}")
    if found.sha256 != certify(X, np.asarray(labels), fit_intercept=intercept).sha256:
        said.append(f"the hash of {how} is another")
    return said + [f"{told} of {how}" for told in false_checks(found, X, given, labels, rng)]


def false_checks(found, X, given, labels, rng):
    """What the checkers do with a certificate as it may be written, and rows in two forms."""
    written = WRITTEN[rng.integers(len(WRITTEN))](found)
    both = given, in_some_form(rng, X)
    refusing = [rows for rows in both if not accepted(verify, written, rows, labels)]
    said = [f"verify refuses its certificate for {type(rows).__name__}" for rows in refusing]
    if not accepted(checker.verify, written, X, in_line(labels)):
        said.append("the checker refuses its certificate")
    other = X.copy()
    other[rng.integers(len(X)), rng.integers(X.shape[1])] += 1.0
    if (other != X).any() and accepted(verify, written, in_some_form(rng, other), labels):
        said.append("a certificate is accepted for other rows")
    return said


def in_line(labels):
    """Labels as the checker reads them, those of a column one after another."""
    return np.ravel(labels) if np.ndim(labels) > 1 else labels


def check_each(X, y, rng):
    """The verdicts of certify_each on classes against the rest, and on pairs of classes."""
    scheme, intercept = str(rng.choice(["one-vs-rest", "one-vs-one"])), bool(rng.random() < 0.75)
    try:
        found = certify_each(in_some_form(rng, X), y, scheme, fit_intercept=intercept)
    except ValueError as error:
        return None if is_expected(error) else [f"certify_each is refused: {error!r}"]
    said = []
    for key, certificate in found.items():
        rest = scheme == "one-vs-rest"
        rows = np.arange(len(y)) if rest else np.flatnonzero(np.isin(y, key))
        side = (y[rows] == (key if rest else key[1])).astype(int)
        truth = judge.verdict_of(X[rows], side, intercept)
        if certificate.verdict not in (truth, "undecided"):
            said.append(f"{scheme} of {key} is {certificate.verdict}, and it is {truth}")
        named = (y == key) if rest else y[rows]
        if certificate.verdict != "undecided" and not accepted(verify, certificate, X[rows], named):
            said.append(f"the certificate of {scheme} of {key} is refused")
    return said
