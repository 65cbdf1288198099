"""The time to a separating hyperplane, or to the proof that there is none."""

import numpy as np
from liblinear.liblinearutil import parameter, problem, train
from passes import PLAIN, SHAPES, text_like
from race import fitting, once, race, row
from scipy.optimize import linprog
from sklearn.linear_model import Perceptron as Peer
from sklearn.svm import LinearSVC

from rosenblatt import Perceptron, certify, datasets

MARGINS = [0.01, 0.02, 0.05, 0.1, 0.02, 0.05]
CASES = [*zip(SHAPES, MARGINS, strict=True), ((1_000_000, 10), 0.002)]
PATIENCE = 60  # seconds that a linear program may take


def separation(most=4000):
    """The time to a separating hyperplane, against scikit-learn told how many passes it needs."""
    for (n, d), margin in CASES:
        X, y = datasets.clouds(n, d, margin)
        a = Perceptron()
        needed = Perceptron(max_iter=most, **PLAIN).fit(X, y).n_iter_
        peer = Peer(shuffle=False, tol=None, max_iter=needed)
        times = race(fitting(a, X, y), fitting(peer, X, y), rounds=3)
        assert a.converged_
        yield row(f"{n:,} × {d}, margin {margin}", *times, passes=needed)


def text():
    """The same for sparse rows like those of text."""
    for n in (20_000, 100_000):
        X, y = text_like(n)
        a = Perceptron()
        needed = Perceptron(max_iter=4000, **PLAIN).fit(X, y).n_iter_
        times = race(
            fitting(a, X, y), fitting(Peer(shuffle=False, tol=None, max_iter=needed), X, y)
        )
        assert a.converged_
        yield row(f"{X.shape[0]:,} × {X.shape[1]:,}", *times, passes=needed)


def others():
    """The time to a separating hyperplane, against LinearSVC, LIBLINEAR and HiGHS."""
    for (n, d), margin in CASES:
        X, y = datasets.clouds(n, d, margin)
        a = Perceptron()
        ours = race(fitting(a, X, y), rounds=3)[0]
        svc = LinearSVC(C=1e6)
        yield row(
            f"{n:,} × {d}: LinearSVC", ours, once(fitting(svc, X, y)), errors=errors(svc, X, y)
        )
        if n * d <= 2_000_000:  # its Python lists take longer than its learning
            given = problem(y, X, bias=1), parameter("-s 2 -c 1e6 -q")
            yield row(f"{n:,} × {d}: LIBLINEAR", ours, once(lambda given=given: train(*given)))
        yield row(
            f"{n:,} × {d}: HiGHS (at most {PATIENCE} s)", ours, once(lambda X=X, y=y: program(X, y))
        )


def errors(model, X, y):
    """The training errors of a model."""
    return int((model.predict(X) != y).sum())


def program(X, y, method="highs-ds"):
    """Whether some (w, b) has y (w·x + b) >= 1 for all rows."""
    Z = np.column_stack((X, np.ones(len(y)))) * y[:, None]
    given = {"bounds": (None, None), "options": {"time_limit": PATIENCE}}
    return linprog(np.zeros(Z.shape[1]), -Z, -np.ones(len(Z)), method=method, **given)


def tight():
    """Half of the rows at the margin: ours separates, scikit-learn with 1,000 passes does not."""
    for margin in (1e-4, 1e-6):
        X, y = datasets.clouds(100_000, 10, margin, tight=True)
        a, b = Perceptron(), Peer(shuffle=False, tol=None, max_iter=1000)
        ours, theirs = race(fitting(a, X, y))[0], once(fitting(b, X, y))
        found = {"separated": a.converged_, "peer errors": errors(b, X, y)}
        yield row(f"100,000 × 10, margin {margin:g}", ours, theirs, **found)


def verdicts():
    """A verdict with proof, against one full linear program (the faster of two methods)."""
    for n, d, flip in ((20_000, 50, 0), (20_000, 50, 10), (200_000, 20, 0), (200_000, 20, 10)):
        yield verdict_on(n, d, flip, f"{flip} labels flipped")


def noisy_verdicts(n=20_000):
    """The same with a share of the labels flipped, up to 200 columns."""
    for d in (20, 50, 200):
        for share in (0, 10, 20):
            yield verdict_on(n, d, n * share // 100, f"{share} % of labels flipped")


def verdict_on(n, d, flip, title):
    """A certificate against the faster of two methods of HiGHS."""
    X, y = datasets.clouds(n, d, 0.02, flip=flip)
    ours = race(lambda: certify(X, y))[0]
    theirs = min(once(lambda m=m: program(X, y, m)) for m in ("highs-ds", "highs-ipm"))
    return row(f"{n:,} × {d}, {title}", ours, theirs, verdict=certify(X, y).verdict)
