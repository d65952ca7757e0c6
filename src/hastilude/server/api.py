"""The HTTP API: games, tables, seats and finished matches."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Annotated, Any, Literal, Self

import segno
from fastapi import APIRouter, Depends, Header, Path, Query, Request, Response
from fastapi.responses import PlainTextResponse
from prometheus_client import CONTENT_TYPE_LATEST
from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

import hastilude
from hastilude import protocol
from hastilude.bots.ratings import level_ratings
from hastilude.core.names import clean_name
from hastilude.core.options import Numbers
from hastilude.games import lessons, rulebook
from hastilude.games.registry import GAMES, load, player_counts
from hastilude.puzzles import has_puzzles
from hastilude.reviews.balance import Balance
from hastilude.reviews.judging import Decision
from hastilude.reviews.review import Point
from hastilude.server import log, outbound
from hastilude.server.bot_seats import CHAMPION
from hastilude.server.errors import Refusal
from hastilude.server.house import House
from hastilude.server.known import is_known
from hastilude.server.limits import Rates
from hastilude.server.metrics import page as metrics_page
from hastilude.server.reviews import State, Subject
from hastilude.server.table import SCRIPTED, Table, check_script, game_with
from hastilude.server.tokens import CODE, key_of

STRICT_JSON = json.JSONEncoder(allow_nan=False, ensure_ascii=False)
router = APIRouter()
OFTEN = ("open_table", "sit_down")  # the routes that get shortcuts

Code = Annotated[str, Path(pattern=f"^{CODE}$", description="The table's code.")]
MatchNumber = Annotated[int, Path(ge=1, le=10_000, description="Matches are counted from 1.")]
Language = Literal["en", "ja"]


class Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    @model_validator(mode="before")
    @classmethod
    def _is_json(cls, content: Any) -> Any:
        """Refuse NaN and lone surrogates: Python accepts them, but JSON and databases do not."""
        try:
            STRICT_JSON.encode(content).encode()
        except (TypeError, ValueError, RecursionError):  # another content type gives bytes
            raise PydanticCustomError("not_json", "Input should be JSON") from None
        return content


# JSON has no tuples, so lists are accepted.
ScriptedPlay = Annotated[tuple[int, list[protocol.ActionText]], Field(strict=False)]


class ScriptBody(Body):
    """Chance events as in a record, and choices as pairs of a seat and its actions, in order for
    each seat. When a seat plays something else, or may not play what is written, the script ends
    and bots play from then on."""

    chance: Annotated[list[list[Any]], Field(max_length=64)]
    plays: Annotated[list[ScriptedPlay], Field(max_length=500)] = []


class NewTable(Body):
    """`seats` has a bot level, `script`, or null for a person, for each seat; by default all are
    for people. `away`: a bot takes over after this many seconds of absence; null: never. By
    default nobody is played for at a table with one person, or at a practice table. `tracker`
    allows the card tracker; by default only one person's table does."""

    game: str
    options: dict[str, Any] = {}
    seats: list[protocol.Level | Literal["script"] | None] | None = None
    clock: protocol.Clock = protocol.Clock()
    away: Annotated[int, Field(ge=5, le=7 * 86400)] | Literal["default"] | None = "default"
    watch: protocol.Watch = "link"
    practice: bool = False
    tracker: bool | None = None
    script: ScriptBody | None = None


class OpenedTable(BaseModel):
    code: str
    host: Annotated[str, Field(description="The host's key, for sitting down as the host.")]
    link: str
    commitment: Annotated[
        str | None,
        Field(description="SHA-256 of the first match's master seed; null at a scripted table."),
    ]


class SitDown(Body):
    name: Annotated[str, Field(min_length=1, max_length=200)]
    seed: protocol.Seed
    seat: protocol.Seat | None = None
    host: protocol.Token | None = None
    qr: Annotated[bool, Field(description="Whether to include a QR code of the private link.")] = (
        False
    )


class Sitting(BaseModel):
    seat: int
    token: str
    link: Annotated[
        str, Field(description="Private link that returns to this seat from any device.")
    ]
    qr: Annotated[str | None, Field(description="The same link as a QR code (SVG).")]


class Listed(BaseModel):
    code: str
    game: str
    phase: Literal["gathering", "playing", "over"]
    people: int
    free: Annotated[int, Field(description="Number of open seats; 0 during a match.")]
    scripted: Annotated[
        bool, Field(description="Whether its cards and plays were written in advance.")
    ]


class OptionFacts(BaseModel):
    """`allowed` lists its values while the other options have their defaults. An option without
    `allowed` is a list of whole numbers, as long as the default: none is more than `most`, or they
    have the same total as the default if that is null. A `variant` changes a rule; its default is
    the rule as printed."""

    name: str
    default: Any
    allowed: list[Any]
    most: int | None
    variant: bool


class GameFacts(BaseModel):
    name: str
    title: str
    credits: str
    rules: Annotated[int, Field(description="The version of the rules, as in records.")]
    players: list[int]
    seats: Annotated[int, Field(description="With the default options.")]
    tracker: Annotated[bool, Field(description="Whether the game has a card tracker.")]
    puzzles: Annotated[bool, Field(description="Whether there are puzzles of the game.")]
    known: Annotated[
        bool, Field(description="Whether /known.html has a chapter about the game, with its name.")
    ]
    ratings: Annotated[
        dict[str, int], Field(description="Of each level of bots; empty if they are unknown.")
    ]
    options: list[OptionFacts]
    actions: Annotated[list[str], Field(description="The texts of all actions.")]


class RuleItem(BaseModel):
    clause: Annotated[str, Field(description="Its name, such as T9; empty if it is no clause.")]
    text: Annotated[str, Field(description="Markdown: paragraphs, emphasis and code.")]


class RuleChapter(BaseModel):
    title: str
    items: list[RuleItem]


class SeatFacts(BaseModel):
    kind: protocol.SeatKind
    name: str
    level: str | None
    here: bool
    offered: Annotated[bool, Field(description="Whether a newcomer may take the bot's seat.")]


class TableFacts(BaseModel):
    code: str
    game: str
    options: dict[str, Any]
    phase: protocol.Phase
    matches: Annotated[int, Field(description="Number of matches started.")]
    seats: list[SeatFacts]
    pending: Annotated[list[int], Field(description="The seats whose turn it is.")]
    clock: protocol.Clock
    away: Annotated[
        int | None,
        Field(description="Seconds of absence after which a bot takes over; null: never."),
    ]
    watch: protocol.Watch
    practice: bool
    tracker: Annotated[
        bool | None,
        Field(description="Whether the host allows the card tracker; null: the game has none."),
    ]
    scripted: Annotated[bool, Field(description="Whether the deals were written in advance.")]
    commitment: Annotated[
        str | None,
        Field(description="SHA-256 of the next match's master seed; null at a scripted table."),
    ]


class Step(BaseModel):
    """What a viewer saw after a play (first step: after the first deal), and what led to it."""

    view: dict[str, Any]
    events: list[protocol.Told]


class ReviewProgress(BaseModel):
    """`points` are the chances of all seats, as far as the reviewed seat could know them; the last
    one is the result. `decisions` are the choices that it made when it had others. `balance` and
    `open`, the chances with all cards open, are null until the state is `done`."""

    state: State
    done: Annotated[int, Field(description="Finished pieces of the work.")]
    total: Annotated[int, Field(description="All pieces; 0 if that is not known yet.")]
    points: list[Point]
    decisions: list[Decision]
    balance: Balance | None
    open: list[Point] | None


class RefusedRequest(BaseModel):
    reason: protocol.Sentence


class Health(BaseModel):
    status: Literal["ok", "store_away", "store_damaged"]
    version: str
    workers: int | None = None
    workers_up: int | None = None


_REFUSED = {
    400: "Invalid request; see `reason`.",
    403: "Only the table's players may see this.",
    404: "There is no such game, lesson, puzzle, table or match.",
    409: "Conflicts with the table's current state.",
    413: "The body is too large.",
    422: "Malformed request.",
    429: "Too many requests.",
    503: "The server's storage is unavailable or damaged.",
}
REFUSALS: dict[int | str, dict[str, Any]] = {
    code: {"model": RefusedRequest, "description": why} for code, why in _REFUSED.items()
}


@dataclass(frozen=True)
class Caller:
    """Who asks, and what serves the answer. FastAPI takes long for each dependency, so functions
    that are called often take this from the request themselves."""

    house: House
    rates: Rates
    address: str
    base_url: str

    @classmethod
    def of(cls, request: Request) -> Self:
        state = request.app.state
        return cls(state.house, state.rates, address(request), base_url(request))


def address(request: Request) -> str:
    assert request.client is not None  # set by the gate
    return request.client.host


def base_url(request: Request) -> str:
    public: str = request.app.state.house.settings.public_url
    if public:
        return public.rstrip("/")
    scope = request.scope
    host = next((value for name, value in scope["headers"] if name == b"host"), None)
    return _base_url(scope["scheme"], host, scope["server"], scope["root_path"])


@lru_cache(256)
def _base_url(
    scheme: str, host: bytes | None, server: tuple[str, int | None], root_path: str
) -> str:
    headers = [] if host is None else [(b"host", host)]
    scope = {"type": "http", "headers": headers, "server": server, "root_path": root_path}
    return str(Request({**scope, "scheme": scheme}).base_url).rstrip("/")


# A coroutine because FastAPI would run a plain function in a thread.
async def house(request: Request) -> House:
    return request.app.state.house


TheHouse = Annotated[House, Depends(house)]


# --- games ----------------------------------------------------------------------------------------


@router.get(
    "/api/games",
    summary="The games and their options",
    response_description="In display order.",
)
async def games() -> list[GameFacts]:
    return [_game_facts(name) for name in GAMES]


@router.get(
    "/api/games/{game}/rules",
    summary="The rules, by chapter and clause",
    response_description="The first chapter is the summary.",
    responses=REFUSALS,
)
async def rules(game: str, language: Language = "en") -> list[RuleChapter]:
    load(game)
    return [
        RuleChapter.model_validate(asdict(chapter)) for chapter in rulebook.chapters(game, language)
    ]


@router.get(
    "/api/games/{game}/lesson",
    summary="A lesson: a first match with written deals, plays and explanations",
    response_description="The body that opens the scripted table, and the steps.",
    responses=REFUSALS,
)
async def lesson(game: str) -> lessons.Lesson:
    return lessons.lesson(game)


def _game_facts(name: str) -> GameFacts:
    game = load(name)
    return GameFacts(
        name=name,
        title=game.title,
        credits=game.credits,
        rules=game.rules_version,
        players=list(player_counts(name)),
        seats=game.seats,
        tracker=game.has_tracker,
        puzzles=has_puzzles(name),
        known=is_known(name),
        ratings=level_ratings(name),
        options=[
            OptionFacts(
                name=option.name,
                default=option.default,
                allowed=list(option.allowed(game.options)),
                most=option.most if isinstance(option, Numbers) else None,
                variant=option.variant,
            )
            for option in game.known_options
        ],
        actions=list(game.texts),
    )


# --- tables ---------------------------------------------------------------------------------------


@router.post(
    "/api/tables",
    status_code=201,
    summary="Open a table",
    response_description="The table is open. The host sits down with the key.",
    responses=REFUSALS,
)
async def open_table(wanted: NewTable, request: Request) -> OpenedTable:
    caller = Caller.of(request)
    house, address = caller.house, caller.address
    unused = house.unused.count(address)
    if unused >= house.settings.tables_per_address or not caller.rates.openings.take(address):
        raise Refusal.of("too_many_tables")
    game = game_with(wanted.game, wanted.options)
    seats = wanted.seats if wanted.seats is not None else [None] * game.seats
    if len(seats) != game.seats or None not in seats:
        raise Refusal.of("seats_form", seats=game.seats)
    house.check_champions(address, sum(level == CHAMPION for level in seats))
    if wanted.clock.kind != "none" and not wanted.clock.seconds:
        raise Refusal.of("clock_form")
    script = None
    if wanted.script is not None:
        script = log.Script(chance=wanted.script.chance, plays=wanted.script.plays)
        check_script(script, game, seats, wanted.watch)
    elif SCRIPTED in seats:
        raise Refusal.of("script_missing")
    alone = seats.count(None) == 1
    away = wanted.away
    if away == "default":
        away = None if wanted.practice or alone else house.settings.away_seconds
    code, host = await house.open(
        {
            "game": wanted.game,
            "options": game.stated_options,
            "clock": wanted.clock,
            "away": away,
            "watch": wanted.watch,
            "practice": wanted.practice,
            "tracker": alone if wanted.tracker is None else wanted.tracker,
            "seats": seats,
            "script": script,
        },
        address,
    )
    table = (await house.live(code)).table
    promised = outbound.commitment(table)
    link = f"{caller.base_url}/t/{code}"
    return OpenedTable(code=code, host=host, link=link, commitment=promised)


@router.get(
    "/api/tables",
    summary="Tables that anyone may join or watch",
    response_description="Tables with people at them, newest first.",
    responses={503: REFUSALS[503]},
)
async def list_tables(house: TheHouse) -> list[Listed]:
    return [Listed.model_validate(row._asdict()) for row in await house.open_tables()]


@router.get(
    "/api/tables/{code}",
    summary="A table, before sitting down",
    response_description="What anyone with the code may know.",
    responses=REFUSALS,
)
async def show_table(code: Code, request: Request) -> TableFacts:
    live = await _find(Caller.of(request), code)
    return TableFacts.model_validate(outbound.table_facts(live.table, live.attendance.here()))


@router.post(
    "/api/tables/{code}/seats",
    status_code=201,
    summary="Sit down",
    response_description="The seat is yours; its token opens the WebSocket.",
    responses=REFUSALS,
)
async def sit_down(code: Code, wanted: SitDown, request: Request) -> Sitting:
    caller = Caller.of(request)
    live = await _find(caller, code)
    name, token = clean_name(wanted.name), caller.house.sources.token()
    host = wanted.host and key_of(wanted.host)
    sat: list[int] = []

    def decide(table: Table) -> log.Sat:
        entry = table.sit(wanted.seat, name, key_of(token), wanted.seed, host)
        sat[:] = [entry.seat]
        return entry

    link = f"{caller.base_url}/t/{code}#{token}"
    qr = segno.make(link, error="m").svg_inline(scale=4, border=4) if wanted.qr else None
    await live.submit(decide)  # last, when nothing else can fail
    caller.house.unused.remove(code)
    return Sitting(seat=sat[0], token=token, link=link, qr=qr)


async def _find(caller: Caller, code: str) -> Any:
    """The table with this code; refuses clients that guess too many codes."""
    with caller.rates.guesses.guess(caller.address):
        return await caller.house.live(code)


# --- finished matches -----------------------------------------------------------------------------


async def watchable(
    code: Code,
    request: Request,
    authorization: Annotated[str | None, Header(description="Bearer and a seat's token")] = None,
) -> Table:
    """The table, if the client may watch it."""
    caller = Caller.of(request)
    live = await _find(caller, code)
    if live.table.opened.watch == "nobody":
        token = (authorization or "").removeprefix("Bearer ")
        with caller.rates.guesses.guess(caller.address):
            if live.table.seat_of(key_of(token)) is None:
                raise Refusal.of("watch_refused")
    return live.table


Watchable = Annotated[Table, Depends(watchable)]


@router.get(
    "/api/tables/{code}/matches/{number}/record",
    summary="The record of a finished match, with the proof of its shuffles",
    response_model=dict[str, Any],
    response_description="See docs/records.md and docs/shuffles.md.",
    responses=REFUSALS,
)
async def record(table: Watchable, number: MatchNumber, house: TheHouse) -> Response:
    return Response(await house.record(table.code, number), media_type="application/json")


@router.get(
    "/api/tables/{code}/matches/{number}/replay",
    summary="A finished match step by step, as one seat saw it (by default a spectator)",
    response_model=list[Step],
    response_description="The start of the match, then one step per play.",
    responses=REFUSALS,
)
async def replay(
    table: Watchable,
    number: MatchNumber,
    house: TheHouse,
    seat: Annotated[int | None, Query(ge=0, le=7)] = None,
) -> Response:
    if seat is not None and seat >= table.game.seats:
        raise Refusal.of("seat_range", value=seat, last=table.game.seats - 1)
    steps = await house.replay_steps(table.code, number, seat)
    return Response(steps, media_type="application/json")


async def subject(
    table: Watchable, number: MatchNumber, seat: Annotated[int, Path(ge=0, le=7)]
) -> Subject:
    if seat >= table.game.seats:
        raise Refusal.of("seat_range", value=seat, last=table.game.seats - 1)
    return Subject(table.code, number, seat)


TheSubject = Annotated[Subject, Depends(subject)]
Known = Annotated[int, Query(ge=0, le=10_000, description="How many of them the client has.")]


@router.post(
    "/api/tables/{code}/matches/{number}/reviews/{seat}",
    status_code=202,
    summary="Start the review of a finished match for one seat",
    response_model=ReviewProgress,
    response_description="The review waits for its turn, or is being made.",
    responses={200: {"model": ReviewProgress, "description": "The review is there."}, **REFUSALS},
)
async def start_review(
    subject: TheSubject, request: Request, points: Known = 0, decisions: Known = 0
) -> Response:
    caller = Caller.of(request)
    found = await caller.house.start_review(subject, caller.address)
    return Response(
        outbound.review(found, points, decisions),
        200 if found.state == "done" else 202,
        media_type="application/json",
    )


@router.get(
    "/api/tables/{code}/matches/{number}/reviews/{seat}",
    summary="The review of a finished match for one seat, as far as it is made",
    response_model=ReviewProgress,
    response_description="Without the points and decisions that the client has.",
    responses=REFUSALS,
)
async def show_review(
    subject: TheSubject, house: TheHouse, points: Known = 0, decisions: Known = 0
) -> Response:
    found = await house.review(subject)
    return Response(outbound.review(found, points, decisions), media_type="application/json")


# --- operation ------------------------------------------------------------------------------------


@router.get(
    "/health",
    summary="Whether the server can store moves",
    response_description="It can.",
    response_model_exclude_none=True,
    responses={503: {"model": Health, "description": "Its storage is unavailable or damaged."}},
)
async def health(house: TheHouse, request: Request, response: Response) -> Health:
    trouble = house.store.trouble
    if trouble:
        response.status_code = 503
    answer = Health(status=trouble or "ok", version=hastilude.__version__)
    if board := request.app.state.board:
        answer.workers, answer.workers_up = board.workers, board.up
    return answer


@router.get(
    "/metrics",
    summary="Metrics for Prometheus",
    response_class=PlainTextResponse,
    response_description="In the Prometheus text format.",
)
async def metrics() -> Response:
    return Response(metrics_page(), media_type=CONTENT_TYPE_LATEST)
