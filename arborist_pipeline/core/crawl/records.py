"""The values of a crawl: the site, a request, what came of it, the summary."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from arborist_pipeline.core.prompt import ModelCall
from arborist_pipeline.core.web.freshness import Validators
from arborist_pipeline.core.web.links import Link
from arborist_pipeline.core.web.page import PageKind
from arborist_pipeline.core.web.url import Url


class Mode(StrEnum):
    """How fast a site is asked; access rules hold in both."""

    POLITE = "polite"
    FAST = "fast"


class Render(StrEnum):
    """When Chromium may render a page."""

    NEVER = "never"
    AUTO = "auto"
    ALWAYS = "always"


class Discovery(StrEnum):
    """Where addresses may come from."""

    LINKS = "links"
    LINKS_AND_SITEMAP = "links+sitemap"


class SiteType(StrEnum):
    """What a site is for; textbooks have a database of their own each."""

    SHOP = "shop"
    CONTENT = "content"
    TEXTBOOK = "textbook"


class BodyRetention(StrEnum):
    """Which raw bodies are kept."""

    LATEST = "latest"
    CHANGED = "changed"
    ALL = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """What `maintenance` keeps: which bodies, and how many crawls' rows."""

    bodies: BodyRetention = BodyRetention.CHANGED
    crawls: int = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """One entry of sites.yaml (contract §2).

    `concurrency` None: three times the CPUs; `max_pages` 0: no cap; `stop_below` 0: the rate of new products stops no
    crawl.
    """

    key: str
    seed_url: Url
    mode: Mode = Mode.POLITE
    concurrency: int | None = None
    max_pages: int = 60
    max_minutes: float = 180.0
    depth: int = 20
    stop_below: float = 0.0
    render: Render = Render.AUTO
    discovery: Discovery = Discovery.LINKS
    sitemap: Url | None = None
    kind: SiteType = SiteType.SHOP
    author: str | None = None
    tenant: str | None = None
    llm: bool = True
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    retention: Retention = field(default_factory=Retention)


class Tier(StrEnum):
    """What put a URL where it stands in the order."""

    SEED = "seed"
    REGEX = "regex"
    PLATFORM = "platform"
    LEARNED = "learned"
    LLM = "llm"
    ORDER = "order"


@dataclass(frozen=True, slots=True)
class Priority:
    """Why a URL comes when it does: the tier, a score in 0..1 and a sentence."""

    tier: Tier
    score: float
    why: str


class Outcome(StrEnum):
    """How a request ended (contract §5.1)."""

    OK = "ok"
    NOT_MODIFIED = "not_modified"
    REDIRECT = "redirect"
    NOT_HTML = "not_html"
    EMPTY = "empty"
    TRUNCATED = "truncated"
    TOO_LARGE = "too_large"
    TOO_DEEP = "too_deep"
    SOFT_404 = "soft_404"  # a good status, and the page that the site shows for addresses that do not exist
    ROBOTS_DENIED = "robots_denied"
    BLOCKED = "blocked"
    HTTP_ERROR = "http_error"
    NETWORK_ERROR = "network_error"
    BLOCKED_ADDRESS = "blocked_address"
    SKIPPED = "skipped"


class StoppedBy(StrEnum):
    """Why a crawl ended."""

    BUDGET = "budget"
    TIME = "time"
    EXHAUSTED = "exhausted"
    DIMINISHING = "diminishing"
    ERRORS = "errors"
    ROBOTS = "robots"
    LEASE_LOST = "lease_lost"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPage:
    """What the store remembers of a page that answered well: enough for a conditional GET and for a 304.

    `links_page_id` names the page row under which the links stand that still hold.
    """

    page_id: int
    validators: Validators
    body_sha256: bytes | None
    links_page_id: int | None
    kind: PageKind | None
    title: str | None
    nofollow: bool = False
    refresh_to: Url | None = None
    document_root: bytes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlRequest:
    """One URL to ask for next; `stored` is there for pages seen before, `written` as `Link` has it.

    `dispatched_seq` counts the crawl's decisions: each request that is handed out, and each answer that is taken in.
    `wants_platform` asks what software made the page.
    """

    url: Url
    depth: int
    parent: Url | None
    anchor: str
    priority: Priority
    stored: StoredPage | None = None
    written: str | None = None
    dispatched_seq: int = 0
    wants_platform: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawledPage:
    """One request and what came of it (a row of `pages`, a line of `crawl --json`).

    `order` counts from 1 in order of dispatch, None for what was never requested. `links` is None where the page has
    none of its own to store (no HTML, or a 304). `body` is the decoded content, None where it is not to be kept.
    `headers` are the few that parsing and freshness need: content-type, x-robots-tag, etag, last-modified.
    """

    order: int | None
    url: Url
    final_url: Url
    depth: int
    parent: Url | None
    anchor: str
    priority: Priority
    status: int | None
    outcome: Outcome
    reason: str
    kind: PageKind | None
    title: str | None
    elapsed_seconds: float
    size_bytes: int
    fetched_at: datetime
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    links: tuple[Link, ...] | None = None
    malformed_links: tuple[str, ...] = ()
    canonical_url: Url | None = None
    refresh_to: Url | None = None
    redirect_to: Url | None = None
    location: str | None = None
    noindex: bool = False
    nofollow: bool = False
    needs_rendering: bool = False
    has_prose: bool = False
    document_root: bytes | None = None
    endpoint_body: bytes | None = None
    stored: StoredPage | None = None
    dispatched_seq: int | None = None
    platform: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Trap:
    """A pattern that led only to more of itself: pages asked for in vain, addresses known and left, one of those."""

    template: str
    asked: int
    left: int
    example: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlSummary:
    """What a crawl did (contract §5.1, the last line of `crawl --json`). `llm_call` is the account of its question."""

    crawl_id: int
    pages: int
    products: int
    documents: int
    by_outcome: Mapping[str, int]
    by_tier: Mapping[str, int]
    rejected: Mapping[str, int]
    first_product_at: int | None
    llm_calls: int
    requests: Mapping[str, int]
    needs_rendering: int
    unfetched: int
    stopped_by: StoppedBy
    reason: str = ""
    traps: tuple[Trap, ...] = ()
    llm_call: ModelCall | None = None
