"""What somebody sees who has never been here: the first page, an invitation, the first hand."""

from playwright.sync_api import Page, expect

from tests.server.running import Address
from tests.web.screens import snap
from tests.web.test_lessons import Learner
from tests.web.test_lobby import DESKTOP, OpenPage, button, hand, seated, sit_down

NEW_HERE = "New here? Start with a 3-minute lesson"


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


def test_an_invitation_leads_through_the_lesson_back_to_the_table(
    site: Address, page: Page
) -> None:
    code, _ = seated(site, "triatri", options={"players": 2})
    page.goto(f"{site.url}/t/{code}")
    lesson = page.get_by_role("link", name="New to TriATri? 3-minute lesson")
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
