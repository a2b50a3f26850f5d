"""What the store has of one URL, whichever site and crawl brought it. Only SELECTs, and all but one by an index."""

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, Engine, Row, func, select

from arborist_pipeline.adapters.stores.engine import reading
from arborist_pipeline.adapters.stores.reports import finding_of
from arborist_pipeline.adapters.stores.schema import arms, crawls, findings, frontier, links, pages, products, sites
from arborist_pipeline.core.crawl.entries import State
from arborist_pipeline.core.crawl.records import Outcome, Priority, Tier, Trap
from arborist_pipeline.core.crawl.site_list import site_from_config
from arborist_pipeline.core.report.snapshot import LinkSource
from arborist_pipeline.core.report.url_record import (
    InboundLinks,
    KnownSite,
    PageProduct,
    PathStep,
    QueueArm,
    QueuePlace,
    ReportedFindings,
    UrlRecord,
    UrlRequest,
)
from arborist_pipeline.core.web.url import Url

MAX_STEPS = 200
"""Pages of a path that are followed back: the deepest walk allowed, each page behind a chain of redirects."""
MAX_SHOWN = 10

_ALL_SITES = frontier.c.site_id.in_(select(sites.c.id))  # the index of URLs begins with the site


class SqlUrlRecords:
    """Questions about one URL."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def load_sites(self) -> tuple[KnownSite, ...]:
        """Return all sites, active ones first, then in order of key."""
        query = select(sites.c.config, sites.c.seed_url, sites.c.active).order_by(sites.c.active.desc(), sites.c.key)
        with reading(self._engine) as connection:
            rows = connection.execute(query).all()
        return tuple(KnownSite(site_from_config(row.config), Url(row.seed_url), row.active) for row in rows)

    def load_record(self, url: Url) -> UrlRecord | None:
        """Return what is known of a URL by the site that asked for it last, None where no crawl has met it."""
        query = (
            select(frontier, sites.c.key.label("site_key"))
            .join(sites)
            .where(_ALL_SITES, frontier.c.url == url)
            .order_by(frontier.c.fetched_at.is_(None), frontier.c.fetched_at.desc(), frontier.c.id.desc())
        )
        with reading(self._engine) as connection:
            rows = connection.execute(query).all()
            return _record(connection, rows[0], tuple(row.site_key for row in rows[1:])) if rows else None

    def known_among(self, urls: Sequence[Url]) -> tuple[Url, ...]:
        """Return those of up to some hundred URLs that a crawl has met, in their order."""
        query = select(frontier.c.url).where(_ALL_SITES, frontier.c.url.in_(urls))
        with reading(self._engine) as connection:
            known = set(connection.scalars(query))
        return tuple(url for url in urls if url in known)

    def known_with_query(self, url: Url) -> tuple[Url, ...]:
        """Return known URLs that are this one with a query, or with another: ten at most, in order."""
        start = f"{url.partition('?')[0]}?"
        query = select(frontier.c.url).where(_ALL_SITES, frontier.c.url.startswith(start, autoescape=True))
        with reading(self._engine) as connection:
            found = connection.scalars(query.where(frontier.c.url != url).order_by(frontier.c.url).limit(MAX_SHOWN))
            return tuple(dict.fromkeys(map(Url, found)))

    def load_inbound(self, url: Url) -> InboundLinks:
        """Return which pages link to a URL, known or not, by the latest version of each that is not gone."""
        linking = (
            select(frontier.c.url, frontier.c.depth, func.max(links.c.anchor).label("anchor"))
            .join_from(links, pages, pages.c.id == links.c.page_id)
            .join(frontier, (frontier.c.id == pages.c.frontier_id) & (frontier.c.links_page_id == links.c.page_id))
            .where(links.c.url == url, frontier.c.gone_at.is_(None))
            .group_by(frontier.c.id, frontier.c.url, frontier.c.depth)
        )
        with reading(self._engine) as connection:
            total = connection.scalar(select(func.count()).select_from(linking.subquery())) or 0
            rows = connection.execute(linking.order_by(frontier.c.depth, frontier.c.url).limit(MAX_SHOWN)).all()
        return InboundLinks(total, tuple(LinkSource(row.url, row.anchor) for row in rows))


def _record(connection: Connection, row: Row[Any], also_of: tuple[str, ...]) -> UrlRecord:
    return UrlRecord(
        site_key=row.site_key,
        url=Url(row.url),
        state=State(row.state),
        path=tuple(reversed(list(_path_back(connection, row)))),
        priority=Priority(Tier(row.tier), row.score, row.why),
        discovered_at=row.discovered_at,
        written=row.written,
        outcome=Outcome(row.outcome) if row.outcome else None,
        reason=row.reason,
        status=row.status,
        fetched_at=row.fetched_at,
        checked_at=row.checked_at,
        verdict=row.verdict,
        due_at=row.due_at,
        gone_at=row.gone_at,
        kind=row.kind,
        title=row.title,
        redirect_to=row.redirect_to,
        redirected_from=_redirected_from(connection, row),
        requests=_requests(connection, row.id),
        place=_place(connection, row) if row.state == State.QUEUED else None,
        product=_product(connection, row),
        report=_findings(connection, row),
        traps=_traps(connection, row.site_id),
        also_of=also_of,
    )


def _path_back(connection: Connection, row: Row[Any]) -> Iterator[PathStep]:
    """Yield the URL, the page it was found on, and so on to the seed; a page that is no more known ends the path."""
    query = select(frontier.c.url, frontier.c.depth, frontier.c.anchor, frontier.c.parent)
    met: set[str] = set()
    step: Any = row
    while step is not None and step.url not in met and len(met) < MAX_STEPS:
        met.add(step.url)
        yield PathStep(Url(step.url), step.depth, step.anchor)
        of_parent = query.where(frontier.c.site_id == row.site_id, frontier.c.url == step.parent)
        step = connection.execute(of_parent).first() if step.parent is not None else None


def _redirected_from(connection: Connection, row: Row[Any]) -> tuple[Url, ...]:
    """Return whose latest answers lead here; the one question that reads all of a site's answered rows."""
    query = select(frontier.c.url).where(frontier.c.site_id == row.site_id, frontier.c.state == State.DONE,
                                         frontier.c.redirect_to == row.url)  # fmt: skip
    found = connection.scalars(query.order_by(frontier.c.depth, frontier.c.url).limit(MAX_SHOWN))
    return tuple(map(Url, found))


def _requests(connection: Connection, frontier_id: int) -> tuple[UrlRequest, ...]:
    query = select(pages).where(pages.c.frontier_id == frontier_id).order_by(pages.c.id.desc())
    return tuple(
        UrlRequest(
            row.crawl_id, row.order, row.fetched_at, row.depth, row.parent, row.anchor,
            Priority(Tier(row.tier), row.score, row.why), row.status, Outcome(row.outcome), row.reason, row.kind,
            row.title, row.elapsed_seconds, row.bytes,
        )
        for row in connection.execute(query)
    )  # fmt: skip


def _place(connection: Connection, row: Row[Any]) -> QueuePlace:
    queued = select(func.count()).where(frontier.c.site_id == row.site_id, frontier.c.state == State.QUEUED)
    before = queued.where(frontier.c.bucket == row.bucket, frontier.c.seq < row.seq)
    kind = select(arms.c.key, arms.c.example).where(arms.c.site_id == row.site_id, arms.c.number == row.bucket)
    found = connection.execute(kind).first()
    arm = None if found is None else QueueArm(found.key, Url(found.example))
    return QueuePlace(row.bucket, connection.scalar(before) or 0, connection.scalar(queued) or 0, arm)


def _product(connection: Connection, row: Row[Any]) -> PageProduct | None:
    query = select(products).where(products.c.site_id == row.site_id, products.c.url == row.url)
    stands_first = (products.c.retired_at.is_not(None), products.c.retired_at.desc(), products.c.id.desc())
    found = connection.execute(query.order_by(*stands_first).limit(1)).first()
    if found is None:
        return None
    return PageProduct(found.record, found.is_current, found.first_seen_at, found.last_seen_at, found.retired_at)


def _findings(connection: Connection, row: Row[Any]) -> ReportedFindings | None:
    mine = findings.c.site_id == row.site_id
    latest = connection.execute(
        select(findings.c.crawl_id, findings.c.generated_at)
        .where(mine)
        .order_by(findings.c.generated_at.desc())
        .limit(1)
    ).first()
    if latest is None:
        return None
    of_url = (mine, findings.c.generated_at == latest.generated_at, findings.c.url == row.url)
    rows = connection.execute(select(findings).where(*of_url).order_by(findings.c.id)).mappings()
    return ReportedFindings(latest.crawl_id, latest.generated_at, tuple(map(finding_of, rows)))


def _traps(connection: Connection, site_id: int) -> tuple[Trap, ...]:
    query = select(crawls.c.summary).where(crawls.c.site_id == site_id).order_by(crawls.c.id.desc()).limit(1)
    return tuple(Trap(**trap) for trap in (connection.scalar(query) or {}).get("traps", ()))
