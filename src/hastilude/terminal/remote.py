"""A table of a server, with other people at it."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import replace
from time import monotonic
from typing import Any

from hastilude import protocol
from hastilude.bots.analyse import Candidate
from hastilude.core.errors import HastiludeError, IllegalAction
from hastilude.core.events import Event
from hastilude.core.game import Game
from hastilude.messages import Message
from hastilude.terminal.line import Line, message_of, new_id
from hastilude.terminal.party import PERSON, Party

SEED_BYTES = 16  # what a seat adds to the seed of a match


class RemoteTable:
    """See `Table`. One match at the table of a line; a rematch is another RemoteTable.

    The server takes a choice as a whole. Where it takes several actions,
    the first of them are held here, and the view shows them as it would if they were made.
    """

    def __init__(self, line: Line) -> None:
        assert line.update is not None
        self._line = line
        self._update: protocol.Update = line.update
        self._view: Any = line.view
        self._events = line.events
        self._chosen: tuple[str, ...] = ()
        self._open: tuple[str, ...] = ()  # what may follow them
        self._gone = False  # the line belongs to another table now

    def _now(self) -> protocol.Update:
        """How the match stands; if another has begun, how it ended."""
        now = self._line.update
        assert now is not None
        if now is not self._update and now.match == self._update.match:
            if now.legal != self._update.legal:
                self._chosen = ()
            self._update, self._view = now, self._line.view
        return self._update

    # --- to look at -----------------------------------------------------------------------------

    @property
    def game(self) -> Game:
        return self._line.game

    @property
    def own(self) -> tuple[int, ...]:
        return () if self._line.seat is None else (self._line.seat,)

    @property
    def pending(self) -> tuple[int, ...]:
        now = self._now()
        if now.paused or now.phase != "playing":
            return ()
        return tuple(self._view.pending)

    @property
    def over(self) -> bool:
        now = self._now()
        assert self._line.update is not None
        return now.phase != "playing" or self._line.update.match > now.match

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple(self._now().scores or ())

    @property
    def winners(self) -> tuple[int, ...]:
        return tuple(self._now().winners or ())

    @property
    def version(self) -> int:
        return self._line.version

    @property
    def trouble(self) -> Message | None:
        return self._line.trouble

    def names(self, language: str) -> tuple[str, ...]:
        seats = self._now().seats
        players = [seat.level if seat.kind == "bot" and seat.level else PERSON for seat in seats]
        names = Party(tuple(players)).names(self.game, language)
        return (
            tuple(seat.name or name for seat, name in zip(seats, names, strict=False))
            + (names[len(seats) :])
        )

    def view(self, seat: int | None) -> Any:
        """From here there is only one point of view."""
        self._now()
        if not self._chosen:
            return self._view
        hand = list(self._view.hand)
        for card in self._chosen:
            hand.remove(card)
        return replace(self._view, hand=tuple(hand), choice=self._chosen)

    def events(self, seat: int | None, since: int = 0) -> Sequence[Event]:
        return self._events[since:]

    def legal(self, seat: int) -> tuple[str, ...]:
        now = self._now()
        return self._open if self._chosen else tuple(now.legal)

    def thinking(self, seat: int) -> bool:
        """A bot of the server answers soon; for people one may have to wait."""
        return (
            not self.trouble and seat in self.pending and self._now().seats[seat].kind != "person"
        )

    def clock(self, seat: int) -> float | None:
        state = self._now().seats[seat]
        if state.left is None:
            return None
        passed = monotonic() - self._line.updated if state.running else 0.0
        return max(0.0, state.left / 1000 - passed)

    # --- to take part ---------------------------------------------------------------------------

    async def play(self, seat: int, action: str) -> None:
        now = self._now()
        if now.seats[seat].stand_in:
            await self._line.send(protocol.Return(type="return"))
        chosen = [*self._chosen, action]
        if self._chosen or action not in now.complete:
            answer = await self._ask(chosen)
            if answer.refused:
                raise IllegalAction(message_of(answer.refused))
            if not answer.whole:
                self._chosen, self._open = tuple(chosen), tuple(answer.legal)
                self._line.tell()
                return
        self._chosen = ()
        play = protocol.Play(type="play", id=new_id(), version=now.version, actions=chosen)
        done = await self._line.request(play)
        while self._line.update and self._line.update.version < done.version:
            await self._line.changed(self._line.version)

    async def why(self, seat: int, action: str) -> Message | None:
        try:
            answer = await self._ask([*self._chosen, action])
        except HastiludeError as refusal:
            return refusal.message
        return message_of(answer.refused) if answer.refused else None

    async def hint(self, seat: int) -> list[Candidate]:
        frame = protocol.Hint(type="hint", id=new_id(), actions=list(self._chosen))
        return [
            Candidate(
                action=self.game.number(one.action),
                text=one.action,
                visits=0,
                win=one.win,
                margin=one.margin,
                score=one.score,
                behind=0.0,
                behind_margin=0.0,
            )
            for one in (await self._line.request(frame)).candidates
        ]

    async def changed(self, since: int) -> int:
        return await self._line.changed(since)

    async def rematch(self) -> RemoteTable:
        """Agree to another match, and wait until the others do; a spectator only waits."""
        number, agreed = self._now().match, False
        while self._line.update and self._line.update.match == number:
            version = self._line.version
            if self._line.is_cut:
                agreed = False  # nobody may have heard it
            elif self.own and not agreed:
                agreed = True
                seed = secrets.token_hex(SEED_BYTES)
                await self._line.send(protocol.Rematch(type="rematch", seed=seed))
            await self._line.changed(version)
        self._gone = True
        return RemoteTable(self._line)

    async def say(self, phrase: protocol.Phrase) -> None:
        """One of the protocol's phrases, for everybody at the table."""
        await self._line.send(protocol.Say(type="say", phrase=phrase))

    async def pause(self, on: bool) -> None:
        """Agree to a pause, or end it."""
        await self._line.send(protocol.Pause(type="pause", on=on))

    async def leave(self) -> None:
        """Hang up. The seat stays; its token comes back to it."""
        if not self._gone:
            await self._line.close()

    async def _ask(self, actions: list[str]) -> Any:
        for action in actions:
            self.game.number(action)  # what is not written so, the protocol would not carry
        return await self._line.request(protocol.Ask(type="ask", id=new_id(), actions=actions))
