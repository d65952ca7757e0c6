"""Hints in the browser: what is best and why, and one tap that prepares the choice."""

import re
from collections.abc import Callable
from operator import itemgetter
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from hastilude.games.kings_tournament.joust import RARE, fresh
from hastilude.games.kings_tournament.notation import CARD_TEXTS
from tests.server.running import Address
from tests.web import test_kings_tournament, test_tornei, test_triatri
from tests.web.axe import serious
from tests.web.screens import snap
from tests.web.settings import remember

DESK = {"width": 1280, "height": 800}
TARGET = 44  # pixels, the least that a finger hits
# Good play mixes several lines of the first five cards.
HAND = "1 1 7 9 10"
DECK = f"{HAND} 1 2 2 2 3 3 3 4 4 4 5 5 5 6 6 6 7 7 8 8 9 10 D D D B B B"
# In each game a position that is the same every time, with the reader in the first seat.
TABLES: dict[str, Any] = {
    "tornei": {"script": test_tornei.SCRIPT, "options": {"first_dealer": 3}},
    "kings_tournament": {
        "script": {
            "chance": [test_kings_tournament.shuffled(0, DECK), test_kings_tournament.BOB],
            "plays": [[1, ["10", "9", "7"]]],
        }
    },
    "triatri": {"script": test_triatri.SCRIPT, "options": {"players": 4}},
}
SEATS = {"tornei": 4, "kings_tournament": 2, "triatri": 4}
REASONS = {
    "tornei": r"finishes \d.. in \d+% of the possible deals, and \d+ stronger",
    "kings_tournament": r"wins the joust in \d+% .* (\d+|none) of the 33 cards",
    "triatri": r"you start the round in \d+% of the possible deals",
}


def practise(site: Address, page: Page, game: str, **settings: str) -> None:
    """Anna at a practice table, on her turn."""
    seats = [None, *["script"] * (SEATS[game] - 1)]
    opened = site.open_table(game, seats=seats, practice=True, **TABLES[game])
    token = site.sit(opened["code"], "Anna", host=opened["host"])["token"]
    remember(page, **settings)
    page.goto(f"{site.url}/t/{opened['code']}#{token}")


def ask(page: Page, name: str = "Hint") -> Locator:
    """Ask for a hint; the dialog, when it has one."""
    page.get_by_role("button", name=name, exact=True).click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("section").first).to_be_visible()
    return dialog


def good_lines() -> list[str]:
    """How the page writes the lines of the solved joust, the most frequent one first."""
    shares = fresh().strategy(0, [CARD_TEXTS.index(card) for card in HAND.split()])
    often = sorted(shares.items(), key=itemgetter(1), reverse=True)
    return [
        f"{' → '.join(CARD_TEXTS[card] for card in line)} ({share:.0%})"
        for line, share in often
        if share > RARE
    ]


@pytest.mark.parametrize("game", TABLES)
def test_a_hint_says_what_is_best_and_why_and_a_tap_prepares_it(
    site: Address, page: Page, game: str
) -> None:
    practise(site, page, game)
    dialog = ask(page)
    snap(page, f"hints-{game}")
    best = dialog.locator("section").first
    expect(best.get_by_role("heading")).to_have_text(
        re.compile(r"^(Best|Equally good|Mix these).*, about \d+% to win$")
    )
    expect(best.locator("p")).to_have_text(re.compile(REASONS[game]))
    expect(dialog.get_by_role("status")).to_have_text(re.compile(r"about \d+% to win: \w"))
    for button in dialog.get_by_role("listitem").get_by_role("button").all():
        box = button.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= TARGET
    assert not serious(page)
    if game == "kings_tournament":
        expect(best.get_by_role("heading")).to_contain_text("Mix these")
        for button, line in zip(best.get_by_role("button").all(), good_lines(), strict=True):
            expect(button).to_have_accessible_name(line)
    best.get_by_role("button").first.click()
    expect(dialog).to_be_hidden()
    if game == "kings_tournament":  # the whole line lies there, and waits for the player
        expect(page.locator("[data-region=table] button")).to_have_count(3)
        expect(page.get_by_role("button", name="Ready!")).to_be_visible()
    else:  # the card is raised
        expect(page.locator("[data-region=hand] [aria-pressed=true]")).to_have_count(1)
    assert site.get(f"/api/tables/{page.url.rsplit('/', 1)[1]}")["matches"] == 1
    snap(page, f"hint-taken-{game}")


def test_a_hint_can_be_closed_while_it_is_thought_about(site: Address, page: Page) -> None:
    held: list[Any] = []

    def hold(socket: Any) -> None:
        server = socket.connect_to_server()
        server.on_message(
            lambda text: held.append(text) if '"type":"hints"' in text else socket.send(text)
        )

    page.route_web_socket(re.compile("/socket$"), hold)
    practise(site, page, "kings_tournament")
    page.get_by_role("button", name="Hint", exact=True).click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Thinking…")
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_be_hidden()
    expect(page.get_by_role("button", name="Hint", exact=True)).to_be_enabled()


@pytest.mark.parametrize("game", TABLES)
def test_hints_in_japanese_and_on_a_desktop(
    site: Address, open_page: Callable[..., Page], game: str
) -> None:
    """For people to look at; the sentence of the reason is Japanese."""
    page = open_page(viewport=DESK, color_scheme="dark")
    practise(site, page, game, language="ja")
    reason = ask(page, "ヒント").locator("section").first.locator("p")
    expect(reason).to_have_text(re.compile("考えられる配り方の"))
    page.set_viewport_size({"width": 360, "height": 640})
    snap(page, f"hints-{game}-ja")
    page.set_viewport_size(DESK)
    snap(page, f"hints-{game}-ja-desktop")
