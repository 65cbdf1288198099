"""Lines of text on a terminal, where Chinese letters are two wide."""

import re
from unicodedata import east_asian_width

LINE = 88  # letters


def wide(text: str) -> int:
    """The width of a text."""
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def wrapped(text: str, width: int = LINE) -> list[str]:
    """Lines of at most this width, broken between words, or anywhere in Chinese but before
    punctuation that closes and after what opens.

    Examples
    --------
    >>> wrapped("R = 7，所以 (R/γ)² 很大。", 12)
    ['R = 7，所以', '(R/γ)² 很', '大。']
    """
    lines = [""]
    for word in re.findall(r"[（“《]*(?:[!-~²γη·°]+|.)[，。；：、！？）”》]*[ ]?", text):
        if lines[-1] and wide(lines[-1] + word.rstrip()) > width:
            lines.append("")
        lines[-1] += word
    return [line.strip() for line in lines if line.strip()]
