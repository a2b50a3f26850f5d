"""A clock that a test moves."""

import asyncio
from collections.abc import Collection
from datetime import datetime, timedelta

from arborist_pipeline_tests.support.builders import NOON


class ManualClock:
    """Time that stands still between steps.

    A sleep moves the clock at once and returns, so pauses cost no real time. Sleeps of a length in `held`
    wait instead until the clock has come so far by the sleeps of others or by `advance`. `slept` has every sleep that
    was asked for, in order; `waiting` says how many wait.
    """

    def __init__(self, start: datetime = NOON, *, held: Collection[float] = ()) -> None:
        self.start = start
        self.held = held
        self.slept: list[float] = []
        self._elapsed = 0.0
        self._waiting: list[tuple[float, asyncio.Event]] = []

    def now(self) -> datetime:
        return self.start + timedelta(seconds=self._elapsed)

    def monotonic(self) -> float:
        return self._elapsed

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    def advance(self, seconds: float) -> None:
        """Move the clock and wake who waited for that."""
        self._elapsed += seconds
        for due, event in self._waiting:
            if due <= self._elapsed:
                event.set()
        self._waiting = [(due, event) for due, event in self._waiting if not event.is_set()]

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        if seconds not in self.held:
            self.advance(seconds)
            await asyncio.sleep(0)
            return
        event = asyncio.Event()
        self._waiting.append((self._elapsed + seconds, event))
        await event.wait()
