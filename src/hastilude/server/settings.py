"""What a host may set. Every limit is here, with a default for a small public server.

The comment beside a setting is its description in docs/hosting.md (`make docs`).
"""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Rate:
    """So many at once, and so many a second for long."""

    burst: float
    per_second: float


@dataclass(frozen=True)
class Settings:
    # The server
    database: str = "hastilude.db"  # an SQLite file, or postgresql://…
    host: str = "127.0.0.1"  # the address to listen on; 0.0.0.0 for all of this machine's
    port: int = 8000  # 0: any free one
    public_url: str = ""  # what links begin with; by default the address that a request came to
    origins: tuple[str, ...] = ()  # pages of other addresses that may open a socket
    behind_proxy: bool = False  # believe X-Forwarded-For, which only a proxy of ours can set
    proxies: int = 1  # with `behind_proxy`: how many proxies of ours a request comes through
    web: Path | None = None  # the folder of a built page; by default the one of this installation

    # Connections
    connections_per_address: int = 256  # of all kinds; not counted behind a proxy, which must do it
    connection_rate: Rate = Rate(256, 20)  # new connections of one address; likewise
    head_bytes: int = 16 * 1024  # of a request's first line and headers, at most
    request_seconds: float = 10  # until a connection must have sent a whole request
    frame_bytes: int = 16 * 1024  # of a frame, or of the body of a request, at most
    send_bytes: int = 64 * 1024  # that the system keeps for a client that does not read
    hello_seconds: float = 10  # until a connection must have said who it is
    ping_seconds: float = 20  # between two pings; who does not answer one in that time is gone
    sockets: int = 20_000  # open WebSockets at once
    sockets_per_address: int = 200  # open WebSockets of one address
    replies: int = 32  # answers that wait for a slow client before it is closed
    bad_frames: int = 5  # of one connection, then it is closed
    frame_rate: Rate = Rate(60, 20)  # frames of one connection; as many pings and fragments again
    seat_rate: Rate = Rate(80, 30)  # frames of one seat, over all its connections
    address_rate: Rate = Rate(600, 200)  # frames of one address, over all its connections
    request_rate: Rate = Rate(60, 10)  # HTTP requests and opened sockets of one address
    guess_rate: Rate = Rate(10, 0.2)  # wrong tokens and codes, of one address
    opening_rate: Rate = Rate(20, 0.2)  # new tables, of one address
    hint_rate: Rate = Rate(5, 1)  # hints of one seat

    # Tables
    tables_per_address: int = 50  # new tables of one address in which nobody sat down yet
    empty_minutes: float = 30  # then a table without people closes
    listed: int = 100  # tables in the list of open ones
    warm_seconds: float = 60  # an idle table leaves memory after that
    away_seconds: int = 60  # a bot stands in for who is away so long, unless the table says else
    watchers: int = 200  # spectators of one table
    matches_per_table: int = 100  # then a rematch needs a new table
    listed_minutes: float = 30  # a table where nobody is connected for so long leaves the list
    keep_days: float = 30  # an unfinished table where nobody is connected for so long is deleted
    keep_finished_days: float = 180  # the same for a table whose last match is over

    # Bots
    bot_threads: int = 2  # in which bots think
    champions_per_address: int = 12  # at tables where somebody is, of one address
    bot_wait_seconds: float = 0.8  # they answer that long after they were asked, whatever they hold
    champion_wait_seconds: float = 1.2  # the same for bots of the highest level

    # Storage
    beat_seconds: float = 1.0  # between two signs of life, which clocks go by
    poll_seconds: float = 2.0  # how soon a lost notification of another server is repaired


def is_postgres(database: str) -> bool:
    return database.startswith(("postgresql://", "postgres://"))


def sqlite_file(database: str) -> Path:
    """The file of a database that is not PostgreSQL, given as a path or as sqlite:///PATH."""
    return Path(database.removeprefix("sqlite:///"))
