"""`hastilude backup`: a copy while the server runs, and a server on the copy."""

import asyncio
import sqlite3
from copy import deepcopy
from dataclasses import replace
from pathlib import Path

import pytest

from hastilude.cli import main
from hastilude.server.store import Store
from tests.server.crowd import (
    FREE,
    Player,
    all_come,
    all_leave,
    all_stay,
    check_views,
    entries,
    gather_players,
)
from tests.server.running import GENEROUS, Address, Process, in_thread, process


def test_a_copy_under_load_has_all_that_was_acknowledged_and_plays_on(tmp_path: Path) -> None:
    database, copy = tmp_path / "tables.db", tmp_path / "copy.db"
    with process(database, "--config", FREE) as server:
        players = gather_players(server.address, tables=20)
        before = asyncio.run(copy_while_playing(server, players, database, copy))
    assert [file.name for file in tmp_path.glob("*copy*")] == ["copy.db"]
    for player in before:
        kept = {entry.get("id"): number for number, entry in entries(copy, player.code)}
        assert [kept.get(play.id) for play in player.acknowledged] == [
            play.became for play in player.acknowledged
        ]
    with in_thread(replace(GENEROUS, database=str(copy))) as address:
        asyncio.run(come_and_play(address, before))
        check_views(before, copy)


async def copy_while_playing(
    server: Process, players: list[Player], database: Path, copy: Path
) -> list[Player]:
    """The players as they were when the copy began."""
    await all_come(players, server.address)
    playing = asyncio.create_task(all_stay(players))
    while sum(len(player.acknowledged) for player in players) < 5 * len(players):
        await asyncio.sleep(0.05)
    before = [Player(p.code, p.seat, p.token, plays=deepcopy(p.acknowledged)) for p in players]
    told = len(players[0].plays)
    arguments = ["backup", str(copy), "--database", str(database)]
    assert await asyncio.to_thread(main, arguments) == 0
    while len(players[0].acknowledged) < told + 2:  # play goes on after it
        await asyncio.sleep(0.05)
    await all_leave(players)
    await playing
    return before


async def come_and_play(address: Address, players: list[Player]) -> None:
    told = [len(player.plays) for player in players]
    await all_come(players, address)
    playing = asyncio.create_task(all_stay(players))
    while any(len(p.acknowledged) < n + 2 for p, n in zip(players, told, strict=True)):
        await asyncio.sleep(0.05)
    await all_leave(players)
    await playing


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "tables.db"
    store = Store(str(path))
    store.migrate()
    store.close()
    return path


def refusal(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    assert main(["backup", *map(str, arguments)]) == 2
    out, err = capsys.readouterr()
    assert not out
    assert err.count("\n") == 1
    return err


def test_a_file_is_replaced_only_by_force(
    tmp_path: Path, database: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "copy.db"
    copy.write_text("something else")
    assert "--force" in refusal(capsys, copy, "--database", database)
    assert copy.read_text() == "something else"
    assert main(["backup", str(copy), "--database", str(database), "--force"]) == 0
    assert str(copy) in capsys.readouterr().out
    connection = sqlite3.connect(copy)
    assert connection.execute("SELECT count(*) FROM log").fetchone() == (0,)
    connection.close()


def test_what_cannot_be_copied_is_said_in_a_sentence(
    tmp_path: Path, database: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "copy.db"
    assert "pg_dump" in refusal(capsys, copy, "--database", "postgresql://host/tables")
    assert "no database" in refusal(capsys, copy, "--database", tmp_path / "none.db")
    assert "itself" in refusal(capsys, database, "--database", database, "--force")
    assert "Cannot write" in refusal(capsys, tmp_path / "no" / "x", "--database", database)
    text = tmp_path / "text.db"
    text.write_text("no database at all " * 100)
    assert "not a database" in refusal(capsys, copy, "--database", text)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "tables.db",
        "tables.db-lock",
        "text.db",
    ]


def test_a_database_can_be_given_as_a_url(tmp_path: Path) -> None:
    database, copy = tmp_path / "tables.db", tmp_path / "copy.db"
    store = Store(f"sqlite:///{database}")
    store.migrate()
    store.close()
    assert database.is_file()
    assert main(["backup", str(copy), "--database", f"sqlite:///{database}"]) == 0
    assert copy.is_file()
