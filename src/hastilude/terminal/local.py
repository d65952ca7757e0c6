"""A table on this machine: a match, the people at the keyboard, and bots that think beside them."""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic

from hastilude import bots
from hastilude.bots.analyse import Candidate, analyse
from hastilude.core.chance import SEEDS
from hastilude.core.errors import IllegalAction
from hastilude.core.game import Game
from hastilude.core.match import Match
from hastilude.core.random import draw, generator
from hastilude.core.record import Record
from hastilude.messages import Message
from hastilude.terminal.matched import MatchedScene
from hastilude.terminal.party import Party
from hastilude.terminal.shelf import Kept, Shelf

AFTER_A_CHAPTER = 3  # times the usual pause, so that a result can be looked at


@dataclass(frozen=True)
class House:
    """What the tables of this terminal have in common: where unfinished matches are kept and
    finished ones recorded, how many seconds pass between the moves of bots."""

    shelf: Shelf = field(default_factory=Shelf)
    record: Path | None = None
    pace: float = 0.0
    seed: int | None = None
    language: str = "en"


class LocalTable(MatchedScene):
    """See `Table`. Made by `new_table` and `resumed_table`."""

    def __init__(self, match: Match, party: Party, house: House, kept: Kept | None = None) -> None:
        self.match = match
        self.party = party
        self.version = 0
        self.trouble: Message | None = None
        self._house = house
        self._kept = kept
        self._recorded = False  # two moves may end a match together, and tell of it twice
        self._bots: dict[int, bots.Bot] = {}
        self._news = asyncio.Condition()
        self._writing = asyncio.Lock()
        self._failure: Exception | None = None
        self._work: asyncio.Task[None] | None = None

    # --- to look at -----------------------------------------------------------------------------

    @property
    def own(self) -> tuple[int, ...]:
        return self.party.people

    def names(self, language: str) -> tuple[str, ...]:
        return self.party.names(self.game, language)

    def legal(self, seat: int) -> tuple[str, ...]:
        return tuple(self.game.text(action) for action in self.match.legal(seat))

    def thinking(self, seat: int) -> bool:
        return seat in self._bots and seat in self.match.pending

    def clock(self, seat: int) -> float | None:
        return None

    # --- to take part ---------------------------------------------------------------------------

    async def play(self, seat: int, action: str) -> None:
        self.match.play(seat, action)
        await self._tell()

    async def why(self, seat: int, action: str) -> Message | None:
        return self.match.why(seat, action)

    async def hint(self, seat: int) -> list[Candidate]:
        if seat not in self.pending:
            raise IllegalAction.of("terminal_no_hint")
        return await asyncio.to_thread(analyse, self.game, self.match.redacted(seat), seat)

    async def changed(self, since: int) -> int:
        async with self._news:
            await self._news.wait_for(lambda: self.version > since or self._failure)
        if self._failure:
            raise self._failure
        return self.version

    async def rematch(self) -> LocalTable:
        return await new_table(self.game, self.party, replace(self._house, seed=None))

    async def leave(self) -> None:
        if self._work:
            self._work.cancel()
            await asyncio.gather(self._work, return_exceptions=True)
        async with self._writing:
            if self._kept:
                self._kept.let_go()

    # --- behind the scenes ----------------------------------------------------------------------

    async def open(self) -> None:
        """Seat the bots, whose thinking may have to be compiled, and let them begin."""
        await asyncio.to_thread(self._seat_bots)
        await self._tell()
        self._work = asyncio.create_task(self._let_bots_play())

    def _seat_bots(self) -> None:
        seed = self._house.seed
        seeds = generator(secrets.randbelow(SEEDS) if seed is None else seed)
        for seat, player in enumerate(self.party.players):
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
                await self._tell()
        except Exception as error:  # whoever waits for news is told
            self._failure = error
            async with self._news:
                self._news.notify_all()

    def _pause(self) -> float:
        told = self.match.events(None)
        return self._house.pace * (AFTER_A_CHAPTER if told and told[-1].ends else 1)

    async def _tell(self) -> None:
        """What happened is on the disk before anybody hears of it."""
        async with self._writing:
            try:
                await asyncio.to_thread(self._keep, self.match.record(self._recorded_names()))
                self.trouble = None
            except OSError as error:
                values = {"path": str(error.filename), "problem": error.strerror}
                self.trouble = Message("terminal_not_kept", values)
        self.version += 1
        async with self._news:
            self._news.notify_all()

    def _keep(self, record: Record) -> None:
        if record.scores is None:
            self._kept = self._kept or self._house.shelf.put(self.game, self.party)
            self._kept.save(record)
            return
        if self._house.record and not self._recorded:
            with self._house.record.open("a", encoding="utf-8") as file:
                file.write(record.to_json() + "\n")
            self._recorded = True
        if self._kept:
            self._kept.forget()

    def _recorded_names(self) -> tuple[str, ...]:
        return self.names(self._house.language)[: self.game.seats]


async def new_table(game: Game, party: Party, house: House) -> LocalTable:
    match = await asyncio.to_thread(game.new, house.seed)
    table = LocalTable(match, party, house)
    await table.open()
    return table


async def resumed_table(kept: Kept, house: House) -> LocalTable:
    """A match from the shelf; RecordError if it cannot be gone on with."""
    match, party = await asyncio.to_thread(kept.load)
    table = LocalTable(match, party, house, kept)
    await table.open()
    return table
