"""How fast a crawl goes, whose host it is, and what is left when something ends it."""

import asyncio
import threading
from datetime import timedelta
from itertools import pairwise

import pytest

from arborist_pipeline.core.crawl.policy import Walk
from arborist_pipeline.core.crawl.politeness import MAX_DEAD_IN_A_ROW, MAX_RETRIES
from arborist_pipeline.core.crawl.records import Mode, StoppedBy
from arborist_pipeline.core.errors import LeaseHeld, StoreError
from arborist_pipeline.core.web.fetch import FailureKind
from arborist_pipeline.workflows.host_leases import LEASE_SECONDS
from arborist_pipeline_tests.support.builders import make_result
from arborist_pipeline_tests.support.paged_site import SITE, failing, page, robots, run
from arborist_pipeline_tests.workflows.conftest import Desk


class TestPace:
    def test_polite_is_one_at_a_time_two_seconds_apart(self, desk, table):
        fetcher = table(SITE)
        run(desk.crawl(fetcher, mode=Mode.POLITE, delay_seconds=2.0, honours_crawl_delay=True))
        starts = fetcher.starts[1:]
        assert fetcher.most_at_once == 1
        assert [round(later - earlier, 6) for earlier, later in pairwise(starts)] == [2.0] * 4

    def test_crawl_delay_is_honoured_in_polite_mode_alone(self, desk, table):
        answers = SITE | {"/robots.txt": robots("User-agent: *\nCrawl-delay: 7")}
        polite = table(answers)
        run(desk.crawl(polite, mode=Mode.POLITE, delay_seconds=2.0, honours_crawl_delay=True, walk=Walk.FRESH))
        assert polite.starts[2] - polite.starts[1] == 7.0
        fast = table(answers)
        run(desk.crawl(fast, walk=Walk.FRESH))
        assert fast.starts[2] == fast.starts[1]

    def test_retry_after_is_waited_for(self, desk, table):
        attempts = iter([make_result(status=429, headers={"retry-after": "11"}), page()])
        fetcher = table({"/": lambda _: next(attempts)})
        run(desk.crawl(fetcher))
        assert fetcher.starts[2] - fetcher.starts[1] == 11.0

    def test_an_overloaded_host_is_asked_by_fewer_and_still_gets_done(self, desk, table):
        seen = set()

        def overloaded_once(request):
            if request.url in seen:
                return page()
            seen.add(request.url)
            return make_result(status=503, headers={"retry-after": "1"})

        paths = [f"/{n}" for n in range(24)]
        fetcher = table({"/": page(*paths)} | dict.fromkeys(paths, overloaded_once))
        summary = run(desk.crawl(fetcher, concurrency=6))
        assert summary.by_outcome == {"ok": 25}
        assert summary.stopped_by is StoppedBy.EXHAUSTED

    def test_a_dead_host_is_left_alone_after_a_dozen_failures(self, desk, table):
        paths = [f"/{n}" for n in range(50)]
        fetcher = table({"/": page(*paths)} | dict.fromkeys(paths, failing()))
        summary = run(desk.crawl(fetcher))
        assert summary.stopped_by is StoppedBy.ERRORS
        assert len(fetcher.paths) == 1 + MAX_DEAD_IN_A_ROW
        assert "12 failures in a row" in summary.reason
        assert summary.requests["page"] == 1 + MAX_DEAD_IN_A_ROW // (1 + MAX_RETRIES)

    def test_a_host_whose_name_went_is_left_alone_too(self, desk, table):
        paths = [f"/{n}" for n in range(50)]
        fetcher = table({"/": page(*paths)} | dict.fromkeys(paths, failing(FailureKind.DNS)))
        assert run(desk.crawl(fetcher)).stopped_by is StoppedBy.ERRORS
        assert len(fetcher.paths) == 1 + MAX_DEAD_IN_A_ROW


class TestLeases:
    def test_a_second_crawl_of_the_host_is_refused_and_asks_for_nothing(self, desk, table):
        async def both():
            second = table(SITE)
            desk_two = Desk(desk.store, desk.clock)

            async def meddle(request):
                with pytest.raises(LeaseHeld, match="the first one"):
                    await desk_two.crawl(second, holder="the second one")
                return request

            class Meddler:
                async def fetch(self, request):
                    await meddle(request)
                    return await first.fetch(request)

            first = table({"/": page()})
            summary = await desk.crawl(Meddler(), holder="the first one")
            assert second.requests == []
            return summary

        assert run(both()).stopped_by is StoppedBy.EXHAUSTED

    def test_the_host_is_free_again_however_a_crawl_ends(self, desk, table):
        class Broken:
            async def fetch(self, _):
                raise RuntimeError("a bug of ours")

        with pytest.raises(RuntimeError, match="a bug of ours"):
            run(desk.crawl(Broken()))
        assert run(desk.crawl(table(SITE))).pages == 5

    def test_a_bug_in_a_worker_comes_out_as_it_is_and_what_was_fetched_is_kept(self, desk, table):
        def broken(_):
            raise RuntimeError("a bug of ours")

        with pytest.raises(RuntimeError, match="a bug of ours"):
            run(desk.crawl(table({"/": page("/a"), "/a": broken}), concurrency=3))
        assert desk.rows("SELECT outcome FROM pages") == [("ok",)]

    def test_a_bug_is_not_hidden_by_a_lease_that_went_meanwhile(self, desk, table, clock):
        def broken(_):
            clock.advance(LEASE_SECONDS + 1)
            desk.store.leases.acquire("shop.example", holder="another", seconds=90, now=clock.now())
            raise RuntimeError("a bug of ours")

        with pytest.raises(RuntimeError, match="a bug of ours"):
            run(desk.crawl(table({"/": page("/a", "/b"), "/a": broken})))

    def test_a_store_that_fails_comes_out_as_its_own_error(self, desk, table):
        def drop(_):
            with desk.store.engine.begin() as connection:
                connection.exec_driver_sql("ALTER TABLE links RENAME TO links_gone")
            return page("/b")

        with pytest.raises(StoreError, match="links"):
            run(desk.crawl(table({"/": page("/a"), "/a": drop})))

    def test_a_crawl_that_was_overtaken_stops_and_writes_no_more(self, desk, table, clock):
        def overtaken(_):
            clock.advance(LEASE_SECONDS + 1)
            desk.store.leases.acquire("shop.example", holder="another", seconds=90, now=clock.now())
            return page("/late")

        fetcher = table({"/": page("/a"), "/a": overtaken, "/late": page()})
        summary = run(desk.crawl(fetcher))
        assert summary.stopped_by is StoppedBy.LEASE_LOST
        assert desk.rows("SELECT count(*) FROM pages") == [(1,)]
        assert desk.rows("SELECT stopped_by FROM crawls") == [("lease_lost",)]
        with pytest.raises(LeaseHeld, match="another"):
            run(desk.crawl(table(SITE)))

    @pytest.mark.usefixtures("quick_heart")
    def test_a_lease_that_went_is_noticed_in_the_longest_pause_and_nothing_more_is_asked(self, desk, table, clock):
        async def crawl():
            overtaken = asyncio.Event()

            class Patient(type(clock)):
                async def sleep(self, _):  # as long as it takes until the lease has gone
                    overtaken.set()
                    await asyncio.sleep(3600)

            desk.clock = Patient()
            busy = make_result(status=503, headers={"retry-after": "600"})
            fetcher = table({"/": page("/a", "/b", "/c"), "/a": busy, "/b": busy, "/c": busy})
            task = asyncio.ensure_future(desk.crawl(fetcher, concurrency=2))
            await overtaken.wait()
            lease = desk.store.leases.acquire("shop.example", holder="x", seconds=90,
                                              now=desk.clock.now() + timedelta(seconds=LEASE_SECONDS))  # fmt: skip
            assert lease.token > 1
            return await task, fetcher

        summary, fetcher = run(crawl())
        assert (summary.stopped_by, summary.reason) == (
            StoppedBy.LEASE_LOST, "another crawl took shop.example over; nothing more is written",
        )  # fmt: skip
        assert len(fetcher.paths) <= 3
        assert desk.rows("SELECT stopped_by FROM crawls") == [("lease_lost",)]


@pytest.fixture
def quick_heart(monkeypatch):
    """Leases are renewed without end."""
    monkeypatch.setattr("arborist_pipeline.workflows.host_leases.HEARTBEAT_SECONDS", 0.001)


class TestInterruption:
    SITE = {f"/{n}": page(*(f"/{m}" for m in (2 * n + 1, 2 * n + 2) if m < 40)) for n in range(40)} | {
        "/": page("/0"),
    }

    def _interrupt_after(self, desk, fetcher, pages, **policy):
        async def crawl():
            count = 0

            def watch(_):
                nonlocal count
                count += 1
                if count == pages:
                    task.cancel()

            task = asyncio.ensure_future(desk.crawl(fetcher, watch=watch, **policy))
            return await task

        return run(crawl())

    @pytest.mark.parametrize("concurrency", [1, 5])
    @pytest.mark.parametrize("pages", [1, 7, 25])
    def test_a_resumed_crawl_asks_for_the_rest_and_together_they_are_one(self, desk, table, pages, concurrency):
        first = table(self.SITE)
        summary = self._interrupt_after(desk, first, pages, concurrency=concurrency)
        assert summary.stopped_by is StoppedBy.INTERRUPTED
        assert summary.pages >= pages
        second = table(self.SITE)
        rest = run(desk.crawl(second, walk=Walk.RESUME, concurrency=concurrency))
        assert rest.crawl_id == summary.crawl_id
        assert rest.stopped_by is StoppedBy.EXHAUSTED
        assert desk.rows('SELECT count(*), count(DISTINCT "order"), max("order") FROM pages') == [(41, 41, 41)]
        assert desk.rows("SELECT count(DISTINCT frontier_id) FROM pages") == [(41,)]
        asked_twice = len(first.paths) + len(second.paths) - 41
        assert asked_twice <= concurrency  # those under way when it was cut
        assert desk.rows("SELECT pages, stopped_by FROM crawls") == [(41, "exhausted")]

    def test_a_cancel_before_any_page_came_keeps_the_seed_for_the_next_run(self, desk, table):
        async def crawl():
            class Hanging:
                async def fetch(self, request):
                    if request.url.endswith("robots.txt"):
                        return await fetcher.fetch(request)
                    task.cancel()
                    return await asyncio.sleep(0)

            fetcher = table(SITE)
            task = asyncio.ensure_future(desk.crawl(Hanging()))
            return await task

        summary = run(crawl())
        assert (summary.stopped_by, summary.pages, summary.unfetched) == (StoppedBy.INTERRUPTED, 0, 1)
        assert desk.rows("SELECT url, state FROM frontier") == [("https://shop.example/", "queued")]
        assert run(desk.crawl(table(SITE), walk=Walk.RESUME)).pages == 5

    def test_a_cancel_while_a_batch_is_written_keeps_the_order_of_batches(self, desk, table, monkeypatch):
        record, calls = desk.store.crawls.record, []

        def slow_record(start, batch, lease):
            calls.append(len(batch.readings))
            if len(calls) == 1:
                loop.call_soon_threadsafe(task.cancel)
                pause.wait(5)
            record(start, batch, lease)

        async def crawl():
            nonlocal loop, task
            loop = asyncio.get_running_loop()
            task = asyncio.ensure_future(desk.crawl(table(self.SITE), concurrency=2, max_pages=30))
            loop.call_later(0.2, pause.set)
            return await task

        loop = task = None
        pause = threading.Event()
        monkeypatch.setattr(type(desk.store.crawls), "record", lambda _, *args: slow_record(*args))
        monkeypatch.setattr("arborist_pipeline.workflows.crawl_books.BATCH_SECONDS", 0.0)
        summary = run(crawl())
        assert summary.stopped_by is StoppedBy.INTERRUPTED
        assert desk.rows("SELECT count(*) FROM pages") == [(summary.pages,)]


def test_a_crawl_that_is_told_to_stops_where_new_products_have_become_rare(desk, table):
    posts = [f"/diary/old-tale-{number}" for number in range(120)]
    site = {"/": page(*posts)} | {path: page() for path in posts}
    summary = run(desk.crawl(table(site), stop_below=0.1))
    earlier = desk.pages
    assert (summary.stopped_by, 50 <= summary.pages < 60) == (StoppedBy.DIMINISHING, True)
    assert "0 were new products" in summary.reason
    desk.clock.advance(86_400)
    again = run(desk.crawl(table(site), stop_below=0.1))  # known pages are asked all the same, and as many new ones
    assert (again.stopped_by, again.pages >= 100) == (StoppedBy.DIMINISHING, True)
    assert [page.url for page in desk.pages[:5]] == [page.url for page in earlier[:5]]
    assert run(desk.crawl(table(site))).stopped_by is StoppedBy.EXHAUSTED
