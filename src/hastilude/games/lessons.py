"""Lessons: a first match with written deals and plays, and the explanations shown during it.

A lesson is `lesson.json` in its game's folder. It contains no rules: its match is played by the
engine like any other, and the tests compare what its sentences claim with what happens.
"""

from functools import cache
from importlib.resources import files
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from hastilude.core.errors import OptionError
from hastilude.games.registry import game_class

# JSON has no tuples, so lists are accepted.
Play = Annotated[tuple[int, list[str]], Field(strict=False)]
PLACE = r"^[a-z]+(:[0-9])?$"


class _Part(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        frozen=True,
        json_schema_serialization_defaults_required=True,  # sent as null if omitted
    )


class LessonPicture(_Part):
    """A drawing of the game, by its name, and the facts that it shows.

    The sentence `GAME_picture_NAME` says the same, for screen readers and terminals.
    """

    name: Annotated[str, Field(pattern=r"^[a-z_]+$")]
    values: dict[str, int | str | list[int | str]] = {}


class FreePlay(_Part):
    """The learner plays as they like until so many chapters of a kind, counted from the start of
    the match, have ended, or the match itself has."""

    until: str
    number: Annotated[int, Field(ge=1)]


class LessonStep(_Part):
    """An explanation, shown when it is the learner's turn.

    `say` is the key of the sentence, `values` the seats that it names, and `clauses` the rules that
    it explains. `point` is what to look at: the learner's `hand`, the `table`, the `last` result,
    the `score`, a seat with everything there, such as `seat:1`, or another region that the game's
    drawing names. A step with `play` waits until the learner has made this choice; the sentence
    `say` with `_why` added tells a learner who tries another card why. A step with `free` waits
    until the learner has played on their own. Any other step is followed by the next.
    """

    say: str
    values: dict[str, int] = {}
    picture: LessonPicture | None = None
    point: Annotated[str, Field(pattern=PLACE)] | None = None
    play: list[str] | None = None
    free: FreePlay | None = None
    clauses: Annotated[list[str], Field(min_length=1)]


class Lesson(_Part):
    """`options`, `seats`, `chance` and `plays` are those of a scripted table, where the learner
    sits in `seat`. The plays are in order and include the learner's own, except free ones: in a
    free step the others play what is written for them if they may."""

    options: dict[str, Any]
    seat: int
    seats: list[Literal["script"] | None]
    chance: list[list[Any]]
    plays: list[Play]
    steps: Annotated[list[LessonStep], Field(min_length=1)]

    @model_validator(mode="after")
    def _steps_match_the_plays(self) -> Self:
        """Check that the steps have all the learner's plays, so that a client needs only them."""
        if [seat for seat, kind in enumerate(self.seats) if kind is None] != [self.seat]:
            raise ValueError("the learner's seat, and no other, is null")
        kinds = [_waits_for(step) for step in self.steps]
        if "free" in kinds and "play" in kinds[kinds.index("free") :]:
            raise ValueError("after a free choice nobody knows what the learner holds")
        if kinds[-1] is not None:
            raise ValueError("the last step waits for nothing")
        expected = [step.play for step in self.steps if step.play is not None]
        if expected != [actions for seat, actions in self.plays if seat == self.seat]:
            raise ValueError("the plays of the steps are not the learner's")
        return self


def _waits_for(step: LessonStep) -> Literal["play", "free"] | None:
    if step.play is not None and step.free is not None:
        raise ValueError(f"{step.say} either asks for a choice or leaves it free")
    if step.play is not None:
        return "play"
    return None if step.free is None else "free"


@cache
def lesson(game: str) -> Lesson:
    """The lesson of a game; OptionError if it has none."""
    game_class(game)
    page = files("hastilude.games") / game / "lesson.json"
    if not page.is_file():
        raise OptionError.of("lesson_missing", game=game)
    return Lesson.model_validate_json(page.read_text("utf-8"))
