"""The CrawlStore over SQL. A batch of pages commits in one transaction with the frontier rows their links made."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Engine, LargeBinary, RowMapping, bindparam, case, func, insert, or_, select, update

from arborist_pipeline.adapters.stores.bodies import put_bodies
from arborist_pipeline.adapters.stores.documents import write_documents
from arborist_pipeline.adapters.stores.engine import reading, writing
from arborist_pipeline.adapters.stores.leases import check_fence
from arborist_pipeline.adapters.stores.moments import UtcDateTime
from arborist_pipeline.adapters.stores.products import write_products
from arborist_pipeline.adapters.stores.schema import crawls, frontier, links, pages, redirects
from arborist_pipeline.adapters.stores.sites import site_id_of
from arborist_pipeline.core.crawl.entries import FrontierEntry, FrontierRow, State
from arborist_pipeline.core.crawl.policy import CrawlPolicy, Walk
from arborist_pipeline.core.crawl.priority import Bucket
from arborist_pipeline.core.crawl.reading import Reading
from arborist_pipeline.core.crawl.records import (
    CrawledPage,
    CrawlSummary,
    Outcome,
    Priority,
    Site,
    StoppedBy,
    StoredPage,
    Tier,
)
from arborist_pipeline.core.crawl.soft_errors import REASON
from arborist_pipeline.core.ports import CrawlBatch, CrawlStart, DocumentItem, Lease, ProductItem, StoredBody
from arborist_pipeline.core.products.product import to_json
from arborist_pipeline.core.web.freshness import Validators
from arborist_pipeline.core.web.links import Link, LinkKind
from arborist_pipeline.core.web.page import PageKind
from arborist_pipeline.core.web.url import Url

_IN_CHUNK = 500  # values in one IN list: below every database's limit on parameters
_GONE = frozenset({404, 410})
_IN_PART = frozenset({Outcome.TRUNCATED, Outcome.TOO_LARGE, Outcome.TOO_DEEP})


class SqlCrawlStore:
    """Crawls, frontier, pages, bodies, links and redirects."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def begin_crawl(self, site: Site, policy: CrawlPolicy, *, run_id: str | None, now: datetime) -> CrawlStart:
        """Open a crawl; with Walk.RESUME the site's last one again, unless it had run to its end."""
        config = {"mode": policy.mode, "max_pages": policy.max_pages, "depth": policy.max_depth, "walk": policy.walk,
                  "full": policy.full, "urls": list(policy.only)}  # fmt: skip
        with writing(self._engine) as connection:
            site_id = site_id_of(connection, site.key)
            last = connection.execute(
                select(crawls).where(crawls.c.site_id == site_id).order_by(crawls.c.id.desc()).limit(1)
            ).first()
            if policy.walk is Walk.RESUME and last is not None and last.stopped_by != StoppedBy.EXHAUSTED:
                order = connection.scalar(select(func.max(pages.c.order)).where(pages.c.crawl_id == last.id)) or 0
                connection.execute(update(crawls).where(crawls.c.id == last.id).values(finished_at=None))
                return CrawlStart(crawl_id=last.id, site_key=site.key, started_at=last.started_at, last_order=order)
            crawl_id = connection.execute(
                insert(crawls).returning(crawls.c.id),
                {"site_id": site_id, "run_id": run_id, "mode": policy.mode, "config": config, "started_at": now,
                 "pages": 0},
            ).scalar_one()  # fmt: skip
        return CrawlStart(crawl_id=crawl_id, site_key=site.key, started_at=now, last_order=0)

    def last_start(self, site_key: str) -> datetime | None:
        """Return when the site's newest crawl began, None where there was none."""
        with reading(self._engine) as connection:
            query = select(func.max(crawls.c.started_at)).where(crawls.c.site_id == site_id_of(connection, site_key))
            started_at: datetime | None = connection.scalar(query)
        return started_at

    def load_frontier(self, site_key: str) -> Iterator[FrontierEntry]:
        """Yield every known URL of the site in order of seq."""
        with reading(self._engine) as connection:
            query = select(frontier).where(frontier.c.site_id == site_id_of(connection, site_key))
            for row in connection.execution_options(yield_per=2_000).execute(query.order_by(frontier.c.seq)).mappings():
                yield _entry(row)

    def load_links(self, page_id: int) -> tuple[Link, ...]:
        """Return the links stored under a page version."""
        with reading(self._engine) as connection:
            return _load_links(connection, page_id)

    def record(self, crawl: CrawlStart, batch: CrawlBatch, lease: Lease | None) -> None:
        """Store a batch in one transaction; raises LeaseLost where the lease is no longer this crawl's."""
        with writing(self._engine) as connection:
            check_fence(connection, lease)
            site_id = site_id_of(connection, crawl.site_key)
            now = _latest(batch, crawl.started_at)
            _write_frontier(connection, site_id, batch.changes, now)
            rows = [*(reading.page for reading in batch.readings), *batch.forbidden]
            if rows:
                _write_pages(connection, crawl.crawl_id, site_id, batch, rows)
            if batch.soft_errors:
                _relabel(connection, site_id, batch.soft_errors, now)

    def finish_crawl(self, crawl: CrawlStart, summary: CrawlSummary, *, now: datetime) -> None:
        """Close the crawl with its summary."""
        asked = select(func.count()).where(pages.c.crawl_id == crawl.crawl_id, pages.c.order.is_not(None))
        values = {"finished_at": now, "stopped_by": summary.stopped_by, "reason": summary.reason,
                  "pages": asked.scalar_subquery(), "summary": to_json(summary)}  # fmt: skip
        with writing(self._engine) as connection:
            connection.execute(update(crawls).where(crawls.c.id == crawl.crawl_id).values(**values))


def _entry(row: RowMapping) -> FrontierEntry:
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


def _load_links(connection: Connection, page_id: int) -> tuple[Link, ...]:
    query = select(links).where(links.c.page_id == page_id).order_by(links.c.position)
    return tuple(
        Link(url=Url(row.url), text=row.anchor, kind=LinkKind(row.kind), nofollow=row.nofollow, written=row.written)
        for row in connection.execute(query)
    )


def _latest(batch: CrawlBatch, started_at: datetime) -> datetime:
    """Return when the newest of a batch came; a batch of frontier rows alone is as old as its crawl."""
    pages_ = (*(reading_.page for reading_ in batch.readings), *batch.forbidden)
    return max((page.fetched_at for page in pages_), default=started_at)


def _write_frontier(connection: Connection, site_id: int, changes: Sequence[FrontierRow], now: datetime) -> None:
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


def _frontier_ids(connection: Connection, site_id: int, urls: Sequence[Url]) -> dict[Url, int]:
    ids: dict[Url, int] = {}
    for start in range(0, len(urls), _IN_CHUNK):
        chunk = urls[start : start + _IN_CHUNK]
        query = select(frontier.c.url, frontier.c.id).where(frontier.c.site_id == site_id, frontier.c.url.in_(chunk))
        ids.update((Url(url), row_id) for url, row_id in connection.execute(query))
    return ids


def _write_pages(
    connection: Connection, crawl_id: int, site_id: int, batch: CrawlBatch, rows: Sequence[CrawledPage]
) -> None:
    ids = _frontier_ids(connection, site_id, [page.url for page in rows])
    now = max(page.fetched_at for page in rows)
    bodies = put_bodies(connection, [page.body for page in rows], now)
    page_ids = _insert_pages(connection, crawl_id, rows, ids, bodies)
    _write_links(connection, rows, page_ids, bodies)
    _write_redirects(connection, rows, page_ids)
    _write_states(connection, rows, page_ids, ids, bodies, batch.due_at)
    _write_readings(connection, site_id, batch.readings, page_ids, bodies)


def _insert_pages(
    connection: Connection,
    crawl_id: int,
    rows: Sequence[CrawledPage],
    ids: Mapping[Url, int],
    bodies: Sequence[bytes | None],
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
        }
        for page, body in zip(rows, bodies, strict=True)
    ]  # fmt: skip
    return list(connection.scalars(insert(pages).returning(pages.c.id, sort_by_parameter_order=True), values))


def _write_links(
    connection: Connection, rows: Sequence[CrawledPage], page_ids: Sequence[int], bodies: Sequence[bytes | None]
) -> None:
    """Store the links of each page, unless those of its stored version are the same; note where they stand."""
    new: list[dict[str, Any]] = []
    homes: list[dict[str, Any]] = []
    for page, page_id, body in zip(rows, page_ids, bodies, strict=True):
        home = page_id if page.links is not None else page.stored.links_page_id if page.stored else None
        if page.links is not None and page.stored is not None and page.stored.links_page_id is not None:
            same = body is not None and body == page.stored.body_sha256
            if same or _load_links(connection, page.stored.links_page_id) == page.links:
                home = page.stored.links_page_id
        if home == page_id:
            new.extend(
                {"page_id": page_id, "position": position, "url": link.url, "anchor": link.text, "kind": link.kind,
                 "nofollow": link.nofollow, "written": link.written}
                for position, link in enumerate(page.links or ())
            )  # fmt: skip
        homes.append({"row_id": page_id, "home": home})
    if new:
        connection.execute(insert(links), new)
    connection.execute(
        update(pages).where(pages.c.id == bindparam("row_id")).values(links_page_id=bindparam("home")), homes
    )


def _write_redirects(connection: Connection, rows: Sequence[CrawledPage], page_ids: Sequence[int]) -> None:
    values = [
        {"page_id": page_id, "url": page.url, "target": page.redirect_to or page.refresh_to, "location": page.location,
         "status": page.status}
        for page, page_id in zip(rows, page_ids, strict=True)
        if page.redirect_to or page.location is not None or page.refresh_to
    ]  # fmt: skip
    if values:
        connection.execute(insert(redirects), values)


def _write_states(
    connection: Connection,
    rows: Sequence[CrawledPage],
    page_ids: Sequence[int],
    ids: Mapping[Url, int],
    bodies: Sequence[bytes | None],
    due_at: Mapping[Url, datetime],
) -> None:
    """Bring the latest state of each page's URL up to date; what an answer does not tell stays as it was."""
    latest = []
    good = []
    for page, page_id, body in zip(rows, page_ids, bodies, strict=True):
        latest.append(
            {"row_id": ids[page.url], "page_id_": page_id, "outcome_": page.outcome, "reason_": page.reason,
             "status_": page.status, "fetched_at_": page.fetched_at if page.order is not None else None,
             "due_at_": due_at.get(page.url), "gone_at_": page.fetched_at if _is_gone(page) else None,
             "redirect_to_": page.redirect_to or page.refresh_to}
        )  # fmt: skip
        if page.outcome is Outcome.OK:
            good.append(_good_state(page, page_id, ids[page.url], body))
    connection.execute(_LATEST, latest)
    if good:
        connection.execute(_GOOD, good)
    parts = [{"row_id": ids[page.url], "page_id_": page_id} for page, page_id in zip(rows, page_ids, strict=True)
             if page.outcome in _IN_PART and page.links]  # fmt: skip
    if parts:
        connection.execute(_IN_PART_ONLY, parts)
    renewed = [_renewed(page, ids[page.url]) for page in rows if page.outcome is Outcome.NOT_MODIFIED]
    if renewed:
        connection.execute(_RENEWED, renewed)


_BY_ID = frontier.c.id == bindparam("row_id")
_LATEST = (
    update(frontier)
    .where(_BY_ID)
    .values(
        page_id=bindparam("page_id_"),
        outcome=bindparam("outcome_"),
        reason=bindparam("reason_"),
        status=bindparam("status_"),
        fetched_at=bindparam("fetched_at_"),
        checked_at=bindparam("fetched_at_"),
        due_at=bindparam("due_at_"),
        gone_at=func.coalesce(frontier.c.gone_at, bindparam("gone_at_", type_=UtcDateTime)),
        redirect_to=bindparam("redirect_to_"),
        verdict=None,
    )
)
# A walk that keeps no bodies leaves the validators with the body they came with: asked with the new ones, the site
# would answer that nothing changed, and the change would never be read.
_KEEPS_OLDER_BODY = bindparam("body_", type_=LargeBinary).is_(None) & frontier.c.body_sha256.is_not(None)
_GOOD = (
    update(frontier)
    .where(_BY_ID)
    .values(
        stored_page_id=bindparam("page_id_"),
        kind=bindparam("kind_"),
        title=bindparam("title_"),
        noindex=bindparam("noindex_"),
        nofollow=bindparam("nofollow_"),
        canonical_url=bindparam("canonical_url_"),
        body_sha256=func.coalesce(bindparam("body_", type_=LargeBinary), frontier.c.body_sha256),
        content_type=bindparam("content_type_"),
        x_robots_tag=bindparam("x_robots_tag_"),
        etag=case((_KEEPS_OLDER_BODY, frontier.c.etag), else_=bindparam("etag_")),
        last_modified=case((_KEEPS_OLDER_BODY, frontier.c.last_modified), else_=bindparam("last_modified_")),
        links_page_id=select(pages.c.links_page_id).where(pages.c.id == bindparam("page_id_")).scalar_subquery(),
        gone_at=None,
    )
)
# What came of a page that never came whole leads on all the same: its links stand until a whole one comes.
_IN_PART_ONLY = (
    update(frontier).where(_BY_ID, frontier.c.stored_page_id.is_(None)).values(links_page_id=bindparam("page_id_"))
)
_RENEWED = (
    update(frontier)
    .where(_BY_ID)
    .values(
        etag=func.coalesce(bindparam("etag_"), frontier.c.etag),
        last_modified=func.coalesce(bindparam("last_modified_"), frontier.c.last_modified),
        gone_at=None,
    )
)


def _is_gone(page: CrawledPage) -> bool:
    return page.status in _GONE or page.outcome is Outcome.SOFT_404


def _relabel(connection: Connection, site_id: int, urls: Sequence[Url], now: datetime) -> None:
    """Make soft 404s of pages that were taken for live ones."""
    ids = list(_frontier_ids(connection, site_id, urls).values())
    known = {"outcome": Outcome.SOFT_404, "reason": REASON, "kind": PageKind.OTHER}
    latest = select(frontier.c.page_id).where(frontier.c.id.in_(ids))
    connection.execute(update(pages).where(pages.c.id.in_(latest)).values(**known))
    connection.execute(update(frontier).where(frontier.c.id.in_(ids)).values(gone_at=now, **known))


def _good_state(page: CrawledPage, page_id: int, row_id: int, body: bytes | None) -> dict[str, Any]:
    return {"row_id": row_id, "page_id_": page_id, "kind_": page.kind, "title_": page.title,
            "noindex_": page.noindex, "nofollow_": page.nofollow, "canonical_url_": page.canonical_url, "body_": body,
            "content_type_": page.headers.get("content-type"), "x_robots_tag_": page.headers.get("x-robots-tag"),
            "etag_": page.headers.get("etag"), "last_modified_": page.headers.get("last-modified")}  # fmt: skip


def _renewed(page: CrawledPage, row_id: int) -> dict[str, Any]:
    return {"row_id": row_id, "etag_": page.headers.get("etag"),
            "last_modified_": page.headers.get("last-modified")}  # fmt: skip


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


def unfetched_count(connection: Connection, site_id: int) -> int:
    """Return how many admitted URLs of a site no run has asked for yet."""
    waiting = (frontier.c.state == State.QUEUED, or_(frontier.c.fetched_at.is_(None)))
    return connection.scalar(select(func.count()).where(frontier.c.site_id == site_id, *waiting)) or 0
