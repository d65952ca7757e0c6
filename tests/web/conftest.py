"""The page in a real browser, with a real server.

A test gets a new `page` (or several, from `open_page`) and the address of the `site`. It fails if a
browser reports any error; a test removes expected errors from `troubles` itself.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from hastilude.prepare import prepare
from tests.server.running import GENEROUS, Address, in_thread
from tests.web import chromium
from tests.web.screens import snap

PHONE = {"width": 360, "height": 640}
FAILED = pytest.StashKey[bool]()
PATIENCE = 30_000  # milliseconds until a test gives up waiting for something to appear

expect.set_options(timeout=PATIENCE)


# Not for the whole session: while Playwright runs, no other test can use an event loop.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    path = chromium.find()
    if path is None:
        pytest.skip(chromium.MISSING)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=chromium.ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Address]:
    """A server with the page, without limits, and with bots that answer at once."""
    prepare(lambda: None)
    database = tmp_path_factory.mktemp("site") / "tables.db"
    with in_thread(replace(GENEROUS, database=str(database))) as address:
        yield address


@pytest.fixture
def troubles() -> Iterator[list[str]]:
    """Errors that browsers reported: of scripts, the network or the security policy."""
    troubles: list[str] = []
    yield troubles
    assert not troubles


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    report = yield
    if report.when == "call":
        item.stash[FAILED] = report.failed
    return report


@pytest.fixture
def open_page(
    browser: Browser, troubles: list[str], request: pytest.FixtureRequest
) -> Iterator[Callable[..., Page]]:
    """Opens pages, each in its own browser context, with the arguments of Playwright's contexts.
    After a failed test there are screenshots of them."""
    contexts: list[BrowserContext] = []

    def open_page(**wanted: Any) -> Page:
        context = browser.new_context(**{"viewport": PHONE, "locale": "en-GB", **wanted})
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("console", lambda said: said.type == "error" and troubles.append(said.text))
        return page

    yield open_page
    for number, context in enumerate(contexts):
        if request.node.stash.get(FAILED, False):
            for page in context.pages:
                snap(page, f"failed-{request.node.name}-{number}")
        context.close()


@pytest.fixture
def page(open_page: Callable[..., Page]) -> Page:
    """A page with the size of a phone."""
    return open_page()
