"""One more request where a page leaves its variants open and its platform tells them: asked for like any page.

It goes out at the host's pace, under its robots.txt, and is counted as `platform`. A site whose endpoint fails three
times in a row is asked no more in this crawl.
"""

from collections.abc import Awaitable, Callable

from arborist_pipeline.core.crawl.reading import Reading
from arborist_pipeline.core.products.endpoints import MAX_ENDPOINT_BYTES, parse_endpoint
from arborist_pipeline.core.web.fetch import BodyRule, FetchRequest
from arborist_pipeline.core.web.robots import RobotsRules
from arborist_pipeline.core.web.url import Url
from arborist_pipeline.workflows.exchanges import Exchanges

MAX_FAILURES = 3


class Endpoints:
    """Asks the endpoints of one crawl."""

    def __init__(self, exchanges: Exchanges, rules_of: Callable[[Url], Awaitable[RobotsRules]]) -> None:
        self._exchanges, self._rules_of = exchanges, rules_of
        self._failures = 0

    async def complete(self, reading: Reading, read_again: Callable[[bytes], Reading]) -> Reading:
        """Return a reading as it is, or, by `read_again`, together with what its platform tells of the product."""
        told = await self._ask(reading.endpoint) if reading.endpoint is not None else None
        return reading if told is None else read_again(told)

    async def _ask(self, url: Url) -> bytes | None:
        if self._failures >= MAX_FAILURES or not (await self._rules_of(url)).allows(url):
            return None
        request = FetchRequest(url=url, body=BodyRule.ANY, max_body_bytes=MAX_ENDPOINT_BYTES)
        result = await self._exchanges.ask(request, counted_as="platform")
        if result is None:  # the crawl has ended
            return None
        is_whole = result.status == 200 and not result.truncated and not result.too_large
        is_good = is_whole and parse_endpoint(result.body) is not None
        self._failures = 0 if is_good else self._failures + 1
        return result.body if is_good else None
