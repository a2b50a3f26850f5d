"""robots.txt of the origins that a crawl meets: asked once a day each, however many pages wait for it."""

import asyncio
from collections import Counter

from arborist_pipeline.core.ports import Clock, Fetcher
from arborist_pipeline.core.web.fetch import (
    ROBOTS_TIMEOUT_SECONDS,
    BodyRule,
    FetchFailure,
    FetchRequest,
    FetchResult,
)
from arborist_pipeline.core.web.robots import (
    MAX_ROBOTS_BYTES,
    RobotsRules,
    needs_refetch,
    rules_from_result,
    rules_or_cached,
)
from arborist_pipeline.core.web.url import Origin, Url, canonicalize

MAX_REDIRECTS = 5  # RFC 9309 §2.3.1.2: at least five
UNREACHABLE_SECONDS = 600.0
"""For so long a file that could not be had is not asked for again."""


class RobotsKeeper:
    """The rules by origin. `rules` grows as origins are met; hand it to Admission as it is.

    `failures` tells of the origins that gave no answer at all when they were last asked.
    """

    def __init__(self, fetcher: Fetcher, token: str, requests: Counter[str], clock: Clock) -> None:
        self.rules: dict[Origin, RobotsRules] = {}
        self.failures: dict[Origin, FetchFailure] = {}
        self._fetcher = fetcher
        self._token = token
        self._requests = requests
        self._clock = clock
        self._locks: dict[Origin, asyncio.Lock] = {}
        self._asked_at: dict[Origin, float] = {}

    async def rules_for(self, origin: Origin) -> RobotsRules:
        """Return the rules of an origin, at most a day old; a failure to get them is a rule too (RFC 9309 §2.3.1.4).

        Where the file cannot be had any more, the last good copy holds.
        """
        if not self._needs_asking(origin):
            return self.rules[origin]
        async with self._locks.setdefault(origin, asyncio.Lock()):
            if self._needs_asking(origin):
                await self._ask(origin)
        return self.rules[origin]

    def _needs_asking(self, origin: Origin) -> bool:
        rules = self.rules.get(origin)
        if rules is None:
            return True
        age = self._clock.monotonic() - self._asked_at.setdefault(origin, self._clock.monotonic())
        return needs_refetch(age) or (rules.unreachable and age > UNREACHABLE_SECONDS)

    async def _ask(self, origin: Origin) -> None:
        result = await self._fetch(origin)
        known = self.rules.get(origin)
        good_copy = known if known is not None and not known.unreachable else None
        self.rules[origin] = rules_or_cached(rules_from_result(result, self._token), good_copy)
        self._asked_at[origin] = self._clock.monotonic()
        if result.failure is None:
            self.failures.pop(origin, None)
        else:
            self.failures[origin] = result.failure

    async def _fetch(self, origin: Origin) -> FetchResult:
        """Follow redirects, across hosts too: the rules found hold for the origin first asked."""
        url: Url = canonicalize(f"{origin}/robots.txt")
        for _ in range(MAX_REDIRECTS + 1):
            self._requests["robots"] += 1
            result = await self._fetcher.fetch(
                FetchRequest(url=url, body=BodyRule.ANY, max_body_bytes=MAX_ROBOTS_BYTES,
                             timeout_seconds=ROBOTS_TIMEOUT_SECONDS)
            )  # fmt: skip
            if not result.is_redirect or result.redirect_to is None:
                break
            url = result.redirect_to
        return result
