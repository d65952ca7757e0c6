"""Alembic's entry: `store.migrate` hands over an open connection."""

from alembic import context

from hastilude.server.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
