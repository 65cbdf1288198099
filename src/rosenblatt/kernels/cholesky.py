"""Cholesky's factor of a kernel matrix, summed in one order, whatever else is running.

Libraries of linear algebra sum in another order in several threads, and in the kernel matrix of
close rows the last digit of a sum decides the second digit of the solution.
"""

import numpy as np

from rosenblatt.core.jit import compiled


@compiled
def factor(A):
    """The lower factor of A, in its place; whether A is positive definite."""
    n = len(A)
    for k in range(n):
        if not A[k, k] > 0:
            return False
        A[k:, k] /= np.sqrt(A[k, k])
        column = A[k:, k].copy()
        for i in range(k + 1, n):
            c = column[i - k]
            for j in range(k + 1, i + 1):
                A[i, j] -= c * column[j - k]
    return True


@compiled
def substitute(L, B):
    """The solution X of L L' X = B, in the place of B."""
    n, m = B.shape
    for i in range(n):
        for j in range(i):
            for s in range(m):
                B[i, s] -= L[i, j] * B[j, s]
        B[i] /= L[i, i]
    for i in range(n - 1, -1, -1):
        B[i] /= L[i, i]
        for j in range(i):
            for s in range(m):
                B[j, s] -= L[i, j] * B[i, s]
