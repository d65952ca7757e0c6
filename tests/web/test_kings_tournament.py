"""King's Tournament in the browser, played as a person would."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.server.running import Address
from tests.web.axe import serious
from tests.web.screens import snap
from tests.web.settings import remember

MATCH = 180_000  # milliseconds that a whole match may take on a slow machine


def shuffled(seat: int, deck: str) -> list[Any]:
    return ["shuffle", {"seat": seat, "deck": deck.split()}]


BOB = shuffled(1, "4 6 7 9 10 1 2 6 10 D B 4 7 D 8 2 3 D 6 8 B 5 7 1 9 3 4 5 3 5 B 2 1")
SCRIPT: dict[str, Any] = {
    "chance": [
        shuffled(0, "1 2 3 5 D 1 3 9 10 B D 4 8 6 D B 6 7 1 5 2 B 7 4 6 9 7 8 3 5 2 10 4"),
        BOB,
    ],
    "plays": [
        [0, ["3", "5", "D"]], [1, ["10", "9", "7"]],
        [0, ["10"]], [1, ["D"]], [1, ["6"]], [0, ["1"]],
        [1, ["10"]], [0, ["B"]], [1, ["2"]], [0, ["9"]],
    ],
}  # fmt: skip


def sit_down(
    site: Address,
    page: Page,
    seat: int = 0,
    script: dict[str, Any] | None = None,
    options: dict[str, Any] | None = None,
    **settings: str,
) -> None:
    """Ann at a table against a page, or against a script, in a browser with these settings."""
    other = "script" if script else "page"
    seats = [None, other] if seat == 0 else [other, None]
    table = site.open_table(seats=seats, options=options or {}, script=script, practice=True)
    token = site.sit(table["code"], "Ann", host=table["host"])["token"]
    remember(page, **settings)
    page.goto(f"{site.url}/t/{table['code']}#{token}")
    expect(hand(page).first).to_be_visible()


def hand(page: Page, card: str = "") -> Locator:
    wanted = f'[data-card="{card}"]' if card else ""
    return page.locator(f"[data-region=hand] li:not([inert]) button{wanted}")


def headline(page: Page) -> Locator:
    return page.locator("h1")


def call(page: Page, name: str) -> Locator:
    return page.locator(".action-bar").get_by_role("button", name=name)


def lying(page: Page) -> Locator:
    """All cards on the table, as they are called."""
    return page.locator("[data-region=table]").get_by_role("img")


def place(page: Page, *cards: str) -> None:
    for number, card in enumerate(cards, 1):
        hand(page, card).first.click()
        expect(page.locator("[data-region=table] button")).to_have_count(number)


def play(page: Page, card: str) -> None:
    hand(page, card).first.click()
    expect(hand(page, card).first).to_have_attribute("aria-pressed", "true")
    hand(page, card).first.click()


def joust(page: Page) -> None:
    """The joust of the script, which Ann wins with her third card."""
    place(page, "3", "5", "D")
    call(page, "Ready!").click()


@pytest.mark.parametrize(
    ("seat", "options"),
    [
        (0, {}),
        (1, {"joust": "stepwise", "best_of": 1}),
        (1, {"best_of": 1, "values": [5, 5, 0, 0, 0, 0, 0, 5, 6, 6]}),
    ],
)
def test_a_match_is_played_to_its_result(
    site: Address, page: Page, seat: int, options: dict[str, Any]
) -> None:
    sit_down(site, page, seat, options=options)
    page.set_default_timeout(MATCH)
    asked = page.locator(".action-bar .primary").or_(page.locator(".hand .playable"))
    result = page.get_by_role("dialog")
    while True:
        asked.or_(result).first.wait_for()
        if result.is_visible():
            break
        # What is asked for may be decided before the click: then something else is.
        page.evaluate(
            "document.querySelector("
            "'.action-bar .primary, .hand li:not([inert]) .playable')?.click()"
        )
    expect(result).to_contain_text("Games won: ")


def test_a_line_is_placed_and_a_card_taken_back_from_where_it_lies(
    site: Address, page: Page
) -> None:
    sit_down(site, page, script=SCRIPT)
    place(page, "1", "2", "3")
    expect(hand(page)).to_have_count(2)
    expect(call(page, "Ready!")).to_be_visible()
    page.get_by_role("button", name="second: 2. Take it back.").click()
    expect(hand(page)).to_have_count(4)
    expect(page.locator("[data-region=table] button")).to_have_count(1)
    expect(call(page, "Ready!")).to_be_hidden()
    page.keyboard.press("Escape")
    expect(hand(page)).to_have_count(5)


def test_a_joust_is_counted_out_from_the_third_pair_and_can_be_hurried(
    site: Address, page: Page
) -> None:
    sit_down(site, page, script=SCRIPT, pace="slower")
    joust(page)
    expect(headline(page)).to_have_text("The joust is scored: third cards first.")
    decided = page.locator("[data-region=table] li.decides")
    expect(decided).to_contain_text("14–7, margin 7")
    expect(decided).to_contain_text("decides the joust")
    expect(page.locator(".action-bar")).to_contain_text("is unhorsed and now on foot")
    expect(page.locator("[data-region=table]").get_by_text("not counted")).to_have_count(2)
    snap(page, "kings_tournament_joust")
    page.locator(".action-bar").click()  # whoever has seen enough goes on
    expect(headline(page)).to_have_text("Your turn: reveal a card.")
    expect(page.locator(".action-bar")).to_contain_text(
        "Only you are mounted, so you reveal first."
    )


def test_nothing_tells_the_end_of_a_joust_before_it_is_counted(site: Address, page: Page) -> None:
    sit_down(site, page, script=SCRIPT, pace="slower")
    page.evaluate(
        """() => {
            const table = document.querySelector(".table");
            window.early = [];
            new MutationObserver(() => {
                const counted = table.querySelector("[data-region=table] li.decides");
                const told = table.querySelector("header").innerText + table.querySelector(
                    "main").innerText;
                if (!counted && /unhorsed|on foot/.test(told)) window.early.push(told);
            }).observe(table, {subtree: true, childList: true, characterData: true});
        }"""
    )
    joust(page)
    expect(page.locator(".action-bar")).to_contain_text("is unhorsed")
    assert page.evaluate("window.early") == []


def test_a_melee_is_fought_to_the_defeat_of_a_knight(site: Address, page: Page) -> None:
    sit_down(site, page, script=SCRIPT, options={"best_of": 1}, pace="automatic")
    joust(page)
    hand(page, "10").click()  # when the joust is counted
    snap(page, "kings_tournament_melee")
    call(page, "Reveal 10").click()
    expect(page.get_by_role("img", name="Ann: on foot")).to_be_visible()
    for answer in ("1", "B"):
        expect(headline(page)).to_have_text("Your turn: answer with a card.")
        play(page, answer)
    expect(lying(page)).to_contain_text([""] * 7)  # the turns before, and the card to answer
    hand(page, "9").click()
    call(page, "Answer with 9").click()
    expect(page.get_by_role("img", name="defeated")).to_be_visible()
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.get_by_role("button", name="Tap to go on").click()
    result = page.get_by_role("dialog", name="You win!", exact=True)
    expect(result.get_by_role("link", name="minute lesson")).to_have_attribute(
        "href", "/learn/kings_tournament"
    )
    snap(page, "kings_tournament_result")


def test_it_can_be_played_with_the_keyboard_alone(site: Address, page: Page) -> None:
    sit_down(site, page, script=SCRIPT, pace="tap")
    while not page.evaluate("document.activeElement.matches('[data-region=hand] button')"):
        page.keyboard.press("Tab")
    for placed in (1, 2, 3):
        page.keyboard.press("Enter")
        expect(page.locator("[data-region=table] button")).to_have_count(placed)
    expect(call(page, "Ready!")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Tap to go on")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("[data-region=hand] button:focus")).to_have_count(1)


def test_a_table_looks_the_same_after_reloading(site: Address, page: Page) -> None:
    sit_down(site, page, script=SCRIPT)
    joust(page)
    play(page, "10")
    expect(headline(page)).to_have_text("Your turn: answer with a card.")
    labels = "all => all.map(one => one.ariaLabel)"
    before = page.locator(".lists [aria-label]").evaluate_all(labels)
    page.reload()
    expect(headline(page)).to_have_text("Your turn: answer with a card.")
    assert page.locator(".lists [aria-label]").evaluate_all(labels) == before
    assert "turn 1: your 10" in before


def test_it_speaks_japanese(site: Address, page: Page) -> None:
    sit_down(site, page, script=SCRIPT, language="ja")
    expect(headline(page)).to_have_text("1枚目、2枚目、3枚目を順に選んでください。")
    expect(hand(page, "D")).to_have_accessible_name("二段攻撃、出せます")
    place(page, "3", "5", "D")
    snap(page, "kings_tournament_ja")
    call(page, "準備完了！").click()
    expect(headline(page)).to_have_text("あなたの番です。カードを公開してください。")
    assert "hand" not in page.locator(".lists").inner_text()


def test_a_card_that_may_not_be_played_is_explained(site: Address, page: Page) -> None:
    table = site.open_table()
    token = site.sit(table["code"], "Ann", host=table["host"])["token"]
    site.sit(table["code"], "Bob")  # who takes his time
    page.goto(f"{site.url}/t/{table['code']}#{token}")
    for number in (1, 2, 3):
        hand(page).first.click()
        expect(page.locator("[data-region=table] button")).to_have_count(number)
    call(page, "Ready!").click()
    expect(headline(page)).to_have_text("Waiting for Bob.")
    line = lying(page).evaluate_all("all => all.slice(0, 3).map(one => one.dataset.card)")
    hand(page).first.click()
    why = page.get_by_role("dialog")
    expect(why).to_contain_text(f"You have already chosen {', '.join(line)}")
    expect(why.get_by_role("button", name="K5")).to_be_visible()


def test_discard_piles_are_open(site: Address, open_page: Callable[..., Page]) -> None:
    page = open_page(reduced_motion="reduce")  # what rises is pale at first
    sit_down(site, page, script=SCRIPT)
    joust(page)
    expect(headline(page)).to_have_text("Your turn: reveal a card.")
    page.get_by_role("button", name="discard pile (5)").nth(1).click()
    pile = page.get_by_role("dialog")
    lists = pile.get_by_role("list")
    assert names_in(lists.nth(0)) == ["4 ×1", "6 ×1", "7 ×1", "9 ×1", "10 ×1"]
    unseen = names_in(lists.nth(1))
    assert unseen[:4] == ["1 ×3", "2 ×3", "3 ×3", "4 ×2"]
    assert unseen[-2:] == ["double strike ×3", "block ×3"]
    snap(page, "kings_tournament_discards")


def names_in(cards: Locator) -> list[str]:
    return cards.get_by_role("img").evaluate_all("all => all.map(one => one.ariaLabel)")


def test_of_equal_cards_one_is_raised(site: Address, page: Page) -> None:
    ann = shuffled(0, "1 2 3 5 D 5 5 9 10 B D 4 8 6 D B 6 7 1 3 2 B 7 4 6 9 7 8 3 1 2 10 4")
    sit_down(site, page, script={**SCRIPT, "chance": [ann, BOB]})
    joust(page)
    expect(hand(page, "5")).to_have_count(2)
    hand(page, "5").nth(1).click()
    expect(hand(page, "5").nth(1)).to_have_attribute("aria-pressed", "true")
    expect(hand(page, "5").nth(0)).to_have_attribute("aria-pressed", "false")
    hand(page, "5").nth(1).click()
    expect(hand(page, "5")).to_have_count(1)


def test_discards_are_chosen_first_when_jousts_go_step_by_step(site: Address, page: Page) -> None:
    sit_down(site, page, options={"joust": "stepwise"})
    expect(headline(page)).to_have_text("Choose two cards to discard, one at a time.")
    for number in (1, 2):
        hand(page).first.click()
        expect(page.get_by_role("button", name="discards:")).to_have_count(number)
    call(page, "Ready!").click()
    expect(headline(page)).to_have_text("Choose the next card of your line.")
    hand(page).first.click()
    call(page, "Reveal").click()
    expect(lying(page).and_(page.get_by_label("first: "))).to_have_count(2)


def test_a_spectator_sees_the_table_and_no_hand(
    site: Address, page: Page, open_page: Callable[..., Page]
) -> None:
    sit_down(site, page, script=SCRIPT)
    place(page, "3", "5", "D")
    other = open_page()
    other.goto(page.url)
    expect(other.get_by_role("img", name="Ann: mounted")).to_be_visible()
    expect(hand(other)).to_have_count(0)
    call(page, "Ready!").click()
    expect(other.get_by_role("img", name="Ann: mounted")).to_be_visible()
    expect(other.get_by_role("img", name=": on foot")).to_be_visible()


def test_the_whole_table_is_accessible(site: Address, open_page: Callable[..., Page]) -> None:
    page = open_page(reduced_motion="reduce")  # what rises is pale at first
    sit_down(site, page, script=SCRIPT)
    place(page, "3", "5", "D")
    assert serious(page) == []
    call(page, "Ready!").click()
    expect(headline(page)).to_have_text("Your turn: reveal a card.")
    assert serious(page) == []
    page.get_by_role("button", name="look through").first.click()
    assert serious(page) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_wide_table_shows_the_discard_piles(
    site: Address, open_page: Callable[..., Page], theme: str
) -> None:
    page = open_page(viewport={"width": 1280, "height": 800})
    sit_down(site, page, script=SCRIPT, theme=theme)
    joust(page)
    expect(page.get_by_role("region", name="Ann").get_by_label("double strike ×1")).to_be_visible()
    snap(page, f"kings_tournament_wide_{theme}")
