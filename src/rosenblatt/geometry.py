"""The formulas of the lecture notes: distances, loss, margin and radius."""

import math
from typing import Any

import numpy as np
import scipy.sparse as sp

from rosenblatt.core.loop import Array
from rosenblatt.core.margin_bound import Bracket as Bracket  # where pickles look
from rosenblatt.core.vectors import lengths2, store


def distance(X: Any, w: Any, b: float = 0.0, *, absolute: bool = False) -> Array:
    """The signed distance (w·x + b) / |w| of each row from the hyperplane.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)
        The points.
    w : array-like of shape (n_features,)
        The normal of the hyperplane.
    b : float
        Its offset.
    absolute : bool
        Whether to drop the sign.

    Examples
    --------
    >>> import rosenblatt
    >>> rosenblatt.distance([[3, 3], [1, 1]], w=[3, 4], b=-7)
    array([2.8, 0. ])
    """
    f, length = _plane(X, w, b)
    return np.abs(f / length) if absolute else f / length


def perceptron_loss(X: Any, y: Any, w: Any, b: float = 0.0, *, normalized: bool = False) -> float:
    """The perceptron's loss: the sum of -y (w·x + b) over the misclassified rows.

    Parameters
    ----------
    X, y : array-like
        Points, and their labels -1 or +1.
    w, b : array-like of shape (n_features,), float
        The hyperplane.
    normalized : bool
        Divide by |w|: the total distance of the misclassified points from the hyperplane.

    Examples
    --------
    >>> import rosenblatt
    >>> rosenblatt.perceptron_loss([[3, 3], [1, 1]], [1, 1], w=[3, 4], b=-14)
    7.0
    >>> rosenblatt.perceptron_loss([[3, 3], [1, 1]], [1, 1], w=[3, 4], b=-14, normalized=True)
    1.4
    """
    f, length = _plane(X, w, b, normal_needed=normalized)
    y = np.asarray(y)
    if not np.isin(y, (-1, 1)).all():
        raise ValueError("the loss needs labels -1 and +1")
    if len(y) != len(f):
        raise ValueError(f"X has {len(f)} rows and y has {len(y)} labels")
    loss = float(np.maximum(-y * f, 0.0).sum())
    return loss / length if normalized else loss


def margin(X: Any, y: Any, w: Any, b: float = 0.0) -> float:
    """The smallest y (w·x + b) / |(w, b)|: how far the nearest row is on its right side.

    Lengths include the constant feature, as in the convergence theorem; negative if a row is on
    the wrong side.

    Examples
    --------
    >>> from rosenblatt.geometry import margin
    >>> margin([[3, 3], [4, 3], [1, 1]], [1, 1, -1], w=[2, 2], b=-1)
    -1.0
    """
    f, length = _plane(X, w, b, normal_needed=False)
    length = math.hypot(length, b)
    return float(np.min(np.asarray(y) * f)) / length if length else 0.0


def radius(X: Any, *, fit_intercept: bool = True) -> float:
    """The length of the longest row, the constant feature included.

    Examples
    --------
    >>> from rosenblatt.geometry import radius
    >>> radius([[2.0, 2.0], [1.0, 1.0]])
    3.0
    """
    X = X if sp.issparse(X) else np.asarray(X, float)
    return math.sqrt(lengths2(store(X, float(fit_intercept)), X.shape[0]).max())


def _plane(X: Any, w: Any, b: float, normal_needed: bool = True) -> tuple[Array, float]:
    """The values w·x + b, and |w|."""
    w = np.asarray(w, float).ravel()
    top = float(np.abs(w).max(initial=0.0)) or 1.0  # lest the squares overflow, or vanish
    length = top * float(np.linalg.norm(w / top))
    if normal_needed and length == 0:
        raise ValueError("w is zero: there is no hyperplane to be at a distance from")
    X = X if sp.issparse(X) else np.asarray(X, float)
    with np.errstate(over="ignore", invalid="ignore"):
        f = X @ w + float(b)
    if not np.isfinite(f).all():
        raise ValueError("w·x + b is not finite, or too large for floating point: scale w and b")
    return f, length
