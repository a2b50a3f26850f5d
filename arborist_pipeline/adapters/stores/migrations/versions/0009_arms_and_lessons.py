"""Keep what the frontier learns: the kinds of links of a site, and what each first answer taught."""

import sqlalchemy as sa
from alembic import op

from arborist_pipeline.adapters.stores.columns import Id

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table and the columns; what waits in the queues of before stays there."""
    op.create_table(
        "arms",
        sa.Column("site_id", Id, nullable=False),
        sa.Column("number", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("example", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("site_id", "number", name="pk_arms"),
        sa.ForeignKeyConstraint(["site_id"], ["sites.id"], name="fk_arms_site_id"),
    )
    for name in ("dispatched_seq", "completed_seq"):
        op.add_column("pages", sa.Column(name, Id))
    op.add_column("pages", sa.Column("lesson", sa.JSON(none_as_null=True)))


def downgrade() -> None:
    """Take them away again; queues of arms become the one that all else waits in."""
    op.execute("UPDATE frontier SET bucket = 3 WHERE bucket > 4")
    for name in ("lesson", "completed_seq", "dispatched_seq"):
        op.drop_column("pages", name)
    op.drop_table("arms")
