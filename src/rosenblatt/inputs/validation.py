"""The border: data come in here, and whatever can be refused of them is refused here."""

import math
from contextlib import nullcontext
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.utils import compute_class_weight
from sklearn.utils.validation import _check_sample_weight, check_consistent_length

from rosenblatt.core.loop import Array, Dense, Gram, Rows, Sparse, Storage
from rosenblatt.core.threads import ALONE
from rosenblatt.core.vectors import SMALLEST_NORMAL, lengths2, pick, store, take
from rosenblatt.inputs.exact_numbers import is_large, refuse_large, refuse_rounded
from rosenblatt.inputs.labels import (
    distinct,
    encode_labels,
    labels_of,
    refuse_strangers,
    require_two,
)
from rosenblatt.inputs.matrix import canonical as canonical
from rosenblatt.inputs.matrix import matrix_of as matrix_of
from rosenblatt.inputs.matrix import read_rows
from rosenblatt.inputs.other_arrays import in_numpy
from rosenblatt.inputs.plan import make_rule

GRAM_PRODUCTS = 2**27  # multiplications for a Gram matrix that take a few milliseconds


class Problem(NamedTuple):
    """Validated data."""

    X: Any  # a C-ordered array or a canonical CSR matrix, float32 or float64
    codes: Array  # the class of each row, as a position in classes
    classes: Array
    weight: Array  # sample weights
    train: Array  # the rows to learn from: those of positive weight that are not held back
    held: Array  # the rows held back for early stopping
    lengths: Array | None = None  # the squared lengths |x̂|² of the rows, if they are known,
    bias: float = 0.0  # with this bias

    def in_doubles(self) -> "Problem":
        """The same problem, in double precision."""
        return self._replace(X=self.X.astype(np.float64, copy=False))

    def with_rows(self, X: Any) -> "Problem":
        """The same labels, of other rows."""
        return self._replace(X=X, lengths=None)

    def lengths2(self, storage: Storage) -> Array:
        """The squared lengths |x̂|² of the rows, which a storage holds."""
        primal = isinstance(storage, Dense | Sparse) and storage.bias == self.bias
        known = self.lengths if primal else None
        return lengths2(storage, len(self.codes)) if known is None else known

    @property
    def ones(self) -> Array:
        """A one for each row; the weights, if these are."""
        return self.weight if (self.weight == 1).all() else np.ones(len(self.weight))


def validate_data(
    X: Any, y: Any, sample_weight: Any = None, classes: Any = None, bias: float = 0.0
) -> Problem:
    """Validate rows, labels and weights. `classes` are the known ones, or else those of y.

    If lengths of rows will be asked for with a `bias`, they are at hand.
    """
    given = in_numpy(X, "X")
    (X, lengths), y = read_rows(given, bias), labels_of(y)
    if X is not given and is_large(X):
        refuse_large(given)
    if X.shape[0] != len(y):
        check_consistent_length(X, y)  # which says how many there are of each
    weight, train = np.ones(len(y)), np.arange(len(y), dtype=np.uint32)
    if sample_weight is not None:
        weights = in_numpy(sample_weight, "sample_weight")
        weight = _check_sample_weight(weights, X, dtype=np.float64, ensure_non_negative=True)
        train = train[weight > 0]
    if not len(train):
        raise ValueError("all sample weights are zero: there is no row to learn from")
    known = distinct(pick(y, train)) if classes is None else classes
    codes = encode_labels(y, known)
    if classes is not None:
        refuse_strangers(
            pick(y, train),
            known[pick(codes, train)],
            "Name all classes in the first call of partial_fit",
        )
    return Problem(X, codes, known, weight, train, train[:0], lengths, bias)


def shape_of(X: Any, labels: Array) -> tuple[int, ...]:
    """The numbers of rows and columns of a block; each row must have a label."""
    shape = np.shape(X)
    if shape[:1] != (len(labels),):
        check_consistent_length(X, labels)  # which says how many there are of each
    if len(labels) and len(shape) != 2:
        raise ValueError(f"Expected 2D array, got {len(shape)}D array instead")
    return shape


def validate_exactly(X: Any, y: Any, sample_weight: Any = None, bias: float = 0.0) -> Problem:
    """Validate rows and labels, for a proof about numbers in double precision."""
    X = in_numpy(X, "X")
    problem = validate_data(X, y, sample_weight, bias=bias)
    refuse_rounded(X)
    return problem._replace(X=problem.X.astype(np.float64, copy=False))


def rows_of(primal: Dense | Sparse, y: Array) -> Rows:
    """Rows with labels ±1, all alike."""
    n, ones = len(y), np.ones(len(y))
    everyone = np.arange(n, dtype=np.uint32)
    return Rows(y.astype(np.int32, copy=False), ones, lengths2(primal, n), 0, everyone, ones)


def binary_problem(
    problem: Problem, fit_intercept: bool, otherwise: str
) -> tuple[Dense | Sparse, Rows]:
    """Two classes, no more, as rows with labels ±1."""
    require_two(problem.classes)
    if len(problem.classes) > 2:
        raise ValueError(f"y has {len(problem.classes)} classes; {otherwise}")
    primal = store(problem.X, 1.0 if fit_intercept else 0.0)
    y, ones, n = 2 * problem.codes - 1, problem.ones, len(problem.codes)
    everyone = problem.train if len(problem.train) == n else np.arange(n, dtype=np.uint32)
    return primal, Rows(y, ones, problem.lengths2(primal), 0, everyone, ones)


def validation_split(problem: Problem, fraction: float, seed: Any) -> Problem:
    """Hold back a fraction of each class for early stopping, as scikit-learn draws it."""
    draw = StratifiedShuffleSplit(1, test_size=fraction, random_state=seed)
    try:
        _, drawn = next(draw.split(np.zeros(len(problem.codes)), problem.codes))
    except ValueError as error:
        raise ValueError(f"early_stopping cannot hold back rows of each class: {error}") from error
    held = np.zeros(len(problem.codes), bool)
    held[drawn] = True
    train, held = problem.train[~held[problem.train]], problem.train[held[problem.train]]
    if not len(train) or not len(held):
        raise ValueError("the sample weights of the rows held back, or of all others, are zero")
    return problem._replace(train=train, held=held)


def make_storage(primal: Dense | Sparse, problem: Problem, form: str) -> Storage:
    """Rows, or all inner products of rows where that is asked for or plainly better."""
    n, d = problem.X.shape
    if form == "primal" or (form == "auto" and (d <= n or n * n * d > GRAM_PRODUCTS)):
        return primal
    check_lengths(primal, problem.lengths2(primal))
    K = inner_products(problem.X.astype(np.float64))
    return Gram(np.ascontiguousarray(K + primal.bias))


def inner_products(X: Any) -> Array:
    """Those of all rows; few of them are sooner done by one thread."""
    alone = ALONE if X.shape[0] * X.shape[0] * X.shape[1] <= GRAM_PRODUCTS else nullcontext()
    with alone:
        return (X @ X.T).toarray() if sp.issparse(X) else X @ X.T


def targets(problem: Problem, storage: Storage, p: dict[str, Any], first: int = 0) -> list[Rows]:
    """What each hypothesis has to learn: one problem for two classes or the direct form, else
    each class against the rest. `first` is the number of the first row, for messages."""
    lengths = problem.lengths2(storage)
    check_lengths(storage, lengths, first)
    factor = class_factors(problem, p["class_weight"])
    alike = bool((factor == 1).all())
    boundary = 0 if p["boundary"] == "mistake" or make_rule(p).margin > 0 else int(p["boundary"])
    codes, k = problem.codes, len(problem.classes)

    def costs() -> Array:
        return problem.ones if alike else factor.take(codes)

    def rows(y: Array, cost: Array) -> Rows:
        train = problem.train if factor.all() else problem.train[cost[problem.train] > 0]
        if not len(train):
            raise ValueError("all rows have class weight zero: there is no row to learn from")
        weight = problem.weight if alike else cost * problem.weight
        return Rows(y.astype(np.int32, copy=False), weight, lengths, boundary, train, cost)

    if k > 2 and p["multi_class"] == "direct":
        return [rows(codes, costs())._replace(boundary=-1)]  # 0 is a class here
    if k == 2:
        return [rows(2 * codes - 1, costs())]
    return [rows(2 * (codes == c) - 1, np.where(codes == c, factor[c], 1.0)) for c in range(k)]


def check_lengths(storage: Storage, norm2: Array, first: int = 0) -> None:
    """Refuse rows whose squared length is lost. If it vanishes, they would pass for zero."""
    if norm2.min() >= SMALLEST_NORMAL and norm2.max() < math.inf:
        return
    if not np.isfinite(norm2).all():
        i = first + int(np.argmin(np.isfinite(norm2)))
        raise ValueError(
            f"row {i} of X is too long for floating point (rows count from 0): scale the features"
        )
    if not isinstance(storage, Dense | Sparse):
        return
    short = np.flatnonzero(norm2 < SMALLEST_NORMAL)
    if len(short := short[take(storage, short).any(axis=1)]):
        i = first + int(short[0])
        raise ValueError(
            f"row {i} of X is too short for floating point (rows count from 0): scale the features"
        )


def class_factors(problem: Problem, class_weight: Any) -> Array:
    """The weight of each class, as scikit-learn reads class_weight."""
    if class_weight is None:
        return np.ones(len(problem.classes))
    if isinstance(class_weight, dict):
        factor = looked_up(class_weight, problem.classes.tolist())
    else:
        y = problem.classes[problem.codes[problem.train]]
        factor = compute_class_weight(class_weight, classes=problem.classes, y=y)
    if (factor < 0).any() or not np.isfinite(factor).all():
        raise ValueError(f"class weights must be finite and not negative, got {class_weight!r}")
    return factor


def looked_up(class_weight: dict[Any, float], classes: list[Any]) -> Array:
    """The weights in a dict, 1 for a class that is not there. Text is text: scikit-learn looks
    "1" and "01" up as the number 1."""
    missing = [label for label in classes if label not in class_weight]
    if missing and len(class_weight) != len(classes) - len(missing):
        listed = ", ".join(map(repr, missing))
        raise ValueError(f"The classes, [{listed}], are not in class_weight")
    return np.array([class_weight.get(label, 1.0) for label in classes], float)


def first_hypotheses(
    coef: Any, intercept: Any, shape: tuple[int, int], fit_intercept: bool
) -> Array:
    """The first hypotheses, the bias last: zero, or as given."""
    k, d = shape
    W = np.zeros((k, d + 1))
    if coef is not None:
        W[:, :-1] = shaped("coef_init", coef, (k, d))
    if intercept is not None and fit_intercept:
        W[:, -1] = shaped("intercept_init", intercept, (k,))
    return W


def shaped(name: str, value: Any, shape: tuple[int, ...]) -> Array:
    """A finite array of the given shape; one hypothesis may come without its first axis."""
    array = np.asarray(in_numpy(value, name), float)
    if array.size != math.prod(shape) or (len(shape) == 2 and array.shape[-1:] != shape[-1:]):
        raise ValueError(
            f"Provided {name} does not match dataset: it must have the shape {shape}, got "
            f"{array.shape}"
        )
    if not np.isfinite(array).all():
        raise ValueError(f"{name} holds NaN or infinity")
    return array.reshape(shape)
