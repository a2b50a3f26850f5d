"""Alembic's entry: migrations run on the connection that `migrate.upgrade` hands over."""

from alembic import context

from arborist_pipeline.adapters.stores.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=True,
    render_as_batch=True,  # SQLite alters a table by making it anew
)
with context.begin_transaction():
    context.run_migrations()
