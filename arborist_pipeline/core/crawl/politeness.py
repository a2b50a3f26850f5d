"""When a host may be asked next, as arithmetic: gaps, pauses, how many requests at once, and how fast.

The gap is counted from start to start. A host that says "too much" (429, 503) is left alone for as long as it says
(Retry-After) or for a doubling pause, and then asked by half as many at once and at nine tenths of the pace it could
bear last; good answers earn both back little by little (additive increase, multiplicative decrease). Other trouble
that may pass concerns one page: that page is asked again after a while, the others need not wait.
"""

import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from arborist_pipeline.core.crawl.policy import MAX_CRAWL_DELAY_SECONDS
from arborist_pipeline.core.web.fetch import FailureKind, FetchResult

FIRST_PAUSE_SECONDS = 2.0
MAX_PAUSE_SECONDS = 60.0
MAX_RETRY_AFTER_SECONDS = 600.0  # a wish beyond this is a mistake or a refusal: our own pauses hold
FIRST_BACKOFF_SECONDS = 1.0
MAX_RETRIES = 3
MAX_TIMEOUT_RETRIES = 1  # each costs the whole time limit of a page
MAX_DEAD_IN_A_ROW = 12
_OVERLOADED = frozenset({429, 503})
_PASSING_STATUSES = frozenset({500, 502, 504})
_PASSING_FAILURES = frozenset({FailureKind.TIMEOUT, FailureKind.CONNECT, FailureKind.PROTOCOL})
_LEAST_RATE = 1.0
_SEARCH_GROWTH = 1.05  # an answer, while no pace was found that is too much
_SEARCH_LEAD = 2.0
_LEAST_LEFT = 0.25  # of a pace that was too much
_LEAST_LEFT_LATER = 0.75  # once the pace is known better
_APPROACH = 0.02  # of the way to the pace that is just borne, an answer
_BELOW_CEILING = 0.97
_PROBE_SECONDS = 30.0
_PROBE_ANSWERS = 100
_PROBE_GROWTH = 1.02


@dataclass(slots=True)
class HostPace:
    """The pace of one host. Mutable; one a crawl.

    `delay_seconds` >= 0 is the gap between starts; `concurrency` >= 1 the most at once. `jitter` gives numbers in
    0..1 that spread pauses, so that two crawlers do not come back together. `rate` is the pace in answers a second
    that the host was found to bear, None while it has not complained. Moments are monotonic seconds.
    """

    delay_seconds: float
    concurrency: int
    jitter: Callable[[], float]
    allowed: float = 0.0
    rate: float | None = None
    next_start: float = 0.0
    pause_until: float = 0.0
    overloads_in_a_row: int = 0
    dead_in_a_row: int = 0
    _ceiling: float | None = None  # the least pace that was too much
    _complained_at: float | None = None
    _good: int = 0
    _lately: deque[float] = field(default_factory=lambda: deque(maxlen=20))
    _probed_at: float = 0.0
    _good_at_probe: int = 0

    def __post_init__(self) -> None:
        self.allowed = float(self.concurrency)

    def take_turn(self, now: float, in_flight: int) -> float:
        """Return 0 and book the start, or the seconds after which to ask again; `now` is monotonic."""
        if in_flight >= int(self.allowed):
            return 0.05
        wait = max(self.next_start, self.pause_until) - now
        if wait > 0:
            return wait
        gap = self.delay_seconds if self.rate is None else max(self.delay_seconds, 1.0 / self.rate)
        self.next_start = now + gap
        return 0.0

    def observe(self, result: FetchResult, *, attempt: int, retry_after: float | None, now: float) -> float | None:
        """Learn from an answer; return in how many seconds the same request should be made again, None for never.

        `attempt` counts from 1; `retry_after` is what the server asked for, in seconds, None where it did not. A pause
        of the whole host comes on top, by `take_turn`.
        """
        if result.status in _OVERLOADED:
            self._overload(retry_after, now=now)
            return 0.0 if attempt <= MAX_RETRIES and not self.is_dead else None
        failure = result.failure
        if failure is None and result.status not in _PASSING_STATUSES and not result.truncated:
            self._earn(now)
            return None
        if failure is not None or not result.truncated:
            self.dead_in_a_row += 1
        if failure is not None and failure.kind not in _PASSING_FAILURES:
            return None
        most = MAX_TIMEOUT_RETRIES if failure is not None and failure.kind is FailureKind.TIMEOUT else MAX_RETRIES
        if attempt > most or self.is_dead:
            return None
        return FIRST_BACKOFF_SECONDS * float(2 ** (attempt - 1)) * (1 + self.jitter() / 4)

    @property
    def is_dead(self) -> bool:
        """Whether the host has failed so often in a row that going on helps nobody."""
        return self.dead_in_a_row >= MAX_DEAD_IN_A_ROW

    def _overload(self, retry_after: float | None, *, now: float) -> None:
        if now < self.pause_until:
            return  # asked before the pause began: the same complaint
        self.dead_in_a_row += 1
        self.overloads_in_a_row += 1
        self.allowed = max(1.0, self.allowed / 2)
        self._find_rate(now)
        if retry_after is None or retry_after > MAX_RETRY_AFTER_SECONDS:
            doubling = FIRST_PAUSE_SECONDS * 2.0 ** (self.overloads_in_a_row - 1)
            retry_after = min(doubling * (1 + self.jitter() / 4), MAX_PAUSE_SECONDS)
        self.pause_until = now + retry_after

    def _find_rate(self, now: float) -> None:
        """Set the pace between what was borne since the last complaint, its pause included, and what was too much.

        Between two complaints a token bucket lends what it refills: the answers over the time are a lower bound.
        """
        began = self._complained_at if self._complained_at is not None else now - 1.0
        borne = max(self._good / max(1.0, now - began), _LEAST_RATE)
        if self.rate is None:
            self.rate = borne
        else:
            least = self.rate * (_LEAST_LEFT if self._ceiling is None else _LEAST_LEFT_LATER)
            self._ceiling = self.rate
            self.rate = min(self.rate * _BELOW_CEILING, max(least, math.sqrt(borne * self.rate)))
        self._complained_at = self._probed_at = now
        self._good = self._good_at_probe = 0
        self._lately.clear()

    def _earn(self, now: float) -> None:
        self.dead_in_a_row = self.overloads_in_a_row = 0
        self.allowed = min(float(self.concurrency), self.allowed + 1.0 / self.allowed)
        self._good += 1
        if self.rate is None:
            return
        if (
            self._ceiling is None
        ):  # never far beyond what is really done: a complaint then names a pace that was too much
            self._lately.append(now)
            span = now - self._lately[0]
            done = len(self._lately) / span if span > 0 else self.rate
            self.rate = max(self.rate, min(self.rate * _SEARCH_GROWTH, done * _SEARCH_LEAD))
            return
        self.rate += max(0.0, self._ceiling * _BELOW_CEILING - self.rate) * _APPROACH
        if now - self._probed_at >= _PROBE_SECONDS and self._good - self._good_at_probe >= _PROBE_ANSWERS:
            self._ceiling *= _PROBE_GROWTH
            self._probed_at, self._good_at_probe = now, self._good


def agreed_delay(crawl_delay: float | None, *, default: float) -> float:
    """Return the gap that robots.txt asks for, capped; the default where it asks for none."""
    return default if crawl_delay is None else min(crawl_delay, MAX_CRAWL_DELAY_SECONDS)
