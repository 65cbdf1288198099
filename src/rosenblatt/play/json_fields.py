"""Fields of a request: their shapes and numbers, refused where they are not what they should be."""

import json
from collections.abc import Mapping
from typing import Any

SIZES = 1e-9, 1e9  # of a number that is not zero
LETTERS = 80  # of a name
NO_KEYS: Mapping[str, type] = {}


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


def parsed(body: bytes) -> Any:
    """JSON as the standard has it: no NaN, no Infinity, and no pits of brackets."""

    def refuse(word: str) -> None:
        raise ValueError(f"{word} is not a number in JSON")

    try:
        return json.loads(body, parse_constant=refuse)
    except (ValueError, RecursionError) as error:
        raise Refused(f"this is not JSON: {error}", 400) from None


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


def names(what: str, given: Any, n: int) -> tuple[str, ...]:
    """What so many things are called."""
    if len(given) != n or not all(isinstance(name, str) and len(name) <= LETTERS for name in given):
        raise Refused(f"{what} are {n} names of at most {LETTERS} letters")
    return tuple(given)


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
