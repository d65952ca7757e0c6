"""A table on a server."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import replace
from time import monotonic
from typing import Any

from hastilude import protocol
from hastilude.bots.hints import HintGroup, Hints
from hastilude.core.errors import HastiludeError, IllegalAction, OptionError
from hastilude.core.events import Event
from hastilude.core.game import Game, Suit
from hastilude.messages import Message, catalogue
from hastilude.terminal.connection import Connection, message_of, new_id
from hastilude.terminal.seating import PERSON, Seating

SEED_BYTES = 16  # what a seat adds to the seed of a match


BOT, LEFT, OFFLINE = "terminal_mark_bot", "terminal_mark_left", "terminal_mark_offline"
# Sentences about those who are marked.
ABSENCES = {BOT: "terminal_stood_in", LEFT: "terminal_left_bot", OFFLINE: "terminal_is_offline"}


def mark(seat: protocol.SeatState) -> str:
    """The key of the word that says why a player is absent; empty if that is not so."""
    if seat.kind == "bot" and seat.name:
        return LEFT
    if seat.kind != "person":
        return ""
    if seat.stand_in:
        return BOT
    return "" if seat.here else OFFLINE


def about(decision: str, seat: int) -> Message:
    return Message("join_about", {"decision": Message(decision), "seat": seat})


class RemoteTable:
    """See `Table`. One match at the connection's table; a rematch is another RemoteTable.

    The server accepts only whole choices. If a choice takes several actions, the first of them are
    held here, and the view shows them as if they were already played.
    """

    def __init__(self, connection: Connection) -> None:
        assert connection.update is not None
        self._connection = connection
        self._update: protocol.Update = connection.update
        self._view: Any = connection.view
        self._events = connection.events
        self._chosen: tuple[str, ...] = ()
        self._open: tuple[str, ...] = ()  # what may follow them
        self._gone = False  # the connection belongs to the rematch now

    def _now(self) -> protocol.Update:
        """The latest update of this match; the last one, if another match has begun."""
        now = self._connection.update
        assert now is not None
        if now is not self._update and now.match == self._update.match:
            if now.legal != self._update.legal:
                self._chosen = ()
            self._update, self._view = now, self._connection.view
        return self._update

    # --- to look at -----------------------------------------------------------------------------

    @property
    def game(self) -> Game:
        return self._connection.game

    @property
    def own(self) -> tuple[int, ...]:
        return () if self._connection.seat is None else (self._connection.seat,)

    @property
    def pending(self) -> tuple[int, ...]:
        now = self._now()
        if now.paused or now.phase != "playing":
            return ()
        return tuple(self._view.pending)

    @property
    def over(self) -> bool:
        now = self._now()
        assert self._connection.update is not None
        return now.phase != "playing" or self._connection.update.match > now.match

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple(self._now().scores or ())

    @property
    def winners(self) -> tuple[int, ...]:
        return tuple(self._now().winners or ())

    @property
    def version(self) -> int:
        return self._connection.version

    @property
    def trouble(self) -> Message | None:
        return self._connection.trouble or self._connection.place_in_queue

    def names(self, language: str) -> tuple[str, ...]:
        seats = self._now().seats
        players = [seat.level if seat.kind == "bot" and seat.level else PERSON for seat in seats]
        names = Seating(tuple(players)).names(self.game, language)
        return (
            tuple(seat.name or name for seat, name in zip(seats, names, strict=False))
            + (names[len(seats) :])
        )

    def marks(self, language: str) -> tuple[str, ...]:
        words = catalogue(language)
        return tuple(str(words[key]) if (key := mark(seat)) else "" for seat in self._now().seats)

    def absences(self) -> list[Message]:
        """Who is offline or has left, and when a bot takes over."""
        said = []
        for number, seat in enumerate(self._now().seats):
            if key := ABSENCES.get(mark(seat)):
                said.append(Message(key, {"seat": number}))
            if seat.takeover is not None:
                left = max(0, int(seat.takeover / 1000 - monotonic() + self._connection.updated))
                time = f"{left // 60}:{left % 60:02}"
                said.append(Message("web_takeover_in", {"time": time}))
        return said

    def decisions(self) -> list[tuple[Message, protocol.Frame]]:
        """What the host of the table can decide about players now."""
        now, (own, *_) = self._now(), (*self.own, None)
        if own is None or not now.seats[own].host:
            return []
        found: list[tuple[Message, protocol.Frame]] = []
        playing = now.phase == "playing"
        for number, seat in enumerate(now.seats):
            absent = playing and mark(seat) == OFFLINE and number != own
            if absent and seat.takeover is not None:
                extend = protocol.Extend(type="extend", seat=number)
                found.append((about("web_wait_longer", number), extend))
            if absent:
                replace = protocol.Replace(type="replace", seat=number)
                found.append((about("web_bot_at_once", number), replace))
            if seat.kind == "bot":
                offer = protocol.Offer(type="offer", seat=number, on=not seat.offered)
                key = "web_offer_end" if seat.offered else "web_offer"
                found.append((about(key, number), offer))
        if playing and any(mark(seat) for n, seat in enumerate(now.seats) if n != own):
            found.append((Message("web_end_match"), protocol.End(type="end")))
        return found

    async def decide(self, frame: protocol.Frame) -> None:
        """Do what the host decided; a refusal is shown as trouble."""
        await self._connection.send(frame)

    async def missed(self) -> list[list[str]]:
        """The choices that a bot made for this seat the last time; none if there are none."""
        if self._now().missed is None:
            return []
        frame = protocol.Missed(type="missed", id=new_id())
        choices: list[list[str]] = (await self._connection.request(frame)).choices
        return choices

    def view(self, seat: int | None) -> Any:
        """The same for every seat: the server sends only this client's view."""
        self._now()
        if not self._chosen:
            return self._view
        hand = list(self._view.hand)
        for card in self._chosen:
            hand.remove(card)
        return replace(self._view, hand=tuple(hand), choice=self._chosen)

    def tracker(self, seat: int | None) -> Sequence[Suit]:
        """The server sends it only where the host allows it."""
        suits = self._now().tracker
        if suits is None:
            raise OptionError.of("tracker_forbidden" if self.game.has_tracker else "tracker_none")
        return [Suit(suit.suit, tuple(suit.cards)) for suit in suits]

    def events(self, seat: int | None, since: int = 0) -> Sequence[Event]:
        return self._events[since:]

    def legal(self, seat: int) -> tuple[str, ...]:
        now = self._now()
        return self._open if self._chosen else tuple(now.legal)

    def thinking(self, seat: int) -> bool:
        """Bots answer soon; people may take long."""
        lost = self._connection.trouble
        return not lost and seat in self.pending and self._now().seats[seat].kind != "person"

    def clock(self, seat: int) -> float | None:
        state = self._now().seats[seat]
        if state.left is None:
            return None
        passed = monotonic() - self._connection.updated if state.running else 0.0
        return max(0.0, state.left / 1000 - passed)

    # --- to take part ---------------------------------------------------------------------------

    async def play(self, seat: int, action: str) -> None:
        now = self._now()
        if now.seats[seat].stand_in:
            await self._connection.send(protocol.Return(type="return"))
        chosen = [*self._chosen, action]
        if self._chosen or action not in now.complete:
            answer = await self._ask(chosen)
            if answer.refused:
                raise IllegalAction(message_of(answer.refused))
            if not answer.whole:
                self._chosen, self._open = tuple(chosen), tuple(answer.legal)
                self._connection.notify()
                return
        self._chosen = ()
        play = protocol.Play(type="play", id=new_id(), version=now.version, actions=chosen)
        done = await self._connection.request(play)
        while self._connection.update and self._connection.update.version < done.version:
            await self._connection.changed(self._connection.version)

    async def why(self, seat: int, action: str) -> Message | None:
        try:
            answer = await self._ask([*self._chosen, action])
        except HastiludeError as refusal:
            return refusal.message
        return message_of(answer.refused) if answer.refused else None

    async def hint(self, seat: int) -> Hints:
        frame = protocol.Hint(type="hint", id=new_id(), actions=list(self._chosen))
        found: protocol.Hints = await self._connection.request(frame)
        groups = [
            HintGroup(
                choices=tuple(map(tuple, group.choices)),
                win=group.win,
                behind=group.behind,
                shares=None if group.shares is None else tuple(group.shares),
            )
            for group in found.groups
        ]
        return Hints(tuple(groups), message_of(found.reason) if found.reason else None)

    async def changed(self, since: int) -> int:
        return await self._connection.changed(since)

    async def rematch(self) -> RemoteTable:
        """Agree to another match, and wait until the others do; a spectator only waits."""
        number, agreed = self._now().match, False
        while self._connection.update and self._connection.update.match == number:
            version = self._connection.version
            if self._connection.is_lost:
                agreed = False  # the server may not have received it
            elif self.own and not agreed:
                agreed = True
                seed = secrets.token_hex(SEED_BYTES)
                await self._connection.send(protocol.Rematch(type="rematch", seed=seed))
            await self._connection.changed(version)
        self._gone = True
        return RemoteTable(self._connection)

    async def say(self, phrase: protocol.Phrase) -> None:
        """One of the protocol's phrases, for everybody at the table."""
        await self._connection.send(protocol.Say(type="say", phrase=phrase))

    async def pause(self, on: bool) -> None:
        """Agree to a pause, or end it."""
        await self._connection.send(protocol.Pause(type="pause", on=on))

    async def leave(self) -> None:
        """Disconnect. The seat stays taken, and its token gives access to it again."""
        if not self._gone:
            await self._connection.close()

    async def _ask(self, actions: list[str]) -> Any:
        for action in actions:
            self.game.number(action)  # refuses texts that the protocol would not allow
        return await self._connection.request(
            protocol.Ask(type="ask", id=new_id(), actions=actions)
        )
