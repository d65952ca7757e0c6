"""What surrounds the game at a table: what is said, asked for, looked up, and what follows."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.server.running import Address
from tests.web.screens import snap
from tests.web.test_lobby import DESKTOP, OpenPage, button, hand, menu, seated, sit_down


def at_a_match(site: Address, page: Page, friend: Page) -> None:
    """Anna and Ben at a match of King's Tournament."""
    code, private = seated(site)
    page.goto(private)
    sit_down(friend, f"{site.url}/t/{code}", "Ben")
    expect(hand(page)).to_be_visible()
    expect(hand(friend)).to_be_visible()


def test_phrases_and_pauses_reach_the_other(site: Address, page: Page, open_page: OpenPage) -> None:
    friend = open_page(locale="ja-JP")
    code, private = seated(site)
    page.goto(private)
    friend.goto(f"{site.url}/t/{code}")
    button(friend, "着席する").click()
    expect(hand(page)).to_be_visible()

    button(menu(page), "Well played!").click()
    said = friend.get_by_role("log", name="いまの発言")
    expect(said).to_contain_text("Anna")
    expect(said).not_to_contain_text("Well played!")

    button(menu(page), "Ask for a pause").click()
    expect(page.get_by_text("You asked for a pause.")).to_be_visible()
    button(friend, "同意する").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("The table is paused.")
    button(page, "End the pause").click()
    expect(button(page, "End the pause")).to_be_hidden()


def test_a_bot_stands_in_until_the_seat_is_taken_back(site: Address, page: Page) -> None:
    # Anna leads; while the others, who never come, use up their time, she can come back.
    clock = {"kind": "move", "seconds": 6, "increment": 0}
    options = {"first_dealer": 3}
    code, private = seated(site, "tornei", options=options, clock=clock, away=None)
    page.goto(private)
    expect(page.get_by_role("button", name="Start game")).to_be_visible()
    for name in ("Ben", "Cleo", "Dora"):
        site.sit(code, name)
    expect(page.get_by_role("timer").first).to_have_text(re.compile("0:0[0-6]"))
    button(page, "Take my seat back").click()
    expect(button(page, "Take my seat back")).to_be_hidden()
    assert site.get(f"/api/tables/{code}")["phase"] == "playing"


@pytest.mark.parametrize("away", [60, None])
def test_everybody_sees_who_is_offline(site: Address, page: Page, away: int | None) -> None:
    code, private = seated(site, "triatri", options={"players": 2}, away=away)
    ben = site.client(code, site.sit(code, "Ben")["token"])
    page.goto(private)
    expect(hand(page)).to_be_visible()
    expect(page.get_by_text("is offline")).to_have_count(0)
    ben.close()
    if away:
        expect(page.get_by_text("Ben is offline.", exact=True)).to_be_visible()
        expect(page.get_by_text(re.compile(r"A bot takes over in 0:5\d\."))).to_be_visible()
    else:
        expect(page.get_by_text("Ben is offline. Waiting for Ben.")).to_be_visible()
    snap(page, f"offline-{away}")


def test_after_the_match(site: Address, page: Page, open_page: OpenPage) -> None:
    # Nobody comes to this seat, so that a bot plays the match to its end.
    options = {"best_of": 1}
    code, private = seated(site, seats=[None, "page"], options=options, away=5)
    site.client(code).wait_for(lambda update: update["phase"] == "over")
    page.add_init_script("localStorage['hastilude:lessons'] ??= '[\"kings_tournament\"]'")
    page.goto(private)
    result = page.get_by_role("dialog")
    expect(result).to_contain_text("won")
    expect(result.get_by_role("heading")).to_have_text(re.compile(r"^(You win!|Page 2 wins)$"))
    harder = result.get_by_role("link", name="Try against squires")
    expect(harder).to_have_attribute("href", "/play/kings_tournament?level=squire")
    spectator = open_page()
    spectator.goto(f"{site.url}/t/{code}")
    seen = spectator.get_by_role("dialog")
    expect(seen.get_by_role("heading")).to_have_text(re.compile(r"^(Anna|Page 2) wins$"))
    expect(button(seen, "Play again")).to_have_count(0)
    expect(seen.get_by_text("Try against")).to_have_count(0)
    expect(result.get_by_role("table").first.get_by_role("row")).to_have_count(2)
    expect(result.get_by_role("link", name="Replay")).to_have_attribute("href", f"/t/{code}/1")
    snap(page, "result")
    button(result, "View table").click()
    expect(result).to_be_hidden()
    button(page, "Result").click()
    button(result, "Play again").click()
    expect(result).to_be_hidden()
    expect(hand(page)).to_be_visible()


def test_everything_can_be_looked_up_with_keys(
    site: Address, page: Page, open_page: OpenPage
) -> None:
    at_a_match(site, page, open_page())
    for key, name in {"h": "Game log", "r": "Rules", "m": "Menu", "?": "Keys"}.items():
        page.keyboard.press(key)
        expect(page.get_by_role("dialog", name=name)).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_be_hidden()


def test_a_key_does_nothing_while_kana_are_being_written(
    site: Address, page: Page, open_page: OpenPage
) -> None:
    at_a_match(site, page, open_page())
    press = """(isComposing) => document.body.dispatchEvent(
      new KeyboardEvent("keydown", { key: "h", bubbles: true, isComposing }))"""
    page.evaluate(press, True)
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.evaluate(press, False)
    expect(page.get_by_role("dialog")).to_be_visible()


def test_the_rules_are_searched_by_words(site: Address, page: Page, open_page: OpenPage) -> None:
    at_a_match(site, page, open_page())
    page.keyboard.press("r")
    rules = page.get_by_role("dialog", name="Rules")
    expect(rules.get_by_text("K12 Blow.")).to_be_visible()
    rules.get_by_label("Search the rules").fill("margin 7 HIT")
    expect(rules.get_by_text("K12 Blow.")).to_be_visible()
    expect(rules.get_by_text("K1 Deck.")).to_be_hidden()
    rules.get_by_label("Search the rules").fill("castling")
    expect(rules.get_by_text("No clause contains these words.")).to_be_visible()


def test_a_clause_has_an_address(site: Address, page: Page) -> None:
    page.goto(f"{site.url}/rules/tornei#T13")
    expect(page.locator("#T13")).to_be_in_viewport()
    assert page.locator("#T13 strong").inner_text() == "T13 End."


def test_the_page_of_a_desktop_shows_the_log_and_the_host_beside_the_game(
    site: Address, open_page: OpenPage
) -> None:
    page = open_page(viewport=DESKTOP)
    at_a_match(site, page, open_page())
    beside = page.get_by_role("complementary")
    # The board shows who plays; only the host is not seen there.
    expect(beside.get_by_role("list", name="Seats")).to_have_text("Anna host")
    expect(beside.get_by_role("list").last).to_contain_text("You have drawn")
    snap(page, "table-desktop")


def test_a_lost_line_is_said_and_mended(site: Address, page: Page, open_page: OpenPage) -> None:
    sockets = []

    def through(socket) -> None:
        socket.connect_to_server()
        sockets.append(socket)

    page.route_web_socket(re.compile(r"/socket$"), through)
    at_a_match(site, page, open_page())
    page.unroute_all()
    page.context.set_offline(True)
    sockets[0].close(code=3000)
    expect(page.get_by_text("Connection lost.")).to_be_visible()
    expect(hand(page)).to_be_visible()
    page.context.set_offline(False)
    expect(page.get_by_text("Connection lost.")).to_be_hidden()
