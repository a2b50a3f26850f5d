"""What signals read of a site, in a few queries that only SELECT.

Links and leaves are streamed once and never kept as rows: 8 bytes a link, and the shared leaves of each document.
A page still exists unless it said that it is gone, redirects, or is no HTML: an error that may pass loses no links.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, FromClause, Select, bindparam, func, or_, select

from arborist_pipeline.adapters.stores.product_addresses import STANDS
from arborist_pipeline.adapters.stores.schema import (
    crawls,
    documents,
    frontier,
    links,
    pages,
    products,
    sitemap_urls,
    sites,
)
from arborist_pipeline.adapters.stores.texts import load_frame, load_overlaps, measure_without_frame, stream
from arborist_pipeline.core.crawl.entries import State
from arborist_pipeline.core.crawl.records import Outcome, StoppedBy, Tier, Trap
from arborist_pipeline.core.documents.document import DocumentStatus
from arborist_pipeline.core.documents.merkle import EMPTY_ROOT
from arborist_pipeline.core.report.descriptions import group_descriptions
from arborist_pipeline.core.report.distance import UNREACHED, Distances, shortest_distances
from arborist_pipeline.core.report.duplicates import (
    DocumentFacts,
    group_by_main_root,
    group_by_root,
)
from arborist_pipeline.core.report.finding import MAX_SOURCES
from arborist_pipeline.core.report.snapshot import (
    BROKEN_OUTCOMES,
    READ_OUTCOMES,
    Inlinks,
    LinkSource,
    Listing,
    PageFacts,
    SitemapUrl,
    SiteSnapshot,
)
from arborist_pipeline.core.web.links import LinkKind
from arborist_pipeline.core.web.page import PageKind
from arborist_pipeline.core.web.url import redact_unreadable

_CLICKS = (LinkKind.ANCHOR, LinkKind.AREA, LinkKind.NEXT, LinkKind.PREV, LinkKind.REFRESH)
_NO_PAGE = (Outcome.REDIRECT, Outcome.NOT_HTML)
_FAULTY = (*sorted(BROKEN_OUTCOMES), Outcome.REDIRECT, Outcome.SOFT_404)


class _Row(NamedTuple):
    """A row of the frontier: its facts without distance, and what the other queries need of it."""

    row_id: int
    facts: PageFacts
    is_seed: bool
    is_live: bool
    has_text: bool


def read_snapshot(
    connection: Connection, site_id: int, site_key: str, sitemap: Iterable[SitemapUrl] | None
) -> SiteSnapshot:
    """Read what is known of a site. `sitemap` stands in for the stored entries where it is given."""
    seed_url = connection.execute(select(sites.c.seed_url).where(sites.c.id == site_id)).scalar_one()
    crawl = connection.execute(_latest_crawl(site_id)).first()
    known, current = _load_rows(connection, site_id, seed_url)
    texts = [current[row.facts.url] for row in known if row.has_text]
    frame = load_frame(connection, texts)
    texts = measure_without_frame(connection, site_id, texts, frame)
    facts = _with_distances(connection, site_id, _with_measures(known, texts))
    declared = _stored_sitemap(connection, site_id) if sitemap is None else tuple(sitemap)
    return SiteSnapshot(
        site=site_key,
        seed_url=seed_url,
        crawl_id=crawl.id if crawl else None,
        stopped_by=StoppedBy(crawl.stopped_by) if crawl and crawl.stopped_by else None,
        stop_reason=(crawl.reason if crawl else None) or "",
        unfetched=_count_unfetched(connection, site_id),
        pages=facts,
        inlinks=_load_inlinks(connection, site_id),
        malformed_links=_load_malformed(connection, site_id),
        exact_duplicates=group_by_root(texts),
        main_duplicates=group_by_main_root(texts),
        overlaps=load_overlaps(connection, site_id, texts, frame),
        shared_descriptions=group_descriptions(_load_descriptions(connection, site_id)),
        sitemap=None if declared is None else _load_listings(connection, site_id, declared, facts),
        traps=tuple(Trap(**trap) for trap in (crawl.summary or {}).get("traps", ())) if crawl else (),
    )


def _latest_crawl(site_id: int) -> Select[Any]:
    return select(crawls).where(crawls.c.site_id == site_id).order_by(crawls.c.id.desc()).limit(1)


def _count_unfetched(connection: Connection, site_id: int) -> int:
    waiting = or_(
        (frontier.c.state == State.QUEUED) & frontier.c.fetched_at.is_(None), frontier.c.state == State.BEYOND
    )
    return connection.scalar(select(func.count()).where(frontier.c.site_id == site_id, waiting)) or 0


# -- pages


def _is_live(source: FromClause) -> ColumnElement[bool]:
    return source.c.gone_at.is_(None) & source.c.outcome.not_in(_NO_PAGE)


def _load_rows(connection: Connection, site_id: int, seed_url: str) -> tuple[list[_Row], Mapping[str, DocumentFacts]]:
    """Return the URLs that were answered or forbidden, and the current documents with text by URL."""
    current: dict[str, DocumentFacts] = {}
    characters: dict[str, int] = {}
    mine = (documents.c.site_id == site_id, documents.c.is_current)
    newest_last = (documents.c.document_uri, documents.c.last_seen_at, documents.c.id)
    for row in stream(connection, select(documents).where(*mine).order_by(*newest_last)):
        has_text = row.status == DocumentStatus.OK
        characters[row.document_uri] = row.main_characters if has_text else 0
        current.pop(row.document_uri, None)
        if has_text:
            current[row.document_uri] = DocumentFacts(
                row.document_uri, row.id, row.recipe, row.document_root, row.main_root, row.main_characters
            )
    sold = set(connection.scalars(select(products.c.url).where(products.c.site_id == site_id, STANDS)))
    query = (
        select(frontier, pages.c.needs_rendering)
        .outerjoin(pages, pages.c.id == frontier.c.stored_page_id)
        .where(frontier.c.site_id == site_id, frontier.c.outcome.is_not(None))
    )
    rows = [
        _row(found, characters.get(found["url"]), has_product=found["url"] in sold, seed_url=seed_url)
        for found in stream(connection, query).mappings()
    ]
    return [row._replace(has_text=row.has_text and row.facts.url in current) for row in rows], current


def _load_descriptions(connection: Connection, site_id: int) -> Iterator[tuple[str, str, str | None]]:
    query = select(products.c.url, products.c.record).where(products.c.site_id == site_id, products.c.is_current)
    for row in stream(connection, query.order_by(products.c.url)):
        yield row.url, row.record.get("group_id") or "", row.record.get("description")


def _row(found: Mapping[str, Any], characters: int | None, *, has_product: bool, seed_url: str) -> _Row:
    outcome = Outcome(found["outcome"])
    is_live = found["gone_at"] is None and outcome not in _NO_PAGE
    turned_empty = outcome is Outcome.EMPTY or found["document_root"] == EMPTY_ROOT
    facts = PageFacts(
        url=found["url"],
        outcome=outcome,
        status=found["status"],
        reason=found["reason"] or "",
        fetched_at=found["fetched_at"],
        kind=PageKind(found["kind"]) if found["kind"] else None,
        title=found["title"],
        noindex=bool(found["noindex"]),
        canonical_url=found["canonical_url"],
        redirect_to=found["redirect_to"],
        is_gone=found["gone_at"] is not None,
        needs_rendering=bool(found["needs_rendering"]) and outcome in READ_OUTCOMES,
        has_product=has_product,
        main_characters=0 if turned_empty else characters,
    )
    is_seed = found["url"] == seed_url or (found["depth"] == 0 and found["tier"] == Tier.SEED)
    return _Row(found["id"], facts, is_seed, is_live, has_text=is_live and not turned_empty)


def _with_measures(known: Sequence[_Row], texts: Iterable[DocumentFacts]) -> list[_Row]:
    measures = {text.url: text.main_characters for text in texts}
    return [
        row._replace(facts=row.facts._replace(main_characters=measures.get(row.facts.url, row.facts.main_characters)))
        for row in known
    ]


def _with_distances(connection: Connection, site_id: int, known: Sequence[_Row]) -> dict[str, PageFacts]:
    numbers = {row.row_id: number for number, row in enumerate(known)}
    by_url = {row.facts.url: number for number, row in enumerate(known)}
    redirects = {number: by_url[row.facts.hop] for number, row in enumerate(known) if row.facts.hop in by_url}
    seeds = [number for number, row in enumerate(known) if row.is_seed]
    clicks = ((numbers[source], numbers[target]) for source, target in _link_pairs(connection, site_id)
              if source in numbers and target in numbers)  # fmt: skip
    distances = shortest_distances(len(known), seeds, clicks, redirects)
    return {row.facts.url: _placed(row.facts, number, distances, known) for number, row in enumerate(known)}


def _placed(facts: PageFacts, number: int, distances: Distances, known: Sequence[_Row]) -> PageFacts:
    clicks, previous = distances.clicks[number], distances.previous[number]
    if clicks == UNREACHED:
        return facts
    return facts._replace(clicks=clicks, previous=None if previous == UNREACHED else known[previous].facts.url)


# -- links


def _link_pairs(connection: Connection, site_id: int) -> Iterator[tuple[int, int]]:
    """Stream the clicks from pages that still exist to fetched URLs of the site, as row ids."""
    source, target = frontier.alias("source"), frontier.alias("target")
    query = (
        select(source.c.id, target.c.id)
        .join_from(source, links, links.c.page_id == source.c.links_page_id)
        .join(target, (target.c.site_id == source.c.site_id) & (target.c.url == links.c.url))
        .where(source.c.site_id == site_id, _is_live(source), links.c.kind.in_(_CLICKS))
        .where(target.c.outcome.is_not(None))
    )
    yield from stream(connection, query)


def _select_linking(*columns: ColumnElement[Any], site_id: int) -> Select[Any]:
    """Select over the links of pages that still exist, found by the link's target: link, page version, page."""
    return (
        select(*columns)
        .join_from(links, pages, pages.c.id == links.c.page_id)
        .join(frontier, (frontier.c.id == pages.c.frontier_id) & (frontier.c.links_page_id == links.c.page_id))
        .where(frontier.c.site_id == site_id, _is_live(frontier))
    )


def _load_inlinks(connection: Connection, site_id: int) -> dict[str, Inlinks]:
    """Return who links to broken, missing and redirecting URLs: the number of pages, and those nearest to the seed."""
    target = frontier.alias("target")
    is_faulty = target.c.outcome.in_(_FAULTY) | target.c.redirect_to.is_not(None)
    faulty = select(target.c.url).where(target.c.site_id == site_id, is_faulty)
    a_page = _select_linking(
        links.c.url.label("target"), frontier.c.url.label("source"), frontier.c.depth,
        func.max(links.c.anchor).label("anchor"), site_id=site_id,
    )  # fmt: skip
    per_page = a_page.where(links.c.url.in_(faulty)).group_by(links.c.url, frontier.c.url, frontier.c.depth).subquery()
    place = func.row_number().over(partition_by=per_page.c.target, order_by=(per_page.c.depth, per_page.c.source))
    total = func.count().over(partition_by=per_page.c.target)
    placed = select(per_page, place.label("place"), total.label("total")).subquery()
    query = select(placed).where(placed.c.place <= MAX_SOURCES).order_by(placed.c.target, placed.c.place)
    return {
        url: Inlinks(rows[0].total, tuple(LinkSource(row.source, row.anchor) for row in rows))
        for url, rows in ((url, list(group)) for url, group in groupby(stream(connection, query), itemgetter(0)))
    }


def _load_malformed(connection: Connection, site_id: int) -> dict[str, Inlinks]:
    """Return the unreadable hrefs as written but for secrets, with the pages that have them; anchors are not stored."""
    query = (
        select(frontier.c.url, pages.c.malformed_links)
        .join_from(frontier, pages, pages.c.id == frontier.c.stored_page_id)
        .where(frontier.c.site_id == site_id, _is_live(frontier), pages.c.malformed_links.is_not(None))
        .order_by(frontier.c.depth, frontier.c.url)
    )
    totals: dict[str, int] = {}
    sources: dict[str, list[LinkSource]] = {}
    for url, hrefs in stream(connection, query):
        for href in dict.fromkeys(map(redact_unreadable, hrefs or ())):  # older pages have them raw
            totals[href] = totals.get(href, 0) + 1
            if totals[href] <= MAX_SOURCES:
                sources.setdefault(href, []).append(LinkSource(url, ""))
    return {href: Inlinks(total, tuple(sources[href])) for href, total in totals.items()}


# -- sitemap


def _stored_sitemap(connection: Connection, site_id: int) -> tuple[SitemapUrl, ...] | None:
    query = select(sitemap_urls.c.url, sitemap_urls.c.sitemap, sitemap_urls.c.lastmod)
    rows = connection.execute(query.where(sitemap_urls.c.site_id == site_id))
    return tuple(SitemapUrl(*row) for row in rows) or None


def _load_listings(
    connection: Connection, site_id: int, declared: Sequence[SitemapUrl], facts: Mapping[str, PageFacts]
) -> tuple[Listing, ...]:
    first = {entry.url: entry for entry in reversed(declared)}
    denied = {url for url in first if url in facts and facts[url].outcome is Outcome.ROBOTS_DENIED}
    # One URL a query: it ends at the first link found, where a list of URLs would read every link to each.
    query = (
        _select_linking(frontier.c.id, site_id=site_id)
        .where(links.c.url == bindparam("listed"), links.c.kind.in_(_CLICKS))
        .limit(1)
    )
    linked = {url for url in first if url not in facts and connection.scalar(query, {"listed": url}) is not None}
    return tuple(Listing(url, first[url].sitemap, url in linked, url in denied) for url in sorted(first))
