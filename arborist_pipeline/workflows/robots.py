"""robots.txt of the origins that a crawl meets: asked once a day each, however many pages wait for it.

Each run asks anew, so that what an owner forbids today holds today. The copy that the store has stands in only where
the file cannot be had: a fault of the server for a night neither stops the crawl nor frees it from the rules.
"""

import asyncio
from collections import Counter
from dataclasses import replace
from datetime import timedelta

from arborist_pipeline.core.ports import Clock, Fetcher, RobotsCopy, RobotsStore
from arborist_pipeline.core.web.fetch import (
    ROBOTS_TIMEOUT_SECONDS,
    BodyRule,
    FailureKind,
    FetchFailure,
    FetchRequest,
    FetchResult,
)
from arborist_pipeline.core.web.robots import (
    MAX_ROBOTS_BYTES,
    MAX_UNREACHABLE_SECONDS,
    RobotsRules,
    needs_refetch,
    rules_from_result,
    rules_or_cached,
)
from arborist_pipeline.core.web.url import Origin, Url, canonicalize

MAX_REDIRECTS = 5  # RFC 9309 §2.3.1.2: at least five
_ANSWERS_LATE = frozenset({FailureKind.TIMEOUT, FailureKind.PROTOCOL})
UNREACHABLE_SECONDS = 600.0
"""For so long a file that could not be had is not asked for again."""


class RobotsKeeper:
    """The rules by origin. `rules` grows as origins are met; hand it to Admission as it is.

    `store` keeps good copies between runs; without one they are known while the keeper lives. `failures` tells of the
    origins that gave no answer at all when they were last asked.
    """

    def __init__(
        self, fetcher: Fetcher, token: str, requests: Counter[str], clock: Clock, *, store: RobotsStore | None = None
    ) -> None:
        self.rules: dict[Origin, RobotsRules] = {}
        self.failures: dict[Origin, FetchFailure] = {}
        self._fetcher = fetcher
        self._token = token
        self._requests = requests
        self._clock = clock
        self._locks: dict[Origin, asyncio.Lock] = {}
        self._asked_at: dict[Origin, float] = {}
        self._store = store
        self._stands_in: set[Origin] = set()  # whose rules are those of an older copy

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
        could_not_be_had = rules.unreachable or origin in self._stands_in
        return needs_refetch(age) or (could_not_be_had and age > UNREACHABLE_SECONDS)

    async def _ask(self, origin: Origin) -> None:
        result = await self._fetch(origin)
        fetched = rules_from_result(result, self._token)
        if fetched.unreachable:
            self._stands_in.add(origin)
            self.rules[origin] = rules_or_cached(fetched, self._good_copy(origin, result))
        else:
            self._stands_in.discard(origin)
            self.rules[origin] = fetched
            self._keep(origin, result)
        self._asked_at[origin] = self._clock.monotonic()
        if result.failure is None:
            self.failures.pop(origin, None)
        else:
            self.failures[origin] = result.failure

    def _good_copy(self, origin: Origin, result: FetchResult) -> RobotsRules | None:
        """Return the rules known before, by this keeper or by the store; none where the host itself is out of reach."""
        known = self.rules.get(origin)
        if known is not None and not known.unreachable:
            return known
        out_of_reach = result.failure is not None and result.failure.kind not in _ANSWERS_LATE
        if self._store is None or out_of_reach:
            return None
        since = self._clock.now() - timedelta(seconds=MAX_UNREACHABLE_SECONDS)
        copy = self._store.load_robots(origin, since=since)
        if copy is None:
            return None
        kept = replace(result, requested_url=copy.url, status=copy.status, body=copy.body, fetched_at=copy.fetched_at,
                       headers={}, failure=None, body_read=True, truncated=False, too_large=False)  # fmt: skip
        return rules_from_result(kept, self._token)

    def _keep(self, origin: Origin, result: FetchResult) -> None:
        if self._store is not None and result.status is not None:
            body = result.body if 200 <= result.status < 300 else b""
            copy = RobotsCopy(url=result.requested_url, status=result.status, body=body, fetched_at=result.fetched_at)
            self._store.put_robots(origin, copy)

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
