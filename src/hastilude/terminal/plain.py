"""The table in plain sentences: one an event, and typed answers. For screen readers, pipes and
slow lines; nothing is drawn."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from typing import get_args

from hastilude.core.errors import HastiludeError, IllegalAction
from hastilude.core.events import explain
from hastilude.games.rulebook import clause, clauses
from hastilude.messages import Message
from hastilude.protocol import Phrase
from hastilude.terminal.asker import Asker, Left
from hastilude.terminal.drawing import drawing_of
from hastilude.terminal.joining import Joining
from hastilude.terminal.keyboard import Keyboard
from hastilude.terminal.line import Line
from hastilude.terminal.menu import first_table
from hastilude.terminal.opening import Opening
from hastilude.terminal.remote import RemoteTable
from hastilude.terminal.table import Table, clock_texts, reader_at, seat_to_ask
from hastilude.terminal.voice import Voice

CLEAR = "\x1b[2J\x1b[3J\x1b[H"  # the screen and what was scrolled away
BEST = 3  # how many actions a hint names
PHRASES: tuple[Phrase, ...] = get_args(Phrase)


class Dialogue:
    """One match at a table, told to whoever sits at the keyboard."""

    def __init__(self, table: Table, asker: Asker, language: str) -> None:
        self.table = table
        self.ask = asker
        self.seat = reader_at(table)  # who is at the keyboard
        self.voice = Voice(language, table.names(language), self.seat)
        self.drawing = drawing_of(table.game)
        self._told = dict.fromkeys((None, *table.own), 0)
        self._trouble: Message | None = None
        self._asked = -1  # the version of which the question was put
        self._commands: dict[str, Callable[[str], Awaitable[None]]] = {
            "?": self.help,
            "help": self.help,
            "hand": self.hand,
            "table": self.on_table,
            "last": self.last,
            "now": self.now,
            "why": self.why,
            "hint": self.hint,
            "rules": self.rules,
            "history": self.history,
            "quit": self.quit,
        }

    def tell(self, *lines: str) -> None:
        self.ask.tell(*lines)

    async def run(self) -> None:
        """Until the match is over; Left if somebody leaves before."""
        self.tell(self.voice("terminal_begins", title=self.table.game.title))
        if self.seat is not None:
            self.tell(self.voice("terminal_you_are", seat=self.seat))
        while not self.table.over:
            version = self.table.version
            self.tell_news()
            idle = not any(map(self.table.thinking, self.table.pending))
            if idle and self._asked != version:
                await self.put_question()
                self._asked = version
            if idle:
                self.ask.prompt()
            heard = await self.line_or_news(version, idle)
            if heard is not None:
                await self.answer(heard)
        self.tell_news()

    async def line_or_news(self, version: int, idle: bool) -> str | None:
        """What was typed, or None when something has happened. While a bot thinks, lines wait:
        a pipe may have brought all of them at once."""
        hearing = asyncio.create_task(self.ask.hear(listen=idle))
        news = asyncio.create_task(self.table.changed(version))
        try:
            await asyncio.wait({hearing, news}, return_when=asyncio.FIRST_COMPLETED)
            if self.ask.leaving:
                await asyncio.wait({hearing})
            if hearing.done():
                return hearing.result()
            if idle and sys.stdin.isatty():
                self.tell("")  # the prompt's line stays as it is
            news.result()
            return None
        finally:
            hearing.cancel()
            news.cancel()

    def tell_news(self) -> None:
        if self.table.trouble != self._trouble:
            self._trouble = self.table.trouble
            self.tell(self.voice.say(self._trouble or Message("store_back")))
        if self.seat is None and len(self.table.own) > 1 and not self.table.over:
            return  # nobody has sat down yet
        for event in self.table.events(self.seat, self._told[self.seat]):
            self._told[self.seat] += 1
            self.tell(self.voice.say(event.message))

    # --- questions ------------------------------------------------------------------------------

    async def put_question(self) -> None:
        seat = seat_to_ask(self.table, self.seat)
        if seat is None:
            return
        if seat != self.seat:
            await self.curtain(seat)
        view = self.table.view(seat)
        self.tell(self.voice.ask(self.table.game.name, view.phase, seat))
        await self.hand("")

    async def curtain(self, seat: int) -> None:
        """Between two people at one keyboard: neither sees the other's hand."""
        if self.seat is not None and sys.stdout.isatty():
            print(CLEAR, end="")
        self.seat = None
        self.tell(self.voice("terminal_curtain", seat=seat))
        await self.ask.line()
        self.seat = seat
        self.tell_news()

    async def answer(self, typed: str) -> None:
        word, _, rest = typed.partition(" ")
        command = self._commands.get(word.lower())
        if command:
            await command(rest.strip())
            return
        if self.seat is None or not typed:
            self.tell(self.voice("terminal_type_help"))
            return
        try:
            await self.table.play(self.seat, self.action(typed))
        except HastiludeError as error:
            self.tell(self.voice.say(error.message))
            self._asked = -1  # ask again

    def action(self, typed: str) -> str:
        """The action's text, however its letters were typed."""
        written = {text.lower(): text for text in self.table.game.texts}
        return written.get(typed.lower(), typed)

    # --- commands -------------------------------------------------------------------------------

    async def help(self, _: str) -> None:
        example = self.table.legal(self.seat)[:1] if self.seat is not None else ()
        self.tell(self.voice("terminal_help_action", action=(example or self.table.game.texts)[0]))
        for name in ("why_action", *self._commands):
            if name not in ("?", "help"):
                self.tell(self.voice(f"terminal_help_{name}"))

    async def hand(self, _: str) -> None:
        hand = tuple(getattr(self.table.view(self.seat), "hand", ()))
        self.tell(self.voice("terminal_hand", hand=hand))
        legal = self.table.legal(self.seat) if self.seat is not None else ()
        if legal and set(legal) != set(hand):
            self.tell(self.voice("terminal_legal", legal=legal))

    async def on_table(self, _: str) -> None:
        for message in self.drawing.words(self.table.view(self.seat)):
            self.tell(self.voice.say(message))
        self.tell(*clock_texts(self.table, self.voice))

    async def now(self, _: str) -> None:
        """What happened since the last result."""
        events = self.table.events(self.seat)
        ended = [index for index, event in enumerate(events) if event.ends]
        for event in events[ended[-1] + 1 if ended else 0 :]:
            self.tell(self.voice.say(event.message))

    async def last(self, _: str) -> None:
        """The story of the last result."""
        events = self.table.events(self.seat)
        ended = [index for index, event in enumerate(events) if event.ends]
        if not ended:
            self.tell(self.voice("terminal_nothing_yet"))
        for event in explain(events, ended[-1]) if ended else ():
            self.tell(self.voice.say(event.message))

    async def why(self, typed: str) -> None:
        if not typed or self.seat is None:
            await self.last("")
            return
        action = self.action(typed)
        refusal = await self.table.why(self.seat, action)
        self.tell(
            self.voice.say(refusal) if refusal else self.voice("terminal_allowed", action=action)
        )

    async def hint(self, _: str) -> None:
        try:
            if self.seat is None:
                raise IllegalAction.of("terminal_no_hint")
            for one in (await self.table.hint(self.seat))[:BEST]:
                win, margin = round(100 * one.win), round(100 * one.margin)
                self.tell(self.voice("terminal_hint", action=one.text, win=win, margin=margin))
        except HastiludeError as error:
            self.tell(self.voice.say(error.message))

    async def rules(self, typed: str) -> None:
        game = self.table.game.name
        try:
            if typed:
                self.tell(clause(game, typed, self.voice.language))
            else:
                known = tuple(clauses(game, self.voice.language))
                self.tell(self.voice("terminal_clauses", known=known))
        except HastiludeError as error:
            self.tell(self.voice.say(error.message))

    async def history(self, _: str) -> None:
        for event in self.table.events(self.seat):
            self.tell(self.voice.say(event.message))

    async def quit(self, _: str) -> None:
        raise Left


class JoinedDialogue(Dialogue):
    """At a table of a server there are others to talk to."""

    def __init__(self, table: RemoteTable, asker: Asker, language: str) -> None:
        super().__init__(table, asker, language)
        self.remote = table
        if table.own:
            self._commands |= {"say": self.say, "pause": self.pause, "resume": self.resume}

    async def say(self, typed: str) -> None:
        phrase = next((one for one in PHRASES if one == typed.lower()), None)
        if phrase:
            await self.remote.say(phrase)
        else:
            self.tell(self.voice("join_phrases", known=PHRASES))

    async def pause(self, _: str) -> None:
        await self.remote.pause(True)

    async def resume(self, _: str) -> None:
        await self.remote.pause(False)


async def dialogues(opening: Opening) -> None:
    """Match after match, until nobody wants another."""
    voice = Voice(opening.house.language)
    asker = Asker(Keyboard(), voice)
    table: Table | None = None
    try:
        table = await first_table(opening, asker)
        while table:
            await Dialogue(table, asker, voice.language).run()
            again = await asker.agrees(voice("terminal_again"))
            table = await table.rematch() if again else None
    except Left:
        if table and not table.over and not table.trouble:
            asker.tell(voice("terminal_kept"))
    finally:
        if table:
            await table.leave()
        asker.keyboard.close()


async def joined_dialogues(joining: Joining) -> None:
    """Likewise at a table of a server."""
    voice = Voice(joining.language)
    asker = Asker(Keyboard(), voice)
    line: Line | None = None
    try:
        line = await joining.arrive(asker.name)
        await asker.unless_left(others_sit_down(line, asker))
        table = RemoteTable(line)
        while True:
            await JoinedDialogue(table, asker, voice.language).run()
            if table.own and not await asker.agrees(voice("terminal_again")):
                return
            asker.tell(voice("join_others_again"))
            table = await asker.unless_left(table.rematch())
    except Left:
        if line and line.seat is not None:
            asker.tell(voice("join_seat_kept"))
    finally:
        if line:
            await line.close()
        asker.keyboard.close()


async def others_sit_down(line: Line, asker: Asker) -> None:
    """Tell who is there, until the match begins."""
    while not line.playable:
        asker.tell(asker.voice.say(line.trouble or line.gathered))
        await line.changed(line.version)
