"""The machine's clock keeps the promises of the port."""

import asyncio
from datetime import UTC, datetime, timedelta

from arborist_pipeline.adapters.clock import SystemClock


def test_now_is_aware_and_in_utc():
    now = SystemClock().now()
    assert now.utcoffset() == timedelta(0)
    assert abs(now - datetime.now(UTC)) < timedelta(minutes=1)


def test_monotonic_never_runs_backwards():
    clock = SystemClock()
    moments = [clock.monotonic() for _ in range(1_000)]
    assert moments == sorted(moments)


def test_a_sleep_lets_others_go_on():
    order = []

    async def sleeper():
        await SystemClock().sleep(0.01)
        order.append("sleeper")

    async def other():
        order.append("other")

    async def both():
        await asyncio.gather(sleeper(), other())

    asyncio.run(both())
    assert order == ["other", "sleeper"]
