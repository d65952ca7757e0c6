"""Two people in two browsers, at a server that dies in the middle of their match."""

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.server.crowd import FREE
from tests.server.running import lasting_port, process
from tests.web.settings import remember
from tests.web.test_lobby import OpenPage

CUT = "Connection lost."
ASKED = ".action-bar .primary, .hand li:not([inert]) .playable"
MATCH = 180_000  # milliseconds that a match may take on a slow machine


def line(page: Page) -> None:
    """Choose the first three cards, and be ready."""
    for number in range(1, 4):
        page.locator(".hand li:not([inert]) .playable").first.click()
        expect(page.locator("[data-region=table] button")).to_have_count(number)
    page.locator(".action-bar .primary").click()


def cards(page: Page) -> list[str]:
    held = page.locator("[data-region=hand] li:not([inert]) button").all()
    return [card.get_attribute("data-card") or "" for card in held]


def test_a_match_outlives_its_server(
    tmp_path: Path, open_page: OpenPage, troubles: list[str]
) -> None:
    pages = [open_page(), open_page()]
    for page in pages:
        remember(page)
    with process(tmp_path / "tables.db", "--config", FREE, port=lasting_port()) as server:
        code = server.address.open_table(options={"best_of": 1})["code"]
        for page, name in zip(pages, ("Anna", "Ben"), strict=True):
            token = server.address.sit(code, name)["token"]
            page.goto(f"{server.address.url}/t/{code}#{token}")
        for page in pages:
            expect(page.locator(".hand .playable")).to_have_count(5)
        line(pages[0])
        expect(pages[1].get_by_text("Anna is ready.").first).to_be_visible()
        before = [cards(page) for page in pages]

        server.kill()
        for page in pages:
            expect(page.get_by_text(CUT)).to_be_visible()
        assert [cards(page) for page in pages] == before
        server.start()
        for page in pages:
            expect(page.get_by_text(CUT)).to_be_hidden()
        assert [cards(page) for page in pages] == before

        line(pages[1])
        play_to_the_end(pages)
        for page in pages:
            page.close()
    # While the server was away every try to reach it failed.
    assert any("ERR_CONNECTION_REFUSED" in trouble for trouble in troubles)
    troubles[:] = [trouble for trouble in troubles if "ERR_CONNECTION_REFUSED" not in trouble]


def play_to_the_end(pages: list[Page]) -> None:
    """Each plays whatever may be played, until both read who has won."""
    results = [page.get_by_role("dialog") for page in pages]
    waiting = list(zip(pages, results, strict=True))
    for page in pages:
        page.set_default_timeout(MATCH)
    while waiting:
        for page, result in [*waiting]:
            if result.is_visible():
                waiting.remove((page, result))
            page.evaluate(f"document.querySelector('{ASKED}')?.click()")
            page.wait_for_timeout(20)
    for result in results:
        expect(result).to_contain_text("won")
