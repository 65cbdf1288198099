"""States: what a request asks for, refused here if it is not understood or too much."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

POINTS = 2_000
FEATURES = 16
PASSES_ALLOWED = 1_000
TRACE = 10_000  # mistakes kept for replay
SIZES = 1e-9, 1e9  # of a number that is not zero
DEGREE = 10
LETTERS = 80  # of a name
NO_KEYS: Mapping[str, type] = {}

KNOBS: dict[str, dict[str, tuple[float, float]]] = {
    "textbook": {},
    "credit": {},
    "clouds": {"n": (4, POINTS), "margin": (0, 5), "noise": (0, 0.5), "seed": (0, 9999)},
    "moons": {"n": (4, POINTS), "noise": (0, 1), "seed": (0, 9999)},
    "circles": {"n": (4, POINTS), "noise": (0, 1), "seed": (0, 9999)},
    "xor": {},
    "touching": {},
}
WHOLE = ("n", "seed")
LINEAR_FIELDS = ("form", "start", "settle")  # what only hyperplanes have
SETTLING = ("after", "never")  # the page replays whole runs
KERNEL_FIELDS = ("kernel", "gamma", "degree", "coef0")
BOTH = (
    *("order", "shuffle", "rule", "eta0", "margin", "C", "batch_size", "keep"),
    *("fit_intercept", "max_iter", "min_margin", "random_state"),
)


class Refused(ValueError):
    """A request that is not carried out: a status, a sentence, and a word for the page.

    The page has a sentence of its own for the word, in its language, and fills in the values.
    """

    def __init__(
        self, sentence: str, status: int = 422, code: str = "refused", **values: Any
    ) -> None:
        super().__init__(sentence)
        self.status, self.code, self.values = status, code, values

    @property
    def reply(self) -> dict[str, Any]:
        """What is told."""
        return {"error": str(self), "code": self.code, "values": self.values}


class Sample(NamedTuple):
    """The data: a name and its knobs, or the text of a table, or the points themselves."""

    name: str
    knobs: dict[str, Any]
    text: str = ""
    X: tuple[list[float], ...] = ()
    signs: tuple[int, ...] = ()
    classes: tuple[str, str] = ("-1", "1")
    features: tuple[str, ...] = ()  # without, they are x₁, x₂, …


class State(NamedTuple):
    """Data, the parameters of a learner, and where it starts."""

    sample: Sample
    params: dict[str, Any]
    start: list[float] | None


def read_request(given: Any) -> State:
    """The state that a request describes."""
    fields = checked_object("the request", given, {"data": dict, "learner": dict})
    params = check_learner(fields["learner"])
    start = params.pop("start", None)
    if start is not None:
        start = number_list("start", start, FEATURES + 1)
    return State(check_sample(fields["data"]), params, start)


def parsed(body: bytes) -> Any:
    """JSON as the standard has it: no NaN, no Infinity, and no pits of brackets."""

    def refuse(word: str) -> None:
        raise ValueError(f"{word} is not a number in JSON")

    try:
        return json.loads(body, parse_constant=refuse)
    except (ValueError, RecursionError) as error:
        raise Refused(f"this is not JSON: {error}", 400) from None


# -- Data ------------------------------------------------------------------------------------------


def check_sample(data: dict[str, Any]) -> Sample:
    """Data by name, as a table, or as points."""
    name = data.get("name")
    if name == "points":
        must, may = {"name": str, "X": list, "y": list}, {"classes": list, "features": list}
        return check_points(**checked_object("points", data, must, may))
    if name == "table":
        return Sample(
            "table", {}, text=checked_object("table", data, {"name": str, "text": str})["text"]
        )
    if not isinstance(name, str) or name not in KNOBS:
        known = ", ".join([*KNOBS, "points", "table"])
        raise Refused(f"there are no data called {name!r}; there are {known}")
    wanted: dict[str, type] = {"name": str} | dict.fromkeys(KNOBS[name], object)
    knobs = checked_object(name, data, wanted)
    return Sample(name, {k: knob(name, k, knobs[k]) for k in KNOBS[name]})


def knob(name: str, key: str, value: Any) -> float:
    """A number within the limits of a knob."""
    low, high = KNOBS[name][key]
    value = drawable_number(f"{key} of {name}", value)
    if not low <= value <= high or (key in WHOLE and value != int(value)):
        kind = "a whole number" if key in WHOLE else "a number"
        raise Refused(f"{key} of {name} is {kind} between {low:g} and {high:g}, not {value:g}")
    return int(value) if key in WHOLE else value


def check_points(
    name: str, X: list[Any], y: list[Any], classes: Any = ("-1", "1"), features: Any = ()
) -> Sample:
    """Points with a side each."""
    if len(X) > POINTS:
        told = f"{len(X):,} points; the playground takes at most {POINTS:,}"
        raise Refused(told, code="points")
    if len(X) != len(y):
        raise Refused(f"{len(X)} points have {len(y)} labels")
    rows = tuple(number_list(f"point {i + 1}", row, FEATURES) for i, row in enumerate(X))
    if len({len(row) for row in rows}) > 1 or not all(rows):
        raise Refused("points must have the same number of features, and at least one")
    if not all(type(side) is int and side in (-1, 1) for side in y):
        raise Refused("the labels of points are -1 and 1")
    if len(set(y)) < 2:
        raise Refused("a perceptron needs points of both classes", code="one_class")
    sides = names("classes", classes, 2)
    if sides[0] == sides[1]:
        raise Refused(f"both classes are called {sides[0]!r}")
    named = names("features", features, len(rows[0])) if features else ()
    return Sample(name, {}, "", rows, tuple(y), (sides[0], sides[1]), named)


def names(what: str, given: Any, n: int) -> tuple[str, ...]:
    """What so many things are called."""
    if len(given) != n or not all(isinstance(name, str) and len(name) <= LETTERS for name in given):
        raise Refused(f"{what} are {n} names of at most {LETTERS} letters")
    return tuple(given)


# -- The learner --------------------------------------------------------------------------------


def check_learner(given: dict[str, Any]) -> dict[str, Any]:
    """The parameters of an estimator, as far as the estimator does not check them itself."""
    kernel = given.get("kernel") is not None
    known = (*BOTH, *(KERNEL_FIELDS if kernel else LINEAR_FIELDS))
    for name, value in given.items():
        if name not in known and not (name in KERNEL_FIELDS and value is None):
            raise Refused(f"the learner has no {name!r}; it has {', '.join(known)}")
        if isinstance(value, int | float) and not isinstance(value, bool):
            drawable_number(name, value)
        elif not (name == "start" or value is None or isinstance(value, str | bool)):
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
        raise Refused(f"{name} is a whole number of at most {most:,} {what}, not {value!r}")


# -- Shapes and numbers ----------------------------------------------------------------------------


def checked_object(
    what: str, value: Any, must: Mapping[str, type], may: Mapping[str, type] = NO_KEYS
) -> dict[str, Any]:
    """An object with these keys and no others."""
    if not isinstance(value, dict):
        raise Refused(f"{what} is an object, not a {type(value).__name__}")
    kinds = {**must, **may}
    for key in value.keys() ^ must.keys():
        if key not in kinds or key in must:
            wrong = "needs" if key in must else "has no"
            raise Refused(f"{what} {wrong} {str(key)[:40]!r}; it has {', '.join(kinds)}")
    for key, item in value.items():
        if not isinstance(item, kinds[key]):
            raise Refused(f"{key} of {what} is not a {type(item).__name__}")
    return value


def number_list(what: str, values: Any, most: int) -> list[float]:
    """A list of so many numbers at most."""
    if not isinstance(values, list):
        raise Refused(f"{what} is a list of numbers, not a {type(values).__name__}")
    if len(values) > most:
        raise Refused(f"{what} has {len(values)} numbers; the most is {most}", code="features")
    return [drawable_number(what, value) for value in values]


def drawable_number(what: str, value: Any) -> float:
    """A number of a size that can be drawn."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Refused(f"{what}: {str(value)[:40]!r} is not a number")
    low, high = SIZES
    if value != 0 and not low <= abs(value) <= high:  # NaN is not either
        told = f"{what}: numbers here are 0, or between {low:g} and {high:g} in size"
        raise Refused(told, code="size")
    return float(value)
