"""How fast the playground scrubs, measured in Chromium: python benchmarks/play.py

The slider jumps to 300 places in a run of 10,000 mistakes over 1,000 points. Told is how long the
page takes to follow each jump, and how long until the next picture is on the screen; a picture
every 16.7 ms is as many as a screen shows.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
from statistics import median, quantiles

from playwright.sync_api import Page, sync_playwright

STATE = "#data=clouds&n=1000&margin=0&noise=0.01&seed=1&a.min_margin=0&a.max_iter=1000&k=0"
JUMPS = 300
QUIET = (
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--no-first-run"),
)
SCRUB = """async (jumps) => {
    const slider = document.getElementById("scrub");
    const frame = () => new Promise((resume) => requestAnimationFrame(resume));
    const times = [];
    let before = await frame();
    for (let j = 0; j < jumps; j++) {
        const begin = performance.now();
        slider.value = Math.round((slider.max * ((j * 0.6180339887) % 1)));
        slider.dispatchEvent(new Event("input"));
        const followed = performance.now() - begin;
        const now = await frame();
        times.push([followed, now - before]);
        before = now;
    }
    return times;
}"""


def main() -> None:
    """Start the playground and a browser, scrub, and print the table."""
    command = [sys.executable, "-c", "from rosenblatt.cli import main; main()", "play"]
    options = ["--no-browser", "--port", "0", "--json"]
    server = subprocess.Popen(command + options, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert server.stdout is not None
    address = json.loads(server.stdout.readline())["address"]
    try:
        with sync_playwright() as playwright:
            path = os.environ.get("CHROMIUM") or shutil.which("chromium")
            browser = playwright.chromium.launch(executable_path=path, args=QUIET)
            measure(browser.new_page(), address)
            browser.close()
    finally:
        server.send_signal(signal.SIGINT)
        server.wait()


def measure(page: Page, address: str) -> None:
    """Scrub, and print what that took."""
    page.goto(address + STATE)
    page.wait_for_selector("#stamp")
    points = page.locator("#figure-a .points > *").count()
    mistakes = page.get_attribute("#scrub", "max")
    print(f"{points:,} points, {int(mistakes or 0):,} mistakes, {JUMPS} jumps of the slider")
    columns = zip(*page.evaluate(SCRUB, JUMPS), strict=True)
    for name, times in zip(("the page follows", "from picture to picture"), columns, strict=True):
        slow = quantiles(times, n=20)[-1]
        told = f"median {median(times):5.1f}   95 % {slow:5.1f}   worst {max(times):5.1f}"
        print(f"{name:<26}{told}  ms")


if __name__ == "__main__":
    main()
