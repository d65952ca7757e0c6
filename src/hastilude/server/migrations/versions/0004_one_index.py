"""Drop what refused a play that is stored twice: the versions of a table already do.

Whoever stores an entry has read all earlier ones, a play with the same id among them. Without its
own index, a play changes half as many pages of the database.
"""

from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    with op.batch_alter_table("log") as log:
        log.drop_constraint("one_play", type_="unique")
        log.drop_column("seat")
        log.drop_column("move")
