"""Every game, in every phase, fits every screen: nothing that is needed has to be scrolled to.

Each table is opened once; in each moment worth looking at, the window takes one size after another.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.server.running import Address
from tests.web import positions
from tests.web.axe import serious
from tests.web.screens import snap
from tests.web.test_lobby import seated

OpenPage = Callable[..., Page]
Walk = Callable[[Address, Page], Iterator[str]]

FITS = (Path(__file__).parent / "fits.js").read_text("utf-8")
DESK_SIZE = 1024  # pixels wide; here the prompt and the board have large letters
PROMPT, BOARD = 18, 13  # pixels, the least size of letters there
USUAL, DOUBLE = 16, 32  # pixels, the size of letters that the browser is set to

# Width, height and size of letters.
SIZES = [
    (320, 568, USUAL), (360, 640, USUAL), (390, 844, USUAL),
    (667, 375, USUAL), (844, 390, USUAL),
    (820, 1180, USUAL), (1024, 768, USUAL), (1440, 900, USUAL), (1920, 1080, USUAL),
    (1440, 900, DOUBLE),
]  # fmt: skip
# For other numbers of players, whose tables are laid out by the same rules.
SOME = [(320, 568, USUAL), (667, 375, USUAL), (1440, 900, USUAL)]
IN_JAPANESE = [(360, 640, USUAL), (667, 375, USUAL)]

TABLES: dict[str, Walk] = {
    "tornei-3": lambda site, page: positions.tornei(site, page, players=3, seed=0),
    "tornei-4": lambda site, page: positions.tornei(site, page, players=4, seed=0),
    "kings_tournament": positions.kings_tournament,
    "triatri-2": lambda site, page: positions.triatri(site, page, players=2, seed=7),
    "triatri-3": lambda site, page: positions.triatri(site, page, players=3, seed=0),
    "triatri-4": lambda site, page: positions.triatri(site, page, players=4, seed=34),
}

FULL = ["tornei-4", "kings_tournament", "triatri-4"]

# Where a notice has to share the room with the table. The reader leads at Tornei.
LOW = [(320, 568, USUAL), (360, 640, USUAL), (667, 375, USUAL), (844, 390, USUAL)]
LOWEST = [(320, 568, USUAL), (667, 375, USUAL)]
WITH_BOTS = {"seats": [None, None, "page", "page"]}
FRIENDS: dict[str, Any] = {
    "tornei": {"options": {"players": 4, "first_dealer": 3}, **WITH_BOTS},
    "kings_tournament": {},
    "triatri": {"options": {"players": 4}, **WITH_BOTS},
}

# The browser's time stands still, and with it its frames; this waits for a real one.
FRAME = """() => new Promise((done) =>
    new ResizeObserver((_, observer) => {
        observer.disconnect();
        done();
    }).observe(document.body))"""
RESIZED = """([width, letters]) => innerWidth === width
    && getComputedStyle(document.documentElement).fontSize === `${letters}px`"""
FRAMES = 10  # after which a page has settled


class Window:
    """A page whose size, and the size of letters that its browser is set to, can change."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._browser = page.context.new_cdp_session(page)
        self._letters = USUAL

    def resize(self, width: int, height: int, letters: int) -> None:
        if letters != self._letters:
            sizes = {"standard": letters, "fixed": letters}
            self._browser.send("Page.setFontSizes", {"fontSizes": sizes})
            self._letters = letters
        self.page.set_viewport_size({"width": width, "height": height})
        while not self.page.evaluate(RESIZED, [width, letters]):
            self.page.evaluate(FRAME)
        self.page.evaluate(FRAME)


def problems(page: Page, width: int) -> list[str]:
    """What is wrong once the page has settled."""
    desk = width >= DESK_SIZE
    least = {"prompt": PROMPT if desk else 0, "board": BOARD if desk else 0}
    found: list[str] = []
    for _ in range(FRAMES):
        found = page.evaluate(FITS, least)
        if not found:
            break
        page.evaluate(FRAME)
    return found


def problems_at(window: Window, moment: str, sizes: list[Any]) -> list[str]:
    """What is wrong at these sizes, with pictures."""
    found = []
    for width, height, letters in sizes:
        window.resize(width, height, letters)
        where = f"{moment.replace(' ', '_')}-{width}x{height}@{letters}"
        wrong = problems(window.page, width)
        found += [f"{where}: {problem}" for problem in wrong]
        if wrong:
            snap(window.page, where)
    return found


def looked_at(
    site: Address, open_page: OpenPage, table: str, language: str, sizes: list[Any]
) -> str:
    """What is wrong, in lines."""
    page = open_page(reduced_motion="reduce")
    positions.prepare(page, language=language)
    window = Window(page)
    found = []
    for moment in TABLES[table](site, page):
        # Back and forth: to change the size of letters takes longest.
        sizes = sizes[::-1]
        found += problems_at(window, f"{table}-{moment}-{language}", sizes)
    return "\n".join(found)


@pytest.mark.parametrize("table", TABLES)
def test_everything_needed_is_on_the_screen(site: Address, open_page: OpenPage, table: str) -> None:
    assert looked_at(site, open_page, table, "en", SIZES if table in FULL else SOME) == ""


@pytest.mark.parametrize("table", FULL)
def test_everything_needed_is_on_the_screen_in_japanese(
    site: Address, open_page: OpenPage, table: str
) -> None:
    assert looked_at(site, open_page, table, "ja", IN_JAPANESE) == ""


@pytest.mark.parametrize("game", FRIENDS)
def test_a_notice_leaves_everything_needed_on_the_screen(
    site: Address, open_page: OpenPage, game: str
) -> None:
    code, private = seated(site, game, **FRIENDS[game])
    token = site.sit(code, "Benny")["token"]
    if game == "tornei":  # so that everybody has to predict
        anna = site.client(code, private.partition("#")[2])
        anna.wait_for(lambda update: update["legal"])
        anna.play(*anna.first_choice())
        anna.close()
    windows, found = {}, []
    for language, sizes in {"en-GB": LOW, "ja-JP": LOWEST}.items():
        page = open_page(reduced_motion="reduce", locale=language)
        page.goto(private)
        expect(page.get_by_role("timer")).to_be_visible()
        page.locator("[data-card].playable").first.click()
        windows[language] = Window(page)
        found += problems_at(windows[language], f"{game}-offline-{language}", sizes)
    site.client(code, token).send("leave")
    for language, window in windows.items():
        expect(window.page.get_by_role("timer")).to_be_hidden()
        found += problems_at(window, f"{game}-left-{language}", LOWEST)
    assert "\n".join(found) == ""


def test_the_marks_on_a_board_are_explained_with_one_tap(
    site: Address, open_page: OpenPage
) -> None:
    page = open_page(reduced_motion="reduce")  # what rises is pale at first
    positions.prepare(page, language="en")
    next(TABLES["tornei-3"](site, page))
    page.get_by_role("button", name="What the marks mean").click()
    legend = page.get_by_role("dialog", name="What the marks mean")
    for meaning in (
        "right predictions, above the suits",
        "points for right predictions in this round",
        "tricks taken in this round",
        "leads this trick",
        "cards left in the dummy's pile",
    ):
        assert legend.get_by_text(meaning).is_visible()
    page.clock.resume()  # axe waits for it
    assert serious(page) == []
    snap(page, "tornei-marks")
