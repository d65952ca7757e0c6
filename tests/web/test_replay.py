"""A finished match in a browser: turn by turn, with anybody's eyes, and its shuffles checked."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from hastilude.cli.verify import examine
from hastilude.core.record import Record
from tests.server.running import SEED, Address, play_out
from tests.web.axe import serious
from tests.web.screens import snap
from tests.web.settings import remember

OpenPage = Callable[..., Page]
DESK = {"width": 1280, "height": 800}
NAMES = ["Anna", "Ben", "Chika"]


class Played(NamedTuple):
    site: Address
    code: str
    tokens: list[str]
    commitment: str

    @property
    def page(self) -> str:
        return f"{self.site.url}/t/{self.code}/1"

    @property
    def path(self) -> str:
        return f"/api/tables/{self.code}/matches/1"

    def steps(self, seat: int | None) -> list[Any]:
        query = "" if seat is None else f"?seat={seat}"
        token = {"Authorization": f"Bearer {self.tokens[0]}"}
        steps: list[Any] = self.site.get(f"{self.path}/replay{query}", headers=token)
        return steps


def played(site: Address, **wanted: Any) -> Played:
    """A whole match of TriATri between three people."""
    opened = site.open_table("triatri", options={"players": 3}, **wanted)
    code = opened["code"]
    tokens = [site.sit(code, name)["token"] for name in NAMES]
    clients = [site.client(code, token) for token in tokens]
    play_out(clients)
    for client in clients:
        client.close()
    return Played(site, code, tokens, opened["commitment"])


@pytest.fixture(scope="module")
def match(site: Address) -> Played:
    return played(site)


@pytest.fixture(scope="module")
def steps(match: Played) -> list[Any]:
    return match.steps(None)


def scrubber(page: Page) -> Locator:
    return page.get_by_role("slider")


def at(page: Page, turn: int) -> None:
    expect(scrubber(page)).to_have_value(str(turn))


def hand(page: Page) -> list[str]:
    cards = page.locator("[data-region='hand'] [data-card]").all()
    return sorted(card.get_attribute("data-card") or "" for card in cards)


def see(page: Page, who: str) -> None:
    page.get_by_label("View as").select_option(label=who)


def keep_seat(page: Page, match: Played, **more: Any) -> None:
    """As a browser that played in the first seat."""
    seat = {"code": match.code, "game": "triatri", "token": match.tokens[0], "seat": 0, "used": 0}
    kept = json.dumps([{**seat, **more}])
    page.add_init_script(f"localStorage.setItem('hastilude:seats', {json.dumps(kept)})")


def check_shuffles(page: Page) -> Locator:
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Verify shuffles").click()
    finding = page.locator(".finding")
    expect(finding).to_be_visible()
    return finding


# --- turn by turn -------------------------------------------------------------------------------


def test_it_is_gone_through_by_keys_and_by_buttons(
    match: Played, steps: list[Any], page: Page
) -> None:
    page.goto(match.page)
    last = len(steps) - 1
    expect(scrubber(page)).to_have_attribute("max", str(last))
    at(page, 0)
    for key, turn in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", last)):
        page.keyboard.press(key)
        at(page, turn)
    expect(page.get_by_role("heading", level=1)).to_contain_text("Scores: ")
    scrubber(page).press("Home")
    at(page, 0)
    page.get_by_role("button", name="Next move").click()
    at(page, 1)
    page.get_by_role("button", name="Previous move").click()
    at(page, 0)
    scrubber(page).fill("9")
    at(page, 9)
    expect(page).to_have_url(f"{match.page}?turn=9")


def test_from_one_thing_decided_to_the_next(match: Played, steps: list[Any], page: Page) -> None:
    ends = [turn for turn, step in enumerate(steps) if any(told["ends"] for told in step["events"])]
    page.goto(match.page)
    at(page, 0)
    for end in ends[:3]:
        page.get_by_role("button", name="Next result").click()
        at(page, end)
    page.keyboard.press("PageUp")
    at(page, ends[1])


def test_what_was_decided_is_seen_and_explained(
    match: Played, steps: list[Any], page: Page
) -> None:
    turn = next(
        turn
        for turn, step in enumerate(steps)
        if any(told["ends"] == "trick" for told in step["events"])
    )
    trick = steps[turn]["view"]["last_trick"]
    page.goto(f"{match.page}?turn={turn}")
    winner = NAMES[trick["winner"]]
    won = re.compile(f"{winner} (wins|gets) the")
    expect(page.get_by_role("heading", level=1)).to_contain_text(won)
    for seat, lies in enumerate(trick["lies"]):  # the table after it would be empty
        place = page.locator(f"[data-region='seat:{seat}'] .place")
        number = lies["card"][1:] or "X"
        expect(place.get_by_text(number, exact=True).first).to_be_visible()
    snap(page, "replay")
    page.get_by_role("button", name="why?").first.click()
    expect(page.get_by_role("dialog").locator(".clause").last).to_contain_text("A10")


def test_it_plays_by_itself(match: Played, steps: list[Any], page: Page) -> None:
    remember(page)
    page.goto(f"{match.page}?turn={len(steps) - 4}")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    at(page, len(steps) - 1)
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_the_log_is_in_groups_and_each_entry_leads_to_its_turn(
    match: Played, steps: list[Any], open_page: OpenPage
) -> None:
    bid, *tricks = [
        turn for turn, step in enumerate(steps) if any(told["ends"] for told in step["events"])
    ]
    page = open_page(viewport=DESK)
    page.goto(f"{match.page}?turn={tricks[1]}")
    groups = page.get_by_role("complementary").locator("details")
    expect(groups.locator("summary strong")).to_have_text(["Now", "Trick 2", "Trick 1", "Bids"])
    expect(groups.nth(0).locator("li")).to_have_count(1)
    expect(groups.nth(1)).to_contain_text(re.compile("wins|gets"))
    bids = groups.nth(3)
    expect(bids.locator("li")).to_have_count(0)
    bids.locator("summary").press("Enter")
    expect(bids.locator("li").first).to_contain_text("Round 1 begins")
    expect(bids.locator("li").last).to_contain_text("start player")
    snap(page, "replay-log")
    assert serious(page) == []
    bids.locator("li").last.get_by_role("button").first.click()
    at(page, bid)


# --- whose eyes, and which turn -----------------------------------------------------------------


def test_each_seat_sees_its_own_hand_and_a_spectator_none(match: Played, page: Page) -> None:
    page.goto(f"{match.page}?turn=5")
    at(page, 5)
    assert hand(page) == []
    for seat, name in enumerate(NAMES):
        see(page, name)
        expect(page).to_have_url(f"{match.page}?seat={seat}&turn=5")
        held = match.steps(seat)[5]["view"]["hand"]
        expect(page.locator("[data-region='hand'] [data-card]")).to_have_count(len(held))
        assert hand(page) == sorted(held)
        at(page, 5)
    see(page, "a spectator")
    expect(page.locator("[data-region='hand'] [data-card]")).to_have_count(0)


def test_a_link_opens_its_turn_with_its_eyes(match: Played, page: Page) -> None:
    page.goto(f"{match.page}?seat=1&turn=7")
    at(page, 7)
    expect(page.get_by_label("View as")).to_have_value("1")
    assert hand(page) == sorted(match.steps(1)[7]["view"]["hand"])
    page.get_by_role("button", name="Menu").click()
    expect(page.get_by_label("Link to this position")).to_have_value(f"{match.page}?seat=1&turn=7")


def test_links_that_point_nowhere(match: Played, steps: list[Any], page: Page) -> None:
    page.goto(f"{match.page}?turn=9999")
    at(page, len(steps) - 1)
    page.goto(f"{match.page}?turn=soon")
    at(page, 0)


def test_what_there_is_not_is_said(match: Played, page: Page, troubles: list[str]) -> None:
    page.goto(f"{match.site.url}/t/{match.code}/7")
    expect(page.get_by_role("alert")).to_have_text(f"Table {match.code} has no match 7.")
    page.goto(f"{match.page}?seat=5&turn=0")
    expect(page.get_by_role("alert")).to_contain_text("There is no seat 5")
    assert len(troubles) == 2, troubles  # the browser's own words for 404 and 400
    troubles.clear()


def test_a_table_that_nobody_may_watch_opens_to_its_players(
    site: Address, open_page: OpenPage, troubles: list[str]
) -> None:
    match = played(site, watch="nobody")
    stranger, player = open_page(), open_page()
    stranger.goto(match.page)
    expect(stranger.get_by_role("alert")).to_have_text("Only the players can watch this table.")
    assert len(troubles) == 1, troubles
    troubles.clear()
    keep_seat(player, match)
    player.goto(match.page)
    at(player, 0)
    expect(player.get_by_label("View as")).to_have_value("0")


# --- the record and its shuffles ----------------------------------------------------------------


def test_the_saved_record_is_the_match(match: Played, page: Page, tmp_path: Path) -> None:
    page.goto(match.page)
    page.get_by_role("button", name="Menu").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download game").click()
    file = tmp_path / "record.json"
    download.value.save_as(file)
    assert download.value.suggested_filename == f"hastilude-{match.code}-1.json"
    assert examine(Record.load(file)).problem is None
    assert json.loads(file.read_text("utf-8")) == match.site.get(f"{match.path}/record")


def test_the_shuffles_are_right(match: Played, page: Page) -> None:
    page.goto(match.page)
    finding = check_shuffles(page)
    expect(finding).to_contain_text("Shuffles verified")
    expect(finding).to_contain_text(match.commitment)
    expect(finding).to_contain_text("This browser has neither the commitment nor a seed")
    expect(finding).to_contain_text("This does not show that nobody looked")


def test_a_player_compares_what_was_shown_before(match: Played, page: Page) -> None:
    keep_seat(page, match, seeds={"1": {"seed": SEED, "commitment": match.commitment}})
    page.goto(match.page)
    finding = check_shuffles(page)
    expect(finding).to_contain_text("Shuffles verified")
    expect(finding).to_contain_text("the commitment that this browser was shown")
    expect(finding).to_contain_text(f"Your own seed {SEED} is listed for your seat.")


@pytest.mark.parametrize(
    ("kept", "told"),
    [
        ({"seed": "00" * 16}, "is not the one listed for your seat"),
        ({"commitment": "00" * 32}, "this browser was shown a different commitment"),
    ],
)
def test_a_player_notices_what_was_exchanged(
    match: Played, page: Page, kept: dict[str, str], told: str
) -> None:
    pledge = {"seed": SEED, "commitment": match.commitment, **kept}
    keep_seat(page, match, seeds={"1": pledge})
    page.goto(match.page)
    finding = check_shuffles(page)
    expect(finding).to_contain_text("Shuffles do not match")
    expect(finding).to_contain_text(told)


def exchange_cards(record: Any) -> None:
    hands = record["events"][0][1]["hands"]
    hands[0][0], hands[1][0] = hands[1][0], hands[0][0]


def exchange_seed(record: Any) -> None:
    record["proof"]["seeds"][2] = "00" * 16


def exchange_master(record: Any) -> None:
    record["proof"]["master"] = "00" * 32


def remove_proof(record: Any) -> None:
    del record["proof"]


@pytest.mark.parametrize(
    ("tamper", "told"),
    [
        (exchange_cards, "the cards of the match do not match the seeds"),
        (exchange_seed, "the result in the proof does not match the seeds"),
        (exchange_master, "The master seed is not the promised one"),
        (remove_proof, "the record has no proof"),
    ],
)
def test_a_record_that_was_tampered_with(
    match: Played, page: Page, tamper: Callable[[Any], None], told: str
) -> None:
    def tampered(route: Route) -> None:
        record = match.site.get(f"{match.path}/record")
        tamper(record)
        route.fulfill(json=record)

    page.route("**/record", tampered)
    page.goto(match.page)
    finding = check_shuffles(page)
    expect(finding).to_contain_text("Shuffles do not match")
    expect(finding).to_contain_text(told)


def test_who_sits_down_in_the_page_can_check_it_afterwards(site: Address, page: Page) -> None:
    opened = site.open_table("kings_tournament", options={"best_of": 1})
    code = opened["code"]
    remember(page)  # otherwise the end of the match may wait for a tap
    page.goto(f"{site.url}/t/{code}")
    page.get_by_role("button", name="Sit down").click()
    expect(page.locator(".gathering")).to_be_visible()
    [kept] = page.evaluate("JSON.parse(localStorage.getItem('hastilude:seats'))")
    tokens = [kept["token"], site.sit(code, "Ben")["token"]]
    clients = [site.client(code, token) for token in tokens]
    play_out(clients)  # a seat can be played from two devices
    for client in clients:
        client.close()
    page.get_by_role("link", name="Replay").click()
    at(page, 0)
    finding = check_shuffles(page)
    expect(finding).to_contain_text("Shuffles verified")
    expect(finding).to_contain_text("the commitment that this browser was shown")
    expect(finding).to_contain_text(
        re.compile("Your own seed [0-9a-f]{32} is listed for your seat")
    )


# --- for everybody ------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_serious(match: Played, open_page: OpenPage, scheme: str) -> None:
    page = open_page(
        color_scheme=scheme,
        reduced_motion="reduce",
        **({"viewport": DESK, "locale": "ja-JP"} if scheme == "dark" else {}),
    )
    page.goto(f"{match.page}?seat=0&turn=8")
    at(page, 8)
    assert serious(page) == []
    page.locator(".top button").last.click()
    page.locator("dialog section > button").click()
    expect(page.locator(".finding")).to_be_visible()
    assert serious(page) == []
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")


@pytest.mark.parametrize("width", [320, 360])
def test_the_controls_are_within_reach_of_a_thumb(
    match: Played, open_page: OpenPage, width: int
) -> None:
    page = open_page(viewport={"width": width, "height": 640})
    page.goto(f"{match.page}?seat=0&turn=8")
    at(page, 8)
    for control in page.locator(".controls :is(button, select, input)").all():
        box = control.bounding_box()
        assert box
        assert box["width"] >= 44
        assert box["height"] >= 44
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["y"] + box["height"] <= 640  # without scrolling
