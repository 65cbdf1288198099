"""What a report says, in English and Chinese."""

from collections.abc import Callable, Mapping
from numbers import Integral
from typing import Any

from rosenblatt.html_report.phrases.answers import ANSWERS
from rosenblatt.html_report.phrases.details import DETAILS

Say = Callable[..., str]
LANGUAGES = ("en", "zh")
REPORT_PHRASES = ANSWERS | DETAILS


class Counted(int):
    """A number that can be formatted with what it counts, or as the words for one or for more.

    Examples
    --------
    >>> "{0:row} {0:is|are}, {1:pass}, {2:,row}".format(Counted(1), Counted(2), Counted(1200))
    '1 row is, 2 passes, 1,200 rows'
    """

    def __format__(self, how: str) -> str:
        if "|" in how:
            return how.split("|")[self != 1]
        noun = how.lstrip(",")
        if not noun.isalpha():
            return super().__format__(how)
        number = super().__format__(how.removesuffix(noun))
        return f"{number} {noun}" + ("" if self == 1 else "es" if noun.endswith("s") else "s")


def speaker_of(phrases: Mapping[str, tuple[str, str]], lang: str) -> Say:
    """A function that says phrases in a language."""
    k = LANGUAGES.index(lang)

    def say(phrase: str, **values: Any) -> str:
        counts = {name: Counted(v) for name, v in values.items() if isinstance(v, Integral)}
        return phrases[phrase][k].format(**values | counts)

    return say


def report_speaker(lang: str) -> Say:
    """A function that says things in a language.

    Examples
    --------
    >>> say = report_speaker("en")
    >>> say("rows", count=1), say("rows", count=1200)
    ('1 row', '1,200 rows')
    >>> report_speaker("zh")("rows", count=1)
    '1 行'
    """
    if lang not in LANGUAGES:
        raise ValueError(f"lang={lang!r} is not known; a report is in 'en' or 'zh'")
    return speaker_of(REPORT_PHRASES, lang)
