"""Alembic's entry point: `store.migrate` passes an open connection, in a transaction."""

from alembic import context

from hastilude.server.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
