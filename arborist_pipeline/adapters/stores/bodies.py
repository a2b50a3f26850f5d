"""Raw bodies, once by SHA-256, compressed."""

import hashlib
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Column, ColumnElement, Connection, Row, Select, and_, bindparam, func, not_, or_, select

from arborist_pipeline.adapters.stores.moments import moment_writer
from arborist_pipeline.adapters.stores.prepared import prepare_insert
from arborist_pipeline.adapters.stores.schema import bodies, frontier
from arborist_pipeline.core.documents.packing import CODING, pack_bodies, unpack_body
from arborist_pipeline.core.errors import StoreError
from arborist_pipeline.core.ports import StoredBody
from arborist_pipeline.core.web.url import Url

_KNOWN = select(bodies.c.sha256).where(bodies.c.sha256.in_(bindparam("wanted", expanding=True)))
_NEW = prepare_insert(bodies, "sha256", "size", "coding", "content", "stored_at", skips_known=True)

HAS_NO_PAGE = or_(
    frontier.c.gone_at.is_not(None), and_(frontier.c.outcome == "redirect", frontier.c.status.in_((301, 308)))
)
"""Whether a URL said by its latest answer that no page stands there: gone, or moved for good."""


def put_bodies(connection: Connection, contents: Sequence[bytes | None], now: datetime) -> list[bytes | None]:
    """Store each body that is not there yet; return its SHA-256, None for None."""
    hashes = [None if content is None else hashlib.sha256(content).digest() for content in contents]
    wanted = {key: content for key, content in zip(hashes, contents, strict=True) if key and content is not None}
    known = set(connection.scalars(_KNOWN, {"wanted": list(wanted)})) if wanted else set()
    stored_at = moment_writer(connection.dialect)(now)
    new = [(key, content) for key, content in sorted(wanted.items()) if key not in known]
    packed = pack_bodies(content for _, content in new)
    _NEW.run(connection, [
        {"sha256": key, "size": len(content), "coding": CODING, "content": each, "stored_at": stored_at}
        for (key, content), each in zip(new, packed, strict=True)
    ])  # fmt: skip
    return hashes


def load_unread_bodies(
    connection: Connection, site_id: int, *, seen: tuple[Column[bytes], ColumnElement[bool]], limit: int
) -> tuple[StoredBody, ...]:
    """Return up to `limit` pages of a site whose latest body a reader has not read yet.

    `seen` is the column with the body that the reader read last, and whether it was this version of the reader.
    """
    body, is_same_reader = seen
    is_read = and_(body.is_not(None), body == frontier.c.body_sha256, is_same_reader)
    query = _select_latest_bodies().where(frontier.c.site_id == site_id, not_(func.coalesce(is_read, False)))
    return tuple(map(_read_stored_body, connection.execute(query.order_by(frontier.c.seq).limit(limit))))


def _select_latest_bodies() -> Select[Any]:
    told = bodies.alias("told")
    columns = (
        frontier.c.url,
        frontier.c.stored_page_id,
        frontier.c.body_sha256,
        frontier.c.content_type,
        frontier.c.x_robots_tag,
        frontier.c.etag,
        frontier.c.last_modified,
        frontier.c.fetched_at,
        bodies.c.content,
        told.c.content.label("told"),
    )
    return (
        select(*columns)
        .join(bodies, bodies.c.sha256 == frontier.c.body_sha256)
        .outerjoin(told, told.c.sha256 == frontier.c.endpoint_body)
        .where(not_(HAS_NO_PAGE))
    )


def _read_stored_body(row: Row[Any]) -> StoredBody:
    content = _unpack(row, row.content)
    told = None if row.told is None else _unpack(row, row.told)
    headers = {"content-type": row.content_type, "x-robots-tag": row.x_robots_tag, "etag": row.etag,
               "last-modified": row.last_modified}  # fmt: skip
    return StoredBody(
        url=Url(row.url),
        page_id=row.stored_page_id,
        body=content,
        body_sha256=row.body_sha256,
        headers={name: value for name, value in headers.items() if value is not None},
        fetched_at=row.fetched_at,
        endpoint_body=told,
    )


def _unpack(row: Row[Any], packed: bytes) -> bytes:
    try:
        content, is_whole = unpack_body(packed)
    except ValueError as error:
        raise StoreError(f"the stored body of {row.url} is damaged: run arborist verify") from error
    if not is_whole:
        raise StoreError(f"the stored body of {row.url} is cut short: run arborist verify")
    return content
