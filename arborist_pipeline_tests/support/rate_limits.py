"""Limits as servers keep them, hidden until they are met. Moments are seconds and never fall; a refusal costs nothing.

Each has `rate`, the answers a second that it lets through on the long run, `take(now)`: whether one may be given, and
`free_in(now)`: after how many seconds the next may.
"""

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from threading import Lock


@dataclass(slots=True)
class TokenBucket:
    """Tokens that refill with time, one for each answer: at most `burst` at once."""

    rate: float
    burst: float
    _tokens: float = 0.0
    _at: float | None = None

    def take(self, now: float) -> bool:
        refilled = self.burst if self._at is None else self._tokens + (now - self._at) * self.rate
        self._at, self._tokens = now, min(self.burst, refilled)
        given = self._tokens >= 1.0
        self._tokens -= given
        return given

    def free_in(self, now: float) -> float:
        return max(0.0, (1.0 - self._tokens) / self.rate - (now - (self._at or now)))


@dataclass(slots=True)
class FixedWindow:
    """At most `count` answers in each stretch of `seconds`."""

    count: int
    seconds: float
    _window: float = -1.0
    _given: int = 0

    def take(self, now: float) -> bool:
        window = (now + self.seconds / 3) // self.seconds
        if window != self._window:
            self._window, self._given = window, 0
        given = self._given < self.count
        self._given += given
        return given

    def free_in(self, now: float) -> float:
        return self.seconds - (now + self.seconds / 3) % self.seconds

    @property
    def rate(self) -> float:
        return self.count / self.seconds


@dataclass(slots=True)
class SlidingWindow:
    """At most `count` answers in any stretch of `seconds`."""

    count: int
    seconds: float
    _given: deque[float] = field(default_factory=deque)

    def take(self, now: float) -> bool:
        while self._given and self._given[0] <= now - self.seconds:
            self._given.popleft()
        given = len(self._given) < self.count
        if given:
            self._given.append(now)
        return given

    def free_in(self, now: float) -> float:
        return max(0.0, self._given[0] + self.seconds - now)

    @property
    def rate(self) -> float:
        return self.count / self.seconds


@dataclass(slots=True)
class Gate:
    """A limit before a server with many threads; `verdicts` has (monotonic moment, whether an answer was given)."""

    limit: TokenBucket
    clock: Callable[[], float] = time.monotonic
    verdicts: list[tuple[float, bool]] = field(default_factory=list)
    _lock: Lock = field(default_factory=Lock)

    def passes(self) -> bool:
        with self._lock:
            now = self.clock()
            self.verdicts.append((now, self.limit.take(now)))
            return self.verdicts[-1][1]

    def since(self, share: float) -> list[tuple[float, bool]]:
        """Return the verdicts on the requests after this share of them."""
        return self.verdicts[int(len(self.verdicts) * share) :]

    @property
    def longest_gap_seconds(self) -> float:
        """The longest time without any request."""
        return max(later[0] - earlier[0] for earlier, later in pairwise(self.verdicts))
