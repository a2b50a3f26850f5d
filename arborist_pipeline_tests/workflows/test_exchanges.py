"""Requests of one host in turn, asked again where the trouble may pass."""

import asyncio
from collections import Counter

import pytest

from arborist_pipeline.core.crawl.politeness import MAX_RETRIES, HostPace
from arborist_pipeline.core.web.fetch import FetchRequest
from arborist_pipeline.core.web.url import canonicalize
from arborist_pipeline.workflows.exchanges import Exchanges
from arborist_pipeline_tests.support.builders import make_result

REQUEST = FetchRequest(url=canonicalize("https://shop.example/a"))


def exchanges(fetcher, *, delay=0.0, concurrency=4, time_left=lambda: 900.0):
    counts = Counter()
    pace = HostPace(delay, concurrency, lambda: 0.5)
    return Exchanges(fetcher, fetcher.clock, pace, counts, time_left), counts


def ask(made, times=1, counted_as="page"):
    async def run():
        return await asyncio.gather(*(made.ask(REQUEST, counted_as=counted_as) for _ in range(times)))

    return asyncio.run(run())


def test_callers_share_one_pace(table):
    fetcher = table({"/a": "x"})
    made, counts = exchanges(fetcher, delay=2.0, concurrency=1)
    ask(made, times=5)
    assert fetcher.starts == [0.0, 2.0, 4.0, 6.0, 8.0]
    assert (fetcher.most_at_once, counts) == (1, {"page": 5})


def test_retries_are_counted_apart_from_what_is_asked_for(table):
    made, counts = exchanges(table({"/a": make_result(status=502)}))
    (result,) = ask(made, counted_as="probe")
    assert result.status == 502
    assert counts == {"probe": 1, "retry": MAX_RETRIES}


def test_nothing_is_asked_once_time_is_over(table):
    fetcher = table({"/a": "x"})
    made, counts = exchanges(fetcher, time_left=lambda: 0.0)
    assert ask(made, times=3) == [None] * 3
    assert (fetcher.requests, counts) == ([], {})


def test_nothing_is_asked_again_where_time_ends_first_and_no_pause_is_longer(table):
    fetcher = table({"/a": make_result(status=429, headers={"retry-after": "300"})})
    made, counts = exchanges(fetcher, time_left=lambda: 20.0 - fetcher.clock.monotonic())
    assert ask(made, times=4) == [None] * 4
    assert counts == {"page": 4}
    assert fetcher.clock.monotonic() == 20.0


@pytest.mark.parametrize("times", [1, 9])  # every worker that is told of the end tells the others
def test_pauses_end_when_time_turns_out_to_be_over_however_often_that_is_said(table, times):
    async def run():
        left, pauses = [900.0], []
        fetcher = table({"/a": make_result(status=503, headers={"retry-after": "300"})})

        async def sleep(seconds):
            pauses.extend([seconds] if seconds else ())
            await asyncio.sleep(3600 if seconds else 0)

        fetcher.clock.sleep = sleep
        made, counts = exchanges(fetcher, time_left=lambda: left[0])
        asking = [asyncio.ensure_future(made.ask(REQUEST, counted_as="page")) for _ in range(3)]
        while len(pauses) < len(asking):  # noqa: ASYNC110  # until the host has asked all for it
            await asyncio.sleep(0)
        left[0] = 0.0
        for _ in range(times):
            made.hurry()
            await asyncio.sleep(0)
        return await asyncio.gather(*asking), counts

    assert asyncio.run(run()) == ([None] * 3, {"page": 3})


def test_a_fetcher_that_breaks_leaves_the_turn_free(table):
    fetcher = table({"/a": lambda _: 1 / 0})
    made, _ = exchanges(fetcher, concurrency=1)
    for _ in range(3):
        try:
            ask(made)
        except ZeroDivisionError:
            continue
    assert len(fetcher.requests) == 3
