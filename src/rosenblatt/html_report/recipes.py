"""How to get the same again, in Python and at the command line."""

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Recipe:
    """What was read, and how."""

    file: str | Sequence[str] | None = None  # None if rows came from memory
    target: str | int = -1
    missing: str = "refuse"
    without: Sequence[str] = ()
    header: bool | None = None
    decimal: str | None = None
    text: Sequence[str] = ()

    @property
    def name(self) -> str | None:
        """What the page is called after."""
        return ", ".join(Path(file).name or file for file in self.files) or None

    @property
    def files(self) -> list[str]:
        return [self.file] if isinstance(self.file, str) else list(self.file or [])

    def codes(self) -> Iterator[str]:
        """Python, then commands."""
        yield "\n".join(self.python())
        if self.file:
            yield "\n".join(self.commands())

    def python(self) -> Iterator[str]:
        yield "import rosenblatt"
        yield ""
        if self.file:
            told = ", ".join([repr(self.file), *self.arguments()])
            yield f"table = rosenblatt.read({told})"
        what = "table" if self.file else "X, y"
        yield f'rosenblatt.report({what}).save("report.html")'
        yield f"certificate = rosenblatt.certify({what})"
        yield "certificate.verdict, certificate.infinite_coefficients()"
        yield f"rosenblatt.fewest_mistakes({what})"

    def arguments(self) -> Iterator[str]:
        """What `read` was told, as Python."""
        if str(self.target) != "-1":
            yield f"target={self.target!r}"
        if self.missing != "refuse":
            yield f"missing={self.missing!r}"
        if self.without:
            yield f"without={list(self.without)!r}"
        if self.header is not None:
            yield f"header={self.header}"
        if self.decimal is not None:
            yield f"decimal={self.decimal!r}"
        if self.text:
            yield f"text={list(self.text)!r}"

    def commands(self) -> Iterator[str]:
        data = shlex.join([*self.files, *self.options()])
        yield f"rosenblatt report {data} -o report.html"
        yield f"rosenblatt certify {data} --save certificate.json"
        yield f"rosenblatt verify certificate.json {data}"
        yield f"rosenblatt fewest {data}"

    def options(self) -> Iterator[str]:
        """The same as options."""
        if str(self.target) != "-1":
            yield f"--target={self.target}"
        if self.missing != "refuse":
            yield f"--missing={self.missing}"
        yield from (f"--without={name}" for name in self.without)
        yield from (f"--text={name}" for name in self.text)
        if self.header is not None:
            yield "--header" if self.header else "--no-header"
        if self.decimal is not None:
            yield "--decimal=comma" if self.decimal == "," else "--decimal=point"
