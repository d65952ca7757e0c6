"""Measures our server and boardgame.io under the same load, alternately.

    python bench/load.py --peer ../shared/load --tables 50 200 --repetitions 5
    python bench/load.py --peer ../shared/load --game tornei --clock 600 --spectators 1

`--peer` is the folder of the load generator, after `npm install`. Each repetition measures both
servers; the results are medians over the repetitions, and their ratios. Ours plays a real game by
its rules (King's Tournament for two, Tornei for four, TriATri for three) and stores every move in
SQLite before it acknowledges it; the peer plays a toy game for two in memory. With `--think 1000`,
every table makes about one move per second. `node` must be the program itself, not a script that
starts it, because its process's CPU time is read.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PEER_PORT = 8123
GAMES = ("kings_tournament", "tornei", "triatri")
FIGURES = ("moves_per_s", "server_cpu_ms_per_move", "p50_ms", "p99_ms")
Server = tuple[str, int]  # its address and process


@contextmanager
def started(command: list[str], ready: str, folder: Path) -> Iterator[tuple[str, int]]:
    """Run a server process; yields the line that says it is ready, and the process."""
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout
        try:
            yield next(line for line in process.stdout if ready in line), process.pid
        finally:
            process.terminate()


@contextmanager
def ours(folder: Path) -> Iterator[Server]:
    command = [sys.executable, "-c", "import sys; from hastilude.cli import main; sys.exit(main())"]
    command += ["serve", "--port", "0", "--database", str(folder / "tables.db")]
    command += ["--config", str(HERE.absolute() / "load.toml"), "--language", "en"]
    with started(command, "http://", folder) as (line, process):
        yield line[line.index("http://") :].strip().rstrip("."), process


@contextmanager
def peer(folder: Path) -> Iterator[Server]:
    with started(["node", "server.js", str(PEER_PORT), "mem"], "READY", folder) as (_, process):
        yield f"http://127.0.0.1:{PEER_PORT}", process


def measure(given: argparse.Namespace, adapter: Path, server: Server, tables: int) -> Any:
    command = ["node", "load.js", "--adapter", str(adapter), "--url", server[0]]
    command += ["--pid", str(server[1]), "--matches", str(tables), "--secs", str(given.seconds)]
    command += ["--cap", "40", "--think", str(given.think)]
    environment = os.environ | {
        "NODE_PATH": str(given.peer.absolute() / "node_modules"),
        "GAME": given.game,
        "CLOCK": str(given.clock),
        "SPECTATORS": str(given.spectators),
    }
    done = subprocess.run(
        command, cwd=given.peer, env=environment, capture_output=True, text=True, check=True
    )
    result = json.loads(done.stdout)
    assert not result["errors"], result
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peer", type=Path, required=True)
    parser.add_argument("--tables", type=int, nargs="+", default=[50, 200])
    parser.add_argument("--seconds", type=int, default=8)
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--think", type=int, default=0, help="milliseconds before each move")
    parser.add_argument("--game", choices=GAMES, default=GAMES[0])
    parser.add_argument("--clock", type=int, default=0, help="seconds per player; 0: no clock")
    parser.add_argument("--spectators", type=int, default=0, help="per table")
    given = parser.parse_args()
    adapters = {"ours": HERE.absolute() / "adapter.js", "peer": Path("adapter-bgio.js")}
    with (
        tempfile.TemporaryDirectory() as folder,
        ours(Path(folder)) as us,
        peer(given.peer) as them,
    ):
        for tables in given.tables:
            results: dict[str, list[Any]] = {"ours": [], "peer": []}
            for _ in range(given.repetitions):
                for name, server in (("peer", them), ("ours", us)):
                    results[name].append(measure(given, adapters[name], server, tables))
            print(f"{tables} tables")
            for figure in FIGURES:
                mine, theirs = (
                    statistics.median(result[figure] for result in results[name])
                    for name in ("ours", "peer")
                )
                print(f"  {figure:24} {mine:9.2f}  peer {theirs:9.2f}  ratio {mine / theirs:5.2f}")


if __name__ == "__main__":
    main()
