"""Many players of King's Tournament who play as fast as the server answers, whatever happens to
it, and remember what was acknowledged."""

from __future__ import annotations

import asyncio
import json
import random
import secrets
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from pydantic_core import to_json
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

import hastilude
from hastilude.core.match import Match
from hastilude.core.shuffles import VerifiableChance
from hastilude.server.database import open_engine
from tests.server.running import PATIENCE, SEED, Address

GAME = "kings_tournament"
FREE = str(Path(__file__).parents[2] / "bench" / "load.toml")  # settings without limits
# The fields of a seat that do not depend on connections or on the time.
LASTING = ("kind", "name", "level", "host", "stand_in")


@dataclass
class Play:
    match: int
    id: str
    version: int  # the last version seen when it was sent
    actions: list[str]
    became: int | None = None  # the version of the acknowledgement

    def frame(self, version: int) -> dict[str, Any]:
        return {"type": "play", "id": self.id, "version": version, "actions": self.actions}


@dataclass
class Player:
    code: str
    seat: int
    token: str
    update: Any = None  # the last one received
    plays: list[Play] = field(default_factory=list)
    closed: Any = None  # how the last connection ended: code and reason
    notices: list[str] = field(default_factory=list)
    _socket: ClientConnection | None = None
    _rematch: int = 0  # the match after which a rematch was requested

    @property
    def waiting(self) -> Play | None:
        """The play that was sent but not acknowledged."""
        return self.plays[-1] if self.plays and self.plays[-1].became is None else None

    @property
    def acknowledged(self) -> list[Play]:
        return [play for play in self.plays if play.became is not None]

    async def come(self, address: Address) -> None:
        """Connect, and check that everything is as before."""
        before, self.update = self.update, None
        where = f"{address.url.replace('http', 'ws', 1)}/api/tables/{self.code}/socket"
        self._socket = await connect(where, compression=None, max_size=None, open_timeout=PATIENCE)
        await self._send({"type": "hello", "token": self.token})
        while self.update is None:
            await self._receive()
        if self.seat not in self.update["rematch"]:
            self._rematch = 0  # if it was requested, that was lost with the connection
        if before is not None:
            assert self.update["version"] >= before["version"]
            if self.update["version"] == before["version"]:
                assert standing(self.update) == standing(before)
            await self._send_again()

    async def _send_again(self) -> None:
        """Send the last plays again. An acknowledged play keeps its version, even if it would be
        legal now; an unacknowledged one is stored now, or was already."""
        assert self.update is not None
        playing = self.update["phase"] == "playing"
        old = [p for p in self.acknowledged if playing and p.match == self.update["match"]]
        for play in random.sample(old, min(2, len(old))):
            await self._send(play.frame(self.update["version"]))
            done = await self._until("done")
            assert (done["id"], done["version"]) == (play.id, play.became)
        if self.waiting:
            await self._send(self.waiting.frame(self.waiting.version))
            await self._until("done")

    async def stay(self) -> None:
        """Play until the connection ends."""
        try:
            while True:
                with suppress(ConnectionClosed):  # frames sent before the end are still read
                    await self._move()
                await self._receive()
        except ConnectionClosed as end:
            self.closed = end.rcvd and (end.rcvd.code, end.rcvd.reason)

    async def leave(self) -> None:
        assert self._socket is not None
        await self._socket.close()

    async def _move(self) -> None:
        seen = self.update
        told = self.plays[-1].became if self.plays else 0
        if seen["phase"] == "over" and self._rematch < seen["match"]:
            self._rematch = seen["match"]
            await self._send({"type": "rematch", "seed": SEED})
        elif seen["legal"] and told is not None and told <= seen["version"]:
            # A joust takes a line of three cards; all other choices take one.
            view = seen["view"]
            size = 3 if view["phase"] == "joust" else 1
            cards = random.sample(view["hand"] if size > 1 else seen["legal"], size)
            play = Play(seen["match"], secrets.token_hex(6), seen["version"], cards)
            self.plays.append(play)
            await self._send(play.frame(play.version))

    async def _until(self, type: str) -> Any:
        while (frame := await self._receive())["type"] != type:
            pass
        return frame

    async def _receive(self) -> Any:
        assert self._socket is not None
        frame = json.loads(await asyncio.wait_for(self._socket.recv(), PATIENCE))
        match frame["type"]:
            case "update":
                self.update = frame
            case "notice":
                self.notices.append(frame["reason"]["key"])
            case "done" if self.waiting and frame["id"] == self.waiting.id:
                self.waiting.became = frame["version"]
        assert frame["type"] != "refused", frame
        return frame

    async def _send(self, frame: dict[str, Any]) -> None:
        assert self._socket is not None
        await self._socket.send(json.dumps(frame))


def standing(update: Any) -> dict[str, Any]:
    """The parts of an update that must be the same after a restart."""
    kept = {name: value for name, value in update.items() if name not in ("events", "said")}
    kept["seats"] = [{name: seat[name] for name in LASTING} for seat in update["seats"]]
    return kept


def gather_players(address: Address, tables: int) -> list[Player]:
    """Two players at each of some new tables, where no bot ever takes over."""
    players = []
    for _ in range(tables):
        table = address.open_table(GAME, options={"best_of": 7}, away=None)
        sittings = [address.sit(table["code"], name) for name in ("Anna", "Ben")]
        players += [Player(table["code"], s["seat"], s["token"]) for s in sittings]
    return players


async def all_come(players: list[Player], address: Address) -> None:
    await asyncio.gather(*(player.come(address) for player in players))


async def all_stay(players: list[Player]) -> None:
    await asyncio.gather(*(player.stay() for player in players))


async def all_leave(players: list[Player]) -> None:
    await asyncio.gather(*(player.leave() for player in players))


# --- what the database itself says ----------------------------------------------------------------


def rows(database: Path | str, query: str, **values: Any) -> list[Any]:
    engine = open_engine(str(database))
    with engine.connect() as connection:
        found = [*connection.execute(sa.text(query), values)]
    engine.dispose()
    return found


def entries(database: Path | str, code: str) -> list[tuple[int, Any]]:
    query = "SELECT version, entry FROM log WHERE code = :code ORDER BY version"
    return [(version, json.loads(entry)) for version, entry in rows(database, query, code=code)]


def replayed(database: Path | str, code: str, version: int) -> Match | None:
    """The match at a version, from the log and the seeds, without the server's code."""
    log = [entry for number, entry in entries(database, code) if number <= version]
    starts = [index for index, entry in enumerate(log) if entry["kind"] == "started"]
    if not starts:
        return None
    query = "SELECT master FROM seeds WHERE code = :code AND number = :number"
    ((master,),) = rows(database, query, code=code, number=len(starts))
    seeds = [bytes.fromhex(seed) for seed in log[starts[-1]]["seeds"]]
    chance = VerifiableChance(master, f"{code}/{len(starts)}", seeds)
    match = hastilude.load(log[0]["game"], **log[0]["options"]).new(chance=chance)
    for entry in log[starts[-1] :]:
        if entry["kind"] == "played":
            for action in entry["actions"]:
                match.play(entry["seat"], action)
    return match


def check_views(players: list[Player], database: Path | str) -> None:
    """Check that everybody's last update agrees with the log at that version."""
    for player in players:
        match = replayed(database, player.code, player.update["version"])
        view = match and json.loads(to_json(match.view(player.seat)))
        assert player.update["view"] == view


def check_log(players: list[Player], database: Path | str) -> None:
    """Check that every acknowledged play is in the log once, with the acknowledged version, and
    that nothing else is."""
    for code in {player.code for player in players}:
        log = entries(database, code)
        assert [version for version, _ in log] == list(range(1, len(log) + 1))
        kept = [
            (entry["seat"], entry["id"], version, entry["actions"])
            for version, entry in log
            if entry["kind"] == "played"
        ]
        here = [player for player in players if player.code == code]
        told = [(p.seat, x.id, x.became, x.actions) for p in here for x in p.acknowledged]
        unsure = {(p.seat, p.waiting.id) for p in here if p.waiting}
        assert len({play[:2] for play in kept}) == len(kept)
        assert sorted(p for p in kept if p[:2] not in unsure) == sorted(told)
