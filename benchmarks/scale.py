"""Larger than memory, larger than one machine: the tables of docs/scale.md.

python benchmarks/scale.py stream --gigabytes 8  # writes so much, and removes it
python benchmarks/scale.py cluster
"""

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np

FEATURES, ROWS, GROUP, DIFFERENT = 50, 500_000, 100_000, 8
PASSES = ("as they stand", "shuffled")
KINDS = {"plain": ("snappy", None), "zstd": ("zstd", None), "rounded": ("snappy", 4)}


# -- Blocks: throughput against decoding alone, within a memory limit ------------------------------


def write(folder, gigabytes, codec, digits):
    """Parquet files of numbers with a hyperplane between two classes: a few, and copies of them."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng = np.random.default_rng(0)
    w = rng.standard_normal(FEATURES) / np.sqrt(FEATURES)
    for k in range(max(1, round(gigabytes * 1e9 / (8 * ROWS * FEATURES)))):
        path = folder / f"part{k:04}.parquet"
        if k >= DIFFERENT:
            shutil.copyfile(folder / f"part{k % DIFFERENT:04}.parquet", path)
            continue
        X = rng.standard_normal((ROWS, FEATURES))
        side = np.where(X @ w > 0, 1, -1)
        X += 0.1 * np.outer(side, w) / (w @ w)
        X = X if digits is None else np.round(X, digits)
        columns = {f"x{j}": X[:, j] for j in range(FEATURES)} | {"y": side.astype("int8")}
        pq.write_table(pa.table(columns), path, row_group_size=GROUP, compression=codec)


def decode(folder, threads=True):
    """What pyarrow takes for the files alone, in the way that is faster for it; decoded bytes."""
    import pyarrow.parquet as pq

    size = 0
    for path in sorted(folder.glob("*.parquet")):
        for batch in pq.ParquetFile(path, pre_buffer=False).iter_batches(use_threads=threads):
            size += batch.nbytes
    return size


def clocked(work):
    wall, cpu = time.perf_counter(), time.process_time()
    result = work()
    return result, time.perf_counter() - wall, time.process_time() - cpu


def measure(folder, turns):
    """Passes and decoding, in turns, within whatever limit this process has."""
    from rosenblatt import Perceptron, fit_blocks, scan

    warnings.simplefilter("ignore")
    blocks = scan(folder)
    found = {"turns": []}
    for _ in range(turns):
        turn = {}
        for name, threads in (("decode", True), ("one thread", False)):
            size, wall, cpu = clocked(lambda threads=threads: decode(folder, threads))
            turn[name] = [size / wall / 1e9, cpu / size * 1e9]
        for name in PASSES:
            params = {"keep": "last", "settle": "never", "min_margin": 0, "max_iter": 5}
            model = Perceptron(shuffle=name == "shuffled", **params)
            _, wall, cpu = clocked(lambda m=model: fit_blocks(m, blocks))
            read = model.n_reads_ * size
            turn[name] = [read / wall / 1e9, cpu / read * 1e9]
        found["turns"].append(turn)
    peak = re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())
    found["peak"] = int(peak[1]) * 1024 / 1e9
    return found | {"size": size / 1e9, "rows": blocks.n_samples}


def stream(parent, gigabytes, limit, turns, kinds):
    print(f"{gigabytes} GB of doubles, {FEATURES} features; memory limit {limit} GB (ulimit -d)")
    print("| files | on disk | decode | in one thread | passes | shuffled | CPU s/GB | peak |")
    print("|---|---|---|---|---|---|---|---|")
    for name in kinds:
        with tempfile.TemporaryDirectory(prefix="scale-", dir=parent) as folder:
            write(Path(folder), gigabytes, *KINDS[name])
            disk = sum(path.stat().st_size for path in Path(folder).glob("*.parquet")) / 1e9
            row(name, disk, limited(folder, limit, turns))


def limited(folder, limit, turns):
    """Measure in a process that may not take more memory than the limit.

    Its allocators are those that do not reserve address space, which would count, in advance.
    """
    command = ["prlimit", f"--data={int(limit * 1e9)}", sys.executable, __file__, "measure"]
    command += ["--folder", str(folder), "--turns", str(turns)]
    env = os.environ | {"ARROW_DEFAULT_MEMORY_POOL": "system", "MALLOC_ARENA_MAX": "2"}
    ran = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=env)
    return json.loads(ran.stdout)


def row(name, disk, found):
    def best(key):
        return max(turn[key][0] for turn in found["turns"])

    def least(key):
        return min(turn[key][1] for turn in found["turns"])

    shares = [f"{best(k):.2f} GB/s ({best(k) / best('decode'):.0%})" for k in PASSES]
    cpu = f"{least('decode'):.2f}, {least('as they stand'):.2f}"
    alone = [f"{best(k):.2f} GB/s" for k in ("decode", "one thread")]
    cells = [name, f"{disk:.1f} GB", *alone, *shares, cpu]
    print("|", " | ".join([*cells, f"{found['peak']:.2f} GB"]), "|", flush=True)


# -- A cluster: rounds to separation, and time -----------------------------------------------------


def cluster(workers):
    import dask.array as da

    from rosenblatt import Perceptron, datasets
    from rosenblatt.dask import DaskPerceptron, local_client

    print("| data | mix | 1 | 2 | 4 | 8 | in memory |")
    print("|---|---|---|---|---|---|---|")
    with local_client(workers):
        for n, d, margin in ((200_000, 20, 0.02), (200_000, 20, 0.005), (2_000_000, 20, 0.02)):
            X, y = datasets.clouds(n, d, margin=margin)
            plain = {"keep": "last", "settle": "never", "min_margin": 0, "max_iter": 5000}
            Perceptron(**plain).fit(X[:1000], y[:1000])
            start = time.perf_counter()
            local = Perceptron(**plain).fit(X, y)
            alone = time.perf_counter() - start
            for mix in ("mistakes", "uniform"):
                cells = []
                for parts in (1, 2, 4, 8):
                    size = -(-n // parts)
                    dX = da.from_array(X, chunks=(size, d)).persist()
                    dy = da.from_array(y, chunks=size).persist()
                    start = time.perf_counter()
                    model = DaskPerceptron(mix=mix, **plain).fit(dX, dy)
                    wall = time.perf_counter() - start
                    assert model.stop_reason_ == local.stop_reason_ == "separated"
                    cells.append(f"{model.n_iter_} rounds, {wall:.2f} s")
                told = f"{local.n_iter_} passes, {alone:.2f} s"
                print(
                    "|", " | ".join([f"{n} × {d}, γ {margin}", mix, *cells, told]), "|", flush=True
                )


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("table", choices=["stream", "cluster", "measure"])
    parser.add_argument("--folder", type=Path, help="where to write; the system's temporary one")
    parser.add_argument("--gigabytes", type=float, default=8)
    parser.add_argument("--limit", type=float, default=1.5)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))  # which removes what was written
    if given.table == "stream":
        stream(given.folder, given.gigabytes, given.limit, given.turns, given.kinds)
    elif given.table == "measure":
        print(json.dumps(measure(given.folder, given.turns)))
    else:
        cluster(given.workers)
