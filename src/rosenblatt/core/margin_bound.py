"""An upper bound on the margin that any hypothesis has."""

import math
from dataclasses import dataclass

from rosenblatt.core.loop import Array, Storage
from rosenblatt.core.vectors import length2

# Let γ* be the largest margin any hypothesis of length 1 has on the rows z = y x̂. Any convex
# combination of the z is at least γ* long (its product with the best hypothesis is), and
# the distance moved over the sum of the steps is such a combination:
#
#     γ* <= |ŵ - ŵ₀| / Σ|c|
#
# With constant steps, one row at a time, from zero, Novikoff's |ŵ|² <= k η² R² makes this R/√k.


@dataclass
class Bracket:
    """An upper bound on the best margin. It only ever falls."""

    start: Array
    radius: float
    bound: float = math.inf
    travelled: float = 0.0

    def close(self, storage: Storage, W: Array, constant_steps: float) -> None:
        """Take in where the hypothesis is now."""
        if self.travelled > 0:
            way = W - self.start if self.start.any() else W
            self.bound = min(self.bound, math.sqrt(length2(storage, way)) / self.travelled)
        if constant_steps:
            self.bound = min(self.bound, self.radius / math.sqrt(constant_steps))

    @property
    def upper(self) -> float:
        """The bound, relative to the radius."""
        return min(1.0, self.bound / self.radius) if self.radius else 0.0
