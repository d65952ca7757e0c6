"""The metrics for `/metrics`, in Prometheus' format.

The workers of a server keep them in files of a common folder, so that each can show the page of all
(`multiprocess` in prometheus_client). That is chosen before this module is imported.
"""

import os
from typing import Literal, TypedDict

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
    multiprocess,
    values,
)

FOLDER = "PROMETHEUS_MULTIPROC_DIR"  # the library's name for it in the environment


class Among(TypedDict):
    multiprocess_mode: Literal["livesum"]


_process = "supervisor"  # part of the names of this process's files


def keep_as(process: str) -> None:
    """Say which of the workers this process is, after it was forked."""
    global _process  # noqa: PLW0603  # the library asks for it again and again
    _process = process


if FOLDER in os.environ:
    values.ValueClass = values.MultiProcessValue(lambda: _process)  # type: ignore[no-untyped-call]

SUM: Among = {"multiprocess_mode": "livesum"}  # of the workers that are alive
REGISTRY = CollectorRegistry()
PLAYS = Counter("hastilude_plays", "Choices stored", ["game"], registry=REGISTRY)
WORKERS = Gauge("hastilude_workers", "Workers that are up", registry=REGISTRY, **SUM)
SOCKETS = Gauge("hastilude_sockets", "Open connections", registry=REGISTRY, **SUM)
TABLES = Gauge("hastilude_tables_in_memory", "Tables in memory", registry=REGISTRY, **SUM)
REFUSED = Counter("hastilude_refused", "Refused frames and requests", ["key"], registry=REGISTRY)
CLOSED = Counter("hastilude_closed", "Connections closed for abuse", ["key"], registry=REGISTRY)
COMMIT = Histogram(
    "hastilude_play_seconds",
    "From receiving a play to its acknowledgement",
    buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1, 5),
    registry=REGISTRY,
)
REVIEWS = Counter("hastilude_reviews", "Reviews made", ["state"], registry=REGISTRY)
REVIEWS_WAITING = Gauge(
    "hastilude_reviews_waiting", "Reviews waiting or being made", registry=REGISTRY, **SUM
)
REVIEW_SECONDS = Histogram(
    "hastilude_review_seconds",
    "From the turn of a review to its end",
    buckets=(0.5, 1, 2, 5, 10, 20, 60, 300, 1800),
    registry=REGISTRY,
)
STORE_UNAVAILABLE = Gauge(
    "hastilude_store_away",
    "1 while the database is unavailable or damaged",
    registry=REGISTRY,
    multiprocess_mode="livemax",
)


def page() -> bytes:
    """The metrics of this process, or of all workers."""
    if FOLDER not in os.environ:
        return generate_latest(REGISTRY)
    together = CollectorRegistry()
    multiprocess.MultiProcessCollector(together)  # type: ignore[no-untyped-call]
    return generate_latest(together)


def forget(process: str) -> None:
    """Forget what a worker had at the moment, because it has ended. What it counted remains."""
    multiprocess.mark_process_dead(process)  # type: ignore[no-untyped-call]
