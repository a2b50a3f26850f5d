"""The first schema: every table of contract §5.3 and the two views.

Written out in full: a migration stays what it was, whatever the tables become.
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_HASH = sa.LargeBinary(32)
_MOMENT = sa.DateTime(timezone=True)
_VIEWS = (
    """
    CREATE VIEW current_documents AS
    SELECT sites.key AS site, documents.document_uri, documents.title, documents.status, documents.leaf_count,
           documents.characters, documents.document_root, documents.main_root, documents.recipe,
           documents.first_seen_at, documents.last_seen_at
    FROM documents JOIN sites ON sites.id = documents.site_id
    WHERE documents.is_current
    """,
    """
    CREATE VIEW current_products AS
    SELECT sites.key AS site, products.url, products.canonical_url, products.tenant, products.handle, products.name,
           products.sku, products.gtin, products.price, products.regular_price, products.currency,
           products.availability, products.record, products.first_seen_at, products.last_seen_at
    FROM products JOIN sites ON sites.id = products.site_id
    WHERE products.is_current
    """,
)


def upgrade() -> None:
    """Make all tables of an empty database."""
    _make_sites()
    _make_frontier()
    _make_pages()
    _make_links()
    _make_documents()
    _make_chunks()
    _make_products()
    _make_checks()
    _make_findings()
    for view in _VIEWS:
        op.execute(view)


def _make_sites() -> None:
    op.create_table(
        "sites",
        sa.Column("id", _ID, nullable=False),
        sa.Column("key", sa.String(length=255), nullable=False),
        sa.Column("seed_url", sa.Text(), nullable=False),
        sa.Column("host", sa.Text(), nullable=False),
        sa.Column("config", sa.JSON(), nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("retired_at", _MOMENT),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sites")),
        sa.UniqueConstraint("key", name=op.f("uq_sites_key")),
    )
    op.create_table(
        "crawls",
        sa.Column("id", _ID, nullable=False),
        sa.Column("site_id", _ID, nullable=False),
        sa.Column("run_id", sa.Text()),
        sa.Column("mode", sa.String(length=16), nullable=False),
        sa.Column("config", sa.JSON(), nullable=False),
        sa.Column("started_at", _MOMENT, nullable=False),
        sa.Column("finished_at", _MOMENT),
        sa.Column("stopped_by", sa.String(length=16)),
        sa.Column("reason", sa.Text()),
        sa.Column("pages", sa.Integer(), nullable=False),
        sa.Column("summary", sa.JSON()),
        sa.ForeignKeyConstraint(["site_id"], ["sites.id"], name=op.f("fk_crawls_site_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_crawls")),
    )
    op.create_index(op.f("ix_crawls_site_id"), "crawls", ["site_id"])
    op.create_table(
        "leases",
        sa.Column("host", sa.String(length=300), nullable=False),
        sa.Column("holder", sa.Text(), nullable=False),
        sa.Column("token", _ID, nullable=False),
        sa.Column("acquired_at", _MOMENT, nullable=False),
        sa.Column("expires_at", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("host", name=op.f("pk_leases")),
    )


def _make_frontier() -> None:
    op.create_table(
        "frontier", sa.Column("id", _ID, nullable=False), sa.Column("site_id", _ID, nullable=False),
        sa.Column("url", sa.Text(), nullable=False), sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("bucket", sa.Integer(), nullable=False), sa.Column("seq", _ID, nullable=False),
        sa.Column("depth", sa.Integer(), nullable=False), sa.Column("parent", sa.Text()),
        sa.Column("anchor", sa.Text(), nullable=False), sa.Column("tier", sa.String(length=12), nullable=False),
        sa.Column("score", sa.Float(), nullable=False), sa.Column("why", sa.Text(), nullable=False),
        sa.Column("discovered_at", _MOMENT, nullable=False), sa.Column("page_id", _ID),
        sa.Column("outcome", sa.String(length=20)), sa.Column("reason", sa.Text()), sa.Column("status", sa.Integer()),
        sa.Column("fetched_at", _MOMENT), sa.Column("checked_at", _MOMENT), sa.Column("due_at", _MOMENT),
        sa.Column("gone_at", _MOMENT), sa.Column("verdict", sa.String(length=12)),
        sa.Column("kind", sa.String(length=12)), sa.Column("title", sa.Text()), sa.Column("noindex", sa.Boolean()),
        sa.Column("nofollow", sa.Boolean()), sa.Column("canonical_url", sa.Text()),
        sa.Column("redirect_to", sa.Text()), sa.Column("stored_page_id", _ID), sa.Column("body_sha256", _HASH),
        sa.Column("content_type", sa.Text()), sa.Column("x_robots_tag", sa.Text()), sa.Column("etag", sa.Text()),
        sa.Column("last_modified", sa.Text()), sa.Column("links_page_id", _ID), sa.Column("document_root", _HASH),
        sa.Column("document_body", _HASH), sa.Column("document_recipe", sa.String(length=64)),
        sa.Column("product_body", _HASH), sa.Column("product_reader", sa.String(length=32)),
        sa.ForeignKeyConstraint(["site_id"], ["sites.id"], name=op.f("fk_frontier_site_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_frontier")),
        sa.UniqueConstraint("site_id", "url", name=op.f("uq_frontier_site_id_url")),
    )  # fmt: skip
    op.create_index("ix_frontier_order", "frontier", ["site_id", "state", "bucket", "seq"])


def _make_pages() -> None:
    op.create_table(
        "pages",
        sa.Column("id", _ID, nullable=False),
        sa.Column("crawl_id", _ID, nullable=False),
        sa.Column("frontier_id", _ID, nullable=False),
        sa.Column("order", sa.Integer()),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("final_url", sa.Text()),
        sa.Column("depth", sa.Integer(), nullable=False),
        sa.Column("parent", sa.Text()),
        sa.Column("anchor", sa.Text(), nullable=False),
        sa.Column("tier", sa.String(length=12), nullable=False),
        sa.Column("score", sa.Float(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("status", sa.Integer()),
        sa.Column("outcome", sa.String(length=20), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("kind", sa.String(length=12)),
        sa.Column("rendered", sa.Boolean(), nullable=False),
        sa.Column("needs_rendering", sa.Boolean(), nullable=False),
        sa.Column("elapsed_seconds", sa.Float(), nullable=False),
        sa.Column("bytes", sa.Integer(), nullable=False),
        sa.Column("title", sa.Text()),
        sa.Column("fetched_at", _MOMENT, nullable=False),
        sa.Column("body_sha256", _HASH),
        sa.Column("document_root", _HASH),
        sa.Column("links_page_id", _ID),
        sa.Column("malformed_links", sa.JSON()),
        sa.ForeignKeyConstraint(["crawl_id"], ["crawls.id"], name=op.f("fk_pages_crawl_id")),
        sa.ForeignKeyConstraint(["frontier_id"], ["frontier.id"], name=op.f("fk_pages_frontier_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pages")),
        sa.UniqueConstraint("crawl_id", "order", name=op.f("uq_pages_crawl_id_order")),
    )
    op.create_index(op.f("ix_pages_frontier_id"), "pages", ["frontier_id"])
    op.create_table(
        "bodies",
        sa.Column("sha256", _HASH, nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("coding", sa.String(length=8), nullable=False),
        sa.Column("content", sa.LargeBinary()),
        sa.Column("location", sa.Text()),
        sa.Column("stored_at", _MOMENT, nullable=False),
        sa.CheckConstraint("length(sha256) = 32", name=op.f("ck_bodies_sha256_is_a_hash")),
        sa.PrimaryKeyConstraint("sha256", name=op.f("pk_bodies")),
    )


def _make_links() -> None:
    op.create_table(
        "links",
        sa.Column("page_id", _ID, nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("anchor", sa.Text(), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("nofollow", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["page_id"], ["pages.id"], name=op.f("fk_links_page_id")),
        sa.PrimaryKeyConstraint("page_id", "position", name=op.f("pk_links")),
    )
    op.create_index("ix_links_url", "links", ["url"])
    op.create_table(
        "redirects",
        sa.Column("page_id", _ID, nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("target", sa.Text()),
        sa.Column("location", sa.Text()),
        sa.Column("status", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["page_id"], ["pages.id"], name=op.f("fk_redirects_page_id")),
        sa.PrimaryKeyConstraint("page_id", name=op.f("pk_redirects")),
    )
    op.create_index("ix_redirects_url", "redirects", ["url"])


def _make_documents() -> None:
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
        sa.UniqueConstraint(
            "document_uri", "recipe", "document_root", name=op.f("uq_documents_document_uri_recipe_document_root")
        ),
    )
    op.create_index("ix_documents_root", "documents", ["document_root"])
    op.create_index(op.f("ix_documents_site_id"), "documents", ["site_id"])
    op.create_table(
        "document_http_meta",
        sa.Column("document_uri", sa.Text(), nullable=False),
        sa.Column("document_root", _HASH, nullable=False),
        sa.Column("etag", sa.Text()),
        sa.Column("last_modified", sa.Text()),
        sa.Column("expires", sa.Text()),
        sa.Column("checked_at", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("document_uri", "document_root", name=op.f("pk_document_http_meta")),
    )
    op.create_table(
        "supersedes",
        sa.Column("id", _ID, nullable=False),
        sa.Column("uri", sa.Text(), nullable=False),
        sa.Column("recipe", sa.String(length=64), nullable=False),
        sa.Column("from_root", _HASH, nullable=False),
        sa.Column("to_root", _HASH, nullable=False),
        sa.Column("observed_at", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_supersedes")),
    )
    op.create_index(op.f("ix_supersedes_uri"), "supersedes", ["uri"])


def _make_chunks() -> None:
    op.create_table(
        "chunks",
        sa.Column("leaf_hash", _HASH, nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.CheckConstraint("length(leaf_hash) = 32", name=op.f("ck_chunks_leaf_hash_is_a_hash")),
        sa.PrimaryKeyConstraint("leaf_hash", name=op.f("pk_chunks")),
    )
    op.create_table(
        "document_chunks",
        sa.Column("recipe", sa.String(length=64), nullable=False),
        sa.Column("document_root", _HASH, nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("leaf_hash", _HASH, nullable=False),
        sa.CheckConstraint("length(document_root) = 32", name=op.f("ck_document_chunks_document_root_is_a_hash")),
        sa.CheckConstraint("length(leaf_hash) = 32", name=op.f("ck_document_chunks_leaf_hash_is_a_hash")),
        sa.PrimaryKeyConstraint("recipe", "document_root", "position", name=op.f("pk_document_chunks")),
    )
    op.create_index("ix_document_chunks_leaf", "document_chunks", ["leaf_hash"])


def _make_products() -> None:
    op.create_table(
        "products",
        sa.Column("id", _ID, nullable=False),
        sa.Column("site_id", _ID, nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("digest", _HASH, nullable=False),
        sa.Column("is_current", sa.Boolean(), nullable=False),
        sa.Column("canonical_url", sa.Text()),
        sa.Column("tenant", sa.Text()),
        sa.Column("handle", sa.Text()),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("sku", sa.Text()),
        sa.Column("gtin", sa.Text()),
        sa.Column("price", sa.Text()),
        sa.Column("regular_price", sa.Text()),
        sa.Column("currency", sa.String(length=8)),
        sa.Column("availability", sa.String(length=32)),
        sa.Column("record", sa.JSON(), nullable=False),
        sa.Column("page_id", _ID),
        sa.Column("first_seen_at", _MOMENT, nullable=False),
        sa.Column("last_seen_at", _MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["site_id"], ["sites.id"], name=op.f("fk_products_site_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_products")),
    )
    op.create_index("ix_products_current", "products", ["site_id", "is_current"])
    op.create_index(op.f("ix_products_site_id"), "products", ["site_id"])
    op.create_index(op.f("ix_products_url"), "products", ["url"])
    op.create_table(
        "variants",
        sa.Column("product_id", _ID, nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("title", sa.Text()),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("sku", sa.Text()),
        sa.Column("gtin", sa.Text()),
        sa.Column("price", sa.Text()),
        sa.Column("regular_price", sa.Text()),
        sa.Column("availability", sa.String(length=32)),
        sa.Column("url", sa.Text()),
        sa.ForeignKeyConstraint(["product_id"], ["products.id"], name=op.f("fk_variants_product_id")),
        sa.PrimaryKeyConstraint("product_id", "position", name=op.f("pk_variants")),
    )
    op.create_table(
        "price_history",
        sa.Column("id", _ID, nullable=False),
        sa.Column("site_id", _ID, nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("variant", sa.Text(), nullable=False),
        sa.Column("price", sa.Text()),
        sa.Column("regular_price", sa.Text()),
        sa.Column("currency", sa.String(length=8)),
        sa.Column("availability", sa.String(length=32)),
        sa.Column("observed_at", _MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["site_id"], ["sites.id"], name=op.f("fk_price_history_site_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_price_history")),
    )
    op.create_index(op.f("ix_price_history_url"), "price_history", ["url"])


def _make_checks() -> None:
    op.create_table(
        "recrawl_checks",
        sa.Column("id", _ID, nullable=False),
        sa.Column("site_id", _ID, nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("verdict", sa.String(length=12), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("moved_to", sa.Text()),
        sa.Column("checked_at", _MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["site_id"], ["sites.id"], name=op.f("fk_recrawl_checks_site_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_recrawl_checks")),
    )
    op.create_index(op.f("ix_recrawl_checks_site_id"), "recrawl_checks", ["site_id"])
    op.create_index(op.f("ix_recrawl_checks_url"), "recrawl_checks", ["url"])
    op.create_table(
        "sitemap_urls",
        sa.Column("id", _ID, nullable=False),
        sa.Column("site_id", _ID, nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("sitemap", sa.Text(), nullable=False),
        sa.Column("lastmod", sa.Text()),
        sa.Column("seen_at", _MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["site_id"], ["sites.id"], name=op.f("fk_sitemap_urls_site_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sitemap_urls")),
        sa.UniqueConstraint("site_id", "url", name=op.f("uq_sitemap_urls_site_id_url")),
    )
    op.create_index(op.f("ix_sitemap_urls_site_id"), "sitemap_urls", ["site_id"])


def _make_findings() -> None:
    op.create_table(
        "findings",
        sa.Column("id", _ID, nullable=False),
        sa.Column("site_id", _ID, nullable=False),
        sa.Column("crawl_id", _ID),
        sa.Column("signal", sa.String(length=32), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("severity", sa.String(length=12), nullable=False),
        sa.Column("certainty", sa.String(length=12), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("sources", sa.JSON(), nullable=False),
        sa.Column("details", sa.JSON(), nullable=False),
        sa.Column("evidence", sa.JSON(), nullable=False),
        sa.Column("generated_at", _MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["site_id"], ["sites.id"], name=op.f("fk_findings_site_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_findings")),
    )
    op.create_index(op.f("ix_findings_site_id"), "findings", ["site_id"])
    op.create_table(
        "llm_calls",
        sa.Column("id", _ID, nullable=False),
        sa.Column("site_id", _ID, nullable=False),
        sa.Column("crawl_id", _ID),
        sa.Column("tenant", sa.Text()),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("purpose", sa.String(length=32), nullable=False),
        sa.Column("prompt_tokens", sa.Integer()),
        sa.Column("completion_tokens", sa.Integer()),
        sa.Column("cost", sa.Text()),
        sa.Column("outcome", sa.String(length=32), nullable=False),
        sa.Column("at", _MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["site_id"], ["sites.id"], name=op.f("fk_llm_calls_site_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_llm_calls")),
    )
