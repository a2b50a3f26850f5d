"""All that a store has of one URL, and the spellings under which it may have it instead."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import product
from typing import Any, NamedTuple

from arborist_pipeline.core.crawl.entries import State
from arborist_pipeline.core.crawl.records import Outcome, Priority, Site, Trap
from arborist_pipeline.core.report.finding import Finding
from arborist_pipeline.core.report.snapshot import LinkSource
from arborist_pipeline.core.web.url import Url, resolve


class KnownSite(NamedTuple):
    """A site of the store, and where its crawl starts, which a redirect to its www name may have moved."""

    site: Site
    seed_url: Url
    is_active: bool


class PathStep(NamedTuple):
    """A page on the shortest known way from the seed; `anchor` is that of the link which leads to it."""

    url: Url
    depth: int
    anchor: str


class UrlRequest(NamedTuple):
    """A row of `pages`: what one crawl asked for and got. `order` None: it was never sent (robots.txt)."""

    crawl_id: int
    order: int | None
    fetched_at: datetime
    depth: int
    parent: Url | None
    anchor: str
    priority: Priority
    status: int | None
    outcome: Outcome
    reason: str
    kind: str | None
    title: str | None
    elapsed_seconds: float
    size_bytes: int


class QueueArm(NamedTuple):
    """The kind of links that a queue holds, as `core.crawl.arms` names it, and the first of them."""

    key: str
    example: Url


class QueuePlace(NamedTuple):
    """Where a queued URL stands: in which bucket, how many are before it there, and how many are queued at all.

    `arm` is None for the buckets that every site has.
    """

    bucket: int
    before: int
    queued: int
    arm: QueueArm | None = None


class PageProduct(NamedTuple):
    """What a page last showed as its product (contract §5.2). `is_current` False: listed at another address, or gone.

    `retired_at` is when the page stopped to show it.
    """

    record: Mapping[str, Any]
    is_current: bool
    first_seen_at: datetime
    last_seen_at: datetime
    retired_at: datetime | None


class ReportedFindings(NamedTuple):
    """What the site's latest report with findings says of a URL."""

    crawl_id: int | None
    generated_at: datetime
    findings: tuple[Finding, ...]


class InboundLinks(NamedTuple):
    """How many pages link to a URL by their latest versions, and those nearest to the seed."""

    pages: int
    sources: tuple[LinkSource, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class UrlRecord:
    """The latest state of a URL that some crawl has met.

    `path` begins at the seed and ends at the URL, as far as the pages before it are known. `verdict` is that of the
    latest recheck. `requests` are newest first, `traps` those of the site's latest crawl. `also_of` has the other sites
    that know the URL.
    """

    site_key: str
    url: Url
    state: State
    path: tuple[PathStep, ...]
    priority: Priority
    discovered_at: datetime
    written: str | None
    outcome: Outcome | None
    reason: str | None
    status: int | None
    fetched_at: datetime | None
    checked_at: datetime | None
    verdict: str | None
    due_at: datetime | None
    gone_at: datetime | None
    kind: str | None
    title: str | None
    redirect_to: Url | None
    redirected_from: tuple[Url, ...]
    requests: tuple[UrlRequest, ...]
    place: QueuePlace | None
    product: PageProduct | None
    report: ReportedFindings | None
    traps: tuple[Trap, ...] = ()
    also_of: tuple[str, ...] = ()


def near_spellings(url: Url) -> tuple[Url, ...]:
    """Return the other ways to write a URL that people confuse: scheme, www, trailing slash, query, case of the path.

    The nearest, those with one difference, come first; the URL itself is not among them.
    """
    whole, _, query = url.partition("?")
    scheme, _, rest = whole.partition("://")
    host, _, path = rest.partition("/")
    twin = host.removeprefix("www.") if host.startswith("www.") else f"www.{host}"
    slash = path.removesuffix("/") if path.endswith("/") else f"{path}/" if path else path
    ways = product(
        (scheme, "http" if scheme == "https" else "https"), (host, twin), (path, slash, path.lower()),
        (f"?{query}" if query else "", ""),
    )  # fmt: skip
    first = (scheme, host, path, f"?{query}" if query else "")
    ordered = sorted(ways, key=lambda way: sum(one != other for one, other in zip(way, first, strict=True)))
    spelt = (resolve(None, f"{way[0]}://{way[1]}/{way[2]}{way[3]}") for way in ordered)
    return tuple(dict.fromkeys(each for each in spelt if each is not None and each != url))
