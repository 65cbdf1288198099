"""Accuracy on rows that were not learned from, both perceptrons at their defaults, five folds.

    python benchmarks/accuracy.py [table.csv ...]

Ten tables of scikit-learn and those named, raw and standardized. The differences are those of the
same folds, with their standard errors.
"""

import sys
import warnings

import numpy as np
from sklearn import datasets
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Perceptron as Peer
from sklearn.model_selection import StratifiedKFold, cross_val_score
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
FOLDS = StratifiedKFold(5, shuffle=True, random_state=0)


def folds(model, X, y, standardized):
    """The accuracy on each fold."""
    model = make_pipeline(StandardScaler(), model) if standardized else model
    return cross_val_score(model, X, y, cv=FOLDS)


def table(name, X, y):
    """A row of the result for the columns as they are, and one for standardized columns."""
    for standardized in (False, True):
        ours, peers = (folds(model, X, y, standardized) for model in (Perceptron(), Peer()))
        difference = ours - peers
        error = difference.std(ddof=1) / len(difference) ** 0.5
        units = "standardized" if standardized else "raw"
        print(f"{name:28} {units:12} {ours.mean():.3f} {peers.mean():.3f}", end=" ")
        print(f"{difference.mean():+.3f} ± {error:.3f}", flush=True)


def main():
    warnings.simplefilter("ignore", ConvergenceWarning)
    print(f"{'':41} ours  theirs difference")
    for name, load in TABLES.items():
        table(name, *load(return_X_y=True))
    for path in sys.argv[1:]:
        found = read(path)
        table(path.split("/")[-1], found.X, np.unique(found.y, return_inverse=True)[1])


if __name__ == "__main__":
    main()
