"""Tornei's table in a browser: played through by clicks, and looked at closely."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, WebSocket, expect

from tests.server.running import Address
from tests.web.axe import serious
from tests.web.screens import snap
from tests.web.settings import remember

OpenPage = Callable[..., Page]

DESK = {"width": 1280, "height": 800}

# The reader leads C1 and predicts the fourth place with C8. Then Shamrock is led, and the reader
# predicts the second place with F6.
HANDS = [
    "W1 W6 W10 F6 S2 S4 S9 S14 C1 C3 C5 C8 C10 C12",
    "W2 W4 W5 W7 W12 W13 F2 F7 F10 F13 S1 S8 S12 S13",
    "W8 F4 F11 S5 S7 S10 C2 C4 C6 C7 C9 C11 C13 C14",
    "W3 W9 W11 W14 F1 F3 F5 F8 F9 F12 F14 S3 S6 S11",
]
PLAYS = ["1W5", "2W8", "3F3", "1W2", "2C14", "3F14", "1S12", "1W4", "2S7", "3S11", "2S5", "3S3"]
SCRIPT = {
    "chance": [["deal", {"hands": [hand.split() for hand in HANDS]}]],
    "plays": [[int(play[0]), [play[1:]]] for play in PLAYS],
}


def sit_down(
    site: Address, page: Page, seats: list[Any], settings: dict[str, str], **more: Any
) -> None:
    """Open a table, and come to it by the private link of the first seat."""
    come(site, page, *open_table(site, seats, **more), settings)


def open_table(site: Address, seats: list[Any], **more: Any) -> tuple[str, str]:
    """The code of a new table, and the token of its first seat."""
    options = {"players": len(seats), **more.pop("options", {})}
    opened = site.open_table("tornei", options=options, seats=seats, **more)
    return opened["code"], site.sit(opened["code"], "Anna", host=opened["host"])["token"]


def come(site: Address, page: Page, code: str, token: str, settings: dict[str, str]) -> None:
    remember(page, **settings)
    page.goto(f"{site.url}/t/{code}#{token}")


def with_bots(site: Address, page: Page, players: int, **settings: str) -> None:
    sit_down(site, page, [None, *["page"] * (players - 1)], settings)


def scripted(site: Address, page: Page, **settings: str) -> None:
    seats = [None, *["script"] * 3]
    sit_down(site, page, seats, settings, script=SCRIPT, options={"first_dealer": 3})


def card(page: Page, text: str) -> Locator:
    return page.locator(f"[data-card='{text}']")


def take(page: Page, text: str) -> None:
    """A tap raises it, a second one plays it."""
    expect(card(page, text)).to_have_class(re.compile("playable"))
    card(page, text).click()
    expect(card(page, text)).to_have_attribute("aria-pressed", "true")
    card(page, text).click()
    expect(card(page, text)).to_have_count(0)


def seat(page: Page, number: int) -> Locator:
    return page.locator(f"[data-region='seat:{number}']")


def heading(page: Page, trick: int) -> Locator:
    return page.get_by_role("heading", name=f"trick {trick} of 7")


def to_second_joust(page: Page) -> None:
    """To the reader's joust card in the second trick, when all predictions lie face down."""
    for text in ("C1", "C8", "F6"):
        take(page, text)
    expect(card(page, "S9")).to_have_class(re.compile("playable"))
    expect(card(page, "C3")).not_to_have_class(re.compile("playable"))


def play_any(page: Page) -> None:
    page.locator("[data-card].playable").first.click()
    page.locator("[aria-pressed='true']").click()
    expect(page.locator("[aria-pressed='true']")).to_have_count(0)


@pytest.mark.parametrize("players", [3, 4])
def test_a_match_is_played_to_its_end_by_clicks(site: Address, page: Page, players: int) -> None:
    """Its last round: what came before was played by a program, which takes less time."""
    code, token = open_table(site, [None, *["page"] * (players - 1)])
    anna = site.client(code, token)
    anna.wait_for(lambda update: update["legal"])
    while anna.update["view"]["round"] < players:
        anna.reach(anna.play(*anna.first_choice())["version"])
        anna.wait_for(lambda update: update["legal"])
    come(site, page, code, token, {})
    result = page.get_by_role("dialog")
    playable = page.locator("[data-card].playable").first
    headings = set()
    while True:
        expect(playable.or_(result).first).to_be_visible()
        if result.count():
            break
        headings.add(page.locator("h2", has_text="trick").inner_text())
        play_any(page)
    assert len(headings) == 7
    sheet = result.get_by_role("table", name="Points by round")
    expect(sheet.get_by_role("row")).to_have_count(players + 2)
    expect(sheet).to_contain_text("Anna")
    snap(page, f"tornei-result-{players}")
    result.get_by_role("button", name="Close").click()
    expect(page.get_by_role("img", name=re.compile(r"joust card: .*, 1st"))).to_be_visible()
    snap(page, f"tornei-over-{players}")


def frames_sent(page: Page) -> list[str]:
    """The types of the frames that the page sends from now on."""
    sent: list[str] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framesent", lambda text: sent.append(json.loads(text)["type"]))

    page.on("websocket", listen)
    return sent


def test_cards_are_played_without_asking_the_server_first(site: Address, page: Page) -> None:
    sent = frames_sent(page)
    scripted(site, page)
    to_second_joust(page)
    assert sent.count("play") == 3
    assert "ask" not in sent
    card(page, "C3").click()  # Shamrock was led
    expect(page.get_by_role("dialog")).to_contain_text("T9")
    assert sent.count("ask") == 1


def test_predictions_lie_face_down_and_only_the_own_one_is_known(site: Address, page: Page) -> None:
    scripted(site, page)
    to_second_joust(page)
    for other in (1, 2, 3):
        expect(seat(page, other).get_by_role("img", name="prediction, face down")).to_be_visible()
    own = seat(page, 0).get_by_role("img", name="your prediction, face down: Fleur-de-lis 6, 2nd")
    expect(own).to_be_visible()
    snap(page, "tornei-joust")


def test_a_finished_trick_shows_places_and_what_was_predicted(site: Address, page: Page) -> None:
    scripted(site, page, pace="slower")
    to_second_joust(page)
    take(page, "S9")
    expect(page.get_by_role("img", name="joust card: Shamrock 12, 1st")).to_be_visible()
    expect(page.get_by_role("img", name="joust card: Shamrock 9, 2nd")).to_be_visible()
    expect(page.get_by_role("img", name="prediction: Fleur-de-lis 6, 2nd: right")).to_be_visible()
    expect(page.get_by_role("img", name="prediction: Shamrock 11, 3rd: wrong")).to_be_visible()
    expect(seat(page, 0)).to_contain_text("✓+3")
    expect(heading(page, 2)).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_contain_text("wins the trick with S12")
    snap(page, "tornei-places")
    heading(page, 2).click()  # whoever has seen enough goes on
    expect(heading(page, 3)).to_be_visible()
    expect(seat(page, 0)).to_contain_text("right predictions: Cross 8, Fleur-de-lis 6;")
    expect(seat(page, 3)).to_contain_text("wrong ones: Shamrock 11.")


def test_the_last_trick_can_be_looked_at_again(site: Address, page: Page) -> None:
    scripted(site, page)
    to_second_joust(page)
    page.keyboard.press("l")
    last = page.get_by_role("dialog")
    expect(last.get_by_role("img", name="joust card: Wyvern 2, 1st")).to_be_visible()
    expect(last.get_by_role("img", name="prediction: Fleur-de-lis 3, 2nd: right")).to_be_visible()
    snap(page, "tornei-last")


def test_the_dummy_shows_its_columns_and_its_pile(site: Address, page: Page) -> None:
    with_bots(site, page, 3)
    dummy = seat(page, 3)
    expect(dummy.get_by_role("heading", name="Dummy")).to_be_visible()
    expect(dummy).to_contain_text(re.compile(r"The dummy's columns: \S+ \d+"))
    expect(dummy).to_contain_text("cards left in the pile: 7")
    expect(dummy).to_contain_text("Turned up from the dummy's pile: none.")
    while not heading(page, 2).count():
        expect(page.locator("[data-card].playable").first).to_be_visible()
        play_any(page)
    expect(dummy).to_contain_text("cards left in the pile: 6")
    expect(dummy.get_by_role("img", name="prediction")).to_have_count(0)
    snap(page, "tornei-dummy")


def test_a_refused_card_is_explained_with_the_clause_and_the_cards(
    site: Address, page: Page
) -> None:
    scripted(site, page)
    to_second_joust(page)
    card(page, "C3").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Shamrock was led and you hold S14, S9, S4, S2.")
    expect(dialog).to_contain_text("T9")


def test_the_raised_card_says_what_it_will_do_and_the_table_takes_it(
    site: Address, page: Page
) -> None:
    scripted(site, page)
    card(page, "C1").click()
    expect(page.get_by_role("button", name="Play C1")).to_be_visible()
    seat(page, 2).click()
    expect(seat(page, 0).get_by_role("img", name="joust card: Cross 1")).to_be_visible()
    expect(card(page, "C8")).to_have_class(re.compile("playable"))
    card(page, "C8").click()
    snap(page, "tornei-predict")
    page.get_by_role("button", name="Predict 4th").click()
    expect(card(page, "C8")).to_have_count(0)


def test_a_trick_by_keyboard_alone(site: Address, page: Page) -> None:
    scripted(site, page)
    expect(card(page, "C1")).to_have_class(re.compile("playable"))
    while not page.evaluate("document.activeElement.matches('[data-card]')"):
        page.keyboard.press("Tab")
    page.keyboard.press("ArrowLeft")  # round the end of the hand
    expect(card(page, "C1")).to_be_focused()
    page.keyboard.press("Enter")
    expect(card(page, "C1")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Enter")
    expect(seat(page, 0).get_by_role("img", name="joust card: Cross 1")).to_be_visible()
    card(page, "C10").focus()
    page.keyboard.press("ArrowRight")
    expect(card(page, "C8")).to_be_focused()
    for key in ("Enter", "Enter"):
        page.keyboard.press(key)
    expect(heading(page, 2)).to_be_visible()
    expect(seat(page, 0)).to_contain_text("right predictions: Cross 8")


def test_after_a_reload_in_mid_trick_the_table_is_the_same(site: Address, page: Page) -> None:
    scripted(site, page)
    to_second_joust(page)
    before = page.locator(".drawing").aria_snapshot()
    assert "your prediction, face down" in before
    page.reload()
    expect(card(page, "S9")).to_have_class(re.compile("playable"))
    assert page.locator(".drawing").aria_snapshot() == before


def test_in_japanese(site: Address, page: Page) -> None:
    scripted(site, page, language="ja", theme="dark")
    expect(page.get_by_role("button", name="フルール・ド・リスの6")).to_be_visible()
    expect(page.get_by_role("heading", name="ラウンド1／4")).to_be_visible()
    take(page, "C1")
    expect(page.get_by_role("heading", level=1)).to_contain_text("何位になるかを予想してください。")
    card(page, "C8").click()
    expect(page.get_by_role("button", name="4位と予想")).to_be_visible()
    snap(page, "tornei-ja")
    card(page, "C8").click()
    expect(seat(page, 0)).to_contain_text("的中した予想はクロスの8")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", ["phone", "desk"])
def test_nothing_serious_is_in_the_way_of_anybody(
    site: Address, open_page: OpenPage, theme: str, size: str
) -> None:
    wanted = {"viewport": DESK} if size == "desk" else {}
    page = open_page(**wanted)
    scripted(site, page, theme=theme)
    to_second_joust(page)
    assert serious(page) == []
    snap(page, f"tornei-{size}-{theme}")


@pytest.mark.parametrize("players", [3, 4])
def test_on_a_desk_everything_is_seen_at_once(
    site: Address, open_page: OpenPage, players: int
) -> None:
    page = open_page(viewport=DESK)
    with_bots(site, page, players)
    expect(page.locator("[data-card].playable").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert page.evaluate(
        "(main => main.scrollHeight <= main.clientHeight)(document.querySelector('main'))"
    )
    snap(page, f"tornei-desk-{players}")
