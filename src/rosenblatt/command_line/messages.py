"""What the command line says, in English and Chinese."""

import os
from contextvars import ContextVar
from itertools import pairwise
from typing import Any

from rosenblatt.command_line.catalogue.phrases import PHRASES
from rosenblatt.html_report.phrases import speaker_of

ASKED: ContextVar[str | None] = ContextVar("ASKED", default=None)  # the language, by --lang


def choose_language(args: list[str]) -> None:
    """Take the language that arguments ask for, before any of them is refused, or helped with."""
    words = " ".join(args).replace("--lang=", "--lang ").split()
    asked = [word for option, word in pairwise(words) if option == "--lang"]
    ASKED.set(asked[-1] if asked and asked[-1] in ("en", "zh") else None)


def language() -> str:
    """The language asked for, or else that of the locale: "en" or "zh"."""
    if asked := ASKED.get():
        return asked
    names = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return "zh" if next(filter(None, names), "").lower().startswith("zh") else "en"


def say(phrase: str, **values: Any) -> str:
    """A phrase in the language of the reader.

    Examples
    --------
    >>> for lang in ("en", "zh"):
    ...     choose_language(["--lang", lang])
    ...     print(say("training", accuracy=1))
    training 100.00%
    训练集 100.00%
    >>> choose_language([])
    """
    return speaker_of(PHRASES, language())(phrase, **values)
