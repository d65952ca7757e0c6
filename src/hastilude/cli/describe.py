"""`hastilude describe`: describe a game, or list the games."""
# ruff: noqa: PLC0415  # see cli/__init__.py

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from hastilude.cli.base import (
    AsJson,
    GameOptions,
    InLanguage,
    app,
    chosen_game,
    print_json,
    print_table,
    sentence,
)

if TYPE_CHECKING:
    from rich.table import Table

    from hastilude.core.game import Game
    from hastilude.core.options import Option


@app.command(epilog="Example: hastilude describe tornei --option players=3")
def describe(
    name: Annotated[
        str | None, typer.Argument(metavar="GAME", help="Name of a game; lists them if omitted.")
    ] = None,
    option: GameOptions = None,
    as_json: AsJson = False,
    language: InLanguage = None,
) -> None:
    """Describe a game, or list the games."""
    from hastilude.games.registry import GAMES, load

    if name is None:
        listed = [load(game) for game in GAMES]
        if as_json:
            print_json([facts(game) for game in listed])
        else:
            print_table(games_table(listed))
        return
    game = chosen_game(name, option)
    if as_json:
        print_json(facts(game))
    else:
        print_facts(game)


def facts(game: Game) -> dict[str, Any]:
    from hastilude.games.registry import player_counts

    return {
        "name": game.name,
        "title": game.title,
        "credits": game.credits,
        "rules": game.rules_version,
        "players": player_counts(game.name),
        "options": [option_facts(option, game) for option in game.known_options],
        "num_actions": game.num_actions,
        "actions": list(game.texts),
        "encoding": {
            "size": game.layout.size,
            "parts": [
                {"from": game.layout.start(part.name), **vars(part)} for part in game.layout.parts
            ],
        },
        "state_bytes": game.state.itemsize,
    }


def option_facts(option: Option, game: Game) -> dict[str, Any]:
    from hastilude.core.options import Numbers

    described = {"name": option.name, "default": option.default, "value": game.options[option.name]}
    described["variant"] = option.variant
    if isinstance(option, Numbers):
        return described | option.limits
    return described | {"allowed": option.allowed(game.options)}


def allowed_text(facts_of_option: dict[str, Any]) -> str:
    if "allowed" in facts_of_option:
        return sentence("cli_allowed", allowed=facts_of_option["allowed"])
    length = facts_of_option["length"]
    if "total" in facts_of_option:
        return sentence("cli_allowed_counts", length=length, total=facts_of_option["total"])
    return sentence("cli_allowed_numbers", length=length, most=facts_of_option["most"])


def games_table(listed: list[Game]) -> Table:
    from rich.table import Column, Table

    from hastilude.games.registry import player_counts

    table = Table(Column("name", no_wrap=True), "game", "players", "credits")
    for game in listed:
        counts = ", ".join(map(str, player_counts(game.name)))
        table.add_row(game.name, game.title, counts, game.credits)
    return table


def print_facts(game: Game) -> None:
    from rich.table import Table

    known = facts(game)
    overview = Table("", "", show_header=False, box=None)
    for label, value in (
        ("game", f"{game.title} ({game.name}), rules version {game.rules_version}"),
        ("credits", game.credits),
        ("players", ", ".join(map(str, known["players"]))),
        ("actions", f"{game.num_actions}: {' '.join(game.texts)}"),
        ("encoding", f"{game.layout.size} bytes"),
        ("state", f"{game.state.itemsize} bytes"),
    ):
        overview.add_row(label, value)
    options = Table("option", "default", "allowed")
    for option in known["options"]:
        options.add_row(option["name"], str(option["default"]), allowed_text(option))
    encoding = Table("part of the encoding", "from", "size", "meaning")
    for part in known["encoding"]["parts"]:
        encoding.add_row(part["name"], str(part["from"]), str(part["size"]), part["meaning"])
    for table in (overview, options, encoding):
        print_table(table)
