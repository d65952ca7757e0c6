"""The host's settings. Every limit is here, with a default for a small public server.

The comment beside a setting is its description in docs/hosting.md (`make docs`).
"""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Rate:
    """A burst, and a sustained rate per second."""

    burst: float
    per_second: float


@dataclass(frozen=True)
class Settings:
    # The server
    database: str = "hastilude.db"  # an SQLite file or a postgresql://… URL
    host: str = "127.0.0.1"  # the address to listen on; 0.0.0.0 for all addresses of this machine
    port: int = 8000  # 0 for any free port
    public_url: str = ""  # start of links; by default the address of the request
    origins: tuple[str, ...] = ()  # other addresses whose pages may open a socket
    behind_proxy: bool = False  # trust X-Forwarded-For; your proxy must set it
    proxies: int = 1  # with `behind_proxy`: number of your proxies that a request passes through
    workers: int = 1  # processes that share the port; more than 1 need PostgreSQL and Linux
    web: Path | None = None  # folder of a built page; by default the installed one

    # Connections
    connections_per_address: int = 256  # of all kinds; behind a proxy, the proxy must limit them
    connection_rate: Rate = Rate(256, 20)  # new connections per address; likewise
    head_bytes: int = 16 * 1024  # maximum size of a request's first line and headers
    request_seconds: float = 10  # time limit for a connection to send a whole request
    frame_bytes: int = 16 * 1024  # maximum size of a frame or of a request body
    send_bytes: int = 64 * 1024  # buffered by the system for a stalled client
    hello_seconds: float = 10  # time limit for a connection to identify itself
    ping_seconds: float = 20  # between pings; a client that does not answer within it is gone
    sockets: int = 20_000  # open WebSockets at once
    sockets_per_address: int = 200  # open WebSockets per address
    replies: int = 32  # answers queued for a slow client before it is closed
    bad_frames: int = 5  # per connection, before it is closed
    frame_rate: Rate = Rate(60, 20)  # frames per connection; the same again for pings and fragments
    seat_rate: Rate = Rate(80, 30)  # frames per seat, over all its connections
    address_rate: Rate = Rate(600, 200)  # frames per address, over all its connections
    request_rate: Rate = Rate(60, 10)  # API requests and opened sockets per address
    page_rate: Rate = Rate(600, 100)  # files of the page per address, which many people may share
    guess_rate: Rate = Rate(10, 0.2)  # wrong tokens and codes per address
    opening_rate: Rate = Rate(20, 0.2)  # new tables per address
    hint_rate: Rate = Rate(5, 1)  # hints per seat

    # Tables
    tables_per_address: int = 50  # new tables per address where nobody has sat down yet
    empty_minutes: float = 30  # after this, a table without people closes
    listed: int = 100  # tables in the public list
    warm_seconds: float = 60  # an idle table leaves memory after this
    away_seconds: int = 180  # a bot takes over after this absence, unless the table overrides it
    offline_seconds: float = 5  # the game log says that a player is offline after this
    watchers: int = 200  # spectators per table
    queue: int = 8  # spectators per table who wait for a seat
    matches_per_table: int = 100  # after these, a rematch needs a new table
    listed_minutes: float = 30  # a table with nobody connected leaves the list after this
    keep_days: float = 30  # an unfinished table with nobody connected is deleted after this
    keep_finished_days: float = 180  # the same for a table whose last match is over

    # Bots
    bot_threads: int = 2  # threads for bots to think in
    champions_per_address: int = 12  # per address, at tables where somebody is connected
    bot_wait_seconds: float = 0.8  # delay before a bot's answer, the same whatever it holds
    champion_wait_seconds: float = 1.2  # the same for bots of the highest level
    hint_seconds: float = 2.0  # the longest that a hint is thought about

    # Reviews
    reviews: int = 100  # waiting or being made at once
    reviews_per_address: int = 4  # the same per address

    # Storage
    beat_seconds: float = 1.0  # between heartbeats, which clocks rely on
    poll_seconds: float = 2.0  # time to recover a lost notification from another server


def is_postgres(database: str) -> bool:
    return database.startswith(("postgresql://", "postgres://"))


def sqlite_file(database: str) -> Path:
    """The file of a database that is not PostgreSQL, given as a path or as sqlite:///PATH."""
    return Path(database.removeprefix("sqlite:///"))
