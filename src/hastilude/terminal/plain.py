"""The table in plain sentences, one per event, with typed answers. For screen readers, pipes and
slow connections; nothing is drawn."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import get_args

from hastilude.core.errors import HastiludeError, IllegalAction
from hastilude.core.events import explain
from hastilude.games.rulebook import clause, clauses, summary
from hastilude.messages import Message
from hastilude.protocol import Phrase
from hastilude.terminal.console import Console, Left
from hastilude.terminal.drawing import drawing_of, score_texts, sheet_texts, tracker_texts
from hastilude.terminal.hints import hint_lines
from hastilude.terminal.options import variants_at
from hastilude.terminal.remote import RemoteTable
from hastilude.terminal.table import Table, clock_texts, reader_at, seat_to_ask
from hastilude.terminal.voice import Voice

CLEAR = "\x1b[2J\x1b[3J\x1b[H"  # the screen and its scrollback
PHRASES: tuple[Phrase, ...] = get_args(Phrase)


class Dialogue:
    """One match at a table, for the people at the keyboard."""

    LEAVE = "terminal_leave"  # what is asked before leaving
    QUITTING = "terminal_help_quit"  # what `quit` does

    def __init__(self, table: Table, console: Console, language: str) -> None:
        self.table = table
        self.console = console
        console.leave = self.LEAVE
        self.seat = reader_at(table)  # who is at the keyboard
        self.voice = Voice(language, table.names(language), self.seat)
        self.drawing = drawing_of(table.game)
        self._seen_events = dict.fromkeys((None, *table.own), 0)
        self._trouble: Message | None = None
        self._asked = -1  # the version at which the prompt was printed
        self._commands: dict[str, Callable[[str], Awaitable[None]]] = {
            "?": self.help,
            "help": self.help,
            "hand": self.hand,
            "table": self.on_table,
            "last": self.last,
            "now": self.now,
            "why": self.why,
            "hint": self.hint,
            "scores": self.scores,
            "seen": self.seen,
            "rules": self.rules,
            "history": self.history,
            "quit": self.quit,
        }

    def print(self, *lines: str) -> None:
        self.console.print(*lines)

    async def run(self) -> None:
        """Play until the match is over; raises Left if somebody leaves before."""
        self.greet()
        while not self.over:
            version = self.table.version
            self.print_news()
            idle = not any(map(self.table.thinking, self.table.pending))
            if idle and self._asked != version:
                await self.put_question()
                self._asked = version
            if idle:
                self.console.prompt()
            typed = await self.line_or_news(version, idle)
            if typed is not None:
                await self.answer(typed)
        self.print_news()
        self.finish()

    def greet(self) -> None:
        self.print(self.voice("terminal_begins", title=self.table.game.title))
        if self.seat is not None:
            self.print(self.voice("terminal_you_are", seat=self.seat))

    @property
    def over(self) -> bool:
        """Whether there is nothing left to be asked."""
        return self.table.over

    async def line_or_news(self, version: int, idle: bool) -> str | None:
        """What was typed, or None when something has happened. While a bot thinks, typed lines
        wait: a pipe may have delivered all of them at once."""
        reading = asyncio.create_task(self.console.read(listen=idle))
        news = asyncio.create_task(self.table.changed(version))
        try:
            await asyncio.wait({reading, news}, return_when=asyncio.FIRST_COMPLETED)
            if self.console.leaving:
                await asyncio.wait({reading})
            if reading.done():
                return reading.result()
            if idle and sys.stdin.isatty():
                self.print("")  # end the line of the prompt
            news.result()
            return None
        finally:
            reading.cancel()
            news.cancel()

    def print_news(self) -> None:
        self.voice = replace(self.voice, names=self.table.names(self.voice.language))
        if self.table.trouble != self._trouble:
            self._trouble = self.table.trouble
            self.print(self.voice.say(self._trouble or Message("store_back")))
        if self.seat is None and len(self.table.own) > 1 and not self.table.over:
            return  # nobody has sat down yet
        for event in self.table.events(self.seat, self._seen_events[self.seat]):
            self._seen_events[self.seat] += 1
            self.print(self.voice.say(event.message))

    # --- questions ------------------------------------------------------------------------------

    async def put_question(self) -> None:
        seat = seat_to_ask(self.table, self.seat)
        if seat is None:
            return
        if seat != self.seat:
            await self.curtain(seat)
        view = self.table.view(seat)
        self.print(self.voice.ask(self.table.game.name, view.phase, seat))
        await self.hand("")

    async def curtain(self, seat: int) -> None:
        """Hand the keyboard to another person, so that neither sees the other's hand."""
        if self.seat is not None and sys.stdout.isatty():
            print(CLEAR, end="")
        self.seat = None
        self.print(self.voice("terminal_curtain", seat=seat))
        await self.console.line()
        self.seat = seat
        self.print_news()

    async def answer(self, typed: str) -> None:
        word, _, rest = typed.partition(" ")
        command = self._commands.get(word.lower())
        if command:
            await command(rest.strip())
            return
        if self.seat is None or not typed:
            self.print(self.voice("terminal_type_help"))
            return
        try:
            await self.table.play(self.seat, self.action(typed))
        except HastiludeError as error:
            self.print(self.voice.say(error.message))
            self._asked = -1  # ask again

    def action(self, typed: str) -> str:
        """The action's text, whether typed in upper or lower case."""
        written = {text.lower(): text for text in self.table.game.texts}
        return written.get(typed.lower(), typed)

    # --- commands -------------------------------------------------------------------------------

    async def help(self, _: str) -> None:
        example = self.table.legal(self.seat)[:1] if self.seat is not None else ()
        self.print(self.voice("terminal_help_action", action=(example or self.table.game.texts)[0]))
        for name in ("why_action", *self._commands):
            if name not in ("?", "help", "quit"):
                self.print(self.voice(f"terminal_help_{name}"))
        self.print(self.voice(self.QUITTING))

    async def hand(self, _: str) -> None:
        hand = tuple(getattr(self.table.view(self.seat), "hand", ()))
        self.print(self.voice("terminal_hand", hand=hand))
        self.print_legal(hand)

    def print_legal(self, hand: tuple[str, ...]) -> None:
        """What may be played, unless that is the whole hand."""
        legal = self.table.legal(self.seat) if self.seat is not None else ()
        if legal and set(legal) != set(hand):
            self.print(self.voice("terminal_legal", legal=legal))

    async def on_table(self, _: str) -> None:
        for message in self.drawing.words(self.table.view(self.seat)):
            self.print(self.voice.say(message))
        self.print(*clock_texts(self.table, self.voice))
        self.print_absences()

    def print_absences(self) -> None:
        """Say who is absent; only somebody at a server can be."""

    async def scores(self, _: str) -> None:
        """How every score comes about."""
        view, events = self.table.view(self.seat), self.table.events(self.seat)
        for seat in range(len(view.scores)):
            self.print(*score_texts(self.drawing.score(view, events, seat), seat, self.voice))

    def finish(self) -> None:
        """Print the score sheet of the match."""
        view, events = self.table.view(self.seat), self.table.events(self.seat)
        sheet = self.drawing.sheet(view, events, self.voice)
        self.print(self.voice("score_sheet"), *sheet_texts(sheet, self.voice))

    async def seen(self, _: str) -> None:
        """The cards seen so far, if the table allows it."""
        try:
            suits = self.table.tracker(self.seat)
            self.print(*tracker_texts(suits, self.table.game.name, self.voice))
        except HastiludeError as error:
            self.print(self.voice.say(error.message))

    async def now(self, _: str) -> None:
        """What happened since the last result."""
        events = self.table.events(self.seat)
        ended = [index for index, event in enumerate(events) if event.ends]
        for event in events[ended[-1] + 1 if ended else 0 :]:
            self.print(self.voice.say(event.message))

    async def last(self, _: str) -> None:
        """The story of the last result."""
        events = self.table.events(self.seat)
        ended = [index for index, event in enumerate(events) if event.ends]
        if not ended:
            self.print(self.voice("terminal_nothing_yet"))
        for event in explain(events, ended[-1]) if ended else ():
            self.print(self.voice.say(event.message))

    async def why(self, typed: str) -> None:
        if not typed or self.seat is None:
            await self.last("")
            return
        action = self.action(typed)
        refusal = await self.table.why(self.seat, action)
        self.print(
            self.voice.say(refusal) if refusal else self.voice("terminal_allowed", action=action)
        )

    async def hint(self, _: str) -> None:
        try:
            if self.seat is None:
                raise IllegalAction.of("terminal_no_hint")
            self.print(self.voice("terminal_considering"))
            self.print(*hint_lines(await self.table.hint(self.seat), self.voice, str))
        except HastiludeError as error:
            self.print(self.voice.say(error.message))

    async def rules(self, typed: str) -> None:
        game = self.table.game.name
        try:
            if typed:
                self.console.print_markdown(clause(game, typed, self.voice.language))
            else:
                if variants := variants_at(self.table.game, self.voice):
                    self.console.print_markdown(variants)
                self.console.print_markdown(summary(game, self.voice.language))
                known = tuple(clauses(game, self.voice.language))
                self.print(self.voice("terminal_clauses", known=known))
        except HastiludeError as error:
            self.print(self.voice.say(error.message))

    async def history(self, _: str) -> None:
        for event in self.table.events(self.seat):
            self.print(self.voice.say(event.message))

    async def quit(self, _: str) -> None:
        raise Left


class JoinedDialogue(Dialogue):
    """A match at a table on a server, where there are others to talk to."""

    def __init__(self, table: RemoteTable, console: Console, language: str) -> None:
        super().__init__(table, console, language)
        self.remote = table
        self._commands["players"] = self.players
        if table.own:
            self._commands |= {"say": self.say, "pause": self.pause, "resume": self.resume}

    async def run(self) -> None:
        for line in await missed_lines(self.remote, self.voice):
            self.print(line)
        await super().run()

    def print_absences(self) -> None:
        self.print(*map(self.voice.say, self.remote.absences()))

    async def players(self, _: str) -> None:
        """Who is absent, and what the host decides about it."""
        absences, decisions = self.remote.absences(), self.remote.decisions()
        self.print(*map(self.voice.say, absences or [Message("join_all_here")]))
        for number, (said, _frame) in enumerate(decisions, start=1):
            self.print(self.voice("join_decision", number=number, decision=said))
        if not decisions:
            return
        numbers = [str(number + 1) for number in range(len(decisions))]
        answer = await self.console.choose(self.voice("join_decide"), ["", *numbers])
        if answer:
            decision, frame = decisions[int(answer) - 1]
            ends = decision.key == "web_end_match"
            if not ends or await self.console.agrees(self.voice("terminal_end_sure")):
                await self.remote.decide(frame)

    async def say(self, typed: str) -> None:
        phrase = next((known for known in PHRASES if known == typed.lower()), None)
        if phrase:
            await self.remote.say(phrase)
        else:
            self.print(self.voice("join_phrases", known=PHRASES))

    async def pause(self, _: str) -> None:
        await self.remote.pause(True)

    async def resume(self, _: str) -> None:
        await self.remote.pause(False)


async def missed_lines(table: RemoteTable, voice: Voice) -> list[str]:
    """What a bot played for a person who is back, as a list."""
    choices, drawing = await table.missed(), drawing_of(table.game)
    labels = [tuple(drawing.label(action, voice) for action in actions) for actions in choices]
    lines = [
        voice("join_missed", count=number, actions=actions)
        for number, actions in enumerate(labels, start=1)
    ]
    return [voice("terminal_missed", count=len(choices)), *lines] if choices else []
