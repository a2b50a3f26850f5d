"""Put answered pages into the buckets of due ones, with a date each and an index to read them by."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

_DONE = sa.text("state = 'done'")


def upgrade() -> None:
    """Give done pages bucket 0 (products) or 2; a done page without a date has been due since its answer."""
    op.execute("UPDATE frontier SET bucket = CASE WHEN kind = 'product' THEN 0 ELSE 2 END, "
               "due_at = coalesce(due_at, fetched_at, discovered_at) WHERE state = 'done'")  # fmt: skip
    op.create_index("ix_frontier_due", "frontier", ["site_id", "bucket", "due_at", "seq"], sqlite_where=_DONE,
                    postgresql_where=_DONE)  # fmt: skip


def downgrade() -> None:
    """Take the index away; where done pages stand means nothing to older programs."""
    op.drop_index("ix_frontier_due", "frontier")
