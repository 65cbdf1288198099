"""Search for what is false, for as long as it is told, on all cores."""

import multiprocessing
import os
import time
import warnings
from collections import Counter
from concurrent.futures import ProcessPoolExecutor

import numpy as np

from adversary.coefficients import check_coefficients
from adversary.commands import check_commands
from adversary.fits import check_fit
from adversary.inputs import check_each, check_inputs
from adversary.kernel_fits import check_kernel_fit
from adversary.optima import check_bound, check_fewest, check_margin
from adversary.tables import FAMILIES, TITLES, draw
from adversary.verdicts import VERDICTS, check_blocks, check_kernel, check_verdict, check_wide

# Every table gets a verdict, and some get one of these: how many of a thousand, and how often each.
ATTACKS = {
    check_fit: (60, 3),
    check_kernel_fit: (15, 2),
    check_kernel: (20, 1),
    check_blocks: (15, 1),
    check_wide: (60, 1),
    check_inputs: (15, 1),
    check_each: (5, 1),
    check_coefficients: (15, 1),
    check_fewest: (15, 1),
    check_margin: (15, 1),
    check_bound: (10, 1),
    check_commands: (10, 1),
}
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()


def look(X, y, seed, attacks=ATTACKS, share=1.0):
    """The verdict on a table, what was tried, and all that is false about it.

    `share` is of the tables that are attacked at all; None attacks every one.
    """
    rng, tried = np.random.default_rng(seed), Counter()
    verdict, said = check_verdict(X, y, rng)
    attack, times = drawn(attacks, rng, share)
    for _ in range(times):
        try:
            told = attack(X, y, rng)
        except Exception as error:
            told = [f"{attack.__name__} ends in {error!r}"]
        tried[attack.__name__, told is not None] += 1
        said = said + (told or [])
    return verdict, tried, said


def drawn(attacks, rng, share):
    """One of the attacks and how often, or none."""
    shares = np.cumsum([each for each, _ in attacks.values()])
    of = shares[-1] if share is None else 1000 / share
    k = int(np.searchsorted(shares, rng.random() * of, "right"))
    return [*((attack, times) for attack, (_, times) in attacks.items()), (None, 0)][k]


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


def search(seconds, seed, families, look=look, part=0, parts=1):
    """Go through the families until time is up; the verdicts by family, and what was tried.

    Of several processes, each takes its part of the tables.
    """
    counts = {family.__name__: Counter() for family in families}
    tried, end, k = Counter(), time.time() + seconds, part
    while time.time() < end:
        for number, family in enumerate(families):
            drawn = seed, number, k
            X, y = draw(family, np.random.default_rng(drawn))
            verdict, what, said = look(X, y, drawn)
            if said:
                tell(family, drawn, X, y, look)
            counts[family.__name__]["false" if said else verdict] += 1
            tried.update(what)
            tried["several classes", True] += int(y.max() > 1)
        k += parts
    return counts, tried


def tell(family, drawn, X, y, look):
    """Print what is false, of as few rows and columns as show it."""
    X, y = shrunk(X, y, lambda X, y: look(X, y, drawn)[2])
    told = family.__name__, drawn, *look(X, y, drawn)[2], X.tolist(), y.tolist()
    print("\n  ".join(map(str, told)), flush=True)


def quiet_search(*args):
    """A search that hears no warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return search(*args)


def search_on_all_cores(seconds, seed, cores):
    """The counts of a process for each core; one that dies is told, and counts as false."""
    spawn = multiprocessing.get_context("spawn")
    pools = [ProcessPoolExecutor(1, mp_context=spawn) for _ in range(cores)]
    parts = [(seconds, seed, FAMILIES, look, part, cores) for part in range(cores)]
    runs = [pool.submit(quiet_search, *each) for pool, each in zip(pools, parts, strict=True)]
    found, died = [], Counter()
    for part, (pool, run) in enumerate(zip(pools, runs, strict=True)):
        try:
            found.append(run.result())
        except Exception as error:
            print(f"process {part} ended in {error!r}", flush=True)
            died["false"] += 1
        pool.shutdown()
    return together(found, died)


def together(found, died):
    """The counts of all processes."""
    names = [family.__name__ for family in FAMILIES]
    counts = {name: sum((each[name] for each, _ in found), Counter()) for name in names}
    tried = sum((each for _, each in found), Counter())
    return counts | ({"processes that died": died} if died else {}), tried


def seconds_of(text):
    """A time such as 90s, 10m or 1h, in seconds."""
    units = {"s": 1, "m": 60, "h": 3600}
    return float(text[:-1]) * units[text[-1]] if text[-1] in units else float(text)


def main(duration="1m", seed=None, cores=CORES):
    seed, cores, seconds = int(seed or time.time()), int(cores), seconds_of(duration)
    print(f"seed {seed}", flush=True)
    if cores == 1:
        counts, tried = quiet_search(seconds, seed, FAMILIES)
    else:
        counts, tried = search_on_all_cores(seconds, seed, cores)
    summarize(counts, tried)
    return int(any(found["false"] for found in counts.values()))


def summarize(counts, tried):
    """Print the verdicts by family, and what was tried, as tables of Markdown."""
    columns = (*VERDICTS, "false")
    print_row("family", *columns)
    print_row(*["---"] * 6)
    for name, found in [*counts.items(), ("all", sum(counts.values(), Counter()))]:
        print_row(TITLES.get(name, name), *(found[verdict] for verdict in columns))
    print_row("what was tried", "judged", "refused or open")
    for name in sorted({name for name, _ in tried}):
        print_row(name, tried[name, True], tried[name, False])


def print_row(*cells):
    print("|", " | ".join(c if isinstance(c, str) else f"{c:,}" for c in cells), "|", flush=True)
