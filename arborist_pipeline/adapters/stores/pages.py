"""Pages as they were fetched: a row a request, its body, links and redirects, and what was read of it on the way."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, insert

from arborist_pipeline.adapters.stores.bodies import put_bodies
from arborist_pipeline.adapters.stores.documents import write_documents
from arborist_pipeline.adapters.stores.frontier_rows import frontier_ids
from arborist_pipeline.adapters.stores.moments import moment_writer
from arborist_pipeline.adapters.stores.page_links import Answer, home_of_links, write_links
from arborist_pipeline.adapters.stores.page_states import write_states
from arborist_pipeline.adapters.stores.prepared import prepare_insert, take_ids
from arborist_pipeline.adapters.stores.products import write_products
from arborist_pipeline.adapters.stores.same_content import find_same_content
from arborist_pipeline.adapters.stores.schema import pages, redirects
from arborist_pipeline.core.crawl.lessons import Completion, lesson_to_json
from arborist_pipeline.core.crawl.reading import Reading
from arborist_pipeline.core.crawl.records import CrawledPage
from arborist_pipeline.core.ports import CrawlBatch, DocumentItem, ProductItem, StoredBody
from arborist_pipeline.core.web.url import Url

_NEW = prepare_insert(pages)
_SAYS_THE_SAME = "(new bytes that say what the stored ones say: not stored again)"


def write_pages(
    connection: Connection,
    crawl_id: int,
    site_id: int,
    batch: CrawlBatch,
    rows: Sequence[CrawledPage],
    places: dict[Url, Mapping[str, Any]],
) -> None:
    """Store a batch's pages and all that hangs on them; `rows` are its readings' pages, then the forbidden ones.

    `places` has where known URLs stand in the order from now on; those of the batch's pages are taken out of it.
    """
    ids = frontier_ids(connection, site_id, [page.url for page in rows])
    now = max(page.fetched_at for page in rows)
    same = find_same_content(connection, site_id, batch.readings)
    contents = [None if page.url in same else page.body for page in rows]
    stored = put_bodies(connection, [*contents, *(page.endpoint_body for page in rows)], now)  # all at once, in order
    bodies = [same.get(page.url, body) for page, body in zip(rows, stored, strict=False)]
    rows = [replace(page, reason=f"{page.reason} {_SAYS_THE_SAME}") if page.url in same else page for page in rows]
    answers = [
        Answer(page, page_id, ids[page.url], body, told, home_of_links(connection, page, page_id, body))
        for page, page_id, body, told in zip(
            rows, take_ids(connection, pages, len(rows)), bodies, stored[len(rows) :], strict=True
        )
    ]
    _write_rows(connection, crawl_id, answers, batch.completions)
    write_links(connection, answers)
    _write_redirects(connection, answers)
    read = _write_readings(connection, site_id, batch.readings, answers)
    write_states(connection, answers, batch.completions, places, read)


def _write_rows(
    connection: Connection, crawl_id: int, answers: Sequence[Answer], completions: Mapping[Url, Completion]
) -> None:
    moment = moment_writer(connection.dialect)
    _NEW.run(connection, [
        {"id": page_id, "crawl_id": crawl_id, "frontier_id": row_id, "body_sha256": body, "links_page_id": home,
         "fetched_at": moment(page.fetched_at), **_values_of(page), **_decision(completions.get(page.url))}
        for page, page_id, row_id, body, _, home in answers
    ])  # fmt: skip


def _values_of(page: CrawledPage) -> dict[str, Any]:
    return {
        "order": page.order, "depth": page.depth, "url": page.url,
        "final_url": None if page.final_url == page.url else page.final_url, "parent": page.parent,
        "anchor": page.anchor, "tier": page.priority.tier.value, "score": page.priority.score,
        "why": page.priority.why, "status": page.status, "outcome": page.outcome.value, "reason": page.reason,
        "kind": page.kind.value if page.kind else None, "rendered": False, "needs_rendering": page.needs_rendering,
        "elapsed_seconds": page.elapsed_seconds, "bytes": page.size_bytes, "title": page.title,
        "document_root": page.document_root, "dispatched_seq": page.dispatched_seq,
        "malformed_links": json.dumps(page.malformed_links) if page.malformed_links else None,
    }  # fmt: skip


def _decision(completion: Completion | None) -> dict[str, Any]:
    if completion is None:
        return {"completed_seq": None, "lesson": None}
    lesson = completion.lesson
    return {"completed_seq": completion.completed_seq, "lesson": json.dumps(lesson_to_json(lesson)) if lesson else None}


def _write_redirects(connection: Connection, answers: Sequence[Answer]) -> None:
    values = [
        {"page_id": answer.page_id, "url": page.url, "target": page.redirect_to or page.refresh_to,
         "location": page.location, "status": page.status}
        for answer in answers
        if (page := answer.page).redirect_to or page.location is not None or page.refresh_to
    ]  # fmt: skip
    if values:
        connection.execute(insert(redirects), values)


def _write_readings(
    connection: Connection, site_id: int, readings: Sequence[Reading], answers: Sequence[Answer]
) -> dict[Url, DocumentItem]:
    """Store documents and products that were read on the way, in the transaction of their pages; return what was."""
    documents, products = [], []
    for reading_, answer in zip(readings, answers, strict=False):
        page = reading_.page
        if reading_.document is None or answer.body is None:
            continue
        source = StoredBody(url=page.url, page_id=answer.page_id, body=page.body or b"", body_sha256=answer.body,
                            headers=page.headers, fetched_at=page.fetched_at)  # fmt: skip
        documents.append(DocumentItem(source=source, document=reading_.document))
        products.append(ProductItem(source=source, product=reading_.product))
    if documents:
        now = max(item.source.fetched_at for item in documents)
        write_documents(connection, site_id, documents, now)
        write_products(connection, site_id, products)
    return {item.source.url: item for item in documents}
