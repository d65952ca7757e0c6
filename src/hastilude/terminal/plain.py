"""The table in plain sentences: one an event, and typed answers. For screen readers, pipes and
slow lines; nothing is drawn."""

from __future__ import annotations

import asyncio
import sys
import unicodedata
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any, TypeVar, get_args

from hastilude.bots.levels import LEVELS
from hastilude.core.errors import HastiludeError, IllegalAction, OptionError, RecordError
from hastilude.core.events import explain
from hastilude.core.game import Game
from hastilude.games.registry import GAMES, game_class, load
from hastilude.games.rulebook import clause, clauses
from hastilude.messages import Message
from hastilude.protocol import Phrase
from hastilude.terminal.joining import Joining
from hastilude.terminal.keyboard import INTERRUPT, Keyboard
from hastilude.terminal.line import Line
from hastilude.terminal.local import new_table, resumed_table
from hastilude.terminal.opening import Opening
from hastilude.terminal.party import PERSON, Party, seat_party
from hastilude.terminal.remote import RemoteTable
from hastilude.terminal.shelf import Kept
from hastilude.terminal.table import Table, clock_texts, seat_to_ask
from hastilude.terminal.tables import drawing_of
from hastilude.terminal.voice import Voice

CLEAR = "\x1b[2J\x1b[3J\x1b[H"  # the screen and what was scrolled away
BEST = 3  # how many actions a hint names
RESUME, NEW, DELETE = "resume", "new", "delete"
PHRASES: tuple[Phrase, ...] = get_args(Phrase)
Result = TypeVar("Result")
YES, NO = ("yes", "y", "はい"), ("no", "n", "いいえ")


class Left(Exception):  # no error: somebody goes away
    """The person has left, or the input has ended."""


class Asker:
    """Prints, asks, and hears an interrupt out: leave or stay?"""

    def __init__(self, keyboard: Keyboard, voice: Voice) -> None:
        self.keyboard = keyboard
        self.voice = voice
        self.leaving = False  # whether the question is open

    def tell(self, *lines: str) -> None:
        for line in lines:
            print(line, flush=True)

    def prompt(self) -> None:
        if sys.stdin.isatty():
            print("> ", end="", flush=True)

    async def line(self) -> str:
        """What was typed at the prompt; Left if that is wanted or the input has ended."""
        while True:
            self.prompt()
            heard = await self.hear()
            if heard is not None:
                return heard

    async def hear(self, listen: bool = True) -> str | None:
        """What was typed; None after an interrupt that was not meant."""
        line = await self.keyboard.line(listen)
        if line == INTERRUPT:
            self.leaving = True
            self.tell("", self.voice("terminal_leave"))
            if await self._leaves():
                raise Left
            self.leaving = False
            return None
        if line is None:
            self.tell("")
            raise Left
        return unicodedata.normalize("NFKC", line).strip()

    async def _leaves(self) -> bool:
        while True:
            self.prompt()
            line = await self.keyboard.line()
            if line in (INTERRUPT, None) or line.strip().lower() in YES:
                return True
            if line.strip().lower() in NO:
                return False
            self.tell(self.voice("terminal_yes_or_no"))

    async def agrees(self, question: str) -> bool:
        self.tell(question)
        while True:
            answer = (await self.line()).lower()
            if answer in YES + NO:
                return answer in YES
            self.tell(self.voice("terminal_yes_or_no"))

    async def name(self, problem: Message | None) -> str:
        """What somebody wants to be called at a table."""
        self.tell(self.voice.say(problem or Message("join_name")))
        return await self.line()

    async def unless_left(self, wait: Coroutine[Any, Any, Result]) -> Result:
        """What is waited for; Left if somebody interrupts that and means it."""
        waiting = asyncio.create_task(wait)
        try:
            while True:
                hearing = asyncio.create_task(self.hear(listen=False))
                await asyncio.wait({waiting, hearing}, return_when=asyncio.FIRST_COMPLETED)
                if self.leaving:
                    await asyncio.wait({hearing})
                if not hearing.done():
                    hearing.cancel()
                    return await waiting
                hearing.result()
        finally:
            waiting.cancel()

    async def choose(self, question: str, known: Sequence[str], default: str = "") -> str:
        """One of the known words; Enter alone takes the default, if there is one."""
        self.tell(question)
        while True:
            answer = (await self.line()).lower() or default
            if answer in known:
                return answer
            self.tell(self.voice("terminal_one_of", known=known))


class Dialogue:
    """One match at a table, told to whoever sits at the keyboard."""

    def __init__(self, table: Table, asker: Asker, language: str) -> None:
        self.table = table
        self.ask = asker
        self.voice = Voice(language, table.names(language))
        self.drawing = drawing_of(table.game)
        self.seat = table.own[0] if len(table.own) == 1 else None  # who is at the keyboard
        self._told = dict.fromkeys((None, *table.own), 0)
        self._trouble: Message | None = None
        self._asked = -1  # the version of which the question was put
        self._commands: dict[str, Callable[[str], Awaitable[None]]] = {
            "?": self.help,
            "help": self.help,
            "hand": self.hand,
            "table": self.on_table,
            "trick": self.trick,
            "last": self.last,
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

    async def trick(self, _: str) -> None:
        """What happened since the last trick (joust, turn, bid) was over."""
        events = self.table.events(self.seat)
        ended = [index for index, event in enumerate(events) if event.ends]
        for event in events[ended[-1] + 1 if ended else 0 :]:
            self.tell(self.voice.say(event.message))

    async def last(self, _: str) -> None:
        """The story of the last trick (joust, turn, bid)."""
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


async def first_table(opening: Opening, asker: Asker) -> Table:
    table = await opening.table()
    for kept in [] if table else opening.offered():
        answer = await offer(kept, asker)
        if answer == RESUME:
            return await resumed_table(kept, opening.house)
        if answer == NEW:
            break
        kept.forget()
    if table:
        return table
    game = opening.game or await choose_game(asker)
    party = opening.party or await choose_party(game, opening.level, asker)
    return await new_table(game, party, opening.house)


async def offer(kept: Kept, asker: Asker) -> str:
    try:
        kept.load()
        question = asker.voice("terminal_resume", **kept.described(asker.voice.language))
        return await asker.choose(question, (RESUME, NEW, DELETE))
    except RecordError as error:
        asker.tell(asker.voice.say(error.message))
        return NEW
    finally:
        kept.let_go()


async def choose_game(asker: Asker) -> Game:
    known = tuple(GAMES)
    name = await asker.choose(asker.voice("terminal_which_game", known=known), known)
    chosen: dict[str, Any] = {}
    for option in game_class(name).known_options:
        if allowed := option.allowed(chosen):
            texts = tuple(map(str, allowed))
            question = asker.voice(
                "terminal_which_option", option=option.name, allowed=texts, value=option.default
            )
            answer = await asker.choose(question, texts, str(option.default))
            chosen[option.name] = option.read(answer)
    return load(name, **chosen)


async def choose_party(game: Game, level: str, asker: Asker) -> Party:
    while True:
        asker.tell(
            asker.voice("terminal_which_players", known=tuple(LEVELS), value=f"{PERSON},{level}")
        )
        answer = await asker.line() or PERSON
        try:
            return seat_party(game, answer.replace(" ", "").split(","), level)
        except OptionError as error:
            asker.tell(asker.voice.say(error.message))
