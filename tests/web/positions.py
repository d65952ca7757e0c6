"""Tables in every phase of every game, for tests that look at whole screens.

A match is played at random with a fixed seed; its deals and plays are the script of a table, where
the reader's plays come over the API while a browser watches. The browser's time stands still unless
it is told to pass, so that what the table rests on stays on the screen.
"""

import random
import time
from collections.abc import Iterator
from typing import Any

from playwright.sync_api import Page, expect

import hastilude
from hastilude.messages import catalogue
from tests.server.running import PATIENCE, Address
from tests.web.settings import remember
from tests.web.test_kings_tournament import SCRIPT as KINGS_SCRIPT


def random_script(game: str, seed: int, **options: Any) -> dict[str, Any]:
    """The deals and plays of a match in which each play is a whole choice."""
    match = hastilude.load(game, **options).new(seed=seed)
    chosen = random.Random(seed)
    while match.pending:
        seat = match.pending[0]
        match.play(seat, chosen.choice(match.legal(seat)))
    events = match.record().events
    return {
        "chance": [event for event in events if event[0] != "play"],
        "plays": [[event[1], [event[2]]] for event in events if event[0] == "play"],
    }


class Watched:
    """A scripted table that a page watches; `page` has settings and a paused clock."""

    def __init__(
        self, site: Address, page: Page, game: str, script: dict[str, Any], **options: Any
    ) -> None:
        self.page, self.game = page, game
        self._plays = [actions for seat, actions in script["plays"] if seat == 0]
        seats = hastilude.load(game, **options).seats
        opened = site.open_table(
            game,
            options=options,
            seats=[None, *["script"] * (seats - 1)],
            script=script,
            practice=True,
        )
        token = site.sit(opened["code"], "Anna Maria", host=opened["host"])["token"]
        self.reader = site.client(opened["code"], token)
        page.goto(f"{site.url}/t/{opened['code']}#{token}", wait_until="commit")

    @property
    def view(self) -> Any:
        """What the reader sees when the reader is asked for a choice."""
        return self.reader.wait_for(lambda update: update["legal"])["view"]

    def play(self) -> None:
        done = self.reader.play(*self._plays.pop(0))
        self.reader.reach(done["version"])

    def asks(self) -> None:
        """Wait until the page asks for the reader's choice and all before it has been shown."""
        key = f"{self.game}_ask_{self.view['phase']}"
        questions = {str(catalogue(language)[key]) for language in ("en", "ja")}
        asked = self.page.locator("h1")
        # Time passes faster than answers to pings come, so that the line may seem cut for a moment.
        cut = self.page.locator(".notice")
        self._pass_until(lambda: asked.inner_text() in questions and not cut.count(), 500)

    def rests_on(self, selector: str) -> None:
        """Wait until the page shows something, and stop the time there."""
        shown = self.page.locator(selector).first
        self._pass_until(shown.is_visible, 20)

    def _pass_until(self, condition: Any, step: int) -> None:
        deadline = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < deadline
            self.page.clock.fast_forward(step)


def prepare(page: Page, **settings: str) -> None:
    """Settings, and a clock that stands still once the page is open."""
    remember(page, pace="automatic", **settings)
    page.clock.install()
    page.clock.pause_at(2_000_000_000)


def lift(page: Page) -> None:
    """Raise a card that may be played, so that its button is there too."""
    page.locator("[data-card].playable, button[data-action]:not(.lowered)").last.click()
    expect(page.locator("[aria-pressed=true]").first).to_be_visible()


def tornei(site: Address, page: Page, players: int, seed: int) -> Iterator[str]:
    options = {"players": players, "first_dealer": players - 2}  # the reader leads in round 2
    script = random_script("tornei", seed, **options)
    table = Watched(site, page, "tornei", script, **options)
    wanted = {"lead", "predict", "play", "trick over"}
    while table.view["trick"] < 7 or table.view["phase"] != "play":
        phase, trick = table.view["phase"], table.view["trick"]
        if phase in wanted and trick > 2:
            wanted.remove(phase)
            table.asks()
            lift(page)
            yield phase
        if phase == "play" and "trick over" in wanted:
            table.asks()
        table.play()
        # If the reader leads next, nothing else happens after the trick.
        if phase == "play" and table.view["phase"] == "lead" and "trick over" in wanted:
            wanted.remove("trick over")
            table.rests_on(".joust .place")
            yield "trick over"
    assert not wanted
    if players == 3:  # the dummy leads next, so that the table goes on at once
        return
    table.asks()
    table.play()
    table.rests_on(".counting")
    yield "round over"


def kings_tournament(site: Address, page: Page) -> Iterator[str]:
    table = Watched(site, page, "kings_tournament", KINGS_SCRIPT)
    table.asks()
    page.locator("[data-card].playable").first.click()
    yield "line"
    for _ in range(2):
        page.locator("[data-region=hand] .playable").first.click()
    yield "line placed"
    table.play()
    table.rests_on(".decides")
    table.rests_on(".action-bar p:not(:empty)")
    yield "reveal"
    table.asks()
    lift(page)
    yield "mounted"
    table.play()
    table.asks()
    lift(page)
    yield "on foot"


def triatri(site: Address, page: Page, players: int, seed: int) -> Iterator[str]:
    script = random_script("triatri", seed, players=players)
    table = Watched(site, page, "triatri", script, players=players)
    wanted = {"bid", "name", "play", "trick over"} | ({"exchange"} if players > 2 else set())
    while wanted:
        phase = table.view["phase"]
        moments = wanted & {phase, "exchange" if exchanged(table.view) else phase}
        if moments:
            wanted -= moments
            table.asks()
            lift(page)
            yield " and ".join(moments)
        elif phase == "play" and "trick over" in wanted:
            table.asks()
        table.play()
        # If the reader leads next, nothing else happens after the trick.
        if phase == "play" and table.view["phase"] == "name" and "trick over" in wanted:
            wanted.remove("trick over")
            table.rests_on(".won")
            yield "trick over"


def exchanged(view: Any) -> bool:
    trick = view["table"]
    return trick is not None and any(
        lying and played and lying["card"] != played
        for lying, played in zip(trick["lies"], trick["played"], strict=True)
    )
