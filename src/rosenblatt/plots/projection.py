"""The plane of a picture: what is seen of rows and hyperplanes in two dimensions.

Two features are their own plane. With more, the first axis is the signed distance from the
hyperplane, along w, and the second the first principal direction of the rows orthogonal to w: so
the hyperplane is a line seen edge on, and every row is on its true side at its true distance.
"""

from typing import Any, NamedTuple

import numpy as np
from scipy.sparse.linalg import ArpackError, LinearOperator, svds

from rosenblatt.core.log import Log, births
from rosenblatt.core.loop import Array

PAD = 0.08  # of the width of the data, left free around them
STRETCHED = 5  # features whose ranges differ more than this are not drawn to one scale
MOST_ENLARGED = 3  # how much larger a picture may become to show a line that is near
QUANTILES = 0.01, 0.99  # between which the bulk of the rows is
FAR_OUT = 3  # times the length of the bulk, beyond which an axis is cut
FEWEST_CUT = 100  # rows of which some may be cut off
SQUAT = 0.6  # the least height of a picture drawn to one scale, relative to its width


class Plane(NamedTuple):
    """A point of feature space and two directions from there."""

    origin: Array
    axes: Array  # of shape (2, n_features)
    words: tuple[str, str]  # what the axes are called; see plots.words

    def project(self, X: Any) -> Array:
        """The rows as points of the picture."""
        return X @ self.axes.T - self.origin @ self.axes.T

    def lift(self, points: Array) -> Array:
        """Points of the picture as rows."""
        return self.origin + points @ self.axes

    def cut(self, W: Array) -> Array:
        """Where hyperplanes (w, b) cut the plane: v₁, v₂ and c of each line v·p + c = 0."""
        w = W[:, :-1]
        return np.column_stack((w @ self.axes.T, w @ self.origin + W[:, -1]))

    def trail(self, log: Log, X: Any) -> Array:
        """The line of every hypothesis of a run, the start first.

        The same sums as in ``Log.path``, taken in the plane: cheap, and for two features equal.
        """
        bias = np.full(X.shape[0], log.bias)
        rows = np.column_stack((X @ self.axes.T, X @ self.origin + bias))
        start = self.cut(log.start)
        moved = np.cumsum(log.c[:, None] * rows[log.i], axis=0)
        return np.concatenate((start, (start + moved)[births(log.t)]))


def plane_of(model: Any, X: Any) -> Plane:
    """The plane in which a model is best looked at."""
    d, mean = X.shape[1], np.asarray(X.mean(axis=0)).ravel()
    if d <= 2:
        return Plane(np.zeros(d), np.eye(2, d), ("feature 0", "feature 1"))
    W = getattr(model, "coef_", np.zeros((1, d)))
    if len(W) > 1:
        return Plane(mean, widest_directions(W, X), ("weights 1", "weights 2"))
    if not W.any():
        first = principal(X, np.zeros((1, d)))
        return Plane(mean, np.stack((first, principal(X, first[None]))), ("pc 1", "pc 2"))
    return edge_on(W[0], float(model.intercept_[0]), X)


def edge_on(w: Array, b: float, X: Any) -> Plane:
    """The plane through the rows' middle in which a hyperplane is seen edge on, at 0."""
    mean = np.asarray(X.mean(axis=0)).ravel()
    length = np.linalg.norm(w)
    u = w / length
    origin = mean - (u @ mean + b / length) * u
    return Plane(origin, np.stack((u, principal(X, u[None]))), ("distance", "orthogonal"))


def widest_directions(W: Array, X: Any) -> Array:
    """The two directions in which the weights of several classes differ most."""
    _, sizes, directions = np.linalg.svd(W - W.mean(axis=0), full_matrices=False)
    first = directions[0] if sizes[0] > 0 else principal(X, np.zeros((1, X.shape[1])))
    if sizes[1] > 1e-12 * sizes[0]:  # more than rounding leaves of a direction that is not there
        return upright(np.stack((first, directions[1])))
    return upright(np.stack((first, principal(X, first[None]))))


def principal(X: Any, given: Array) -> Array:
    """The first principal direction of the rows orthogonal to the given ones of length 1."""
    mean = np.asarray(X.mean(axis=0)).ravel()

    def rest(v: Array) -> Array:
        return v - given.T @ (given @ v)

    centred = LinearOperator(
        X.shape,
        matvec=lambda v: X @ rest(v.ravel()) - mean @ rest(v.ravel()),
        rmatvec=lambda u: rest(X.T @ u.ravel() - mean * u.sum()),
        dtype=np.float64,
    )
    try:
        found = rest(svds(centred, k=1, v0=np.ones(min(X.shape)))[2][0])
    except ArpackError:  # the rows do not differ otherwise
        found = np.zeros(len(mean))
    if not np.linalg.norm(found) > 0.5:
        found = rest(np.eye(len(mean))[np.argmin(np.abs(given).sum(axis=0))])
    return upright(found[None] / np.linalg.norm(found))[0]


def upright(directions: Array) -> Array:
    """The directions, each turned so that its largest part is positive."""
    largest = np.argmax(np.abs(directions), axis=1)
    return directions * np.sign(directions[np.arange(len(directions)), largest])[:, None]


# -- The frame of the picture ----------------------------------------------------------------------


class Box(NamedTuple):
    """The corners of a picture, and whether both axes have one scale."""

    low: Array
    high: Array
    equal: bool

    @property
    def size(self) -> Array:
        return self.high - self.low

    def holds(self, points: Array) -> Array:
        return np.all((self.low <= points) & (points <= self.high), axis=1)

    def grid(self, n: int) -> tuple[Array, Array, Array]:
        """n × n points: both coordinates as vectors, and all points as rows."""
        x, y = np.linspace(self.low, self.high, n).T
        return x, y, np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)


def box_of(points: Array) -> Box:
    """A box around points, neither empty nor, where one scale serves both axes, too flat."""
    low, high = points.min(axis=0), points.max(axis=0)
    size = high - low
    size = np.where(size > 0, size, size.max() or 2.0)
    equal = bool(size.max() <= STRETCHED * size.min())
    wanted = size * (1 + 2 * PAD)
    if equal:
        wanted = np.maximum(wanted, SQUAT * wanted.max())
    middle = (low + high) / 2
    return Box(middle - wanted / 2, middle + wanted / 2, equal)


def core(points: Array) -> Array:
    """The points without those so far out that the others would be a speck beside them.

    An axis is cut where the points between two quantiles take less than a part of its length.
    """
    keep = np.ones(len(points), bool)
    for values in points.T if len(points) >= FEWEST_CUT else ():
        low, high = np.quantile(values, QUANTILES)
        if values.max() - values.min() > FAR_OUT * (high - low) > 0:
            spare = 0.5 * (high - low)
            keep &= (values >= low - spare) & (values <= high + spare)
    return points[keep]


def reach(box: Box, points: Array, lines: Array) -> Box:
    """A box that has room for lines too, if most of them would be missed and are near."""
    lines = lines[lines[:, :2].any(axis=1)]
    corners = np.array(
        [(x, y, 1.0) for x in (box.low[0], box.high[0]) for y in (box.low[1], box.high[1])]
    )
    values = corners @ lines.T
    crossing = (values.min(axis=0) < 0) & (values.max(axis=0) > 0)
    if not len(lines) or crossing.mean() >= 0.5:
        return box
    middle, v = (box.low + box.high) / 2, lines[:, :2]
    away = ((v @ middle + lines[:, 2]) / (v**2).sum(axis=1))[:, None] * v
    near = (np.abs(away) <= MOST_ENLARGED * box.size / 2).all(axis=1)
    return box_of(np.vstack((points, middle - away[near])))


def segment(line: Array, box: Box) -> Array | None:
    """The part of the line v·p + c = 0 within a box: its two ends, or None.

    None also if v is zero, which is a hypothesis without a hyperplane.
    """
    length = np.hypot(line[0], line[1])
    if length == 0:
        return None
    normal, offset = line[:2] / length, line[2] / length
    middle, along = (box.low + box.high) / 2, np.array([-normal[1], normal[0]])
    foot = middle - (normal @ middle + offset) * normal
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = np.stack((box.low - foot, box.high - foot)) / along
    parallel = along == 0
    if (parallel & ((foot < box.low) | (foot > box.high))).any():
        return None
    low = np.where(parallel, -np.inf, ends.min(axis=0)).max()
    high = np.where(parallel, np.inf, ends.max(axis=0)).min()
    return foot + np.outer((low, high), along) if low < high else None
