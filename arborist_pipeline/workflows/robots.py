"""robots.txt of the origins that a crawl meets: asked once each, however many pages wait for it."""

import asyncio
from collections import Counter

from arborist_pipeline.core.ports import Fetcher
from arborist_pipeline.core.web.fetch import ROBOTS_TIMEOUT_SECONDS, BodyRule, FetchRequest, FetchResult
from arborist_pipeline.core.web.robots import MAX_ROBOTS_BYTES, RobotsRules, rules_from_result
from arborist_pipeline.core.web.url import Origin, Url, canonicalize

MAX_REDIRECTS = 5  # RFC 9309 §2.3.1.2: at least five


class RobotsKeeper:
    """The rules by origin. `rules` grows as origins are met; hand it to Admission as it is."""

    def __init__(self, fetcher: Fetcher, token: str, requests: Counter[str]) -> None:
        self.rules: dict[Origin, RobotsRules] = {}
        self._fetcher = fetcher
        self._token = token
        self._requests = requests
        self._locks: dict[Origin, asyncio.Lock] = {}

    async def rules_for(self, origin: Origin) -> RobotsRules:
        """Return the rules of an origin; a failure to get them is a rule too (RFC 9309 §2.3.1.4)."""
        async with self._locks.setdefault(origin, asyncio.Lock()):
            if origin not in self.rules:
                self.rules[origin] = rules_from_result(await self._fetch(origin), self._token)
        return self.rules[origin]

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
