"""The entries of a table's log: everything that happened there, in order. Replaying it gives the
table.

An entry is stored as JSON under (table, version). No entry contains a master seed or a token: seeds
have their own database table, and only the hash of a token is stored.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from hastilude.protocol import Clock, Watch


class Entry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Script(Entry):
    """Fixed chance events and fixed plays of the scripted seats, for lessons."""

    chance: list[list[Any]]
    plays: list[tuple[int, list[str]]]


class Opened(Entry):
    kind: Literal["opened"] = "opened"
    game: str
    options: dict[str, Any]
    clock: Clock
    away: int | None
    watch: Watch
    practice: bool
    tracker: bool = False  # whether the card tracker is allowed; older tables have none
    seats: list[str | None]  # the level of a bot; None if empty
    host: str  # the hash of the host's key
    commitment: str
    script: Script | None = None


class Sat(Entry):
    """Somebody sat down: in an empty seat, or in place of a bot whose seat the host offers."""

    kind: Literal["sat"] = "sat"
    seat: int
    name: str
    key: str  # the hash of the seat's token
    seed: str
    host: bool


class Left(Entry):
    """Somebody left. The token becomes invalid; during a match a bot continues."""

    kind: Literal["left"] = "left"
    seat: int
    kicked: bool = False


class Started(Entry):
    """A match begins, with bots in the seats that were empty.

    `seeds` are the people's seeds. A bot's is empty: the server would choose it, and the server
    knows the master. The next match's commitment is published now, before anybody adds a seed.
    """

    kind: Literal["started"] = "started"
    bots: dict[int, str]
    seeds: list[str]
    next_commitment: str


class Played(Entry):
    """One whole choice; with `ends` the match is over."""

    kind: Literal["played"] = "played"
    seat: int
    actions: list[str]
    id: str | None = None
    ends: bool = False


class StoodIn(Entry):
    """A bot takes over for a person who is absent or out of time."""

    kind: Literal["stood_in"] = "stood_in"
    seat: int


class Returned(Entry):
    kind: Literal["returned"] = "returned"
    seat: int


class WentOffline(Entry):
    """Somebody has not been connected for a while, during a match with other people."""

    kind: Literal["went_offline"] = "went_offline"
    seat: int


class CameBack(Entry):
    """Somebody who was offline is connected again; no bot had taken over."""

    kind: Literal["came_back"] = "came_back"
    seat: int


class Extended(Entry):
    """The host waits longer for an absent player: the time until a bot takes over starts again."""

    kind: Literal["extended"] = "extended"
    seat: int


class Ended(Entry):
    """The host ended the match, because a player is absent or has left. Nobody wins it."""

    kind: Literal["ended"] = "ended"
    seat: int


class Offered(Entry):
    """The host offers a bot's seat to a newcomer, or no longer does."""

    kind: Literal["offered"] = "offered"
    seat: int
    on: bool


class Said(Entry):
    kind: Literal["said"] = "said"
    seat: int
    phrase: str


class PauseWanted(Entry):
    """Somebody agrees to a pause; `begins` if everybody has agreed now."""

    kind: Literal["pause_wanted"] = "pause_wanted"
    seat: int
    begins: bool


class Resumed(Entry):
    kind: Literal["resumed"] = "resumed"
    seat: int


class RematchWanted(Entry):
    kind: Literal["rematch_wanted"] = "rematch_wanted"
    seat: int
    seed: str


class Closed(Entry):
    """Everybody has left: the table is closed for good, and a running match is abandoned."""

    kind: Literal["closed"] = "closed"


AnyEntry = (
    Opened
    | Sat
    | Left
    | Started
    | Played
    | StoodIn
    | Returned
    | WentOffline
    | CameBack
    | Extended
    | Ended
    | Offered
    | Said
    | PauseWanted
    | Resumed
    | RematchWanted
    | Closed
)
entries: TypeAdapter[AnyEntry] = TypeAdapter(Annotated[AnyEntry, Field(discriminator="kind")])
