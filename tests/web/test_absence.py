"""Players who are away or leave, as the others and they themselves see it."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.server.running import GENEROUS, Address, Client, in_thread
from tests.web.axe import serious
from tests.web.screens import snap
from tests.web.test_lobby import DESKTOP, OpenPage, button, hand, menu, seated

TWO = {"players": 2}


def dialog(page: Page, name: str) -> Locator:
    return page.get_by_role("dialog", name=name)


def with_ben(site: Address, game: str = "triatri", **wanted: Any) -> tuple[str, str, str, Client]:
    """A match of Anna, who is the host, and Ben: the code, Anna's link, Ben's link, and Ben."""
    code, private = seated(site, game, **{"options": TWO, **wanted})
    sitting = site.sit(code, "Ben")
    return code, private, sitting["link"], site.client(code, sitting["token"])


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_host_decides_about_an_absent_player(
    site: Address, open_page: OpenPage, language: str
) -> None:
    says = {
        "en": ("Players", "Wait longer", "Let a bot play", "End the match", "was abandoned"),
        "ja": ("プレイヤー", "もう少し待つ", "ボットに任せる", "対戦を終わらせる", "打ち切られ"),
    }[language]
    players, longer, bot, end, abandoned = says
    page = open_page(locale={"en": "en-GB", "ja": "ja-JP"}[language])
    code, private, _, ben = with_ben(site, away=100)
    page.goto(private)
    expect(page.get_by_role("list", name=re.compile("Hand|手札"))).to_be_visible()
    ben.close()
    timer = page.get_by_role("timer")
    expect(timer).to_contain_text(re.compile("1:[34]"))
    mark = page.get_by_role("img", name=re.compile("^(offline|離席中)$"))
    expect(mark).to_be_visible()
    snap(page, f"host-offline-{language}")
    button(page, players).click()
    box = dialog(page, players)
    box.get_by_role("button", name=longer).click()
    expect(timer).to_contain_text(re.compile("1:(40|3[5-9])"))
    assert not serious(page)
    snap(page, f"host-players-{language}")
    box.get_by_role("button", name=bot).click()
    expect(box.get_by_text(re.compile("bot playing|ボットが代行"))).to_be_visible()
    button(box, end).click()
    button(box.get_by_role("alert"), end).click()
    expect(page.get_by_role("dialog")).to_contain_text(abandoned)
    assert site.get(f"/api/tables/{code}/matches/1/record")["end"] == {"reason": "abandoned"}
    snap(page, f"host-ended-{language}")
    page.goto(f"{site.url}/t/{code}/1")  # it can be replayed
    expect(page.get_by_role("heading", level=1)).to_be_visible()


@pytest.mark.parametrize("game", ["tornei", "kings_tournament", "triatri"])
def test_a_seat_that_was_left_is_marked_offered_and_taken_over(
    site: Address, page: Page, open_page: OpenPage, game: str
) -> None:
    options = {"tornei": {"players": 3}, "kings_tournament": {}, "triatri": TWO}[game]
    seats = {"tornei": [None, None, "page"]}.get(game)
    code, private, old_link, ben = with_ben(site, game, options=options, seats=seats)
    page.goto(private)
    expect(hand(page)).to_be_visible()
    ben.send("leave")
    expect(page.get_by_text("Ben left. A bot plays on.")).to_be_visible()
    expect(page.get_by_role("img", name="left, a bot plays on")).to_be_visible()
    snap(page, f"left-{game}")
    newcomer = open_page()
    newcomer.goto(f"{site.url}/t/{code}")
    expect(newcomer.get_by_text("Watching")).to_be_visible()  # nothing is offered
    expect(button(newcomer, "Sit down at this table")).to_be_hidden()
    button(page, "Players").click()
    box = dialog(page, "Players")
    expect(box).to_contain_text("Ben (left)")
    button(box, "Offer the seat: Ben").click()
    expect(box.get_by_label("Whoever opens this link can take the seat")).to_have_value(
        f"{site.url}/t/{code}"
    )
    snap(page, f"offered-{game}")
    button(newcomer, "Sit down at this table").click()
    newcomer.get_by_label("Your name").fill("Dora")
    snap(newcomer, f"take-over-{game}")
    button(newcomer, "Take over Ben's seat").click()
    expect(hand(newcomer)).to_be_visible()
    button(box, "Close").click()
    expect(page.get_by_role("img", name="left, a bot plays on")).to_be_hidden()
    page.keyboard.press("h")
    log = dialog(page, "Game log")
    expect(log).to_contain_text("Ben left the table.")
    expect(log).to_contain_text("Dora took over the seat.")
    snap(page, f"log-{game}")
    old = open_page()
    old.goto(old_link)
    expect(old.get_by_text("This seat link is no longer valid.")).to_be_visible()


def test_coming_back_shows_what_a_bot_played(site: Address, page: Page) -> None:
    code, private, bens, ben = with_ben(site, away=None)
    ben.wait_for(lambda u: u["match"])
    cards = ben.update["view"]["hand"]
    ben.close()
    token = private.split("#")[1]
    host = site.client(code, token, since=0)
    host.wait_for(lambda u: not u["seats"][1]["here"] and u["match"])
    host.send("replace", seat=1)
    host.wait_for(lambda u: u["seats"][1]["stand_in"])
    while host.update["view"]["pending"] != [0] or host.update["view"]["phase"] == "bid":
        if host.update["legal"]:
            host.play(*host.first_choice())
        host.receive()
    page.goto(bens)
    notice = page.get_by_text(re.compile("A bot made [1-9] moves? for you."))
    expect(notice).to_be_visible()
    snap(page, "missed")
    button(page, "What happened?").click()
    box = dialog(page, "Moves a bot made for you")
    expect(box.get_by_role("listitem").first).to_be_visible()
    snap(page, "missed-moves")
    button(box, "Show the table before them").click()
    expect(page.get_by_text("This is the table before the bot's moves.")).to_be_visible()
    expect(hand(page).get_by_role("listitem")).to_have_count(len(cards))
    snap(page, "missed-before")
    button(page, "Back to now").click()
    expect(box).to_be_visible()
    button(box, "Close").click()
    page.reload()
    expect(notice).to_be_visible()  # until it is closed
    button(page, "Close").click()
    expect(notice).to_be_hidden()
    page.reload()
    expect(hand(page)).to_be_visible()
    expect(notice).to_be_hidden()
    host.close()


def test_a_spectator_waits_for_the_next_match(
    site: Address, page: Page, open_page: OpenPage
) -> None:
    code, private, _, ben = with_ben(site)
    page.goto(private)
    expect(hand(page)).to_be_visible()
    waiting = open_page()
    waiting.goto(f"{site.url}/t/{code}")
    button(waiting, "Wait for the next match").click()
    waiting.get_by_label("Your name").fill("Ben")
    button(waiting, "Wait for the next match").click()
    expect(waiting.get_by_text("already called Ben")).to_be_visible()
    button(waiting, "Wait for the next match").click()
    waiting.get_by_label("Your name").fill("Dora")
    button(waiting, "Wait for the next match").click()
    expect(waiting.get_by_text("You are number 1 in the queue.")).to_be_visible()
    snap(waiting, "queued")
    waiting.reload()
    expect(button(waiting, "Wait for the next match")).to_be_visible()  # the place was given up
    button(waiting, "Wait for the next match").click()
    button(waiting, "Wait for the next match").click()
    expect(waiting.get_by_text("You are number 1 in the queue.")).to_be_visible()
    button(menu(page), "Players").click()
    expect(dialog(page, "Players")).to_contain_text("Waiting for a seat: Dora")
    ben.send("leave")
    button(dialog(page, "Players"), "Offer the seat: Ben").click()
    button(dialog(page, "Players"), "End the match").click()
    button(dialog(page, "Players").get_by_role("alert"), "End the match").click()
    result = page.get_by_role("dialog")
    expect(result).to_contain_text("Dora")
    button(result, "Play again").click()
    expect(hand(waiting)).to_be_visible()
    expect(hand(page)).to_be_visible()
    assert [seat["name"] for seat in site.get(f"/api/tables/{code}")["seats"]] == ["Anna", "Dora"]


@pytest.fixture
def quick(tmp_path: Path) -> Iterator[Address]:
    """A server that soon says who is offline."""
    database = str(tmp_path / "tables.db")
    with in_thread(replace(GENEROUS, database=database, offline_seconds=0.1)) as server:
        yield server


def test_the_log_tells_of_absent_players(quick: Address, open_page: OpenPage) -> None:
    page = open_page(viewport=DESKTOP)
    code, private, bens, ben = with_ben(quick)
    page.goto(private)
    expect(hand(page)).to_be_visible()
    ben.close()
    beside = page.get_by_role("complementary")
    expect(beside).to_contain_text("Ben went offline.")
    again = quick.client(code, bens.split("#")[1])
    expect(beside).to_contain_text("Ben is back.")
    page.reload()
    expect(beside).to_contain_text("Ben went offline.")
    expect(beside).to_contain_text("Ben is back.")
    snap(page, "log-offline")
    again.close()
