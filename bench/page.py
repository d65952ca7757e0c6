"""Measures how soon the page can be used on a mid-range phone: `python bench/page.py`.

Opens the home page and a table of each game, each in a new browser profile, with a CPU four times
slower than this machine's and Lighthouse's "slow 4G" network (1.6 Mbit/s, 150 ms). A page can be
used when its buttons or cards are visible and the main thread is idle. Prints the median of some
runs and the amount transferred.
"""

import statistics
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from playwright.sync_api import Browser, ViewportSize, sync_playwright  # noqa: E402
from tests.server.running import GENEROUS, Address, in_thread  # noqa: E402
from tests.web import chromium  # noqa: E402

RUNS = 5
SLOWER = 4
NETWORK = {"offline": False, "latency": 150, "downloadThroughput": 200_000}
UPLOAD = {"uploadThroughput": 93_750}
PHONE: ViewportSize = {"width": 360, "height": 640}
OPTIONS = {"triatri": {"players": 3}}
IDLE = "() => new Promise(done => requestIdleCallback(() => done(performance.now())))"


def visit(browser: Browser, url: str, wanted: str) -> tuple[float, int]:
    """Seconds until the page can be used, and the bytes transferred."""
    context = browser.new_context(viewport=PHONE)
    page = context.new_page()
    phone = context.new_cdp_session(page)
    phone.send("Network.enable")
    phone.send("Network.emulateNetworkConditions", {**NETWORK, **UPLOAD})
    phone.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    sizes: list[int] = []
    phone.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    page.goto(url, wait_until="commit")
    page.wait_for_selector(wanted)
    seconds = page.evaluate(IDLE) / 1000
    context.close()
    return seconds, int(sum(sizes))


def places(site: Address) -> dict[str, tuple[str, str]]:
    """The addresses to visit, and what must be visible there."""
    found = {"the first page": (site.url, "a[href^='/play/']")}
    for game, seats in (("tornei", 4), ("kings_tournament", 2), ("triatri", 3)):
        levels: list[Any] = [None, *["page"] * (seats - 1)]
        table = site.open_table(game, seats=levels, options=OPTIONS.get(game, {}))
        token = site.sit(table["code"], "Anna")["token"]
        link = f"{site.url}/t/{table['code']}#{token}"
        found[f"a table of {game}"] = (link, "[data-card]")
    return found


def main() -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        in_thread(replace(GENEROUS, database=f"{folder}/tables.db")) as site,
        sync_playwright() as playwright,
    ):
        path = chromium.find()
        browser = playwright.chromium.launch(executable_path=path, args=chromium.ARGUMENTS)
        for name, (url, wanted) in places(site).items():
            runs = [visit(browser, url, wanted) for _ in range(RUNS)]
            seconds = statistics.median(run[0] for run in runs)
            print(f"{name}: {seconds:.2f} s, {runs[0][1] / 1000:.0f} KB")
        browser.close()


if __name__ == "__main__":
    main()
