"""Single requests to a site outside of a crawl: robots.txt holds, and the pace that the site asks for."""

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
from arborist_pipeline.workflows.robots import RobotsKeeper


class Visitor:
    """Asks one at a time.

    `rules` gives the robots.txt of the site's own origin where it was read before; `exchanges` is how a crawl asks its
    host, where one is under way: at its pace, and not beyond its end. `requests` counts what is asked for.
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
    ) -> None:
        self.requests: Counter[str] = Counter()
        self._fetcher = fetcher
        self._clock = clock
        self._is_polite = site.mode is Mode.POLITE
        self._robots = RobotsKeeper(fetcher, PRODUCT_TOKEN, self.requests, clock)
        if rules is not None:
            self._robots.rules[split_origin(seed)] = rules
        self._origin, self._exchanges = split_origin(seed), exchanges
        self._paces: dict[Origin, HostPace] = {}

    async def rules_for(self, url: Url) -> RobotsRules:
        """Return the rules of a URL's origin; robots.txt is asked for once."""
        return await self._robots.rules_for(split_origin(url))

    def failure_of(self, url: Url) -> FetchFailure | None:
        """Return why the host of a URL gave no answer when it was asked for its rules, None where it gave one."""
        return self._robots.failures.get(split_origin(url))

    async def ask(self, request: FetchRequest) -> FetchResult | None:
        """Make a request when its host may be asked; None where robots.txt forbids it, or the crawl ended.

        Redirects are results.
        """
        rules = await self.rules_for(request.url)
        if not rules.allows(request.url):
            return None
        if self._exchanges is not None and split_origin(request.url) == self._origin:
            return await self._exchanges.ask(request, counted_as="sitemap")
        pace = self._paces.setdefault(split_origin(request.url), HostPace(0.0, 1, lambda: 0.5))
        if self._is_polite:
            pace.delay_seconds = agreed_delay(rules.crawl_delay, default=POLITE_DELAY_SECONDS)
        while (wait := pace.take_turn(self._clock.monotonic(), in_flight=0)) > 0:
            await self._clock.sleep(min(wait, MAX_CRAWL_DELAY_SECONDS))
        self.requests["visit"] += 1
        result = await self._fetcher.fetch(request)
        retry_after = parse_retry_after(result.headers.get("retry-after"), self._clock.now())
        pace.observe(result, attempt=1, retry_after=retry_after, now=self._clock.monotonic())
        return result
