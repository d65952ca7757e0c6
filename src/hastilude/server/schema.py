"""The tables of the database. `migrations/` updates an older database to this schema."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    false,
)

metadata = MetaData()

# What the public list of tables needs; everything else about a table is in its log.
tables = Table(
    "tables",
    metadata,
    Column("code", String(12), primary_key=True),
    Column("game", String(40), nullable=False),
    Column("phase", String(12), nullable=False),
    Column("watch", String(8), nullable=False),
    Column("people", Integer, nullable=False),
    Column("free", Integer, nullable=False),
    Column("opened_at", BigInteger, nullable=False),
    Column(
        "seen_at", BigInteger, nullable=False, server_default="0"
    ),  # when somebody was last connected
    Column("scripted", Boolean, nullable=False, server_default=false()),
    Index("tables_by_phase", "phase", "opened_at"),
    Index("tables_by_seen", "phase", "seen_at"),
)

# One row per entry. Of two entries with the same version, one is refused.
log = Table(
    "log",
    metadata,
    Column("code", ForeignKey("tables.code", ondelete="CASCADE"), primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("entry", Text, nullable=False),
    Column("nonce", String(32), nullable=False),
)

# The master seeds, separate from everything that is read for views or log lines.
seeds = Table(
    "seeds",
    metadata,
    Column("code", ForeignKey("tables.code", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("master", LargeBinary, nullable=False),
)

# The records of finished matches, so that nobody has to replay a log for them.
records = Table(
    "records",
    metadata,
    Column("code", ForeignKey("tables.code", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("record", Text, nullable=False),
)

# The reviews of finished matches, as JSON, once they are whole.
reviews = Table(
    "reviews",
    metadata,
    Column("code", ForeignKey("tables.code", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("content", Text, nullable=False),
)

# One row: the last heartbeat of any server, and the total time without any, in milliseconds.
service = Table(
    "service",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("beat", BigInteger, nullable=False),
    Column("outage", BigInteger, nullable=False),
)

# Who is connected to which server, so that a server does not take another's guests for absent.
presence = Table(
    "presence",
    metadata,
    Column("server", String(32), primary_key=True),
    Column("code", String(12), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("beat", BigInteger, nullable=False),
)
