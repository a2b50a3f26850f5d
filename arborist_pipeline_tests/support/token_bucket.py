"""A limit as servers keep it, hidden until it is met: tokens that refill with time, one for each answer."""

import time
from dataclasses import dataclass, field
from itertools import pairwise
from threading import Lock


@dataclass(slots=True)
class TokenBucket:
    """At most `rate` answers a second on the long run, `burst` at once; `verdicts` has (moment, whether it was given).

    A request that finds no token is refused and costs none.
    """

    rate: float
    burst: float
    verdicts: list[tuple[float, bool]] = field(default_factory=list)
    _tokens: float = 0.0
    _at: float | None = None
    _lock: Lock = field(default_factory=Lock)

    def take(self) -> bool:
        """Ask for a token now."""
        with self._lock:
            now = time.monotonic()
            if self._at is None:
                self._tokens = self.burst
            else:
                self._tokens = min(self.burst, self._tokens + (now - self._at) * self.rate)
            self._at = now
            given = self._tokens >= 1.0
            self._tokens -= given
            self.verdicts.append((now, given))
        return given

    def since(self, share: float) -> tuple[float, float]:
        """Return, of the requests after this share of them: the share refused, and the answers given a second."""
        settled = self.verdicts[int(len(self.verdicts) * share) :]
        seconds = settled[-1][0] - settled[0][0]
        given = sum(each[1] for each in settled)
        return 1 - given / len(settled), (given - 1) / seconds

    @property
    def longest_gap_seconds(self) -> float:
        """The longest time without any request."""
        return max(later[0] - earlier[0] for earlier, later in pairwise(self.verdicts))
