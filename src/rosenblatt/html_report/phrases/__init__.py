"""What a report says, in English and Chinese. English counts have a singular and a plural."""

from collections.abc import Callable
from typing import Any

from rosenblatt.html_report.phrases.answers import ANSWERS
from rosenblatt.html_report.phrases.details import DETAILS

Say = Callable[..., str]
LANGUAGES = ("en", "zh")
REPORT_PHRASES = ANSWERS | DETAILS


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
    k = LANGUAGES.index(lang)

    def say(phrase: str, **values: Any) -> str:
        found = REPORT_PHRASES[phrase][k]
        form = found if isinstance(found, str) else found[values["count"] != 1]
        return form.format(**values)

    return say
