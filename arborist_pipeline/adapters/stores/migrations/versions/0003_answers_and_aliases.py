"""Keep what models were asked about and answered, what shop endpoints said, and products under several addresses."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Add the columns; a version that is not current is one that another has replaced, or whose page is gone."""
    op.add_column("llm_calls", sa.Column("subject", sa.Text))
    op.add_column("llm_calls", sa.Column("seconds", sa.Float))
    op.add_column("llm_calls", sa.Column("answer", sa.JSON(none_as_null=True)))
    op.create_index("ix_llm_calls_subject", "llm_calls", ["site_id", "purpose"])
    op.add_column("frontier", sa.Column("endpoint_body", sa.LargeBinary(length=32)))
    op.add_column("products", sa.Column("retired_at", _MOMENT))
    op.create_index("ix_products_handle", "products", ["site_id", "handle"])
    op.create_index("ix_products_canonical", "products", ["site_id", "canonical_url"])
    op.execute("UPDATE products SET retired_at = last_seen_at WHERE NOT is_current")


def downgrade() -> None:
    """Take them away again."""
    op.drop_index("ix_products_canonical", "products")
    op.drop_index("ix_products_handle", "products")
    op.drop_column("products", "retired_at")
    op.drop_column("frontier", "endpoint_body")
    op.drop_index("ix_llm_calls_subject", "llm_calls")
    for column in ("answer", "seconds", "subject"):
        op.drop_column("llm_calls", column)
