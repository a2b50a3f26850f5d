"""The latest state of each page, on the row of its URL: what the last answer told, and the last good version."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import cache
from itertools import groupby
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    LargeBinary,
    and_,
    bindparam,
    case,
    cast,
    func,
    null,
    or_,
    select,
    update,
)

from arborist_pipeline.adapters.stores.frontier_rows import PLACE, frontier_ids
from arborist_pipeline.adapters.stores.moments import UtcDateTime, moment_writer
from arborist_pipeline.adapters.stores.page_links import Answer
from arborist_pipeline.adapters.stores.prepared import Prepared
from arborist_pipeline.adapters.stores.schema import frontier, pages
from arborist_pipeline.core.crawl.lessons import Completion
from arborist_pipeline.core.crawl.priority import Bucket
from arborist_pipeline.core.crawl.records import CrawledPage, Outcome
from arborist_pipeline.core.crawl.soft_errors import REASON
from arborist_pipeline.core.documents.document import RECIPE
from arborist_pipeline.core.ports import DocumentItem
from arborist_pipeline.core.products.extract import READER
from arborist_pipeline.core.web.page import PageKind
from arborist_pipeline.core.web.url import Url

_GONE = frozenset({404, 410})
_ANSWERED_WELL = frozenset({Outcome.OK, Outcome.NOT_MODIFIED})
_IN_PART = frozenset({Outcome.TRUNCATED, Outcome.TOO_LARGE, Outcome.TOO_DEEP})


def write_states(
    connection: Connection,
    answers: Sequence[Answer],
    completions: Mapping[Url, Completion],
    places: dict[Url, Mapping[str, Any]],
    read: Mapping[Url, DocumentItem],
) -> None:
    """Bring the rows of the answered URLs up to date, each by one statement; what an answer does not tell stays.

    `places` has where known URLs stand in the order from now on; those of the answered ones are taken out of it. `read`
    are the bodies that documents and products were made of already.
    """
    moment = moment_writer(connection.dialect)
    states = [_state_of(answer, completions.get(answer.page.url), moment) for answer in answers]
    for answer, (parts, values) in zip(answers, states, strict=True):
        url = answer.page.url
        if url in places:
            parts.append("placed")
            values.update(places.pop(url))
        if url in read:
            parts.append("read")
            values.update(reading_values(read[url]))
    for told_parts, group in groupby(states, lambda state: tuple(state[0])):
        _update_of(told_parts).run(connection, [values for _, values in group])
    in_part = [{"row_id": answer.row_id, "page_id_": answer.page_id} for answer in answers
               if answer.page.outcome in _IN_PART and answer.page.links]  # fmt: skip
    _IN_PART_ONLY.run(connection, in_part)


def _state_of(
    answer: Answer, completion: Completion | None, moment: Callable[[datetime], datetime | str]
) -> tuple[list[str], dict[str, Any]]:
    """Return which parts of the row an answer tells, and their values."""
    page = answer.page
    fetched_at = moment(page.fetched_at)
    parts = ["latest"]
    values: dict[str, Any] = {
        "row_id": answer.row_id, "page_id_": answer.page_id, "outcome_": page.outcome.value, "reason_": page.reason,
        "status_": page.status, "fetched_at_": fetched_at if page.order is not None else None,
        "due_at_": moment(completion.due_at) if completion is not None else None,
        "gone_at_": fetched_at if _is_gone(page) else None, "redirect_to_": page.redirect_to or page.refresh_to,
    }  # fmt: skip
    if page.outcome in _ANSWERED_WELL:
        values |= {"etag_": page.headers.get("etag"), "last_modified_": page.headers.get("last-modified")}
        parts.append("good" if page.outcome is Outcome.OK else "renewed")
    if page.outcome is Outcome.OK:
        values |= {
            "kind_": page.kind.value if page.kind else None, "title_": page.title, "noindex_": page.noindex,
            "nofollow_": page.nofollow, "canonical_url_": page.canonical_url, "body_": answer.body,
            "content_type_": page.headers.get("content-type"), "x_robots_tag_": page.headers.get("x-robots-tag"),
            "links_page_id_": answer.links_page_id, "endpoint_": answer.told,
        }  # fmt: skip
    return parts, values


def _set(*names: str) -> dict[str, ColumnElement[Any]]:
    return {name: bindparam(f"{name}_", type_=frontier.c[name].type) for name in names}


# A walk that keeps no bodies leaves validators and headers with the body they came with. Asked with the new ones, the
# site would answer that nothing changed, and the change would never be read; a new charset is none of the old body's.
_BODY = bindparam("body_", type_=LargeBinary)
_KEEPS_OLDER_BODY = cast(_BODY, LargeBinary).is_(None) & frontier.c.body_sha256.is_not(None)
# What an endpoint told stands for as long as its page is the same; another answer is one that was not read yet.
_TOLD = bindparam("endpoint_", type_=LargeBinary)
_IS_NEWS = and_(
    cast(_TOLD, LargeBinary).is_not(None), or_(frontier.c.endpoint_body.is_(None), frontier.c.endpoint_body != _TOLD)
)
_PARTS: Mapping[str, Mapping[str, Any]] = {
    "latest": {
        **_set("page_id", "outcome", "reason", "status", "fetched_at", "due_at", "redirect_to"),
        "checked_at": bindparam("fetched_at_", type_=UtcDateTime),
        "gone_at": func.coalesce(frontier.c.gone_at, bindparam("gone_at_", type_=UtcDateTime)),
        "verdict": null(),
    },
    "good": {
        **_set("kind", "title", "noindex", "nofollow", "canonical_url", "links_page_id"),
        "stored_page_id": bindparam("page_id_"),
        "body_sha256": func.coalesce(_BODY, frontier.c.body_sha256),
        **{
            name: case((_KEEPS_OLDER_BODY, frontier.c[name]), else_=bindparam(f"{name}_"))
            for name in ("content_type", "x_robots_tag", "etag", "last_modified")
        },
        "endpoint_body": case(
            (frontier.c.body_sha256 == _BODY, func.coalesce(_TOLD, frontier.c.endpoint_body)), else_=_TOLD
        ),
        "product_body": case((_IS_NEWS, null()), else_=frontier.c.product_body),
        "gone_at": null(),
    },
    "renewed": {
        "etag": func.coalesce(bindparam("etag_"), frontier.c.etag),
        "last_modified": func.coalesce(bindparam("last_modified_"), frontier.c.last_modified),
        "gone_at": null(),
    },
    "placed": _set(*PLACE),
    "read": {
        **_set("document_body", "document_recipe", "document_root", "product_reader"),
        "product_body": bindparam("document_body_", type_=LargeBinary),
    },
}
"""What sets which columns of a row; of two parts that set one column the later stands."""
_BY_ID = frontier.c.id == bindparam("row_id")
# What came of a page that never came whole leads on all the same: its links stand until a whole one comes.
_IN_PART_ONLY = Prepared(
    update(frontier).where(_BY_ID, frontier.c.stored_page_id.is_(None)).values(links_page_id=bindparam("page_id_"))
)


@cache
def _update_of(parts: tuple[str, ...]) -> Prepared:
    values: dict[str, Any] = {}
    for part in parts:
        values |= _PARTS[part]
    return Prepared(update(frontier).where(_BY_ID).values(values))


def reading_values(item: DocumentItem) -> Mapping[str, Any]:
    """Return what a URL's row tells of the body that downstream has read last."""
    root = item.document.document_root if item.document is not None else None
    return {"document_body_": item.source.body_sha256, "document_recipe_": RECIPE, "document_root_": root,
            "product_reader_": READER}  # fmt: skip


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
