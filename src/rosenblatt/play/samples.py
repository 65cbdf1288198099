"""Samples: the data that a request names, refused here if they are not understood or too much."""

from typing import Any, NamedTuple

from rosenblatt.play.json_fields import Refused, checked_object, drawable_number, names, number_list

POINTS = 2_000
FEATURES = 16
CLASSES = 4
HELD = (0, 2, 3, 4, 5)  # of so many points one is held out; 0 of none

KNOBS: dict[str, dict[str, tuple[float, float]]] = {
    "textbook": {},
    "credit": {},
    "clouds": {"n": (4, POINTS), "margin": (0, 5), "noise": (0, 0.5), "seed": (0, 9999)},
    "moons": {"n": (4, POINTS), "noise": (0, 1), "seed": (0, 9999)},
    "circles": {"n": (4, POINTS), "noise": (0, 1), "seed": (0, 9999)},
    "xor": {},
    "touching": {},
    "groups": {"n": (8, POINTS), "classes": (2, CLASSES), "noise": (0, 3), "seed": (0, 9999)},
    "iris": {},
}
WHOLE = ("n", "classes", "seed")


class Sample(NamedTuple):
    """The data: a name and its knobs, or the text of a table, or the points themselves."""

    name: str
    knobs: dict[str, Any]
    text: str = ""
    X: tuple[list[float], ...] = ()
    codes: tuple[int, ...] = ()
    classes: tuple[str, ...] = ("-1", "1")
    features: tuple[str, ...] = ()  # without, they are x₁, x₂, …
    held: int = 0


def check_sample(data: dict[str, Any]) -> Sample:
    """Data by name, as a table, or as points; and how many of them are held out."""
    data = dict(data)
    held = data.pop("held", 0)
    if type(held) is not int or held not in HELD:
        raise Refused(f"held is one of {', '.join(map(str, HELD))}, not {str(held)[:40]!r}")
    return named_sample(data)._replace(held=held)


def named_sample(data: dict[str, Any]) -> Sample:
    """Data by name, as a table, or as points."""
    name = data.get("name")
    if name == "points":
        must, may = {"name": str, "X": list, "y": list}, {"classes": list, "features": list}
        return check_points(**checked_object("points", data, must, may))
    if name == "table":
        return Sample(knobs={}, **checked_object("table", data, {"name": str, "text": str}))
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
    """Points with a class each."""
    if len(X) > POINTS:
        told = f"{len(X):,} points; the playground takes at most {POINTS:,}"
        raise Refused(told, code="points")
    if len(X) != len(y):
        raise Refused(f"{len(X)} points have {len(y)} labels")
    rows = tuple(number_list(f"point {i + 1}", row, FEATURES) for i, row in enumerate(X))
    if len({len(row) for row in rows}) > 1 or not all(rows):
        raise Refused("points must have the same number of features, and at least one")
    if not 2 <= len(classes) <= CLASSES:
        raise Refused(f"there are 2 to {CLASSES} classes, not {len(classes)}", code="one_class")
    called = names("classes", classes, len(classes))
    if len(set(called)) < len(called):
        twice = next(name for name in called if called.count(name) > 1)
        raise Refused(f"two classes are called {twice!r}")
    named = names("features", features, len(rows[0])) if features else ()
    return Sample(name, {}, "", rows, codes_of(y, len(called)), called, named)


def codes_of(y: list[Any], k: int) -> tuple[int, ...]:
    """The classes of points, from 0; two may also be written -1 and 1."""
    signs = k == 2 and -1 in y
    known = (-1, 1) if signs else tuple(range(k))
    if not all(type(code) is int and code in known for code in y):
        raise Refused("the labels of points are -1 and 1, or the numbers of their classes from 0")
    if len(set(y)) < k:
        raise Refused("a perceptron needs points of every class, and two classes", code="one_class")
    return tuple((code + 1) // 2 for code in y) if signs else tuple(y)
