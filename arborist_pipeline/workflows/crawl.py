"""Crawl one site: robots.txt, then the one loop. Workers each take the next URL; nobody waits for a wave to end."""

import asyncio
import random
from collections.abc import Callable, Coroutine
from dataclasses import replace
from functools import partial
from typing import Any

from arborist_pipeline.core.crawl.admission import Admission, allows_both, build_admission
from arborist_pipeline.core.crawl.frontier import Frontier
from arborist_pipeline.core.crawl.policy import PRODUCT_TOKEN, CrawlPolicy
from arborist_pipeline.core.crawl.politeness import HostPace, agreed_delay
from arborist_pipeline.core.crawl.reading import Reading, has_failed, read_exchange, read_with_endpoint
from arborist_pipeline.core.crawl.records import (
    CrawledPage,
    CrawlRequest,
    CrawlSummary,
    Discovery,
    Outcome,
    Priority,
    Site,
    StoppedBy,
    Tier,
)
from arborist_pipeline.core.crawl.seed import is_www_twin, robots_problem, seed_problem
from arborist_pipeline.core.crawl.soft_errors import SoftErrors, as_soft_error, probe_url
from arborist_pipeline.core.errors import LeaseHeld, LeaseLost
from arborist_pipeline.core.ports import Clock, CrawlStart, Fetcher, LanguageModel, Store
from arborist_pipeline.core.web.fetch import FetchRequest, FetchResult
from arborist_pipeline.core.web.links import Link, LinkKind
from arborist_pipeline.core.web.robots import RobotsRules
from arborist_pipeline.core.web.url import Url, split_origin
from arborist_pipeline.workflows.crawl_books import Books, Tally
from arborist_pipeline.workflows.endpoints import Endpoints
from arborist_pipeline.workflows.exchanges import Exchanges
from arborist_pipeline.workflows.following import Follower
from arborist_pipeline.workflows.host_leases import HostLeases
from arborist_pipeline.workflows.link_tier import ASKS_AFTER_PAGES, LinkTier, consult
from arborist_pipeline.workflows.robots import RobotsKeeper
from arborist_pipeline.workflows.sitemaps import read_sitemap
from arborist_pipeline.workflows.visits import Visitor

LARGE_BODY_BYTES = 256 * 1024
"""Larger ones are read in a thread: the parser runs beside the event loop, and the rest takes turns with it."""
SITEMAP_PORTION = 5_000
"""Addresses of a sitemap that are admitted before they are stored."""

Watch = Callable[[CrawledPage], None]


async def crawl_site(  # noqa: PLR0913  # one for each part that a crawl needs, or may do without
    site: Site,
    policy: CrawlPolicy,
    *,
    fetcher: Fetcher,
    store: Store,
    clock: Clock,
    holder: str,
    run_id: str | None = None,
    watch: Watch | None = None,
    model: LanguageModel | None = None,
    asks_after_pages: int = ASKS_AFTER_PAGES,
    warn: Callable[[str], None] = lambda _: None,
) -> CrawlSummary:
    """Walk a site under a policy and store what comes of it; `holder` names this crawl to others that want the host.

    `watch` is called with each page as it is done, and again with the same `order` where a page that was taken for a
    live one turns out to be a soft 404. Raises LeaseHeld where another crawl of the host is under way.
    `model` is asked once, after `asks_after_pages` pages with nothing product-shaped in sight, which links lead to
    products; `warn` is told if that was in vain. What was fetched is kept whatever ends the crawl; a cancelled one ends
    as `interrupted`.
    """
    seed = store.sites.seed_of(site.key)
    with HostLeases(store.leases, clock, holder=holder) as hosts:
        hosts.take(seed)
        start = store.crawls.begin_crawl(site, policy, run_id=run_id, now=clock.now())
        policy = replace(policy, walk=start.walk, only=start.only, full=start.full)
        tier = LinkTier(site, model=model if policy.learns else None, store=store.calls, clock=clock, warn=warn,
                        after_pages=asks_after_pages)  # fmt: skip
        crawl = _Crawl(site, policy, seed, start=start, hosts=hosts, fetcher=fetcher, store=store, clock=clock,
                       watch=watch, tier=tier)  # fmt: skip
        return await crawl.run()


class _Crawl:
    """The state of one crawl while it runs."""

    def __init__(  # noqa: PLR0913  # as `crawl_site`
        self,
        site: Site,
        policy: CrawlPolicy,
        seed: Url,
        *,
        start: CrawlStart,
        hosts: HostLeases,
        fetcher: Fetcher,
        store: Store,
        clock: Clock,
        watch: Watch | None,
        tier: LinkTier,
    ) -> None:
        self.site, self.policy, self.start, self.hosts = site, policy, start, hosts
        self.fetcher, self.store, self.clock, self.watch = fetcher, store, clock, watch
        self.tier = tier
        self.tally = Tally()
        self.robots = RobotsKeeper(fetcher, PRODUCT_TOKEN, self.tally.requests, clock, store=store.robots)
        rows = store.crawls.frontier_rows(site.key, start.crawl_id)
        self.frontier = Frontier(policy, self._admission(seed), seed, rows=rows, began_at=start.started_at,
                                 first_seq=start.first_seq,
                                 is_resumed=start.is_resumed, last_decision=start.last_decision)  # fmt: skip
        pace = HostPace(policy.delay_seconds, policy.concurrency, random.SystemRandom().random)
        self.exchanges = Exchanges(fetcher, clock, pace, self.tally.requests, self._time_left)
        self.books = Books(
            start, hosts.take(seed), self.frontier, store=store, clock=clock, at_once=policy.concurrency == 1
        )
        self.follower = Follower(self.frontier, store.crawls, self._note_forbidden)
        self.soft_errors = SoftErrors()
        self.endpoints = Endpoints(self.exchanges, self._rules_of)
        self.deadline = clock.monotonic() + policy.max_minutes * 60
        self.order = start.last_order
        self.stopped_by: StoppedBy | None = None
        self.reason = ""
        self._progress = asyncio.Event()
        self._probing, self._reading, self._reading_large = asyncio.Lock(), asyncio.Lock(), asyncio.Lock()

    async def run(self) -> CrawlSummary:
        """Crawl until something ends it, then close the books."""
        loop = asyncio.get_running_loop()
        self.hosts.lost = lambda why: loop.call_soon_threadsafe(self._stop, StoppedBy.LEASE_LOST, why)
        try:
            await self._walk()
        except asyncio.CancelledError:
            self._stop(StoppedBy.INTERRUPTED, "interrupted; all that was fetched is kept")
        except LeaseLost as lost:
            self._stop(StoppedBy.LEASE_LOST, str(lost))
        finally:
            await _to_its_end(self._close_books())
        summary = self._summary()
        self.store.crawls.finish_crawl(self.start, summary, now=self.clock.now())
        return summary

    async def _walk(self) -> None:
        seed = self.frontier.seed
        rules = await self._rules_of(seed)
        if not rules.allows(seed):
            self._stop(*robots_problem(seed, rules, self.robots.failures.get(split_origin(seed))))
            return
        for _ in self.frontier.restore():
            await self.books.flush_rest()
        self.frontier.start()
        if self.policy.discovery is Discovery.LINKS_AND_SITEMAP:
            await self._take_in_sitemap()
        try:
            async with asyncio.TaskGroup() as workers:
                for _ in range(self.policy.concurrency):
                    workers.create_task(self._work())
        except ExceptionGroup as failed:  # the first is what went wrong, the others what followed from it
            raise failed.exceptions[0] from failed

    async def _take_in_sitemap(self) -> None:
        """Admit what the site lists, after one page: that of the seed, which tells where the site answers."""
        request = await self._next()
        if request is not None:
            await self._visit(request)
        if self.stopped_by is not None or self.policy.only:
            return
        seed = self.frontier.seed
        visitor = Visitor(self.site, self.fetcher, self.clock, seed=seed, rules=await self._rules_of(seed),
                          exchanges=self.exchanges, hosts=self.hosts)  # fmt: skip
        with self.hosts.for_a_while():  # files of another host may be those of many sites
            declared = await read_sitemap(seed, visitor=visitor, sitemap=self.site.sitemap)
        self.tally.requests.update(visitor.requests)
        entries = declared.entries or ()
        for first in range(0, len(entries), SITEMAP_PORTION):
            listed = entries[first : first + SITEMAP_PORTION]
            self.frontier.intake.admit_listed(Link(url=Url(each.url), text="", written=each.written) for each in listed)
            await self.books.flush_rest()

    async def _work(self) -> None:
        while self._time_left() > 0:
            request = await self._next()
            if request is not None:
                await self._visit(request)
            elif self.frontier.in_flight and self.frontier.has_budget:
                await self._progress.wait()
            else:
                return

    async def _next(self) -> CrawlRequest | None:
        while (request := self.frontier.next()) is None and self.frontier.is_sifting and self._time_left() > 0:
            await self._give_way()
        return request

    async def _give_way(self) -> None:
        """Let all else have its turn: a whole queue may be the site's no more, or forbidden, since it was filled."""
        await asyncio.sleep(0)
        await self.books.flush_if_due()

    async def _rules_of(self, url: Url) -> RobotsRules:
        """Return the rules for a URL, after bringing the pace to what its origin asks for."""
        rules = await self.robots.rules_for(split_origin(url))
        if self.policy.honours_crawl_delay:
            self.exchanges.pace.delay_seconds = agreed_delay(rules.crawl_delay, default=self.policy.delay_seconds)
        return rules

    # -- one page

    async def _visit(self, request: CrawlRequest) -> None:
        rules = await self._rules_of(request.url)
        if not allows_both(rules, request.url, request.written):
            self.frontier.forbid(request.url)
            link = Link(url=request.url, text=request.anchor, written=request.written)
            self._note_forbidden(link, request.parent, request.depth)
            self._wake()
            await self._give_way()
            return
        self.order += 1
        order = self.order
        result = await self._exchange(request)
        if result is None:  # it stays in the queue
            return
        reading = await self._without_soft_errors(await self._read(request, result, order))
        told_of = partial(read_with_endpoint, reading, result, site=self.site, policy=self.policy)
        reading = await self.endpoints.complete(reading, told_of)
        page = reading.page
        new_links = await self.follower.follow(page, reading.places)
        reading = replace(reading, places=None)  # with it goes the tree
        told = await consult(self.tier, self.frontier) if self.stopped_by is None else ()
        is_gone = page.status in (404, 410) or page.outcome is Outcome.SOFT_404
        completion = self.frontier.complete(page.url, kind=page.kind, new_links=new_links, now=self.clock.now(),
                                            gone=is_gone, has_prose=page.has_prose, failed=has_failed(page, new_links),
                                            identity=page.canonical_url, platform=page.platform, told=told)  # fmt: skip
        self.follower.pass_walls(page, gives_cookie="set-cookie" in result.headers)
        self.books.enter(reading, completion)
        self.tally.count(page)
        self._check_seed(page)
        self._check_yield()
        self._wake()
        if self.watch is not None:
            self.watch(page)
        await self.books.flush_if_due()

    async def _read(self, request: CrawlRequest, result: FetchResult, order: int) -> Reading:
        read = partial(read_exchange, request, result, order=order, site=self.site, policy=self.policy)
        if len(result.body) >= LARGE_BODY_BYTES:
            async with self._reading_large:  # one thread: more would leave the loop less of the interpreter
                return await asyncio.to_thread(read)
        async with self._reading:  # of pages that come together one is read, then all else has its turn
            await asyncio.sleep(0)
            return read()

    async def _exchange(self, request: CrawlRequest) -> FetchResult | None:
        """Ask for a page, conditionally where a version is stored; None where the crawl ended before."""
        stored = request.stored
        asks_conditionally = stored is not None and (stored.body_sha256 is not None or not self.policy.keep_bodies)
        validators = stored.validators if stored is not None and asks_conditionally else None
        result = await self.exchanges.ask(FetchRequest(url=request.url, validators=validators or None),
                                          counted_as="page")  # fmt: skip
        pace = self.exchanges.pace
        if pace.is_dead and result is not None:
            self._stop(StoppedBy.ERRORS, f"{pace.dead_in_a_row} failures in a row, the last one: "
                       f"{result.failure.message if result.failure else f'status {result.status}'}")  # fmt: skip
        return result

    async def _without_soft_errors(self, reading: Reading) -> Reading:
        """Return the reading as it is, or as that of a soft 404; asks the site once where there is reason to."""
        if self.soft_errors.suspects(reading):
            async with self._probing:
                if not self.soft_errors.is_settled:
                    await self._probe(reading.page.url)
        return as_soft_error(reading) if self.soft_errors.is_one(reading, seed=self.frontier.seed) else reading

    async def _probe(self, suspect: Url) -> None:
        url = probe_url(suspect)
        shown: Reading | None = None
        if (await self._rules_of(url)).allows(url):
            result = await self.exchanges.ask(FetchRequest(url=url), counted_as="probe")
            request = CrawlRequest(url=url, depth=0, parent=None, anchor="", priority=Priority(Tier.ORDER, 0.0, ""))
            shown = None if result is None else await self._read(request, result, 0)
        earlier = self.soft_errors.learn(shown, seed=self.frontier.seed)
        if earlier is not None and earlier.url != suspect:
            self.books.enter_soft_error(earlier.url)
            self.tally.take_back(earlier)
            if self.watch is not None:
                self.watch(as_soft_error(Reading(page=earlier)).page)

    def _note_forbidden(self, link: Link, parent: Url | None, depth: int) -> None:
        rules = self.robots.rules[split_origin(link.url)]
        line = rules.line_for(link.url if link.written is None or not rules.allows(link.url) else Url(link.written))
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
            reason=rules.reason or f"robots.txt: {line}",
            kind=None,
            title=None,
            elapsed_seconds=0.0,
            size_bytes=0,
            fetched_at=self.clock.now(),
        )
        self.books.enter_forbidden(page)
        self.tally.by_outcome[page.outcome] += 1
        if self.watch is not None:
            self.watch(page)

    def _check_seed(self, page: CrawledPage) -> None:
        seed = self.frontier.seed
        if page.url != seed:
            return
        if page.redirect_to is not None and is_www_twin(seed, page.redirect_to):
            self._move_to(page.redirect_to)
            return
        problem = seed_problem(page, seed)
        if problem is not None and (page.redirect_to is not None or not self.tally.good):
            self.reason = problem
            if page.redirect_to is not None:
                self._stop(StoppedBy.ERRORS, problem)

    def _check_yield(self) -> None:
        if self.policy.stop_below and (end := self.frontier.chooser.diminishing(self.policy.stop_below)) is not None:
            self._stop(StoppedBy.DIMINISHING, end)

    def _move_to(self, twin: Url) -> None:
        """Go on at the host that the seed turned out to answer under; batches are fenced by its lease from now on."""
        try:
            self.books.lease = self.hosts.take(twin)
        except LeaseHeld as held:
            self._stop(StoppedBy.LEASE_LOST, str(held))
            return
        self.reason = f"{self.frontier.seed} answers as {twin}; that host is the site's from now on"
        self.store.sites.record_host(self.site.key, twin)
        self.frontier.move_to(twin, self._admission(twin))

    # -- how it ends

    def _time_left(self) -> float:
        """Return in how many seconds requests may still begin; none once something has stopped the crawl."""
        left = self.deadline - self.clock.monotonic()
        if left <= 0:
            self._stop(StoppedBy.TIME, f"{self.policy.max_minutes:g} minutes are over; the next run goes on")
        return left if self.stopped_by is None else 0.0

    async def _close_books(self) -> None:
        try:
            await self.books.flush_rest()
        except LeaseLost as lost:
            self._stop(StoppedBy.LEASE_LOST, str(lost))

    def _admission(self, seed: Url) -> Admission:
        return build_admission(seed, include=self.policy.include, exclude=self.policy.exclude, robots=self.robots.rules)

    def _stop(self, why: StoppedBy, reason: str) -> None:
        if self.stopped_by is None or why is StoppedBy.LEASE_LOST is not self.stopped_by:
            self.stopped_by, self.reason = why, reason
        self.exchanges.hurry()
        self._wake()

    def _wake(self) -> None:
        self._progress.set()
        self._progress = asyncio.Event()

    def _summary(self) -> CrawlSummary:
        stopped_by, reason = self.stopped_by, self.reason
        if stopped_by is None and self.tally.pages and not self.tally.good:
            stopped_by = StoppedBy.ERRORS
        elif stopped_by is None:
            stopped_by, why = self._natural_end()
            reason = reason or why
        return self.tally.summary(self.start.crawl_id, self.frontier, stopped_by, reason, llm_call=self.tier.call)

    def _natural_end(self) -> tuple[StoppedBy, str]:
        frontier = self.frontier
        if frontier.is_exhausted:
            return StoppedBy.EXHAUSTED, "every known address was asked for"
        traps = frontier.traps
        if frontier.has_budget and traps:
            return StoppedBy.DIMINISHING, (
                f"addresses like {traps[0].template} led only to more of themselves: {traps[0].asked} were asked for "
                f"in vain, {sum(trap.left for trap in traps)} of such are left"
            )
        return StoppedBy.BUDGET, f"the budget of {self.policy.max_pages} pages is spent; the next run goes on"


async def _to_its_end(work: Coroutine[Any, Any, None]) -> None:
    """Wait for something that must be done, though it is cancelled meanwhile."""
    task = asyncio.ensure_future(work)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await task
