"""TriATri's table in a browser: played through by clicks, and looked at closely."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.server.running import Address
from tests.web.axe import serious
from tests.web.screens import snap
from tests.web.settings import remember

DESK = {"width": 1280, "height": 800}

# R4, then B6 doubled, then an exchange that takes it, and the reader's own that takes it again.
HANDS = ["R3 R8 B2 G7 G8 X", "B5 B8 R2 R4 G2 G3", "G4 B3 B4 B6 R5 X", "R6 R7 B7 G5 G6 X"]
PLAYS = [
    (0, "R3"), (1, "B8"), (2, "R5"), (3, "R6"),
    (1, "supply:R"), (1, "R4"), (2, "B6"), (3, "X"), (0, "X"),
]  # fmt: skip
SCRIPT = {
    "chance": [["deal", {"hands": [hand.split() for hand in HANDS], "aside": []}]],
    "plays": [[seat, [action]] for seat, action in PLAYS],
}


def sit_down(site: Address, page: Page, players: int, seats: list[Any], **more: Any) -> str:
    """Open a table, and come to it by the private link of the first seat; how to come again."""
    remember(page, **more.pop("settings", {}))
    opened = site.open_table("triatri", options={"players": players}, seats=seats, **more)
    token = site.sit(opened["code"], "Anna", host=opened["host"])["token"]
    page.goto(f"{site.url}/t/{opened['code']}#{token}")
    return f"{site.url}/t/{opened['code']}"


def scripted(site: Address, page: Page, **settings: str) -> str:
    return sit_down(site, page, 4, [None, *["script"] * 3], script=SCRIPT, settings=settings)


def place(page: Page, seat: int) -> Locator:
    return page.locator(f"[data-region='seat:{seat}'] .place")


def take(page: Page, card: str) -> None:
    """A tap raises it, a second one plays it."""
    button = page.locator(f"[data-card='{card}']")
    expect(button).to_have_class(re.compile("playable"))
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    button.click()


def bid_and_wait(page: Page) -> None:
    """To the reader's turn in the first trick."""
    take(page, "R3")
    be_asked_for_a_card(page)


def be_asked_for_a_card(page: Page) -> None:
    expect(page.locator("[data-card='R3']")).to_have_count(0)  # the bid: before it all are playable
    expect(page.locator("[data-card='X'].playable")).to_be_visible()


@pytest.mark.parametrize("players", [2, 4])
def test_a_match_is_played_to_its_end_by_clicks(site: Address, page: Page, players: int) -> None:
    sit_down(site, page, players, [None, *["page"] * (players - 1)])
    result = page.get_by_role("dialog")
    choice = page.locator("button[data-action]:not(.lowered), [data-card].playable").first
    headings = set()
    while True:
        expect(choice.or_(result).first).to_be_visible()
        if result.count():
            break
        headings.add(page.get_by_role("heading", level=2).first.inner_text())
        choice.click()
        page.locator("[aria-pressed='true']").first.click()
        expect(page.locator("[aria-pressed='true']")).to_have_count(0)
    assert len(headings) >= 5
    expect(result).to_contain_text("Anna")
    result.get_by_role("button", name="Close").click()
    snap(page, f"triatri-over-{players}")


def test_an_exchange_is_told_apart_from_what_was_played(site: Address, page: Page) -> None:
    scripted(site, page)
    bid_and_wait(page)
    expect(place(page, 3).get_by_role("img", name="worth 12")).to_have_count(1)
    expect(place(page, 3)).to_contain_text("×2")
    expect(place(page, 2).get_by_role("img", name="exchange card is in front of")).to_have_count(1)
    expect(place(page, 2).get_by_role("img", name="has played water 6")).to_have_count(1)
    take(page, "X")
    expect(page.get_by_role("img", name="You have red 1, blue 0, green 0")).to_be_visible()


def test_an_exchange_is_seen_before_and_after(site: Address, page: Page) -> None:
    scripted(site, page, pace="slower")
    take(page, "R3")
    expect(place(page, 3).get_by_role("img", name="exchange card is in front of")).to_be_visible()
    expect(place(page, 3).get_by_role("img", name="water 6 is in front of")).to_be_visible()
    expect(place(page, 2).get_by_role("img", name="exchange card is in front of")).to_be_visible()


def test_a_finished_trick_rests_and_its_gem_goes_to_the_winner(site: Address, page: Page) -> None:
    scripted(site, page, pace="slower")
    bid_and_wait(page)
    take(page, "X")
    expect(place(page, 0)).to_contain_text("wins")
    snap(page, "triatri-won")
    expect(page.get_by_role("img", name="You have red 1")).to_be_visible()
    expect(place(page, 0)).to_contain_text("wins")
    page.get_by_role("heading", name="trick 1 of 5").click()  # whoever has seen enough goes on
    expect(page.get_by_role("heading", name="trick 2 of 5")).to_be_visible()
    expect(page.locator("button[data-action='own:R']")).to_be_visible()


def test_a_gem_that_may_not_be_named_is_explained(site: Address, page: Page) -> None:
    scripted(site, page)
    bid_and_wait(page)
    take(page, "X")
    page.locator("[data-action='own:B']").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("You have no blue gem. Your colours: red.")
    expect(dialog).to_contain_text("A6")
    page.keyboard.press("Escape")
    gem = page.locator("[data-action='own:R']")
    gem.click()
    expect(gem).to_have_attribute("aria-pressed", "true")
    snap(page, "triatri-naming")
    gem.click()
    expect(page.get_by_role("img", name="The gem for this trick is red")).to_be_visible()
    expect(page.get_by_role("img", name="You have red 0")).to_be_visible()


def test_a_refused_card_is_explained_with_the_clause_and_the_cards(
    site: Address, page: Page
) -> None:
    scripted(site, page)
    bid_and_wait(page)
    page.locator("[data-card='G7']").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("The gem is red and you hold red cards. You can play: R8, X.")
    expect(dialog).to_contain_text("A7")


def test_the_table_takes_the_raised_card(site: Address, page: Page) -> None:
    scripted(site, page)
    bid_and_wait(page)
    page.locator("[data-card='R8']").click()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("[data-card='R8']")).to_have_count(0)


def test_a_trick_by_keyboard_alone(site: Address, page: Page) -> None:
    scripted(site, page)
    page.locator("[data-card='R3']").focus()
    for key in ("Enter", "Enter"):
        page.keyboard.press(key)
    be_asked_for_a_card(page)
    exchange = page.locator("[data-card='X'].playable")
    page.locator("[data-card='R8']").focus()
    page.keyboard.press("ArrowLeft")  # round the end of the hand
    expect(exchange).to_be_focused()
    page.keyboard.press("Enter")
    expect(exchange).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Enter")
    gem = page.locator("button[data-action='supply:R']")
    expect(gem).to_be_visible()
    gem.focus()
    page.keyboard.press("Enter")
    expect(gem).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Enter")
    expect(page.get_by_role("img", name="The gem for this trick is red")).to_be_visible()


def test_after_a_reload_in_mid_trick_the_table_is_the_same(site: Address, page: Page) -> None:
    address = scripted(site, page)
    bid_and_wait(page)
    before = page.locator(".drawing").aria_snapshot()
    page.goto(address)
    expect(page.locator("[data-card='X'].playable")).to_be_visible()
    assert page.locator(".drawing").aria_snapshot() == before


def test_in_japanese(site: Address, page: Page) -> None:
    scripted(site, page, language="ja")
    take(page, "R3")
    expect(page.get_by_role("button", name="火の8")).to_be_visible()
    expect(page.get_by_role("button", name="偽カード")).to_be_visible()
    expect(page.locator("h1")).to_contain_text("カードを出してください。")
    expect(place(page, 2).get_by_role("img", name="偽カード")).to_have_count(1)
    expect(page.get_by_role("img", name="火は木に勝つ")).to_be_visible()
    snap(page, "triatri-ja")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nothing_serious_is_in_the_way_of_anybody(
    site: Address, open_page: Callable[..., Page], theme: str
) -> None:
    page = open_page()
    scripted(site, page, theme=theme)
    bid_and_wait(page)
    assert serious(page) == []
    snap(page, f"triatri-{theme}")
    take(page, "X")
    expect(page.locator("button[data-action='own:R']")).to_be_visible()
    assert serious(page) == []


@pytest.mark.parametrize("players", [2, 3, 4])
def test_on_a_desk_everything_is_seen_at_once(
    site: Address, open_page: Callable[..., Page], players: int
) -> None:
    page = open_page(viewport=DESK)
    sit_down(site, page, players, [None, *["page"] * (players - 1)])
    expect(page.locator("[data-card].playable").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    snap(page, f"triatri-desk-{players}")


def test_a_trick_on_a_desk(site: Address, open_page: Callable[..., Page]) -> None:
    page = open_page(viewport=DESK)
    scripted(site, page)
    bid_and_wait(page)
    for seat in range(4):
        expect(place(page, seat)).to_be_in_viewport(ratio=1)
    snap(page, "triatri-desk")
