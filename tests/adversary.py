"""The adversary: hard tables, random configurations and forged certificates, for a given time.

    python tests/adversary.py 10m [seed]

prints its seed, then whatever is false, with as few rows as show it, and at the end the verdicts by
family. The judge is exact and knows nothing of the library: linear programs in fractions, and
scores in fractions. Table k of a family is drawn from (seed, family, k), so it can be drawn again.
"""

import json
import sys
import time
import warnings
from collections import Counter
from fractions import Fraction

import families
import naive
import numpy as np
from families import labels, shape, sides

from rosenblatt import Perceptron, certify, checker, fit_blocks, verify

VERDICTS = ("separable", "touching", "overlapping", "undecided", "false")
REFUSED = "overflow|too short|too long|too large|not finite|beyond"  # of numbers that fits refuse

# -- Families beside those of families.py ----------------------------------------------------------


def lattice(rng):
    X = rng.integers(0, 2, shape(rng, 14, 4)).astype(float)
    return X, sides(rng, X)


def touching(rng):
    """A row of both classes on a hyperplane, all others on their sides of it, or on it too."""
    X = rng.integers(-3, 4, shape(rng, 10, 3)).astype(float)
    w = rng.integers(-2, 3, X.shape[1])
    y = np.where(X @ w > 0, 1, np.where(X @ w < 0, -1, rng.choice([-1, 1], len(X))))
    on_it = np.zeros((2, X.shape[1]))
    return np.vstack((X, on_it)) + rng.integers(-3, 4, X.shape[1]), np.append(y, [-1, 1])


def bad_margin(rng):
    """A decision list with alternating answers: weights must double from column to column."""
    d = int(rng.integers(2, 9))
    X = np.vstack((np.eye(d), rng.integers(0, 2, (int(rng.integers(2, 12)), d))))
    y = np.where((X.argmax(axis=1) + (X.max(axis=1) == 0)) % 2, 1, -1)
    return X, y


def klee_minty(rng):
    """Corners of a cube whose sides are as different as those of Klee and Minty (1972)."""
    d = int(rng.integers(2, 6))
    X = rng.integers(0, 2, (int(rng.integers(4, 12)), d)) * 100.0 ** np.arange(d)
    return X + np.tril(rng.integers(0, 3, (d, d)), -1).sum(axis=1), labels(rng, len(X))


FAMILIES = [*families.FAMILIES, lattice, touching, bad_margin, klee_minty]

# -- What may be false -----------------------------------------------------------------------------


def check_verdict(X, y, rng):
    """The verdict, and what is false about it."""
    intercept = bool(rng.random() < 0.75)
    found = certify(X, y, fit_intercept=intercept)
    if found.verdict == "undecided":
        return "undecided", []
    said = []
    truth = naive.quick_verdict(X, y, intercept)
    if found.verdict != truth:
        said.append(f"certify says {found.verdict}, and it is {truth}")
    if not all(accepted(check, found, X, y) for check in (verify, checker.verify)):
        said.append(f"a true certificate is refused: {found.to_json()}")
    forged = forge(json.loads(found.to_json()), rng)
    both = [accepted(check, forged, X, y) for check in (verify, checker.verify)]
    if both[0] != both[1]:
        said.append(f"verify says {both[0]} and the checker {both[1]} of {json.dumps(forged)}")
    if both[1] and forged["verdict"] != truth:
        said.append(f"a forged certificate is accepted: {json.dumps(forged)}")
    return found.verdict, said


def accepted(check, certificate, X, y):
    try:
        return check(certificate, X, y)
    except ValueError:
        return False


def forge(fields, rng):
    """A certificate with something changed."""
    places = [fields, *(fields[part] for part in ("separator", "conflict") if part in fields)]
    place = places[rng.integers(len(places))]
    name = str(rng.choice([key for key in place if key not in ("format", "sha256")]))
    value = place[name]
    if name == "verdict":
        place[name] = str(rng.choice(VERDICTS[:3]))
    elif isinstance(value, list) and value:
        k = int(rng.integers(len(value)))
        value[k] = str(rng.integers(-9, 10)) if isinstance(value[k], str) else int(rng.integers(20))
    elif isinstance(value, bool | int):
        place[name] = not value if isinstance(value, bool) else value + 1
    else:
        place[name] = str(Fraction(int(rng.integers(-9, 10)), int(rng.integers(1, 5))))
    return fields


def check_fit(X, y, rng):
    """What is false about a fit of a random configuration."""
    p, blockwise = configuration(rng), rng.random() < 0.3
    if blockwise:
        p |= {"order": "sweep", "batch_size": 1, "keep": "pocket", "form": "auto"}
    model = Perceptron(**p)
    try:
        if blockwise:
            k = int(rng.integers(len(y) + 1))
            fit_blocks(model, [(X[:k], y[:k]), (X[k:], y[k:])])
        else:
            model.fit(X, y)
    except ValueError as error:
        known = any(word in str(error) for word in REFUSED.split("|"))
        return [] if known else [f"{p} is refused: {error}"]
    return false_of(model, X, y, p)


def configuration(rng):
    """Parameters of a perceptron."""
    choices = {
        "rule": ["rosenblatt", "rosenblatt", "margin", "pa", "pa1", "pa2", "relaxation"],
        "order": ["sweep", "random", "worst", "active"],
        "keep": ["pocket", "best", "last", "average"],
        "settle": ["auto", "first", "after", "never"],
        "form": ["auto", "primal", "dual"],
        "boundary": ["mistake", "mistake", 1, -1],
        "eta0": [1.0, 0.1, 0.3, 1.5],
        "batch_size": [1, 1, 2, "all"],
        "min_margin": [1e-3, 0.0],
        "fit_intercept": [True, True, False],
        "shuffle": [True, False],
        "max_iter": [1, 5, 50],
    }
    return {name: values[rng.integers(len(values))] for name, values in choices.items()}


def false_of(model, X, y, p):
    """What a model says of two classes, and is not so."""
    strict = p["rule"] != "rosenblatt" or p["boundary"] == "mistake"
    boundary = 0 if strict else p["boundary"]
    W, known = np.append(model.coef_, model.intercept_), model._online[0].W[0]
    last = known if len(known) else W  # held apart by averages and votes only
    said = []
    if model.converged_ != is_right(X, y, W, boundary):
        said.append(f"converged_ is {model.converged_}, and it is not so: {p}")
    if model.stop_reason_ == "separated" and not is_right(X, y, last, boundary):
        said.append(f"stop_reason_ is 'separated', and it is not so: {p}")
    inseparable = model.stop_reason_ == "inseparable"
    if inseparable and naive.quick_verdict(X, y, p["fit_intercept"]) == "separable":
        said.append(f"stop_reason_ is 'inseparable', and it is not so: {p}")
    return said


def is_right(X, y, w, boundary):
    """Whether a hypothesis has every row on its side, in fractions."""
    w = [Fraction(v) for v in w.tolist()]
    rows = ([Fraction(v) for v in [*x, 1.0]] for x in np.asarray(X, float).tolist())
    margins = [int(s) * sum(map(Fraction.__mul__, x, w)) for x, s in zip(rows, y, strict=True)]
    return all(m > 0 or (m == 0 and s == boundary) for m, s in zip(margins, y, strict=True))


# -- For as long as it is told ---------------------------------------------------------------------


def look(X, y, seed):
    """The verdict on a table, and all that is false about it."""
    verdict, said = check_verdict(X, y, np.random.default_rng(seed))
    return verdict, said + check_fit(X, y, np.random.default_rng(seed))


def shrunk(X, y, seed):
    """A table with as few rows as show that something is false, left out one after another."""
    for i in range(len(y) - 1, -1, -1):
        rest = np.delete(np.arange(len(y)), i)
        if len(set(y[rest].tolist())) == 2 and look(X[rest], y[rest], seed)[1]:
            return shrunk(X[rest], y[rest], seed)
    return X, y


def attack(seconds, seed):
    """Go through the families until time is up; the verdicts by family."""
    counts, end, k = {family.__name__: Counter() for family in FAMILIES}, time.time() + seconds, 0
    while time.time() < end:
        for number, family in enumerate(FAMILIES):
            drawn = seed, number, k
            X, y = family(np.random.default_rng(drawn))
            verdict, said = look(X, y, drawn)
            if said:
                X, y = shrunk(X, y, drawn)
                print(family.__name__, drawn, *said, X.tolist(), y.tolist(), sep="\n  ", flush=True)
            counts[family.__name__]["false" if said else verdict] += 1
        k += 1
    return counts


def seconds_of(text):
    """A time such as 90s, 10m or 1h, in seconds."""
    units = {"s": 1, "m": 60, "h": 3600}
    return float(text[:-1]) * units[text[-1]] if text[-1] in units else float(text)


def main(duration="1m", seed=None):
    seed = int(seed) if seed is not None else int(time.time())
    print(f"seed {seed}", flush=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        counts = attack(seconds_of(duration), seed)
    print("family", *VERDICTS, sep=" | ")
    for name, found in counts.items():
        print(name, *(found[verdict] for verdict in VERDICTS), sep=" | ")
    total = sum(counts.values(), Counter())
    print("all", *(total[verdict] for verdict in VERDICTS), sep=" | ")
    return int(total["false"] > 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
