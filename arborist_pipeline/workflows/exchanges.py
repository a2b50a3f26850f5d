"""Requests of one host in turn: when the next may start, what to ask again, and how many of each kind there were."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable
from typing import Self

from arborist_pipeline.core.crawl.politeness import HostPace
from arborist_pipeline.core.ports import Clock, Fetcher
from arborist_pipeline.core.web.fetch import FetchRequest, FetchResult
from arborist_pipeline.core.web.freshness import parse_retry_after


class Exchanges:
    """Asks at the pace of a host, however many callers there are, as long as there is time.

    `time_left` gives the seconds in which requests may still begin, 0 or less once the crawl is over. No pause is
    longer, and `hurry` ends those that were begun before it was; `pauses` are those of others that end with them.
    """

    def __init__(
        self,
        fetcher: Fetcher,
        clock: Clock,
        pace: HostPace,
        requests: Counter[str],
        time_left: Callable[[], float],
        pauses: set[asyncio.Timeout] | None = None,
    ) -> None:
        self._fetcher, self._clock, self._time_left = fetcher, clock, time_left
        self.pace = pace
        self._requests = requests
        self._under_way = 0
        self._pauses = set[asyncio.Timeout]() if pauses is None else pauses

    @property
    def is_over(self) -> bool:
        """Whether no request may begin any more."""
        return self._time_left() <= 0

    def beside(self, pace: HostPace) -> Self:
        """Return what asks another host at its own pace, and is over when this is."""
        return type(self)(self._fetcher, self._clock, pace, self._requests, self._time_left, self._pauses)

    async def ask(self, request: FetchRequest, *, counted_as: str) -> FetchResult | None:
        """Make a request in its turn, again where the trouble may pass; retries are counted apart.

        None where time was over before its turn came, or before it could be made again.
        """
        attempt = 0
        while await self._take_turn():
            attempt += 1
            self._requests[counted_as if attempt == 1 else "retry"] += 1
            try:
                result = await self._fetcher.fetch(request)
            finally:
                self._under_way -= 1
            retry_after = parse_retry_after(result.headers.get("retry-after"), self._clock.now())
            again = self.pace.observe(result, attempt=attempt, retry_after=retry_after, now=self._clock.monotonic())
            if again is None or self.pace.is_dead:
                return result
            await self._pause(again)
        return None

    def hurry(self) -> None:
        """End all pauses: time is over. Said again, it leaves alone those that are ending."""
        for pause in self._pauses:
            if not pause.expired():
                pause.reschedule(0.0)

    async def _take_turn(self) -> bool:
        """Wait for a turn and book it; False where time is over first."""
        while self._time_left() > 0:
            wait = self.pace.take_turn(self._clock.monotonic(), in_flight=self._under_way)
            if wait <= 0:
                self._under_way += 1
                return True
            await self._pause(wait)
        return False

    async def _pause(self, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(None) as pause:
                self._pauses.add(pause)
                try:
                    await self._clock.sleep(min(seconds, max(self._time_left(), 0.0)))
                finally:
                    self._pauses.discard(pause)
