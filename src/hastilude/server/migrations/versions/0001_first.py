"""Create the first version of the database."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "tables",
        sa.Column("code", sa.String(12), primary_key=True),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("phase", sa.String(12), nullable=False),
        sa.Column("watch", sa.String(8), nullable=False),
        sa.Column("people", sa.Integer, nullable=False),
        sa.Column("free", sa.Integer, nullable=False),
        sa.Column("opened_at", sa.BigInteger, nullable=False),
    )
    op.create_index("tables_by_phase", "tables", ["phase", "opened_at"])
    op.create_table(
        "log",
        sa.Column(
            "code", sa.String(12), sa.ForeignKey("tables.code", ondelete="CASCADE"), nullable=False
        ),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("entry", sa.Text, nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("move", sa.String(60)),
        sa.Column("nonce", sa.String(32), nullable=False),
        sa.PrimaryKeyConstraint("code", "version"),
        sa.UniqueConstraint("code", "seat", "move", name="one_play"),
    )
    op.create_table(
        "seeds",
        sa.Column(
            "code", sa.String(12), sa.ForeignKey("tables.code", ondelete="CASCADE"), nullable=False
        ),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("master", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("code", "number"),
    )
    op.create_table(
        "service",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("beat", sa.BigInteger, nullable=False),
        sa.Column("outage", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "presence",
        sa.Column("server", sa.String(32), nullable=False),
        sa.Column("code", sa.String(12), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("beat", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("server", "code", "seat"),
    )
