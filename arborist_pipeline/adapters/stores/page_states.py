"""The latest state of each page, on the row of its URL: what the last answer told, and the last good version."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, LargeBinary, and_, bindparam, case, cast, func, null, or_, select, update

from arborist_pipeline.adapters.stores.bodies import put_bodies
from arborist_pipeline.adapters.stores.frontier_rows import frontier_ids
from arborist_pipeline.adapters.stores.moments import UtcDateTime
from arborist_pipeline.adapters.stores.schema import frontier, pages
from arborist_pipeline.core.crawl.lessons import Completion
from arborist_pipeline.core.crawl.priority import Bucket
from arborist_pipeline.core.crawl.records import CrawledPage, Outcome
from arborist_pipeline.core.crawl.soft_errors import REASON
from arborist_pipeline.core.web.page import PageKind
from arborist_pipeline.core.web.url import Url

_GONE = frozenset({404, 410})
_IN_PART = frozenset({Outcome.TRUNCATED, Outcome.TOO_LARGE, Outcome.TOO_DEEP})


def write_states(
    connection: Connection,
    rows: Sequence[CrawledPage],
    page_ids: Sequence[int],
    ids: Mapping[Url, int],
    bodies: Sequence[bytes | None],
    completions: Mapping[Url, Completion],
) -> None:
    """Bring the latest state of each page's URL up to date; what an answer does not tell stays as it was."""
    latest = []
    good = []
    told = put_bodies(connection, [page.endpoint_body for page in rows], max(page.fetched_at for page in rows))
    for page, page_id, body, endpoint in zip(rows, page_ids, bodies, told, strict=True):
        latest.append(
            {"row_id": ids[page.url], "page_id_": page_id, "outcome_": page.outcome, "reason_": page.reason,
             "status_": page.status, "fetched_at_": page.fetched_at if page.order is not None else None,
             "due_at_": completions[page.url].due_at if page.url in completions else None,
             "gone_at_": page.fetched_at if _is_gone(page) else None,
             "redirect_to_": page.redirect_to or page.refresh_to}
        )  # fmt: skip
        if page.outcome is Outcome.OK:
            good.append(_good_state(page, page_id, ids[page.url], body) | {"endpoint_": endpoint})
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
# A walk that keeps no bodies leaves validators and headers with the body they came with. Asked with the new ones, the
# site would answer that nothing changed, and the change would never be read; a new charset is none of the old body's.
_KEEPS_OLDER_BODY = bindparam("body_", type_=LargeBinary).is_(None) & frontier.c.body_sha256.is_not(None)
# What an endpoint told stands for as long as its page is the same; another answer is one that was not read yet.
_TOLD = bindparam("endpoint_", type_=LargeBinary)
_ENDPOINT = case(
    (frontier.c.body_sha256 == bindparam("body_", type_=LargeBinary), func.coalesce(_TOLD, frontier.c.endpoint_body)),
    else_=_TOLD,
)
_IS_NEWS = and_(
    cast(_TOLD, LargeBinary).is_not(None), or_(frontier.c.endpoint_body.is_(None), frontier.c.endpoint_body != _TOLD)
)
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
        **{
            name: case((_KEEPS_OLDER_BODY, frontier.c[name]), else_=bindparam(f"{name}_"))
            for name in ("content_type", "x_robots_tag", "etag", "last_modified")
        },
        endpoint_body=_ENDPOINT,
        product_body=case((_IS_NEWS, null()), else_=frontier.c.product_body),
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


def relabel(connection: Connection, site_id: int, urls: Sequence[Url], now: datetime) -> None:
    """Make soft 404s of pages that were taken for live ones."""
    ids = list(frontier_ids(connection, site_id, urls).values())
    known = {"outcome": Outcome.SOFT_404, "reason": REASON, "kind": PageKind.OTHER}
    latest = select(frontier.c.page_id).where(frontier.c.id.in_(ids))
    connection.execute(update(pages).where(pages.c.id.in_(latest)).values(**known))
    place = {"bucket": int(Bucket.DUE_OTHER)}
    connection.execute(update(frontier).where(frontier.c.id.in_(ids)).values(gone_at=now, **place, **known))


def _good_state(page: CrawledPage, page_id: int, row_id: int, body: bytes | None) -> dict[str, Any]:
    return {"row_id": row_id, "page_id_": page_id, "kind_": page.kind, "title_": page.title,
            "noindex_": page.noindex, "nofollow_": page.nofollow, "canonical_url_": page.canonical_url, "body_": body,
            "content_type_": page.headers.get("content-type"), "x_robots_tag_": page.headers.get("x-robots-tag"),
            "etag_": page.headers.get("etag"), "last_modified_": page.headers.get("last-modified")}  # fmt: skip


def _renewed(page: CrawledPage, row_id: int) -> dict[str, Any]:
    return {"row_id": row_id, "etag_": page.headers.get("etag"),
            "last_modified_": page.headers.get("last-modified")}  # fmt: skip
