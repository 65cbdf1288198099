"""What the page shows, as the tests read it."""

import re
from urllib.parse import parse_qsl, urlsplit

import numpy as np


def settled(page):
    """Wait until the page waits for nothing."""
    page.wait_for_selector("body:not([aria-busy])")


def until(page, condition):
    """Look every 20 ms, for ten seconds at most."""
    assert any(condition() or page.wait_for_timeout(20) for _ in range(500))


def shown_weights(page):
    """The numbers of "w = (1, 1),  b = −3"."""
    text = page.inner_text("#now").replace("−", "-")
    return [float(x) for x in re.findall(r"-?\d[\d.e-]*", text)]


def as_printed(hypothesis):
    return [float(f"{v:.6g}") for v in hypothesis]


def marks(page):
    """The centres of all points on the screen, by class."""
    script = """(kind) => [...document.querySelectorAll(`#figure-a .points .${kind}`)]
        .map((node) => node.getBoundingClientRect())
        .map((box) => [box.x + box.width / 2, box.y + box.height / 2])"""
    return {kind: page.evaluate(script, kind) for kind in ("neg", "pos")}


def state(page):
    """The address, as a dictionary, as it would be if the page were left now."""
    page.evaluate("dispatchEvent(new Event('pagehide'))")
    return dict(parse_qsl(urlsplit(page.url).fragment, keep_blank_values=True))


def own_points(page):
    """The points of the address."""
    rows = np.array([[float(v) for v in row.split("_")] for row in state(page)["p"].split("~")])
    return rows[:, :-1], rows[:, -1].astype(int)


def downloaded(page, button):
    with page.expect_download() as caught:
        page.click(button)
    return caught.value.path().read_bytes()
