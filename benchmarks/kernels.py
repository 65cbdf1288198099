"""KernelPerceptron beside SVC on digits, on many rows, and within a budget."""

import resource
import time
import warnings

import numpy as np
from sklearn.base import clone
from sklearn.datasets import load_digits, make_classification
from sklearn.model_selection import train_test_split
from sklearn.svm import SVC
from threadpoolctl import threadpool_limits

from rosenblatt import KernelPerceptron

KERNELS = {
    "rbf, gamma=1": {"kernel": "rbf", "gamma": 1.0},
    "poly, degree 4": {"kernel": "poly", "degree": 4, "gamma": 1.0, "coef0": 1.0},
}


def timed(call, *given):
    """What a call gives, and the seconds it takes."""
    start = time.perf_counter()
    result = call(*given)
    return result, time.perf_counter() - start


# -- Digits ----------------------------------------------------------------------------------------


def on_digits(splits=10):
    """The mean test error and the training time of each model, over random splits."""
    X, y = load_digits(return_X_y=True)
    for name, kernel in KERNELS.items():
        models = {"SVC(C=10)": SVC(C=10, **kernel)} | {
            f"KernelPerceptron({keep})": KernelPerceptron(keep=keep, max_iter=30, **kernel)
            for keep in ("vote", "average", "last")
        }
        averaged = {"keep": "average", "max_iter": 30, **kernel}
        models |= {
            "KernelPerceptron(average, no bias)": KernelPerceptron(fit_intercept=False, **averaged),
            "KernelPerceptron(average, direct)": KernelPerceptron(multi_class="direct", **averaged),
            "KernelPerceptron(average, direct, 5 passes)": KernelPerceptron(
                multi_class="direct", **averaged | {"max_iter": 5}
            ),
        }
        found = {title: [] for title in models}
        for seed in range(splits):
            cut = train_test_split(X / 16, y, train_size=1200, random_state=seed)
            for title, model in models.items():
                found[title].append(one_split(model, *cut))
        report(f"digits, {name}", found)


def one_split(model, X, held, y, wanted):
    """The test error and the seconds of training, the best of three."""
    seconds = min(timed(model.fit, X, y)[1] for _ in range(3))
    return 1 - model.score(held, wanted), seconds


def report(title, found):
    """A table, each row against the first."""
    print(f"\n{title:44} test error   of SVC   training   times faster")
    columns = {name: np.transpose(pairs) for name, pairs in found.items()}
    means = {name: (errors.mean(), np.median(s)) for name, (errors, s) in columns.items()}
    error, seconds = next(iter(means.values()))
    for name, (e, s) in means.items():
        print(f"{name:44} {e:10.4f} {e / error:8.2f} {1e3 * s:8.1f} ms {seconds / s:9.2f}")


# -- Larger than memory ----------------------------------------------------------------------------


def larger_than_memory(n=50_000):
    """The seconds and the memory of a run whose Gram matrix would be 20 GB."""
    X, y = make_classification(
        n, n_features=20, n_informative=10, flip_y=0.02, class_sep=1.5, random_state=0
    )
    print(f"\n{n} rows, rbf, five passes      mistakes   training   memory so far")
    for keep in ("last", "pocket", "average"):
        model, seconds = timed(KernelPerceptron(keep=keep, max_iter=5).fit, X, y)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
        print(f"keep={keep:26} {model.n_updates_:8} {seconds:8.1f} s {peak:8} MB")


# -- Budgets ---------------------------------------------------------------------------------------


def within_a_budget(splits=3):
    """The test error of one online pass over digits, by what is forgotten."""
    X, y = load_digits(return_X_y=True)
    kernel = KERNELS["poly, degree 4"] | {"multi_class": "direct", "keep": "last"}
    print("\ndigits online, test error    budget 30        60       120")
    for forget in ("margin", "project"):
        means = []
        for budget in (30, 60, 120):
            model = KernelPerceptron(budget=budget, forget=forget, **kernel)
            cuts = [train_test_split(X / 16, y, random_state=seed) for seed in range(splits)]
            means.append(np.mean([online_error(clone(model), *cut) for cut in cuts]))
        print(f"forget={forget:20}", *(f"{mean:9.3f}" for mean in means))


def online_error(model, X, held, y, wanted, size=200):
    """The test error after one pass, some rows at a time."""
    for k in range(0, len(y), size):
        model.partial_fit(X[k : k + size], y[k : k + size], classes=np.unique(y))
    return 1 - model.score(held, wanted)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    with threadpool_limits(1):  # SVC has one thread, too
        on_digits()
        within_a_budget()
        larger_than_memory()
