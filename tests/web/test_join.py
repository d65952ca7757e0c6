"""A table's link, and a player who looks elsewhere: what they see changes by itself."""

import re
from typing import Any

from playwright.sync_api import Page, WebSocketRoute, expect

from tests.server.running import Address, play_out
from tests.web.screens import snap
from tests.web.test_lobby import button, hand, seated

HIDE = """(hidden) => {
  Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def icon(page: Page) -> str:
    address: str = page.locator("link[rel=icon]").evaluate("(icon) => icon.href")
    return address


def test_the_join_page_shows_who_comes_and_that_the_match_begins(site: Address, page: Page) -> None:
    code, _ = seated(site, "triatri", options={"players": 3})
    page.goto(f"{site.url}/t/{code}")
    expect(page.get_by_text("At the table: Anna.")).to_be_visible()
    site.sit(code, "Ben")
    expect(page.get_by_text("At the table: Anna, Ben. 1 open seat")).to_be_visible()
    site.sit(code, "Cleo")
    expect(page.get_by_text("The match has begun.")).to_be_visible()
    expect(button(page, "Sit down")).to_be_hidden()
    snap(page, "join-begun")
    button(page, "Watch").click()
    expect(page.get_by_text("Watching")).to_be_visible()


def test_who_may_not_watch_waits_for_a_seat(site: Address, page: Page) -> None:
    table = site.open_table("triatri", options={"players": 2}, watch="nobody")
    code = table["code"]
    players = [site.client(code, site.sit(code, name)["token"]) for name in ("Anna", "Ben")]
    page.goto(f"{site.url}/t/{code}")
    expect(page.get_by_text("The match has begun.")).to_be_visible()
    expect(button(page, "Watch")).to_be_hidden()
    play_out(players)
    players[1].send("leave")
    expect(button(page, "Sit down")).to_be_visible()
    players[0].close()


def test_a_hidden_tab_says_that_it_is_your_turn(site: Address, page: Page) -> None:
    _, private = seated(site, seats=[None, "page"])
    page.goto(private)
    expect(hand(page)).to_be_visible()
    title, before = page.title(), icon(page)
    page.evaluate(HIDE, True)
    expect(page).to_have_title("● Your turn · Hastilude")
    assert icon(page) != before
    assert page.request.get(icon(page)).ok
    page.evaluate(HIDE, False)
    expect(page).to_have_title(title)
    assert icon(page) == before


def test_your_tables_say_whose_turn_it_is(site: Address, page: Page) -> None:
    code, private = seated(site, "triatri", options={"players": 2})
    page.goto(private)
    expect(button(page, "Start game")).to_be_visible()
    page.goto(site.url)
    tables = page.get_by_role("region", name="Your tables")
    expect(tables).to_contain_text("waiting for players")
    ben = site.client(code, site.sit(code, "Ben")["token"])
    page.evaluate(HIDE, False)  # as if the tab was looked at again
    expect(tables).to_contain_text("Your turn")
    snap(page, "your-turn")
    ben.close()


def test_a_card_played_offline_is_kept_and_played_once(
    site: Address, page: Page, troubles: list[str]
) -> None:
    lines: list[WebSocketRoute] = []

    def through(line: WebSocketRoute) -> Any:
        line.connect_to_server()
        lines.append(line)

    page.route_web_socket(re.compile(r"/socket$"), through)
    code, private = seated(site, "triatri", options={"players": 2}, away=None)
    ben = site.client(code, site.sit(code, "Ben")["token"])
    page.goto(private)
    cards = hand(page).get_by_role("button")
    expect(cards.first).to_be_enabled()
    page.unroute_all()
    page.context.set_offline(True)
    lines[0].close(code=3000)
    expect(page.get_by_text("Connection lost.")).to_be_visible()
    cards.first.click()
    cards.first.click()
    expect(page.get_by_text("Your move is saved")).to_be_visible()
    snap(page, "played-offline")
    page.context.set_offline(False)
    expect(page.get_by_text("Connection lost.")).to_be_hidden()
    expect(page.get_by_role("heading", level=1)).to_have_text("Waiting for Ben.")
    played = ben.wait_for(lambda update: update["view"] and update["view"]["pending"] == [1])
    assert all("ERR_INTERNET_DISCONNECTED" in trouble for trouble in troubles)
    troubles.clear()
    assert played["version"] == 5  # opened, two seats and the start are before it
    ben.close()
