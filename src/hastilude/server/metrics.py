"""The metrics for `/metrics`, in Prometheus' format."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

REGISTRY = CollectorRegistry()
PLAYS = Counter("hastilude_plays", "Choices stored", ["game"], registry=REGISTRY)
SOCKETS = Gauge("hastilude_sockets", "Open connections", registry=REGISTRY)
TABLES = Gauge("hastilude_tables_in_memory", "Tables in memory", registry=REGISTRY)
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
    "hastilude_reviews_waiting", "Reviews waiting or being made", registry=REGISTRY
)
REVIEW_SECONDS = Histogram(
    "hastilude_review_seconds",
    "From the turn of a review to its end",
    buckets=(0.5, 1, 2, 5, 10, 20, 60, 300, 1800),
    registry=REGISTRY,
)
STORE_UNAVAILABLE = Gauge(
    "hastilude_store_away", "1 while the database is unavailable or damaged", registry=REGISTRY
)
