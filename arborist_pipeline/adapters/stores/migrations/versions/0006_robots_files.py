"""Keep the last good copy of each robots.txt, for the time when the file cannot be had."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "robots_files",
        sa.Column("origin", sa.Text, nullable=False),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("status", sa.Integer, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("fetched_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("origin", name="pk_robots_files"),
    )


def downgrade() -> None:
    """Drop it."""
    op.drop_table("robots_files")
