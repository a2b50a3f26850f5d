"""Keep the tree of each site after each crawl."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

_HASH = sa.LargeBinary(length=32)


def upgrade() -> None:
    """Add the tables; trees are kept from now on."""
    op.create_table(
        "site_roots",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("site_id", sa.Integer, nullable=False),
        sa.Column("crawl_id", sa.Integer),
        sa.Column("root", _HASH, nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("taken_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_site_roots"),
        sa.ForeignKeyConstraint(["site_id"], ["sites.id"], name="fk_site_roots_site_id"),
    )
    op.create_index("ix_site_roots_site_id", "site_roots", ["site_id"])
    op.create_table(
        "site_leaves",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("site_id", sa.Integer, nullable=False),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("document_root", _HASH, nullable=False),
        sa.Column("since", sa.Integer, nullable=False),
        sa.Column("until", sa.Integer),
        sa.PrimaryKeyConstraint("id", name="pk_site_leaves"),
        sa.ForeignKeyConstraint(["site_id"], ["sites.id"], name="fk_site_leaves_site_id"),
    )
    op.create_index("ix_site_leaves_since", "site_leaves", ["site_id", "since"])
    op.create_index("ix_site_leaves_until", "site_leaves", ["site_id", "until"])
    op.create_index("ix_site_leaves_root", "site_leaves", ["document_root"])


def downgrade() -> None:
    """Take them away again."""
    op.drop_table("site_leaves")
    op.drop_table("site_roots")
