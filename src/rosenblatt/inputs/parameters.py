"""The parameters of all estimators, each declared once: its name, default, check and help.

Estimators inherit them and scikit-learn reads them off ``__init__``; the command line makes options
of them, and the page compares with their defaults. Nothing heavy is imported here, so that --help
is quick.
"""

import math
import numbers
from collections.abc import Callable, Iterable, Mapping
from dataclasses import KW_ONLY, Field, dataclass, field, fields
from typing import Any

from rosenblatt.core.rules import RULES

# -- Checks ----------------------------------------------------------------------------------------


def choice(name: str, value: Any, known: Iterable[Any]) -> Any:
    """A value out of a list."""
    known = tuple(known)
    if not any(isinstance(value, (type(k), numbers.Integral)) and value == k for k in known):
        listed = ", ".join(map(repr, known))
        raise ValueError(f"{name}={value!r} is not known; {name} is one of {listed}")
    return value


def number(name: str, value: Any, low: float, high: float = math.inf, *, open: bool = True) -> Any:
    """A number between two limits; `open` leaves out the lower one."""
    real = isinstance(value, numbers.Real) and not isinstance(value, bool)
    if not real or not (low < value if open else low <= value) or not value < high:
        wanted = f"{'above' if open else 'at least'} {low:g}"
        wanted += f" and below {high:g}" if high < math.inf else ""
        raise ValueError(f"{name} must be a number {wanted}, got {value!r}")
    return value


def whole(name: str, value: Any, low: int = 1) -> int:
    """A whole number of at least `low`."""
    if not isinstance(value, numbers.Integral) or isinstance(value, bool) or value < low:
        raise ValueError(f"{name} must be a whole number of at least {low}, got {value!r}")
    return int(value)


Check = Callable[[str, Any], Any]


def one_of(*known: Any) -> Check:
    """A check that a value is one of some words."""
    return lambda name, value: choice(name, value, known)


def above(low: float, high: float = math.inf) -> Check:
    """A check of a number; without the limits."""
    return lambda name, value: number(name, value, low, high)


def at_least(low: float) -> Check:
    """A check of a number; with the limit."""
    return lambda name, value: number(name, value, low, open=False)


def between(low: float, high: float) -> Check:
    """A check of a number; with both limits."""

    def check(name: str, value: Any) -> None:
        real = isinstance(value, numbers.Real) and not isinstance(value, bool)
        if not real or not low <= value <= high:
            raise ValueError(f"{name} must be a number from {low:g} to {high:g}, got {value!r}")

    return check


def optional(check: Check) -> Check:
    """A check of what may be None."""
    return lambda name, value: value is None or check(name, value)


def or_word(word_check: Check, check: Check) -> Check:
    """A check of a word, or of something else."""
    return lambda name, value: (word_check if isinstance(value, str) else check)(name, value)


def is_rule(name: str, value: Any) -> None:
    choice(name, value, RULES)


def is_kernel_rule(name: str, value: Any) -> None:
    choice(name, value, ("auto", *RULES))


def is_batch(name: str, value: Any) -> None:
    if isinstance(value, str) and value != "all":
        raise ValueError(f"batch_size must be a whole number or 'all', got {value!r}")
    if value != "all":
        whole(name, value)


def is_kernel(name: str, value: Any) -> None:
    if not callable(value):
        choice(name, value, (*KERNEL_NAMES, "precomputed"))


def is_dict(name: str, value: Any) -> None:
    if not isinstance(value, Mapping | None):
        raise ValueError(f"{name} must be a dict or None, got {value!r}")


def unchecked(name: str, value: Any) -> None:
    """Whatever scikit-learn or the data have to say of it."""


# -- Declarations ----------------------------------------------------------------------------------

KERNEL_NAMES = ("linear", "poly", "rbf", "sigmoid", "laplacian", "cosine")


def parameter(default: Any, check: Check, help: str | None = None) -> Any:
    """A parameter; with a help, the command line has an option for it."""
    return field(default=default, metadata={"check": check, "help": help})


@dataclass(kw_only=True, eq=False, repr=False)
class CommonParameters:
    """What every estimator has."""

    eta0: float = parameter(1.0, above(0), "The learning rate.")
    fit_intercept: bool = parameter(True, unchecked, "Whether to learn a bias.")
    max_iter: int = parameter(1000, whole, "Maximum number of passes.")
    max_updates: int | None = parameter(None, optional(whole), "Maximum number of updates.")
    min_margin: float = parameter(1e-3, at_least(0), "Stop when no separator has a larger margin.")
    tol: float | None = parameter(
        None, optional(at_least(-math.inf)), "Stop when a pass improves the loss by less."
    )
    n_iter_no_change: int = parameter(5, whole, "Passes without improvement, for --tol.")
    shuffle: bool = parameter(True, unchecked, "A new order each pass.")
    order: str = parameter(
        "sweep", one_of("sweep", "random", "worst", "active"), "sweep, random, worst or active."
    )
    rule: str = parameter("rosenblatt", is_rule, "rosenblatt, margin, pa, pa1, pa2, relaxation.")
    margin: float | None = parameter(None, unchecked, "The margin of the rules that have one.")
    C: float = parameter(1.0, above(0), "The aggressiveness of pa1 and pa2.")
    batch_size: int | str = parameter(1, is_batch, "Rows per batch, or all.")
    keep: str = parameter(
        "pocket",
        one_of("last", "average", "best", "pocket", "vote"),
        "pocket, best, last, average or vote.",
    )
    boundary: str | int = parameter(
        "mistake", one_of("mistake", 1, -1), "How to count a point on the hyperplane."
    )
    settle: str = parameter(
        "auto",
        one_of("auto", "first", "after", "never"),
        "auto, first, after or never: when to decide separability.",
    )
    multi_class: str = parameter(
        "direct", one_of("ovr", "direct"), "ovr or direct, for more than two classes."
    )
    class_weight: Any = parameter(None, unchecked, "balanced, or label=weight,…")
    early_stopping: bool = parameter(
        False, unchecked, "Stop when accuracy on held-out rows stops rising."
    )
    validation_fraction: float = parameter(0.1, above(0, 1), "Fraction of rows to hold out.")
    record: bool = parameter(False, unchecked)
    n_jobs: int | None = parameter(None, unchecked, "Threads for several classes.")
    random_state: Any = parameter(0, unchecked, "Random seed.")
    verbose: int = parameter(0, unchecked, "1 shows each pass.")


@dataclass(kw_only=True, eq=False, repr=False)
class LinearParameters(CommonParameters):
    """What only a Perceptron has."""

    penalty: str | None = parameter(
        None, optional(one_of("l2", "l1", "elasticnet")), "l2, l1 or elasticnet."
    )
    alpha: float = parameter(0.0001, at_least(0), "The strength of the penalty.")
    l1_ratio: float | None = parameter(
        0.15, optional(between(0, 1)), "The share of l1 in elasticnet."
    )
    scale: str | None = parameter(
        None, optional(one_of("standard")), "standard: learn from standardized columns."
    )
    form: str = parameter("auto", one_of("auto", "primal", "dual"), "auto, primal or dual.")
    warm_start: bool = parameter(False, unchecked)


@dataclass(eq=False, repr=False)
class KernelParameters(CommonParameters):
    """What only a KernelPerceptron has."""

    kernel: Any = parameter("rbf", is_kernel, "Learn in the feature space of a kernel.")
    gamma: Any = parameter(
        "scale",
        or_word(one_of("scale", "auto"), above(0)),
        "Coefficient of the kernel: scale, auto or a number.",
    )
    degree: float = parameter(3, above(0), "Degree of the kernel poly.")
    coef0: float = parameter(
        1.0, above(-math.inf), "Constant term of the kernels poly and sigmoid."
    )
    kernel_params: dict[str, Any] | None = parameter(None, is_dict)
    _: KW_ONLY
    rule: str = parameter("auto", is_kernel_rule, "rosenblatt, margin, pa, pa1, pa2, relaxation.")
    cache_size: float = parameter(200, above(0), "Cache for the kernel matrix, in MB.")
    budget: int | None = parameter(None, optional(whole), "Maximum number of support vectors.")
    forget: str = parameter(
        "margin",
        one_of("margin", "project"),
        "margin or project: which row to drop beyond --budget.",
    )


def check_parameters(model: Any) -> dict[str, Any]:
    """The parameters of an estimator, refused where they make no sense."""
    given = {}
    for declared in fields(model):
        given[declared.name] = value = getattr(model, declared.name)
        declared.metadata["check"](declared.name, value)
    return given


def options_of(parameters: type) -> dict[str, Field]:
    """The parameters that have a help, by name."""
    return {p.name: p for p in fields(parameters) if p.metadata["help"]}


def defaults(parameters: type) -> dict[str, Any]:
    """The parameters by name, with their defaults."""
    return {p.name: p.default for p in fields(parameters)}
