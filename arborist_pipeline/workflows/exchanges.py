"""Requests of one host in turn: when the next may start, what to ask again, and how many of each kind there were."""

from collections import Counter
from collections.abc import Callable

from arborist_pipeline.core.crawl.politeness import HostPace
from arborist_pipeline.core.ports import Clock, Fetcher
from arborist_pipeline.core.web.fetch import FetchRequest, FetchResult
from arborist_pipeline.core.web.freshness import parse_retry_after


class Exchanges:
    """Asks at the pace of a host, however many callers there are. `is_over` tells that no retry is wanted any more."""

    def __init__(
        self, fetcher: Fetcher, clock: Clock, pace: HostPace, requests: Counter[str], is_over: Callable[[], bool]
    ) -> None:
        self._fetcher, self._clock, self._is_over = fetcher, clock, is_over
        self.pace = pace
        self._requests = requests
        self._under_way = 0

    async def ask(self, request: FetchRequest, *, counted_as: str) -> FetchResult:
        """Make a request in its turn, again where the trouble may pass; retries are counted apart."""
        attempt = 0
        while True:
            attempt += 1
            await self._take_turn()
            self._requests[counted_as if attempt == 1 else "retry"] += 1
            try:
                result = await self._fetcher.fetch(request)
            finally:
                self._under_way -= 1
            retry_after = parse_retry_after(result.headers.get("retry-after"), self._clock.now())
            again = self.pace.observe(result, attempt=attempt, retry_after=retry_after, now=self._clock.monotonic())
            if again is None or self.pace.is_dead or self._is_over():
                return result
            await self._clock.sleep(again)

    async def _take_turn(self) -> None:
        while (wait := self.pace.take_turn(self._clock.monotonic(), in_flight=self._under_way)) > 0:
            await self._clock.sleep(wait)
        self._under_way += 1
