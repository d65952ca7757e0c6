"""Measures what a deal costs more on a Ray of this machine than in processes of its own.

    python bench/cluster.py --sleep 1 [--deals 24] [--repetitions 5]
    python bench/cluster.py GAME --bots search:200,search:200 [--deals 24] [--repetitions 5]

Both have as many processes and the same deals, alternately, so that changes in the machine's speed
affect both. With `--sleep` a deal is waiting, so that other work on the machine hardly matters, and
the time per deal and process shows what sharing out costs. Starting is not counted: the time is
taken from the first result of the last process to begin until the last result. With a game it is
the processor time of the bots in a deal, which shows whether they are slower there.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import hastilude
from hastilude.arena import Contest, DealResult
from hastilude.arena.deals import Deals
from hastilude.workers import Job, Local, Workers
from hastilude.workers.cluster import Cluster


@dataclass(frozen=True)
class Sleep:
    seconds: float

    def prepare(self) -> None:
        pass

    def do(self, task: int) -> int:
        time.sleep(self.seconds)
        return task


def sharing(workers: Workers, job: Job[Any], deals: int, count: int) -> float:
    """Seconds per deal and process."""
    ends = [time.perf_counter() for _ in workers.share_out(job, range(deals))]
    return (ends[-1] - ends[count - 1]) * count / (deals - count)


def thinking(workers: Workers, job: Job[DealResult], deals: int, _: int) -> float:
    """Seconds of processor time per deal."""
    results = [result for _, result in workers.share_out(job, range(deals))]
    return sum(times.total for result in results for times in result.times) / 1000 / deals


def measured(
    given: argparse.Namespace, job: Job[Any], measure: Callable[..., float]
) -> Iterator[tuple[float, float]]:
    with Cluster(count=given.workers) as cluster:
        measure(cluster, job, given.workers + 1, given.workers)  # starts it
        for _ in range(given.repetitions):
            here = measure(Local(given.workers), job, given.deals, given.workers)
            yield here, measure(cluster, job, given.deals, given.workers)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", nargs="?")
    parser.add_argument("--bots", default="search:200,search:200")
    parser.add_argument("--sleep", type=float)
    parser.add_argument("--deals", type=int, default=24)
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    if given.sleep is None and given.game is None:
        parser.error("a game or --sleep is needed")
    job: Job[Any] = Sleep(given.sleep or 0.0)
    measure: Callable[..., float] = sharing
    if given.game:
        game, bots = hastilude.load(given.game), given.bots.split(",")
        job, measure = Deals(Contest.of(game, bots, processor_time=True)), thinking
    pairs = []
    for here, there in measured(given, job, measure):
        pairs.append((here, there))
        load = os.getloadavg()[0]
        print(f"processes {here:.3f} s  Ray {there:.3f} s  {there / here:.3f}  (load {load:.1f})")
    ratios = [there / here for here, there in pairs]
    extra = [there - here for here, there in pairs]
    print(
        f"median ratio {statistics.median(ratios):.3f}, {min(ratios):.3f} to {max(ratios):.3f}; "
        f"{1000 * statistics.median(extra):.1f} ms more per deal"
    )


if __name__ == "__main__":
    main()
