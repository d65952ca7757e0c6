"""Measures the server's CPU time to open a table, with different HTTP parsers.

    python bench/opening.py [--tables 150] [--repetitions 5]

Opening means one request for the table, one for each of two seats, and two sockets that get their
first update. The parsers alternate: ours (httptools with limits), uvicorn's httptools, and
uvicorn's h11 with a limited head. Prints the median CPU time per table.
"""

from __future__ import annotations

import argparse
import http.client
import json
import multiprocessing
import statistics
import tempfile
from pathlib import Path
from typing import Any

import uvicorn
from websockets.sync.client import connect

from hastilude.prepare import prepare
from hastilude.server.app import create_app
from hastilude.server.run import bind, config_of, get_ready
from hastilude.server.settings import Settings
from hastilude.server.settings_file import read_settings

FREE = Path(__file__).parent / "load.toml"
PARSERS = ("ours", "httptools", "h11")
HEADERS = {"content-type": "application/json"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=150)
    parser.add_argument("--repetitions", type=int, default=5)
    wanted = parser.parse_args()
    prepare(lambda: None)
    costs: dict[str, list[float]] = {name: [] for name in PARSERS}
    for _ in range(wanted.repetitions):
        for name, cost in costs.items():
            cost.append(measure(name, wanted.tables))
    for name, cost in costs.items():
        print(f"{name:10} {statistics.median(cost):.2f} ms per table")


def measure(parser: str, tables: int) -> float:
    """Milliseconds of the server's CPU time per table."""
    spawn = multiprocessing.get_context("spawn")
    here, there = spawn.Pipe()
    with tempfile.TemporaryDirectory() as folder:
        database = str(Path(folder) / "tables.db")
        process = spawn.Process(target=serve, args=(parser, database, there), daemon=True)
        process.start()
        port = here.recv()
        try:
            open_tables(port, tables // 5)  # warm
            before = seconds_used(process.pid)
            open_tables(port, tables)
            return 1000 * (seconds_used(process.pid) - before) / tables
        finally:
            process.terminate()
            process.join()


def serve(parser: str, database: str, port: Any) -> None:
    settings = read_settings(FREE, Settings(database=database, port=0))
    app = create_app(settings)
    app.state.house.store.migrate()
    get_ready(lambda: None)
    config = config_of(app, settings)
    if parser != "ours":
        config.http = parser
        config.h11_max_incomplete_event_size = settings.head_bytes
    listener = bind(settings)
    listener.listen(100)
    port.send(listener.getsockname()[1])
    uvicorn.Server(config).run(sockets=[listener])


def open_tables(port: int, tables: int) -> None:
    line = http.client.HTTPConnection("127.0.0.1", port)
    for _ in range(tables):
        code = post(line, "/api/tables", {"game": "kings_tournament"})["code"]
        for name in ("Ada", "Ben"):
            seat = post(line, f"/api/tables/{code}/seats", {"name": name, "seed": "ab" * 16})
            with connect(f"ws://127.0.0.1:{port}/api/tables/{code}/socket") as opened:
                opened.send(json.dumps({"type": "hello", "token": seat["token"]}))
                while json.loads(opened.recv())["type"] != "update":
                    pass
    line.close()


def post(line: http.client.HTTPConnection, path: str, body: Any) -> Any:
    line.request("POST", path, json.dumps(body), HEADERS)
    return json.load(line.getresponse())


def seconds_used(process: int | None) -> float:
    """The CPU time of a process so far."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


if __name__ == "__main__":
    main()
