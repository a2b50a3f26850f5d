"""What the store need not keep: crawls beyond a site's number, and raw bodies that its retention gives up.

Documents, products, price history and the latest state of every URL are never touched. Nothing is deleted while a
crawl is under way anywhere, for it may bring back a body that is about to go.
"""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, Engine, Select, Table, delete, func, select, union

from arborist_pipeline.adapters.stores.engine import reading, writing
from arborist_pipeline.adapters.stores.schema import (
    bodies,
    crawls,
    documents,
    findings,
    frontier,
    leases,
    links,
    pages,
    products,
    redirects,
    sites,
)
from arborist_pipeline.core.crawl.records import BodyRetention, Retention
from arborist_pipeline.core.crawl.site_list import site_from_config

_IN_CHUNK = 500  # values in one IN list: below every database's limit on parameters


class SqlRetention:
    """Deletes in short transactions, an old crawl at a time."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def apply(self, now: datetime) -> dict[str, int] | None:
        """Delete what no site's retention keeps; return how many crawls, pages and bodies, None while one crawls."""
        with reading(self._engine) as connection:
            if _is_crawling(connection, now):
                return None
            kept = {row.id: site_from_config(row.config).retention for row in connection.execute(select(sites))}
        counts = {"crawls": 0, "pages": 0}
        for site_id, retention in kept.items():
            for crawl_id in self._surplus_crawls(site_id, retention.crawls):
                with writing(self._engine) as connection:
                    gone, whole = _delete_crawl(connection, crawl_id)
                counts["pages"] += gone
                counts["crawls"] += whole
        with writing(self._engine) as connection:
            return counts | {"bodies": 0 if _is_crawling(connection, now) else _delete_bodies(connection, kept)}

    def _surplus_crawls(self, site_id: int, keep: int) -> Sequence[int]:
        """Return the crawls beyond the newest `keep`, newest first: a later one may lean on an earlier one's links."""
        query = select(crawls.c.id).where(crawls.c.site_id == site_id).order_by(crawls.c.id.desc())
        with reading(self._engine) as connection:
            return list(connection.scalars(query))[keep:]


def _is_crawling(connection: Connection, now: datetime) -> bool:
    return bool(connection.scalar(select(func.count()).select_from(leases).where(leases.c.expires_at > now)))


def _delete_crawl(connection: Connection, crawl_id: int) -> tuple[int, bool]:
    """Delete the pages of a crawl that nothing stands on, and the crawl itself where none is left."""
    elsewhere = select(pages.c.links_page_id).where(pages.c.links_page_id.is_not(None), pages.c.crawl_id != crawl_id)
    stood_on = union(
        *(
            select(column).where(column.is_not(None))
            for column in (
                frontier.c.page_id,
                frontier.c.stored_page_id,
                frontier.c.links_page_id,
                documents.c.page_id,
                products.c.page_id,
            )
        ),
        elsewhere,
    ).subquery()
    kept = select(stood_on)
    of_crawl = select(pages.c.id).where(pages.c.crawl_id == crawl_id)
    doomed = list(connection.scalars(of_crawl.where(pages.c.id.not_in(kept))))
    for start in range(0, len(doomed), _IN_CHUNK):
        chunk = doomed[start : start + _IN_CHUNK]
        connection.execute(delete(links).where(links.c.page_id.in_(chunk)))
        connection.execute(delete(redirects).where(redirects.c.page_id.in_(chunk)))
        connection.execute(delete(pages).where(pages.c.id.in_(chunk)))
    if connection.scalar(of_crawl.limit(1)) is not None:
        return len(doomed), False
    connection.execute(delete(findings).where(findings.c.crawl_id == crawl_id))
    connection.execute(delete(crawls).where(crawls.c.id == crawl_id))
    return len(doomed), True


def _delete_bodies(connection: Connection, kept: dict[int, Retention]) -> int:
    """Delete bodies that no site keeps: latest ones stay always, those that brought a version with `changed`."""
    everything = [site_id for site_id, retention in kept.items() if retention.bodies is BodyRetention.ALL]
    changed = [site_id for site_id, retention in kept.items() if retention.bodies is BodyRetention.CHANGED]
    wanted = union(
        select(frontier.c.body_sha256).where(frontier.c.body_sha256.is_not(None)),
        select(frontier.c.endpoint_body).where(frontier.c.endpoint_body.is_not(None)),
        _bodies_of_pages()
        .join(frontier, frontier.c.id == pages.c.frontier_id)
        .where(frontier.c.site_id.in_(everything)),
        *(_bodies_of_versions(table, changed) for table in (documents, products)),
    ).subquery()
    return connection.execute(delete(bodies).where(bodies.c.sha256.not_in(select(wanted)))).rowcount


def _bodies_of_pages() -> Select[tuple[bytes]]:
    return select(pages.c.body_sha256).where(pages.c.body_sha256.is_not(None))


def _bodies_of_versions(table: Table, site_ids: Sequence[int]) -> Select[tuple[bytes]]:
    return _bodies_of_pages().join(table, table.c.page_id == pages.c.id).where(table.c.site_id.in_(site_ids))
