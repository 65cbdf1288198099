"""Many at once: threads, forks and processes learn what one learns alone."""

import multiprocessing
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from joblib import Parallel, delayed
from sklearn.model_selection import cross_val_score
from threadpoolctl import threadpool_info

from rosenblatt import KernelPerceptron, Perceptron, certify, datasets
from rosenblatt.core import threads

ignore = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def learned(seed):
    """What is learned from small tables, with flipped labels or without."""
    X, y = datasets.clouds(200, 4, margin=0.02, flip=seed % 3, random_state=seed)
    plain = Perceptron(random_state=seed).fit(X, y)
    kernel = KernelPerceptron(max_iter=5, random_state=seed).fit(X, y)
    weights = plain.coef_.tobytes(), kernel.dual_coef_.tobytes()
    return *weights, plain.stop_reason_, certify(X, y).to_json()


def threaded():
    """What is learned where there is so much to read that several threads do."""
    X, y = datasets.clouds(30000, 40, margin=0.05)
    model = Perceptron(max_iter=3, settle="never").fit(X, y)
    return model.coef_.tobytes(), model.score(X, y)


def algebra():
    return {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}


@pytest.fixture
def busy():
    """Threads that change places often."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


@ignore
def test_many_threads_learn_what_one_learns(busy):
    alone, before = [learned(seed) for seed in range(24)], algebra()
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(learned, range(24))) == alone
    assert algebra() == before  # linear algebra has its threads back


@pytest.mark.slow
@ignore
def test_processes_learn_what_one_learns():
    alone = [learned(seed) for seed in range(4)]
    assert Parallel(2)(delayed(learned)(seed) for seed in range(4)) == alone
    X, y = datasets.clouds(300, 3, margin=0.02, flip=5)
    scores = [cross_val_score(Perceptron(), X, y, n_jobs=jobs).tolist() for jobs in (1, 2)]
    assert scores[0] == scores[1]


@ignore
@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_fork_after_training_learns_on():
    large, small = threaded(), learned(1)
    child = os.fork()
    if not child:
        signal.alarm(60)  # rather than hang
        os._exit(0 if (threaded(), learned(1)) == (large, small) else 1)
    assert os.waitpid(child, 0)[1] == 0
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map_async(learned, [1, 1]).get(60) == [small, small]


FORKING = """
import os, signal, sys, warnings
from concurrent.futures import ThreadPoolExecutor
warnings.simplefilter("ignore")
from core.test_threads import algebra, learned

sys.setswitchinterval(1e-5)
before, after, children = algebra(), learned(1), []
with ThreadPoolExecutor(4) as pool:
    others = [pool.submit(learned, 1) for _ in range(40)]
    while len(children) < 8:
        if child := os.fork():
            children.append(child)
            others[len(children)].result()
            continue
        signal.alarm(60)
        os._exit(0 if learned(1) == after and algebra() == before else 1)
assert [os.waitpid(child, 0)[1] for child in children] == [0] * 8
assert [other.result() for other in others] == [after] * 40
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_fork_while_threads_learn():
    """In a process of its own: what traces this one does not bear it."""
    run = [sys.executable, "-W", "ignore", "-c", FORKING]
    env = os.environ | {"PYTHONPATH": os.path.dirname(os.path.dirname(__file__))}
    assert subprocess.run(run, env=env, timeout=300).returncode == 0


LATE = """
from rosenblatt.core.threads import ALONE
with ALONE:
    pass
import scipy.linalg
from threadpoolctl import threadpool_info
with ALONE:
    found = [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]
assert found and set(found) == {1}, found
"""


@pytest.mark.skipif(
    all(pool["user_api"] != "blas" for pool in threadpool_info()),
    reason="this threadpoolctl does not know the linear algebra of this NumPy",
)
def test_libraries_loaded_later_work_in_one_thread_too():
    run = [sys.executable, "-W", "ignore", "-c", LATE]
    env = os.environ | {"OPENBLAS_NUM_THREADS": "2"}
    assert subprocess.run(run, env=env, timeout=300).returncode == 0


@pytest.mark.parametrize("cores", [1, 3, 8])
def test_looks_are_equal_bit_by_bit_in_any_number_of_threads(cores, monkeypatch):
    X, y = datasets.clouds(90_000, 13, margin=0.01)
    few = Perceptron(max_iter=2, settle="never").fit(X[:500], y[:500])

    def seen():
        model = Perceptron().fit(X, y)
        weights = model.coef_.tobytes(), model.intercept_.tobytes(), model.margin_bounds_
        scores = few.decision_function(X).tobytes(), few.score(X, y), model.score(X, y)
        return *weights, *scores, certify(X, y).to_json()

    as_here = seen()
    monkeypatch.setattr(threads, "CORES", cores)
    assert seen() == as_here
