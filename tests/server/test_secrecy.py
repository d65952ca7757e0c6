"""No byte that a viewer gets depends on a card that the viewer may not see.

The same story happens at two servers whose secrets and time are equal. What is hidden from the
viewer differs: the cards, the last choice that is still hidden, and whatever the others try without
success. All that the viewer gets must be the same.
"""

import logging
import random
import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import httpx
import orjson
import pytest

from hastilude import protocol
from hastilude.bots import analyse
from hastilude.core.chance import ExplicitChance
from hastilude.core.match import Match
from hastilude.prepare import prepare
from hastilude.puzzles.puzzle import Puzzle, Source
from hastilude.server import log, outbound
from hastilude.server.app import create_app
from hastilude.server.settings import Settings
from hastilude.server.table import Table
from hastilude.server.tokens import Sources
from hastilude.testing import Subject, deal_twice, true_fields, viewers
from tests.server.running import GENEROUS, PATIENCE, SEED, Address, Client, in_thread, play_out
from tests.variants import subject

SUBJECTS = [
    subject("tornei", {"players": 4}),
    subject("tornei", {"players": 3}),
    subject("kings_tournament", {}),
    subject("kings_tournament", {"joust": "stepwise"}),
    subject("triatri", {"players": 3}),
]
CASES = [
    pytest.param(one, viewer, id=f"{one.game.name}-{number}-{viewer}")
    for number, one in enumerate(SUBJECTS)
    for viewer in viewers(one.game)
]
MOST = 26  # choices of a story
STORIES = 60  # of which the longest is told
LOOKS = 2  # how often in a story the viewer asks for everything there is

# Routes that a viewer is not compared on, and why; there are none.
EXCUSED: dict[str, str] = {}


# --- two worlds -----------------------------------------------------------------------------------


@dataclass
class World:
    """What the server is given: chance events, and the plays with their seats."""

    chance: list[Any]
    plays: list[tuple[int, list[str]]] = field(default_factory=list)


def two_worlds(subject: Subject, viewer: int | None, seed: str) -> tuple[World, World]:
    """A story in two worlds that differ in what is hidden from the viewer. It ends with a choice
    that differs too and is still hidden, or where the worlds part in the open."""
    choose = random.Random(seed)
    first, second = deal_twice(subject, viewer, choose)
    one, other = World([]), World([])
    end = choose.randrange(MOST)
    while not first.over and len(one.plays) < MOST:
        seat = choose.choice(first.pending)
        if len(one.plays) >= end and len(first.pending) > 1 and seat != viewer:
            one.plays.append((seat, a_choice(first, seat, choose)))
            other.plays.append((seat, a_choice(second, seat, choose, one.plays[-1][1])))
            break
        actions = common_choice(first, second, seat, choose)
        if actions is None:
            break
        for match in (first, second):
            for action in actions:
                match.play(seat, action)
        if subject.shown(true_fields(first)) != subject.shown(true_fields(second)):
            break
        for world in (one, other):
            world.plays.append((seat, actions))
    for world, match in ((one, first), (other, second)):
        world.chance = [event for event in match.record().events if event[0] != "play"]
    return one, other


def differs_hidden(one: World, other: World) -> bool:
    """Whether the story ends with a choice that differs and is still hidden."""
    return one.plays != other.plays


def a_choice(
    match: Match, seat: int, choose: random.Random, but: list[str] | None = None
) -> list[str]:
    """A whole choice at random, if possible another one than `but`."""
    for _ in range(20):
        rehearsal, actions = match.rehearse(seat), []
        while not rehearsal.whole:
            actions.append(match.game.text(choose.choice(rehearsal.legal())))
            rehearsal.play(actions[-1])
        if actions != but:
            break
    return actions


def common_choice(
    first: Match, second: Match, seat: int, choose: random.Random
) -> list[str] | None:
    """A whole choice that can be made in both worlds."""
    rehearsals, actions = [first.rehearse(seat), second.rehearse(seat)], []
    while not rehearsals[0].whole:
        common = set(rehearsals[0].legal()) & set(rehearsals[1].legal())
        if not common:
            return None
        actions.append(first.game.text(choose.choice(sorted(common))))
        for rehearsal in rehearsals:
            rehearsal.play(actions[-1])
    return actions


class Known(Sources):
    """Secrets that are the same at both servers."""

    def __init__(self) -> None:
        self._choose = random.Random(4)

    def token(self) -> str:
        return f"{self._choose.getrandbits(192):048x}"

    def code(self) -> str:
        return f"{self._choose.getrandbits(32):08x}"

    def master(self) -> bytes:
        return self._choose.randbytes(32)

    def bot_seed(self) -> int:
        return 1


class Standing:
    """Time that moves only when the story says so."""

    def __init__(self) -> None:
        self.at = 1_000_000

    def now(self) -> int:
        return self.at


# --- a viewer who writes everything down ----------------------------------------------------------


class Witness:
    def __init__(self, server: Address, http: httpx.Client, viewer: int | None) -> None:
        self.server, self.http, self.viewer = server, http, viewer
        self.seen: list[Any] = []
        self.headers: dict[str, str] = {}
        self.visited: set[str] = set()
        self.sent: set[str] = set()

    def ask(self, method: str, route: str, body: Any = None, query: str = "", **place: Any) -> Any:
        """Go to a route; what comes back is written down, apart from the time of day."""
        self.visited.add(route)
        url = self.server.url + route.format(**place) + query
        answer = self.http.request(method, url, json=body, headers=self.headers)
        headers = {name: value for name, value in answer.headers.items() if name != "date"}
        where = url.removeprefix(self.server.url)
        if route == "/metrics":  # what can be compared of it is in `Figures`
            del headers["content-length"]
            self.seen.append((where, answer.status_code, headers))
        else:
            self.seen.append((where, answer.status_code, headers, answer.content))
        return answer

    def look_around(self, code: str, game: str, seats: int) -> None:
        table = {"code": code, "number": 1}
        self.ask("GET", "/")
        self.ask("GET", "/play/{game}", game=game)
        self.ask("GET", "/t/{code}", code=code)
        self.ask("GET", "/t/{code}/{match}", code=code, match=1)
        self.ask("GET", "/rules/{game}", game=game)
        self.ask("GET", "/learn/{game}", game=game)
        self.ask("GET", "/puzzles/{game}", game=game)
        self.ask("GET", "/puzzles/{game}/{id}", game=game, id="daily")
        self.ask("GET", "/{name}", name="icon.svg")
        self.ask("GET", "/assets/{name}", name="index.js")
        self.ask("GET", "/health")
        self.ask("GET", "/metrics")
        self.ask("GET", "/api/openapi.json")
        self.ask("GET", "/api/games")
        self.ask("GET", "/api/games/{game}/rules", game=game)
        self.ask("GET", "/api/games/{game}/lesson", game=game)
        self.look_at_puzzles(game)
        self.ask("GET", "/api/tables")
        self.ask("GET", "/api/tables/{code}", code=code)
        self.ask("POST", "/api/tables/{code}/seats", {"name": "X", "seed": SEED}, code=code)
        self.ask("GET", "/api/tables/{code}/matches/{number}/record", **table)
        for query in ("", *(f"?seat={seat}" for seat in range(seats + 1))):
            self.ask("GET", "/api/tables/{code}/matches/{number}/replay", query=query, **table)
        for seat in range(seats + 1):
            review = "/api/tables/{code}/matches/{number}/reviews/{seat}"
            self.ask("GET", review, seat=seat, **table)
            self.ask("POST", review, seat=seat, **table)

    def look_at_puzzles(self, game: str) -> None:
        puzzles = "/api/games/{game}/puzzles"
        self.ask("GET", puzzles, game=game)
        self.ask("GET", f"{puzzles}/daily", game=game, query="?day=2026-11-18")
        puzzle = self.ask("POST", f"{puzzles}/next", {"rating": 1200}, game=game).json()
        chosen = {"actions": puzzle["legal"][:1]}
        self.ask("GET", f"{puzzles}/{{id}}", game=game, id=puzzle["id"])
        self.ask("POST", f"{puzzles}/{{id}}/ask", chosen, game=game, id=puzzle["id"])
        self.ask("POST", f"{puzzles}/{{id}}/answer", chosen, game=game, id=puzzle["id"])

    def send(self, client: Client, type: str, answer: str, **fields: Any) -> None:
        self.sent.add(type)
        client.send(type, **fields)
        client.expect(answer)

    def try_everything(self, client: Client, texts: tuple[str, ...]) -> None:
        """Every frame that changes nothing for the others."""
        seated = self.viewer is not None
        refusal = "refused"
        self.send(client, "ping", "pong")
        self.send(client, "since", "update", version=0)
        self.send(client, "ask", "answer" if seated else refusal, id="a")
        for text in texts:
            self.send(client, "ask", "answer" if seated else refusal, id="a", actions=[text])
        hint = "hints" if seated and client.update["legal"] else refusal
        self.send(client, "hint", hint, id="h")
        self.send(client, "play", refusal, id="p", version=0, actions=["nonsense"])
        self.send(client, "hello", refusal)
        self.send(client, "start", refusal, level="page")
        self.send(client, "return", refusal)
        self.send(client, "rematch", refusal, seed=SEED)
        self.send(client, "missed", refusal, id="m")
        self.send(client, "extend", refusal, seat=0)
        self.send(client, "replace", refusal, seat=0)
        self.send(client, "end", refusal)
        self.send(client, "offer", refusal, seat=0, on=True)

    def end(self, client: Client) -> None:
        """Every frame that changes the table, and the viewer's leave."""
        seated = self.viewer is not None
        told = "update" if seated else "refused"
        self.send(client, "say", told, phrase="hello")
        self.send(client, "pause", told, on=True)
        self.send(client, "pause", told, on=False)
        self.send(client, "kick", "refused", seat=7)
        self.send(client, "queue", "refused" if seated else "update", name="Zoe", seed=SEED)
        self.sent.add("leave")
        client.send("leave")
        if seated:
            self.seen.append(client.closed())
        else:
            client.expect("refused")


class Figures:
    """What /metrics has counted since; times aside."""

    def __init__(self, server: Address, http: httpx.Client) -> None:
        self._read = lambda: dict(
            line.rsplit(" ", 1)
            for line in http.get(server.url + "/metrics").text.splitlines()
            if not re.match("#|hastilude_play_seconds|[^ {]*_created", line)
        )
        deadline = time.monotonic() + PATIENCE
        while float(self._read()["hastilude_sockets"]):  # of the world before
            assert time.monotonic() < deadline
            time.sleep(0.01)
        self._before = self._read()

    def now(self) -> dict[str, float]:
        return {
            name: float(value) - ("_total" in name) * float(self._before.get(name, 0))
            for name, value in self._read().items()
        }


# --- the story ------------------------------------------------------------------------------------


@dataclass
class Place:
    """One of the two servers."""

    address: Address
    time: Standing
    http: httpx.Client


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Place]]:
    prepare(lambda: None)  # hints would wait for the compiler
    with ExitStack() as stack:
        stack.enter_context(patch.object(analyse, "MOST_SAMPLES", 20))
        found = []
        for _ in range(2):
            folder: Path = tmp_path_factory.mktemp("world")
            clock = Standing()
            settings = replace(
                GENEROUS,
                database=str(folder / "tables.db"),
                public_url="http://table.example",
                bot_wait_seconds=3600,  # whoever leaves is not played for in this story
                warm_seconds=3600,  # tables of earlier stories stay in memory, and are counted
                hint_seconds=3600,  # the number of samples limits them, not the time
            )
            address = stack.enter_context(in_thread(settings, clock, Known()))
            http = stack.enter_context(httpx.Client(timeout=PATIENCE))
            found.append(Place(address, clock, http))
        yield found


def happen(
    place: Place, subject: Subject, viewer: int | None, world: World, noisy: bool
) -> tuple[Witness, dict[str, float]]:
    game, server = subject.game, place.address
    witness = Witness(server, place.http, viewer)
    figures = Figures(server, place.http)
    table = {
        "game": game.name,
        "options": game.options,
        "watch": "anyone",
        "practice": True,
        "tracker": True,
        "clock": {"kind": "bank", "seconds": 5000, "increment": 3},
    }
    code = witness.ask("POST", "/api/tables", table).json()["code"]
    witness.seen.clear()  # what was sent is told in its length alone
    tokens = []
    for seat in range(game.seats):
        body = {"name": f"Player {seat}", "seed": SEED}
        answer = place.http.post(f"{server.url}/api/tables/{code}/seats", json=body)
        tokens.append(answer.json()["token"])
    while place.http.get(f"{server.url}/api/tables/{code}").json()["phase"] != "playing":
        time.sleep(0.001)
    clients: dict[int | None, Client] = {}
    for guest in viewers(game):
        clients[guest] = server.client(code, None if guest is None else tokens[guest])
        for client in clients.values():
            client.expect("update")  # somebody came
    witness.visited.add("/api/tables/{code}/socket")
    if viewer is not None:
        witness.headers = {"authorization": f"Bearer {tokens[viewer]}"}
    mine = clients[viewer]
    looks = {len(world.plays) * (part + 1) // LOOKS for part in range(LOOKS)}
    for number, (seat, actions) in enumerate(world.plays, start=1):
        if noisy and seat != viewer:
            try_in_vain(clients[seat], actions)
        place.time.at += 1700
        done = clients[seat].play(*actions, id=f"play{number}")
        assert done["type"] == "done"
        for client in clients.values():
            client.reach(done["version"])
        if number in looks:
            witness.look_around(code, game.name, game.seats)
            witness.try_everything(mine, game.texts[:3])
    counted = figures.now()
    witness.end(mine)
    witness.seen += mine.texts
    for client in clients.values():
        client.close()
    return witness, counted


def deal(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables are dealt the cards of a world from now on, and know nothing of it."""
    monkeypatch.setattr(Table, "_chance", lambda table: ExplicitChance(table.game, world.chance))


def try_in_vain(client: Client, actions: list[str]) -> None:
    """What leaves no trace with the others: questions, parts of a choice, what is not legal."""
    client.send("ask", id="quietly", actions=actions)
    client.expect("answer")
    version = client.update["version"]
    vain = [["nonsense"], [*actions, actions[-1]], *([actions[:-1]] if len(actions) > 1 else [])]
    for part in vain:
        client.send("play", id="vain", version=version, actions=part)
        client.expect("refused", id="vain")
    client.send("play", id="vain", version=0, actions=actions)
    client.expect("refused", id="vain")


@contextmanager
def logged(caplog: pytest.LogCaptureFixture) -> Iterator[list[str]]:
    """The lines of the server's log, as `hastilude serve` sets it up."""
    lines: list[str] = []
    start = len(caplog.records)
    yield lines
    lines += [
        record.getMessage()
        for record in caplog.records[start:]
        if record.name == "hastilude" or record.levelno >= logging.WARNING
    ]


@pytest.mark.parametrize(("subject", "viewer"), CASES)
def test_what_a_viewer_gets_does_not_depend_on_what_is_hidden(
    places: list[Place],
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    subject: Subject,
    viewer: int | None,
) -> None:
    caplog.set_level(logging.INFO, "hastilude")
    stories = [two_worlds(subject, viewer, f"{viewer} {number}") for number in range(STORIES)]
    worlds = max(stories, key=lambda worlds: (differs_hidden(*worlds), len(worlds[0].plays)))
    assert worlds[0].chance != worlds[1].chance
    assert differs_hidden(*worlds)
    gotten = []
    for place, world, noisy in zip(places, worlds, (False, True), strict=True):
        deal(world, monkeypatch)
        with logged(caplog) as lines:
            witness, figures = happen(place, subject, viewer, world, noisy)
        gotten.append((witness.seen, figures, lines))
    for first, second in zip(*(seen for seen, _, _ in gotten), strict=True):
        assert first == second
    assert gotten[0][1] == gotten[1][1]
    assert gotten[0][2] == gotten[1][2]
    assert len(gotten[0][2]) > subject.game.seats
    assert witness.sent == set(protocol.client_frames.json_schema()["discriminator"]["mapping"])
    assert witness.visited | set(EXCUSED) == set(routes(create_app(Settings(database=":memory:"))))


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda one: one.game.name)
def test_a_puzzle_does_not_depend_on_what_is_hidden(subject: Subject) -> None:
    for seat in range(subject.game.seats):
        stories = [two_worlds(subject, seat, f"{seat} {number}") for number in range(STORIES)]
        one, other = max(stories, key=lambda worlds: len(worlds[0].plays))
        assert one.chance != other.chance
        assert puzzles_of(subject, seat, one) == puzzles_of(subject, seat, other) != []


def puzzles_of(subject: Subject, seat: int, world: World) -> list[Any]:
    """What is sent of the puzzles in a story, one for each choice of a seat."""
    match = subject.game.new(chance=world.chance)
    sent = []
    for player, actions in world.plays:
        if player == seat:
            puzzle = Puzzle(match.record(), seat, (), 0, (), 1200, Source(0, 0))
            position = orjson.loads(outbound.puzzle_position(puzzle, puzzle.match()))
            del position["id"]  # a digest of the record
            sent.append(position)
        for action in actions:
            match.play(player, action)
    return sent


def routes(app: Any) -> Iterator[str]:
    for route in app.routes:
        if hasattr(route, "original_router"):
            yield from (one.path for one in route.original_router.routes)
        else:
            yield route.path


def test_a_bot_waits_as_long_whatever_it_holds(tmp_path: Path) -> None:
    """Also for its last card, which it need not think about."""
    wait = 80  # milliseconds
    settings = replace(GENEROUS, database=str(tmp_path / "t.db"), bot_wait_seconds=wait / 1000)
    with in_thread(settings) as server:
        code = server.open_table("triatri", options={"players": 2}, seats=[None, "page"])["code"]
        play_out([server.client(code, server.sit(code, "Ada")["token"])])
    with sqlite3.connect(tmp_path / "t.db") as database:
        rows = database.execute("SELECT at, entry FROM log ORDER BY version").fetchall()
        masters = dict(database.execute("SELECT number, master FROM seeds"))
    table = Table(code, masters.__getitem__)
    forced, waited = set(), []
    for at, text in rows:
        entry = log.entries.validate_json(text)
        if isinstance(entry, log.Played) and entry.seat == 1:
            assert table.match is not None
            forced.add(len(table.match.legal(1)) == 1)
            waited.append(at - table.seats[1].since)
        table.apply(entry, at)
    assert forced == {True, False}
    assert min(waited) >= wait - 1
