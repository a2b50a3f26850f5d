"""What a crawl may do: budget, depth, pace. Built from a site and what the caller overrides."""

from dataclasses import dataclass
from enum import StrEnum

from arborist_pipeline.core.crawl.records import Discovery, Mode, Render, Site, SiteType
from arborist_pipeline.core.web.url import Url

POLITE_DELAY_SECONDS = 2.0
MAX_CRAWL_DELAY_SECONDS = 60.0
PRODUCT_TOKEN = "arborist-crawler"  # noqa: S105  # the robots.txt product token (RFC 9309 §2.2.1), no secret


class Walk(StrEnum):
    """Where a crawl starts from."""

    NIGHTLY = "nightly"  # what earlier runs left: due pages, then the queue
    FRESH = "fresh"  # the seed alone; known pages are met again on the way, and asked conditionally
    RESUME = "resume"  # the queue as the last crawl left it


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlPolicy:
    """The rules of one crawl.

    `max_pages` 0 means no cap; pages at depth `max_depth` are fetched, their links are not followed. `delay_seconds`
    is the gap between requests where robots.txt names none. `only` limits the run to these URLs. `full` ignores due
    dates. `ingest` makes documents and products on the way, in the transaction that stores their pages; without it
    `keep_bodies` leaves the bodies for those who do that later. `learns` lets the crawl learn where products are;
    without it product-shaped addresses come first, all others in order of discovery. `stop_below` ends a crawl whose
    pages are new products at a lower rate than that, once no known page is due; 0 never.
    """

    mode: Mode = Mode.POLITE
    max_pages: int = 60
    max_depth: int = 20
    max_minutes: float = 180.0
    concurrency: int = 1
    delay_seconds: float = POLITE_DELAY_SECONDS
    honours_crawl_delay: bool = True
    render: Render = Render.AUTO
    discovery: Discovery = Discovery.LINKS
    only: tuple[Url, ...] = ()
    full: bool = False
    walk: Walk = Walk.NIGHTLY
    keep_bodies: bool = True
    ingest: bool = False
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    learns: bool = True
    stop_below: float = 0.0


def build_policy(  # noqa: PLR0913  # one keyword for each thing that a run may override
    site: Site,
    *,
    cpus: int,
    mode: Mode | None = None,
    max_pages: int | None = None,
    max_depth: int | None = None,
    stop_below: float | None = None,
    render: Render | None = None,
    only: tuple[Url, ...] = (),
    full: bool = False,
    walk: Walk = Walk.NIGHTLY,
    keep_bodies: bool = True,
    ingest: bool = False,
) -> CrawlPolicy:
    """Combine a site's settings with what this run overrides (None: the site's own)."""
    mode = mode or site.mode
    fast = mode is Mode.FAST
    return CrawlPolicy(
        mode=mode,
        max_pages=site.max_pages if max_pages is None else max_pages,
        max_depth=site.depth if max_depth is None else max_depth,
        max_minutes=site.max_minutes,
        stop_below=site.stop_below if stop_below is None else stop_below,
        concurrency=(site.concurrency or cpus * 3) if fast else 1,
        delay_seconds=0.0 if fast else POLITE_DELAY_SECONDS,
        honours_crawl_delay=not fast,
        render=render or site.render,
        discovery=site.discovery,
        only=only,
        full=full,
        walk=walk,
        keep_bodies=keep_bodies,
        ingest=ingest,
        include=site.include,
        exclude=site.exclude,
        learns=site.kind is SiteType.SHOP,
    )
