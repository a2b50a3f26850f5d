"""The CrawlStore over SQL. A batch of pages commits in one transaction with the frontier rows their links made."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Engine, Row, func, insert, select, update

from arborist_pipeline.adapters.stores.engine import reading, retried, writing
from arborist_pipeline.adapters.stores.frontier_rows import SqlFrontierRows, insert_frontier, move_rows, write_arms
from arborist_pipeline.adapters.stores.leases import check_fence
from arborist_pipeline.adapters.stores.page_links import load_links
from arborist_pipeline.adapters.stores.page_states import relabel
from arborist_pipeline.adapters.stores.pages import write_pages
from arborist_pipeline.adapters.stores.schema import crawls, frontier, pages
from arborist_pipeline.adapters.stores.sites import site_id_of
from arborist_pipeline.core.crawl.policy import CrawlPolicy, Walk
from arborist_pipeline.core.crawl.records import CrawlSummary, Site, StoppedBy
from arborist_pipeline.core.errors import NothingToResume
from arborist_pipeline.core.ports import CrawlBatch, CrawlStart, Lease
from arborist_pipeline.core.products.product import to_json
from arborist_pipeline.core.web.links import Link
from arborist_pipeline.core.web.url import Url


class SqlCrawlStore:
    """Crawls, frontier, pages, bodies, links and redirects."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @retried
    def begin_crawl(self, site: Site, policy: CrawlPolicy, *, run_id: str | None, now: datetime) -> CrawlStart:
        """Open a crawl; with Walk.RESUME the site's last one again, where there is one.

        Raises NothingToResume where that ran to its end.
        """
        with writing(self._engine) as connection:
            site_id = site_id_of(connection, site.key)
            query = select(crawls).where(crawls.c.site_id == site_id).order_by(crawls.c.id.desc()).limit(1)
            last = connection.execute(query).first()
            if policy.walk is Walk.RESUME and last is not None:
                return _open_again(connection, site.key, last)
            walk = Walk.FRESH if policy.walk is Walk.RESUME else policy.walk
            last_seq = connection.scalar(select(func.max(frontier.c.seq)).where(frontier.c.site_id == site_id)) or 0
            first_seq = last_seq + 1 if walk is Walk.FRESH else 0
            config = {"mode": policy.mode, "max_pages": policy.max_pages, "depth": policy.max_depth, "walk": walk,
                      "full": policy.full, "urls": list(policy.only), "first_seq": first_seq}  # fmt: skip
            crawl_id = connection.execute(
                insert(crawls).returning(crawls.c.id),
                {"site_id": site_id, "run_id": run_id, "mode": policy.mode, "config": config, "started_at": now,
                 "pages": 0},
            ).scalar_one()  # fmt: skip
        return CrawlStart(crawl_id=crawl_id, site_key=site.key, started_at=now, last_order=0,
                          walk=walk, only=policy.only, full=policy.full, first_seq=first_seq)  # fmt: skip

    def last_start(self, site_key: str) -> datetime | None:
        """Return when the site's newest crawl began, None where there was none."""
        with reading(self._engine) as connection:
            query = select(func.max(crawls.c.started_at)).where(crawls.c.site_id == site_id_of(connection, site_key))
            started_at: datetime | None = connection.scalar(query)
        return started_at

    def frontier_rows(self, site_key: str, crawl_id: int) -> SqlFrontierRows:
        """Return what the frontier of a crawl asks of its site's committed rows."""
        return SqlFrontierRows(self._engine, site_key, crawl_id)

    def load_links(self, page_id: int) -> tuple[Link, ...]:
        """Return the links stored under a page version."""
        with reading(self._engine) as connection:
            return load_links(connection, page_id)

    @retried
    def record(self, crawl: CrawlStart, batch: CrawlBatch, lease: Lease | None) -> None:
        """Store a batch in one transaction; raises LeaseLost where the lease is no longer this crawl's."""
        with writing(self._engine) as connection:
            check_fence(connection, lease)
            site_id = site_id_of(connection, crawl.site_key)
            now = _latest(batch, crawl.started_at)
            places = insert_frontier(connection, site_id, batch.changes, now)
            write_arms(connection, site_id, batch.arms)
            rows = [*(reading.page for reading in batch.readings), *batch.forbidden]
            if rows:
                write_pages(connection, crawl.crawl_id, site_id, batch, rows, places)
            move_rows(connection, site_id, places)
            if batch.soft_errors:
                relabel(connection, site_id, batch.soft_errors, now)

    @retried
    def finish_crawl(self, crawl: CrawlStart, summary: CrawlSummary, *, now: datetime) -> None:
        """Close the crawl with its summary; once another has opened it again that one will."""
        asked = select(func.count()).where(pages.c.crawl_id == crawl.crawl_id, pages.c.order.is_not(None))
        values = {"finished_at": now, "stopped_by": summary.stopped_by, "reason": summary.reason,
                  "pages": asked.scalar_subquery(), "summary": to_json(summary)}  # fmt: skip
        mine = crawls.c.id == crawl.crawl_id
        with writing(self._engine) as connection:
            config = connection.scalar(select(crawls.c.config).where(mine).with_for_update()) or {}
            if config.get("part", 0) == crawl.part:
                connection.execute(update(crawls).where(mine).values(**values))


def _open_again(connection: Connection, site_key: str, last: Row[Any]) -> CrawlStart:
    if last.stopped_by == StoppedBy.EXHAUSTED:
        ended = f"{last.finished_at:%Y-%m-%d %H:%M}" if last.finished_at else "before"
        raise NothingToResume(f"nothing to resume: the last crawl of {site_key} ran to its end ({ended} UTC); "
                              "begin a new one")  # fmt: skip
    ends = select(func.max(pages.c.order), func.max(pages.c.dispatched_seq), func.max(pages.c.completed_seq))
    order, *decisions = connection.execute(ends.where(pages.c.crawl_id == last.id)).one()
    config = {**last.config, "part": last.config.get("part", 0) + 1}
    connection.execute(update(crawls).where(crawls.c.id == last.id).values(finished_at=None, config=config))
    # before there was a first_seq a resumed walk took all rows for its own, as 0 does
    walk = Walk.NIGHTLY if config["walk"] == Walk.NIGHTLY else Walk.FRESH
    return CrawlStart(crawl_id=last.id, site_key=site_key, started_at=last.started_at, last_order=order or 0,
                      walk=walk, only=tuple(map(Url, config["urls"])), full=config["full"],
                      first_seq=config.get("first_seq", 0),
                      last_decision=max((each for each in decisions if each), default=0),
                      part=config["part"])  # fmt: skip


def _latest(batch: CrawlBatch, started_at: datetime) -> datetime:
    """Return when the newest of a batch came; a batch of frontier rows alone is as old as its crawl."""
    pages_ = (*(reading_.page for reading_ in batch.readings), *batch.forbidden)
    return max((page.fetched_at for page in pages_), default=started_at)
