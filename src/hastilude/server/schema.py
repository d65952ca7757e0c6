"""The tables of the database. `migrations/` brings an older one to this form."""

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
    UniqueConstraint,
    false,
)

metadata = MetaData()

# What the list of open tables needs; everything else about a table is in its log.
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
    Column("seen_at", BigInteger, nullable=False, server_default="0"),  # when somebody was there
    Column("scripted", Boolean, nullable=False, server_default=false()),
    Index("tables_by_phase", "phase", "opened_at"),
    Index("tables_by_seen", "phase", "seen_at"),
)

# One row an entry. Whoever comes second with a version, or with a play of a seat, loses.
log = Table(
    "log",
    metadata,
    Column("code", ForeignKey("tables.code", ondelete="CASCADE"), primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("entry", Text, nullable=False),
    Column("seat", Integer),
    Column("move", String(60)),  # the match's number and the client's id
    Column("nonce", String(32), nullable=False),
    UniqueConstraint("code", "seat", "move", name="one_play"),
)

# The master seeds, apart from everything that is ever read for a view or a log line.
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

# One row: the last sign of life of any server, and how long there was none, in milliseconds.
service = Table(
    "service",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("beat", BigInteger, nullable=False),
    Column("outage", BigInteger, nullable=False),
)

# Who is connected to which server, so that one server does not think another's guests away.
presence = Table(
    "presence",
    metadata,
    Column("server", String(32), primary_key=True),
    Column("code", String(12), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("beat", BigInteger, nullable=False),
)
