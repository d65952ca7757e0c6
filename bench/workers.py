"""Measures a server with different numbers of workers under the same load, alternately.

    python bench/workers.py --peer ../shared/load --database URL --workers 1 2 --tables 200

`--peer` is the folder of the load generator, after `npm install`; the database a PostgreSQL. With
`--think 1000`, every table makes about one move per second. CPU time is that of all processes of
the server, without the database, per choice that the server counted.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.request import urlopen

HERE = Path(__file__).parent.absolute()
TICKS = os.sysconf("SC_CLK_TCK")
PLAYS = re.compile(r"^hastilude_plays_total{.*} (\S+)$", re.MULTILINE)
END_SECONDS = 1.0  # of a run, when not all tables play any more
Figures = dict[str, float]


class Sample(NamedTuple):
    at: float
    cpu: float
    plays: float


@contextmanager
def served(database: str, workers: int) -> Iterator[tuple[str, int]]:
    """A server; yields its address and process."""
    command = [sys.executable, "-c", "import sys; from hastilude.cli import main; sys.exit(main())"]
    command += ["serve", "--port", "0", "--database", database, "--workers", str(workers)]
    command += ["--config", str(HERE / "load.toml"), "--language", "en"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout
        try:
            line = next(line for line in process.stdout if "http://" in line)
            yield line[line.index("http://") :].strip(), process.pid
        finally:
            process.terminate()


def cpu_of(process: int) -> float:
    """Seconds of CPU time of a process and its children."""
    family = [process, *map(int, _read(f"/proc/{process}/task/{process}/children").split())]
    times = [_read(f"/proc/{one}/stat").rpartition(")")[2].split()[11:13] for one in family]
    return sum(int(ticks) for pair in times for ticks in pair) / TICKS


def memory_of(process: int) -> float:
    """Megabytes of a process and its children; what they share counts once."""
    family = [process, *map(int, _read(f"/proc/{process}/task/{process}/children").split())]
    found = (re.search(r"^Pss: +(\d+)", _read(f"/proc/{one}/smaps_rollup"), re.M) for one in family)
    return sum(int(size[1]) for size in found if size) / 1024


def _read(path: str) -> str:
    return Path(path).read_text("ascii")


def sample(address: str, process: int) -> Sample:
    with urlopen(f"{address}/metrics") as page:
        plays = sum(map(float, PLAYS.findall(page.read().decode())))
    return Sample(time.monotonic(), cpu_of(process), plays)


def measure(load: Path, address: str, process: int, given: argparse.Namespace) -> Figures:
    command = ["node", "load.js", "--adapter", str(HERE / "adapter.js"), "--url", address]
    command += ["--matches", str(given.tables), "--secs", str(given.seconds)]
    command += ["--cap", "40", "--think", str(given.think)]
    libraries = {"NODE_PATH": str(load.absolute() / "node_modules")}
    running = subprocess.Popen(
        command, cwd=load, env=os.environ | libraries, stdout=subprocess.PIPE, text=True
    )
    samples = []
    while running.poll() is None:
        samples.append(sample(address, process))
        time.sleep(2)  # a page of metrics costs CPU time too
    assert running.stdout
    result: Any = json.loads(running.stdout.read())
    assert not result["errors"], result
    end = time.monotonic() - END_SECONDS
    inside = [one for one in samples if end - given.seconds <= one.at <= end]
    plays = inside[-1].plays - inside[0].plays
    return {
        "moves/s": result["moves_per_s"],
        "CPU ms/move": 1000 * (inside[-1].cpu - inside[0].cpu) / plays,
        "p50 ms": result["p50_ms"],
        "p99 ms": result["p99_ms"],
        "memory MB": memory_of(process),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--peer", type=Path, required=True)
    parser.add_argument("--database", required=True)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seconds", type=int, default=8)
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--think", type=int, default=0, help="milliseconds before each move")
    given = parser.parse_args()
    results: dict[int, list[Figures]] = {workers: [] for workers in given.workers}
    for _ in range(given.repetitions):
        for workers in given.workers:
            with served(given.database, workers) as (address, process):
                results[workers].append(measure(given.peer, address, process, given))
            print(workers, results[workers][-1], file=sys.stderr)
    for workers, runs in results.items():
        medians = {name: statistics.median(run[name] for run in runs) for name in runs[0]}
        print(f"{workers:3}", *(f"{name} {value:8.2f}" for name, value in medians.items()))


if __name__ == "__main__":
    main()
