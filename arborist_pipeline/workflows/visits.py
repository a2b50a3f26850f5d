"""Single requests to a site beside its pages: robots.txt holds, and each host is asked one at a time at its pace."""

from collections import Counter

from arborist_pipeline.core.crawl.policy import MAX_CRAWL_DELAY_SECONDS, POLITE_DELAY_SECONDS, PRODUCT_TOKEN
from arborist_pipeline.core.crawl.politeness import HostPace, agreed_delay
from arborist_pipeline.core.crawl.records import Mode, Site
from arborist_pipeline.core.ports import Clock, Fetcher
from arborist_pipeline.core.web.fetch import FetchFailure, FetchRequest, FetchResult
from arborist_pipeline.core.web.freshness import parse_retry_after
from arborist_pipeline.core.web.robots import RobotsRules
from arborist_pipeline.core.web.url import Origin, Url, split_origin
from arborist_pipeline.workflows.exchanges import Exchanges
from arborist_pipeline.workflows.host_leases import HostLeases
from arborist_pipeline.workflows.robots import RobotsKeeper


class Visitor:
    """Asks one at a time.

    `rules` gives the robots.txt of the site's own origin where it was read before; `exchanges` is how a crawl asks its
    host, where one is under way: at its pace, and no host beyond its end. `hosts` are those that are held: whoever has
    them takes each host before asking it. `requests` counts what is asked for outside of a crawl, and robots.txt.
    """

    def __init__(
        self,
        site: Site,
        fetcher: Fetcher,
        clock: Clock,
        *,
        seed: Url,
        rules: RobotsRules | None = None,
        exchanges: Exchanges | None = None,
        hosts: HostLeases | None = None,
    ) -> None:
        self.requests: Counter[str] = Counter()
        self._fetcher = fetcher
        self._clock = clock
        self._is_polite = site.mode is Mode.POLITE
        self._robots = RobotsKeeper(fetcher, PRODUCT_TOKEN, self.requests, clock)
        if rules is not None:
            self._robots.rules[split_origin(seed)] = rules
        self._exchanges, self._hosts = exchanges, hosts
        self._at = {split_origin(seed): exchanges} if exchanges is not None else {}
        self._paces: dict[Origin, HostPace] = {}

    @property
    def is_over(self) -> bool:
        """Whether the crawl that this is part of has ended: nothing is asked any more."""
        return self._exchanges is not None and self._exchanges.is_over

    async def rules_for(self, url: Url) -> RobotsRules:
        """Return the rules of a URL's origin; robots.txt is asked for once."""
        return await self._robots.rules_for(split_origin(url))

    def failure_of(self, url: Url) -> FetchFailure | None:
        """Return why the host of a URL gave no answer when it was asked for its rules, None where it gave one."""
        return self._robots.failures.get(split_origin(url))

    def refusal_of(self, url: Url) -> str | None:
        """Return who else asks the host of a URL, in a sentence; None where it is ours."""
        return None if self._hosts is None else self._hosts.refusal_of(url)

    async def ask(self, request: FetchRequest) -> FetchResult | None:
        """Make a request when its host may be asked; None where it may not be, or the crawl ended.

        Redirects are results.
        """
        if self.is_over or self.refusal_of(request.url) is not None:
            return None
        rules = await self.rules_for(request.url)
        if not rules.allows(request.url):
            return None
        origin = split_origin(request.url)
        if self._exchanges is not None:
            if origin not in self._at:
                self._at[origin] = self._exchanges.beside(self._pace_of(origin, rules))
            return await self._at[origin].ask(request, counted_as="sitemap")
        pace = self._pace_of(origin, rules)
        while (wait := pace.take_turn(self._clock.monotonic(), in_flight=0)) > 0:
            await self._clock.sleep(min(wait, MAX_CRAWL_DELAY_SECONDS))
        self.requests["visit"] += 1
        result = await self._fetcher.fetch(request)
        retry_after = parse_retry_after(result.headers.get("retry-after"), self._clock.now())
        pace.observe(result, attempt=1, retry_after=retry_after, now=self._clock.monotonic())
        return result

    def _pace_of(self, origin: Origin, rules: RobotsRules) -> HostPace:
        pace = self._paces.setdefault(origin, HostPace(0.0, 1, lambda: 0.5))
        if self._is_polite:
            pace.delay_seconds = agreed_delay(rules.crawl_delay, default=POLITE_DELAY_SECONDS)
        return pace
