"""Search for what is false, for as long as it is told."""

import sys
import time
import warnings
from collections import Counter

import numpy as np

from adversary.commands import check_commands
from adversary.fits import check_fit
from adversary.kernel_fits import check_kernel_fit
from adversary.optima import check_bound, check_fewest, check_margin
from adversary.tables import FAMILIES, draw
from adversary.verdicts import VERDICTS, check_blocks, check_kernel, check_verdict

# Every table gets a verdict, and one in four some of these: how often, of all.
ATTACKS = {
    check_fit: 0.5,
    check_kernel_fit: 0.15,
    check_kernel: 0.1,
    check_blocks: 0.05,
    check_fewest: 0.05,
    check_margin: 0.05,
    check_bound: 0.05,
    check_commands: 0.05,
}
SHARE = 0.25


def look(X, y, seed, attacks=ATTACKS, share=SHARE):
    """The verdict on a table, what was tried, and all that is false about it."""
    rng = np.random.default_rng(seed)
    verdict, said = check_verdict(X, y, rng)
    if rng.random() >= share:
        return verdict, "certify", said
    attack = rng.choice(list(attacks), p=list(attacks.values()))
    try:
        return verdict, attack.__name__, said + attack(X, y, rng)
    except Exception as error:
        return verdict, attack.__name__, [*said, f"{attack.__name__} ends in {error!r}"]


def shrunk(X, y, is_false):
    """A table with as few rows and columns as show that something is false."""
    for i in range(len(y) - 1, -1, -1):
        rest = np.delete(np.arange(len(y)), i)
        if set(y[rest].tolist()) == set(y.tolist()) and is_false(X[rest], y[rest]):
            return shrunk(X[rest], y[rest], is_false)
    for j in range(X.shape[1] - 1, -1, -1):
        fewer = np.delete(X, j, axis=1)
        if fewer.shape[1] and is_false(fewer, y):
            return shrunk(fewer, y, is_false)
    return X, y


def search(seconds, seed, families, look=look):
    """Go through the families until time is up; the verdicts by family, and what was tried."""
    counts = {family.__name__: Counter() for family in families}
    tried, end, k = Counter(), time.time() + seconds, 0
    while time.time() < end:
        for number, family in enumerate(families):
            drawn = seed, number, k
            X, y = draw(family, np.random.default_rng(drawn))
            verdict, what, said = look(X, y, drawn)
            if said:
                X, y = shrunk(X, y, lambda X, y, drawn=drawn: look(X, y, drawn)[2])
                told = look(X, y, drawn)[2]
                print(family.__name__, drawn, *told, X.tolist(), y.tolist(), sep="\n  ", flush=True)
            counts[family.__name__]["false" if said else verdict] += 1
            tried[what] += 1
            tried["several classes"] += int(y.max() > 1)
        k += 1
    return counts, tried


def seconds_of(text):
    """A time such as 90s, 10m or 1h, in seconds."""
    units = {"s": 1, "m": 60, "h": 3600}
    return float(text[:-1]) * units[text[-1]] if text[-1] in units else float(text)


def main(duration="1m", seed=None):
    seed = int(seed) if seed is not None else int(time.time())
    print(f"seed {seed}", flush=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        counts, tried = search(seconds_of(duration), seed, FAMILIES)
    columns = (*VERDICTS, "false")
    print("family", *columns, sep=" | ")
    for name, found in [*counts.items(), ("all", sum(counts.values(), Counter()))]:
        print(name, *(found[verdict] for verdict in columns), sep=" | ")
    for name, count in sorted(tried.items()):
        print(name, count, sep=" | ")
    return int(any(found["false"] for found in counts.values()))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
