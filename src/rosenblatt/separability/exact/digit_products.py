"""Signs of sums of products, exactly, by floating point: numbers of any length in short digits.

Whole numbers are sums of digits times powers of 2**16. A sum of products of two digits is a whole
number below 2**53, so that floating point has it exactly, in whatever order it was summed. Carries
from the lowest digit to the highest then leave the sign.
"""

from collections.abc import Sequence

import numpy as np

from rosenblatt.core.loop import Array
from rosenblatt.separability.exact.rational import INTEGER_BITS, binary_digits, whole_rows

DIGIT = 16  # bits of a digit
MOST_NUMBERS = 2**20  # of a row, so that its sum of products of digits stays below 2**53


def signs(Z: Array, w: Sequence[int]) -> Array:
    """The sign of each row's product with whole numbers w."""
    Z = np.asarray(Z, float)
    lowest, highest = binary_digits(Z)
    if (highest - lowest > INTEGER_BITS).any() or Z.shape[1] > MOST_NUMBERS:
        return np.array([(s > 0) - (s < 0) for s in exact_sums(Z, w)], np.int64)
    parts = digits_of_rows(np.ldexp(Z, -lowest[:, None]))
    W = digits_of_weights(w)
    sums = np.zeros((len(Z), W.shape[1] + len(parts)), np.int64)
    for k, part in enumerate(parts):
        sums[:, k : k + W.shape[1]] += (part @ W).astype(np.int64)
    return sign_of_sums(sums)


def exact_sums(Z: Array, w: Sequence[int]) -> list[int]:
    """Each row's product with w, times a positive factor, for rows of numbers of any size."""
    return [sum(a * b for a, b in zip(row, w, strict=True)) for row in whole_rows(Z)[0]]


def digits_of_rows(Z: Array) -> list[Array]:
    """Rows of whole numbers as rows of digits, with their signs, the lowest first."""
    N, parts = np.abs(Z).astype(np.int64), list[Array]()
    while N.any() or not parts:
        parts.append(np.copysign(N & (2**DIGIT - 1), Z))
        N >>= DIGIT
    return parts


def digits_of_weights(w: Sequence[int]) -> Array:
    """The digits of whole numbers, with their signs, the lowest first."""
    length = 2 * (max(map(abs, w)).bit_length() // DIGIT + 1)
    digits = b"".join(abs(x).to_bytes(length, "little") for x in w)
    negative = np.array([x < 0 for x in w])
    D = np.frombuffer(digits, "<u2").reshape(len(w), -1).astype(float)
    return np.where(negative[:, None], -D, D)


def sign_of_sums(sums: Array) -> Array:
    """The signs of numbers whose digits may be of any size and sign."""
    carry, rest = np.zeros(len(sums), np.int64), np.zeros(len(sums), bool)
    for column in sums.T:
        total = column + carry
        carry, rest = total >> DIGIT, rest | (total & (2**DIGIT - 1) != 0)
    return np.where(carry == 0, rest, np.sign(carry))
