"""The page of a report in a browser: nothing fails, nothing is fetched, and it fits a phone."""

import numpy as np
import pandas as pd
import pytest

from rosenblatt import report

SIZES = {"desktop": {"width": 1200, "height": 900}, "phone": {"width": 390, "height": 844}}


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """A report with text, wide tables, rows in the way and a long name, in both languages."""
    rng = np.random.RandomState(0)
    table = pd.DataFrame(
        rng.randn(80, 9).round(3), columns=[f"column number {k}" for k in range(9)]
    )
    table["region"] = rng.choice(["north", "south", "a_very_long_level_" * 4], 80)
    labels = np.where(table["column number 0"] > 0, "yes", "no")
    labels[table["column number 0"].abs().nlargest(2).index] = "yes"
    folder = tmp_path_factory.mktemp("reports")
    for lang in ("en", "zh"):
        report(table, labels, lang=lang).save(folder / f"{lang}.html")
    return folder


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_report_in_a_browser(browser, pages, lang, size):
    page, troubles = browser.new_page(viewport=SIZES[size]), []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("console", lambda message: troubles.append(message.text))
    page.on("request", lambda r: r.url.startswith("file:") or troubles.append(r.url))
    page.goto((pages / f"{lang}.html").as_uri())
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= SIZES[size]["width"]
    assert page.locator("figure svg").bounding_box()["width"] > 250
    assert page.locator("section").count() == 9
    assert page.locator("a[download]").get_attribute("href").startswith("data:application/json")
    assert page.pdf()[:4] == b"%PDF"
    page.close()
    assert troubles == []
