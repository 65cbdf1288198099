"""Every speed table, ours and the peers side by side; see README.md beside this file.

python benchmarks/run.py            # all tables
python benchmarks/run.py passes csr # some of them
"""

import json
import subprocess
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from rich.console import Console
from rich.table import Table
from scipy.optimize import linprog
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Perceptron as Peer
from sklearn.linear_model import SGDClassifier
from sklearn.svm import LinearSVC

from rosenblatt import Perceptron, certify, datasets

warnings.simplefilter("ignore", ConvergenceWarning)

SHAPES = [
    (10_000, 10),
    (100_000, 20),
    (100_000, 100),
    (200_000, 50),
    (1_000_000, 30),
    (20_000, 500),
]
MARGINS = [0.01, 0.02, 0.05, 0.1, 0.02, 0.05]
PLAIN = {"keep": "last", "shuffle": False, "settle": "never", "min_margin": 0}
HERE = Path(__file__).parent


def race(ours, *peers, rounds=5):
    """The best time of each, taken in turn, after one call of each outside the clock."""
    runners = (ours, *peers)
    times = [[] for _ in runners]
    for turn in range(rounds + 1):
        for run, taken in zip(runners, times, strict=True):
            start = time.perf_counter()
            run()
            if turn:
                taken.append(time.perf_counter() - start)
    return [min(taken) for taken in times]


def once(run):
    """The time of one call."""
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def row(case, ours, theirs, **more):
    return {"case": case, "ratio": theirs / ours, "ours": ours, "peer": theirs, **more}


# -- The tables ------------------------------------------------------------------------------------


def passes(count=20):
    """The same passes, dense, against scikit-learn's Perceptron."""
    for n, d in SHAPES:
        X, y = datasets.clouds(n, d, 0.0)
        a = Perceptron(max_iter=count, **PLAIN)
        b = Peer(shuffle=False, tol=None, max_iter=count)
        times = race(lambda a=a, X=X, y=y: a.fit(X, y), lambda b=b, X=X, y=y: b.fit(X, y))
        assert np.allclose(a.coef_, b.coef_, rtol=1e-9)
        assert a.n_iter_ == count
        yield row(f"{n} × {d}, {count} passes", *times)


def text_like(n=100_000, d=100_000, each=80):
    """Sparse rows with Zipf columns, labelled by a random hyperplane."""
    rng = np.random.default_rng(0)
    columns = np.minimum(rng.zipf(1.3, n * each) - 1, d - 1)
    X = sp.csr_matrix((rng.random(n * each), columns, np.arange(0, n * each + 1, each)), (n, d))
    X.sum_duplicates()
    return X, np.where(X @ rng.standard_normal(d) > 0, 1, -1)


def csr(count=20):
    """The same passes, CSR without intercept, against scikit-learn's Perceptron."""
    X, y = text_like()
    a = Perceptron(max_iter=count, fit_intercept=False, **PLAIN)
    b = Peer(shuffle=False, tol=None, max_iter=count, fit_intercept=False)
    times = race(lambda: a.fit(X, y), lambda: b.fit(X, y), rounds=3)
    assert np.allclose(a.coef_, b.coef_, rtol=1e-9)
    yield row(f"{X.shape[0]} × {X.shape[1]}, {count} passes", *times)


def separation():
    """The time to a separating hyperplane, against scikit-learn told how many passes it needs."""
    cases = [*zip(SHAPES, MARGINS, strict=True), ((1_000_000, 10), 0.002)]
    for (n, d), margin in cases:
        X, y = datasets.clouds(n, d, margin)
        a = Perceptron(settle="first")
        ours = race(lambda a=a, X=X, y=y: a.fit(X, y))[0]
        assert a.converged_
        yield row(f"{n} × {d}, margin {margin}", ours, *told_passes(X, y))


def told_passes(X, y, most=4000):
    """scikit-learn's time with the passes it needs to separate, or a lower bound on it."""
    needed = Perceptron(max_iter=most, **PLAIN).fit(X, y).n_iter_
    peer = Peer(shuffle=False, tol=None, max_iter=needed)
    return (once(lambda: peer.fit(X, y)),)


def others():
    """The time to a separating hyperplane, against LinearSVC with a large C and one HiGHS."""
    for (n, d), margin in zip(SHAPES[:2], MARGINS, strict=False):
        X, y = datasets.clouds(n, d, margin)
        a = Perceptron(settle="first")
        ours = race(lambda a=a, X=X, y=y: a.fit(X, y))[0]
        svc = LinearSVC(C=1e6, max_iter=100_000)
        yield row(f"{n} × {d}: LinearSVC", ours, once(lambda svc=svc, X=X, y=y: svc.fit(X, y)))
        yield row(f"{n} × {d}: HiGHS", ours, once(lambda X=X, y=y: program(X, y)))


def program(X, y, method="highs-ds"):
    """Whether some (w, b) has y (w·x + b) >= 1 for all rows."""
    Z = np.column_stack((X, np.ones(len(y)))) * y[:, None]
    return linprog(np.zeros(Z.shape[1]), -Z, -np.ones(len(Z)), bounds=(None, None), method=method)


def tight():
    """Half of the rows at the margin: ours separates, scikit-learn with 1,000 passes does not."""
    for margin in (1e-4, 1e-6):
        X, y = datasets.clouds(100_000, 10, margin, tight=True)
        a, b = Perceptron(settle="first"), Peer(shuffle=False, tol=None, max_iter=1000)
        ours, theirs = (
            race(lambda a=a, X=X, y=y: a.fit(X, y))[0],
            once(lambda b=b, X=X, y=y: b.fit(X, y)),
        )
        wrong = int((b.predict(X) != y).sum())
        yield row(f"margin {margin:g}", ours, theirs, separated=a.converged_, peer_errors=wrong)


def verdicts():
    """A verdict with proof, against one full linear program (the faster of two methods)."""
    for n, d, flip in ((20_000, 50, 0), (20_000, 50, 10), (200_000, 20, 0), (200_000, 20, 10)):
        X, y = datasets.clouds(n, d, 0.02, flip=flip)
        ours = race(lambda X=X, y=y: certify(X, y))[0]
        theirs = min(
            once(lambda m=m, X=X, y=y: program(X, y, m)) for m in ("highs-ds", "highs-ipm")
        )
        yield row(f"{n} × {d}, {flip} labels flipped", ours, theirs, verdict=certify(X, y).verdict)


def best_kept():
    """keep="best" against one NumPy product for each update; then pocket against last."""
    X, y = datasets.clouds(10_000, 20, 0.0, flip=1000)
    a = Perceptron(
        keep="best", max_iter=2, shuffle=False, settle="never", min_margin=0, record=True
    )
    ours = race(lambda: a.fit(X, y), rounds=3)[0]
    path = a.log_.path(X)

    def one_by_one():
        errors = [np.count_nonzero(y * (X @ w[:-1] + w[-1]) <= 0) for w in path]
        return path[int(np.argmin(errors))]

    assert np.array_equal(one_by_one(), np.append(a.coef_, a.intercept_))
    yield row("best, 10000 × 20, noisy", ours, once(one_by_one))
    last, pocket = (Perceptron(max_iter=50, **PLAIN | {"keep": k}) for k in ("last", "pocket"))
    times = race(lambda: last.fit(X, y), lambda: pocket.fit(X, y))
    yield row("pocket over last (at most 1.3)", *times)


def classes():
    """Ten classes one against the rest: two threads against one, and against scikit-learn."""
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((100_000, 50)), rng.integers(0, 10, 100_000)
    two, one = (Perceptron(max_iter=20, n_jobs=k, **PLAIN) for k in (2, 1))
    peer = Peer(shuffle=False, tol=None, max_iter=20, n_jobs=2)
    times = race(lambda: two.fit(X, y), lambda: one.fit(X, y), lambda: peer.fit(X, y), rounds=2)
    yield row("two threads against one", *times[:2])
    yield row("against scikit-learn, n_jobs=2", times[0], times[2])


def online():
    """Learning online, against scikit-learn."""
    X, y = datasets.clouds(10_000, 20, 0.05)
    for size, calls in ((1, 1000), (1000, 10)):
        parts = [(X[k : k + size], y[k : k + size]) for k in range(0, size * calls, size)]

        def learn(model, parts=parts):
            for part in parts:
                model.partial_fit(*part, classes=[-1, 1])

        peer = {"loss": "perceptron", "learning_rate": "constant", "eta0": 1.0, "penalty": None}
        times = race(
            lambda: learn(Perceptron(keep="last")), lambda p=peer: learn(SGDClassifier(**p))
        )
        yield row(f"{size} rows a call, {calls} calls", *times)


def first_use():
    """Import and first fit in a new process, with a warm cache; and the command's help."""
    fit = "from {} import Perceptron; Perceptron().fit([[0.0], [1.0]], [0, 1])"
    names = "rosenblatt", "sklearn.linear_model"
    runs = [
        lambda n=n: subprocess.run([sys.executable, "-c", fit.format(n)], check=True) for n in names
    ]
    yield row("import and first fit", *race(*runs, rounds=3))
    shell = [str(Path(sys.executable).with_name("rosenblatt")), "--help"]
    ours = race(lambda: subprocess.run(shell, check=True, capture_output=True))[0]
    yield row("rosenblatt --help (at most 0.5 s)", ours, 0.5)


TABLES = (passes, csr, separation, others, tight, verdicts, best_kept, classes, online, first_use)


def show(table, rows):
    """Print a table, ratios first."""
    view = Table("ratio", "case", "ours", "peer", "", title=table.__doc__, title_justify="left")
    for r in rows:
        more = ", ".join(
            f"{k} {v}" for k, v in r.items() if k not in ("case", "ratio", "ours", "peer")
        )
        view.add_row(
            f"{r['ratio']:.2f}×", r["case"], f"{r['ours']:.4f} s", f"{r['peer']:.4f} s", more
        )
    if len(rows) > 1:
        mean = float(np.exp(np.mean([np.log(r["ratio"]) for r in rows])))
        view.add_row(f"{mean:.2f}×", "geometric mean")
    Console().print(view)


def main(names):
    """Run the tables named, or all; write results.json."""
    file = HERE / "results.json"
    results = json.loads(file.read_text()) if file.exists() else {}
    for table in TABLES:
        if not names or table.__name__ in names:
            rows = list(table())
            show(table, rows)
            results[table.__name__] = rows
            file.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
