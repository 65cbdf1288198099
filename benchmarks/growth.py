"""How time grows, and what first use costs."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from passes import PLAIN
from race import fitting, once, race, row

from rosenblatt import Perceptron, certify, datasets


def growth():
    """Seconds as rows, features and fineness grow: the slopes (1 is linear)."""
    yield from slope("rows, d=10, a pass", [10**k for k in range(3, 8)], lambda n: a_pass(n, 10))
    widths = [2, 10, 50, 200, 500, 2000]
    yield from slope("features, n=10,000, a pass", widths, lambda d: a_pass(10_000, d))
    fine = [10**k for k in range(1, 9)]
    yield from slope("1/margin, 20,000 × 3, verdict with proof", fine, verdict)


def a_pass(n, d, count=5):
    """The time of one pass, that of a fit with one taken off."""
    X, y = datasets.clouds(n, d, 0.0)
    one, more = (fitting(Perceptron(max_iter=k, **PLAIN), X, y) for k in (1, count + 1))
    short, long = race(one, more, rounds=3)
    return max(long - short, 1e-9) / count


def verdict(fineness):
    """The time to certify rows of which half are at the margin."""
    X, y = datasets.clouds(20_000, 3, 1 / fineness, tight=True)
    assert certify(X, y).verdict == "separable"
    return race(lambda: certify(X, y), rounds=3)[0]


def slope(title, sizes, measure):
    """Times at several sizes, and the exponent of the power law that fits them best."""
    times = [measure(size) for size in sizes]
    exponent = np.polyfit(np.log(sizes), np.log(times), 1)[0]
    told = {f"{size:g}": f"{t:.2g}" for size, t in zip(sizes, times, strict=True)}
    yield {"case": title, "ratio": exponent, "ours": times[-1], "peer": times[0], **told}


def first_use():
    """Import and first fit in a new process; and the command's help, against half a second."""
    fit = "from {} import Perceptron; Perceptron().fit([[0.0], [1.0]], [0, 1])"
    ours, theirs = (
        lambda n=n, **more: subprocess.run(
            [sys.executable, "-c", fit.format(n)], check=True, **more
        )
        for n in ("rosenblatt", "sklearn.linear_model")
    )
    warm = race(ours, theirs, rounds=3)
    yield row("import and first fit, compiled code cached", *warm)
    with tempfile.TemporaryDirectory() as folder:
        cold = once(lambda: ours(env=os.environ | {"NUMBA_CACHE_DIR": folder}))
    yield row("import and first fit, nothing cached", cold, warm[1])
    shell = [str(Path(sys.executable).with_name("rosenblatt")), "--help"]
    told = race(lambda: subprocess.run(shell, check=True, capture_output=True))[0]
    yield row("rosenblatt --help (at most 0.5 s)", told, 0.5)
