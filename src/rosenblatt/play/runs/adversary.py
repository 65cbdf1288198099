"""An adversary: an order of the points that makes the perceptron err often.

Whoever chooses which misclassified point comes next chooses how many mistakes there will be, up to
(R/γ)². This one is greedy: of the points that are wrong now, it presents the one after which w is
at the largest angle from w*, the widest separator. Not every order is tried, so that there may be
longer ones.
"""

from typing import NamedTuple

import numpy as np

from rosenblatt.core.loop import Array
from rosenblatt.play.json_fields import Refused
from rosenblatt.play.requests import TRACE
from rosenblatt.play.runs.points import LabelledPoints
from rosenblatt.separability.max_margin import augmented_margin


class Game(NamedTuple):
    """What the adversary knows: rows z = y x̂, and the widest separator of length 1."""

    Z: Array
    best: Array


def game_of(cloud: LabelledPoints, fit_intercept: bool) -> Game:
    """The game on some points, which must be separable: on others it need not end."""
    try:
        found = augmented_margin(cloud.X, cloud.labels, fit_intercept)
    except ValueError:
        raise Refused("an adversary needs points that are separable", code="adversary") from None
    constant = np.full(len(cloud.X), float(fit_intercept))
    best = np.append(found.w, found.b)
    Z = np.column_stack((cloud.X, constant)) * cloud.signs[:, None]
    return Game(Z, best / np.linalg.norm(best))


def presented_rows(game: Game, w: Array, eta: float) -> Array:
    """The rows in the order in which they are presented: each is wrong when it comes."""
    rows: list[int] = []
    while len(rows) < TRACE and len(wrong := np.flatnonzero(game.Z @ w <= 0)):
        rows.append(int(wrong[np.argmin(cosines(game, w + eta * game.Z[wrong]))]))
        w = w + eta * game.Z[rows[-1]]
    return np.array(rows, int)


def cosines(game: Game, hypotheses: Array) -> Array:
    """Of the angle between each hypothesis and the best one."""
    lengths = np.linalg.norm(hypotheses, axis=1)
    return hypotheses @ game.best / np.where(lengths > 0, lengths, 1.0)
