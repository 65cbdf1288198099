"""Which labels are wrong? The suspects of fewest_mistakes beside those of cleanlab.

python benchmarks/wrong_labels.py

A share of the labels of each table is flipped, and both are asked which: `fewest_mistakes` names
the rows that its hyperplane gets wrong; cleanlab those whose label disagrees with the probabilities
that logistic regression, on standardized columns, gives them in five-fold cross-validation.
Precision is the share of suspects that were flipped, recall the share of flipped rows that are
suspects.
"""

import time
import warnings

import numpy as np
from cleanlab.filter import find_label_issues
from rich.console import Console
from rich.table import Table
from sklearn.datasets import load_breast_cancer, load_digits, load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rosenblatt import datasets, fewest_mistakes

SHARES = 0.01, 0.02, 0.05


def tables():
    """Names, rows and labels 0 and 1."""
    for n, d in ((2000, 5), (5000, 20)):
        X, y = datasets.clouds(n, d, margin=0.05)
        yield f"clouds, {n:,} × {d}, margin 0.05", X, (y > 0).astype(int)
    X, y = load_iris(return_X_y=True)
    yield "iris: setosa or not", X, (y == 0).astype(int)
    X, y = load_breast_cancer(return_X_y=True)
    yield "breast cancer", X, y
    X, y = load_digits(return_X_y=True)
    yield "digits: 0 or not", X, (y == 0).astype(int)


def ours(X, y):
    return fewest_mistakes(X, y).rows


def theirs(X, y):
    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
    probabilities = cross_val_predict(model, X, y, cv=5, method="predict_proba")
    return find_label_issues(y, probabilities, return_indices_ranked_by="self_confidence", n_jobs=1)


def score(find, X, y, flipped):
    """Precision and recall of the suspects, and the seconds they took."""
    start = time.perf_counter()
    suspects = set(np.asarray(find(X, y)).tolist())
    seconds = time.perf_counter() - start
    hits = len(suspects & set(flipped.tolist()))
    return hits / max(len(suspects), 1), hits / len(flipped), seconds


def main():
    warnings.simplefilter("ignore")
    sides = [
        f"{who} {what}" for who in ("ours", "cleanlab") for what in ("precision", "recall", "s")
    ]
    view = Table("table", "flipped", *sides)
    for name, X, y in tables():
        for share in SHARES:
            flipped = np.random.default_rng(0).choice(len(y), round(share * len(y)), replace=False)
            noisy = y.copy()
            noisy[flipped] = 1 - noisy[flipped]
            both = [f"{v:.2f}" for find in (ours, theirs) for v in score(find, X, noisy, flipped)]
            view.add_row(name, f"{len(flipped)} ({share:.0%})", *both)
    Console(width=140).print(view)


if __name__ == "__main__":
    main()
