"""Add records of finished matches, when a table was last visited, and which tables are scripted."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "records",
        sa.Column(
            "code", sa.String(12), sa.ForeignKey("tables.code", ondelete="CASCADE"), nullable=False
        ),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("record", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("code", "number"),
    )
    # SQLite adds a column without a default only to an empty table.
    op.add_column("tables", sa.Column("seen_at", sa.BigInteger, nullable=False, server_default="0"))
    op.add_column(
        "tables", sa.Column("scripted", sa.Boolean, nullable=False, server_default=sa.false())
    )
    op.create_index("tables_by_seen", "tables", ["phase", "seen_at"])
    tables = sa.table(
        "tables", sa.column("code"), sa.column("seen_at"), sa.column("scripted", sa.Boolean)
    )
    log = sa.table(
        "log", sa.column("code"), sa.column("version"), sa.column("at"), sa.column("entry")
    )
    last = sa.select(sa.func.max(log.c.at)).where(log.c.code == tables.c.code).scalar_subquery()
    op.execute(sa.update(tables).values(seen_at=sa.func.coalesce(last, 0)))
    # Quotes inside texts are escaped, so nothing that a person typed can look like this.
    scripted = sa.select(log.c.code).where(log.c.version == 1, log.c.entry.contains('"script":{'))
    op.execute(sa.update(tables).where(tables.c.code.in_(scripted)).values(scripted=sa.true()))
