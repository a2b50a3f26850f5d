"""The RecheckStore over SQL, and the due rows that sensors read."""

from datetime import datetime, timedelta

from sqlalchemy import Engine, func, insert, not_, select, update

from arborist_pipeline.adapters.stores.bodies import HAS_NO_PAGE
from arborist_pipeline.adapters.stores.engine import reading, writing
from arborist_pipeline.adapters.stores.schema import document_http_meta, frontier, recrawl_checks, sites
from arborist_pipeline.adapters.stores.sites import site_id_of
from arborist_pipeline.core.ports import CheckTarget
from arborist_pipeline.core.web.freshness import Freshness, Validators
from arborist_pipeline.core.web.recheck import Verdict
from arborist_pipeline.core.web.url import Url

CHECK_AFTER = timedelta(hours=6)
_STORED = (frontier.c.stored_page_id.is_not(None), frontier.c.state == "done", not_(HAS_NO_PAGE))


class SqlRecheckStore:
    """Verdicts on stored pages: what they mean for the page's state, and the history of checks."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def check_targets(self, host: str | None, *, site_key: str | None, limit: int) -> tuple[CheckTarget, ...]:
        """Return stored pages of active sites to check, the longest unchecked first (limit 0: all).

        `host` is HOST:PORT, or HOST for all ports of it.
        """
        query = (
            select(sites.c.key, frontier.c.url, frontier.c.etag, frontier.c.last_modified)
            .select_from(frontier)
            .join(sites)
            .where(sites.c.active, *_STORED)
            .order_by(frontier.c.checked_at, frontier.c.id)
        )
        if host is not None:
            query = query.where((sites.c.host == host) | sites.c.host.startswith(f"{host}:", autoescape=True))
        if site_key is not None:
            query = query.where(sites.c.key == site_key)
        if limit:
            query = query.limit(limit)
        with reading(self._engine) as connection:
            return tuple(
                CheckTarget(site_key=row.key, url=Url(row.url),
                            validators=Validators(etag=row.etag, last_modified=row.last_modified))
                for row in connection.execute(query)
            )  # fmt: skip

    def record_check(self, target: CheckTarget, verdict: Verdict, *, now: datetime) -> None:
        """Store a verdict: stale, moved and gone pages become due at once, fresh ones are renewed."""
        with writing(self._engine) as connection:
            site_id = site_id_of(connection, target.site_key)
            connection.execute(
                insert(recrawl_checks),
                {"site_id": site_id, "url": target.url, "verdict": verdict.freshness, "reason": verdict.reason,
                 "moved_to": verdict.moved_to, "checked_at": now},
            )  # fmt: skip
            state: dict[str, object] = {"checked_at": now, "verdict": verdict.freshness}
            if verdict.freshness in (Freshness.STALE, Freshness.GONE, Freshness.MOVED):
                state["due_at"] = now
            connection.execute(
                update(frontier).where(frontier.c.site_id == site_id, frontier.c.url == target.url).values(**state)
            )
            if verdict.freshness is Freshness.FRESH:
                connection.execute(
                    update(document_http_meta)
                    .where(document_http_meta.c.document_uri == target.url)
                    .values(checked_at=now)
                )

    def sites_to_check(self, now: datetime) -> tuple[tuple[str, datetime], ...]:
        """Return (site key, oldest check) of active sites with stored pages unchecked for six hours."""
        oldest = func.min(frontier.c.checked_at)
        query = (
            select(sites.c.key, oldest)
            .join(frontier, frontier.c.site_id == sites.c.id)
            .where(sites.c.active, *_STORED)
            .group_by(sites.c.key)
            .having(oldest < now - CHECK_AFTER)
            .order_by(sites.c.key)
        )
        with reading(self._engine) as connection:
            return tuple((key, moment) for key, moment in connection.execute(query))

    def stale_pages(self, *, limit: int) -> tuple[tuple[str, tuple[Url, ...], datetime], ...]:
        """Return (site key, URLs to fetch again, latest check) of active sites whose last check found some."""
        query = (
            select(sites.c.key, frontier.c.url, frontier.c.checked_at)
            .select_from(frontier)
            .join(sites)
            .where(sites.c.active, frontier.c.verdict.in_((Freshness.STALE, Freshness.GONE, Freshness.MOVED)))
            .order_by(sites.c.key, frontier.c.id)
        )
        found: dict[str, list[tuple[Url, datetime]]] = {}
        with reading(self._engine) as connection:
            for key, url, checked_at in connection.execute(query):
                pages = found.setdefault(key, [])
                if len(pages) < limit:
                    pages.append((Url(url), checked_at))
        return tuple(
            (key, tuple(url for url, _ in pages), max(moment for _, moment in pages)) for key, pages in found.items()
        )
