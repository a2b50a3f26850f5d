"""Which site an address belongs to, and what the store has under an address. Only SELECTs."""

from typing import Any, NamedTuple

from sqlalchemy import Engine, func, or_, select

from arborist_pipeline.adapters.stores.engine import reading
from arborist_pipeline.adapters.stores.schema import chunks, crawls, document_chunks, documents, pages, products, sites
from arborist_pipeline.adapters.stores.sites import host_of
from arborist_pipeline.core.crawl.records import Site, StoppedBy
from arborist_pipeline.core.crawl.site_list import site_from_config
from arborist_pipeline.core.web.url import Url, same_site


class LastCrawl(NamedTuple):
    """A site's latest crawl. `last_order` is the highest order it gave, 0 for none."""

    crawl_id: int
    stopped_by: StoppedBy | None
    last_order: int


class StoredText(NamedTuple):
    """The current document of a URI: its root and the texts of its chunks in order."""

    recipe: str
    root: bytes
    title: str | None
    observed_at: Any
    chunks: tuple[str, ...]


class SqlLookup:
    """Questions of the command line."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def find_site(self, url: Url) -> Site | None:
        """Return the site whose host and port a URL has, by its seed or where it was found to answer.

        An active one comes before a retired one.
        """
        query = select(sites.c.config, sites.c.host, sites.c.seed_url).order_by(sites.c.active.desc(), sites.c.id)
        with reading(self._engine) as connection:
            for row in connection.execute(query):
                if row.host == host_of(url) or same_site(row.seed_url, url) or same_site(row.config["seed_url"], url):
                    return site_from_config(row.config)
        return None

    def last_crawl(self, site_key: str) -> LastCrawl | None:
        """Return a site's latest crawl, None where it was never crawled."""
        query = (
            select(crawls.c.id, crawls.c.stopped_by).join(sites)
            .where(sites.c.key == site_key).order_by(crawls.c.id.desc()).limit(1)
        )  # fmt: skip
        with reading(self._engine) as connection:
            row = connection.execute(query).first()
            if row is None:
                return None
            order = connection.scalar(select(func.max(pages.c.order)).where(pages.c.crawl_id == row.id))
            return LastCrawl(row.id, StoppedBy(row.stopped_by) if row.stopped_by else None, order or 0)

    def find_products(self, name: str, site_key: str | None) -> tuple[dict[str, Any], ...]:
        """Return the current products with this URL, canonical URL or handle, in order of site and URL.

        A URL may be any of those that the product stands under.
        """
        shown = products.alias("shown")
        beside = (
            select(shown.c.id)
            .where(shown.c.url == name, shown.c.retired_at.is_(None), shown.c.site_id == products.c.site_id)
            .where(or_(shown.c.handle == products.c.handle, shown.c.canonical_url == products.c.canonical_url))
            .where(or_(shown.c.name == products.c.name, shown.c.canonical_url == products.c.url))
        )
        names = (products.c.url, products.c.canonical_url, products.c.handle)
        query = (
            select(sites.c.key, products.c.record, products.c.first_seen_at, products.c.last_seen_at)
            .join(sites)
            .where(products.c.is_current)
            .where(or_(*(each == name for each in names), beside.exists()))
            .order_by(sites.c.key, products.c.url)
        )
        if site_key is not None:
            query = query.where(sites.c.key == site_key)
        with reading(self._engine) as connection:
            return tuple(
                {"site": row.key, **row.record, "first_seen_at": row.first_seen_at, "last_seen_at": row.last_seen_at}
                for row in connection.execute(query)
            )

    def load_text(self, uri: Url) -> StoredText | None:
        """Return the current document of a URI, None where there is none."""
        of_uri = (documents.c.site_id.in_(select(sites.c.id)), documents.c.document_uri == uri)  # as the index begins
        query = select(documents).where(*of_uri, documents.c.is_current)
        with reading(self._engine) as connection:
            row = connection.execute(query.order_by(documents.c.id.desc()).limit(1)).first()
            if row is None:
                return None
            texts = connection.scalars(
                select(chunks.c.text)
                .join(document_chunks, document_chunks.c.leaf_hash == chunks.c.leaf_hash)
                .where(document_chunks.c.recipe == row.recipe, document_chunks.c.document_root == row.document_root)
                .order_by(document_chunks.c.position)
            )
            return StoredText(row.recipe, row.document_root, row.title, row.last_seen_at, tuple(texts))
