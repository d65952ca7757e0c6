"""The table log: everything that ever happened at a table, in order. A table is the replay of it.

An entry is kept as JSON under (table, version). No entry holds a master seed or a seat's token:
seeds live in a table of their own, of a token only the hash is kept.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from hastilude.protocol import Clock, Watch


class Entry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Script(Entry):
    """Fixed chance and fixed plays of the seats that nobody sits in, for walk-throughs."""

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
    seats: list[str | None]  # the level of a bot, or nobody yet
    host: str  # the hash of the host's key
    commitment: str
    script: Script | None = None


class Sat(Entry):
    kind: Literal["sat"] = "sat"
    seat: int
    name: str
    key: str  # the hash of the seat's token
    seed: str
    host: bool


class Left(Entry):
    """The seat's token is dead; during a match a bot plays on."""

    kind: Literal["left"] = "left"
    seat: int
    kicked: bool = False


class Started(Entry):
    """A match begins, with bots in the seats that were empty.

    `seeds` are the people's; a bot's is empty, because its host would choose it knowing the master.
    The commitment for the next match is published now, before anybody adds a seed to that.
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
    """A bot plays for a person who is away or out of time."""

    kind: Literal["stood_in"] = "stood_in"
    seat: int


class Returned(Entry):
    kind: Literal["returned"] = "returned"
    seat: int


class Said(Entry):
    kind: Literal["said"] = "said"
    seat: int
    phrase: str


class PauseWanted(Entry):
    """Somebody agrees to a pause; with `begins` everybody has."""

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
    """Nobody is left: the table is over for good, and a match that was played is abandoned."""

    kind: Literal["closed"] = "closed"


AnyEntry = (
    Opened
    | Sat
    | Left
    | Started
    | Played
    | StoodIn
    | Returned
    | Said
    | PauseWanted
    | Resumed
    | RematchWanted
    | Closed
)
entries: TypeAdapter[AnyEntry] = TypeAdapter(Annotated[AnyEntry, Field(discriminator="kind")])
