"""What the library says, as the command line says it: by the patterns of the catalogue."""

import ast
import re
import shlex
from collections.abc import Callable
from functools import cache
from string import Formatter
from typing import Any, NamedTuple

from rosenblatt.command_line.catalogue import MESSAGES
from rosenblatt.command_line.catalogue.help import METAVARS
from rosenblatt.html_report.phrases import LANGUAGES

NESTED = ("what", "why", "where")  # beginnings of the names of gaps that hold sentences again
QUOTED = r"""'.*?'|".*?"|[^'"\s]+"""


class MessageSubject(NamedTuple):
    """What a message is about: the table, as people know it, and where rows are in its file."""

    target: str = "y"
    columns: str = ""
    place: Callable[[list[int], int], str] = lambda rows, more: ", ".join(map(str, rows))


class Pattern(NamedTuple):
    """A sentence with gaps, and how it is said in each language."""

    sentence: re.Pattern[str]
    key: str  # its longest part without gaps
    weight: int  # letters that are not gaps
    said: tuple[str, ...]


class Gap(NamedTuple):
    """What stands in a gap: without quotes, or formatted as an option, as a word of the shell, or
    as a place in the file."""

    raw: str
    subject: MessageSubject

    def __repr__(self) -> str:
        return self.raw

    def __format__(self, how: str) -> str:
        text = unquoted(self.raw)
        if how == "place":
            rows, _, more = text.partition(" and ") if " more" in text else (text, "", "")
            numbers = [int(number) for number in re.findall(r"\d+", rows)]
            return self.subject.place(numbers, int(more.removesuffix(" more") or 0))
        return FORMS[how](text) if how else text


FORMS: dict[str, Callable[[str], str]] = {
    "option": lambda name: f"--{name.replace('_', '-')}",
    "metavar": lambda name: METAVARS.get(name, name),
    "mark": lambda mark: {",": "comma", ".": "point"}.get(mark, mark),
    "word": shlex.quote,
    "words": lambda listed: listed.replace("'", "").replace("(", "").replace(")", ""),
    "without": lambda names: " ".join(
        f"--without {shlex.quote(name)}" for name in ast.literal_eval(f"[{names}]")
    ),
}


def unquoted(raw: str) -> str:
    """The text that Python shows in quotes; several of them stay as they are."""
    try:
        text = ast.literal_eval(raw) if re.fullmatch(r"'.*'|\".*\"", raw) else raw
    except (SyntaxError, ValueError):
        return raw
    return text if isinstance(text, str) else raw


def in_words(message: str, lang: str, subject: MessageSubject = MessageSubject()) -> str:  # noqa: B008
    """A message of the library in the words of the command line; as it is, if it is not known.

    Examples
    --------
    >>> in_words("leave such rows out with missing='drop'", "en")
    'leave such rows out with --missing drop'
    >>> in_words("points.csv is empty", "zh")
    'points.csv 是空文件'
    """
    return _said(message, LANGUAGES.index(lang), subject)[1]


def _said(message: str, k: int, subject: MessageSubject) -> tuple[int, str]:
    """The words of the pattern that explains most of a message, and how many letters that are."""
    near = ((each, each.sentence.fullmatch(message)) for each in patterns() if each.key in message)
    found = [_filled(pattern, match.groupdict(), k, subject) for pattern, match in near if match]
    return max(found, default=(0, message), key=lambda each: each[0])


def _filled(pattern: Pattern, gaps: Any, k: int, subject: MessageSubject) -> tuple[int, str]:
    weight = pattern.weight
    for name in gaps:
        if name.startswith(NESTED):
            inner, gaps[name] = _said(gaps[name], k, subject)
            weight += inner
    values: dict[str, Any] = {name: Gap(raw, subject) for name, raw in gaps.items()}
    return weight, pattern.said[k].format(**subject._asdict() | values)


@cache
def patterns() -> tuple[Pattern, ...]:
    """The catalogue, made ready."""
    return tuple(_pattern(*item) for item in MESSAGES.items())


def _pattern(sentence: str, said: str | tuple[str, str]) -> Pattern:
    parts = list(Formatter().parse(sentence))
    text = "".join(re.escape(literal) + _gap(name, how) for literal, name, _, how in parts)
    literals = [literal for literal, *_ in parts]
    both = said if isinstance(said, tuple) else (sentence, said)
    key, weight = max(literals, key=len), sum(map(len, literals))
    return Pattern(re.compile(text, re.DOTALL), key, weight, both)


def _gap(name: str | None, how: str | None) -> str:
    if name is None:
        return ""
    return f"(?P<{name}>{QUOTED if how == 'r' else '.+?'})"
