"""When a host may be asked next, as arithmetic: gaps, pauses, how many requests at once, and how fast.

The gap is counted from start to start. A host that says "too much" (429, 503) is left alone for as long as it says
(Retry-After, RFC 9110 §10.2.3) or for a doubling pause, and then asked by half as many at once and at the pace that it
was found to bear; good answers earn both back little by little (additive increase, multiplicative decrease). Other
trouble that may pass concerns one page: that page is asked again after a while, the others need not wait.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from arborist_pipeline.core.crawl.hidden_limit import HiddenLimit
from arborist_pipeline.core.crawl.policy import MAX_CRAWL_DELAY_SECONDS
from arborist_pipeline.core.web.fetch import FailureKind, FetchResult

FIRST_PAUSE_SECONDS = 2.0
MAX_PAUSE_SECONDS = 60.0
MAX_WISHES_IN_A_ROW = 3  # after pauses of its own wish a host that goes on refusing is given longer ones
MAX_RETRY_AFTER_SECONDS = 600.0  # a wish beyond this is a mistake or a refusal: our own pauses hold
FIRST_BACKOFF_SECONDS = 1.0
MAX_RETRIES = 3
MAX_TIMEOUT_RETRIES = 1  # each costs the whole time limit of a page
MAX_DEAD_IN_A_ROW = 12
_OVERLOADED = frozenset({429, 503})
_PASSING_STATUSES = frozenset({500, 502, 504})
_PASSING_FAILURES = frozenset({FailureKind.TIMEOUT, FailureKind.CONNECT, FailureKind.PROTOCOL})


@dataclass(slots=True)
class HostPace:
    """The pace of one host. Mutable; one a crawl.

    `delay_seconds` >= 0 is the gap between starts; `concurrency` >= 1 the most at once. `jitter` gives numbers in
    0..1 that spread pauses, so that two crawlers do not come back together. Moments are monotonic seconds.
    """

    delay_seconds: float
    concurrency: int
    jitter: Callable[[], float]
    allowed: float = 0.0
    limit: HiddenLimit = field(default_factory=HiddenLimit)
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
        planned = max(self.next_start, self.pause_until)
        self.next_start = max(now + self.delay_seconds, self.limit.next_start(planned, now))
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
        self.limit.note_refusal()
        if now < self.pause_until:
            return  # asked before the pause began: the same complaint
        self.dead_in_a_row += 1
        self.overloads_in_a_row += 1
        self.allowed = max(1.0, self.allowed / 2)
        if self.overloads_in_a_row == 1:
            self.limit.note_complaint(now, resumed_at=self.pause_until)
        self.pause_until = now + self._pause_seconds(retry_after)

    def _pause_seconds(self, retry_after: float | None) -> float:
        if retry_after is None or retry_after > MAX_RETRY_AFTER_SECONDS:
            doubling = FIRST_PAUSE_SECONDS * 2.0 ** (self.overloads_in_a_row - 1)
            return min(doubling * (1 + self.jitter() / 4), MAX_PAUSE_SECONDS)
        if self.overloads_in_a_row <= MAX_WISHES_IN_A_ROW:
            return retry_after
        doubling = max(retry_after, 1.0) * 2.0 ** (self.overloads_in_a_row - MAX_WISHES_IN_A_ROW)
        return max(retry_after, min(doubling, MAX_PAUSE_SECONDS))

    def _earn(self, now: float) -> None:
        self.dead_in_a_row = 0
        if now >= self.pause_until:
            self.overloads_in_a_row = 0
        self.allowed = min(float(self.concurrency), self.allowed + 1.0 / self.allowed)
        self.limit.note_answer(now, resumed_at=self.pause_until)


def agreed_delay(crawl_delay: float | None, *, default: float) -> float:
    """Return the gap that robots.txt asks for, capped; the default where it asks for none."""
    return default if crawl_delay is None else min(crawl_delay, MAX_CRAWL_DELAY_SECONDS)
