"""Whatever is sent, the server answers or closes; nothing is unhandled."""

import json
import logging
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

import hypothesis.strategies as st
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from websockets.exceptions import ConnectionClosed

from hastilude import protocol
from hastilude.games.registry import GAMES, load
from hastilude.server.app import create_app
from hastilude.server.reasons import CLOSE_CODES
from hastilude.server.settings import Settings
from tests.server.running import GENEROUS, SEED, Address, Client, in_thread

CHECKS = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
)
METHOD_NOT_ALLOWED = 405
SCHEMA = schemathesis.openapi.from_dict(create_app(Settings(database=":memory:")).openapi())
OPERATIONS = [operation.ok() for operation in SCHEMA.get_all_operations()]


def no_errors(caplog: pytest.LogCaptureFixture) -> None:
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Address]:
    database = str(tmp_path_factory.mktemp("fuzz") / "tables.db")
    generous = replace(GENEROUS, database=database, bad_frames=10**6, tables_per_address=10**6)
    with in_thread(generous) as address:
        yield address


@pytest.mark.parametrize("mode", GenerationMode)
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.label)
def test_requests(
    server: Address, caplog: pytest.LogCaptureFixture, operation: Any, mode: GenerationMode
) -> None:
    """Right and wrong requests by the schema get an answer that the schema knows."""

    @given(operation.as_strategy(generation_mode=mode))
    @settings(max_examples=15, suppress_health_check=list(HealthCheck))
    def answers_by_the_schema(case: schemathesis.Case) -> None:
        answer = case.call(base_url=server.url)
        if answer.status_code != METHOD_NOT_ALLOWED:
            case.validate_response(answer, checks=CHECKS)

    with suppress(Unsatisfiable):  # a route without parameters cannot be asked wrongly
        answers_by_the_schema()
    no_errors(caplog)


# What a chance event of a script may look like, nearly.
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=6,
)


@given(
    st.sampled_from(list(GAMES)),
    st.integers(0, 2),
    st.dictionaries(st.sampled_from(["hands", "deck", "seat", "aside", "dummy", "pile"]), anything),
)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_scripts(
    server: Address, caplog: pytest.LogCaptureFixture, game: str, good: int, values: Any
) -> None:
    """Some chance events are right, the last is not; the table is opened or refused."""
    match = load(game).new(seed=0)
    chance = [event for event in match.record().events if event[0] != "play"][:good]
    seats = [None, *["script"] * (match.game.seats - 1)]
    script = {"chance": [*chance, ["deal", values], ["shuffle", values]]}
    body = {"game": game, "seats": seats, "script": script}
    answer = server.request(
        "POST",
        "/api/tables",
        content=json.dumps(body),
        headers={"content-type": "application/json"},
    )
    assert answer.status_code in (201, 400, 413, 422)
    no_errors(caplog)


# --- frames ---------------------------------------------------------------------------------------

TYPES = sorted(protocol.client_frames.json_schema()["discriminator"]["mapping"])
FIELDS = ("id", "version", "actions", "phrase", "on", "seed", "seat", "level", "token", "since")
good_values = {
    "id": st.from_regex(r"\A[A-Za-z0-9_-]{1,40}\Z"),
    "version": st.integers(0, 2**31 - 1),
    "actions": st.lists(st.sampled_from(["1", "7", "D", "B", "", "X"]), max_size=9),
    "phrase": st.sampled_from(["hello", "thanks"]),
    "on": st.booleans(),
    "seed": st.just(SEED),
    "seat": st.integers(0, 8),
    "level": st.sampled_from(["page", "king"]),
}
almost_frames = st.builds(
    lambda type, good, wild: json.dumps({"type": type, **good, **wild}),
    st.sampled_from([kind for kind in TYPES if kind not in ("leave", "kick", "hint")]),
    st.fixed_dictionaries({}, optional=good_values),
    st.dictionaries(st.sampled_from(FIELDS) | st.text(max_size=4), anything, max_size=1),
)
frames = almost_frames | st.text(max_size=60) | st.binary(max_size=60) | anything.map(json.dumps)
EXPECTED = {"refused", "done", "answer", "update", "pong", "notice", "welcome"}


class Talkers:
    """A player and a watcher, connected again whenever they are closed."""

    def __init__(self, server: Address) -> None:
        self.server = server
        self.code = server.open_table("kings_tournament", seats=[None, "page"])["code"]
        self.token = server.sit(self.code, "Ada")["token"]
        self.clients: dict[str | None, Client] = {}

    def client(self, seated: bool) -> Client:
        token = self.token if seated else None
        if token not in self.clients:
            self.clients[token] = self.server.client(self.code, token)
            self.clients[token].expect("update")
        return self.clients[token]

    def lose(self, seated: bool) -> None:
        del self.clients[self.token if seated else None]


@pytest.fixture(scope="module")
def talkers(server: Address) -> Talkers:
    return Talkers(server)


@given(frame=frames, seated=st.booleans())
@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_frames(
    talkers: Talkers, caplog: pytest.LogCaptureFixture, frame: str | bytes, seated: bool
) -> None:
    client = talkers.client(seated)
    seen = len(client.frames)
    code = None
    try:
        client.socket.send(frame)
        client.send("ping")
        client.expect("pong")
    except ConnectionClosed as closed:
        talkers.lose(seated)
        code = closed.rcvd and closed.rcvd.code
    assert code in {None, *CLOSE_CODES.values(), 1007, 1009} - {CLOSE_CODES["failed"]}
    assert {one["type"] for one in client.frames[seen:]} <= EXPECTED
    no_errors(caplog)
