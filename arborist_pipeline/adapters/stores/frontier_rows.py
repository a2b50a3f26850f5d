"""The frontier's rows: where each known URL of a site stands in the order, as the core decided it."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, RowMapping, bindparam, insert, select, update

from arborist_pipeline.adapters.stores.schema import frontier
from arborist_pipeline.core.crawl.entries import FrontierEntry, FrontierRow, State
from arborist_pipeline.core.crawl.priority import Bucket
from arborist_pipeline.core.crawl.records import Outcome, Priority, StoredPage, Tier
from arborist_pipeline.core.web.freshness import Validators
from arborist_pipeline.core.web.page import PageKind
from arborist_pipeline.core.web.url import Url

_IN_CHUNK = 500  # values in one IN list: below every database's limit on parameters


def entry_of(row: RowMapping) -> FrontierEntry:
    """Return a row as the frontier works with it."""
    stored = None
    if row["stored_page_id"] is not None:
        stored = StoredPage(
            page_id=row["stored_page_id"],
            validators=Validators(etag=row["etag"], last_modified=row["last_modified"]),
            body_sha256=row["body_sha256"],
            links_page_id=row["links_page_id"],
            kind=PageKind(row["kind"]) if row["kind"] else None,
            title=row["title"],
            nofollow=bool(row["nofollow"]),
            refresh_to=row["redirect_to"] if row["outcome"] in (Outcome.OK, Outcome.NOT_MODIFIED) else None,
            document_root=row["document_root"],
        )
    return FrontierEntry(
        url=Url(row["url"]),
        depth=row["depth"],
        state=State(row["state"]),
        bucket=Bucket(row["bucket"]),
        seq=row["seq"],
        parent=row["parent"],
        anchor=row["anchor"],
        priority=Priority(Tier(row["tier"]), row["score"], row["why"]),
        fetched=row["fetched_at"] is not None,
        kind=PageKind(row["kind"]) if row["kind"] else None,
        due_at=row["due_at"],
        stored=stored,
        written=row["written"],
    )


def write_frontier(connection: Connection, site_id: int, changes: Sequence[FrontierRow], now: datetime) -> None:
    """Insert the new rows of a batch, update the others."""
    new = [_frontier_values(row) | {"site_id": site_id, "discovered_at": now} for row in changes if row.is_new]
    old = [_frontier_values(row) | {"known_url": row.url} for row in changes if not row.is_new]
    if new:
        connection.execute(insert(frontier), new)
    if old:
        known = (frontier.c.site_id == site_id, frontier.c.url == bindparam("known_url"))
        connection.execute(update(frontier).where(*known), old)


def _frontier_values(row: FrontierRow) -> dict[str, Any]:
    return {"url": row.url, "state": row.state, "bucket": int(row.bucket), "seq": row.seq, "depth": row.depth,
            "parent": row.parent, "anchor": row.anchor, "tier": row.priority.tier, "score": row.priority.score,
            "why": row.priority.why, "written": row.written}  # fmt: skip


def frontier_ids(connection: Connection, site_id: int, urls: Sequence[Url]) -> dict[Url, int]:
    """Return the row ids of known URLs."""
    ids: dict[Url, int] = {}
    for start in range(0, len(urls), _IN_CHUNK):
        chunk = urls[start : start + _IN_CHUNK]
        query = select(frontier.c.url, frontier.c.id).where(frontier.c.site_id == site_id, frontier.c.url.in_(chunk))
        ids.update((Url(url), row_id) for url, row_id in connection.execute(query))
    return ids
