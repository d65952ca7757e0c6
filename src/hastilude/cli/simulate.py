"""`hastilude simulate`: let bots play matches."""
# ruff: noqa: PLC0415  # see cli/__init__.py

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hastilude.cli.base import (
    AsJson,
    GameName,
    GameOptions,
    InLanguage,
    app,
    chosen_game,
    print_json,
    print_table,
    sentence,
    spoken,
    with_progress,
)
from hastilude.cli.match_printer import MatchPrinter
from hastilude.core.errors import RecordError

if TYPE_CHECKING:
    from rich.table import Table

    from hastilude.core.game import Game
    from hastilude.core.match import Match
    from hastilude.simulation import Tally

LAST_SEED = 2**64 - 1


@app.command(epilog="Example: hastilude simulate tornei --games 100 --seed 7 --record games.jsonl")
def simulate(
    name: GameName,
    games: Annotated[int, typer.Option(min=1, metavar="N", help="Number of matches.")] = 1,
    bots: Annotated[
        str,
        typer.Option(
            metavar="A,B,…", help="Bots by seat; the last is repeated for remaining seats."
        ),
    ] = "random",
    seed: Annotated[
        int | None,
        typer.Option(
            min=0, max=LAST_SEED, metavar="SEED", help="The same seed gives the same matches."
        ),
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the records to this file, as JSON Lines."),
    ] = None,
    option: GameOptions = None,
    watch: Annotated[
        bool, typer.Option("--watch", help="Show what happens as it happens.")
    ] = False,
    as_json: AsJson = False,
    language: InLanguage = None,
) -> None:
    """Let bots play matches and summarize the results."""
    from hastilude.simulation import Tally, play_matches, seat_bots

    game = chosen_game(name, option)
    seated = seat_bots(game, bots.split(","))
    seed = secrets.randbelow(LAST_SEED + 1) if seed is None else seed
    printer = MatchPrinter(game, None, as_json=as_json)
    played: Iterable[Match]
    if watch:
        played = play_matches(game, seated, seed, games, printer.print_new)
    else:
        played = with_progress(play_matches(game, seated, seed, games), games, game.title)
    tally = Tally(game.seats)
    keep(counted(played, tally), record)
    if as_json:
        summary = {"game": name, "options": game.stated_options, "games": games, "seed": seed}
        print_json(summary | {"seats": tally.to_json(seated)})
        return
    if watch:
        print()
    print_table(tally_table(game, seated, tally))
    print(sentence("cli_simulated", count=games, title=game.title, seed=seed))
    if record:
        print(sentence("cli_recorded", path=str(record)))


def counted(played: Iterable[Match], tally: Tally) -> Iterator[Match]:
    for match in played:
        tally.add(match)
        yield match


def keep(played: Iterable[Match], path: Path | None) -> None:
    """Play the matches and, if a path is given, write the records of all of them or none."""
    from hastilude.core.record import save_all

    if path is None:
        for _ in played:
            pass
        return
    try:
        if path.is_dir():
            raise IsADirectoryError(21, os.strerror(21))
        save_all((match.record() for match in played), path)
    except OSError as error:
        raise RecordError.of("cli_unwritable", path=str(path), problem=error.strerror) from None


def tally_table(game: Game, seated: Sequence[str], tally: Tally) -> Table:
    from rich.table import Table

    table = Table("seat", "player", "bot")
    for heading in ("mean score", "win share"):
        table.add_column(heading, justify="right")
    for seat, (player, bot) in enumerate(zip(game.names(spoken.get()), seated, strict=False)):
        score, share = tally.mean_score(seat), tally.win_share(seat)
        table.add_row(str(seat), player, bot, f"{score:.2f}", f"{share:.1%}")
    return table
