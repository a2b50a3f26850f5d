"""The books of a crawl: what is counted, and what a batch takes."""

import asyncio
import threading
from dataclasses import replace

import pytest

from arborist_pipeline.core.crawl.admission import build_admission
from arborist_pipeline.core.crawl.frontier import Frontier
from arborist_pipeline.core.crawl.lessons import Completion
from arborist_pipeline.core.crawl.memory_rows import MemoryRows
from arborist_pipeline.core.crawl.policy import CrawlPolicy
from arborist_pipeline.core.crawl.reading import read_exchange
from arborist_pipeline.core.crawl.records import CrawlRequest, Priority, StoppedBy, Tier
from arborist_pipeline.core.web.page import PageKind
from arborist_pipeline.core.web.url import canonicalize
from arborist_pipeline.workflows.crawl_books import BATCH_PAGES, BATCH_SECONDS, Books, Tally
from arborist_pipeline_tests.support.builders import NOON, SHOP_URL, make_result

DONE = Completion(NOON, 1, None)

SEED = canonicalize(SHOP_URL)


def frontier():
    admission = build_admission(SEED, include=(), exclude=(), robots={})
    made = Frontier(CrawlPolicy(), admission, SEED, rows=MemoryRows(), began_at=NOON)
    made.start()
    return made


def read(desk, result, order=1):
    request = CrawlRequest(url=SEED, depth=0, parent=None, anchor="", priority=Priority(Tier.SEED, 1.0, "the seed"))
    return read_exchange(request, result, order=order, site=desk.site, policy=CrawlPolicy(ingest=True))


def test_the_first_product_is_the_one_with_the_least_order_whichever_is_done_first(desk):
    tally = Tally()
    page = read(desk, make_result("<p>x")).page
    for order in (7, 3, 5):
        tally.count(replace(page, order=order, kind=PageKind.PRODUCT))
    assert (tally.pages, tally.products, tally.first_product_at, tally.documents) == (3, 3, 3, 3)


def test_a_page_taken_back_is_counted_as_what_it_is(desk):
    tally = Tally()
    page = replace(read(desk, make_result("<p>x")).page, kind=PageKind.PRODUCT)
    tally.count(page)
    tally.take_back(page)
    summary = tally.summary(1, frontier(), StoppedBy.EXHAUSTED, "", llm_call=None)
    assert (summary.pages, summary.products, summary.documents) == (1, 0, 0)
    assert summary.by_outcome == {"soft_404": 1}


class Recorder:
    """A store that keeps the batches it is given."""

    def __init__(self):
        self.crawls, self.batches = self, []

    def record(self, _start, batch, _lease):
        self.batches.append(batch)


def books(clock, *, at_once=False):
    store = Recorder()
    return Books(None, None, frontier(), store=store, clock=clock, at_once=at_once), store.batches


def enter(made, desk, times=1):
    async def run():
        for _ in range(times):
            made.enter(read(desk, make_result("<p>x")), DONE)
            await made.flush_if_due()

    asyncio.run(run())


def test_a_batch_is_written_when_it_is_full_or_old_and_at_once_where_one_works_alone(desk, clock):
    made, batches = books(clock)
    enter(made, desk, BATCH_PAGES - 1)
    assert batches == []
    enter(made, desk)
    assert [len(batch.readings) for batch in batches] == [BATCH_PAGES]
    clock.advance(BATCH_SECONDS)
    enter(made, desk)
    assert [len(batch.readings) for batch in batches] == [BATCH_PAGES, 1]
    alone, singles = books(clock, at_once=True)
    enter(alone, desk, 3)
    assert [len(batch.readings) for batch in singles] == [1, 1, 1]


@pytest.mark.parametrize("at_once", [True, False])
def test_addresses_that_robots_forbids_make_full_batches_of_their_own(desk, clock, at_once):
    made, batches = books(clock, at_once=at_once)
    page = read(desk, make_result("<p>x")).page

    async def run():
        for _ in range(BATCH_PAGES * 2 + 1):
            made.enter_forbidden(page)
            await made.flush_if_due()

    asyncio.run(run())
    assert [len(batch.forbidden) for batch in batches] == [BATCH_PAGES, BATCH_PAGES]


def test_the_rest_takes_all_that_was_entered_and_nothing_is_written_twice(desk, clock):
    made, batches = books(clock)
    enter(made, desk)
    made.enter_soft_error(SEED)
    asyncio.run(made.flush_rest())
    asyncio.run(made.flush_rest())
    (batch,) = batches
    assert (len(batch.readings), batch.soft_errors, batch.completions) == (1, (SEED,), {SEED: DONE})
    assert [row.url for row in batch.changes] == [SEED]


def test_while_a_batch_is_written_no_more_than_another_one_piles_up(desk, clock):
    made, batches = books(clock)
    going, may_end = threading.Event(), threading.Event()
    record = made._store.record

    def slow_record(*given):
        going.set()
        may_end.wait()
        record(*given)

    made._store.record = slow_record
    page = read(desk, make_result("<p>x"))
    entered = 0

    async def work():
        nonlocal entered
        while entered < 5 * BATCH_PAGES:
            entered += 1
            made.enter(page, DONE)
            await made.flush_if_due()
            await asyncio.sleep(0)

    async def run():
        workers = [asyncio.ensure_future(work()) for _ in range(4)]
        while not going.is_set() or entered < 2 * BATCH_PAGES:  # noqa: ASYNC110  # until all but one wait
            await asyncio.sleep(0)
        for _ in range(1_000):
            await asyncio.sleep(0)
        assert entered <= 2 * BATCH_PAGES + 4
        may_end.set()
        await asyncio.gather(*workers)
        await made.flush_rest()

    asyncio.run(run())
    sizes = [len(batch.readings) for batch in batches]
    assert sum(sizes) == entered
    assert max(sizes) <= BATCH_PAGES + 4
