"""The links of a page version: stored under the page row that introduced them, named by later rows with the same."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, insert, select, update

from arborist_pipeline.adapters.stores.inserts import insert_rows
from arborist_pipeline.adapters.stores.schema import links, pages
from arborist_pipeline.core.crawl.records import CrawledPage
from arborist_pipeline.core.web.links import Link, LinkKind
from arborist_pipeline.core.web.url import Url


def write_links(
    connection: Connection, rows: Sequence[CrawledPage], page_ids: Sequence[int], bodies: Sequence[bytes | None]
) -> None:
    """Store the links of each page, unless those of its stored version are the same; note where they stand."""
    new: list[tuple[Any, ...]] = []
    homes: list[dict[str, Any]] = []
    for page, page_id, body in zip(rows, page_ids, bodies, strict=True):
        home = page_id if page.links is not None else page.stored.links_page_id if page.stored else None
        if page.links is not None and page.stored is not None and page.stored.links_page_id is not None:
            same = body is not None and body == page.stored.body_sha256
            if same or load_links(connection, page.stored.links_page_id) == page.links:
                home = page.stored.links_page_id
        if home == page_id:
            new.extend(
                (page_id, position, link.url, link.text, link.kind.value, link.nofollow, link.written)
                for position, link in enumerate(page.links or ())
            )
        homes.append({"row_id": page_id, "home": home})
    insert_rows(connection, insert(links), new)
    connection.execute(
        update(pages).where(pages.c.id == bindparam("row_id")).values(links_page_id=bindparam("home")), homes
    )


def load_links(connection: Connection, page_id: int) -> tuple[Link, ...]:
    """Return the links stored under a page version, in their order on the page."""
    query = select(links).where(links.c.page_id == page_id).order_by(links.c.position)
    return tuple(
        Link(url=Url(row.url), text=row.anchor, kind=LinkKind(row.kind), nofollow=row.nofollow, written=row.written)
        for row in connection.execute(query)
    )
