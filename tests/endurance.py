"""Killed, starved and worn out: what is left is whole, and goes on to the same result.

    python tests/endurance.py fits 200 1e9      # kill -9 in a streamed fit of so many bytes
    python tests/endurance.py saves 200         # in save, report and animate
    python tests/endurance.py workers 20        # of a local dask cluster
    python tests/endurance.py disk 40           # disks of some kilobytes that fill
    python tests/endurance.py page 40000 600    # requests to the page, in so many seconds

Each prints its seed and what it counted, and ends with an AssertionError if something differs.
"""

import contextlib
import http.client
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np

from rosenblatt import Perceptron, datasets, fit_blocks, plots, report, save, scan

COLUMNS, CHUNK = 24, 2**18
WARM = 100  # requests before memory is measured
STEADY = 5  # MB in a second
HOW = {"max_iter": 8, "min_margin": 0, "settle": "never", "keep": "pocket", "random_state": 3}


# -- Killed ----------------------------------------------------------------------------------------


def killed(work, seconds):
    """Whether a child that does some work was killed after so many seconds, before its end."""
    child = os.fork()
    if not child:
        with contextlib.suppress(BaseException):
            warnings.simplefilter("ignore")
            work()
            os._exit(0)
        os._exit(1)
    ends = time.monotonic() + seconds
    while time.monotonic() < ends and os.waitpid(child, os.WNOHANG) == (0, 0):
        time.sleep(0.001)
    with contextlib.suppress(ProcessLookupError, ChildProcessError):
        os.kill(child, signal.SIGKILL)
        return os.waitpid(child, 0)[1] == signal.SIGKILL
    return False


def write_table(path, size):
    """A .npy file of so many bytes: float32, the label last, one row in twenty on a wrong side."""
    rng, w = np.random.default_rng(0), np.arange(1, COLUMNS + 1)
    n = int(float(size)) // (4 * (COLUMNS + 1))
    table = np.lib.format.open_memmap(path, "w+", np.float32, (n, COLUMNS + 1))
    for first in range(0, n, CHUNK):
        part = table[first : first + CHUNK]
        part[:, :-1] = rng.integers(-64, 65, (len(part), COLUMNS)) / 16
        part[:, -1] = (part[:, :-1] @ w > 0) ^ (rng.random(len(part)) < 0.05)


def fits(kills, size, seed=None):
    """Kill a streamed fit so often; each time that it gets through, it ends as undisturbed."""
    rng, counts = seeded(seed), Counter()
    with tempfile.TemporaryDirectory() as folder:
        table, point, result = (Path(folder, name) for name in ("t.npy", "point", "result"))
        write_table(table, size)

        def fit(checkpoint=point):
            model = fit_blocks(Perceptron(**HOW), scan(table), checkpoint=checkpoint, every=0.05)
            save(model, result)

        began = time.monotonic()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            fit(None)
        wanted, longest = result.read_bytes(), (time.monotonic() - began) / 4
        while counts["kills"] < int(kills) or not counts["ended"]:
            result.unlink(missing_ok=True)
            more = counts["kills"] < int(kills)
            if killed(fit, rng.uniform(0.05, longest) if more else 3600):
                counts["kills"] += 1
                counts["with a checkpoint"] += point.exists()
                continue
            assert result.read_bytes() == wanted
            counts["ended"] += 1
            point.unlink()
    return counts


def saves(kills, seed=None):
    """Kill processes that write files over and over: what is there is one of them, and whole."""
    rng, counts = seeded(seed), Counter()
    with tempfile.TemporaryDirectory() as folder:
        for name, writers in written(folder).items():
            path = Path(folder, name)
            began = time.monotonic()
            wholes = {(write(path), path.read_bytes())[1] for write in writers}
            longest = 0.1 + 2 * (time.monotonic() - began)
            for k in range(int(kills)):
                if k % 5 == 0:
                    path.unlink(missing_ok=True)
                killed(lambda path=path, both=writers: forever(path, both), rng.uniform(0, longest))
                counts[name, "there" if path.exists() else "absent"] += 1
                assert not path.exists() or path.read_bytes() in wholes, name
    return counts


def written(folder):
    """Two writers of each kind of file, whose contents differ."""
    X, y = datasets.textbook()
    models = [Perceptron(record=True, random_state=k).fit(X, y) for k in (0, 1)]
    models[1].coef_ = models[1].coef_ * 2
    pages = [report(X, y, lang=lang) for lang in ("en", "zh")]
    films = [Path(folder, f"film{k}.html") for k in (0, 1)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = [plots.animate(m, X, y) for m in models]
        for film, path in zip(made, films, strict=True):
            film.save(path)
    return {
        "m.model": [lambda path, m=m: save(m, path) for m in models],
        "report.html": [lambda path, p=p: p.save(path) for p in pages],
        "film.html": [lambda path, f=f: f.save(path) for f in made],
    }


def forever(path, writers):
    while True:
        for write in writers:
            write(path)


def workers(kills, seed=None):
    """Kill workers of a cluster in the middle of fits; each ends as undisturbed."""
    import dask.array as da

    from rosenblatt.dask import DaskPerceptron, local_client

    rng, counts = seeded(seed), Counter()
    X, y = datasets.clouds(200_000, 6, margin=0.01, flip=2000, random_state=0)
    parts = da.from_array(X, chunks=(20_000, 6)), da.from_array(y, chunks=20_000)
    how = {"max_iter": 10, "settle": "never", "min_margin": 0, "keep": "average"}

    def fitted(kill):
        with local_client(2) as client:
            victim = rng.choice(sorted(client.run(os.getpid).values()))
            timer = threading.Timer(rng.uniform(0, 2), os.kill, (victim, signal.SIGKILL))
            if kill:
                timer.start()
            found = DaskPerceptron(**how).fit(*parts)
            counts["kills"] += kill and not timer.is_alive()
            timer.cancel()
        return found.coef_.tobytes() + found.intercept_.tobytes()

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wanted = fitted(kill=False)
        while counts["kills"] < int(kills):
            assert fitted(kill=True) == wanted
    return counts


# -- Starved ---------------------------------------------------------------------------------------

LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2)
import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
from rosenblatt.cli import main
main(sys.argv[2:])
"""
COMMANDS = {
    "model": ["fit", "t.csv", "--save"],
    "proof": ["certify", "t.csv", "--save"],
    "page.html": ["report", "t.csv", "-o"],
    "film.html": ["animate", "t.csv", "-o"],
    "new.csv": ["predict", "old", "t.csv", "-o"],
}


def disk(tries, seed=None):
    """Let commands write to disks that are too small: one line, exit code 2, and no file."""
    rng, counts = seeded(seed), Counter()
    with tempfile.TemporaryDirectory() as folder:
        X, y = datasets.clouds(3000, 4, margin=0.05, flip=30)
        np.savetxt(Path(folder, "t.csv"), np.column_stack((X, y)), delimiter=",")
        run(folder, ["fit", "t.csv", "--save", "old"])
        for _ in range(int(tries)):
            name = rng.choice(list(COMMANDS))
            room = rng.randrange(0, 300, 4) * 1024
            with small_disk(Path(folder, "small"), room) as mounted:
                out = str(Path(folder, "small", name))
                limit = None if mounted else room
                ended = run(folder, [*COMMANDS[name], out], limit)
                there = Path(out).exists()
            kind = "mounted" if mounted else "limited"
            counts[kind, "written" if there else "refused"] += 1
            assert ended.returncode == 2 or there, ended
            assert ended.returncode in (0, 1, 2), ended
            if ended.returncode == 2:
                assert not there
                assert ended.stderr.splitlines()[-1].startswith("error: "), ended
                assert "Traceback" not in ended.stderr
    return counts


def run(folder, command, limit=None):
    """A command, whose files may be limited in size."""
    first = ["-m", "rosenblatt"] if limit is None else ["-c", LIMITED, str(limit)]
    line = [sys.executable, "-W", "ignore", *first, *command, "--lang", "en"]
    return subprocess.run(line, cwd=folder, capture_output=True, text=True)


@contextlib.contextmanager
def small_disk(path, room):
    """A file system of so many bytes, if it may be mounted; whether it was."""
    path.mkdir(exist_ok=True)
    mount = ["mount", "-t", "tmpfs", "-o", f"size={max(room, 4096)}", "tmpfs", str(path)]
    mounted = subprocess.run(mount, capture_output=True).returncode == 0
    try:
        yield mounted
    finally:
        if mounted:
            subprocess.run(["umount", str(path)], check=True)


# -- Worn out --------------------------------------------------------------------------------------


def page(requests, seconds, seed=None):
    """Ask the page so often, evenly over some seconds, in four threads; all is answered."""
    rng, counts, left = seeded(seed), Counter(), iter(range(int(requests)))
    line = [sys.executable, "-m", "rosenblatt", "play", "--port", "0", "--no-browser", "--json"]
    server = subprocess.Popen(line, stdout=subprocess.PIPE)
    try:
        address = urlsplit(json.loads(server.stdout.readline())["address"])
        for _ in range(WARM):
            ask(address, rng.random())
        before, began = steady_memory(server.pid), time.monotonic()

        def ask_on():
            for k in left:
                ahead = began + k * float(seconds) / int(requests) - time.monotonic()
                time.sleep(max(0, ahead))
                counts[ask(address, rng.random())] += 1

        with ThreadPoolExecutor(4) as pool:
            for _ in range(4):
                pool.submit(ask_on)
        took, after = time.monotonic() - began, memory(server.pid)
    finally:
        server.send_signal(signal.SIGINT)
        server.wait()
    assert sum(counts.values()) == int(requests)
    return counts | {"seconds": round(took), "MB before": before, "MB after": after}


def ask(address, chance):
    """The status of an answer: the page itself, or a run on a few points."""
    connection = http.client.HTTPConnection(address.netloc, timeout=600)
    data = {"name": "clouds", "n": 20 + int(60 * chance), "margin": 0.2, "noise": 0.1, "seed": 1}
    body = json.dumps({"data": data, "learner": {"max_iter": 1 + int(9 * chance)}})
    if chance < 0.2:
        connection.request("GET", address.path)
    else:
        kind = {"Content-Type": "application/json"}
        connection.request("POST", address.path + "run", body, kind)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status


def memory(pid):
    """The MB that a process and its children hold."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    pages = [int(Path(f"/proc/{p}/statm").read_text().split()[1]) for p in (pid, *children)]
    return round(sum(pages) * os.sysconf("SC_PAGE_SIZE") / 2**20)


def steady_memory(pid):
    """The same, when all workers have loaded what they need."""
    before, now = 0, memory(pid)
    while abs(now - before) > STEADY:
        time.sleep(1)
        before, now = now, memory(pid)
    return now


def seeded(seed):
    seed = int(time.time()) if seed is None else int(seed)
    print(f"seed {seed}", flush=True)
    return random.Random(seed)


if __name__ == "__main__":
    task = {f.__name__: f for f in (fits, saves, workers, disk, page)}[sys.argv[1]]
    for what, count in task(*sys.argv[2:]).items():
        print(*(what if isinstance(what, tuple) else (what,)), count)
