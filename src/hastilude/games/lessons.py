"""Lessons: a first match with written deals and plays, and the explanations shown during it.

A lesson is `lesson.json` in its game's folder. It contains no rules: its match is played by the
engine like any other, and the tests compare what its sentences claim with what happens.
"""

from functools import cache
from importlib.resources import files
from itertools import groupby
from operator import attrgetter
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


class LessonStep(_Part):
    """An explanation, shown when the learner has made `at` choices and must make the next.

    `say` is the key of the sentence, `values` the seats that it names, and `clauses` the rules that
    it explains. `point` is what to look at: the learner's `hand`, the `table`, the `last` result,
    the `score`, a seat with everything there, such as `seat:1`, or another region that the game's
    drawing names. A step with `play` waits until the learner has made this choice; any other step
    is followed by the next.
    """

    at: Annotated[int, Field(ge=0)]
    say: str
    values: dict[str, int] = {}
    point: Annotated[str, Field(pattern=PLACE)] | None = None
    play: list[str] | None = None
    clauses: Annotated[list[str], Field(min_length=1)]


class Lesson(_Part):
    """`options`, `seats`, `chance` and `plays` are those of a scripted table, where the learner
    sits in `seat`. The plays are in order and include the learner's own."""

    options: dict[str, Any]
    seat: int
    seats: list[Literal["script"] | None]
    chance: list[list[Any]]
    plays: list[Play]
    steps: list[LessonStep]

    @model_validator(mode="after")
    def _steps_match_the_plays(self) -> Self:
        """Check that the steps have all the learner's plays, so that a client needs only them."""
        if [seat for seat, kind in enumerate(self.seats) if kind is None] != [self.seat]:
            raise ValueError("the learner's seat, and no other, is null")
        expected = []
        groups = [list(steps) for _, steps in groupby(self.steps, attrgetter("at"))]
        for at, steps in enumerate(groups):
            if steps[0].at != at:
                raise ValueError(f"steps at {at} should come here, not at {steps[0].at}")
            waits = [step.play for step in steps if step.play is not None]
            ends = at + 1 == len(groups)
            if len(waits) != (not ends) or (waits and steps[-1].play is None):
                raise ValueError(f"of the steps at {at} only the last waits for a play")
            expected += waits
        if expected != [actions for seat, actions in self.plays if seat == self.seat]:
            raise ValueError("the plays of the steps are not the learner's")
        return self


@cache
def lesson(game: str) -> Lesson:
    """The lesson of a game; OptionError if it has none."""
    game_class(game)
    page = files("hastilude.games") / game / "lesson.json"
    if not page.is_file():
        raise OptionError.of("lesson_missing", game=game)
    return Lesson.model_validate_json(page.read_text("utf-8"))
