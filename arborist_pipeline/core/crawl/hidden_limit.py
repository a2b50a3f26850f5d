"""The pace that a host bears, found from when it answers and when it refuses, for limits that nobody announces.

The picture is a bucket: `burst` answers at once, and what refills it a second. Its level is known at one moment, that
of a refusal: it is empty. So what was granted between two refusals, over the time between them, is borne; and so is
what was granted in any time before a refusal beyond one burst. The pace that led to the refusal was too much. Between
these two the truth lies. Counts over a window, fixed or sliding, keep the same two bounds.

After a refusal the pace goes on at what is known to be borne. Where the bounds lie close, or two complaints told the
same, it is held for long and then raised, slowly first: each attempt costs refusals and a pause, and shall cost no more
than one answer in a hundred and a tenth of the time. Else it climbs from one bound to the other. A limit that was
lowered shows at once, one that was lifted in a few minutes.
"""

import math
from collections import deque
from dataclasses import dataclass, field

_LEAST_RATE = 0.2
_FIRST_RATE = 1.0
_SEARCH_GROWTH = 1.07  # an answer, until a pace was too much
_LEAD = 2.0  # over what is really done: else a refusal would blame a pace that nobody went at
_BLAMED = 1.5  # of what was done lately
_BELOW = 0.97  # of a pace that was too much
_FEW_ANSWERS = 10  # a refusal after fewer may be an accident of the way there
_LENT = 1.6
_CLOSE = 1.3
_AGREEING = 0.05  # two complaints that tell the same within this much tell the truth
_TRIED_AGAIN = 0.25  # of the way between bounds that lie close
_HOLD_SECONDS = 45.0
_HOLD_PAUSES = 10.0
_HOLD_ANSWERS = 100  # for each refusal of the last complaint
_MAX_REFUSALS = 10
_CLIMB_SECONDS = 10.0
_CLIMB_ANSWERS = 40
_LATELY = 20  # answers
_ENOUGH_ANSWERS = 5
_REMEMBERED_ANSWERS = 2_000
_MAX_MADE_UP = 2.0  # starts


@dataclass(slots=True)
class HiddenLimit:
    """What is known of one host's limit. Mutable; moments are monotonic seconds and never fall.

    `rate` is the pace to go at, in answers a second, None while nothing was refused; `burst` the answers before the
    first refusal. `resumed_at` is when the pause after the last complaint ends or ended.
    """

    rate: float | None = None
    burst: int = 0
    _least: float = 0.0
    _most: float | None = None
    _complained_at: float = 0.0
    _refusals: int = 0
    _answers: int = 0  # since the last complaint
    _moments: deque[float] = field(default_factory=lambda: deque(maxlen=_REMEMBERED_ANSWERS))  # after its pause
    _found: float = 0.0  # what the last complaint told to be borne
    _is_close: bool = False
    _climb_seconds: float = 0.0

    def next_start(self, planned: float, now: float) -> float:
        """Return when the next request may start after one that was due at `planned` and starts `now`.

        A start that came late is made up for, as far as the bucket bears it.
        """
        if self.rate is None:
            return now
        made_up = min((self.burst - 1) / 4, _MAX_MADE_UP) if self.burst > 1 else 0.0
        return max(planned, now - made_up / self.rate) + 1.0 / self.rate

    def note_answer(self, now: float, *, resumed_at: float) -> None:
        """Take in an answer; one that comes in a pause was asked for before it."""
        self._answers += 1
        is_late = now < resumed_at
        if self.rate is None or (self._most is None and is_late):
            self.burst += 1
        if is_late:
            return
        self._moments.append(now)
        if self.rate is not None:
            self._raise(self.rate, now, resumed_at)

    def note_refusal(self) -> None:
        """Count a refusal, whether it is a complaint of its own or not."""
        self._refusals += 1

    def note_complaint(self, now: float, *, resumed_at: float) -> None:
        """Lower the pace: the first refusal after an answer, apart from those that were under way at the last one."""
        if self.rate is None:
            seconds = now - self._moments[0] if self._moments else 0.0
            self.rate = max(self._answers / max(1.0, seconds), _FIRST_RATE)
        else:
            self._set_bounds(self.rate, now, resumed_at)
        self._complained_at = now
        self._refusals = 1
        self._answers = 0
        self._moments.clear()

    def _set_bounds(self, rate: float, now: float, resumed_at: float) -> None:
        seconds = max(now - self._complained_at, 1e-3)
        granted = self._answers / seconds
        most = min(rate, _BLAMED * self._done(now))
        least = min(max(granted, self._granted_beyond_burst(now)), _BELOW * most)
        if self._most is not None and self._answers < _FEW_ANSWERS:
            least = max(least, most / 2)
        least = max(least, _LEAST_RATE)
        # Less than a burst was granted, and less than one refilled in the pause: a bucket lost nothing, so that this is
        # its rate; but a window may have been free again long before we came back.
        if self._answers <= 1.1 * self.burst and granted * (resumed_at - self._complained_at) <= self.burst:
            most = min(most, _LENT * least)
        agrees = abs(least - self._found) <= _AGREEING * least and most <= _LENT * least
        self._found = least if self._answers >= _FEW_ANSWERS else 0.0
        self._is_close = agrees or most <= _CLOSE * least
        if self._is_close and not agrees:
            least += max(0.0, most - least) * _TRIED_AGAIN
        self.rate, self._least, self._most = least, least, most
        self._climb_seconds = min(max(seconds, _CLIMB_SECONDS), _HOLD_SECONDS)

    def _granted_beyond_burst(self, now: float) -> float:
        """Return the most that was granted a second in any time up to now, less a full bucket (half an answer more)."""
        spare = 0.5 - max(1, self.burst)
        count = len(self._moments)
        rates = ((count - n + spare) / (now - at) for n, at in enumerate(self._moments) if at < now)
        return max(rates, default=0.0)

    def _done(self, now: float) -> float:
        """Return the answers a second of late, infinite while there are too few to tell."""
        count = min(len(self._moments), _LATELY)
        if count < _ENOUGH_ANSWERS or self._moments[-count] >= now:
            return math.inf
        return count / (now - self._moments[-count])

    def _raise(self, rate: float, now: float, resumed_at: float) -> None:
        done = self._done(now)
        if rate > _LEAD * done:
            return
        if self._most is None:
            self.rate = min(rate * _SEARCH_GROWTH, _LEAD * done)
            return
        seconds, answers = self._climb_seconds, _CLIMB_ANSWERS
        if self._is_close:
            seconds = max(_HOLD_SECONDS, _HOLD_PAUSES * (resumed_at - self._complained_at))
            answers = _HOLD_ANSWERS * min(self._refusals, _MAX_REFUSALS)
        way = min((now - resumed_at) / seconds, self._answers / answers)
        climbed = 1.0 if self._is_close else max(1.0, self._most / self._least) ** min(way, 1.0)
        beyond = min(max(way - 1.0, 0.0), 5.0)
        self.rate = max(rate, self._least * climbed * math.exp(beyond**2 / 2))
