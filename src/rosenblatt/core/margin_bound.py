"""An upper bound on the margin that any hypothesis has."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rosenblatt.core.loop import Array, Primal, Storage
from rosenblatt.core.vectors import UNIT_ROUNDOFF, length2

# Let γ* be the largest margin any hypothesis of length 1 has on the rows z = y x̂. Any convex
# combination of the z is at least γ* long (its product with the best hypothesis is), and
# the distance moved over the sum of the steps is such a combination:
#
#     γ* <= |ŵ - ŵ₀| / Σ|c|
#
# With constant steps, one row at a time, from zero, Novikoff's |ŵ|² <= k η² R² makes this R/√k.
#
# Each of k moves rounds a hypothesis, by at most 2u of its length, and so does its measurement for
# each of d weights. No hypothesis is longer than |ŵ₀| + R Σ|c|, so that the distance is off by
#
#     ε = 4u (k + d) (|ŵ₀| + R Σ|c|),
#
# which is added to it: the more of it cancels, the wider the bound. The dual form measures its
# square, which is off by ε R Σ|c|. If little is left of that, the rows themselves are added up.

LITTLE = 1e-2  # of R Σ|c|

AddUp = Callable[[Array], Array]  # the sum of steps times rows


def longest_move(length2: float, hypotheses: int) -> float:
    """R, given the squared length of the longest row: of several hypotheses, two move by a row.

    Half of the square does not overflow, where twice does.
    """
    return math.sqrt(length2) if hypotheses == 1 else 2 * math.sqrt(length2 / 2)


@dataclass
class Bracket:
    """An upper bound on the best margin. It only ever falls."""

    start: Array
    radius: float
    bound: float = math.inf
    travelled: float = 0.0
    roundings: int = 0  # moves, and whatever else was rounded as often
    add_up: AddUp | None = None  # of a dual form whose rows are known

    def close(self, storage: Storage, W: Array, constant_steps: float) -> None:
        """Take in where the hypothesis is now."""
        if self.travelled > 0:
            self.bound = min(self.bound, self.distance(storage, W) / self.travelled)
        if constant_steps:
            error = self.error(storage, W.size) / (self.travelled or 1.0)
            self.bound = min(self.bound, self.radius / math.sqrt(constant_steps) + error)

    def distance(self, storage: Storage, W: Array) -> float:
        """How far the hypothesis may be from its start."""
        way = W - self.start if np.count_nonzero(self.start) else W
        distance, far = math.sqrt(length2(storage, way)), self.radius * self.travelled
        error = self.error(storage, int(np.count_nonzero(way)))
        if isinstance(storage, Primal) or self.add_up is None:
            return distance + error
        if distance < LITTLE * far:
            return float(np.linalg.norm(self.add_up(way))) + error
        return distance + error * far / (2 * distance)

    def error(self, storage: Storage, weights: int) -> float:
        """How far off a hypothesis of so many weights may be."""
        longest = self.radius * self.travelled + self.start_length(storage)
        return 4 * UNIT_ROUNDOFF * (self.roundings + weights) * longest

    def start_length(self, storage: Storage) -> float:
        """The length of the start; in the dual form, of what can be seen of it in the scores."""
        if not np.count_nonzero(self.start):
            return 0.0
        if isinstance(storage, Primal):
            return math.sqrt(length2(storage, self.start))
        return float(np.abs(self.start).max()) / self.radius

    @property
    def upper(self) -> float:
        """The bound, relative to the radius."""
        return min(1.0, self.bound / self.radius) if self.radius else 0.0
