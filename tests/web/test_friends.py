"""Friends on one Wi-Fi: one address, usual limits."""

import time
from contextlib import AbstractContextManager
from pathlib import Path

from playwright.sync_api import Page, Route, expect

from hastilude.server.settings import Settings
from tests.server.running import Address, in_thread
from tests.web.screens import snap
from tests.web.test_lobby import OpenPage

FRIENDS = 8
AT_ONCE = 4.0  # seconds in which all of them open the link
MOST_REQUESTS = 12  # of somebody who opens a link to a table for the first time


def usual(folder: Path) -> AbstractContextManager[Address]:
    """A server with the limits that it has unless its host changes them."""
    return in_thread(Settings(database=str(folder / "tables.db")))


def test_eight_friends_open_a_link_at_once(tmp_path: Path, open_page: OpenPage) -> None:
    with usual(tmp_path) as server:
        code = server.open_table("triatri", options={"players": 4})["code"]
        pages = [open_page() for _ in range(FRIENDS)]
        requests: list[list[str]] = [[] for _ in pages]
        begun: list[float] = []
        for page, sent in zip(pages, requests, strict=True):
            page.on("request", lambda request, sent=sent: sent.append(request.url))
            begun.append(time.monotonic())
            # Not `goto`, which would wait until one has an answer before the next one asks.
            page.evaluate("(link) => void (location.href = link)", f"{server.url}/t/{code}")
        assert begun[-1] - begun[0] < AT_ONCE
        for page in pages:
            expect(page.get_by_role("button", name="Sit down")).to_be_enabled()
        for sent in requests:
            assert len(sent) <= MOST_REQUESTS, sent
        for page in pages:
            page.close()  # they keep looking who is there, and would miss the server


def test_a_request_that_comes_too_soon_is_sent_again(
    tmp_path: Path, page: Page, troubles: list[str]
) -> None:
    with usual(tmp_path) as server:
        code = server.open_table("triatri")["code"]
        refused = iter([True])

        def answer(route: Route) -> None:
            if next(refused, False):
                route.fulfill(status=429, json={"reason": {"key": "too_many", "values": {}}})
            else:
                route.continue_()

        page.route(f"**/api/tables/{code}", answer)
        page.goto(f"{server.url}/t/{code}")
        expect(page.get_by_role("button", name="Sit down")).to_be_enabled()
        assert "429" in troubles.pop()
        page.close()


def test_a_page_that_does_not_start_says_so(
    tmp_path: Path, page: Page, troubles: list[str]
) -> None:
    with usual(tmp_path) as server:
        page.route("**/assets/index-*.js", lambda route: route.abort())
        page.goto(server.url)
        expect(page.get_by_text("If nothing appears, reload the page.")).to_be_visible()
        snap(page, "not-started")
        assert all("Failed to load" in trouble for trouble in troubles)
        troubles.clear()
