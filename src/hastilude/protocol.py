"""The protocol between a table and its clients: WebSocket frames, as JSON objects.

The first frame of a client is `Hello`; the table answers with `Welcome` and then an `Update`
whenever something has changed. A client holds the version of the last update it saw. `Play` carries
one whole choice of a seat (which may be several cards) and is answered by `Done` or `Refused`,
under the id that the client gave it; sent again with the same id it is not played twice.

This module uses no web framework, because clients of every kind import it.
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
NewsKind = Literal["went_offline", "stood_in", "came_back", "left", "took_seat", "ended"]
Level = Literal["page", "squire", "knight", "champion"]
Where = Literal["hand", "seen", "unseen"]  # a card, for the card tracker
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
    """Identify the client: the seat's player with a token, a spectator without one. `since`
    requests the events after that version (0 for all of the match); without it no events are sent
    again."""

    type: Literal["hello"]
    token: Token | None = None
    since: Version | None = None


class Play(Frame):
    """One whole choice, made after seeing `version`."""

    type: Literal["play"]
    id: Id
    version: Version
    actions: Annotated[list[ActionText], Field(min_length=1, max_length=MAX_ACTIONS)]


class Ask(Frame):
    """Ask whether these actions would be legal now, and what could follow. Nothing is played."""

    type: Literal["ask"]
    id: Id
    actions: Annotated[list[ActionText], Field(max_length=MAX_ACTIONS)] = []


class Hint(Frame):
    """Ask for the best choices that begin with these actions; only at practice tables. The answer
    takes up to two seconds; a newer question replaces it, and so does a play."""

    type: Literal["hint"]
    id: Id
    actions: Annotated[list[ActionText], Field(max_length=MAX_ACTIONS)] = []


class Since(Frame):
    """Ask for what happened after a version again."""

    type: Literal["since"]
    version: Version


class Say(Frame):
    """A phrase for everyone at the table; all see it in their own language."""

    type: Literal["say"]
    phrase: Phrase


class Pause(Frame):
    """Agree to a pause, which begins when everyone has agreed. `on: false` ends it for everyone."""

    type: Literal["pause"]
    on: bool


class Rematch(Frame):
    """Agree to another match, with this seat's new part of its seed."""

    type: Literal["rematch"]
    seed: Seed


class Return(Frame):
    """Take the seat back from the bot that took over."""

    type: Literal["return"]


class Leave(Frame):
    """Give up the seat for good. During a match a bot takes over. The token becomes invalid."""

    type: Literal["leave"]


class Kick(Frame):
    """From the host: free a seat, or remove a bot before the match."""

    type: Literal["kick"]
    seat: Seat


class Start(Frame):
    """From the host: fill the empty seats with bots of a level and start."""

    type: Literal["start"]
    level: Level


class Extend(Frame):
    """From the host: wait longer for an absent player. The time until a bot takes over starts
    again."""

    type: Literal["extend"]
    seat: Seat


class Replace(Frame):
    """From the host: let a bot play at once for an absent player, until the player is back."""

    type: Literal["replace"]
    seat: Seat


class End(Frame):
    """From the host: end the match without a winner, if a player is absent or has left."""

    type: Literal["end"]


class Offer(Frame):
    """From the host: let a newcomer sit down in place of a bot, now and until the next match
    begins. `on: false` withdraws the offer."""

    type: Literal["offer"]
    seat: Seat
    on: bool


class Queue(Frame):
    """From a spectator: wait for a seat. Whoever waits longest gets the first seat that is open
    when no match is played (`Seated`) and agrees to the next match with it. Closing the connection
    gives up the place."""

    type: Literal["queue"]
    name: Annotated[str, Field(min_length=1, max_length=200)]
    seed: Seed


class Missed(Frame):
    """Ask what a bot played for this seat; answered by `MissedChoices`."""

    type: Literal["missed"]
    id: Id


class Ping(Frame):
    """Check the connection; answered by `Pong`."""

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
    | Extend
    | Replace
    | End
    | Offer
    | Queue
    | Missed
    | Ping,
    Field(discriminator="type"),
]
client_frames: TypeAdapter[Any] = TypeAdapter(ClientFrame)


# --- what tables say ------------------------------------------------------------------------------


class Sentence(Frame):
    """A message of the catalogue, which the client renders in the user's language."""

    key: str
    values: dict[str, Any] = {}
    clause: str = ""


class Told(Frame):
    """An event of the match, as this viewer may know it; `event` is the key of its sentence.

    `index` counts the viewer's events of the match from 0. `ends` is the chapter that this event
    finishes, in the game's own words, or `match`. The events from `story` to `index` explain why; a
    client that did not keep them requests them with `Since`.
    """

    event: str
    clause: str
    values: dict[str, Any]
    ends: str
    index: int
    story: int


class Clock(Frame):
    """`none`; `move`: seconds per decision; `bank`: seconds per match, and an increment after every
    choice."""

    kind: Literal["none", "move", "bank"] = "none"
    seconds: Annotated[int, Field(ge=0, le=7 * 86400)] = 0
    increment: Annotated[int, Field(ge=0, le=3600)] = 0


class SeatState(Frame):
    """The seat's occupant; for an empty seat, `name` is whoever played the last match in it, for a
    bot's seat the person who has left it for good. `offered`: a newcomer may take the bot's seat.

    `here`: somebody is connected. `host`: the host, or the next person while the host is offline.
    `stand_in`: a bot plays for a person who is absent or out of time. `left` is the time on the
    clock in milliseconds when this update was made, and `running` whether it runs. `takeover` is
    the time in milliseconds, when this update was made, until a bot takes over from an absent
    person who is to act; None: no bot will.
    """

    kind: SeatKind
    name: str
    level: str | None
    here: bool
    host: bool
    stand_in: bool
    left: int | None
    running: bool
    takeover: int | None
    offered: bool


class News(Frame):
    """Something about a player during the match; its sentence is `terminal_…` in the catalogue.
    `name` is the player's, who may have left since. `after` is how many of the viewer's events of
    the match came before it."""

    kind: NewsKind
    seat: int
    name: str
    version: int
    after: int


class MissedCount(Frame):
    """How many choices a bot made for the viewer, and the version of the last one."""

    count: int
    version: int


class Suit(Frame):
    """The cards of a suit, for the card tracker: the rest of each card's text, and where the viewer
    knows it to be: in the own `hand`, `seen` (played, discarded or shown) or `unseen`."""

    suit: str
    cards: list[Annotated[tuple[str, Where], Field(strict=False)]]  # JSON has no tuples


class Saying(Frame):
    """A phrase that somebody said; its sentence is `phrase_…` in the catalogue."""

    seat: int
    phrase: str
    version: int


class Welcome(Frame):
    """The table as it was opened, and the viewer's place at it (None: a spectator). `away`: a
    bot takes over after this many seconds of absence (None: never). `tracker`: whether the host
    allows the card tracker (None: the game has none). `scripted`: the deals were written in
    advance, also for rematches; nothing shows that they are fair."""

    type: Literal["welcome"]
    code: str
    game: str
    options: dict[str, Any]
    clock: Clock
    away: int | None
    practice: bool
    tracker: bool | None
    watch: Watch
    scripted: bool
    seat: int | None


class Update(Frame):
    """The state of the table at a version, and what happened since the viewer's last update.

    `view` is the game's own View (None before the first match; `view.pending` are the seats whose
    turn it is), `legal` the texts of the viewer's legal actions, `complete` those of them that are
    a whole choice each and can be played without asking. `pausing` and `rematch` are the
    seats that agree to a pause and to another match. `commitment` is the SHA-256 of the master seed
    of the match `match` (of the next one, while people gather or the last one is over), `seeds`
    are what the seats have added to it so far; a scripted table has neither. `tracker` has the
    cards of the round by suit (None where the host does not allow it, or the game has none). A
    match that is over without `winners` was abandoned. `queue` are the names of those who wait for
    a seat. `missed` is about the last time that a bot played for the viewer in this match.
    """

    type: Literal["update"]
    version: int
    phase: Phase
    paused: bool
    match: int
    seats: list[SeatState]
    view: dict[str, Any] | None
    tracker: list[Suit] | None
    legal: list[str]
    complete: list[str]
    events: list[Told]
    said: list[Saying]
    news: list[News]
    missed: MissedCount | None
    queue: list[str]
    pausing: list[int]
    rematch: list[int]
    scores: list[int] | None
    winners: list[int] | None
    commitment: str | None
    seeds: list[str | None]


class Done(Frame):
    """The play is stored permanently, as this version."""

    type: Literal["done"]
    id: str
    version: int


class Refused(Frame):
    """Not done, and why. `version` is the table's: a stale client requests what it missed."""

    type: Literal["refused"]
    id: str | None
    reason: Sentence
    version: int


class Answer(Frame):
    """Reply to `Ask`: the refusal, if any; what may follow; whether the choice is complete and
    can be played."""

    type: Literal["answer"]
    id: str
    refused: Sentence | None
    legal: list[str]
    whole: bool


class HintGroup(Frame):
    """Choices that are about equally good, each as the actions that complete it; the chance to win
    the match with them, and how much less that is than with the best. If good play mixes them,
    `shares` says how often it makes each."""

    choices: list[list[str]]
    win: float
    behind: float
    shares: list[float] | None


class Hints(Frame):
    """Reply to `Hint`: the best group first, and why it is the best."""

    type: Literal["hints"]
    id: str
    groups: list[HintGroup]
    reason: Sentence | None


class MissedChoices(Frame):
    """Reply to `Missed`: the choices that a bot made for the viewer, and the view before them."""

    type: Literal["missed"]
    id: str
    choices: list[list[str]]
    view: dict[str, Any]


class Seated(Frame):
    """The viewer waited for a seat and has it now; its token opens the connection of a player."""

    type: Literal["seated"]
    seat: int
    token: str


class Notice(Frame):
    """News about the server itself: `store_away` (play pauses), `store_back`,
    `store_damaged` (play stops), `closing`."""

    type: Literal["notice"]
    reason: Sentence


class Pong(Frame):
    """Reply to `Ping`."""

    type: Literal["pong"]


ServerFrame = Annotated[
    Welcome | Update | Done | Refused | Answer | Hints | MissedChoices | Seated | Notice | Pong,
    Field(discriminator="type"),
]
server_frames: TypeAdapter[Any] = TypeAdapter(ServerFrame)
