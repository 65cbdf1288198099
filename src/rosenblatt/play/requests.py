"""States: what a request asks for, refused here if it is not understood or too much."""

from typing import Any, NamedTuple

from rosenblatt.play.json_fields import Refused, checked_object, drawable_number, number_list
from rosenblatt.play.samples import CLASSES, FEATURES, Sample, check_sample

PASSES_ALLOWED = 1_000
TRACE = 10_000  # mistakes kept for replay
DEGREE = 10
WEIGHTS = 1e-3, 1e3  # of a class

ADVERSARY = "adversary"  # an order of the page's own
FEATURE_KINDS = ("squares", "products", "sines")
LINEAR_FIELDS = ("form", "start", "features", "settle")  # what only hyperplanes have
SETTLING = ("first", "after", "never")  # the page replays whole runs
KERNEL_FIELDS = ("kernel", "gamma", "degree", "coef0")
BOTH = (
    *("order", "shuffle", "rule", "eta0", "margin", "C", "batch_size", "keep"),
    *("fit_intercept", "max_iter", "min_margin", "random_state", "boundary", "class_weight"),
)
LISTS = ("start", "class_weight", "features")


class State(NamedTuple):
    """Data, the parameters of a learner, and what the page adds to them."""

    sample: Sample
    params: dict[str, Any]
    start: list[float] | None = None
    weights: list[float] | None = None  # of the classes, in their order
    features: tuple[str, ...] = ()  # kinds of them, made of the others
    adversary: bool = False


def read_request(given: Any) -> State:
    """The state that a request describes."""
    fields = checked_object("the request", given, {"data": dict, "learner": dict})
    params = check_learner(fields["learner"])
    lists = {name: params.pop(name) for name in LISTS if isinstance(params.get(name), list)}
    if {"start", "features"} & params.keys():
        raise Refused("start and features are lists")
    start = lists.get("start")  # how many numbers that are depends on the data
    adversary = params.get("order") == ADVERSARY
    params = {k: v for k, v in params.items() if not (adversary and k in ("order", "shuffle"))}
    return State(
        check_sample(fields["data"]),
        params,
        start and number_list("start", start, CLASSES * (FEATURES + 1)),
        class_weights(lists.get("class_weight")),
        feature_kinds(lists.get("features", [])),
        adversary,
    )


def check_learner(given: dict[str, Any]) -> dict[str, Any]:
    """The parameters of an estimator, as far as the estimator does not check them itself."""
    kernel = given.get("kernel") is not None
    known = (*BOTH, *(KERNEL_FIELDS if kernel else LINEAR_FIELDS))
    for name, value in given.items():
        if name not in known and not (name in KERNEL_FIELDS and value is None):
            raise Refused(f"the learner has no {name!r}; it has {', '.join(known)}")
        if isinstance(value, int | float) and not isinstance(value, bool):
            drawable_number(name, value)
        elif not (name in LISTS or value is None or isinstance(value, str | bool)):
            raise Refused(f"{name} is not a {type(value).__name__}")
    params = {k: v for k, v in given.items() if v is not None}
    for name in {"shuffle", "fit_intercept"} & params.keys():
        if not isinstance(params[name], bool):
            raise Refused(f"{name} is true or false")
    if params.get("settle", "after") not in SETTLING:
        raise Refused(f"settle is one of {', '.join(SETTLING)} here", code="setting", name="settle")
    within("max_iter", params, PASSES_ALLOWED, "passes")
    within("random_state", params, 2**32 - 1, "seeds")
    within("degree", params, DEGREE, "degrees")
    return params


def within(name: str, params: dict[str, Any], most: int, what: str) -> None:
    """Refuse a whole number out of bounds, where there is one."""
    value = params.get(name, 1)
    if type(value) is not int or not 0 <= value <= most:
        told = f"{name} is a whole number of at most {most:,} {what}, not {value!r}"
        raise Refused(told, code="setting", name=name)


# -- What the page adds ----------------------------------------------------------------------------


def class_weights(given: Any) -> list[float] | None:
    """The weights of the classes, in their order."""
    if given is None:
        return None
    low, high = WEIGHTS
    if not all(low <= weight <= high for weight in number_list("class_weight", given, CLASSES)):
        raise Refused(
            f"class_weight: weights here are between {low:g} and {high:g}",
            code="setting",
            name="class_weight",
        )
    return list(given)


def feature_kinds(given: list[Any]) -> tuple[str, ...]:
    """Kinds of features, in the order in which they are made."""
    if any(kind not in FEATURE_KINDS for kind in given):
        raise Refused(f"features are some of {', '.join(FEATURE_KINDS)}")
    return tuple(kind for kind in FEATURE_KINDS if kind in given)
