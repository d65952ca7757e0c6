"""The server as its host meets it: starting, what is wrong in a sentence, health, figures, logs."""

import re
import socket
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

import hastilude
from hastilude.cli import main
from hastilude.server.metrics import REGISTRY
from hastilude.server.settings import Rate, Settings
from hastilude.server.settings_file import read_settings
from tests.server.crowd import entries
from tests.server.running import Process, play_out, process

# --- what is wrong --------------------------------------------------------------------------------


class Host:
    """Somebody who tries to start a server."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self._capsys = capsys

    def refused(self, *arguments: str) -> str:
        """What `serve` says, in one sentence, and the same in Japanese is another."""
        told = [self._refused(*arguments, "--language", language) for language in ("en", "ja")]
        assert not re.search("[ぁ-ん]", told[0])
        assert re.search("[ぁ-ん]", told[1])
        return told[0]

    def refused_settings(self, content: str) -> str:
        path = self.folder / "settings.toml"
        path.write_text(content, "utf-8")
        return self.refused("--config", str(path))

    def _refused(self, *arguments: str) -> str:
        database = ["--database", str(self.folder / "tables.db")]
        assert main(["serve", "--port", "0", *database, *arguments]) == 2
        out, err = self._capsys.readouterr()
        assert not out
        assert err.count("\n") == 1
        return err


@pytest.fixture
def host(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Host:
    return Host(tmp_path, capsys)


def test_a_port_that_is_taken(host: Host) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        told = host.refused("--port", str(port))
    assert f"Cannot open port {port} of 127.0.0.1: Address already in use." in told
    assert not list(host.folder.iterdir())  # the database of whoever has the port is not touched


def test_a_host_that_is_not_this_machine(host: Host) -> None:
    assert "192.0.2.1" in host.refused("--host", "192.0.2.1")


def test_a_database_that_cannot_be_used(host: Host) -> None:
    folder = str(host.folder)
    assert f"folder {folder}/no" in host.refused("--database", f"{folder}/no/tables.db")
    told = host.refused("--database", folder)
    assert told == f"Cannot use the database {folder}: Is a directory.\n"
    text = host.folder / "text.db"
    text.write_text("no database at all " * 100)
    assert "is not a database" in host.refused("--database", str(text))
    assert "Cannot use the database postgresql://anna:***@127.0.0.1:1/x" in host.refused(
        "--database", "postgresql://anna:secret@127.0.0.1:1/x"
    )


def test_settings_that_are_unknown(host: Host) -> None:
    assert "Did you mean warm_seconds?" in host.refused_settings("warm_second = 5")
    assert "no setting qqq" in host.refused_settings("qqq = 5")


@pytest.mark.parametrize(
    "line",
    [
        "port = 80.5",
        "port = true",
        "port = -1",
        "bot_threads = 0",
        "workers = 0.5",
        "beat_seconds = 0",
        "beat_seconds = nan",
        'hello_seconds = "10"',
        "behind_proxy = 1",
        "frame_rate = 5",
        "frame_rate = [5]",
        'frame_rate = ["a", "b"]',
        "frame_rate = [[1], [2]]",
        "origins = [5]",
        'origins = "https://example.org"',
        "web = 5",
        "database = 5",
    ],
)
def test_settings_of_the_wrong_form(host: Host, line: str) -> None:
    name = line.split(" = ", maxsplit=1)[0]
    assert f"Invalid {name}: " in host.refused_settings(line)


def test_settings_that_cannot_be_read(host: Host) -> None:
    assert "Cannot read the settings" in host.refused_settings("port = = 5")
    assert "Cannot read the settings" in host.refused("--config", str(host.folder / "none.toml"))


def test_settings_are_read(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(
        'host = "0.0.0.0"\nport = 0\nhello_seconds = 2.5\nping_seconds = 7\n'
        'frame_rate = [5, 0.5]\norigins = ["https://example.org"]\nweb = "here"\n'
    )
    assert read_settings(path, Settings()) == Settings(
        host="0.0.0.0",
        port=0,
        hello_seconds=2.5,
        ping_seconds=7,
        frame_rate=Rate(5, 0.5),
        origins=("https://example.org",),
        web=Path("here"),
    )


def test_several_workers_need_postgresql(host: Host) -> None:
    assert "Several workers need PostgreSQL" in host.refused("--workers", "2")
    assert "Several workers need PostgreSQL" in host.refused_settings("workers = 2")


@pytest.mark.parametrize("number", ["0", "65", "-1"])
def test_a_number_of_workers_that_is_not_possible(host: Host, number: str) -> None:
    database = "postgresql://anna@127.0.0.1:1/x"
    told = host.refused("--workers", number, "--database", database)
    assert told == f"The number of workers must be 1 to 64, not {number}.\n"


# --- a day at the tables --------------------------------------------------------------------------

NAMES = ["Annabella", "Benedikta", "Carlotta"]
SEEDS = ["a1" * 16, "b2" * 16, "c3" * 16, "d4" * 16]
LINE = re.compile(
    r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} INFO (?P<code>[a-z0-9]{8}) (?P<version>\d+) "
    r"(?P<kind>[a-z_]+)( seat=\d| game=triatri)?\n"
)


@pytest.fixture(scope="module")
def day(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Process, str]]:
    """A server after a match and a rematch, in which one player left and one was kicked; its host
    and port come from a settings file."""
    folder = tmp_path_factory.mktemp("day")
    settings = folder / "settings.toml"
    rates = ("request_rate", "frame_rate", "seat_rate", "address_rate")
    free = "".join(f"{rate} = [1000, 1000]\n" for rate in rates)
    settings.write_text("bot_wait_seconds = 0\n" + free)
    with process(folder / "tables.db", "--config", str(settings)) as server:
        yield server, spend_the_day(server)


def spend_the_day(server: Process) -> str:
    address = server.address
    table = address.open_table("triatri", options={"players": 3}, watch="nobody")
    code = table["code"]
    sittings = [
        address.sit(code, name, seed=seed, host=table["host"] if name == NAMES[0] else None)
        for name, seed in zip(NAMES, SEEDS, strict=False)
    ]
    clients = [address.client(code, sitting["token"]) for sitting in sittings]
    stranger = address.client(code, "x" * 32)
    assert stranger.closed() == 4401
    clients[0].socket.send('{"type": "secret-nonsense"}')
    play_out(clients)
    for client in clients:
        client.send("rematch", seed=SEEDS[3])
    for client in clients:
        client.wait_for(lambda update: update["match"] == 2)
    clients[1].send("leave")
    assert clients[1].closed() == 4410
    clients[0].send("kick", seat=2)
    assert clients[2].closed() == 4410
    play_out(clients[:1])
    for client in clients:
        client.close()
    return str(code)


def test_the_address_is_printed_and_only_this_machine_reaches_it(
    day: tuple[Process, str],
) -> None:
    server, _ = day
    assert server.lines == [f"Hastilude is running at {server.address.url}\n"]
    port = int(server.address.url.rpartition(":")[2])
    assert server.address.url == f"http://127.0.0.1:{port}"
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.2", port))


def test_health(day: tuple[Process, str]) -> None:
    answer = day[0].address.get("/health")
    assert answer == {"status": "ok", "version": hastilude.__version__}


def test_metrics_count_plays(day: tuple[Process, str]) -> None:
    server, code = day
    database = Path(server.command[server.command.index("--database") + 1])
    plays = sum(entry["kind"] == "played" for _, entry in entries(database, code))
    text = server.address.request("GET", "/metrics").text
    samples = {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }
    assert samples["hastilude_plays_total", "triatri"] == plays
    assert samples["hastilude_tables_in_memory",] == 1
    assert samples["hastilude_store_away",] == 0
    assert samples["hastilude_refused_total", "token_unknown"] == 1


def test_the_page_for_hosts_tells_every_figure() -> None:
    page = (Path(__file__).parents[2] / "docs" / "hosting.md").read_text("utf-8")
    for family in REGISTRY.collect():
        name = family.name + ("_total" if family.type == "counter" else "")
        assert f"`{name}`" in page


def test_the_log_has_a_line_for_each_event_and_no_secret(day: tuple[Process, str]) -> None:
    """Plays are counted, not logged. A line has nothing but code, version, kind, seat or game."""
    server, code = day
    database = Path(server.command[server.command.index("--database") + 1])
    lines = [LINE.fullmatch(line) for line in server.errors]
    assert all(lines), server.errors
    told = [(line["code"], int(line["version"]), line["kind"]) for line in lines if line]
    kept = entries(database, code)
    assert told == [(code, n, entry["kind"]) for n, entry in kept if entry["kind"] != "played"]
    kinds = [entry["kind"] for _, entry in kept]
    assert kinds.count("left") == 2
    assert kinds.count("started") == 2
    text = "".join(server.errors)
    with closing(sqlite3.connect(database)) as connection:
        masters = [row[0].hex() for row in connection.execute("SELECT master FROM seeds")]
    assert len(masters) == 3
    assert not any(secret in text for secret in (*masters, *SEEDS, *NAMES))
