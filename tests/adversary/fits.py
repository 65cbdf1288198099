"""Fits of random configurations, and all that a fitted model says of the rows it learned from."""

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from adversary import judge
from adversary.configurations import (
    BLOCKWISE,
    cut,
    in_some_forms,
    is_expected,
    linear,
    stored,
    weights,
)
from rosenblatt import Perceptron, fit_blocks

CLOSE = Fraction(1, 10**12)  # of what is told in doubles: their last digits


class Learned(NamedTuple):
    """A model, the rows that its last call learned from, and those that all calls did."""

    model: Any
    X: Any  # of the last call, as judged: rows of positive weight
    y: Any
    positions: Any  # of these rows in the table
    all_X: Any
    all_y: Any


def check_fit(X, y, rng):
    """What is false about a model that some way has led to."""
    p = linear(rng)
    way = WAYS[rng.integers(len(WAYS))]
    if way is in_blocks:
        p |= BLOCKWISE | {"keep": str(rng.choice(["pocket", "average", "last"]))}
    return outcome_of(way, Perceptron(**p), X, y, rng, f"{way.__name__} {p}", false_of)


def outcome_of(way, model, X, y, rng, how, judged):
    """What is false about the model at the end of a way; a refusal must be one that is known."""
    try:
        with np.errstate(all="ignore"):
            learned = way(model, X, y, rng)
    except Exception as error:
        return None if is_expected(error) else [f"{how} is refused: {error!r}"]
    return [f"{told}: {how}" for told in judged(learned)]


# -- Ways to a model -------------------------------------------------------------------------------


def at_once(model, X, y, rng):
    given = weights(rng, len(y))
    model.fit(stored(rng, X), y, sample_weight=given)
    return about(model, X, y, given)


def from_a_start(model, X, y, rng):
    k = int(y.max()) + 1
    W = rng.normal(size=(1 if k == 2 else k, X.shape[1] + 1)) * 10.0 ** rng.integers(-3, 18)
    model.fit(X, y, coef_init=W[:, :-1], intercept_init=W[:, -1])
    return about(model, X, y)


def warmly(model, X, y, rng):
    model.set_params(warm_start=True).fit(X, rng.permutation(y))
    model.fit(X, y)
    return about(model, X, y)


def in_blocks(model, X, y, rng):
    X, y, blocks = cut(X, y, rng)
    fit_blocks(model, in_some_forms(rng, blocks))
    return about(model, X, y)


def online(model, X, y, rng):
    k = int(rng.integers(1, len(y) + 1))
    model.partial_fit(X[:k], y[:k], classes=np.unique(y))
    return more(about(model, X[:k], y[:k]), X, y, k, rng)


def online_after_all(model, X, y, rng):
    model.fit(X, y)
    return more(about(model, X, y), X, y, 0, rng)


def more(before, X, y, k, rng):
    given = weights(rng, len(y) - k)
    if k == len(y):
        return before
    before.model.partial_fit(X[k:], y[k:], sample_weight=given)
    now = about(before.model, X[k:], y[k:], given)
    both = np.vstack((before.all_X, now.X)), np.append(before.all_y, now.y)
    return now._replace(all_X=both[0], all_y=both[1])


def about(model, X, y, given=None):
    """A model that has learned from rows, those of weight zero left out."""
    train = np.arange(len(y)) if given is None else np.flatnonzero(given > 0)
    X, y = X[train], np.searchsorted(model.classes_, y[train])
    return Learned(model, X, y, train, X, y)


WAYS = (at_once, at_once, at_once, from_a_start, warmly, in_blocks, online, online_after_all)

# -- What a model says -----------------------------------------------------------------------------


class Claim(NamedTuple):
    """What a model says of one run: all classes, or one against the rest."""

    reason: str
    bounds: Any
    mistakes: Any
    conflict: Any
    W: Any
    last: Any
    y: Any
    all_y: Any
    classes: int


def claims(learned):
    """The claims of a model, run by run."""
    m, k = learned.model, len(learned.model.classes_)
    W = np.column_stack((m.coef_, m.intercept_)).astype(float)
    last = [o.W if o.W.size else None for o in m._online]
    told = m.stop_reason_, m.margin_bounds_, m.mistake_bounds_, m.conflict_
    if k == 2 or m.multi_class == "direct":
        yield Claim(*told, W, last[0], learned.y, learned.all_y, k)
    else:
        for c, each in enumerate(zip(*told, strict=True)):
            ys = learned.y == c, learned.all_y == c
            yield Claim(*each, W[c : c + 1], last[c], *(v.astype(int) for v in ys), 2)


def false_of(learned):
    """All that a linear model says, and is not so."""
    m = learned.model
    rows = judge.fractions_of(learned.X)
    runs, said = list(claims(learned)), []
    right = all(is_right(m, rows, c, c.W) for c in runs)
    if m.keep != "vote" and m.converged_ != right:
        said.append(f"converged_ is {m.converged_}, and it is not so")
    if m.converged_ and (m.predict(learned.X) != m.classes_[learned.y]).any():
        said.append("converged_ is True, and predict errs")
    for c in runs:
        said += false_of_run(learned, rows, c)
    return said


def is_right(m, rows, c, W):
    strict = m.rule != "rosenblatt" or m.boundary == "mistake" or c.classes > 2
    return judge.is_right(rows, c.y.tolist(), W, 0 if strict else m.boundary)


def false_of_run(learned, rows, c):
    """What is said of one run, and is not so."""
    m, said = learned.model, []
    table = judge.judged(learned.X, c.y, m.fit_intercept, c.classes)
    last = c.W if c.last is None and m.keep not in ("average", "vote") else c.last
    if c.reason == "separated" and last is not None and not is_right(m, rows, c, last):
        said.append("stop_reason_ is 'separated', and it is not so")
    if c.reason == "inseparable" and table.verdict == "separable":
        said.append("stop_reason_ is 'inseparable', and it is not so")
    if c.reason == "inseparable" and m.keep != "vote" and is_right(m, rows, c, c.W):
        said.append("stop_reason_ is 'inseparable', and the hypothesis separates")
    if c.conflict is not None and not cancels(c, table.vectors, learned.positions):
        said.append(f"conflict_ does not add up to zero: {c.conflict}")
    everyone = judge.judged(learned.all_X, c.all_y, m.fit_intercept, c.classes)
    said += false_bounds(learned, c.bounds, everyone)
    if c.mistakes[0] > (table.verdict != "separable") or c.mistakes[0] > c.mistakes[1]:
        said.append(f"mistake_bounds_ are {c.mistakes}")
    return said


def cancels(c, Z, positions):
    """Whether the rows of a conflict add up to zero, in fractions."""
    place = {int(i): k for k, i in enumerate(positions)}
    rows, found = [place[int(i)] for i in c.conflict[0]], [Fraction(v) for v in c.conflict[1]]
    if c.classes == 2:
        return judge.cancels([Z[i] for i in rows], found)
    pairs = zip(rows, c.conflict[2].tolist(), strict=True)
    at = [i * (c.classes - 1) + r - (r > c.y[i]) for i, r in pairs]
    return judge.cancels([Z[k] for k in at], found)


def false_bounds(learned, bounds, table, off=0):
    """What margin bounds exclude, though it is the margin of the vectors of a table.

    They are relative to the longest row, of the last call at least.
    """
    if bounds is None:
        return []
    radius, lengths = Fraction(learned.model.radius_) ** 2, table.squared_lengths
    each = len(lengths) // len(learned.all_y)
    longest = max(lengths), max(lengths[-each * len(learned.y) :])
    if not any(abs(radius - v) <= CLOSE * v for v in longest):
        return [f"radius_ is √{float(radius)!r}, and it is √{float(longest[0])!r}"]
    share = table.squared_margin / radius if radius else Fraction(0)
    lower, upper = (Fraction(v) for v in bounds)
    below = max(lower * (1 - CLOSE) - off, 0) ** 2 <= share
    above = (upper * (1 + CLOSE) + off) ** 2 >= share
    return [] if below and above else [f"margin_bounds_ are {bounds}, and it is √{float(share)!r}"]
