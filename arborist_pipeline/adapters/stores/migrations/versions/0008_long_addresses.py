"""Let PostgreSQL take addresses of any length that a crawl takes."""

from collections.abc import Iterator

from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

_UNIQUE = (  # table, its constraint by the schema, the address, the other columns before and after it
    ("frontier", "uq_frontier_site_id_url", "url", ("site_id",), ()),
    ("documents", "uq_documents_document_uri_recipe_document_root", "document_uri", (), ("recipe", "document_root")),
    ("document_http_meta", "pk_document_http_meta", "document_uri", (), ("document_root",)),
    ("sitemap_urls", "uq_sitemap_urls_site_id_url", "url", ("site_id",), ()),
    ("robots_files", "pk_robots_files", "origin", (), ()),
)
_PLAIN = (  # an index of the schema, its table, the address
    ("ix_links_url", "links", "url"),
    ("ix_redirects_url", "redirects", "url"),
    ("ix_supersedes_uri", "supersedes", "uri"),
    ("ix_products_url", "products", "url"),
    ("ix_products_handle", "products", "handle"),
    ("ix_products_canonical", "products", "canonical_url"),
    ("ix_price_history_url", "price_history", "url"),
    ("ix_recrawl_checks_url", "recrawl_checks", "url"),
)


def upgrade() -> None:
    """Index addresses by their hashes on PostgreSQL; SQLite stays as it is."""
    if op.get_bind().dialect.name == "postgresql":
        for statement in _statements():
            op.get_bind().exec_driver_sql(statement)


def _statements() -> Iterator[str]:
    for table, name, address, before, after in _UNIQUE:
        digest = f"sha256(decode(replace({address}, '\\', '\\\\'), 'escape'))"  # text to bytes, fit for an index
        yield f"ALTER TABLE {table} DROP CONSTRAINT {name}"
        yield f"CREATE UNIQUE INDEX {name} ON {table} ({', '.join((*before, digest, *after))})"
        yield f"CREATE INDEX ix_{table}_by_{address} ON {table} USING hash ({address})"
    for name, table, address in _PLAIN:
        yield f"DROP INDEX {name}"
        yield f"CREATE INDEX {name} ON {table} USING hash ({address})"


def downgrade() -> None:
    """Leave them: older programs work with them too."""
