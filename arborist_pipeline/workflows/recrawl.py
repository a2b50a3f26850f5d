"""Are stored pages still what the site serves? Conditional HEADs, politely; verdicts go to the store."""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import groupby

from arborist_pipeline.core.crawl.policy import MAX_CRAWL_DELAY_SECONDS, POLITE_DELAY_SECONDS, PRODUCT_TOKEN
from arborist_pipeline.core.crawl.politeness import HostPace, agreed_delay
from arborist_pipeline.core.crawl.records import Mode, Site
from arborist_pipeline.core.ports import CheckTarget, Clock, Fetcher, RobotsStore, Store
from arborist_pipeline.core.web.fetch import BodyRule, FetchRequest, FetchResult
from arborist_pipeline.core.web.freshness import Freshness, parse_retry_after
from arborist_pipeline.core.web.recheck import MAX_RECHECK_HOPS, Verdict, is_head_refused, judge_recheck
from arborist_pipeline.core.web.url import Url, split_origin
from arborist_pipeline.workflows.host_leases import HostLeases
from arborist_pipeline.workflows.robots import RobotsKeeper

Watch = Callable[[CheckTarget, Verdict], None]


async def recheck_pages(
    sites: Sequence[Site],
    targets: Sequence[CheckTarget],
    *,
    fetcher: Fetcher,
    store: Store,
    clock: Clock,
    holder: str,
    watch: Watch | None = None,
) -> Counter[Freshness]:
    """Ask about each target with its own validators, one at a time a host; return how many of each verdict.

    robots.txt holds: a page that it forbids is `blocked`, unasked. What a dead host was not asked for is `unknown`.
    So are pages of a host that is being crawled; they keep their place among those to check. `holder` names this check
    to others that want a host.
    """
    by_key = {site.key: site for site in sites}
    counts: Counter[Freshness] = Counter()
    for site_key, group in groupby(sorted(targets, key=lambda target: target.site_key), lambda item: item.site_key):
        with HostLeases(store.leases, clock, holder=holder) as hosts:
            check = _SiteCheck(by_key[site_key], fetcher, clock, hosts, store.robots)
            for target in group:
                refusal = check.refusal_of(target)
                if refusal is None:
                    verdict = await check.judge(target)
                    store.checks.record_check(target, verdict, now=clock.now())
                else:
                    verdict = Verdict(freshness=Freshness.UNKNOWN, reason=f"not asked: {refusal}")
                counts[verdict.freshness] += 1
                if watch is not None:
                    watch(target, verdict)
    return counts


class _SiteCheck:
    """The checks of one site: its robots.txt, its pace, whether it serves HEAD at all, and which hosts are free."""

    def __init__(self, site: Site, fetcher: Fetcher, clock: Clock, hosts: HostLeases, robots: RobotsStore) -> None:
        self._hosts = hosts
        self._lost: list[str] = []
        hosts.lost = self._lost.append
        self._fetcher = fetcher
        self._clock = clock
        self._robots = RobotsKeeper(fetcher, PRODUCT_TOKEN, Counter(), clock, store=robots)
        self._is_polite = site.mode is Mode.POLITE
        self._pace = HostPace(0.0, 1, lambda: 0.5)
        self._method = "HEAD"

    def refusal_of(self, target: CheckTarget) -> str | None:
        """Take the host of a page, unless it is held; return why it may not be asked, None where it may."""
        if self._lost:
            return self._lost[0]
        return self._hosts.refusal_of(target.url)

    async def judge(self, target: CheckTarget) -> Verdict:
        if self._pace.is_dead:
            reason = f"not asked: the host failed {self._pace.dead_in_a_row} times in a row"
            return Verdict(freshness=Freshness.UNKNOWN, reason=reason)
        rules = await self._robots.rules_for(split_origin(target.url))
        if not rules.allows(target.url):
            return Verdict(
                freshness=Freshness.BLOCKED, reason=rules.reason or f"robots.txt: {rules.line_for(target.url)}"
            )
        if self._is_polite:
            self._pace.delay_seconds = agreed_delay(rules.crawl_delay, default=POLITE_DELAY_SECONDS)
        result = await self._ask(target.url, target)
        if is_head_refused(result) and self._method == "HEAD":
            self._method = "GET"  # remembered for the host: HEAD would be refused again
            result = await self._ask(target.url, target)
            if result.failure is not None:
                self._method = "HEAD"
        reached = await self._reach(result) if result.is_redirect else None
        return judge_recheck(target.validators, result, reached=reached)

    async def _reach(self, result: FetchResult) -> FetchResult | None:
        """Follow a redirect to its end, each hop under the robots.txt of where it leads, unless another asks there."""
        for _ in range(MAX_RECHECK_HOPS):
            target = result.redirect_to
            if target is None:
                return result
            if self._lost or self._hosts.refusal_of(target) is not None:
                return None
            rules = await self._robots.rules_for(split_origin(target))
            if not rules.allows(target):
                return None
            result = await self._ask(target, None)
            if not result.is_redirect:
                return result
        return result

    async def _ask(self, url: Url, target: CheckTarget | None) -> FetchResult:
        while (wait := self._pace.take_turn(self._clock.monotonic(), in_flight=0)) > 0:
            await self._clock.sleep(min(wait, MAX_CRAWL_DELAY_SECONDS))
        validators = target.validators if target is not None and target.validators else None
        result = await self._fetcher.fetch(
            FetchRequest(url=url, method=self._method, validators=validators, body=BodyRule.NONE)
        )
        retry_after = parse_retry_after(result.headers.get("retry-after"), self._clock.now())
        self._pace.observe(result, attempt=1, retry_after=retry_after, now=self._clock.monotonic())
        return result
