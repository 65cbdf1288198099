"""The maximum-margin separator: the hyperplane half way between the hulls of two classes."""

import math
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.core.loop import Array
from rosenblatt.core.orders import nearest
from rosenblatt.core.threads import one_thread
from rosenblatt.inputs.parameters import number
from rosenblatt.inputs.validation import binary_problem, validate_data
from rosenblatt.separability.answers import Conflict, Separator
from rosenblatt.separability.certificate_parts import html_table, listed_rows
from rosenblatt.separability.convex_hull.distance import Sides, hulls_of, plane, upper_bound
from rosenblatt.separability.convex_hull.nearest_point import Nearest, nearest_points
from rosenblatt.separability.convex_hull.refined_nearest_point import walk_on
from rosenblatt.separability.decide import decide
from rosenblatt.separability.exact.certainty import LONGEST, SHORTEST
from rosenblatt.separability.exact.double_double import Twofold, twofold

WIDENINGS = 500
LARGEST = 2**22  # numbers in the first working set
MARGIN_TOO_FINE = "the margin is too fine for floating point: scale the features"


class MaxMargin(NamedTuple):
    """The separator with the largest geometric margin.

    Attributes
    ----------
    w, b : ndarray of shape (n_features,), float
        The hyperplane, scaled so that the nearest rows have the functional margin
        y (w·x + b) = 1, up to the rounding of w and b.
    margin : float
        Its geometric margin: the distance of the nearest rows from the hyperplane as it is
        returned, to the nearest floating-point number.
    upper : float
        No hyperplane has a larger geometric margin than this.
    support : ndarray of int
        The rows of which w is a combination.
    """

    w: Array
    b: float
    margin: float
    upper: float
    support: Array

    def _repr_html_(self) -> str:
        facts = {
            "margin": f"{self.margin:.6g}, and none exceeds {self.upper:.6g}",
            "support": listed_rows(self.support.tolist()),
        }
        return html_table(facts, f"The nearest rows are {self.margin:.3g} from the hyperplane.")


def max_margin(X: Any, y: Any, *, fit_intercept: bool = True, tol: float = 1e-6) -> MaxMargin:
    """Find the separator with the largest geometric margin.

    It is that of a support vector machine with a hard margin, whose bias is not penalized: half
    way between the nearest points of the convex hulls of the two classes.

    Parameters
    ----------
    X, y : array-like
        Rows and their two labels.
    fit_intercept : bool
        Whether there is a bias. Without it the hyperplane goes through the origin.
    tol : float
        Relative gap allowed between `margin` and `upper`. Where rounding does not allow it, the gap
        is larger, and both bounds remain valid.

    References
    ----------
    Bennett, K. P., & Bredensteiner, E. J. (2000). Duality and geometry in SVM classifiers. ICML.

    Examples
    --------
    >>> from rosenblatt import datasets, max_margin
    >>> found = max_margin(*datasets.textbook())
    >>> found.w.round(3).tolist(), round(found.b, 3), found.support.tolist()
    ([0.5, 0.5], -2.0, [0, 2])
    >>> round(found.margin, 3)
    1.414
    """
    number("tol", tol, 0, 1)
    return widest_of(X, y, fit_intercept, tol)


def augmented_margin(X: Any, y: Any, fit_intercept: bool = True) -> MaxMargin:
    """The separator with the largest margin in the space of (x, 1), that of Novikoff's theorem.

    There the bias is a weight, and lengths are those of (w, b).
    """
    return widest_of(X, y, fit_intercept, 1e-6, augmented=True)


@one_thread
@np.errstate(over="ignore", invalid="ignore", divide="ignore")  # refused at the end
def widest_of(
    X: Any, y: Any, fit_intercept: bool, tol: float, augmented: bool = False
) -> MaxMargin:
    """Decide, then widen the margin of the separator that was found."""
    problem = validate_data(X, y, bias=float(bool(fit_intercept)))
    primal, rows = binary_problem(problem, fit_intercept, "a margin is between two")
    answer = decide(primal, rows)
    if isinstance(answer, Conflict):
        told = listed_rows(sorted(answer.rows.tolist()), 20)
        raise ValueError(f"the data are not separable: rows {told} are in conflict")
    if not isinstance(answer, Separator):
        raise ValueError(f"no separator is known: {answer.reason}")
    hulls = hulls_of(primal, rows, augmented)
    found = widen(hulls, answer.w / np.abs(answer.w).max(), tol)
    if found is None:
        raise ValueError(MARGIN_TOO_FINE)
    return found


def widen(hulls: Sides, w: Array, tol: float) -> MaxMargin | None:
    """Nearest points, in floating point and, if their margin is not within tol, beyond it."""
    hulls, near = nearest_pairs(hulls, w, tol)
    found = evidence(hulls, near.corral, twofold(near.weights), near.x)
    if not found.margin >= (1 - tol) * found.upper:
        finer = walk_on(hulls, near.corral, near.weights, tol / 4)
        if finer is not None:
            found = better(found, evidence(hulls, finer.pairs, finer.weights, finer.x.hi))
        found = better(found, evidence(hulls, near.corral, twofold(near.weights), w))
    return found if found.margin > 0 and np.isfinite(found.w).all() else None


def evidence(hulls: Sides, pairs: Array, weights: Twofold, x: Array) -> MaxMargin:
    """What a direction attains, and what weights prove that none exceeds."""
    w, margin = plane(hulls, x)
    support = np.unique(pairs[:, : len(hulls.places)])
    upper = upper_bound(hulls, pairs, weights)
    return MaxMargin(w[:-1], float(w[-1]), margin, upper, hulls.rows.train[support])


def better(a: MaxMargin, b: MaxMargin) -> MaxMargin:
    """The wider of two separators, and the smaller of two bounds."""
    return (b if b.margin > a.margin else a)._replace(upper=min(a.upper, b.upper))


def nearest_pairs(hulls: Sides, w: Array, tol: float) -> tuple[Sides, Nearest]:
    """The nearest points of the hulls of all rows, as pairs of places.

    Those of the hulls of some rows are found; the rows behind them join, until there are none, or
    they are behind by no more than the tolerance.
    """
    m, known = hulls.products(w), None
    few = max(32, min(2 * len(w), LARGEST // len(w)))
    members = [places[nearest(m[places], few)] for places in hulls.places]
    for _ in range(WIDENINGS):
        U, V, unit = working_set(hulls, members)
        near = known = nearest_points(U, V, tol / 4, known)
        m = hulls.products(near.x) * unit
        low = sum(float(m[places].min()) for places in hulls.places)
        fresh = [behind(m, *side, 2 * few) for side in zip(hulls.places, members, strict=True)]
        if low >= (1 - tol / 2) * (near.x @ near.x) or not any(map(len, fresh)):
            break
        members = [np.append(*parts) for parts in zip(members, fresh, strict=True)]
    ends = [members[k][near.corral[:, k]] for k in range(len(members))]
    return hulls._replace(unit=unit), near._replace(corral=np.column_stack((ends[0], ends[-1])))


def working_set(hulls: Sides, members: list[Array]) -> tuple[Array, Array, float]:
    """The rows of both hulls, moved and scaled together so that none is longer than about 1."""
    U, *others = (hulls.points(places) for places in members)
    V = others[0] if others else np.zeros_like(U[:1])
    centre = V[0].copy()
    U, V = U - centre, V - centre
    size = max(np.abs(U).max(), np.abs(V).max())
    if not SHORTEST < size < LONGEST:
        raise ValueError(MARGIN_TOO_FINE)
    unit = 2.0 ** -math.frexp(size)[1]
    return U * unit, V * unit, unit


def behind(m: Array, places: Array, members: Array, most: int) -> Array:
    """The places of rows whose products are below those of all members, the smallest."""
    near = places[nearest(m[places], most)]
    return near[m[near] < m[members].min()]
