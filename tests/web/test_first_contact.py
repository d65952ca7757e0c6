"""What somebody sees who has never been here: the first page, an invitation, the first hand."""

import json
from io import BytesIO

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from hastilude.games.registry import GAMES
from tests.server.running import Address
from tests.web.axe import serious
from tests.web.screens import snap
from tests.web.test_lessons import Learner
from tests.web.test_lobby import DESKTOP, OpenPage, button, hand, seated, sit_down

NEW_HERE = "New here? Start with a 3‑minute lesson"


def test_the_easiest_game_is_first_and_so_is_its_lesson(site: Address, page: Page) -> None:
    page.goto(site.url)
    games = page.get_by_role("article")
    expect(games).to_have_count(3)
    levels = [game.get_by_role("listitem").last.inner_text() for game in games.all()]
    assert levels == ["easy", "medium", "challenging"]
    for game in games.all():
        expect(game).not_to_contain_text("trick")
    snap(page, "first-page")
    page.get_by_role("link", name=NEW_HERE).click()
    expect(page).to_have_title("Learn TriATri · Hastilude")


def test_the_page_can_be_put_on_a_home_screen(site: Address, page: Page) -> None:
    """Chromium itself says what would prevent it."""
    page.goto(site.url)
    browser = page.context.new_cdp_session(page)
    manifest = browser.send("Page.getAppManifest")
    assert manifest["errors"] == []
    problems = browser.send("Page.getInstallabilityErrors")["installabilityErrors"]
    # Every test is private, which only some versions of Chromium call a problem.
    assert {problem["errorId"] for problem in problems} <= {"in-incognito"}
    for icon in json.loads(manifest["data"])["icons"]:
        answer = page.request.get(site.url + icon["src"])
        assert answer.headers["content-type"] == icon["type"]
        if icon["sizes"] != "any":
            size = Image.open(BytesIO(answer.body())).size
            assert "{}x{}".format(*size) == icon["sizes"]


def test_the_picture_of_a_link(site: Address, page: Page) -> None:
    page.goto(site.url)
    where = page.locator("meta[property='og:image']").get_attribute("content")
    assert where
    picture = page.request.get(where).body()
    assert Image.open(BytesIO(picture)).size == (1200, 630)
    assert len(picture) <= 100_000


def test_an_invitation_leads_through_the_lesson_back_to_the_table(
    site: Address, page: Page
) -> None:
    code, _ = seated(site, "triatri", options={"players": 2})
    page.goto(f"{site.url}/t/{code}")
    lesson = page.get_by_role("link", name="New to TriATri? 3‑minute lesson")
    lesson.click()
    button(page, "Back to the table").click()
    expect(button(page, "Sit down")).to_be_enabled()
    snap(page, "invitation")

    Learner(site, page, "triatri", query=f"?table={code}").walks()
    page.get_by_role("link", name="Back to the table").click()
    expect(button(page, "Sit down")).to_be_enabled()
    expect(lesson).to_be_hidden()  # it is finished now
    page.goto(site.url)
    expect(page.get_by_role("article")).to_have_count(3)
    expect(page.get_by_role("link", name=NEW_HERE)).to_be_hidden()


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_begin_with_a_summary_in_pictures(
    site: Address, open_page: OpenPage, game: str
) -> None:
    page = open_page(locale="ja-JP", viewport=DESKTOP) if game == "tornei" else open_page()
    page.goto(f"{site.url}/rules/{game}")
    summary = page.get_by_role("region", name="早わかり" if game == "tornei" else "In short")
    pictures = summary.locator(".picture")
    for place in range(summary.get_by_role("listitem").count()):
        expect(pictures.nth(place).locator("svg").first).to_be_visible()
    expect(pictures.first).to_be_in_viewport()
    snap(page, f"summary-{game}")
    contents = page.get_by_role("navigation", name="目次" if game == "tornei" else "Contents")
    link = contents.get_by_role("link").nth(-2)  # the examples
    link.click()
    heading = page.get_by_role("heading", level=2, name=link.inner_text())
    expect(heading).to_be_in_viewport()
    expect(heading).to_be_focused()
    assert serious(page) == []
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")


def test_the_keyboard_is_at_the_hand_when_a_match_begins(
    site: Address, open_page: OpenPage
) -> None:
    """Not while somebody reads a dialog. The match begins by itself when all have sat down."""
    anna, ben = open_page(viewport=DESKTOP), open_page(viewport=DESKTOP)
    code, private = seated(site, "triatri", options={"players": 2})
    anna.goto(private)
    expect(button(anna, "Start game")).to_be_visible()
    anna.keyboard.press("m")
    dialog = anna.get_by_role("dialog")
    expect(dialog).to_be_visible()
    sit_down(ben, f"{site.url}/t/{code}", "Ben")
    expect(hand(ben).get_by_role("button").first).to_be_focused()
    expect(hand(anna)).to_be_visible()
    expect(dialog.locator(":focus")).to_have_count(1)

    anna.goto(f"{site.url}/play/triatri")
    button(anna, "Play").press("Enter")
    expect(hand(anna).get_by_role("button").first).to_be_focused()
    anna.keyboard.press("ArrowRight")
    expect(hand(anna).get_by_role("button").nth(1)).to_be_focused()
    snap(anna, "first-hand")
