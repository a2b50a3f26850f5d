"""What is known of a site at one moment, as far as signals need it: facts of pages, groups and counts, no bodies.

A store builds it by queries. Links are read in one pass and leave only distances and the sources of faulty targets;
leaves are read in one pass and leave only clusters. What stays is a row a page, in bounded memory.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from arborist_pipeline.core.crawl.records import Outcome, StoppedBy, Trap
from arborist_pipeline.core.report.duplicates import DuplicateGroup
from arborist_pipeline.core.report.overlap import OverlapCluster
from arborist_pipeline.core.web.page import PageKind
from arborist_pipeline.core.web.url import same_site

MAX_HOPS = 100  # of a redirect trail; servers that make a new address each time would go on for ever
READ_OUTCOMES = frozenset({Outcome.OK, Outcome.NOT_MODIFIED})
BROKEN_OUTCOMES = frozenset({Outcome.HTTP_ERROR, Outcome.NETWORK_ERROR})


class PageFacts(NamedTuple):
    """The latest state of one URL of the site that was asked for, or that robots.txt forbids.

    `clicks` is the breadth-first distance from the seed over stored links, redirects free of charge; None where no
    path is known. `previous` is the page before it on that path. `main_characters` counts the text beside
    the site's frame, 0 for an empty document, None where the page was not ingested.
    """

    url: str
    outcome: Outcome
    status: int | None = None
    reason: str = ""
    fetched_at: datetime | None = None
    kind: PageKind | None = None
    title: str | None = None
    noindex: bool = False
    canonical_url: str | None = None
    redirect_to: str | None = None  # by status, or by a refresh of a page that is read
    is_gone: bool = False
    needs_rendering: bool = False
    has_product: bool = False
    main_characters: int | None = None
    clicks: int | None = None
    previous: str | None = None

    @property
    def hop(self) -> str | None:
        """Where a visitor is sent on to, by a redirect or by a refresh that comes before reading."""
        return self.redirect_to if self.outcome is Outcome.REDIRECT or self.outcome in READ_OUTCOMES else None


class Probe(NamedTuple):
    """What a HEAD of a listed address that the crawl never asked for told: just enough to know a dead one."""

    outcome: Outcome
    status: int | None = None
    redirect_to: str | None = None

    @property
    def hop(self) -> str | None:
        """Where a visitor is sent on to."""
        return self.redirect_to if self.outcome is Outcome.REDIRECT else None


class LinkSource(NamedTuple):
    """A page that links somewhere, with the anchor text it uses."""

    url: str
    anchor: str


class Inlinks(NamedTuple):
    """The links to one target from pages that still exist: how many pages there are, and the first of them."""

    total: int
    sources: tuple[LinkSource, ...]


class SitemapUrl(NamedTuple):
    """One address as a sitemap declares it, canonical, with the file it stands in; `written` as in `links.Link`."""

    url: str
    sitemap: str
    lastmod: str | None = None
    written: str | None = None


class Listing(NamedTuple):
    """One address of the sitemap and what the store knows of it beside the facts of its page.

    `is_linked`: it was never fetched, but a page that still exists links there. `is_denied`: robots.txt forbids it.
    """

    url: str
    sitemap: str
    is_linked: bool = False
    is_denied: bool = False


class ProblemSource(StrEnum):
    """The file that a problem of the whole site is in."""

    SITEMAP = "sitemap"
    ROBOTS = "robots"


class SiteProblem(NamedTuple):
    """A fault of robots.txt or of a sitemap, found while reading it. `is_serious`: what the file is for is lost."""

    source: ProblemSource
    url: str
    message: str
    is_serious: bool = True


class RedirectTrail(NamedTuple):
    """Where an address leads: `urls` from the first to the last known. `is_loop`: the last one stands there twice."""

    urls: tuple[str, ...]
    is_loop: bool

    @property
    def hops(self) -> int:
        """The number of redirects on the way."""
        return len(self.urls) - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteSnapshot:
    """All that signals read. Groups and clusters hold only pages that still exist.

    `pages` are by URL. `inlinks` has the broken, missing and redirecting targets, `malformed_links` is by href.
    `shared_descriptions` are the URLs of different products with one description, sorted within each group.
    `sitemap` None: no sitemap could be read, so what it would list is unknown. `unfetched` counts admitted URLs that
    no run asked for, those deeper than the limit among them. `stopped_by` is that of the latest crawl.
    """

    site: str
    seed_url: str
    crawl_id: int | None = None
    stopped_by: StoppedBy | None = None
    stop_reason: str = ""
    unfetched: int = 0
    pages: Mapping[str, PageFacts] = field(default_factory=dict)
    inlinks: Mapping[str, Inlinks] = field(default_factory=dict)
    malformed_links: Mapping[str, Inlinks] = field(default_factory=dict)
    exact_duplicates: tuple[DuplicateGroup, ...] = ()
    main_duplicates: tuple[DuplicateGroup, ...] = ()
    overlaps: tuple[OverlapCluster, ...] = ()
    shared_descriptions: tuple[tuple[str, ...], ...] = ()
    traps: tuple[Trap, ...] = ()
    sitemap: tuple[Listing, ...] | None = None
    probes: Mapping[str, Probe] = field(default_factory=dict)
    problems: tuple[SiteProblem, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether the walk was exhausted: nothing admitted is left, and the latest crawl ended for that reason."""
        return self.stopped_by is StoppedBy.EXHAUSTED and not self.unfetched

    @property
    def unread(self) -> int:
        """How many pages exist whose links nobody saw: bot walls, and pages drawn by script."""
        return sum(page.outcome is Outcome.BLOCKED or page.needs_rendering for page in self.pages.values())

    def read_pages(self) -> Iterable[PageFacts]:
        """Yield the pages whose latest answer was read."""
        return (page for page in self.pages.values() if page.outcome in READ_OUTCOMES)

    def answer(self, url: str) -> PageFacts | Probe | None:
        """Return what is known of how an address answers."""
        return self.pages.get(url) or self.probes.get(url)

    def is_broken(self, url: str) -> bool:
        """Whether an address answered with an error, or not at all; a bot wall is neither."""
        answer = self.answer(url)
        return answer is not None and answer.outcome in BROKEN_OUTCOMES

    def is_reached(self, url: str) -> bool:
        """Whether links lead from the seed to this address."""
        page = self.pages.get(url)
        return page is not None and page.clicks is not None

    def trail(self, url: str) -> RedirectTrail:
        """Follow the known redirects from an address, as far as they stay on the site."""
        urls = [url]
        seen = {url}
        while len(urls) <= MAX_HOPS:
            answer = self.answer(urls[-1])
            target = answer.hop if answer is not None else None
            if target is None:
                break
            urls.append(target)
            if target in seen:
                return RedirectTrail(tuple(urls), is_loop=True)
            seen.add(target)
            if not same_site(urls[0], target):
                break
        return RedirectTrail(tuple(urls), is_loop=False)

    def path_to(self, url: str) -> tuple[str, ...]:
        """Return the shortest path from the seed, both ends included; empty where none is known."""
        page = self.pages.get(url)
        path: list[str] = []
        while page is not None and page.clicks is not None and len(path) <= len(self.pages):
            path.append(page.url)
            page = self.pages.get(page.previous) if page.previous else None
        return tuple(reversed(path))

    def canonical_of(self, url: str) -> str:
        """Return the address that a page names as canonical, its own where it names none."""
        page = self.pages.get(url)
        return (page.canonical_url if page else None) or url

    def agree_on_canonical(self, urls: Iterable[str]) -> bool:
        """Whether search engines are told which one of these pages counts: one canonical, or the others noindex."""
        indexed = [url for url in urls if not (url in self.pages and self.pages[url].noindex)]
        return len({self.canonical_of(url) for url in indexed}) <= 1
