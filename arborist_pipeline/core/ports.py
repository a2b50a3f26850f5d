"""What the core and the workflows need from outside. Adapters fit these by shape; nothing here knows a library."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Protocol

from arborist_pipeline.core.crawl.entries import FrontierRow, FrontierRows
from arborist_pipeline.core.crawl.lessons import Completion
from arborist_pipeline.core.crawl.policy import CrawlPolicy, Walk
from arborist_pipeline.core.crawl.reading import Reading
from arborist_pipeline.core.crawl.records import CrawledPage, CrawlSummary, Site
from arborist_pipeline.core.documents.document import Document
from arborist_pipeline.core.products.product import Product
from arborist_pipeline.core.prompt import ModelCall, Prompt, Reply
from arborist_pipeline.core.report.finding import Finding
from arborist_pipeline.core.report.snapshot import SitemapUrl, SiteSnapshot
from arborist_pipeline.core.web.fetch import FetchRequest, FetchResult
from arborist_pipeline.core.web.freshness import Validators
from arborist_pipeline.core.web.links import Link
from arborist_pipeline.core.web.recheck import Verdict
from arborist_pipeline.core.web.url import Origin, Url


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """The right to crawl a host. `token` grows with each holder: a write under an older one is refused."""

    host: str
    holder: str
    token: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlBatch:
    """What one transaction stores: readings of pages, what closing each decided, and the frontier's changes.

    `soft_errors` are pages of earlier batches or of this one that turned out to be none: their latest answer is
    relabelled, and what was made of them is retired by `settle`. `arms` are those that the frontier made since the last
    batch (number, key, example).
    """

    readings: tuple[Reading, ...]
    forbidden: tuple[CrawledPage, ...]
    changes: tuple[FrontierRow, ...]
    completions: Mapping[Url, Completion] = field(default_factory=dict)
    soft_errors: tuple[Url, ...] = ()
    arms: tuple[tuple[int, str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlStart:
    """An open crawl. `last_order` is 0 for a new one; of one that is resumed all else is as it began.

    `walk`, `only` and `full` are those of its policy; RESUME is none. `first_seq` is the least seq of the frontier rows
    that a fresh walk made or met itself, 0 for the other walks, whose rows are those of all crawls. `last_decision` is
    the number of the last dispatch or completion that was stored of it; `part` grows each time it is opened again.
    """

    crawl_id: int
    site_key: str
    started_at: datetime
    last_order: int
    walk: Walk
    only: tuple[Url, ...] = ()
    full: bool = False
    first_seq: int = 0
    last_decision: int = 0
    part: int = 0

    @property
    def is_resumed(self) -> bool:
        """Whether it was opened again."""
        return self.part > 0


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredBody:
    """A page's latest body, to be read again without network, with what its platform's endpoint told of its product."""

    url: Url
    page_id: int
    body: bytes
    body_sha256: bytes
    headers: Mapping[str, str]
    fetched_at: datetime
    endpoint_body: bytes | None = None


class Put(StrEnum):
    """What storing a document or product did."""

    NEW = "new"
    UNCHANGED = "unchanged"
    SUPERSEDED = "superseded"
    EMPTIED = "emptied"  # a page that held text came back without any: observed, nothing overwritten
    GONE = "gone"


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentItem:
    """A body read: the document it gave, None where it gave none."""

    source: StoredBody
    document: Document | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductItem:
    """A body read: the product it gave, None where the page is no product's."""

    source: StoredBody
    product: Product | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckTarget:
    """A stored page to ask about, with the validators of the version that is stored."""

    site_key: str
    url: Url
    validators: Validators


@dataclass(frozen=True, slots=True, kw_only=True)
class RobotsCopy:
    """What came for a robots.txt that could be had: where it was found, and its status and body (404 is an answer)."""

    url: Url
    status: int
    body: bytes
    fetched_at: datetime


class Clock(Protocol):
    """Time, so that tests can hold it still."""

    def now(self) -> datetime:
        """Return the present moment, aware, in UTC."""
        ...

    def monotonic(self) -> float:
        """Return seconds that never run backwards."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait; other tasks go on."""
        ...


class Fetcher(Protocol):
    """One exchange at a time. Never raises for the network's sake; a redirect is a result."""

    async def fetch(self, request: FetchRequest) -> FetchResult:
        """Do what the request says and return what came of it."""
        ...


class LanguageModel(Protocol):
    """A model that answers questions in JSON."""

    @property
    def name(self) -> str:
        """What the model is called in accounts."""
        ...

    def ask(self, prompt: Prompt) -> Reply:
        """Put a question and wait for its answer; never raises for the endpoint's sake."""
        ...


class SiteStore(Protocol):
    """The list of sites as the store knows it; a retired site keeps its history."""

    def put_site(self, site: Site, now: datetime, *, listed_in: str | None = None) -> None:
        """Add the site or bring its settings up to date; a retired one is active again.

        `listed_in` names the list that has it, None for whichever it was. Where its seed is of another host now, the
        products and documents of the former host are retired, their history kept.
        """
        ...

    def retire_site(self, key: str, now: datetime) -> None:
        """Mark a site as no longer listed."""
        ...

    def load_sites(self) -> tuple[Site, ...]:
        """Return the active sites in order of key."""
        ...

    def load_lists(self) -> Mapping[str, str | None]:
        """Return the list that each active site stands in, by key; None for one that stands in none."""
        ...

    def load_site(self, key: str) -> Site | None:
        """Return a site, retired or not."""
        ...

    def record_host(self, key: str, seed: Url) -> None:
        """Remember that the site answers under another host (its seed redirected by adding or dropping `www.`)."""
        ...

    def seed_of(self, key: str) -> Url:
        """Return where the site's crawl starts: the listed seed, or where it was found to answer."""
        ...


class LeaseStore(Protocol):
    """One crawl a host, whoever starts it."""

    def acquire(self, host: str, *, holder: str, seconds: float, now: datetime) -> Lease:
        """Take the lease; raises LeaseHeld where another holder's has not expired."""
        ...

    def renew(self, lease: Lease, *, seconds: float, now: datetime) -> bool:
        """Keep the lease for another while; False where it went to another holder."""
        ...

    def release(self, lease: Lease, now: datetime) -> None:
        """Give the lease back at once; nothing happens where it is not held."""
        ...

    def tell_holder(self, host: str, now: datetime) -> str | None:
        """Return who holds a host, since when and for how long, in a sentence; None where it is free."""
        ...


class CrawlStore(Protocol):
    """Crawls, frontier, pages, bodies, links and redirects of a site."""

    def begin_crawl(self, site: Site, policy: CrawlPolicy, *, run_id: str | None, now: datetime) -> CrawlStart:
        """Open a crawl (or the last one again, to resume it). Raises NothingToResume where that ran to its end."""
        ...

    def frontier_rows(self, site_key: str, crawl_id: int) -> FrontierRows:
        """Return what the frontier of a crawl asks of its site's committed rows."""
        ...

    def load_links(self, page_id: int) -> tuple[Link, ...]:
        """Return the links stored under a page version."""
        ...

    def record(self, crawl: CrawlStart, batch: CrawlBatch, lease: Lease | None) -> None:
        """Store a batch in one transaction; raises LeaseLost where the lease is no longer this crawl's."""
        ...

    def finish_crawl(self, crawl: CrawlStart, summary: CrawlSummary, *, now: datetime) -> None:
        """Close the crawl with its summary; once another has opened it again that one will."""
        ...


class DocumentStore(Protocol):
    """Content-addressed documents, their chunks and history."""

    def pending_bodies(self, site_key: str, recipe: str, *, limit: int) -> tuple[StoredBody, ...]:
        """Return up to `limit` pages whose latest body was not yet read under this recipe."""
        ...

    def put_documents(self, site_key: str, items: Sequence[DocumentItem], *, now: datetime) -> Counter[Put]:
        """Store documents (None: no document, too deep) in one transaction; say what that did."""
        ...

    def settle(self, site_key: str, *, now: datetime) -> Counter[Put]:
        """Renew what was seen unchanged and retire the documents of pages that are gone; say how many of each."""
        ...

    def roots(self, site_key: str) -> tuple[tuple[str, bytes], ...]:
        """Return (uri, document_root) of the site's current documents in order of URI."""
        ...


class ProductStore(Protocol):
    """The catalogue, current and historical."""

    def pending_bodies(self, site_key: str, reader: str, *, limit: int) -> tuple[StoredBody, ...]:
        """Return up to `limit` pages whose latest body was not yet read by this version of the reader."""
        ...

    def put_products(self, site_key: str, items: Sequence[ProductItem], *, now: datetime) -> Counter[Put]:
        """Store products (None: no product's page) in one transaction; say what that did."""
        ...

    def settle(self, site_key: str, *, now: datetime) -> Counter[Put]:
        """Renew what was seen unchanged and retire the products of pages that are gone; say how many of each."""
        ...


class ModelCallStore(Protocol):
    """Accounts of calls to language models, and what they have told already."""

    def put_call(self, site_key: str, call: ModelCall, *, tenant: str | None, now: datetime) -> None:
        """Store a call, at once: it was made and paid for, whatever ends the run."""
        ...

    def load_answers(self, site_key: str, purpose: str) -> Mapping[str, Mapping[str, Any]]:
        """Return what was kept of the latest answer about each subject; calls that got no answer tell nothing."""
        ...


class RecheckStore(Protocol):
    """Verdicts on stored pages."""

    def check_targets(self, host: str | None, *, site_key: str | None, limit: int) -> tuple[CheckTarget, ...]:
        """Return stored pages to check, the longest unchecked first (limit 0: all); `host` may leave out its port."""
        ...

    def record_check(self, target: CheckTarget, verdict: Verdict, *, now: datetime) -> None:
        """Store a verdict; stale and gone pages become due, fresh ones are renewed."""
        ...


class ReportStore(Protocol):
    """What the report is built from, and what it leaves behind."""

    def seed_url(self, site_key: str) -> Url:
        """Return where the site's crawl starts; raises StoreError where the store does not know the site."""
        ...

    def load_snapshot(self, site_key: str, sitemap: Iterable[SitemapUrl] | None = None) -> SiteSnapshot:
        """Read what is known of a site; writes nothing. `sitemap` stands in for the stored entries where given."""
        ...

    def put_sitemap_urls(self, site_key: str, entries: Sequence[SitemapUrl], now: datetime) -> None:
        """Replace what the site's sitemap lists."""
        ...

    def replace_findings(self, site_key: str, crawl_id: int | None, found: Sequence[Finding], now: datetime) -> None:
        """Store the findings of a crawl in the place of earlier ones of the same crawl."""
        ...

    def load_findings(self, site_key: str, crawl_id: int | None) -> tuple[Finding, ...]:
        """Return the findings stored for a crawl, in the order of its report."""
        ...


class RobotsStore(Protocol):
    """The last good copy of each robots.txt, between runs."""

    def put_robots(self, origin: Origin, copy: RobotsCopy) -> None:
        """Keep a copy in the place of an earlier one."""
        ...

    def load_robots(self, origin: Origin, *, since: datetime) -> RobotsCopy | None:
        """Return the copy of an origin, None where there is none or it is older than `since`."""
        ...


class Store(Protocol):
    """The whole store: one port for each kind of work, all over one database."""

    @property
    def sites(self) -> SiteStore:
        """The list of sites."""
        ...

    @property
    def leases(self) -> LeaseStore:
        """Who crawls which host."""
        ...

    @property
    def crawls(self) -> CrawlStore:
        """Crawls, frontier, pages and links."""
        ...

    @property
    def documents(self) -> DocumentStore:
        """Documents and their history."""
        ...

    @property
    def products(self) -> ProductStore:
        """The catalogue."""
        ...

    @property
    def calls(self) -> ModelCallStore:
        """Calls to language models."""
        ...

    @property
    def robots(self) -> RobotsStore:
        """Copies of robots.txt."""
        ...

    @property
    def checks(self) -> RecheckStore:
        """Verdicts on stored pages."""
        ...
