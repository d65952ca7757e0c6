"""The start menu in plain sentences: resume an unfinished match, learn a game, or choose a game and
players."""

from __future__ import annotations

from typing import Any

from hastilude.bots.levels import LEVELS
from hastilude.core.errors import OptionError, RecordError
from hastilude.core.game import Game
from hastilude.games.registry import GAMES, game_class, load
from hastilude.terminal.console import Console
from hastilude.terminal.lesson import lesson_table
from hastilude.terminal.local import LocalTable, new_table, resumed_table
from hastilude.terminal.saved import SavedMatch
from hastilude.terminal.seating import PERSON, Seating, seat_players
from hastilude.terminal.startup import Startup

RESUME, NEW, DELETE = "resume", "new", "delete"
LEARN = "learn"


async def first_table(startup: Startup, console: Console) -> LocalTable:
    table = await startup.table()
    for saved in [] if table else startup.offered():
        answer = await offer(saved, console)
        if answer == RESUME:
            return await resumed_table(saved, startup.settings)
        if answer == NEW:
            break
        saved.forget()
    if table:
        return table
    game = startup.game or await choose_game(console)
    if game is None:
        return await lesson_table(await choose_lesson(console), startup.settings)
    seating = startup.seating or await choose_players(game, startup.level, console)
    return await new_table(game, seating, startup.settings)


async def offer(saved: SavedMatch, console: Console) -> str:
    try:
        saved.load()
        question = console.voice("terminal_resume", **saved.described(console.voice.language))
        return await console.choose(question, (RESUME, NEW, DELETE))
    except RecordError as error:
        console.print(console.voice.say(error.message))
        return NEW
    finally:
        saved.release()


async def choose_game(console: Console) -> Game | None:
    """A game with its options, without variants; None if the person would rather learn one."""
    known = tuple(GAMES)
    console.print(console.voice("terminal_new_here"))
    question = console.voice("terminal_which_game", known=known)
    name = await console.choose(question, (*known, LEARN))
    if name == LEARN:
        return None
    chosen: dict[str, Any] = {}
    for option in game_class(name).known_options:
        if (allowed := option.allowed(chosen)) and not option.variant:
            texts = tuple(map(str, allowed))
            question = console.voice(
                "terminal_which_option", option=option.name, allowed=texts, value=option.default
            )
            answer = await console.choose(question, texts, str(option.default))
            chosen[option.name] = option.read(answer)
    return load(name, **chosen)


async def choose_lesson(console: Console) -> str:
    easiest, *_ = known = tuple(GAMES)
    question = console.voice("terminal_learn_which", known=known, value=easiest)
    return await console.choose(question, known, easiest)


async def choose_players(game: Game, level: str, console: Console) -> Seating:
    while True:
        console.print(
            console.voice("terminal_which_players", known=tuple(LEVELS), value=f"{PERSON},{level}")
        )
        answer = await console.line() or PERSON
        try:
            return seat_players(game, answer.replace(" ", "").split(","), level)
        except OptionError as error:
            console.print(console.voice.say(error.message))
