"""Pages as they were fetched: a row a request, its body, links and redirects, and what was read of it on the way."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, insert

from arborist_pipeline.adapters.stores.bodies import put_bodies
from arborist_pipeline.adapters.stores.documents import write_documents
from arborist_pipeline.adapters.stores.frontier_rows import frontier_ids
from arborist_pipeline.adapters.stores.page_links import write_links
from arborist_pipeline.adapters.stores.page_states import write_states
from arborist_pipeline.adapters.stores.products import write_products
from arborist_pipeline.adapters.stores.same_content import find_same_content
from arborist_pipeline.adapters.stores.schema import pages, redirects
from arborist_pipeline.core.crawl.lessons import Completion, lesson_to_json
from arborist_pipeline.core.crawl.reading import Reading
from arborist_pipeline.core.crawl.records import CrawledPage
from arborist_pipeline.core.ports import CrawlBatch, DocumentItem, ProductItem, StoredBody
from arborist_pipeline.core.web.url import Url

_SAYS_THE_SAME = "(new bytes that say what the stored ones say: not stored again)"


def write_pages(
    connection: Connection, crawl_id: int, site_id: int, batch: CrawlBatch, rows: Sequence[CrawledPage]
) -> None:
    """Store a batch's pages and all that hangs on them; `rows` are its readings' pages, then the forbidden ones."""
    ids = frontier_ids(connection, site_id, [page.url for page in rows])
    now = max(page.fetched_at for page in rows)
    same = find_same_content(connection, site_id, batch.readings)
    stored = put_bodies(connection, [None if page.url in same else page.body for page in rows], now)
    bodies = [same.get(page.url, body) for page, body in zip(rows, stored, strict=True)]
    rows = [replace(page, reason=f"{page.reason} {_SAYS_THE_SAME}") if page.url in same else page for page in rows]
    page_ids = _insert_pages(connection, crawl_id, rows, ids, bodies, batch.completions)
    write_links(connection, rows, page_ids, bodies)
    _write_redirects(connection, rows, page_ids)
    write_states(connection, rows, page_ids, ids, bodies, batch.completions)
    _write_readings(connection, site_id, batch.readings, page_ids, bodies)


def _insert_pages(
    connection: Connection,
    crawl_id: int,
    rows: Sequence[CrawledPage],
    ids: Mapping[Url, int],
    bodies: Sequence[bytes | None],
    completions: Mapping[Url, Completion],
) -> list[int]:
    values = [
        {
            "crawl_id": crawl_id, "frontier_id": ids[page.url], "order": page.order, "depth": page.depth,
            "url": page.url, "final_url": None if page.final_url == page.url else page.final_url, "parent": page.parent,
            "anchor": page.anchor, "tier": page.priority.tier, "score": page.priority.score,
            "why": page.priority.why, "status": page.status, "outcome": page.outcome, "reason": page.reason,
            "kind": page.kind, "rendered": False, "needs_rendering": page.needs_rendering,
            "elapsed_seconds": page.elapsed_seconds, "bytes": page.size_bytes, "title": page.title,
            "fetched_at": page.fetched_at, "body_sha256": body, "document_root": page.document_root,
            "malformed_links": list(page.malformed_links) or None,
            "dispatched_seq": page.dispatched_seq, **_decision(completions.get(page.url)),
        }
        for page, body in zip(rows, bodies, strict=True)
    ]  # fmt: skip
    return list(connection.scalars(insert(pages).returning(pages.c.id, sort_by_parameter_order=True), values))


def _decision(completion: Completion | None) -> dict[str, Any]:
    if completion is None:
        return {"completed_seq": None, "lesson": None}
    lesson = completion.lesson
    return {"completed_seq": completion.completed_seq, "lesson": lesson_to_json(lesson) if lesson else None}


def _write_redirects(connection: Connection, rows: Sequence[CrawledPage], page_ids: Sequence[int]) -> None:
    values = [
        {"page_id": page_id, "url": page.url, "target": page.redirect_to or page.refresh_to, "location": page.location,
         "status": page.status}
        for page, page_id in zip(rows, page_ids, strict=True)
        if page.redirect_to or page.location is not None or page.refresh_to
    ]  # fmt: skip
    if values:
        connection.execute(insert(redirects), values)


def _write_readings(
    connection: Connection,
    site_id: int,
    readings: Sequence[Reading],
    page_ids: Sequence[int],
    bodies: Sequence[bytes | None],
) -> None:
    """Store documents and products that were read on the way, in the transaction of their pages."""
    documents, products = [], []
    for reading_, page_id, body in zip(readings, page_ids, bodies, strict=False):
        page = reading_.page
        if reading_.document is None or body is None:
            continue
        source = StoredBody(url=page.url, page_id=page_id, body=page.body or b"", body_sha256=body,
                            headers=page.headers, fetched_at=page.fetched_at)  # fmt: skip
        documents.append(DocumentItem(source=source, document=reading_.document))
        products.append(ProductItem(source=source, product=reading_.product))
    if documents:
        now = max(item.source.fetched_at for item in documents)
        write_documents(connection, site_id, documents, now)
        write_products(connection, site_id, products, now)
