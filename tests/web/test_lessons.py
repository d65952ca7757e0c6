"""The lessons in a browser: walked by clicks from the first sentence to the last."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from hastilude.games.registry import GAMES
from hastilude.messages import Message, render, seat_name
from tests.server.running import Address
from tests.web.axe import serious
from tests.web.screens import snap
from tests.web.settings import remember

OpenPage = Callable[..., Page]
FREE = {"tornei": ["W6", "W1"], "kings_tournament": ["B", "9"], "triatri": ["G6", "X"]}
DECIDE = {"en": "You decide", "ja": "自由に選べます"}
READY = {"en": "Ready!", "ja": "準備完了！"}
TARGET = "[data-card='{0}'][data-pointed], [data-action='{0}'][data-pointed]"


class Learner:
    """Somebody who reads a lesson and does what it says."""

    def __init__(
        self, site: Address, page: Page, game: str, language: str = "en", query: str = ""
    ) -> None:
        remember(page, language=language)
        self.page = page
        self.game = game
        self.language = language
        self.lesson = site.get(f"/api/games/{game}/lesson")
        self.steps: list[Any] = self.lesson["steps"]
        seats = len(self.lesson["seats"])
        self.names = [seat_name(seat, language) for seat in range(seats)]
        page.goto(f"{site.url}/learn/{game}{query}")

    @property
    def coach(self) -> Locator:
        return self.page.locator(".coach")

    def hears(self, number: int) -> None:
        """The sentence of a step, in the learner's language."""
        step = self.steps[number]
        message = Message(step["say"], step["values"])
        expect(self.coach.locator(".where").first).to_have_text(f"{number + 1}/{len(self.steps)}")
        expect(self.coach.get_by_role("status")).to_have_text(
            render(message, self.language, self.names, self.lesson["seat"])
        )
        for clause in step["clauses"]:
            expect(self.coach.get_by_text(f"§ {clause}", exact=True)).to_be_visible()

    def goes_on(self, number: int) -> None:
        """Past a step."""
        step = self.steps[number]
        if step["play"] is not None:
            self.plays(step["play"])
        elif step["free"] is not None:
            self.plays_freely()
        else:
            self.coach.locator("button.primary").click()

    def plays_freely(self) -> None:
        """Cards of the learner's own choice."""
        for card in FREE[self.game]:
            expect(self.coach.get_by_text(DECIDE[self.language], exact=True)).to_be_visible()
            target = self.page.locator(f".playable[data-card='{card}']")
            expect(target).to_be_in_viewport(ratio=0.5)
            target.click()
            expect(target).to_have_attribute("aria-pressed", "true")
            target.click()

    def plays(self, actions: list[str]) -> None:
        for action in actions:
            target = self.page.locator(TARGET.format(action))
            expect(target).to_be_in_viewport(ratio=0.5)
            target.click()
            if len(actions) == 1:  # a tap raises a card; of a line it places it
                expect(target).to_have_attribute("aria-pressed", "true")
                target.click()
        if len(actions) > 1:
            self.page.get_by_role("button", name=READY[self.language]).click()

    def walks(self, upto: int | None = None) -> None:
        for number in range(len(self.steps) - 1 if upto is None else upto):
            self.hears(number)
            self.goes_on(number)
        self.hears(len(self.steps) - 1 if upto is None else upto)


@pytest.mark.parametrize("game", GAMES)
def test_a_lesson_is_walked_to_its_end(site: Address, page: Page, game: str) -> None:
    learner = Learner(site, page, game)
    learner.walks()
    snap(page, f"lesson_{game}")
    expect(learner.coach.get_by_role("link", name="Rules")).to_have_attribute(
        "href", f"/rules/{game}"
    )
    learner.coach.get_by_role("link", name="Play against easy bots").click()
    expect(page).to_have_url(f"{site.url}/play/{game}?level=page")
    expect(page.get_by_role("radio", name="Page")).to_be_checked()
    assert page.evaluate(f"localStorage.getItem('hastilude:lesson:{game}')") is None
    assert page.evaluate("localStorage.getItem('hastilude:lessons')") == json.dumps([game])


def test_in_japanese(site: Address, page: Page) -> None:
    Learner(site, page, "kings_tournament", "ja").walks()
    assert page.evaluate("document.documentElement.lang") == "ja"


def test_on_a_narrow_phone(site: Address, open_page: OpenPage) -> None:
    page = open_page(viewport={"width": 320, "height": 568})
    Learner(site, page, "triatri").walks()
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")


def test_only_what_the_lesson_wants_may_be_played(site: Address, page: Page) -> None:
    learner = Learner(site, page, "tornei")
    learner.hears(0)
    expect(page.locator("[data-card='C1']")).to_be_visible()
    expect(page.locator(".playable")).to_have_count(0)
    learner.goes_on(0)
    learner.goes_on(1)
    learner.hears(2)
    expect(page.locator(".playable")).to_have_count(1)
    expect(page.locator(".playable")).to_have_attribute("data-card", "C1")


def test_another_card_is_answered_with_the_reason(site: Address, page: Page) -> None:
    learner = Learner(site, page, "triatri")
    alert = learner.coach.get_by_role("alert")
    learner.hears(0)
    page.locator("[data-card='R3']").click()  # too early
    expect(alert).to_have_text("Read this first, then go on with “Next”.")
    learner.goes_on(0)
    expect(alert).to_be_empty()
    learner.goes_on(1)
    learner.hears(2)
    page.locator("[data-card='R3']").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    why = render(Message("triatri_lesson_bid_why"))
    expect(alert).to_have_text(why)
    assert "R3" in why
    snap(page, "lesson_another_card")
    learner.goes_on(2)
    learner.goes_on(3)
    learner.hears(4)
    page.locator("[data-card='B7']").click()  # against the rules
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("The gem is green and you hold green cards.")
    expect(dialog.get_by_text("§ A7")).to_be_visible()
    page.keyboard.press("Escape")
    learner.goes_on(4)
    learner.hears(5)


def test_a_learner_may_lose_a_free_choice_and_the_lesson_goes_on(site: Address, page: Page) -> None:
    learner = Learner(site, page, "kings_tournament")
    free = next(n for n, step in enumerate(learner.steps) if step["free"])
    learner.walks(free)
    expect(page.locator(".playable")).to_have_count(3)
    page.reload()  # what is free stays free
    learner.hears(free)
    page.locator(".playable[data-card='3']").click()
    page.locator(".playable[data-card='3']").click()
    learner.hears(free + 1)
    expect(page.locator(".playable")).to_have_count(0)


SIZES = {"upright": (320, 568), "sideways": (844, 390), "desktop": (1280, 800)}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", GAMES)
def test_coach_picture_and_hand_are_in_sight(
    site: Address, open_page: OpenPage, game: str, size: str
) -> None:
    width, height = SIZES[size]
    page = open_page(viewport={"width": width, "height": height})
    learner = Learner(site, page, game, "ja" if size == "upright" else "en")
    pictured = next(n for n, step in enumerate(learner.steps) if step["picture"])
    asked = next(n for n, step in enumerate(learner.steps) if step["play"])
    for number in range(asked + 1):
        learner.hears(number)
        expect(learner.coach.get_by_role("status")).to_be_in_viewport(ratio=1)
        expect(learner.coach.locator(".way")).to_be_in_viewport(ratio=1)
        expect(page.locator("[data-card]").last).to_be_in_viewport(ratio=0.9)
        if number == pictured:
            picture = learner.steps[number]["picture"]
            text = Message(f"{game}_picture_{picture['name']}", picture["values"])
            drawn = learner.coach.get_by_role("img", name=render(text, learner.language))
            expect(drawn).to_be_in_viewport(ratio=1)
            assert drawn.evaluate("(picture) => picture.scrollWidth <= picture.clientWidth")
            snap(page, f"lesson_{game}_{size}_picture")
        if number < asked:
            learner.goes_on(number)
    snap(page, f"lesson_{game}_{size}_play")
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")


def test_what_is_spoken_of_is_pointed_at(site: Address, page: Page) -> None:
    learner = Learner(site, page, "tornei")
    pointed = page.locator("[data-pointed]")
    for number, region in ((0, "table"), (1, "hand")):
        learner.hears(number)
        expect(pointed).to_have_attribute("data-region", region)
        learner.goes_on(number)
    learner.goes_on(2)
    learner.goes_on(3)
    learner.goes_on(4)
    learner.hears(5)
    expect(page.locator("[data-region='last']")).to_be_in_viewport()


def test_sentences_can_be_read_again(site: Address, page: Page) -> None:
    learner = Learner(site, page, "tornei")
    learner.walks(4)
    back = page.get_by_role("button", name="Back")
    for number in (3, 2):
        back.click()
        learner.hears(number)
    expect(page.locator(".playable")).to_have_count(0)  # that was played already
    for number in (3, 4):
        page.get_by_role("button", name="Next").click()
        learner.hears(number)
    learner.goes_on(4)
    learner.hears(5)


def test_a_reload_comes_back_to_the_step(site: Address, page: Page) -> None:
    learner = Learner(site, page, "tornei")
    learner.walks(4)
    page.reload()
    learner.hears(4)
    learner.goes_on(4)
    learner.hears(5)


def test_a_choice_that_nobody_saw_confirmed_is_not_asked_for_again(
    site: Address, page: Page
) -> None:
    learner = Learner(site, page, "tornei")
    learner.walks(3)
    page.evaluate(
        """(say) => {
            const place = JSON.parse(localStorage.getItem("hastilude:lesson:tornei"));
            const before = JSON.stringify({ ...place, reached: 2, say });
            localStorage.setItem("hastilude:lesson:tornei", before);
        }""",
        learner.steps[2]["say"],
    )
    page.reload()
    learner.hears(3)


def test_a_lesson_whose_table_is_gone_begins_again(site: Address, page: Page) -> None:
    page.add_init_script(
        """localStorage.setItem("hastilude:lesson:triatri",
           JSON.stringify({ code: "gone2345", token: "x".repeat(32), reached: 5 }))"""
    )
    Learner(site, page, "triatri").hears(0)


def test_a_lesson_can_be_left_and_begun_again(site: Address, page: Page) -> None:
    learner = Learner(site, page, "triatri")
    learner.walks(3)
    page.get_by_role("button", name="Exit lesson").click()
    expect(page).to_have_url(f"{site.url}/")
    page.goto(f"{site.url}/learn/triatri")
    learner.hears(0)


def test_a_game_without_a_lesson(site: Address, page: Page, troubles: list[str]) -> None:
    page.goto(f"{site.url}/learn/chess")
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.get_by_role("link").first).to_be_visible()
    assert len(troubles) == 1, troubles  # the browser's own word for 404
    troubles.clear()


def press_until(page: Page, key: str, condition: str) -> None:
    """Press a key until the focused element fulfils a condition."""
    for _ in range(40):
        if page.evaluate(f"document.activeElement.matches({condition!r})"):
            return
        page.keyboard.press(key)
    pytest.fail(f"{key} never leads to {condition}")


def test_by_keyboard(site: Address, page: Page) -> None:
    learner = Learner(site, page, "tornei")
    learner.hears(0)
    press_until(page, "Tab", ".coach .primary")
    page.keyboard.press("Enter")
    learner.hears(1)
    page.keyboard.press("Enter")
    learner.hears(2)
    for number, card in ((2, "C1"), (4, "C8")):
        assert learner.steps[number]["play"] == [card]
        press_until(page, "Tab", "[data-card]")
        press_until(page, "ArrowRight", f"[data-card={card}]")
        page.keyboard.press("Enter")
        expect(page.locator(f"[data-card='{card}']")).to_have_attribute("aria-pressed", "true")
        page.keyboard.press("Enter")
        learner.hears(number + 1)
        expect(learner.coach.locator(".primary")).to_be_focused()
        page.keyboard.press("Enter")
        learner.hears(number + 2)


@pytest.mark.parametrize("game", GAMES)
def test_nothing_serious(site: Address, open_page: OpenPage, game: str) -> None:
    page = open_page(reduced_motion="reduce")
    learner = Learner(site, page, game)
    for number in range(6):
        learner.hears(number)
        assert serious(page) == []
        learner.goes_on(number)
