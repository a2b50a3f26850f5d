"""Indexes that PostgreSQL has in another form than SQLite.

Its B-trees take no entry above 2,704 bytes, and an address may have 8,192: there what must be unique is so by the
SHA-256 of its address, and what is looked up by address is hashed. The condition of an index is spelled here, too.
"""

from collections.abc import Iterator

_UNIQUE = (  # table, its constraint by the schema, the address, the other columns before and after it
    ("frontier", "uq_frontier_site_id_url", "url", ("site_id",), ()),
    (
        "documents",
        "uq_documents_site_id_document_uri_recipe_document_root",
        "document_uri",
        ("site_id",),
        ("recipe", "document_root"),
    ),
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


def statements_for(dialect: str) -> Iterator[str]:
    """Yield what turns the schema's own indexes into those; nothing for SQLite."""
    if dialect != "postgresql":
        return
    for table, name, address, before, after in _UNIQUE:
        digest = f"sha256(decode(replace({address}, '\\', '\\\\'), 'escape'))"  # text to bytes, fit for an index
        yield f"ALTER TABLE {table} DROP CONSTRAINT {name}"
        yield f"CREATE UNIQUE INDEX {name} ON {table} ({', '.join((*before, digest, *after))})"
        yield f"CREATE INDEX ix_{table}_by_{address} ON {table} USING hash ({address})"
    for name, table, address in _PLAIN:
        yield f"DROP INDEX {name}"
        yield f"CREATE INDEX {name} ON {table} USING hash ({address})"
    yield "DROP INDEX ix_frontier_due"
    yield "CREATE INDEX ix_frontier_due ON frontier (site_id, bucket, due_at, seq) WHERE state = 'done'"
