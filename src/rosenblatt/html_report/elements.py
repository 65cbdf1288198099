"""HTML in which whatever is not HTML already is escaped."""

from html import escape
from typing import Any


class Html(str):
    """Text that is HTML."""

    __slots__ = ()


def element(name: str, *children: Any, **attributes: str) -> Html:
    """An element; text in it and in its attributes is escaped.

    Examples
    --------
    >>> element("p", "1 < 2, ", element("b", "always"), title='"so"')
    '<p title="&quot;so&quot;">1 &lt; 2, <b>always</b></p>'
    """
    told = "".join(f' {key.rstrip("_")}="{escape(str(v))}"' for key, v in attributes.items())
    return Html(f"<{name}{told}>{concatenated(children)}</{name}>")


def concatenated(children: Any) -> Html:
    """Elements and text, one after the other."""
    return Html("".join(c if isinstance(c, Html) else escape(str(c)) for c in children))


def paragraph(*texts: str) -> Html:
    """A paragraph in which `code` stands between backticks."""
    return element("p", *map(in_code, texts))


def in_code(text: str) -> Html:
    """Text with its code marked up."""
    parts = enumerate(text.split("`"))
    return concatenated(element("code", part) if k % 2 else part for k, part in parts)


def table(head: list[Any], rows: list[list[Any]], numeric: tuple[int, ...] = ()) -> Html:
    """A table that scrolls by itself where the page is narrow; some columns are numbers."""

    def line(name: str, cells: list[Any]) -> Html:
        styled = [
            element(name, cell, class_="number") if k in numeric else element(name, cell)
            for k, cell in enumerate(cells)
        ]
        return element("tr", *styled)

    top = [element("thead", line("th", head))] if head else []
    body = element("tbody", *(line("td", row) for row in rows))
    return element("div", element("table", *top, body), class_="scroll")


def bullets(items: list[Any]) -> Html:
    """A list."""
    return element("ul", *(element("li", item) for item in items))
