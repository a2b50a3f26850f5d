"""Crawl one site: robots.txt, then the one loop. Workers each take the next URL; nobody waits for a wave to end."""

import asyncio
import random
from collections import Counter
from collections.abc import Callable
from datetime import datetime

from arborist_pipeline.core.crawl.admission import Admission, build_admission
from arborist_pipeline.core.crawl.frontier import Frontier
from arborist_pipeline.core.crawl.policy import PRODUCT_TOKEN, CrawlPolicy
from arborist_pipeline.core.crawl.politeness import HostPace, agreed_delay
from arborist_pipeline.core.crawl.reading import Reading, read_exchange
from arborist_pipeline.core.crawl.records import (
    CrawledPage,
    CrawlRequest,
    CrawlSummary,
    Outcome,
    Priority,
    Site,
    StoppedBy,
    Tier,
)
from arborist_pipeline.core.crawl.seed import is_www_twin, seed_problem
from arborist_pipeline.core.errors import LeaseLost, StoreError
from arborist_pipeline.core.ports import Clock, CrawlBatch, CrawlStart, Fetcher, Lease, Store
from arborist_pipeline.core.web.fetch import FetchRequest, FetchResult
from arborist_pipeline.core.web.freshness import parse_retry_after
from arborist_pipeline.core.web.links import Link, LinkKind
from arborist_pipeline.core.web.page import PageKind
from arborist_pipeline.core.web.robots import RobotsRules
from arborist_pipeline.core.web.url import Url, split_origin
from arborist_pipeline.workflows.robots import RobotsKeeper

LEASE_SECONDS = 90.0
HEARTBEAT_SECONDS = 20.0
BATCH_PAGES = 100
BATCH_SECONDS = 1.0

Watch = Callable[[CrawledPage], None]


async def crawl_site(
    site: Site,
    policy: CrawlPolicy,
    *,
    fetcher: Fetcher,
    store: Store,
    clock: Clock,
    holder: str,
    run_id: str | None = None,
    watch: Watch | None = None,
) -> CrawlSummary:
    """Walk a site under a policy and store what comes of it; `holder` names this crawl to others that want the host.

    `watch` is called with each page as it is done. Raises LeaseHeld where another crawl of the host is under way.
    What was fetched is kept whatever ends the crawl; a cancelled one ends as `interrupted`.
    """
    seed = store.sites.seed_of(site.key)
    host = str(split_origin(seed)).split("://", 1)[1]
    lease = store.leases.acquire(host, holder=holder, seconds=LEASE_SECONDS, now=clock.now())
    try:
        start = store.crawls.begin_crawl(site, policy, run_id=run_id, now=clock.now())
        crawl = _Crawl(site, policy, seed, start=start, lease=lease, fetcher=fetcher, store=store, clock=clock,
                       watch=watch)  # fmt: skip
        return await crawl.run()
    finally:
        store.leases.release(lease, clock.now())


class _Crawl:
    """The state of one crawl while it runs."""

    def __init__(
        self,
        site: Site,
        policy: CrawlPolicy,
        seed: Url,
        *,
        start: CrawlStart,
        lease: Lease,
        fetcher: Fetcher,
        store: Store,
        clock: Clock,
        watch: Watch | None,
    ) -> None:
        self.site, self.policy, self.start, self.lease = site, policy, start, lease
        self.fetcher, self.store, self.clock, self.watch = fetcher, store, clock, watch
        self.requests: Counter[str] = Counter()
        self.robots = RobotsKeeper(fetcher, PRODUCT_TOKEN, self.requests)
        self.frontier = Frontier(policy, self._admission(seed), seed)
        self.pace = HostPace(policy.delay_seconds, policy.concurrency, random.SystemRandom().random)
        self.deadline = clock.monotonic() + policy.max_minutes * 60
        self.order = start.last_order
        self.tally = _Tally()
        self.stopped_by: StoppedBy | None = None
        self.reason = ""
        self._pending: list[Reading] = []
        self._forbidden: list[CrawledPage] = []
        self._due_at: dict[Url, datetime] = {}
        self._flushed_at = clock.monotonic()
        self._writer = asyncio.Lock()
        self._progress = asyncio.Event()
        self._asking = 0
        self._write: asyncio.Future[None] | None = None

    async def run(self) -> CrawlSummary:
        """Crawl until something ends it, then close the books."""
        heartbeat = asyncio.create_task(self._keep_lease())
        try:
            await self._walk()
        except asyncio.CancelledError:
            self._stop(StoppedBy.INTERRUPTED, "interrupted; all that was fetched is kept")
        except LeaseLost as lost:
            self._stop(StoppedBy.LEASE_LOST, str(lost))
        finally:
            heartbeat.cancel()
            await self._flush_rest()
        summary = self._summary()
        self.store.crawls.finish_crawl(self.start, summary, now=self.clock.now())
        return summary

    async def _walk(self) -> None:
        seed = self.frontier.seed
        rules = await self._rules_of(seed)
        if not rules.allows(seed):
            why = rules.reason or f"its line is {rules.line_for(seed)!r}"
            self._stop(StoppedBy.ROBOTS, f"robots.txt forbids the seed {seed} ({why}): ask the owner to allow "
                       f"{PRODUCT_TOKEN}, or name a seed_url that it allows")  # fmt: skip
            return
        self.frontier.restore(self.store.crawls.load_frontier(self.site.key), self.clock.now())
        self.frontier.start()
        try:
            async with asyncio.TaskGroup() as workers:
                for _ in range(self.policy.concurrency):
                    workers.create_task(self._work())
        except ExceptionGroup as failed:  # the first is what went wrong, the others what followed from it
            raise failed.exceptions[0] from failed

    async def _work(self) -> None:
        while self.stopped_by is None:
            if self.clock.monotonic() >= self.deadline:
                self._stop(StoppedBy.TIME, f"{self.policy.max_minutes:g} minutes are over; the next run goes on")
                return
            request = self.frontier.next()
            if request is not None:
                await self._visit(request)
            elif self.frontier.in_flight and self.frontier.has_budget:
                await self._progress.wait()
            else:
                return

    async def _rules_of(self, url: Url) -> RobotsRules:
        """Return the rules for a URL, after bringing the pace to what its origin asks for."""
        rules = await self.robots.rules_for(split_origin(url))
        if self.policy.honours_crawl_delay:
            self.pace.delay_seconds = agreed_delay(rules.crawl_delay, default=self.policy.delay_seconds)
        return rules

    # -- one page

    async def _visit(self, request: CrawlRequest) -> None:
        rules = await self._rules_of(request.url)
        if not rules.allows(request.url):
            self.frontier.forbid(request.url)
            self._note_forbidden(Link(url=request.url, text=request.anchor), request.parent, request.depth)
            self._wake()
            return
        self.order += 1
        order = self.order
        result = await self._exchange(request)
        reading = read_exchange(request, result, order=order, site=self.site, policy=self.policy)
        new_links = self._follow(reading.page)
        page = reading.page
        self._due_at[page.url] = self.frontier.complete(
            page.url, kind=page.kind, new_links=new_links, now=self.clock.now(), gone=page.status in (404, 410)
        )
        if page.redirect_to is not None and "set-cookie" in result.headers:  # a cookie wall: now we have the cookie
            self.frontier.ask_again(page.redirect_to)
        self._pending.append(reading)
        self.tally.count(page)
        self._check_seed(page)
        self._wake()
        if self.watch is not None:
            self.watch(page)
        await self._flush_if_due()

    async def _exchange(self, request: CrawlRequest) -> FetchResult:
        """Ask, in turn; again where the trouble may pass. Only the first attempt costs budget."""
        asks_conditionally = request.stored is not None and (
            request.stored.body_sha256 is not None or not self.policy.keep_bodies
        )
        validators = request.stored.validators if request.stored and asks_conditionally else None
        attempt = 0
        while True:
            attempt += 1
            await self._take_turn()
            self.requests["page" if attempt == 1 else "retry"] += 1
            try:
                result = await self.fetcher.fetch(FetchRequest(url=request.url, validators=validators or None))
            finally:
                self._asking -= 1
            retry_after = parse_retry_after(result.headers.get("retry-after"), self.clock.now())
            again = self.pace.observe(result, attempt=attempt, retry_after=retry_after, now=self.clock.monotonic())
            if self.pace.is_dead:
                self._stop(StoppedBy.ERRORS, f"{self.pace.dead_in_a_row} failures in a row, the last one: "
                           f"{result.failure.message if result.failure else f'status {result.status}'}")  # fmt: skip
            if again is None or self.stopped_by is not None:
                return result
            await self.clock.sleep(again)

    async def _take_turn(self) -> None:
        while (wait := self.pace.take_turn(self.clock.monotonic(), in_flight=self._asking)) > 0:
            await self.clock.sleep(wait)
        self._asking += 1

    def _follow(self, page: CrawledPage) -> int:
        """Give the frontier what a page leads to; return how many URLs were new."""
        depth = self.frontier.depth_of(page.url)
        if page.redirect_to is not None:  # the target keeps the depth
            target = Link(url=page.redirect_to, text=page.anchor)
            new, forbidden = self.frontier.follow_redirect(page.url, target)
        elif page.outcome is Outcome.NOT_MODIFIED and page.stored is not None:
            home = page.stored.links_page_id
            links = self.store.crawls.load_links(home) if home is not None and not page.stored.nofollow else ()
            new, forbidden = self.frontier.follow(page.url, links)
        elif page.links and not page.nofollow:
            new, forbidden = self.frontier.follow(page.url, page.links)
        else:
            return 0
        for link in forbidden:
            self._note_forbidden(link, page.url, depth + 1)
        return new

    def _note_forbidden(self, link: Link, parent: Url | None, depth: int) -> None:
        rules = self.robots.rules[split_origin(link.url)]
        page = CrawledPage(
            order=None,
            url=link.url,
            final_url=link.url,
            depth=depth,
            parent=parent,
            anchor=link.text if link.kind is LinkKind.ANCHOR else "",
            priority=Priority(Tier.ORDER, 0.0, "never requested"),
            status=None,
            outcome=Outcome.ROBOTS_DENIED,
            reason=rules.reason or f"robots.txt: {rules.line_for(link.url)}",
            kind=None,
            title=None,
            elapsed_seconds=0.0,
            size_bytes=0,
            fetched_at=self.clock.now(),
        )
        self._forbidden.append(page)
        self.tally.by_outcome[page.outcome] += 1
        if self.watch is not None:
            self.watch(page)

    def _check_seed(self, page: CrawledPage) -> None:
        seed = self.frontier.seed
        if page.url != seed:
            return
        if page.redirect_to is not None and is_www_twin(seed, page.redirect_to):
            self.store.sites.record_host(self.site.key, page.redirect_to)
            self.frontier.move_to(page.redirect_to, self._admission(page.redirect_to))
            self.reason = f"{seed} answers as {page.redirect_to}; that host is the site's from now on"
            return
        problem = seed_problem(page, seed)
        if problem is not None and (page.redirect_to is not None or not self.tally.good):
            self.reason = problem
            if page.redirect_to is not None:
                self._stop(StoppedBy.ERRORS, problem)

    # -- the store

    async def _flush_if_due(self) -> None:
        full = len(self._pending) >= BATCH_PAGES
        old = self.clock.monotonic() - self._flushed_at >= BATCH_SECONDS
        if (full or old or self.policy.concurrency == 1) and not self._writer.locked():
            async with self._writer:
                batch = self._take_batch()
                self._write = asyncio.ensure_future(
                    asyncio.to_thread(self.store.crawls.record, self.start, batch, self.lease)
                )
                await asyncio.shield(self._write)

    async def _flush_rest(self) -> None:
        """Store what is left, after the batch that may be under way still: its rows are what these build on."""
        if self.stopped_by is StoppedBy.LEASE_LOST:
            return
        try:
            if self._write is not None:
                await self._write
            batch = self._take_batch()
            if batch.readings or batch.forbidden or batch.changes:
                self.store.crawls.record(self.start, batch, self.lease)
        except LeaseLost as lost:
            self._stop(StoppedBy.LEASE_LOST, str(lost))

    def _take_batch(self) -> CrawlBatch:
        """Take pages and frontier changes at one moment: what commits together belongs together."""
        batch = CrawlBatch(readings=tuple(self._pending), due_at=dict(self._due_at),
                           forbidden=tuple(self._forbidden), changes=self.frontier.take_changes())  # fmt: skip
        self._pending.clear()
        self._forbidden.clear()
        self._due_at.clear()
        self._flushed_at = self.clock.monotonic()
        return batch

    async def _keep_lease(self) -> None:
        while True:
            await self.clock.sleep(HEARTBEAT_SECONDS)
            try:
                kept = await asyncio.to_thread(
                    self.store.leases.renew, self.lease, seconds=LEASE_SECONDS, now=self.clock.now()
                )
            except StoreError:  # the lease outlasts four beats, and no batch is written without it
                continue
            if not kept:
                self._stop(StoppedBy.LEASE_LOST, "another crawl took this host over; nothing more is written")
                return

    # -- the books

    def _admission(self, seed: Url) -> Admission:
        return build_admission(seed, include=self.policy.include, exclude=self.policy.exclude, robots=self.robots.rules)

    def _stop(self, why: StoppedBy, reason: str) -> None:
        if self.stopped_by is None or why is StoppedBy.LEASE_LOST is not self.stopped_by:
            self.stopped_by, self.reason = why, reason
        self._wake()

    def _wake(self) -> None:
        self._progress.set()
        self._progress = asyncio.Event()

    def _summary(self) -> CrawlSummary:
        stopped_by = self.stopped_by
        if stopped_by is None:
            stopped_by = StoppedBy.EXHAUSTED if self.frontier.is_exhausted else StoppedBy.BUDGET
            if self.tally.pages and not self.tally.good:
                stopped_by = StoppedBy.ERRORS
        return CrawlSummary(
            crawl_id=self.start.crawl_id,
            pages=self.tally.pages,
            products=self.tally.products,
            documents=self.tally.documents,
            by_outcome=dict(self.tally.by_outcome),
            by_tier=dict(self.tally.by_tier),
            rejected={str(why): count for why, count in self.frontier.rejected.items()},
            first_product_at=self.tally.first_product_at,
            llm_calls=0,
            requests=dict(self.requests),
            needs_rendering=self.tally.needs_rendering,
            unfetched=self.frontier.unfetched,
            stopped_by=stopped_by,
            reason=self.reason,
        )


class _Tally:
    """What the summary counts."""

    def __init__(self) -> None:
        self.pages = self.products = self.documents = self.good = self.needs_rendering = 0
        self.first_product_at: int | None = None
        self.by_outcome: Counter[str] = Counter()
        self.by_tier: Counter[str] = Counter()

    def count(self, page: CrawledPage) -> None:
        self.pages += 1
        self.by_outcome[page.outcome] += 1
        self.by_tier[page.priority.tier] += 1
        self.needs_rendering += page.needs_rendering
        self.documents += page.document_root is not None
        self.good += page.outcome in (Outcome.OK, Outcome.NOT_MODIFIED)
        if page.kind is PageKind.PRODUCT:
            self.products += 1
            if page.order is not None and (self.first_product_at is None or page.order < self.first_product_at):
                self.first_product_at = page.order
