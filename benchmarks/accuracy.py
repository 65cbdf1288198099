"""Accuracy on rows that were not learned from: our defaults and keep="average", scikit-learn's.

    python benchmarks/accuracy.py [table.csv ...]

Ten tables of scikit-learn and those named, raw and standardized, three times five folds. The
differences are those of the same folds. Folds share training rows, so their standard error takes
the correction of Nadeau and Bengio (2003): the variance over n folds is divided by n, and one
quarter, the test rows over the training rows, is added to 1/n.
"""

import sys
import warnings

import numpy as np
from sklearn import datasets
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Perceptron as Peer
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rosenblatt import Perceptron, read

made = datasets.make_classification
TABLES = {
    "iris": datasets.load_iris,
    "wine": datasets.load_wine,
    "breast cancer": datasets.load_breast_cancer,
    "digits": datasets.load_digits,
    "moons": lambda **_: datasets.make_moons(500, noise=0.2, random_state=0),
    "20 columns, 5 tell": lambda **_: made(600, 20, n_informative=5, flip_y=0.05, random_state=0),
    "3 classes": lambda **_: made(1000, 10, n_informative=8, n_classes=3, random_state=1),
    "100 columns": lambda **_: made(300, 100, n_informative=20, random_state=2),
    "rare class": lambda **_: made(2000, 10, weights=[0.95], random_state=3),
    "10 % wrong": lambda **_: made(3000, 15, n_informative=10, flip_y=0.1, random_state=4),
}
FOLDS = RepeatedStratifiedKFold(n_splits=5, n_repeats=3, random_state=0)
OURS = {"default": Perceptron(), "average": Perceptron(keep="average")}


def folds(model, X, y, standardized):
    """The accuracy on each fold."""
    model = make_pipeline(StandardScaler(), model) if standardized else model
    return cross_val_score(model, X, y, cv=FOLDS)


def compared(ours, peers):
    """An accuracy, and its difference in standard errors from the other, marked if it is below."""
    difference = ours - peers
    error = difference.std(ddof=1) * (1 / len(difference) + 1 / 4) ** 0.5
    worse = " *" if difference.mean() < -error else "  "
    return f"{ours.mean():.3f} {difference.mean():+.3f} ± {error:.3f}{worse}"


def table(name, X, y):
    """A row of the result for the columns as they are, and one for standardized columns."""
    for standardized in (False, True):
        peers = folds(Peer(), X, y, standardized)
        told = [compared(folds(model, X, y, standardized), peers) for model in OURS.values()]
        units = "standardized" if standardized else "raw"
        print(f"{name:20} {units:12} {peers.mean():.3f}  {'  '.join(told)}", flush=True)


def main():
    warnings.simplefilter("ignore", ConvergenceWarning)
    heads = "  ".join(f"{name + ', difference':24}" for name in OURS)
    print(f"{'':33} theirs {heads}(* worse by more than one standard error)")
    for name, load in TABLES.items():
        table(name, *load(return_X_y=True))
    for path in sys.argv[1:]:
        found = read(path)
        table(path.split("/")[-1], found.X, np.unique(found.y, return_inverse=True)[1])


if __name__ == "__main__":
    main()
