"""Embedded and generated data. Every function returns X and y."""

from importlib.resources import files
from typing import Any

import numpy as np
from sklearn.datasets import make_blobs, make_circles, make_moons
from sklearn.utils import check_random_state

from rosenblatt.core.loop import Array

Labelled = tuple[Array, Array]

CREDIT_FEATURES = ("age", "income", "debt")


def credit() -> Labelled:
    """200 invented loan applications: age, income and debt (in thousands), and the decision.

    Approved when ``2 income - 3 debt + age > 60``; no application is within 5 of the line, so the
    two classes are separable.

    Examples
    --------
    >>> from rosenblatt import datasets
    >>> X, y = datasets.credit()
    >>> X.shape, sorted(set(y.tolist()))
    ((200, 3), ['no', 'yes'])
    """
    text = files("rosenblatt").joinpath("data/credit.csv").read_text()
    rows = [line.split(",") for line in text.splitlines()[1:]]
    return np.array([row[:-1] for row in rows], float), np.array([row[-1] for row in rows])


def clouds(
    n: int,
    d: int,
    margin: float,
    *,
    tight: bool = False,
    flip: int = 0,
    random_state: Any = 0,
) -> Labelled:
    """Normal rows on both sides of a random hyperplane, with a gap between them.

    Parameters
    ----------
    n, d : int
        Rows and features.
    margin : float
        How far every row is pushed away from the hyperplane, which goes through the origin.
    tight : bool
        Put half of the rows exactly at the margin, on either side.
    flip : int
        How many labels to flip, which makes the data noisy.
    random_state : int, RandomState or None
        The seed.

    Examples
    --------
    >>> from rosenblatt import Perceptron, datasets
    >>> X, y = datasets.clouds(1000, 10, margin=0.05)
    >>> Perceptron().fit(X, y).converged_
    True
    """
    rng = check_random_state(random_state)
    X, normal = rng.standard_normal((n, d)), rng.standard_normal(d)
    normal /= np.linalg.norm(normal)
    side = X @ normal
    y = np.where(side > 0, 1, -1)
    push = margin * y
    if tight:
        push[: n // 2] -= side[: n // 2]
    X += push[:, None] * normal
    y[rng.choice(n, flip, replace=False)] *= -1
    return X, y


def textbook() -> Labelled:
    """The three points of Li Hang's textbook: (3, 3) and (4, 3) against (1, 1).

    Examples
    --------
    >>> from rosenblatt import Perceptron, datasets
    >>> Perceptron(shuffle=False).fit(*datasets.textbook()).coef_
    array([[1., 1.]])
    """
    return np.array([[3.0, 3.0], [4.0, 3.0], [1.0, 1.0]]), np.array([1, 1, -1])


def xor() -> Labelled:
    """Exclusive or: four points that no line separates.

    Examples
    --------
    >>> from rosenblatt import Perceptron, datasets
    >>> Perceptron().fit(*datasets.xor()).converged_
    False
    """
    return np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]), np.array([-1, 1, 1, -1])


def moons(n: int = 200, *, noise: float = 0.1, random_state: Any = 0) -> Labelled:
    """Two interleaved half circles, from scikit-learn."""
    X, y = make_moons(n, noise=noise, random_state=random_state)
    return X, 2 * y - 1


def circles(
    n: int = 200, *, factor: float = 0.3, noise: float = 0.05, random_state: Any = 0
) -> Labelled:
    """Two concentric circles, from scikit-learn; the inner one is +1."""
    X, y = make_circles(n, factor=factor, noise=noise, random_state=random_state)
    return X, 2 * y - 1


def groups(
    n: int = 90, *, classes: int = 3, spread: float = 0.7, random_state: Any = 0
) -> Labelled:
    """Normal rows around the corners of a regular polygon, a class for each: A, B, C, …

    The corners are 3 from the origin. With three of them and a spread below about 0.7, a linear
    machine usually separates the classes.

    Examples
    --------
    >>> from rosenblatt import Perceptron, datasets
    >>> X, y = datasets.groups(spread=0.5)
    >>> Perceptron().fit(X, y).coef_.shape
    (3, 2)
    """
    turns = np.pi / 2 + 2 * np.pi * np.arange(classes) / classes
    corners = 3 * np.column_stack((np.cos(turns), np.sin(turns)))
    X, codes = make_blobs(n, centers=corners, cluster_std=spread, random_state=random_state)
    return X, np.array([chr(65 + c) for c in range(classes)])[codes]
