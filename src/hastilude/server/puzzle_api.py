"""The part of the HTTP API about puzzles.

The server keeps nothing about who solves them: rating, streak and answered puzzles stay with the
client. Replaying a match takes a while, and so does reading the puzzles, unless `read_all` has done
it; `House.aside` does both.
"""

from __future__ import annotations

from datetime import UTC, date, datetime
from functools import lru_cache
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Response
from pydantic import BaseModel, Field

from hastilude import protocol, puzzles
from hastilude.core.errors import HastiludeError
from hastilude.core.match import Match
from hastilude.games.registry import GAMES
from hastilude.puzzles import Puzzle, PuzzleChoice
from hastilude.server import outbound
from hastilude.server.api import REFUSALS, Body, TheHouse
from hastilude.server.errors import Refusal

router = APIRouter(prefix="/api/games/{game}/puzzles")

HELD = 64  # matches that are held in memory; many people ask for the puzzle of the day
MOST_DONE = 1000  # ids of answered puzzles in a request

PuzzleId = Annotated[str, Path(description="The puzzle's id.")]


class ThemeFacts(BaseModel):
    name: str
    count: Annotated[int, Field(description="Number of puzzles with this theme.")]


class PuzzleSet(BaseModel):
    count: int
    themes: list[ThemeFacts]


class PuzzlePosition(BaseModel):
    """A puzzle before it is answered: what the seat that has to choose may know, as at a table."""

    id: str
    game: str
    options: dict[str, Any]
    seat: int
    seats: Annotated[int, Field(description="Number of seats.")]
    view: dict[str, Any]
    events: list[protocol.Told]
    legal: Annotated[list[str], Field(description="The actions that a choice can begin with.")]
    complete: Annotated[list[str], Field(description="Those that are a whole choice.")]
    themes: list[str]
    rating: Annotated[int, Field(description="How difficult it is.")]


class NextPuzzle(Body):
    """`done` has the ids of puzzles that do not come again."""

    rating: Annotated[int, Field(ge=0, le=10_000)]
    done: list[Annotated[str, Field(max_length=16)]] = Field([], max_length=MOST_DONE)
    theme: Annotated[str, Field(max_length=32)] | None = None


class Chosen(Body):
    actions: Annotated[
        list[protocol.ActionText], Field(min_length=1, max_length=protocol.MAX_ACTIONS)
    ]


class Rehearsed(BaseModel):
    """The refusal, if any; what may follow; whether the choice is whole."""

    refused: protocol.Sentence | None
    legal: list[str]
    whole: bool


class PuzzleVerdict(BaseModel):
    """`choices` are the best first, and the first is the answer. `chosen` and `tempting` are places
    in it: of the choice that was made, and of the one that a quick player makes."""

    right: bool
    chosen: int
    tempting: int
    choices: list[PuzzleChoice]


@router.get(
    "",
    summary="The number of puzzles of a game, and their themes",
    response_description="In the order in which the themes should be offered.",
    responses=REFUSALS,
)
async def show_set(game: str, house: TheHouse) -> PuzzleSet:
    return await house.aside(_set, game)


@router.get(
    "/daily",
    summary="The puzzle of the day",
    response_model=PuzzlePosition,
    response_description="The same for everybody.",
    responses=REFUSALS,
)
async def show_daily(
    game: str,
    house: TheHouse,
    day: Annotated[date | None, Query(description="By default today in UTC.")] = None,
) -> Response:
    return await _position(house, puzzles.daily, game, day or datetime.now(UTC).date())


@router.post(
    "/next",
    summary="The puzzle that suits a rating best",
    response_model=PuzzlePosition,
    response_description="One that is not `done`; 404 if there is none left.",
    responses=REFUSALS,
)
async def show_next(game: str, wanted: NextPuzzle, house: TheHouse) -> Response:
    return await _position(house, _next, game, wanted)


@router.get(
    "/{id}",
    summary="A puzzle, without its answer",
    response_model=PuzzlePosition,
    response_description="What the seat that has to choose may know.",
    responses=REFUSALS,
)
async def show_puzzle(game: str, id: PuzzleId, house: TheHouse) -> Response:
    return await _position(house, _find, game, id)


@router.post(
    "/{id}/ask",
    summary="Whether actions would be legal, and what may follow them",
    response_model=Rehearsed,
    response_description="As the frame `ask` at a table: for choices of several actions.",
    responses=REFUSALS,
)
async def ask(game: str, id: PuzzleId, wanted: Chosen, house: TheHouse) -> Response:
    return _json(await house.aside(_rehearsed, game, id, wanted.actions))


@router.post(
    "/{id}/answer",
    summary="Answer a puzzle",
    response_model=PuzzleVerdict,
    response_description="What the choice and all others are worth, and why.",
    responses=REFUSALS,
)
async def answer(game: str, id: PuzzleId, wanted: Chosen, house: TheHouse) -> Response:
    return _json(await house.aside(_verdict, game, id, wanted.actions))


async def _position(house: TheHouse, choose: Any, *given: Any) -> Response:
    """The position of the puzzle that a function chooses."""

    def position() -> bytes:
        puzzle = choose(*given)
        return outbound.puzzle_position(puzzle, _match(puzzle.game, puzzle.id))

    return _json(await house.aside(position))


def _json(content: bytes) -> Response:
    return Response(content, media_type="application/json")


# --- what takes a while ---------------------------------------------------------------------------


def read_all() -> None:
    """Read all puzzles, before a server opens."""
    for game in filter(puzzles.has_puzzles, GAMES):
        puzzles.find(game, "")


def _set(game: str) -> PuzzleSet:
    every = puzzles.puzzles(game)
    themes = [
        ThemeFacts(name=theme, count=sum(theme in puzzle.themes for puzzle in every))
        for theme in puzzles.themes(game)
    ]
    return PuzzleSet(count=len(every), themes=themes)


def _find(game: str, id: str) -> Puzzle:
    found = puzzles.find(game, id)
    if found is None:
        raise Refusal.of("puzzle_unknown")
    return found


def _next(game: str, wanted: NextPuzzle) -> Puzzle:
    found = puzzles.next(game, wanted.rating, frozenset(wanted.done), wanted.theme)
    if found is None:
        raise Refusal.of("puzzle_none_left")
    return found


@lru_cache(HELD)
def _match(game: str, id: str) -> Match:
    return _find(game, id).match()


def _rehearsed(game: str, id: str, actions: list[str]) -> bytes:
    match = _match(game, id)
    rehearsal = match.rehearse(_find(game, id).seat)
    refused = None
    try:
        for action in actions:
            rehearsal.play(action)
    except HastiludeError as error:
        refused = error.message
    return outbound.rehearsed(match.game, rehearsal, refused)


def _verdict(game: str, id: str, actions: list[str]) -> bytes:
    puzzle = _find(game, id)
    return outbound.puzzle_verdict(puzzle, puzzle.find(actions))
