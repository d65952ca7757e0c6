"""The start menu in plain sentences: an unfinished match, or which game and who plays."""

from __future__ import annotations

from typing import Any

from hastilude.bots.levels import LEVELS
from hastilude.core.errors import OptionError, RecordError
from hastilude.core.game import Game
from hastilude.games.registry import GAMES, game_class, load
from hastilude.terminal.asker import Asker
from hastilude.terminal.local import new_table, resumed_table
from hastilude.terminal.opening import Opening
from hastilude.terminal.party import PERSON, Party, seat_party
from hastilude.terminal.shelf import Kept
from hastilude.terminal.table import Table

RESUME, NEW, DELETE = "resume", "new", "delete"


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
