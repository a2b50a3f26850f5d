"""A clock that a test moves."""

import asyncio
from datetime import datetime, timedelta

from arborist_pipeline_tests.support.builders import NOON


class ManualClock:
    """Time that stands still between steps.

    A sleep of at most `stride` seconds moves the clock at once and returns, so pauses cost no real time. A longer one
    (a heartbeat) waits until the clock has come so far by the steps of others or by `advance`. `slept` has every sleep
    that was asked for, in order.
    """

    def __init__(self, start: datetime = NOON, *, stride: float = 15.0) -> None:
        self.start = start
        self.stride = stride
        self.slept: list[float] = []
        self._elapsed = 0.0
        self._waiting: list[tuple[float, asyncio.Event]] = []

    def now(self) -> datetime:
        return self.start + timedelta(seconds=self._elapsed)

    def monotonic(self) -> float:
        return self._elapsed

    def advance(self, seconds: float) -> None:
        """Move the clock and wake who waited for that."""
        self._elapsed += seconds
        for due, event in self._waiting:
            if due <= self._elapsed:
                event.set()
        self._waiting = [(due, event) for due, event in self._waiting if not event.is_set()]

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        if seconds <= self.stride:
            self.advance(seconds)
            await asyncio.sleep(0)
            return
        event = asyncio.Event()
        self._waiting.append((self._elapsed + seconds, event))
        await event.wait()
