"""`hastilude train`: makes what a game's bots have learned again."""
# ruff: noqa: PLC0415  # see cli/__init__.py

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hastilude.cli.base import (
    THOUSAND,
    AsJson,
    GameName,
    InLanguage,
    app,
    check_hours,
    print_json,
    sentence,
    thousandths,
    with_progress,
)
from hastilude.cli.simulate import LAST_SEED
from hastilude.core.errors import OptionError
from hastilude.messages import Message, catalogue

if TYPE_CHECKING:
    from hastilude.bots.training import Training

SEED = 0  # of the shipped weights
PLOT = "strength.svg"


@app.command(epilog="Example: hastilude train tornei --hours 2 --folder training/tornei")
def train(
    name: GameName,
    hours: Annotated[
        float | None,
        typer.Option(
            metavar="H",
            help="How long to train; by default as many rounds of practice as are behind the "
            "shipped weights.",
        ),
    ] = None,
    seed: Annotated[
        int,
        typer.Option(
            min=0,
            max=LAST_SEED,
            metavar="SEED",
            help="Without --hours, the same seed gives the same weights.",
        ),
    ] = SEED,
    folder: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Where to write the weights and how strong they have become; by default "
            "training/GAME. A training that was interrupted there continues.",
        ),
    ] = None,
    as_json: AsJson = False,
    language: InLanguage = None,
) -> None:
    """Train what a game's bots know, from nothing, and write the weights to a folder."""
    from hastilude.bots.training import Training

    check_hours(hours)
    training = Training(name, folder or Path("training", name), seed, hours)
    with training.opened():
        practise(training)
    if as_json:
        print_json(told(training))
    else:
        print_result(training)


def practise(training: Training) -> None:
    """Train to the end, with a progress bar and a plot that is drawn again and again."""
    plotting = can_plot(training.folder)

    def parts() -> Iterator[float]:
        drawn = 0
        for done in training.run():
            if plotting and len(training.measurements) > drawn:
                draw(training)
                drawn = len(training.measurements)
            yield done

    try:
        for _ in with_progress(thousandths(parts()), THOUSAND, sentence("cli_training")):
            pass
    except KeyboardInterrupt:
        print(sentence("train_interrupted", folder=str(training.folder)), file=sys.stderr)
        raise


def can_plot(folder: Path) -> bool:
    """Whether there is matplotlib; says how to get it if not."""
    from hastilude.arena.plot import check

    try:
        check(folder / PLOT)
    except OptionError as error:
        print(sentence("train_no_plot", problem=error.message), file=sys.stderr)
        return False
    return True


def draw(training: Training) -> None:
    from hastilude.arena.plot import plot_training
    from hastilude.games.registry import game_class

    title = game_class(training.game).title
    plot_training(title, training.courses, training.measurements, training.folder / PLOT)


def told(training: Training) -> dict[str, Any]:
    return {
        "game": training.game,
        "weights": [str(path) for path in training.weights],
        "courses": [
            asdict(log.measurements[-1]) | {"measure": course.measure}
            for course, log in zip(training.courses, training.logs, strict=True)
        ],
    }


def print_result(training: Training) -> None:
    from hastilude.bots.training import PROGRESS

    for course, log in zip(training.courses, training.logs, strict=True):
        last = log.measurements[-1]
        print(
            sentence(
                "train_course",
                course=in_words(training.game, course.name),
                strength=f"{last.strength:.3g}",
                margin=f"{last.margin:.2g}",
                measure=in_words(training.game, course.measure),
                count=last.rounds,
                minutes=f"{last.minutes:.1f}",
            )
        )
    print(sentence("train_weights", paths=tuple(map(str, training.weights))))
    files = [training.folder / file for file in (PROGRESS, PLOT)]
    print(sentence("train_progress", paths=tuple(str(path) for path in files if path.exists())))


def in_words(game: str, text: str) -> Message | str:
    """The name of a course, or what its strength is, in the chosen language if a sentence of the
    game says it."""
    word = re.sub(r"\W+", "_", text.lower())
    key = f"{game}_train_{word}"
    return Message(key) if key in catalogue("en") else text
