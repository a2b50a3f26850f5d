"""When a host may be asked next, as arithmetic: gaps, pauses, and how many requests at once.

The gap is counted from start to start. A host that says "too much" (429, 503) is left alone for as long as it says
(Retry-After) or for a doubling pause, and asked by half as many at once; each good answer earns a little back
(additive increase, multiplicative decrease).
"""

from collections.abc import Callable
from dataclasses import dataclass

from arborist_pipeline.core.crawl.policy import MAX_CRAWL_DELAY_SECONDS
from arborist_pipeline.core.web.fetch import FailureKind, FetchResult

FIRST_PAUSE_SECONDS = 2.0
MAX_PAUSE_SECONDS = 120.0
MAX_RETRIES = 3
MAX_DEAD_IN_A_ROW = 12
_PASSING_STATUSES = frozenset({429, 500, 502, 503, 504})
_PASSING_FAILURES = frozenset({FailureKind.TIMEOUT, FailureKind.CONNECT, FailureKind.PROTOCOL})


@dataclass(slots=True)
class HostPace:
    """The pace of one host. Mutable; one a crawl.

    `delay_seconds` >= 0 is the gap between starts; `concurrency` >= 1 the most at once. `jitter` gives numbers in
    0..1 that spread pauses, so that two crawlers do not come back together.
    """

    delay_seconds: float
    concurrency: int
    jitter: Callable[[], float]
    allowed: float = 0.0
    next_start: float = 0.0
    pause_until: float = 0.0
    overloads_in_a_row: int = 0
    dead_in_a_row: int = 0

    def __post_init__(self) -> None:
        self.allowed = float(self.concurrency)

    def take_turn(self, now: float, in_flight: int) -> float:
        """Return 0 and book the start, or the seconds after which to ask again; `now` is monotonic."""
        if in_flight >= int(self.allowed):
            return 0.05
        wait = max(self.next_start, self.pause_until) - now
        if wait > 0:
            return wait
        self.next_start = now + self.delay_seconds
        return 0.0

    def observe(self, result: FetchResult, *, attempt: int, retry_after: float | None, now: float) -> bool:
        """Learn from an answer; return whether the same request should be made again once the pause is over.

        `attempt` counts from 1; `retry_after` is what the server asked for, in seconds, None where it did not.
        """
        passing = result.failure is not None and result.failure.kind in _PASSING_FAILURES
        passing = passing or result.status in _PASSING_STATUSES
        if not passing and result.failure is not None:  # asking again at once would not help, nor is it a good answer
            self.dead_in_a_row += 1
            return False
        if not passing:
            self.dead_in_a_row = self.overloads_in_a_row = 0
            self.allowed = min(float(self.concurrency), self.allowed + 1.0 / self.allowed)
            return False
        self.dead_in_a_row += 1
        if result.status in (429, 503):
            self.overloads_in_a_row += 1
            self.allowed = max(1.0, self.allowed / 2)
        self._pause(retry_after, attempt=attempt, now=now)
        return attempt <= MAX_RETRIES and not self.is_dead

    @property
    def is_dead(self) -> bool:
        """Whether the host has failed so often in a row that going on helps nobody."""
        return self.dead_in_a_row >= MAX_DEAD_IN_A_ROW

    def _pause(self, retry_after: float | None, *, attempt: int, now: float) -> None:
        doubling = FIRST_PAUSE_SECONDS * 2 ** (max(attempt, self.overloads_in_a_row) - 1)
        seconds = retry_after if retry_after is not None else doubling * (1 + self.jitter() / 4)
        self.pause_until = max(self.pause_until, now + min(seconds, MAX_PAUSE_SECONDS))


def agreed_delay(crawl_delay: float | None, *, default: float) -> float:
    """Return the gap that robots.txt asks for, capped; the default where it asks for none."""
    return default if crawl_delay is None else min(crawl_delay, MAX_CRAWL_DELAY_SECONDS)
