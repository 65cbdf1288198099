"""Which digits of MNIST can a hyperplane tell apart? Every pair, and each against the rest.

python benchmarks/mnist.py FOLDER

FOLDER holds train-images-idx3-ubyte and train-labels-idx1-ubyte, packed by gzip or not: those of
MNIST, or of Fashion-MNIST. Every verdict is proved, and its certificate checked against the rows.
"""

import gzip
import sys
import time
from itertools import combinations
from pathlib import Path

import numpy as np

from rosenblatt import certify, verify


def read_idx(folder, name):
    """An array of the format of MNIST."""
    path = next(Path(folder).glob(f"{name}-ubyte*"))
    data = (gzip.open if path.suffix == ".gz" else open)(path, "rb").read()
    shape = np.frombuffer(data, ">i4", data[3], 4)
    return np.frombuffer(data, np.uint8, offset=4 + 4 * len(shape)).reshape(shape)


def tables(X, y):
    """Names, rows and labels."""
    for a, b in combinations(range(10), 2):
        two = (y == a) | (y == b)
        yield f"{a}, {b}", X[two], y[two]
    for a in range(10):
        yield f"{a}, rest", X, y == a


def main():
    images = read_idx(sys.argv[1], "train-images-idx3")
    X = images.reshape(len(images), -1).astype(float)
    y = read_idx(sys.argv[1], "train-labels-idx1")
    print("| classes | rows | verdict | rows in conflict | decided in | checked in |")
    print("|---|---|---|---|---|---|")
    for name, rows, labels in tables(X, y):
        start = time.perf_counter()
        found = certify(rows, labels)
        decided = time.perf_counter()
        assert found.verdict == "undecided" or verify(found, rows, labels)
        checked = time.perf_counter()
        conflict = len(found.conflict.rows) if found.conflict else ""
        times = f"{decided - start:.1f} s | {checked - decided:.1f} s"
        print(f"| {name} | {len(rows):,} | {found.verdict} | {conflict} | {times} |", flush=True)


if __name__ == "__main__":
    main()
