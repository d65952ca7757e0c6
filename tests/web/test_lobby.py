"""Before the first card: finding a game, opening a table, coming to one, coming back."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.server.running import SEED, Address
from tests.web.screens import snap

DESKTOP = {"width": 1280, "height": 800}
OpenPage = Callable[..., Page]


def button(page: Page | Locator, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def hand(page: Page) -> Locator:
    return page.get_by_role("list", name="Hand")


def friends(page: Page) -> Locator:
    return page.get_by_role("form", name="With friends")


def make_table(page: Page, site: Address, game: str = "tornei", name: str = "Anna") -> str:
    """A table for friends, made by clicks; its link."""
    page.goto(f"{site.url}/play/{game}")
    friends(page).get_by_label("Your name").fill(name)
    button(friends(page), "Create table").click()
    expect(page.get_by_label("Invite players with this link")).to_be_visible()
    return page.get_by_label("Invite players with this link").input_value()


def sit_down(page: Page, link: str, name: str) -> None:
    page.goto(link)
    page.get_by_label("Your name").fill(name)
    button(page, "Sit down").click()
    expect(button(page, "Sit down")).to_be_hidden()


def seat(page: Page, name: str) -> Locator:
    return page.get_by_role("list", name="Seats").get_by_role("listitem").filter(has_text=name)


def menu(page: Page) -> Locator:
    button(page, "Menu").click()
    return page.get_by_role("dialog", name="Menu")


def seated(site: Address, game: str = "kings_tournament", **wanted: Any) -> tuple[str, str]:
    """A table and the private link of its first seat."""
    table = site.post("/api/tables", {"game": game, **wanted})
    sitting = site.post(
        f"/api/tables/{table['code']}/seats", {"name": "Anna", "seed": SEED, "host": table["host"]}
    )
    return table["code"], sitting["link"]


def words(page: Page) -> set[str]:
    """Everything that can be read or is said of what is there."""
    found: set[str] = page.evaluate(
        """() => {
          const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
          const texts = [];
          while (walker.nextNode()) texts.push(walker.currentNode.textContent.trim());
          for (const name of ["aria-label", "placeholder"])
            for (const element of document.querySelectorAll(`[${name}]`))
              texts.push(element.getAttribute(name));
          return texts;
        }"""
    )
    return {text for text in found if re.search(r"[^\W\d]", text)}


# --- at once against bots -------------------------------------------------------------------------


def test_two_clicks_from_the_first_page_to_a_hand_of_cards(site: Address, page: Page) -> None:
    page.goto(site.url)
    page.get_by_role("article", name="TriATri").get_by_role("link", name="Play").click()
    expect(page).to_have_title("TriATri · Hastilude")
    snap(page, "new-table")
    button(page, "Play").click()
    expect(hand(page)).to_be_visible()
    expect(button(page, "Hint")).to_be_visible()  # such a table is for practice


def test_the_name_is_remembered_and_may_be_left_out(site: Address, page: Page) -> None:
    bots = page.get_by_role("form", name="Play now against bots")
    page.goto(f"{site.url}/play/kings_tournament")
    bots.get_by_label("Your name").fill("Anna")
    page.goto(f"{site.url}/play/kings_tournament")
    expect(bots.get_by_label("Your name")).to_have_value("Anna")
    bots.get_by_label("Your name").fill("")
    button(bots, "Play").click()
    expect(page.get_by_text("Guest").first).to_be_visible()


def test_each_level_shows_its_rating(site: Address, page: Page) -> None:
    page.goto(f"{site.url}/play/triatri")
    [game] = [game for game in site.get("/api/games") if game["name"] == "triatri"]
    for level, rating in game["ratings"].items():
        label = page.get_by_role("radio", name=re.compile(level, re.IGNORECASE))
        expect(label).to_have_accessible_name(re.compile(f"rating {rating}"))
    snap(page, "ratings")


def test_level_and_number_of_players(site: Address, page: Page) -> None:
    page.goto(f"{site.url}/play/tornei")
    bots = page.get_by_role("form", name="Play now against bots")
    bots.get_by_label("Page (easy)").check()
    bots.get_by_label("3", exact=True).check()
    button(bots, "Play").click()
    expect(hand(page)).to_be_visible()
    table = site.get(f"/api/tables/{page.url.rsplit('/', 1)[1]}")
    assert [one["level"] for one in table["seats"]] == [None, "page", "page"]


# --- with friends ---------------------------------------------------------------------------------


def test_a_table_with_options(site: Address, page: Page) -> None:
    page.goto(f"{site.url}/play/kings_tournament")
    form = friends(page)
    form.get_by_text("More options").click()
    form.get_by_label("Best of").select_option("1")
    form.get_by_label("Joust line").select_option(label="One at a time")
    form.get_by_label("Clock").select_option(label="Time per move")
    form.get_by_label("Seconds per move").fill("45")
    form.get_by_label("If a player is offline").select_option(
        label="a bot takes over after 10 minutes"
    )
    form.get_by_label("Who can watch").select_option(label="Only the players")
    snap(page, "new-table-options")
    button(form, "Create table").click()
    expect(page.get_by_text("Best of: 1")).to_be_visible()
    expect(page.get_by_text("Clock: 45 seconds per move")).to_be_visible()
    expect(
        page.get_by_text("If a player is offline: a bot takes over after 10 minutes")
    ).to_be_visible()
    table = site.get(f"/api/tables/{page.url.rsplit('/', 1)[1]}")
    assert table["options"]["best_of"] == 1
    assert table["options"]["joust"] == "stepwise"
    assert table["clock"] == {"kind": "move", "seconds": 45, "increment": 0}
    assert table["away"] == 600
    assert table["watch"] == "nobody"


def test_what_the_server_refuses_is_said_at_the_form(
    site: Address, page: Page, troubles: list[str]
) -> None:
    page.goto(f"{site.url}/play/kings_tournament")
    form = friends(page)
    form.get_by_text("More options").click()
    form.get_by_role("group", name="Copies of each value").get_by_label("10").fill("3")
    expect(form.get_by_text("28 of 27 cards")).to_be_visible()
    button(form, "Create table").click()
    expect(form.get_by_role("alert")).to_contain_text("total 27")
    assert "400" in troubles.pop()


def test_a_friend_comes_by_the_link_and_the_host_begins_with_bots(
    site: Address, page: Page, open_page: OpenPage
) -> None:
    link = make_table(page, site)
    snap(page, "gathering")
    friend = open_page()
    friend.goto(link)
    expect(friend.get_by_text("At the table: Anna.")).to_be_visible()
    snap(friend, "sit-down")
    sit_down(friend, link, "Ben")
    expect(seat(page, "Ben")).to_be_visible()
    expect(button(friend, "Start game")).to_be_hidden()
    page.get_by_label("Fill open seats with").select_option(label="Page (easy)")
    button(page, "Start game").click()
    expect(hand(page)).to_be_visible()
    expect(hand(friend)).to_be_visible()


def test_the_link_is_copied_and_drawn(site: Address, page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    link = make_table(page, site)
    button(page, "Copy").click()
    expect(button(page, "Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == link
    button(page, "QR code").click()
    expect(page.get_by_role("img", name="The link as a QR code")).to_be_visible()


def test_who_is_sent_away_is_told_and_may_come_again(
    site: Address, page: Page, open_page: OpenPage
) -> None:
    link = make_table(page, site)
    friend = open_page()
    sit_down(friend, link, "Ben")
    button(page, "Remove: Ben").click()
    expect(friend.get_by_role("alert")).to_contain_text("This seat is no longer yours.")
    button(friend, "Try again").click()
    expect(button(friend, "Sit down")).to_be_visible()


def test_a_taken_name_is_refused_and_a_guest_gets_a_free_one(
    site: Address, page: Page, open_page: OpenPage, troubles: list[str]
) -> None:
    link = make_table(page, site, name="")
    friend = open_page()
    friend.goto(link)
    friend.get_by_label("Your name").fill("Guest")
    button(friend, "Sit down").click()
    expect(friend.get_by_role("alert")).to_contain_text("already called Guest")
    assert "409" in troubles.pop()
    friend.get_by_label("Your name").fill("")
    button(friend, "Sit down").click()
    expect(seat(page, "Guest 2")).to_be_visible()


def test_looking_on(site: Address, page: Page, open_page: OpenPage) -> None:
    page.goto(f"{site.url}/play/triatri")
    page.get_by_role("form", name="Play now").get_by_role("button", name="Play").click()
    expect(hand(page)).to_be_visible()
    watcher = open_page(viewport=DESKTOP)
    watcher.goto(page.url)
    expect(watcher.get_by_text("Watching")).to_be_visible()
    expect(watcher.get_by_role("heading", name="Game log")).to_be_visible()
    expect(button(watcher, "Hint")).to_be_hidden()


def test_a_listed_table_is_found_on_the_first_page(
    site: Address, page: Page, open_page: OpenPage
) -> None:
    code, _ = seated(site, "triatri", watch="anyone")
    page.goto(site.url)
    found = page.get_by_role("listitem").filter(has=page.locator(f'a[href="/t/{code}"]'))
    expect(found).to_contain_text("2 open seats")
    found.get_by_role("link", name="Join").click()
    button(page, "Watch").click()
    expect(page.get_by_text("Watching")).to_be_visible()
    button(page, "Sit down at this table").click()
    expect(button(page, "Sit down")).to_be_visible()


# --- coming back ----------------------------------------------------------------------------------


def test_the_seat_is_found_again_after_the_tab_was_closed(site: Address, page: Page) -> None:
    link = make_table(page, site)
    context = page.context
    page.close()
    page = context.new_page()
    page.goto(site.url)
    page.get_by_role("region", name="Your tables").get_by_role("link", name="Tornei").click()
    expect(page).to_have_url(link)
    expect(seat(page, "Anna")).to_contain_text("(you)")


def test_the_private_link_opens_the_seat_on_another_device(
    site: Address, page: Page, open_page: OpenPage
) -> None:
    link = make_table(page, site)
    private = menu(page).get_by_label("Continue on another device").input_value()
    other = open_page(viewport=DESKTOP)
    other.goto(private)
    expect(seat(other, "Anna")).to_contain_text("(you)")
    assert other.url == link  # the token is not left where others can read it


def test_a_table_that_is_gone_is_forgotten(site: Address, page: Page, troubles: list[str]) -> None:
    page.goto(site.url)
    page.evaluate(
        """localStorage["hastilude:seats"] = JSON.stringify(
          [{ code: "zzzzzzzz", game: "tornei", token: "x", seat: 0, used: 0 }])"""
    )
    page.reload()
    expect(page.get_by_role("article", name="Tornei")).to_be_visible()
    expect(page.get_by_role("region", name="Your tables")).to_be_hidden()
    assert "404" in troubles.pop()


def test_leaving(site: Address, page: Page) -> None:
    make_table(page, site)
    opened = menu(page)
    button(opened, "Leave table").click()
    button(opened.get_by_role("alert"), "Leave table").click()
    expect(page.get_by_role("article", name="Tornei")).to_be_visible()
    expect(page.get_by_role("region", name="Your tables")).to_be_hidden()


@pytest.mark.parametrize("written", [str.upper, "http://elsewhere.example/t/{}".format])
def test_a_code_can_be_typed_and_a_link_pasted(
    site: Address, page: Page, written: Callable[[str], str]
) -> None:
    code, _ = seated(site)
    page.goto(site.url)
    page.get_by_label("Table code or link").fill(written(code))
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{site.url}/t/{code}")
    expect(button(page, "Sit down")).to_be_visible()


def test_enter_does_nothing_while_kana_are_being_written(site: Address, page: Page) -> None:
    code, _ = seated(site)
    page.goto(f"{site.url}/t/{code}")
    page.get_by_label("Your name").focus()
    client = page.context.new_cdp_session(page)
    client.send("Input.imeSetComposition", {"text": "あ", "selectionStart": 1, "selectionEnd": 1})
    stopped = page.evaluate(
        """() => !document.activeElement.dispatchEvent(new KeyboardEvent(
          "keydown", { key: "Enter", isComposing: true, bubbles: true, cancelable: true }))"""
    )
    assert stopped
    expect(button(page, "Sit down")).to_be_visible()


# --- language, trouble ----------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/", "/play/tornei", "/play/kings_tournament", "/rules/triatri"])
def test_another_language_changes_every_word(site: Address, page: Page, path: str) -> None:
    page.goto(site.url + path)
    expect(page.locator("article, form, main li").nth(1)).to_be_visible()
    english = words(page)
    button(page, "日本語").click()
    expect(page.locator("html")).to_have_attribute("lang", "ja")
    expect(page.locator("article, form, main li").nth(1)).to_be_visible()
    both = english & words(page)
    names = {"Hastilude", "English", "日本語", "Language / 言語", "King's Tournament", "k7qm2xab"}
    marks = {text for text in both if re.fullmatch(r"[A-Z]\d*|[火木水偽]|supply:R|own:R", text)}
    assert both <= names | marks
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "ja")


def test_the_language_of_the_device_is_spoken(site: Address, open_page: OpenPage) -> None:
    page = open_page(locale="ja-JP")
    page.goto(f"{site.url}/play/tornei")
    expect(page.get_by_role("heading", level=1)).to_have_text("トゥルネイ")


def test_an_unknown_table_and_an_unknown_game(
    site: Address, page: Page, troubles: list[str]
) -> None:
    page.goto(f"{site.url}/t/zzzzzzzz")
    expect(page.get_by_role("alert")).to_have_text("There is no table zzzzzzzz.")
    assert "404" in troubles.pop()
    page.goto(f"{site.url}/play/chess")
    expect(page.get_by_role("alert")).to_contain_text("There is no game named chess.")
    page.get_by_role("link", name="Home").click()
    expect(page.get_by_role("article", name="Tornei")).to_be_visible()


@pytest.mark.parametrize("path", ["/", "/play/tornei", "/rules/tornei", "/t/abcdefgh"])
def test_a_server_that_does_not_answer(
    site: Address, page: Page, troubles: list[str], path: str
) -> None:
    page.route("**/api/**", lambda route: route.abort())
    page.goto(site.url + path)
    expect(page.get_by_role("alert")).to_have_text("The server is not responding.")
    troubles.clear()
    page.unroute("**/api/**")
    button(page, "Try again").click()
    expect(page.get_by_text("The server is not responding.")).to_be_hidden()
    if path == "/t/abcdefgh":
        expect(page.get_by_role("alert")).to_contain_text("There is no table")
        troubles.clear()


def test_what_cannot_be_drawn_is_not_a_blank_page(
    site: Address, page: Page, troubles: list[str]
) -> None:
    page.route("**/api/games", lambda route: route.fulfill(json=[{"name": "tornei"}]))
    page.goto(site.url)
    expect(page.get_by_role("alert")).to_contain_text("Something went wrong on this page.")
    expect(button(page, "Try again")).to_be_visible()
    assert troubles
    troubles.clear()


def test_a_dialog_takes_the_focus_and_gives_it_back(site: Address, page: Page) -> None:
    page.goto(site.url)
    button(page, "Settings").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="Settings")).to_be_visible()
    page.get_by_label("Theme").select_option(label="Dark")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(button(page, "Settings")).to_be_focused()
