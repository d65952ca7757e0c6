"""A table on this machine, with people at the keyboard and bots."""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic

from hastilude import bots
from hastilude.bots.hints import Hints, think_of_hints
from hastilude.core.chance import SEEDS
from hastilude.core.errors import IllegalAction
from hastilude.core.game import Game
from hastilude.core.match import Match
from hastilude.core.random import draw, generator
from hastilude.core.record import Record
from hastilude.messages import Message
from hastilude.terminal.match_scene import MatchScene
from hastilude.terminal.saved import SavedMatch, SavedMatches
from hastilude.terminal.seating import Seating

CHAPTER_PAUSES = 4  # times the usual pause, so that people can look at a result


@dataclass(frozen=True)
class LocalSettings:
    """What all tables in this terminal share. Unfinished matches go to `saved`, finished ones to
    the file `record`; `pace` is the number of seconds between moves of bots."""

    saved: SavedMatches = field(default_factory=SavedMatches)
    record: Path | None = None
    pace: float = 0.0
    seed: int | None = None
    language: str = "en"


class LocalTable(MatchScene):
    """See `Table`. Made by `new_table` and `resumed_table`."""

    def __init__(
        self,
        match: Match,
        seating: Seating,
        settings: LocalSettings,
        saved: SavedMatch | None = None,
    ) -> None:
        self.match = match
        self.seating = seating
        self.version = 0
        self.trouble: Message | None = None
        self._settings = settings
        self._saved = saved
        self._shown_events = 0  # how many there were before the last pause
        self._recorded = False  # if two moves end a match together, it is still recorded once
        self._bots: dict[int, bots.Bot] = {}
        self._news = asyncio.Condition()
        self._writing = asyncio.Lock()
        self._failure: Exception | None = None
        self._work: asyncio.Task[None] | None = None

    # --- to look at -----------------------------------------------------------------------------

    @property
    def own(self) -> tuple[int, ...]:
        return self.seating.people

    @property
    def resumable(self) -> bool:
        """Whether this is an unfinished match that was saved."""
        return not self.over and not self.trouble

    def names(self, language: str) -> tuple[str, ...]:
        return self.seating.names(self.game, language)

    def legal(self, seat: int) -> tuple[str, ...]:
        return tuple(self.game.text(action) for action in self.match.legal(seat))

    def thinking(self, seat: int) -> bool:
        return seat in self._bots and seat in self.match.pending

    def clock(self, seat: int) -> float | None:
        return None

    # --- to take part ---------------------------------------------------------------------------

    async def play(self, seat: int, action: str) -> None:
        self.match.play(seat, action)
        await self._save_and_notify()

    async def why(self, seat: int, action: str) -> Message | None:
        return self.match.why(seat, action)

    async def hint(self, seat: int) -> Hints:
        if seat not in self.pending:
            raise IllegalAction.of("terminal_no_hint")
        return await asyncio.to_thread(think_of_hints, self.game, self.match.redacted(seat), seat)

    async def changed(self, since: int) -> int:
        async with self._news:
            await self._news.wait_for(lambda: self.version > since or self._failure)
        if self._failure:
            raise self._failure
        return self.version

    async def rematch(self) -> LocalTable:
        return await new_table(self.game, self.seating, replace(self._settings, seed=None))

    async def leave(self) -> None:
        if self._work:
            self._work.cancel()
            await asyncio.gather(self._work, return_exceptions=True)
        async with self._writing:
            if self._saved:
                self._saved.release()

    # --- behind the scenes ----------------------------------------------------------------------

    async def open(self) -> None:
        """Create the bots, which may have to be compiled, and let them play."""
        await asyncio.to_thread(self._seat_bots)
        await self._save_and_notify()
        self._work = asyncio.create_task(self._let_bots_play())

    def _seat_bots(self) -> None:
        seed = self._settings.seed
        seeds = generator(secrets.randbelow(SEEDS) if seed is None else seed)
        for seat, player in enumerate(self.seating.players):
            if seat not in self.own:
                self._bots[seat] = bots.make(player, self.game, int(draw(seeds)))

    async def _let_bots_play(self) -> None:
        try:
            while not self.match.over:
                seat = next(filter(self.thinking, self.match.pending), None)
                if seat is None:
                    await self.changed(self.version)
                    continue
                begun, pause = monotonic(), self._pause()
                redacted = self.match.redacted(seat)
                action = await asyncio.to_thread(self._bots[seat].choose, redacted, seat)
                await asyncio.sleep(pause - (monotonic() - begun))
                self.match.play(seat, action)
                await self._save_and_notify()
        except Exception as error:  # `changed` raises it
            self._failure = error
            async with self._news:
                self._news.notify_all()

    def _pause(self) -> float:
        news = self.match.events(None, since=self._shown_events)
        self._shown_events += len(news)
        decided = any(event.ends for event in news)
        return self._settings.pace * (CHAPTER_PAUSES if decided else 1)

    async def _save_and_notify(self) -> None:
        """Save first, so that nobody sees a move that could still be lost."""
        async with self._writing:
            try:
                await asyncio.to_thread(self._save, self.match.record(self._recorded_names()))
                self.trouble = None
            except OSError as error:
                values = {"path": str(error.filename), "problem": error.strerror}
                self.trouble = Message("terminal_not_kept", values)
        self.version += 1
        async with self._news:
            self._news.notify_all()

    def _save(self, record: Record) -> None:
        if record.scores is None:
            self._saved = self._saved or self._settings.saved.add(self.game, self.seating)
            self._saved.save(record)
            return
        if self._settings.record and not self._recorded:
            with self._settings.record.open("a", encoding="utf-8") as file:
                file.write(record.to_json() + "\n")
            self._recorded = True
        if self._saved:
            self._saved.forget()

    def _recorded_names(self) -> tuple[str, ...]:
        return self.names(self._settings.language)[: self.game.seats]


async def new_table(game: Game, seating: Seating, settings: LocalSettings) -> LocalTable:
    match = await asyncio.to_thread(game.new, settings.seed)
    table = LocalTable(match, seating, settings)
    await table.open()
    return table


async def resumed_table(saved: SavedMatch, settings: LocalSettings) -> LocalTable:
    """The table of a saved match; RecordError if it cannot be continued."""
    match, seating = await asyncio.to_thread(saved.load)
    table = LocalTable(match, seating, settings, saved)
    await table.open()
    return table
