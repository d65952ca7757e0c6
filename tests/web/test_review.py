"""The review of a finished match in a browser: the graph, the decisions, learning, all hands."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from hastilude.core.shuffles import MASTER_BYTES
from hastilude.server import reviews
from hastilude.server.tokens import Sources
from tests.server.running import GENEROUS, IMPATIENT, Address, in_thread, play_out
from tests.web.axe import serious
from tests.web.screens import snap
from tests.web.settings import remember
from tests.web.test_replay import Played, at, keep_seat

OpenPage = Callable[..., Page]
DESK = {"width": 1280, "height": 800}
SIDEWAYS = {"width": 667, "height": 375}
WHILE_IT_IS_MADE = 120_000  # milliseconds
LOST = ("inaccuracy", "mistake", "blunder")


class Certain(Sources):
    """One table, whose cards are always the same."""

    def code(self) -> str:
        return "k7qm2xab"

    def master(self) -> bytes:
        return bytes([1]) * MASTER_BYTES


@pytest.fixture(scope="module")
def match(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    """A whole match of TriATri between two people who always make their first choice."""
    database = tmp_path_factory.mktemp("review") / "tables.db"
    settings = replace(GENEROUS, database=str(database))
    with pytest.MonkeyPatch.context() as patch, in_thread(settings, sources=Certain()) as site:
        patch.setattr(reviews, "WORKER", IMPATIENT)
        opened = site.open_table("triatri", options={"players": 2})
        tokens = [site.sit(opened["code"], name)["token"] for name in ("Anna", "Ben")]
        clients = [site.client(opened["code"], token) for token in tokens]
        play_out(clients)
        for client in clients:
            client.close()
        yield Played(site, opened["code"], tokens, opened["commitment"])


def show_review(page: Page, match: Played, start: str = "Review this match") -> Locator:
    """The panel with Anna's review; the first test that comes here has it made."""
    keep_seat(page, match)
    page.goto(f"{match.page}?review=0")
    panel = page.get_by_role("complementary")
    ready = panel.locator("caption")
    asking = panel.get_by_role("button", name=start)
    expect(asking.or_(ready)).to_be_visible()
    if asking.is_visible():
        asking.click()
    expect(ready).to_be_visible(timeout=WHILE_IT_IS_MADE)
    return panel


def marked(match: Played) -> list[tuple[int, Any]]:
    """Anna's decisions that lost something, with their turns."""
    record = match.site.get(f"{match.path}/record")
    review = match.site.get(f"{match.path}/reviews/0")
    assert review["state"] == "done"
    return [
        (sum(event[0] == "play" for event in record["events"][: decision["step"]]), decision)
        for decision in review["decisions"]
        if decision["label"] in LOST
    ]


def marks(panel: Locator) -> Locator:
    return panel.locator(".graph button")


def number(text: str) -> float:
    return float(text.split(maxsplit=1)[0].replace("−", "-"))


def test_a_review_is_started_and_arrives_bit_by_bit(match: Played, page: Page) -> None:
    keep_seat(page, match)
    page.goto(match.page)
    page.get_by_role("button", name="Review", exact=True).click()
    panel = page.get_by_role("complementary", name="Review")
    expect(panel.get_by_label("Player").locator("option").first).to_have_text(
        re.compile(r"Anna\s+\(you\)")
    )
    expect(page).to_have_url(f"{match.page}?seat=0&turn=0&review=0")
    panel.get_by_role("button", name="Review this match").click()
    expect(panel.get_by_role("progressbar")).to_be_visible()
    expect(panel.get_by_role("img", name="Chances to win")).to_be_visible(timeout=WHILE_IT_IS_MADE)
    parts = panel.get_by_role("table", name="Skill and luck").locator("td")
    expect(parts.first).to_be_visible(timeout=WHILE_IT_IS_MADE)
    expect(panel.get_by_role("progressbar")).to_have_count(0)
    *changes, result = map(number, parts.all_inner_texts())
    assert round(sum(changes), 1) == result
    assert result in (0.0, 50.0, 100.0)
    expect(marks(panel)).to_have_count(len(marked(match)))
    snap(page, "review-top")
    page.locator(".decision").scroll_into_view_if_needed()
    snap(page, "review")


def test_marks_and_buttons_lead_to_the_decisions(match: Played, open_page: OpenPage) -> None:
    page = open_page(viewport=DESK)
    panel = show_review(page, match)
    decisions = marked(match)
    turn, decision = decisions[-1]
    lost = round(100 * decision["alternatives"][decision["played"]]["loss"][0])
    marks(panel).last.press("Enter")
    at(page, turn)
    verdict = re.compile(f"{decision['label']}: {lost} points? lost", re.IGNORECASE)
    expect(panel.locator(".decision h2")).to_have_text(verdict)
    bars = panel.locator(".decision li")
    expect(bars).to_have_count(len(decision["alternatives"]))
    expect(bars.nth(decision["played"])).to_contain_text("played")
    panel.get_by_label("With all cards open").check()
    snap(page, "review-desk")
    panel.get_by_role("button", name="Previous mistake").click()
    at(page, decisions[-2][0])
    panel.get_by_role("button", name="Next mistake").click()
    at(page, turn)
    panel.get_by_role("img", name="Chances to win").click(position={"x": 31, "y": 20})
    at(page, 0)
    panel.get_by_text("As a table").click()
    expect(panel.get_by_role("table").last.get_by_role("row").nth(1)).to_contain_text("Move 0")
    assert serious(page) == []


def test_choosing_once_more(match: Played, page: Page) -> None:
    panel = show_review(page, match)
    decisions = marked(match)
    listed = panel.locator("section li button").last
    listed.scroll_into_view_if_needed()
    expect(page.locator(".drawing")).not_to_be_in_viewport()
    listed.click()
    expect(page.locator(".drawing")).to_be_in_viewport(ratio=0.8)
    panel.get_by_role("button", name="Learn from the mistakes").click()
    turn, decision = decisions[0]
    expect(panel.get_by_role("heading")).to_contain_text(f"1 of {len(decisions)}")
    expect(page.get_by_role("slider")).to_have_count(0)  # what came later is hidden
    expect(panel.locator(".graph")).to_have_count(0)
    expect(page).to_have_url(re.compile(f"turn={turn}&"))
    held = match.steps(0)[turn]["view"]["hand"]
    expect(page.locator("[data-region='hand'] [data-card]")).to_have_count(len(held))
    offered = panel.locator("li button")
    expect(offered).to_have_count(len(decision["alternatives"]))
    snap(page, "review-learn")
    assert serious(page) == []
    offered.first.click()
    expect(panel.locator("li")).to_have_count(len(decision["alternatives"]))
    expect(panel.locator(".verdict")).to_be_focused()
    expect(panel.get_by_text("your choice")).to_be_visible()
    snap(page, "review-learnt")
    panel.get_by_role("button", name="Back to the review").click()
    expect(marks(panel)).to_have_count(len(decisions))


def test_all_hands_are_shown(match: Played, page: Page) -> None:
    keep_seat(page, match)
    page.goto(f"{match.page}?seat=0&turn=9")
    page.get_by_role("button", name="Menu").click()
    page.get_by_label("Show all hands").check()
    page.get_by_role("button", name="Close").click()
    held = match.steps(1)[9]["view"]["hand"]
    hands = page.locator(".hands li")
    expect(hands).to_have_count(1)
    expect(hands.locator(".card")).to_have_count(len(held))
    expect(hands).to_contain_text("Hand of Ben: ")
    snap(page, "replay-hands")
    assert serious(page) == []
    page.get_by_label("View as").select_option(label="a spectator")
    expect(hands).to_have_count(2)


@pytest.mark.parametrize(
    "wanted",
    [
        {"color_scheme": "dark", "locale": "ja-JP"},
        {"viewport": SIDEWAYS},
    ],
    ids=["phone-dark-ja", "sideways"],
)
def test_nothing_serious(
    match: Played, open_page: OpenPage, wanted: Any, request: pytest.FixtureRequest
) -> None:
    page = open_page(reduced_motion="reduce", **wanted)
    panel = show_review(page, match, "この対戦を検討する")
    marks(panel).first.click()
    page.locator(".decision").scroll_into_view_if_needed()
    snap(page, f"review-{request.node.callspec.id}")
    assert serious(page) == []
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")


def test_a_match_that_has_ended_offers_its_review(site: Address, page: Page) -> None:
    opened = site.open_table("kings_tournament", options={"best_of": 1})
    code = opened["code"]
    other = site.sit(code, "Ben")["token"]
    remember(page)
    page.goto(f"{site.url}/t/{code}")
    page.get_by_role("button", name="Sit down").click()
    expect(page.get_by_role("button", name="Sit down")).to_have_count(0)
    [kept] = page.evaluate("JSON.parse(localStorage.getItem('hastilude:seats'))")
    clients = [site.client(code, token) for token in (other, kept["token"])]
    play_out(clients)
    for client in clients:
        client.close()
    page.get_by_role("link", name="Review").click()
    panel = page.get_by_role("complementary", name="Review")
    expect(panel.get_by_label("Player")).to_have_value("1")
    expect(page.get_by_label("View as")).to_have_value("1")
    expect(panel.get_by_role("button", name="Review this match")).to_be_visible()
