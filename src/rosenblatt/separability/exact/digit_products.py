"""Sums of products, exactly, by floating point: numbers of any length in short digits.

Whole numbers are sums of digits times powers of 2**16. A sum of products of two digits is a whole
number below 2**53, so that floating point has it exactly, in whatever order it was summed. Carries
from the lowest digit to the highest then leave the sign, and digits that are all positive, of which
a float takes the highest.
"""

from collections.abc import Sequence

import numpy as np

from rosenblatt.core.loop import Array
from rosenblatt.separability.exact.rational import binary_digits, whole_rows

DIGIT = 16  # bits of a digit
MOST_NUMBERS = 2**20  # of a row, so that its sum of products of digits stays below 2**53
DIGITS_AT_ONCE = 2**22  # of products of rows
LONGEST_ROW = 256  # bits from its highest digit to its lowest; longer ones are left to integers


def signs(Z: Array, w: Sequence[int]) -> Array:
    """The sign of each row's product with whole numbers w."""
    W = digits_of_weights([w])
    size = max(1, DIGITS_AT_ONCE // W[0].size)
    parts = [signs_of_part(Z[k : k + size], w, W) for k in range(0, len(Z), size)]
    return np.concatenate(parts) if parts else np.empty(0, np.int64)


def signs_of_part(Z: Array, w: Sequence[int], W: Array) -> Array:
    """The signs of few enough rows, with weights and their digits."""
    found = sums_of_digits(np.asarray(Z, float), W)
    if found is None:
        return np.array([(s > 0) - (s < 0) for s in exact_sums(Z, w)], np.int64)
    return sign_of_sums(found[0][:, 0])


def rounded_products(Z: Array, V: Sequence[Sequence[int]]) -> Array | None:
    """Each row's products with each of V, all whole numbers: off by less than four roundings. None
    if rows are too long."""
    result, W = np.empty((len(Z), len(V))), digits_of_weights(V)
    size = max(1, DIGITS_AT_ONCE // W[0].size)
    for k in range(0, len(Z), size):
        found = sums_of_digits(np.asarray(Z[k : k + size], float), W)
        if found is None:
            return None
        result[k : k + size] = nearest_floats(*found)
    return result


def nearest_floats(sums: Array, lowest: Array) -> Array:
    """Numbers in digits of any size and sign, the lowest of which is that of a power of two."""
    sign = sign_of_sums(sums)
    carry, digits = np.zeros_like(sign), list[Array]()
    for column in np.moveaxis(sums * sign[..., None], -1, 0):
        total = column + carry
        digits.append(total & (2**DIGIT - 1))
        carry = total >> DIGIT
    values = carry.astype(float)
    for digit in reversed(digits):
        values = values * 2.0**DIGIT + digit
    return np.ldexp(values * sign, lowest[:, None])


def exact_sums(Z: Array, w: Sequence[int]) -> list[int]:
    """Each row's product with w, times a positive factor, for rows of numbers of any size."""
    return [sum(a * b for a, b in zip(row, w, strict=True)) for row in whole_rows(Z)[0]]


def sums_of_digits(Z: Array, W: Array) -> tuple[Array, Array] | None:
    """Each row's products with weights in digits, themselves in digits of any size and sign, and
    the power of two of the lowest; None if rows are too long."""
    lowest, highest = binary_digits(Z)
    length = int((highest - lowest).max(initial=0))
    if length > LONGEST_ROW or Z.shape[1] > MOST_NUMBERS:
        return None
    n = length // DIGIT + 1
    sums = np.zeros((len(Z), W.shape[1], W.shape[2] + n), np.int64)
    rest = np.ldexp(Z, -lowest[:, None])
    for k in reversed(range(n)):
        part = np.trunc(np.ldexp(rest, -DIGIT * k))
        rest -= np.ldexp(part, DIGIT * k)
        products = part @ W.reshape(Z.shape[1], -1)
        sums[:, :, k : k + W.shape[2]] += products.reshape(len(Z), *W.shape[1:]).astype(np.int64)
    return sums, lowest


def digits_of_weights(V: Sequence[Sequence[int]]) -> Array:
    """The digits of whole numbers, with their signs, the lowest first, along the last axis."""
    length = 2 * (max(abs(x) for w in V for x in w).bit_length() // DIGIT + 1)
    digits = b"".join(abs(x).to_bytes(length, "little") for w in zip(*V, strict=True) for x in w)
    negative = np.array(V, object).T < 0
    D = np.frombuffer(digits, "<u2").reshape(*negative.shape, -1).astype(float)
    return np.where(negative[..., None], -D, D)


def sign_of_sums(sums: Array) -> Array:
    """The signs of numbers whose digits, along the last axis, may be of any size and sign."""
    carry, rest = np.zeros(sums.shape[:-1], np.int64), np.zeros(sums.shape[:-1], bool)
    for column in np.moveaxis(sums, -1, 0):
        total = column + carry
        carry, rest = total >> DIGIT, rest | (total & (2**DIGIT - 1) != 0)
    return np.where(carry == 0, rest, np.sign(carry))
