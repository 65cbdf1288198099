"""Elimination modulo a prime, compiled."""

from rosenblatt.core.jit import compiled

PRIME = 2**31 - 1


@compiled
def eliminate(M, rows, pivots, places):
    """Take in rows that are independent of those before; how many there are."""
    k = 0
    for i in range(len(M)):
        if k == len(pivots):
            break
        reduce_row(M[i], rows, pivots, k)
        j = first_nonzero(M[i])
        if j < M.shape[1]:
            inverse = power(M[i, j], PRIME - 2)
            for q in range(M.shape[1]):
                rows[k, q] = M[i, q] * inverse % PRIME
            pivots[k], places[k] = j, i
            k += 1
    return k


@compiled
def reduce_row(r, rows, pivots, k):
    """Take away from r its combination of the first k rows of an echelon.

    As 2**31 is 1 modulo the prime, higher digits are added to the lower ones. That leaves less than
    2**33, to which the next product, below 2**62, can be added.
    """
    for q in range(k):
        factor = PRIME - r[pivots[q]] % PRIME
        if factor < PRIME:
            for j in range(len(r)):
                x = r[j] + rows[q, j] * factor
                r[j] = (x & PRIME) + (x >> 31)
    for j in range(len(r)):
        r[j] %= PRIME


@compiled
def first_nonzero(r):
    """The place of the first number that is not zero; if there is none, the length."""
    for j in range(len(r)):
        if r[j]:
            return j
    return len(r)


@compiled
def power(x, n):
    """x**n modulo the prime."""
    result = 1
    while n:
        if n & 1:
            result = result * x % PRIME
        x, n = x * x % PRIME, n >> 1
    return result
