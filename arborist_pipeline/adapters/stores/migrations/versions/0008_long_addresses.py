"""Let PostgreSQL take addresses of any length that a crawl takes."""

from alembic import op

from arborist_pipeline.adapters.stores.server_indexes import statements_for

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Index addresses by their hashes on PostgreSQL; SQLite stays as it is."""
    for statement in statements_for(op.get_bind().dialect.name):
        op.get_bind().exec_driver_sql(statement)


def downgrade() -> None:
    """Leave them: older programs work with them too."""
