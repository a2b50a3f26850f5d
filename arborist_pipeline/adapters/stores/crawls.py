"""The CrawlStore over SQL. A batch of pages commits in one transaction with the frontier rows their links made."""

from collections.abc import Iterator
from datetime import datetime

from sqlalchemy import Engine, func, insert, select, update

from arborist_pipeline.adapters.stores.engine import reading, retried, writing
from arborist_pipeline.adapters.stores.frontier_rows import entry_of, write_frontier
from arborist_pipeline.adapters.stores.leases import check_fence
from arborist_pipeline.adapters.stores.page_states import relabel
from arborist_pipeline.adapters.stores.pages import load_links, write_pages
from arborist_pipeline.adapters.stores.schema import crawls, frontier, pages
from arborist_pipeline.adapters.stores.sites import site_id_of
from arborist_pipeline.core.crawl.entries import FrontierEntry
from arborist_pipeline.core.crawl.policy import CrawlPolicy, Walk
from arborist_pipeline.core.crawl.records import CrawlSummary, Site, StoppedBy
from arborist_pipeline.core.ports import CrawlBatch, CrawlStart, Lease
from arborist_pipeline.core.products.product import to_json
from arborist_pipeline.core.web.links import Link


class SqlCrawlStore:
    """Crawls, frontier, pages, bodies, links and redirects."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @retried
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
                yield entry_of(row)

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
            write_frontier(connection, site_id, batch.changes, now)
            rows = [*(reading.page for reading in batch.readings), *batch.forbidden]
            if rows:
                write_pages(connection, crawl.crawl_id, site_id, batch, rows)
            if batch.soft_errors:
                relabel(connection, site_id, batch.soft_errors, now)

    @retried
    def finish_crawl(self, crawl: CrawlStart, summary: CrawlSummary, *, now: datetime) -> None:
        """Close the crawl with its summary."""
        asked = select(func.count()).where(pages.c.crawl_id == crawl.crawl_id, pages.c.order.is_not(None))
        values = {"finished_at": now, "stopped_by": summary.stopped_by, "reason": summary.reason,
                  "pages": asked.scalar_subquery(), "summary": to_json(summary)}  # fmt: skip
        with writing(self._engine) as connection:
            connection.execute(update(crawls).where(crawls.c.id == crawl.crawl_id).values(**values))


def _latest(batch: CrawlBatch, started_at: datetime) -> datetime:
    """Return when the newest of a batch came; a batch of frontier rows alone is as old as its crawl."""
    pages_ = (*(reading_.page for reading_ in batch.readings), *batch.forbidden)
    return max((page.fetched_at for page in pages_), default=started_at)
