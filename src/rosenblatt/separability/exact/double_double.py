"""Arrays of double-double numbers: each the sum of two floats, about 32 digits.

Dekker (1971), A floating-point technique for extending the available precision; Hida, Li and
Bailey (2001), Algorithms for quad-double precision floating point arithmetic. What is lost in the
rounding of a sum or a product is a float itself, and is kept. NumPy rounds every operation by
itself, on every processor; compiled loops may fuse or reorder them, which would lose it.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from rosenblatt.core.loop import Array

ROUNDING = 2.0**-102  # more than the relative error of a sum or a product, 2**-103
SPLITTER = 2.0**27 + 1  # halves a float into two of 26 bits


@dataclass(frozen=True, eq=False)
class Twofold:
    """Numbers hi + lo, where lo is less than the rounding of hi."""

    hi: Array
    lo: Array

    def __add__(self, other: "Twofold") -> "Twofold":
        high, low = two_sum(self.hi, other.hi), two_sum(self.lo, other.lo)
        carried = quick_sum(high.hi, high.lo + low.hi)
        return quick_sum(carried.hi, carried.lo + low.lo)

    def __neg__(self) -> "Twofold":
        return Twofold(-self.hi, -self.lo)

    def __sub__(self, other: "Twofold") -> "Twofold":
        return self + -other

    def __mul__(self, other: "Twofold") -> "Twofold":
        product = two_product(self.hi, other.hi)
        return quick_sum(product.hi, product.lo + (self.hi * other.lo + self.lo * other.hi))

    def __truediv__(self, other: "Twofold") -> "Twofold":
        first = self.hi / other.hi
        second = (self - other * twofold(first)).hi / other.hi
        left = self - other * two_sum(first, second)
        return two_sum(first, second) + twofold(left.hi / other.hi)

    def __getitem__(self, place: Any) -> "Twofold":
        return Twofold(self.hi[place], self.lo[place])

    def __float__(self) -> float:
        return float(self.hi)

    def total(self) -> "Twofold":
        """The sum over the last axis, in halves."""
        left = self
        while (n := left.hi.shape[-1]) > 1:
            half = n // 2
            folded = left[..., :half] + left[..., n - half :]
            left = folded if n == 2 * half else join([folded, left[..., half : half + 1]], -1)
        return left[..., 0]

    def length(self) -> "Twofold":
        """The length of the vectors along the last axis, scaled so that no square is lost."""
        power = np.clip(np.frexp(np.abs(self.hi).max(axis=-1))[1], -1000, 1000)
        near_one = np.ldexp(1.0, -power)[..., None]
        scaled = Twofold(self.hi * near_one, self.lo * near_one)
        square = (scaled * scaled).total()
        root = np.sqrt(square.hi)
        rest = square - two_product(root, root)
        found = two_sum(root, rest.hi / np.where(root > 0, 2 * root, 1.0))
        return Twofold(np.ldexp(found.hi, power), np.ldexp(found.lo, power))


def twofold(x: Any) -> Twofold:
    """Floats as they are."""
    x = np.asarray(x, float)
    return Twofold(x, np.zeros_like(x))


def two_sum(a: Array, b: Array) -> Twofold:
    """A sum and what was lost in rounding it (Knuth)."""
    s = a + b
    t = s - a
    return Twofold(s, (a - (s - t)) + (b - t))


def quick_sum(a: Array, b: Array) -> Twofold:
    """The same where a is the larger (Dekker)."""
    s = a + b
    return Twofold(s, b - (s - a))


def two_product(a: Array, b: Array) -> Twofold:
    """A product and what was lost in rounding it (Veltkamp and Dekker)."""
    p = a * b
    (a1, a2), (b1, b2) = split(a), split(b)
    return Twofold(p, ((a1 * b1 - p) + a1 * b2 + a2 * b1) + a2 * b2)


def split(a: Array) -> tuple[Array, Array]:
    """Two halves of the digits."""
    t = SPLITTER * a
    first = t - (t - a)
    return first, a - first


def join(parts: list[Twofold], axis: int = 0) -> Twofold:
    """Arrays, one after the other."""
    hi, lo = [part.hi for part in parts], [part.lo for part in parts]
    return Twofold(np.concatenate(hi, axis), np.concatenate(lo, axis))
