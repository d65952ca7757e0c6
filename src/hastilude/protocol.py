"""What a table and its clients say to each other: the frames of the WebSocket, as JSON objects.

The first frame of a client is `Hello`; the table answers with `Welcome` and then an `Update`
whenever something has changed. A client holds the version of the last update it saw. `Play` carries
one whole choice of a seat (three cards for a joust line) and is answered by `Done` or `Refused`,
under the id that the client gave it; sent again with the same id it is not played twice.

Nothing of a web framework is in here: clients of every kind read this module.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter

MAX_FRAME = 16 * 1024
MAX_ACTIONS = 8  # the longest choice there is takes five

Id = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,40}$")]
Token = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{22,64}$")]
Seed = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32,64}$")]
ActionText = Annotated[str, StringConstraints(min_length=1, max_length=16)]
Seat = Annotated[int, Field(ge=0, le=7)]
Version = Annotated[int, Field(ge=0, le=2**31 - 1)]
Phase = Literal["gathering", "playing", "over", "closed"]  # of a table
Watch = Literal["anyone", "link", "nobody"]  # who may watch
SeatKind = Literal["empty", "person", "bot", "script"]
Level = Literal["page", "squire", "knight", "champion"]
Phrase = Literal[
    "hello", "good_luck", "well_played", "thanks", "sorry", "one_moment", "your_turn", "good_game"
]


class Frame(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        strict=True,
        json_schema_serialization_defaults_required=True,  # a table leaves nothing out
    )


# --- what clients say -----------------------------------------------------------------------------


class Hello(Frame):
    """Who is here: with a token the seat's player, without one a spectator. `since` asks for the
    events after that version, 0 for all of the match; without it none are sent again."""

    type: Literal["hello"]
    token: Token | None = None
    since: Version | None = None


class Play(Frame):
    """One whole choice, made in sight of `version`."""

    type: Literal["play"]
    id: Id
    version: Version
    actions: Annotated[list[ActionText], Field(min_length=1, max_length=MAX_ACTIONS)]


class Ask(Frame):
    """What of these actions would be legal now, and what could follow. Nothing is played."""

    type: Literal["ask"]
    id: Id
    actions: Annotated[list[ActionText], Field(max_length=MAX_ACTIONS)] = []


class Hint(Frame):
    """What each action is worth that may follow these; only at practice tables."""

    type: Literal["hint"]
    id: Id
    actions: Annotated[list[ActionText], Field(max_length=MAX_ACTIONS)] = []


class Since(Frame):
    """Send again what happened after a version."""

    type: Literal["since"]
    version: Version


class Say(Frame):
    """A phrase for everybody at the table; each reads it in a language of their own."""

    type: Literal["say"]
    phrase: Phrase


class Pause(Frame):
    """Agree to a pause; it begins when everybody has. `on: false` ends it for all."""

    type: Literal["pause"]
    on: bool


class Rematch(Frame):
    """Agree to another match, with this seat's new part of its seed."""

    type: Literal["rematch"]
    seed: Seed


class Return(Frame):
    """Take the seat back from the bot that stood in."""

    type: Literal["return"]


class Leave(Frame):
    """Give the seat up for good. During a match a bot plays on; the seat's token is dead."""

    type: Literal["leave"]


class Kick(Frame):
    """By the host: free a seat, or before the match take a bot away."""

    type: Literal["kick"]
    seat: Seat


class Start(Frame):
    """By the host: fill the empty seats with bots of a level and begin."""

    type: Literal["start"]
    level: Level


class Ping(Frame):
    """Is anybody there? Answered by `Pong`."""

    type: Literal["ping"]


ClientFrame = Annotated[
    Hello
    | Play
    | Ask
    | Hint
    | Since
    | Say
    | Pause
    | Rematch
    | Return
    | Leave
    | Kick
    | Start
    | Ping,
    Field(discriminator="type"),
]
client_frames: TypeAdapter[Any] = TypeAdapter(ClientFrame)


# --- what tables say ------------------------------------------------------------------------------


class Sentence(Frame):
    """A message of the catalogue; the reader's client renders it in the reader's language."""

    key: str
    values: dict[str, Any] = {}
    clause: str = ""


class Told(Frame):
    """An event of the match, as this viewer may know it; `event` is the key of its sentence.

    `index` counts the viewer's events of the match from 0. `ends` says what is finished with it: a
    bid, turn, joust, trick, round, game or match. Why it came so is told by the events from `story`
    to `index`; a client that did not keep them asks with `Since`.
    """

    event: str
    clause: str
    values: dict[str, Any]
    ends: str
    index: int
    story: int


class Clock(Frame):
    """`none`; `move`: so many seconds a decision; `bank`: seconds for the match, and an increment
    after every choice."""

    kind: Literal["none", "move", "bank"] = "none"
    seconds: Annotated[int, Field(ge=0, le=7 * 86400)] = 0
    increment: Annotated[int, Field(ge=0, le=3600)] = 0


class SeatState(Frame):
    """Who sits there; of an empty seat `name` is who played the last match in it.

    `here`: somebody is connected. `stand_in`: a bot plays for a person who is away or out of time.
    `left` is the time on the clock in milliseconds when this update was made, and `running`
    whether it runs.
    """

    kind: SeatKind
    name: str
    level: str | None
    here: bool
    host: bool
    stand_in: bool
    left: int | None
    running: bool


class Saying(Frame):
    """Somebody said a phrase; its sentence is `phrase_…` in the catalogue."""

    seat: int
    phrase: str
    version: int


class Welcome(Frame):
    """The table as it was opened, and the viewer's place at it (None: a spectator). `away` is
    after how many seconds a bot stands in for somebody who is gone; None: never. `scripted`: the
    deals were written in advance, in rematches too; nothing shows that they are fair."""

    type: Literal["welcome"]
    code: str
    game: str
    options: dict[str, Any]
    clock: Clock
    away: int | None
    practice: bool
    watch: Watch
    scripted: bool
    seat: int | None


class Update(Frame):
    """How the table stands at a version, and what happened since the viewer's last update.

    `view` is the game's own View (None before the first match; `view.pending` are the seats whose
    turn it is), `legal` the texts of the viewer's actions. `pausing` and `rematch` are the seats
    that agree to a pause and to another match. `commitment` is the SHA-256 of the master seed of
    the match `match` (of the next one, while people gather or the last one is over), `seeds` are
    what the seats have added to it so far; a scripted table has neither.
    """

    type: Literal["update"]
    version: int
    phase: Phase
    paused: bool
    match: int
    seats: list[SeatState]
    view: dict[str, Any] | None
    legal: list[str]
    events: list[Told]
    said: list[Saying]
    pausing: list[int]
    rematch: list[int]
    scores: list[int] | None
    winners: list[int] | None
    commitment: str | None
    seeds: list[str | None]


class Done(Frame):
    """The play is kept, for good, as this version."""

    type: Literal["done"]
    id: str
    version: int


class Refused(Frame):
    """Not done, and why. `version` is the table's own: a stale client asks for what it missed."""

    type: Literal["refused"]
    id: str | None
    reason: Sentence
    version: int


class Answer(Frame):
    """To `Ask`: why not, if not; what may follow; whether the choice is whole, so that it can be
    played."""

    type: Literal["answer"]
    id: str
    refused: Sentence | None
    legal: list[str]
    whole: bool


class Candidate(Frame):
    """What simulations say of an action: the chance to win the match, half of its 95 % interval,
    and the mean score."""

    action: str
    win: float
    margin: float
    score: float


class Hints(Frame):
    """To `Hint`: the best first."""

    type: Literal["hints"]
    id: str
    candidates: list[Candidate]


class Notice(Frame):
    """Something about the server itself: `store_away` (play pauses), `store_back`,
    `store_damaged` (play stops), `closing`."""

    type: Literal["notice"]
    reason: Sentence


class Pong(Frame):
    """To `Ping`."""

    type: Literal["pong"]


ServerFrame = Annotated[
    Welcome | Update | Done | Refused | Answer | Hints | Notice | Pong,
    Field(discriminator="type"),
]
server_frames: TypeAdapter[Any] = TypeAdapter(ServerFrame)
