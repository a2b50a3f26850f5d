"""Keep addresses as their links have them, where robots.txt may see them differently from their canonical form."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add a column each to links and frontier."""
    op.add_column("frontier", sa.Column("written", sa.Text))
    op.add_column("links", sa.Column("written", sa.Text))


def downgrade() -> None:
    """Take them away again."""
    op.drop_column("links", "written")
    op.drop_column("frontier", "written")
