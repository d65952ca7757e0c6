"""Nobody alone can choose the cards, and everybody can check it afterwards."""

import base64
import json
import logging
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hastilude.cli import main
from hastilude.core.shuffles import commitment
from hastilude.server.tokens import Sources
from tests.server.running import GENEROUS, Address, Client, in_thread, play_out

SEEDS = ["0a" * 16, "0b" * 32]
AGAIN = ["1a" * 16, "1b" * 16]


class Remembering(Sources):
    """The system's own secrets; the test knows which."""

    def __init__(self) -> None:
        self.masters: list[bytes] = []

    def master(self) -> bytes:
        self.masters.append(super().master())
        return self.masters[-1]

    def told_in(self, text: str, match: int) -> bool:
        """Whether the master of a match is in a text, in whatever form."""
        master = self.masters[match - 1]
        forms = (master.hex(), base64.b64encode(master).decode(), repr(master), str(list(master)))
        return any(form.lower() in text.lower() for form in forms)


@pytest.fixture
def sources() -> Remembering:
    return Remembering()


@pytest.fixture
def server(tmp_path: Path, sources: Remembering) -> Iterator[Address]:
    settings = replace(GENEROUS, database=str(tmp_path / "tables.db"))
    with in_thread(settings, sources=sources) as address:
        yield address


def sit_two(server: Address, table: Any) -> list[Client]:
    sittings = [
        server.sit(table["code"], name, seed=seed)
        for name, seed in zip(("Ada", "Ben"), SEEDS, strict=True)
    ]
    return [server.client(table["code"], sitting["token"]) for sitting in sittings]


def download(server: Address, code: str, match: int, folder: Path) -> Path:
    file = folder / f"match{match}.json"
    file.write_text(server.request("GET", f"/api/tables/{code}/matches/{match}/record").text)
    return file


def test_commitments_come_first_and_are_kept(
    server: Address,
    sources: Remembering,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(logging.DEBUG, "hastilude")
    table = server.open_table("triatri", options={"players": 2})
    code = table["code"]
    assert server.get(f"/api/tables/{code}")["commitment"] == table["commitment"]  # nobody sits
    first = server.sit(code, "Ada", seed=SEEDS[0])
    ada = server.client(code, first["token"])
    gathering = ada.wait_for(lambda update: update["seats"][0]["here"])
    assert gathering["seeds"] == [SEEDS[0], None]  # before anything is shuffled
    assert gathering["view"] is None
    ben = server.client(code, server.sit(code, "Ben", seed=SEEDS[1])["token"])
    clients = [ada, ben]
    started = ada.wait_for(lambda update: update["match"] == 1)
    assert started["seeds"] == SEEDS
    assert started["commitment"] == table["commitment"]
    assert server.get(f"/api/tables/{code}")["commitment"] == table["commitment"]
    assert server.request("GET", f"/api/tables/{code}/matches/1/record").status_code == 409

    over = play_out(clients)
    for match in (1, 2):
        assert not any(sources.told_in(text, match) for one in clients for text in one.texts)
    assert over["commitment"] == commitment(sources.masters[1]) != table["commitment"]
    record = json.loads(download(server, code, 1, tmp_path).read_text())
    assert record["proof"]["commitment"] == table["commitment"]
    assert record["proof"]["master"] == sources.masters[0].hex()
    assert record["proof"]["seeds"] == SEEDS

    for client, seed in zip(clients, AGAIN, strict=True):
        client.send("rematch", seed=seed)
    again = ada.wait_for(lambda update: update["match"] == 2)
    assert again["commitment"] == over["commitment"]
    assert again["seeds"] == AGAIN
    assert server.request("GET", f"/api/tables/{code}/matches/2/record").status_code == 409
    assert server.request("GET", f"/api/tables/{code}/matches/3/record").status_code == 404
    play_out(clients)
    second = download(server, code, 2, tmp_path)
    assert json.loads(second.read_text())["proof"]["master"] == sources.masters[1].hex()
    assert json.loads(download(server, code, 1, tmp_path).read_text()) == record

    assert main(["verify", str(tmp_path / "match1.json")]) == 0
    assert main(["verify", str(second)]) == 0
    for part, value in (("master", "00" * 32), ("seeds", AGAIN), ("table", "other/1")):
        forged = tmp_path / "forged.json"
        forged.write_text(json.dumps(record | {"proof": record["proof"] | {part: value}}))
        assert main(["verify", str(forged)]) == 1
    capsys.readouterr()
    assert not any(sources.told_in(caplog.text, match) for match in (1, 2, 3))
    for file in (tmp_path / "match1.json", second):
        assert not sources.told_in(file.read_text(), 3)


def test_an_abandoned_match_is_published(
    server: Address, sources: Remembering, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = server.open_table("triatri", options={"players": 2}, watch="anyone")
    clients = sit_two(server, table)
    watcher = server.client(table["code"])
    for client in clients:
        client.wait_for(lambda update: update["match"] == 1)
    mover = next(client for client in clients if client.update["legal"])
    assert mover.play(*mover.first_choice())["type"] == "done"
    clients[0].send("leave")
    assert clients[0].closed() == 4410
    assert watcher.wait_for(lambda u: u["seats"][0]["kind"] == "bot")["phase"] == "playing"
    clients[1].send("leave")
    closed = watcher.wait_for(lambda update: update["phase"] == "closed")
    assert not any(sources.told_in(text, 1) for one in (*clients, watcher) for text in one.texts)
    assert closed["winners"] is None
    file = download(server, table["code"], 1, tmp_path)
    record = json.loads(file.read_text())
    assert record["end"] == {"reason": "abandoned"}
    assert "winners" not in record
    assert record["proof"]["master"] == sources.masters[0].hex()
    assert main(["verify", str(file)]) == 0
    capsys.readouterr()
    steps = server.get(f"/api/tables/{table['code']}/matches/1/replay?seat=0")
    assert steps[-1]["view"]
    refused = server.request(
        "POST", f"/api/tables/{table['code']}/seats", json={"name": "Eve", "seed": SEEDS[0]}
    )
    assert refused.status_code == 409


def test_an_error_of_the_database_tells_no_seed_and_no_card(
    server: Address, sources: Remembering, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    table = server.open_table("triatri", options={"players": 2})
    ada = server.client(
        table["code"],
        server.sit(table["code"], "Ada", seed=SEEDS[0], host=table["host"])["token"],
    )
    ada.expect("update")
    with sqlite3.connect(tmp_path / "tables.db") as database:
        database.execute(
            "CREATE TRIGGER broken BEFORE INSERT ON seeds BEGIN SELECT RAISE(ABORT, 'broken'); END"
        )
    ada.send("start", level="page")
    assert ada.closed() == 1011
    assert "broken" in caplog.text
    assert len(sources.masters) > 1
    said = caplog.text + "".join(ada.texts)
    assert not any(sources.told_in(said, match + 1) for match in range(len(sources.masters)))
    assert SEEDS[0] not in caplog.text
