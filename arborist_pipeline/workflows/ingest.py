"""Stored bodies to documents: page, canonical text, chunks, tree, put. No network."""

from collections import Counter

from arborist_pipeline.core.crawl.records import Site
from arborist_pipeline.core.documents.document import RECIPE, build_document
from arborist_pipeline.core.ports import Clock, DocumentItem, DocumentStore, Put, StoredBody
from arborist_pipeline.core.web.page import parse_body

BATCH_PAGES = 100


def ingest_pages(site: Site, *, store: DocumentStore, clock: Clock) -> Counter[Put]:
    """Make documents of all bodies not yet read under this recipe; return what that did, page by page.

    Idempotent: a second call finds nothing to read. Pages seen unchanged are renewed, documents of gone ones retired.
    """
    puts: Counter[Put] = Counter()
    while bodies := store.pending_bodies(site.key, RECIPE, limit=BATCH_PAGES):
        items = [_read(site, body) for body in bodies]
        puts += store.put_documents(site.key, items, now=clock.now())
    return puts + store.settle(site.key, now=clock.now())


def _read(site: Site, source: StoredBody) -> DocumentItem:
    page = parse_body(source.body, url=source.url, headers=source.headers)
    return DocumentItem(source=source, document=build_document(source.url, page, author=site.author))
