"""What the commands `bound` and `explain` tell of Novikoff's theorem."""

from collections.abc import Iterator
from typing import Any

from rosenblatt.command_line.messages import Say
from rosenblatt.command_line.terminal import in_our_words
from rosenblatt.command_line.wrapping import wide, wrapped


def bound_lines(found: Any, say: Say) -> Iterator[str]:
    """The report in lines, with a blank one between its paragraphs."""
    for k, part in enumerate(found.paragraphs()):
        if k:
            yield ""
        yield from step_lines(part, say) if "\n" in part else wrapped(in_our_words(part))


def step_lines(table: str, say: Say) -> Iterator[str]:
    """The table of the steps, under a head in the language of the reader."""
    head, *lines = table.split("\n")
    for word, width in (("mistake", 9), ("angle", 6)):
        said = say({"mistake": "number"}.get(word, word))
        head = head.replace(f"{word:>{width}}", " " * (width - wide(said)) + said)
    yield from (head, *lines)
