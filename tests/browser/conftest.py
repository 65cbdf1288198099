"""A browser and a server for the tests of the page; without a browser they are skipped."""

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
QUIET = (
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--no-first-run"),
)


MOST = 1_500_000  # bytes of a page that needs no server
BROWSER = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


def pytest_collection_modifyitems(items):
    """Skip the tests of this folder where there is no browser, with one line in the summary."""
    reason = f"no browser: none of {', '.join(NAMES)} is installed, and CHROMIUM is not set"
    for item in items:
        if BROWSER is None and Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
def browser():
    """Chromium, headless, with a new profile."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=BROWSER, headless=True, args=QUIET)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def address():
    """Where the playground is."""
    command = [sys.executable, "-c", "from rosenblatt.cli import main; main()", "play"]
    options = ["--no-browser", "--port", "0", "--json"]
    server = subprocess.Popen(command + options, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    yield json.loads(server.stdout.readline())["address"]
    server.send_signal(signal.SIGINT)
    server.communicate(timeout=60)


@pytest.fixture
def open_page(browser, address):
    """Open the page at a state where something is refused, which is an error in the console."""
    contexts = []

    def opened(state=""):
        contexts.append(browser.new_context(viewport={"width": 1300, "height": 900}))
        page = contexts[-1].new_page()
        page.set_default_timeout(30_000)
        page.goto(address + state)
        return page

    yield opened
    for context in contexts:
        context.close()


@pytest.fixture
def visit(browser, address):
    """Open the page at a state; in the end, nothing may have gone wrong or left the machine."""
    contexts, troubles = [], []

    def opened(state="", **how):
        context = browser.new_context(**{"viewport": {"width": 1300, "height": 900}} | how)
        contexts.append(context)
        return look(context, state)

    def look(context, state):
        page = context.new_page()
        page.set_default_timeout(120_000)  # the first page may wait for the compiler
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("console", lambda m: m.type == "error" and troubles.append(m.text))
        page.on("request", lambda r: r.url.startswith((address, "blob:")) or troubles.append(r.url))
        page.goto(address + state)
        page.wait_for_selector("#stamp", state="attached", timeout=120_000)
        page.wait_for_selector("body:not([aria-busy])")
        page.set_default_timeout(15_000)
        return page

    opened.beside = lambda page, state: look(page.context, state)
    yield opened
    for context in contexts:
        context.close()
    assert troubles == []


@pytest.fixture
def from_disk(browser):
    """Open a file of moderate size with the network off; nothing may go wrong."""
    contexts, troubles = [], []

    def opened(path, **how):
        assert path.stat().st_size < MOST
        context = browser.new_context(offline=True, viewport={"width": 1280, "height": 800}, **how)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("console", lambda m: m.type == "error" and troubles.append(m.text))
        page.goto(path.as_uri())
        page.wait_for_selector("#stamp", state="attached")
        page.set_default_timeout(15_000)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert troubles == []
