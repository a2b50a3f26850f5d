"""The tables of the store (contract §5.3), neutral between SQLite and PostgreSQL.

Hashes are raw bytes of 32, times aware UTC, money decimal text, free shapes JSON. `frontier` has one row a known URL
of a site, kept between runs: where it stands in the order, and the latest state of the page. `pages` has one row a
request. Links stand under the page row that introduced them; later versions with the same links point there.
"""

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from arborist_pipeline.adapters.stores.columns import Id, hash_column, id_column, is_hash, site_column
from arborist_pipeline.adapters.stores.moments import UtcDateTime

metadata = MetaData(naming_convention={
    "ix": "ix_%(column_0_N_label)s", "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s", "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
})  # fmt: skip

sites = Table(
    "sites",
    metadata,
    id_column(),
    Column("key", String(255), nullable=False, unique=True),
    Column("seed_url", Text, nullable=False),
    Column("host", Text, nullable=False),  # host, or host:port; the www-redirect of the seed may change it
    Column("config", JSON, nullable=False),
    Column("active", Boolean, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("retired_at", UtcDateTime),
    Column("listed_in", Text),  # the site list that has it; null: none, a crawl by hand alone
)

crawls = Table(
    "crawls",
    metadata,
    id_column(),
    site_column(index=True),
    Column("run_id", Text),
    Column("mode", String(16), nullable=False),
    Column("config", JSON, nullable=False),
    Column("started_at", UtcDateTime, nullable=False),
    Column("finished_at", UtcDateTime),
    Column("stopped_by", String(16)),
    Column("reason", Text),
    Column("pages", Integer, nullable=False, default=0),
    Column("summary", JSON),
)

leases = Table(
    "leases",
    metadata,
    Column("host", String(300), primary_key=True),
    Column("holder", Text, nullable=False),
    Column("token", Id, nullable=False),  # fencing token: grows with each new holder
    Column("acquired_at", UtcDateTime, nullable=False),
    Column("expires_at", UtcDateTime, nullable=False),
)

frontier = Table(
    "frontier",
    metadata,
    id_column(),
    site_column(),
    Column("url", Text, nullable=False),
    Column("state", String(12), nullable=False),  # queued | done | beyond (deeper than the limit) | refused
    Column("bucket", Integer, nullable=False),  # place in the order; ties by seq, of done pages by due_at, seq
    Column("seq", Id, nullable=False),
    Column("depth", Integer, nullable=False),
    Column("parent", Text),
    Column("anchor", Text, nullable=False),
    Column("tier", String(12), nullable=False),
    Column("score", Float, nullable=False),
    Column("why", Text, nullable=False),
    Column("discovered_at", UtcDateTime, nullable=False),
    # the latest state of the page behind the URL
    Column("page_id", Id),  # the latest request
    Column("outcome", String(20)),
    Column("reason", Text),
    Column("status", Integer),
    Column("fetched_at", UtcDateTime),
    Column("checked_at", UtcDateTime),
    Column("due_at", UtcDateTime),
    Column("gone_at", UtcDateTime),
    Column("verdict", String(12)),  # of the latest recheck
    Column("kind", String(12)),
    Column("title", Text),
    Column("noindex", Boolean),
    Column("nofollow", Boolean),
    Column("canonical_url", Text),
    Column("redirect_to", Text),
    # the latest version that answered well
    Column("stored_page_id", Id),
    hash_column("body_sha256"),
    Column("content_type", Text),
    Column("x_robots_tag", Text),
    Column("etag", Text),
    Column("last_modified", Text),
    Column("links_page_id", Id),
    hash_column("document_root"),
    # what downstream has read of it: the body and the version of the reader
    hash_column("document_body"),
    Column("document_recipe", String(64)),
    hash_column("product_body"),
    Column("product_reader", String(32)),
    Column("written", Text),  # the address as the link to it has it, where robots.txt may see it differently
    hash_column("endpoint_body"),  # what the shop's own endpoint said of the product of the latest good version
    UniqueConstraint("site_id", "url"),
    Index("ix_frontier_order", "site_id", "state", "bucket", "seq"),
    # a server's condition stands in `server_indexes`: named here it would load that whole dialect in every process
    Index("ix_frontier_due", "site_id", "bucket", "due_at", "seq", sqlite_where=text("state = 'done'")),
)

arms = Table(
    "arms",
    metadata,
    site_column(primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),  # a bucket of `frontier`
    Column("key", Text, nullable=False),  # shape of the addresses, place on the page
    Column("example", Text, nullable=False),
)

pages = Table(
    "pages",
    metadata,
    id_column(),
    Column("crawl_id", Id, ForeignKey("crawls.id"), nullable=False),
    Column("frontier_id", Id, ForeignKey("frontier.id"), nullable=False, index=True),
    Column("order", Integer),
    Column("url", Text, nullable=False),
    Column("final_url", Text),  # null: the requested one
    Column("depth", Integer, nullable=False),
    Column("parent", Text),
    Column("anchor", Text, nullable=False),
    Column("tier", String(12), nullable=False),
    Column("score", Float, nullable=False),
    Column("why", Text, nullable=False),
    Column("status", Integer),
    Column("outcome", String(20), nullable=False),
    Column("reason", Text, nullable=False),
    Column("kind", String(12)),
    Column("rendered", Boolean, nullable=False, default=False),
    Column("needs_rendering", Boolean, nullable=False, default=False),
    Column("elapsed_seconds", Float, nullable=False),
    Column("bytes", Integer, nullable=False),
    Column("title", Text),
    Column("fetched_at", UtcDateTime, nullable=False),
    hash_column("body_sha256"),
    hash_column("document_root"),
    Column("links_page_id", Id),
    Column("malformed_links", JSON(none_as_null=True)),
    Column("dispatched_seq", Id),  # place among the crawl's decisions: requests handed out, answers taken in
    Column("completed_seq", Id),
    Column("lesson", JSON(none_as_null=True)),  # what the first answer to an address taught the frontier
    UniqueConstraint("crawl_id", "order"),
)

bodies = Table(
    "bodies",
    metadata,
    hash_column("sha256", primary_key=True),
    Column("size", Integer, nullable=False),
    Column("coding", String(8), nullable=False),  # zstd | zlib (older ones)
    Column("content", LargeBinary),
    Column("location", Text),  # leaves the door open for bodies in files
    Column("stored_at", UtcDateTime, nullable=False),
    is_hash("sha256"),
)

links = Table(
    "links",
    metadata,
    Column("page_id", Id, ForeignKey("pages.id"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("url", Text, nullable=False),
    Column("anchor", Text, nullable=False),
    Column("kind", String(10), nullable=False),
    Column("nofollow", Boolean, nullable=False),
    Column("written", Text),  # as in `frontier`
    Index("ix_links_url", "url"),
)

redirects = Table(
    "redirects",
    metadata,
    Column("page_id", Id, ForeignKey("pages.id"), primary_key=True),
    Column("url", Text, nullable=False),
    Column("target", Text),  # null: the Location cannot be read; then `location` has it raw
    Column("location", Text),
    Column("status", Integer, nullable=False),
    Index("ix_redirects_url", "url"),
)

documents = Table(
    "documents",
    metadata,
    id_column(),
    site_column(),
    Column("document_uri", Text, nullable=False),
    Column("recipe", String(64), nullable=False),
    hash_column("document_root", nullable=False),
    hash_column("main_root", nullable=False),
    Column("leaf_count", Integer, nullable=False),
    Column("characters", Integer, nullable=False),
    Column("main_characters", Integer, nullable=False),
    Column("status", String(8), nullable=False),  # ok | empty
    Column("is_current", Boolean, nullable=False),
    Column("title", Text),
    Column("page_id", Id),
    Column("first_seen_at", UtcDateTime, nullable=False),
    Column("last_seen_at", UtcDateTime, nullable=False),
    UniqueConstraint("site_id", "document_uri", "recipe", "document_root"),
    Index("ix_documents_root", "document_root"),
    is_hash("document_root"),
    is_hash("main_root"),
)

chunks = Table(
    "chunks",
    metadata,
    hash_column("leaf_hash", primary_key=True),
    Column("text", Text, nullable=False),
    is_hash("leaf_hash"),
)

document_chunks = Table(  # of a root, not of a URI: two addresses with one text share these rows
    "document_chunks",
    metadata,
    Column("recipe", String(64), primary_key=True),
    hash_column("document_root", primary_key=True),
    Column("position", Integer, primary_key=True),
    hash_column("leaf_hash", nullable=False),
    is_hash("document_root"),
    is_hash("leaf_hash"),
    sqlite_with_rowid=False,  # the key is nearly all of the row
)

supersedes = Table(
    "supersedes",
    metadata,
    id_column(),
    Column("uri", Text, nullable=False, index=True),
    Column("recipe", String(64), nullable=False),
    hash_column("from_root", nullable=False),
    hash_column("to_root", nullable=False),
    Column("observed_at", UtcDateTime, nullable=False),
    Column("site_id", Id),  # null in rows from before sites kept their documents apart
)

document_http_meta = Table(
    "document_http_meta",
    metadata,
    Column("document_uri", Text, primary_key=True),
    hash_column("document_root", primary_key=True),
    Column("etag", Text),
    Column("last_modified", Text),
    Column("expires", Text),
    Column("checked_at", UtcDateTime, nullable=False),
)

products = Table(
    "products",
    metadata,
    id_column(),
    site_column(index=True),
    Column("url", Text, nullable=False, index=True),
    hash_column("digest", nullable=False),  # of the record without its sources: same digest, same version
    Column("is_current", Boolean, nullable=False),
    Column("canonical_url", Text),
    Column("tenant", Text),
    Column("handle", Text),
    Column("name", Text, nullable=False),
    Column("sku", Text),
    Column("gtin", Text),
    Column("price", Text),
    Column("regular_price", Text),
    Column("currency", String(8)),
    Column("availability", String(32)),
    Column("record", JSON, nullable=False),  # contract 5.2, whole
    Column("page_id", Id),
    Column("first_seen_at", UtcDateTime, nullable=False),
    Column("last_seen_at", UtcDateTime, nullable=False),
    Column("retired_at", UtcDateTime),  # when another version, or none, took its place at its address
    Index("ix_products_current", "site_id", "is_current"),
    Index("ix_products_handle", "site_id", "handle"),
    Index("ix_products_canonical", "site_id", "canonical_url"),
)

variants = Table(
    "variants",
    metadata,
    Column("product_id", Id, ForeignKey("products.id"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("title", Text),
    Column("options", JSON, nullable=False),
    Column("sku", Text),
    Column("gtin", Text),
    Column("price", Text),
    Column("regular_price", Text),
    Column("availability", String(32)),
    Column("url", Text),
)

price_history = Table(
    "price_history",
    metadata,
    id_column(),
    site_column(),
    Column("url", Text, nullable=False, index=True),
    Column("variant", Text, nullable=False),  # sku or options of the variant, "" for the product itself
    Column("price", Text),
    Column("regular_price", Text),
    Column("currency", String(8)),
    Column("availability", String(32)),
    Column("observed_at", UtcDateTime, nullable=False),
)

recrawl_checks = Table(
    "recrawl_checks",
    metadata,
    id_column(),
    site_column(index=True),
    Column("url", Text, nullable=False, index=True),
    Column("verdict", String(12), nullable=False),  # fresh | stale | gone | moved | blocked | unknown
    Column("reason", Text, nullable=False),
    Column("moved_to", Text),
    Column("checked_at", UtcDateTime, nullable=False),
)

sitemap_urls = Table(
    "sitemap_urls",
    metadata,
    id_column(),
    site_column(index=True),
    Column("url", Text, nullable=False),
    Column("sitemap", Text, nullable=False),
    Column("lastmod", Text),
    Column("seen_at", UtcDateTime, nullable=False),
    UniqueConstraint("site_id", "url"),
)

findings = Table(
    "findings",
    metadata,
    id_column(),
    site_column(index=True),
    Column("crawl_id", Id),
    Column("signal", String(32), nullable=False),
    Column("url", Text, nullable=False),
    Column("severity", String(12), nullable=False),
    Column("certainty", String(12), nullable=False),
    Column("message", Text, nullable=False),
    Column("sources", JSON, nullable=False),
    Column("details", JSON, nullable=False),
    Column("evidence", JSON, nullable=False),
    Column("generated_at", UtcDateTime, nullable=False),
)

llm_calls = Table(
    "llm_calls",
    metadata,
    id_column(),
    site_column(),
    Column("crawl_id", Id),
    Column("tenant", Text),
    Column("model", Text, nullable=False),
    Column("purpose", String(32), nullable=False),
    Column("prompt_tokens", Integer),
    Column("completion_tokens", Integer),
    Column("cost", Text),
    Column("outcome", String(32), nullable=False),
    Column("at", UtcDateTime, nullable=False),
    Column("subject", Text),  # what was asked about; with the purpose, what a later run need not ask again
    Column("seconds", Float),
    Column("answer", JSON(none_as_null=True)),  # what was kept of the answer
    Index("ix_llm_calls_subject", "site_id", "purpose"),
)
