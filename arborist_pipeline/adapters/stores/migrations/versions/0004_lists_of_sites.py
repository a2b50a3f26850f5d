"""Remember which site list a site stands in, so that no other list retires it."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; the next refresh fills it."""
    op.add_column("sites", sa.Column("listed_in", sa.Text))


def downgrade() -> None:
    """Take it away again."""
    op.drop_column("sites", "listed_in")
