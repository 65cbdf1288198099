"""The fewest mistakes that a hyperplane makes, and a proof of how few there can be."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from sklearn.utils import check_random_state

from rosenblatt.core.loop import Array
from rosenblatt.inputs.labels import labels_of, refuse_strangers
from rosenblatt.inputs.parameters import number as checked
from rosenblatt.inputs.validation import (
    Problem,
    binary_problem,
    check_lengths,
    class_factors,
    validate_exactly,
)
from rosenblatt.progress import bar, unreported
from rosenblatt.separability.certificate_parts import html_table, listed_rows
from rosenblatt.separability.coding import coded
from rosenblatt.separability.counting.both_bounds import WORK, Counting, count_both
from rosenblatt.separability.counting.mistakes_certificate import (
    MistakesCertificate,
    mistakes_proof,
)

LEAVE_OUT = "Only rows without weight have them: leave these rows out"
LEAST, MOST = 1e-250, 1e250  # of what mistakes may cost: sums and squares are in range
FEW_CONFLICTS = 0.005  # of all work: conflicts that nothing is proved by, to be looked at


@dataclass(frozen=True)
class FewestMistakes:
    """A hyperplane with few mistakes, and how few any hyperplane can make.

    Attributes
    ----------
    w, b : ndarray of shape (n_features,), float
        The hyperplane.
    rows : ndarray of int
        The rows that it misclassifies, in order, but those whose weight is zero.
    mistakes : int, or float with weights
        Their number, counted exactly; with weights, their total cost.
    at_least : int, or float with weights
        No hyperplane makes fewer.
    optimal : bool
        Whether the two are equal.
    proof : {"conflicts", "enumeration", "inseparable"}
        What proves `at_least`: conflicts, which `certificate` contains; an enumeration; or that the
        rows are inseparable, of which :func:`certify` has the proof.
    """

    w: Array
    b: float
    rows: Array
    mistakes: int | float
    at_least: int | float
    optimal: bool
    proof: str
    _problem: Problem = field(repr=False, compare=False)
    _counting: Counting = field(repr=False, compare=False)
    _weighted: bool = field(repr=False, compare=False)

    @property
    def conflicts(self) -> list[Array]:
        """Rows that no hyperplane gets right together, for each conflict that was collected."""
        if self._counting.enumerated and not self._counting.collection.conflicts:
            self._counting.bound(FEW_CONFLICTS * WORK)
        return [conflict.rows for conflict in self._counting.collection.conflicts]

    def certificate(self) -> MistakesCertificate:
        """The proof, for `verify`: the mistakes counted, and what conflicts prove of `at_least`.

        What is not known by conflicts is not in it; see `proof`. Its bound is a whole multiple of
        the common unit of all weights, which with two weights may be below `at_least`.
        """
        if self._counting.enumerated and not self._counting.collection.spent:
            self._counting.bound(WORK / 4)
        return mistakes_proof(self._problem, self._counting, self._weighted)

    def __str__(self) -> str:
        made = f"{self.mistakes} mistakes of {len(self._problem.codes)} rows"
        if self.optimal:
            return f"{made}, and no hyperplane makes fewer"
        return f"{made}; no hyperplane makes fewer than {self.at_least}"

    def _repr_html_(self) -> str:
        facts = {
            "mistakes": str(self.mistakes),
            "at least": f"{self.at_least}, by {self.proof}",
            "rows": listed_rows(self.rows.tolist()) if len(self.rows) else "none",
        }
        return html_table(facts, str(self))


def fewest_mistakes(
    X: Any,
    y: Any = None,
    *,
    fit_intercept: bool = True,
    effort: float = 1.0,
    class_weight: Any = None,
    sample_weight: Any = None,
    random_state: Any = 0,
    n_jobs: int | None = None,
    verbose: int = 0,
) -> FewestMistakes:
    """Find a hyperplane with few mistakes, and prove how few there can be.

    Finding the fewest mistakes is NP-hard. In low dimensions all hyperplanes are enumerated;
    otherwise simulated annealing with exact line searches looks for few mistakes, and conflicts
    among rows prove a lower bound. A point on the hyperplane is a mistake.

    Parameters
    ----------
    X, y : array-like, or data frame, or table of `read`
        Rows and their two labels, as `certify` takes them.
    fit_intercept : bool
        Whether the hyperplane may be anywhere, or must go through the origin.
    effort : float
        How much work to do: 1 takes up to about half a minute. The result depends on it, not on
        the speed of the machine.
    class_weight : dict, "balanced" or None
        The cost of a mistake in a row of each class.
    sample_weight : array-like of shape (n_samples,) or None
        The cost of a mistake in each row.
    random_state : int, RandomState or None
        Seeds the search.
    n_jobs : int or None
        Number of threads; as many as there are cores if None.
    verbose : int
        1 shows a progress bar on standard error.

    Returns
    -------
    FewestMistakes

    References
    ----------
    Li, L. and Lin, H.-T. (2007). Optimizing 0/1 loss for perceptrons by random coordinate descent.
    IJCNN. Pfetsch, M. E. (2008). Branch-and-cut for the maximum feasible subsystem problem. SIAM
    Journal on Optimization 19.

    Examples
    --------
    >>> from rosenblatt import datasets, fewest_mistakes, verify
    >>> X, y = datasets.clouds(500, 5, margin=0.1)
    >>> y[[7, 8]] = -y[[7, 8]]
    >>> found = fewest_mistakes(X, y)
    >>> found.rows, found.mistakes, found.at_least, found.optimal
    (array([7, 8]), 2, 2, True)
    >>> verify(found.certificate(), X, y)
    True
    """
    checked("effort", effort, 0)
    X, y, _ = coded(X, y)
    problem = validate_exactly(X, y, sample_weight, float(bool(fit_intercept)))
    counting = set_up(problem, fit_intercept, class_weight, check_random_state(random_state))
    refuse_strangers(labels_of(y), problem.classes[problem.codes], LEAVE_OUT)
    counting.jobs = None if n_jobs is None else effective_n_jobs(n_jobs)
    with bar(verbose > 0) as counting.report:
        count_both(counting, float(effort))
    counting.report = unreported
    return summary(problem, counting, class_weight is not None or sample_weight is not None)


def obstacles(X: Any, y: Any = None, *, fit_intercept: bool = True) -> Array:
    """Find a small set of rows whose removal makes the rest linearly separable.

    They are the rows of `fewest_mistakes`, which also says how small such a set can be.

    Parameters
    ----------
    X, y : array-like, or data frame, or table of `read`
        Rows and their two labels, as `certify` takes them.
    fit_intercept : bool
        Whether the hyperplane may be anywhere, or must go through the origin.

    Returns
    -------
    ndarray of int
        The rows, in order; none if the data are separable.

    Examples
    --------
    >>> from rosenblatt import datasets, obstacles
    >>> X, y = datasets.clouds(500, 5, margin=0.1)
    >>> y[7] = -y[7]
    >>> obstacles(X, y)
    array([7])
    """
    return fewest_mistakes(X, y, fit_intercept=fit_intercept).rows


def set_up(problem: Problem, fit_intercept: bool, class_weight: Any, rng: Any) -> Counting:
    """The rows, with what a mistake in each costs; those that cost nothing are left out."""
    primal, rows = binary_problem(problem, fit_intercept, "take them two at a time")
    check_lengths(primal, rows.norm2)
    costs = problem.weight * class_factors(problem, class_weight)[problem.codes]
    train = problem.train[costs[problem.train] > 0]
    if not len(train):
        raise ValueError("all rows have weight zero: there is no mistake to count")
    with np.errstate(over="ignore"):
        least, total = costs[train].min(), costs[train].sum()
    if least < LEAST or total > MOST:
        raise ValueError(f"weights are from {LEAST:g} to {MOST:g} together: scale them")
    return Counting(primal, rows._replace(cost=costs, train=train), rng)


def summary(problem: Problem, counting: Counting, weighted: bool) -> FewestMistakes:
    """What was found, in the user's terms."""
    best, least = counting.best, counting.at_least
    return FewestMistakes(
        w=best.w[:-1].copy(),
        b=float(best.w[-1]),
        rows=np.sort(best.wrong),
        mistakes=float(best.cost) if weighted else int(best.cost),
        at_least=float(least) if weighted else int(least),
        optimal=counting.optimal,
        proof=counting.proof,
        _problem=problem,
        _counting=counting,
        _weighted=weighted,
    )
