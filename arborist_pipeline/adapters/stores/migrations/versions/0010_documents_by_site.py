"""Keep the documents of each site apart, though two may share a host; drop what no query reads."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_HASH = sa.LargeBinary(32)
_MOMENT = sa.DateTime(timezone=True)
_KEY = "uq_documents_site_id_document_uri_recipe_document_root"


def upgrade() -> None:
    """Put the site into the key of documents, and each step of a document's history beside its site.

    What another site has read of an address of which the document was this one's is read again, from its stored body.
    """
    op.add_column("supersedes", sa.Column("site_id", _ID))
    op.execute("UPDATE supersedes SET site_id = (SELECT site_id FROM documents WHERE documents.recipe = "
               "supersedes.recipe AND document_uri = uri AND document_root = to_root)")  # fmt: skip
    if op.get_bind().dialect.name == "sqlite":
        op.execute("PRAGMA legacy_alter_table=ON")  # a renamed table takes no view with it
        _make_documents_anew()
        _make_leaves_anew()
        op.execute("PRAGMA legacy_alter_table=OFF")
    else:
        op.execute("DROP INDEX uq_documents_document_uri_recipe_document_root")
        digest = r"sha256(decode(replace(document_uri, '\', '\\'), 'escape'))"
        op.execute(f"CREATE UNIQUE INDEX {_KEY} ON documents (site_id, {digest}, recipe, document_root)")
        op.drop_index("ix_documents_site_id", "documents")
        op.drop_index("ix_document_chunks_leaf", "document_chunks")
    op.execute("UPDATE frontier SET document_body = NULL WHERE document_root IS NOT NULL AND NOT EXISTS (SELECT 1 "
               "FROM documents WHERE documents.site_id = frontier.site_id AND document_uri = frontier.url "
               "AND documents.document_root = frontier.document_root)")  # fmt: skip


def _make_documents_anew() -> None:
    op.rename_table("documents", "documents_before")
    op.create_table(
        "documents",
        sa.Column("id", _ID, nullable=False),
        sa.Column("site_id", _ID, nullable=False),
        sa.Column("document_uri", sa.Text(), nullable=False),
        sa.Column("recipe", sa.String(length=64), nullable=False),
        sa.Column("document_root", _HASH, nullable=False),
        sa.Column("main_root", _HASH, nullable=False),
        sa.Column("leaf_count", sa.Integer(), nullable=False),
        sa.Column("characters", sa.Integer(), nullable=False),
        sa.Column("main_characters", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(length=8), nullable=False),
        sa.Column("is_current", sa.Boolean(), nullable=False),
        sa.Column("title", sa.Text()),
        sa.Column("page_id", _ID),
        sa.Column("first_seen_at", _MOMENT, nullable=False),
        sa.Column("last_seen_at", _MOMENT, nullable=False),
        sa.CheckConstraint("length(document_root) = 32", name=op.f("ck_documents_document_root_is_a_hash")),
        sa.CheckConstraint("length(main_root) = 32", name=op.f("ck_documents_main_root_is_a_hash")),
        sa.ForeignKeyConstraint(["site_id"], ["sites.id"], name=op.f("fk_documents_site_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_documents")),
        sa.UniqueConstraint("site_id", "document_uri", "recipe", "document_root", name=op.f(_KEY)),
    )
    op.execute("INSERT INTO documents SELECT id, site_id, document_uri, recipe, document_root, main_root, leaf_count, "
               "characters, main_characters, status, is_current, title, page_id, first_seen_at, last_seen_at "
               "FROM documents_before ORDER BY id")  # fmt: skip
    op.drop_table("documents_before")
    op.create_index("ix_documents_root", "documents", ["document_root"])


def _make_leaves_anew() -> None:
    op.rename_table("document_chunks", "document_chunks_before")
    op.create_table(
        "document_chunks",
        sa.Column("recipe", sa.String(length=64), nullable=False),
        sa.Column("document_root", _HASH, nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("leaf_hash", _HASH, nullable=False),
        sa.CheckConstraint("length(document_root) = 32", name=op.f("ck_document_chunks_document_root_is_a_hash")),
        sa.CheckConstraint("length(leaf_hash) = 32", name=op.f("ck_document_chunks_leaf_hash_is_a_hash")),
        sa.PrimaryKeyConstraint("recipe", "document_root", "position", name=op.f("pk_document_chunks")),
        sqlite_with_rowid=False,
    )
    op.execute("INSERT INTO document_chunks SELECT recipe, document_root, position, leaf_hash "
               "FROM document_chunks_before ORDER BY recipe, document_root, position")  # fmt: skip
    op.drop_table("document_chunks_before")
