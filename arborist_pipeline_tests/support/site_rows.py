"""Rows of one site in a store, written page by page as a crawl and an ingest leave them."""

from datetime import UTC, datetime
from hashlib import sha256

from sqlalchemy import insert

from arborist_pipeline.adapters.stores import schema
from arborist_pipeline.adapters.stores.prepared import prepare_insert
from arborist_pipeline.adapters.stores.reports import SqlReportStore
from arborist_pipeline.core.crawl.records import StoppedBy
from arborist_pipeline.core.documents.merkle import EMPTY_ROOT

NOW = datetime(2026, 1, 15, 12, tzinfo=UTC)


def digest(text):
    return sha256(text.encode()).digest()


class SiteRows:
    """Rows of one site, written page by page."""

    def __init__(self, engine, key="shop"):
        self.engine = engine
        self.key = key
        self.base = f"https://{key}.example"
        self.site_id = self._insert(
            schema.sites,
            key=key,
            seed_url=f"{self.base}/",
            host=f"{key}.example",
            config={},
            active=True,
            created_at=NOW,
        )
        self.crawl_id = self.crawl(StoppedBy.EXHAUSTED)

    def crawl(self, stopped_by, **values):
        return self._insert(
            schema.crawls, site_id=self.site_id, mode="fast", config={}, started_at=NOW, stopped_by=stopped_by, **values
        )

    def url(self, path):
        return path if ":" in path else self.base + path

    def queued(self, path, state="queued", **values):
        defaults = {
            "site_id": self.site_id, "url": self.url(path), "state": state, "bucket": 1, "seq": 1, "depth": 1,
            "anchor": "", "tier": "seed" if path == "/" else "order", "score": 0.0, "why": "", "discovered_at": NOW,
        }  # fmt: skip
        return self._insert(schema.frontier, **(defaults | ({"depth": 0} if path == "/" else {}) | values))

    def page(self, path, outcome="ok", links=(), malformed=None, needs_rendering=False, **values):
        """A URL that was answered, with its links: paths, or (path, anchor), or (path, anchor, kind)."""
        status = {"ok": 200, "http_error": 404, "redirect": 301, "blocked": 403}.get(outcome)
        state = {"outcome": outcome, "status": status, "fetched_at": NOW, "title": path} | values
        row_id = self.queued(path, "done", **state)
        page_id = self._insert(
            schema.pages, crawl_id=self.crawl_id, frontier_id=row_id, url=self.url(path), depth=1, anchor="",
            tier="order", score=0.0, why="", outcome=outcome, reason="", elapsed_seconds=0.1, bytes=1,
            fetched_at=NOW, needs_rendering=needs_rendering, malformed_links=malformed,
        )  # fmt: skip
        with self.engine.begin() as connection:
            connection.execute(
                schema.frontier.update().where(schema.frontier.c.id == row_id)
                .values(page_id=page_id, stored_page_id=page_id, links_page_id=page_id)
            )  # fmt: skip
            for position, link in enumerate((link, "") if isinstance(link, str) else link for link in links):
                kind = link[2] if len(link) > 2 else "a"
                connection.execute(insert(schema.links).values(
                    page_id=page_id, position=position, url=self.url(link[0]), anchor=link[1], kind=kind, nofollow=False
                ))  # fmt: skip
        return page_id

    def document(self, path, text, main=None, **values):
        """A current document whose leaves are the words of the text."""
        root = digest(text) if text else EMPTY_ROOT
        known = {
            "document_root": root,
            "main_root": digest(main) if main else root,
            "main_characters": len(main or text),
        }
        self.document_of_leaves(path, text.split(), **(known | values))

    def document_of_leaves(self, path, leaves, **values):
        """A current document with these chunks."""
        root = values.get("document_root", digest("\n".join(leaves)))
        defaults = {
            "site_id": self.site_id, "document_uri": self.url(path), "recipe": "r1", "document_root": root,
            "main_root": root, "leaf_count": len(leaves), "characters": sum(map(len, leaves)),
            "main_characters": sum(map(len, leaves)), "status": "ok" if leaves else "empty", "is_current": True,
            "first_seen_at": NOW, "last_seen_at": NOW,
        }  # fmt: skip
        with self.engine.begin() as connection:
            connection.execute(insert(schema.documents).values(**(defaults | values)))
            for position, leaf in enumerate(leaves):
                row = {"recipe": "r1", "document_root": root, "position": position, "leaf_hash": digest(leaf)}
                for table, content in ((schema.chunks, {"leaf_hash": digest(leaf), "text": leaf}),
                                       (schema.document_chunks, row)):  # fmt: skip
                    prepare_insert(table, skips_known=True).run(connection, [content])

    def _insert(self, table, **values):
        with self.engine.begin() as connection:
            return connection.execute(insert(table).values(**values)).inserted_primary_key[0]

    def snapshot(self, sitemap=None):
        return SqlReportStore(self.engine).load_snapshot(self.key, sitemap)
