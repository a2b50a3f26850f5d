"""One site walked: robots, budget, politeness, leases, and what is left when something ends it."""

import asyncio
import threading
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from itertools import count, pairwise

import pytest

from arborist_pipeline.core.crawl.frontier import SIFTED_AT_ONCE
from arborist_pipeline.core.crawl.policy import Walk
from arborist_pipeline.core.crawl.politeness import MAX_DEAD_IN_A_ROW, MAX_RETRIES
from arborist_pipeline.core.crawl.records import Discovery, Mode, StoppedBy
from arborist_pipeline.core.errors import LeaseHeld, StoreError
from arborist_pipeline.core.web.fetch import FailureKind, FetchFailure
from arborist_pipeline.workflows.crawl import LARGE_BODY_BYTES
from arborist_pipeline.workflows.host_leases import LEASE_SECONDS
from arborist_pipeline_tests.support.builders import make_result
from arborist_pipeline_tests.support.site_server import LocalSite, Reply, html, in_turn, redirect
from arborist_pipeline_tests.workflows.conftest import Desk


def run(coroutine):
    return asyncio.run(coroutine)


_numbers = count(1)


def page(*links, title=None, etag=None):
    """A page with a text of its own, unless two are given one title."""
    title = title or f"Page {next(_numbers)}"
    body = f"<title>{title}</title><p>Words of {title}.</p>" + "".join(f'<a href="{link}">{link}</a>' for link in links)
    return make_result(body, headers={"etag": etag} if etag else None)


def robots(text):
    return make_result(text, headers={"content-type": "text/plain"})


def failing(kind=FailureKind.CONNECT):
    return make_result(failure=FetchFailure(kind=kind, message="refused"))


SITE = {"/": page("/a", "/b", "/products/c"), "/a": page("/d"), "/b": page("/"), "/d": page(), "/products/c": page()}


class TestWalk:
    def test_every_linked_page_is_asked_once_products_first(self, desk, table):
        fetcher = table(SITE)
        summary = run(desk.crawl(fetcher))
        assert fetcher.paths == ["/", "/products/c", "/a", "/b", "/d"]
        assert (summary.pages, summary.stopped_by, summary.unfetched) == (5, StoppedBy.EXHAUSTED, 0)
        assert summary.by_tier == {"seed": 1, "regex": 1, "order": 3}
        assert [one.order for one in desk.pages] == [1, 2, 3, 4, 5]

    def test_each_page_says_where_it_was_found(self, desk, table):
        run(desk.crawl(table(SITE)))
        found = {one.url.rpartition("/")[2]: (one.depth, one.parent, one.anchor) for one in desk.pages}
        assert found["d"] == (2, "https://shop.example/a", "/d")

    def test_robots_txt_is_asked_for_once_and_before_all_else(self, desk, table):
        fetcher = table(SITE)
        summary = run(desk.crawl(fetcher, concurrency=4))
        assert [request.url for request in fetcher.requests].index("https://shop.example/robots.txt") == 0
        assert summary.requests == {"robots": 1, "page": 5}

    def test_page_level_nofollow_is_obeyed_and_that_of_a_link_is_not(self, desk, table):
        head = '<meta name="robots" content="nofollow"><a href="/hidden">x</a>'
        fetcher = table({"/": '<a href="/a" rel="nofollow">a</a><a href="/b">b</a>', "/a": head, "/b": make_result(
            '<a href="/secret">x</a>', headers={"x-robots-tag": "nofollow"})})  # fmt: skip
        run(desk.crawl(fetcher))
        assert fetcher.paths == ["/", "/a", "/b"]

    def test_depth_limits_what_is_followed(self, desk, table):
        fetcher = table(SITE)
        run(desk.crawl(fetcher, max_depth=1))
        assert "/d" not in fetcher.paths
        assert "/a" in fetcher.paths

    def test_files_feeds_and_other_hosts_are_counted_and_never_asked(self, desk, table):
        fetcher = table({"/": page("/feed/", "/x.pdf", "https://cdn.shop.example/", "mailto:a@b.c", "/sitemap.xml")})
        summary = run(desk.crawl(fetcher))
        assert fetcher.paths == ["/"]
        assert summary.rejected == {"feed": 1, "not_a_document": 1, "other_site": 1, "sitemap": 1}

    def test_several_workers_lose_nothing_and_ask_nothing_twice(self, desk, table):
        site = {f"/{n}": page(*(f"/{m}" for m in (2 * n + 1, 2 * n + 2) if m < 200)) for n in range(200)}
        fetcher = table(site | {"/": page("/0", "/1")})
        run(desk.crawl(fetcher, concurrency=8))
        assert sorted(fetcher.paths) == sorted(["/", *site])
        assert 1 < fetcher.most_at_once <= 8


class TestRobots:
    RULES = "User-agent: *\nDisallow: /cart\nDisallow: /private/\n"

    def test_a_forbidden_page_is_named_with_its_line_and_never_requested(self, desk, table):
        fetcher = table({"/": page("/cart", "/a"), "/robots.txt": robots(self.RULES), "/a": page("/cart")})
        summary = run(desk.crawl(fetcher))
        assert fetcher.paths == ["/", "/a"]
        refused = [one for one in desk.pages if one.order is None]
        assert [(one.url, one.outcome, one.parent) for one in refused] == [
            ("https://shop.example/cart", "robots_denied", "https://shop.example/")
        ]
        assert "line 2: Disallow: /cart" in refused[0].reason
        assert summary.by_outcome["robots_denied"] == 1
        assert summary.pages == 2

    def test_a_redirect_to_a_forbidden_page_ends_there(self, desk, table):
        answers = {"/": page("/go"), "/go": make_result(status=302, location="/private/x"),
                   "/robots.txt": robots(self.RULES)}  # fmt: skip
        fetcher = table(answers)
        run(desk.crawl(fetcher))
        assert fetcher.paths == ["/", "/go"]
        assert desk.outcomes == {"/": "ok", "/go": "redirect", "/private/x": "robots_denied"}

    def test_rules_that_change_between_runs_hold_for_what_was_queued(self, desk, table):
        run(desk.crawl(table({"/": page("/private/a", "/b")}), max_pages=1))
        fetcher = table({"/": page("/private/a", "/b"), "/b": page(), "/robots.txt": robots(self.RULES)})
        run(desk.crawl(fetcher))
        assert sorted(fetcher.paths) == ["/", "/b"]
        desk.clock.advance(86_400)
        fetcher = table({"/": page("/private/a", "/b"), "/b": page(), "/private/a": page()})
        run(desk.crawl(fetcher))
        assert "/private/a" in fetcher.paths

    def test_fast_mode_obeys_it_too(self, desk, table):
        fetcher = table({"/": page("/cart"), "/robots.txt": robots(self.RULES)})
        run(desk.crawl(fetcher, mode=Mode.FAST, concurrency=12))
        assert fetcher.paths == ["/"]

    @pytest.mark.parametrize(("answer", "stopped_by", "reasons"), [
        (robots("User-agent: *\nDisallow: /"), StoppedBy.ROBOTS, ("line 2: Disallow: /", "ask the owner to allow")),
        (make_result(status=503), StoppedBy.ROBOTS, ("status 503", "try again later", "status 200")),
        (failing(), StoppedBy.ERRORS, ("refused", "the site is up")),
        (failing(FailureKind.DNS), StoppedBy.ERRORS, ("refused", "spelt right")),
    ])  # fmt: skip
    def test_a_seed_kept_out_ends_the_crawl_with_the_reason_and_a_mend(self, desk, table, answer, stopped_by, reasons):
        fetcher = table({"/": page(), "/robots.txt": answer})
        summary = run(desk.crawl(fetcher))
        assert fetcher.paths == []
        assert (summary.stopped_by, summary.pages) == (stopped_by, 0)
        assert all(reason in summary.reason for reason in reasons)
        assert ("ask the owner" in summary.reason) is (answer.status == 200)

    def test_robots_txt_is_asked_for_again_within_a_long_crawl_and_a_new_rule_holds_at_once(self, desk, table, clock):
        site = {"/": page("/a", "/private/b", "/private/c"), "/a": page(), "/private/b": page(), "/private/c": page()}
        rules = iter([robots(""), robots(self.RULES)])
        fetcher = table(site | {"/robots.txt": lambda _: next(rules)})

        def let_a_day_pass(one):
            if one.url.endswith("/a"):
                clock.advance(25 * 3_600)

        summary = run(desk.crawl(fetcher, watch=let_a_day_pass, max_minutes=9_999))
        assert fetcher.paths == ["/", "/a"]
        assert summary.requests["robots"] == 2
        assert summary.by_outcome == {"ok": 2, "robots_denied": 2}

    def test_a_rule_about_an_address_as_it_is_written_holds_for_its_canonical_form(self, desk, table):
        answers = {"/": page("/list?sort=price&color=red", "/list?color=red"), "/list?color=red": page(),
                   "/robots.txt": robots("User-agent: *\nDisallow: /*?sort=")}  # fmt: skip
        fetcher = table(answers)
        for _ in range(3):  # met in the page, known from the store, and in the links of a page that is the same
            run(desk.crawl(fetcher, full=True))
        assert set(fetcher.paths) == {"/", "/list?color=red"}
        assert desk.rows("SELECT state, written FROM frontier WHERE written IS NOT NULL") == [
            ("refused", "https://shop.example/list?sort=price&color=red")
        ]

    def test_a_redirect_to_an_address_that_is_forbidden_as_written_ends_there(self, desk, table):
        answers = {"/": page("/go"), "/go": make_result(status=302, location="/list?sort=a&color=b"),
                   "/robots.txt": robots("User-agent: *\nDisallow: /*?sort=")}  # fmt: skip
        fetcher = table(answers)
        run(desk.crawl(fetcher))
        assert fetcher.paths == ["/", "/go"]
        (refused,) = [one for one in desk.pages if one.order is None]
        assert refused.reason == "robots.txt: line 2: Disallow: /*?sort="

    @pytest.mark.parametrize("status", [404, 410, 403, 401])
    def test_no_robots_txt_allows_all(self, desk, table, status):
        fetcher = table({"/": page(), "/robots.txt": make_result(status=status)})
        assert run(desk.crawl(fetcher)).stopped_by is StoppedBy.EXHAUSTED

    def test_robots_txt_is_followed_through_redirects_and_holds_for_the_host_first_asked(self, desk, table):
        fetcher = table({"/": page("/cart"), "/robots.txt": make_result(status=301, location="/rules.txt"),
                         "/rules.txt": robots(self.RULES)})  # fmt: skip
        summary = run(desk.crawl(fetcher))
        assert "/cart" not in fetcher.paths
        assert summary.requests["robots"] == 2


class TestSeed:
    WWW = "https://www.shop.example/"

    def test_a_seed_that_answers_under_www_moves_the_site_there(self, desk, table):
        fetcher = table({
            "https://shop.example/": make_result(status=301, location=self.WWW), self.WWW: page("/a"),
            "https://www.shop.example/a": page(),
        })  # fmt: skip
        summary = run(desk.crawl(fetcher))
        asked = [request.url for request in fetcher.requests]
        assert asked == ["https://shop.example/robots.txt", "https://shop.example/", "https://www.shop.example/robots.txt",
                         self.WWW, "https://www.shop.example/a"]  # fmt: skip
        assert "www.shop.example" in summary.reason
        assert desk.store.sites.seed_of("shop") == self.WWW
        desk.clock.advance(86_400)
        fetcher = table(fetcher.answers)
        summary = run(desk.crawl(fetcher))
        assert {request.url for request in fetcher.requests} == {
            "https://www.shop.example/robots.txt", self.WWW, "https://www.shop.example/a",
        }  # fmt: skip
        assert summary.reason == "every known address was asked for"

    def test_the_other_hosts_own_crawl_delay_holds_there(self, desk, table):
        fetcher = table({
            "https://shop.example/": make_result(status=301, location=self.WWW), self.WWW: page("/a", "/b"),
            "https://www.shop.example/robots.txt": robots("User-agent: *\nCrawl-delay: 9"),
        })  # fmt: skip
        run(desk.crawl(fetcher, mode=Mode.POLITE, delay_seconds=2.0, honours_crawl_delay=True))
        starts = [at for at, one in zip(fetcher.starts, fetcher.requests, strict=True) if "robots" not in one.url]
        assert starts[-1] - starts[-2] == pytest.approx(9.0)

    def test_the_other_host_is_held_at_once_until_the_crawl_ends(self, desk, table):
        def is_held(_):
            with pytest.raises(LeaseHeld, match="the first one"):
                desk.store.leases.acquire("www.shop.example", holder="x", seconds=9, now=desk.clock.now())
            return page()

        answers = {"https://shop.example/": make_result(status=301, location=self.WWW), self.WWW: is_held}
        assert run(desk.crawl(table(answers), holder="the first one")).stopped_by is StoppedBy.EXHAUSTED
        desk.store.leases.acquire("www.shop.example", holder="x", seconds=9, now=desk.clock.now())

    def test_another_host_in_other_hands_ends_the_crawl_before_it_is_asked(self, desk, table):
        desk.store.leases.acquire("www.shop.example", holder="the other one", seconds=900, now=desk.clock.now())
        fetcher = table({"https://shop.example/": make_result(status=301, location=self.WWW)})
        summary = run(desk.crawl(fetcher))
        assert summary.stopped_by is StoppedBy.LEASE_LOST
        assert "www.shop.example is being crawled by the other one since" in summary.reason
        assert not any("www." in request.url for request in fetcher.requests)
        assert desk.store.sites.seed_of("shop") == "https://shop.example/"
        assert desk.rows("SELECT outcome FROM pages") == [("redirect",)]

    def test_a_seed_that_leads_to_another_host_is_an_error_that_names_it(self, desk, table):
        fetcher = table({"https://shop.example/": make_result(status=301, location="https://other.example/x")})
        summary = run(desk.crawl(fetcher))
        assert summary.stopped_by is StoppedBy.ERRORS
        assert "use https://other.example/x as seed_url" in summary.reason
        assert [request.url for request in fetcher.requests][1:] == ["https://shop.example/"]

    def test_a_seed_that_redirects_within_the_site_goes_on_at_depth_zero(self, desk, table):
        fetcher = table({"/": make_result(status=302, location="/en/"), "/en/": page("/en/a"), "/en/a": page()})
        summary = run(desk.crawl(fetcher, max_depth=1))
        assert fetcher.paths == ["/", "/en/", "/en/a"]
        assert summary.stopped_by is StoppedBy.EXHAUSTED

    @pytest.mark.parametrize(("answer", "said"), [
        (make_result(status=404), "http_error"), (make_result(status=403), "ask the owner to allow"),
        (failing(FailureKind.DNS), "spelt right"),
        (make_result("x", headers={"content-type": "application/pdf"}), "name a page of the site"),
        (failing(FailureKind.BLOCKED_ADDRESS), "ARBORIST_ALLOW_PRIVATE=1"),
    ])  # fmt: skip
    def test_a_seed_without_a_page_says_what_to_do(self, desk, table, answer, said):
        summary = run(desk.crawl(table({"/": answer})))
        assert summary.stopped_by is StoppedBy.ERRORS
        assert said in summary.reason


class TestBudget:
    @pytest.mark.parametrize("budget", [1, 2, 3, 5, 8, 20])
    @pytest.mark.parametrize("concurrency", [1, 4])
    def test_every_kind_of_answer_costs_one_and_the_cap_is_kept_exactly(self, desk, table, budget, concurrency):
        kinds = [make_result(status=404), make_result(status=301, location="/moved"), failing(FailureKind.DNS),
                 make_result("", headers={"content-type": "image/x"}), page()]  # fmt: skip
        answers = {f"/{n}": kinds[n % len(kinds)] for n in range(40)}
        fetcher = table({"/": page(*answers)} | answers | {"/moved": page()})
        summary = run(desk.crawl(fetcher, max_pages=budget, concurrency=concurrency))
        asked = [path for path in fetcher.paths if "no-such-page" not in path]  # what probes for soft 404s is apart
        assert len(asked) == summary.pages == summary.requests["page"] == budget
        assert summary.stopped_by is StoppedBy.BUDGET
        assert desk.rows("SELECT pages FROM crawls") == [(budget,)]

    def test_retries_are_counted_apart(self, desk, table):
        attempts = iter([make_result(status=503), make_result(status=503), page()])
        fetcher = table({"/": page("/a"), "/a": lambda _: next(attempts)})
        summary = run(desk.crawl(fetcher, max_pages=2))
        assert summary.requests == {"robots": 1, "page": 2, "retry": 2}
        assert desk.outcomes == {"/": "ok", "/a": "ok"}

    def test_304s_cost_one_each(self, desk, table):
        site = {"/": page("/a", "/b", etag='"1"'), "/a": page(etag='"2"'), "/b": page(etag='"3"')}
        run(desk.crawl(table(site)))
        desk.clock.advance(86_400)
        summary = run(desk.crawl(table(site), max_pages=2))
        assert (summary.pages, summary.by_outcome) == (2, {"not_modified": 2})

    def test_night_after_night_the_site_is_covered(self, desk, table):
        site = {f"/{n}": page(*(f"/{m}" for m in (3 * n + 1, 3 * n + 2, 3 * n + 3) if m < 60)) for n in range(60)}
        site["/"] = page("/0")
        seen = set()
        for _ in range(14):
            fetcher = table(site)
            run(desk.crawl(fetcher, max_pages=10))
            assert len(fetcher.paths) <= 10
            seen |= set(fetcher.paths)
            desk.clock.advance(86_400)
        assert seen == set(site)

    def test_time_that_is_over_stops_cleanly_and_the_next_run_goes_on(self, desk, table):
        fetcher = table(SITE)
        summary = run(desk.crawl(fetcher, mode=Mode.POLITE, delay_seconds=10.0, max_minutes=0.4))
        assert summary.stopped_by is StoppedBy.TIME
        assert 0 < summary.pages < 5
        rest = table(SITE)
        run(desk.crawl(rest))
        assert {*fetcher.paths, *rest.paths} == set(SITE)

    @pytest.mark.parametrize("trouble", [
        {"/a": make_result(status=503, headers={"retry-after": "500"})},
        {"/robots.txt": robots("User-agent: *\nCrawl-delay: 3000")},
        {"/a": failing()},
    ])  # fmt: skip
    @pytest.mark.parametrize("discovery", list(Discovery))
    def test_no_pause_is_longer_than_the_time_that_is_left(self, desk, table, trouble, discovery):
        fetcher = table(SITE | trouble)
        polite = {"mode": Mode.POLITE, "delay_seconds": 2.0, "honours_crawl_delay": True}
        summary = run(desk.crawl(fetcher, max_minutes=0.15, discovery=discovery, **polite))
        assert summary.stopped_by is StoppedBy.TIME
        assert summary.unfetched > 0
        assert desk.clock.monotonic() == pytest.approx(9.0)
        assert desk.rows("SELECT count(*) FROM pages WHERE outcome != 'ok'") == [(0,)]

    @pytest.mark.parametrize("concurrency", [2, 8])
    def test_workers_that_wait_for_their_turn_ask_for_nothing_once_the_crawl_has_stopped(
        self, desk, table, concurrency
    ):
        paths = [f"/{n}" for n in range(60)]
        fetcher = table({"/": page(*paths)} | {path: page() for path in paths})
        summary = run(desk.crawl(fetcher, concurrency=concurrency, delay_seconds=1.0, max_minutes=0.5))
        assert summary.stopped_by is StoppedBy.TIME
        assert max(fetcher.starts) < 30.0
        assert sum("no-such-page" not in path for path in fetcher.paths) == summary.pages > 1


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


class TestAgain:
    def test_a_second_full_run_asks_conditionally_and_writes_no_page_text_twice(self, desk, table):
        site = {"/": page("/a", "/b", etag='"1"'), "/a": page("/b", etag='"2"'), "/b": page(etag='"3"')}
        run(desk.crawl(table(site)))
        bodies, links = desk.rows("SELECT count(*) FROM bodies"), desk.rows("SELECT count(*) FROM links")
        desk.clock.advance(3_600)
        fetcher = table(site)
        summary = run(desk.crawl(fetcher, full=True))
        assert summary.by_outcome == {"not_modified": 3}
        assert all(request.validators for request in fetcher.requests if "robots" not in request.url)
        assert desk.rows("SELECT count(*) FROM bodies") == bodies
        assert desk.rows("SELECT count(*) FROM links") == links

    def test_links_of_an_unchanged_page_are_followed_from_the_store(self, desk, table):
        site = {"/": page("/a", etag='"1"'), "/a": page(etag='"2"')}
        run(desk.crawl(table(site), max_pages=1))
        fetcher = table(site)
        run(desk.crawl(fetcher, walk=Walk.FRESH))
        assert fetcher.paths == ["/", "/a"]

    def test_a_304_that_was_not_asked_for_is_an_error_of_the_server(self, desk, table):
        run(desk.crawl(table({"/": page("/a"), "/a": make_result(status=304)})))
        assert desk.outcomes["/a"] == "http_error"

    def test_a_walk_that_needs_bodies_asks_in_full_where_none_is_stored(self, desk, table):
        site = {"/": page(etag='"1"')}
        run(desk.crawl(table(site), keep_bodies=False))
        fetcher = table(site)
        run(desk.crawl(fetcher, walk=Walk.FRESH, keep_bodies=False))
        assert fetcher.requests[-1].validators
        fetcher = table(site)
        run(desk.crawl(fetcher, walk=Walk.FRESH, keep_bodies=True))
        assert not fetcher.requests[-1].validators
        assert desk.rows("SELECT count(*) FROM bodies") == [(1,)]

    def test_a_run_limited_to_some_pages_asks_for_these_alone(self, desk, table):
        run(desk.crawl(table(SITE)))
        fetcher = table(SITE)
        run(desk.crawl(fetcher, only=("https://shop.example/a",)))
        assert fetcher.paths == ["/a"]

    def test_a_long_queue_that_is_the_sites_no_more_does_not_keep_the_crawl(self, desk, table):
        others = [f"/old/{number}" for number in range(SIFTED_AT_ONCE + 1)]
        fetcher = table({"/": page(*others, "/z"), "/z": page()})
        run(desk.crawl(fetcher, max_pages=1))
        summary = run(desk.crawl(fetcher, include=("/z",)))
        assert (fetcher.paths, summary.stopped_by) == (["/", "/", "/z"], StoppedBy.EXHAUSTED)
        assert summary.rejected["excluded"] >= len(others)


class TestHops:
    def test_a_refresh_is_a_hop_that_keeps_the_depth(self, desk, table):
        moved = '<meta http-equiv="refresh" content="0; url=/new">Moved.'
        fetcher = table({"/": page("/old"), "/old": moved, "/new": page("/deep"), "/deep": page()})
        run(desk.crawl(fetcher, max_depth=2))
        assert fetcher.paths == ["/", "/old", "/new", "/deep"]
        assert [one.depth for one in desk.pages] == [0, 1, 1, 2]
        assert desk.rows("SELECT url, target, status FROM redirects") == [
            ("https://shop.example/old", "https://shop.example/new", 200)
        ]

    def test_refreshes_that_make_up_new_addresses_end_like_redirects_do(self, desk, table):
        def refresh(request):
            number = int(request.url.rpartition("/")[2])
            return f'<title>{number}</title><meta http-equiv="refresh" content="0; url=/step/{number + 1}">'

        fetcher = table({"/": page("/step/1"), **{f"/step/{number}": refresh for number in range(1, 90)}})
        run(desk.crawl(fetcher, max_depth=3))
        assert 10 < len(fetcher.paths) < 20

    def test_a_refresh_of_a_page_that_is_the_same_still_leads_on(self, desk, table, clock):
        moved = make_result('<meta http-equiv="refresh" content="0; url=/new">Moved.', headers={"etag": '"1"'})
        run(desk.crawl(table({"/": page("/old"), "/old": moved}), max_pages=2))
        clock.advance(86_400)
        fetcher = table({"/": page("/old"), "/old": moved, "/new": page()})
        run(desk.crawl(fetcher))
        assert desk.outcomes["/old"] == "not_modified"
        assert [one.depth for one in desk.pages if one.url.endswith("/new")] == [1]
        assert desk.rows("SELECT target FROM redirects WHERE url LIKE '%/old'") == [("https://shop.example/new",)] * 2


class TestParts:
    @pytest.mark.parametrize(
        ("cut", "outcome"), [({"truncated": True}, "truncated"), ({"too_large": True}, "too_large")]
    )
    def test_links_of_what_arrived_are_followed_and_nothing_is_made_of_it(self, desk, table, cut, outcome):
        part = replace(make_result('<title>P</title><p>Half a page <a href="/a">a</a>'), **cut)
        fetcher = table({"/": page("/part"), "/part": part, "/a": page()})
        run(desk.crawl(fetcher, ingest=True))
        assert "/a" in fetcher.paths
        assert desk.outcomes["/part"] == outcome
        assert desk.rows("SELECT count(*) FROM documents") == [(2,)]

    @pytest.mark.parametrize("concurrency", [1, 4])
    def test_large_pages_are_read_like_small_ones(self, desk, table, concurrency):
        padding = "<p>" + "long " * (LARGE_BODY_BYTES // 5) + "</p>"
        site = {f"/{n}": make_result(f'<title>{n}</title>{padding}{n}<a href="/{n + 1}">x</a>') for n in range(4)}
        fetcher = table({"/": page("/0", "/x"), "/x": page(), **site})
        run(desk.crawl(fetcher, ingest=True, concurrency=concurrency))
        assert sorted(fetcher.paths) == ["/", "/0", "/1", "/2", "/3", "/4", "/x"]
        assert [one.order for one in sorted(desk.pages, key=lambda one: one.order)] == [1, 2, 3, 4, 5, 6, 7]
        assert concurrency > 1 or fetcher.paths == ["/", "/0", "/x", "/1", "/2", "/3", "/4"]
        assert desk.rows("SELECT count(*) FROM documents") == [(6,)]


class TestSoftErrors:
    NOWHERE = "<title>Shop</title><p>Nothing lives at this address.</p>"

    def site(self, **answers):
        catch_all = {f"/gone/{number}": self.NOWHERE for number in range(4)}
        return {"/": page("/live", *catch_all), "/live": page(), **catch_all, **answers}

    @pytest.mark.parametrize("ingest", [True, False])
    @pytest.mark.parametrize("concurrency", [1, 4])
    def test_pages_like_the_one_for_no_address_are_soft_404s_and_one_question_tells(
        self, desk, table, ingest, concurrency
    ):
        fetcher = table(self.site())
        template = self.NOWHERE
        lookup = fetcher._answer
        fetcher._answer = lambda request: (
            replace(make_result(template), requested_url=request.url) if "no-such-page" in request.url
            else lookup(request)
        )  # fmt: skip
        summary = run(desk.crawl(fetcher, ingest=ingest, concurrency=concurrency))
        assert summary.by_outcome == {"ok": 2, "soft_404": 4}
        assert (summary.requests["probe"], summary.pages, summary.documents) == (1, 6, 2 if ingest else 0)
        told = {each.order: each for each in desk.pages}  # the last of an order counts
        assert Counter(each.outcome for each in told.values()) == summary.by_outcome
        assert desk.rows(
            "SELECT url FROM frontier WHERE outcome = 'soft_404' AND gone_at IS NOT NULL ORDER BY url"
        ) == [(f"https://shop.example/gone/{number}",) for number in range(4)]

    def test_a_site_that_answers_with_404_has_duplicates_and_no_soft_errors(self, desk, table):
        summary = run(desk.crawl(table(self.site()), ingest=True))
        assert summary.by_outcome == {"ok": 6}
        assert summary.requests["probe"] == 1

    def test_a_site_of_pages_that_differ_is_not_asked(self, desk, table):
        fetcher = table(SITE)
        assert "probe" not in run(desk.crawl(fetcher, ingest=True)).requests

    def test_a_probe_that_robots_txt_forbids_is_not_made(self, desk, table):
        fetcher = table(self.site(**{"/robots.txt": robots("User-agent: *\nDisallow: /gone/no-such")}))
        run(desk.crawl(fetcher))
        assert not any("no-such-page" in path for path in fetcher.paths)


class TestTraps:
    def test_a_calendar_without_end_ends_the_crawl_and_is_named(self, desk, table):
        def month(request):
            number = int(request.url.rpartition("=")[2])
            return page(f"/events?m={number + 1}", f"/events?m={number + 12}", "/shop")

        answers = {f"/events?m={number}": month for number in range(9_000)}
        fetcher = table(answers | {"/": page("/events?m=1", "/shop"), "/shop": page("/thing"), "/thing": page()})
        summary = run(desk.crawl(fetcher, max_depth=500))
        assert "/thing" in fetcher.paths
        assert (summary.stopped_by, len(fetcher.paths)) == (StoppedBy.DIMINISHING, 204)
        (trap,) = summary.traps
        assert trap.template == "https://shop.example/events?{q}"
        assert trap.template in summary.reason
        assert (trap.asked, trap.left) == (200, summary.unfetched)


LISTED = "<urlset>" + "".join(f"<url><loc>https://shop.example/{path}</loc></url>" for path in
                              ("", "alone", "products/x", "private/y", "feed/", "b")) + "</urlset>"  # fmt: skip
MAPPED_SITE = {
    "/robots.txt": robots("User-agent: *\nDisallow: /private/\nSitemap: https://shop.example/map.xml"),
    "/map.xml": make_result(LISTED, headers={"content-type": "application/xml"}),
    "/": page("/b"), "/b": page(), "/alone": page("/deeper"), "/products/x": page(), "/deeper": page(),
}  # fmt: skip


class TestSitemapDiscovery:
    def test_what_is_listed_is_asked_for_after_the_seed_in_the_order_of_all_links(self, desk, table):
        fetcher = table(MAPPED_SITE)
        summary = run(desk.crawl(fetcher, discovery=Discovery.LINKS_AND_SITEMAP))
        assert fetcher.paths == ["/", "/map.xml", "/products/x", "/b", "/alone", "/deeper"]
        found = {one.url.removeprefix("https://shop.example"): one for one in desk.pages}
        assert (found["/alone"].depth, found["/alone"].parent, found["/alone"].priority.why) == (
            1, None, "listed in the sitemap",
        )  # fmt: skip
        assert found["/products/x"].priority.tier == "regex"
        assert summary.requests == {"robots": 1, "page": 5, "sitemap": 1}
        assert summary.rejected == {"robots": 1, "feed": 1}

    def test_by_default_links_alone_are_followed(self, desk, table):
        fetcher = table(MAPPED_SITE)
        run(desk.crawl(fetcher))
        assert fetcher.paths == ["/", "/b"]

    def test_the_pace_of_the_site_holds_for_its_sitemap_too(self, desk, table):
        fetcher = table(MAPPED_SITE)
        run(desk.crawl(fetcher, discovery=Discovery.LINKS_AND_SITEMAP, mode=Mode.POLITE, delay_seconds=2.0,
                       honours_crawl_delay=True))  # fmt: skip
        starts = [start for start, request in zip(fetcher.starts, fetcher.requests, strict=True)
                  if not request.url.endswith("robots.txt")]  # fmt: skip
        assert all(later - earlier >= 2.0 for earlier, later in pairwise(starts))

    def test_what_robots_txt_forbids_as_it_is_listed_is_not_asked_for(self, desk, table):
        listed = "<urlset>" + "".join(f"<url><loc>https://shop.example/{path}</loc></url>" for path in
                                      ("a?b=1&amp;a=2", "c?d=1&amp;utm_id=9", "e?utm_id=9")) + "</urlset>"  # fmt: skip
        forbidden = "User-agent: *\nDisallow: /*?b=\nDisallow: /*&utm_id=\nSitemap: https://shop.example/map.xml"
        sitemap = make_result(listed, headers={"content-type": "text/xml"})
        fetcher = table(MAPPED_SITE | {"/robots.txt": robots(forbidden), "/e": page(), "/map.xml": sitemap})
        summary = run(desk.crawl(fetcher, discovery=Discovery.LINKS_AND_SITEMAP))
        assert sorted(fetcher.paths) == ["/", "/b", "/e", "/map.xml"]
        assert summary.rejected == {"robots": 2}

    def test_a_sitemap_that_is_not_there_changes_nothing(self, desk, table):
        fetcher = table({"/": page("/b"), "/b": page()})
        summary = run(desk.crawl(fetcher, discovery=Discovery.LINKS_AND_SITEMAP))
        assert (summary.pages, summary.stopped_by) == (2, StoppedBy.EXHAUSTED)


class TestOverSockets:
    def test_a_small_site_with_every_kind_of_trouble(self, store, clock):
        routes = {
            "/robots.txt": Reply(body=b"User-agent: *\nDisallow: /no\n"),
            "/": html("Home", links=["/a", "/old", "/gone", "/no", "/busy", "/cut", "/pdf", "/empty", "/chain"]),
            "/a": html("A", links=["/"]),
            "/old": redirect("/a"),
            "/chain": redirect("/no/where", 302),
            "/busy": in_turn(Reply(status=503, headers={"retry-after": "1"}), html("Busy no more")),
            "/cut": Reply(body=html("Cut", "x" * 900).encode(), cut_after=300),
            "/pdf": Reply(body=b"%PDF-1.7", headers={"content-type": "application/pdf"}),
            "/empty": Reply(body=b"", headers={"content-type": "text/html"}),
        }
        with LocalSite(routes) as site:
            desk = Desk(store, clock, site.url("/"))
            summary = run(desk.crawl_http(max_pages=0))
            assert desk.outcomes == {
                "/": "ok", "/a": "ok", "/old": "redirect", "/gone": "http_error", "/no": "robots_denied", "/busy": "ok",
                "/cut": "truncated", "/pdf": "not_html", "/empty": "empty", "/chain": "redirect",
                "/no/where": "robots_denied",
            }  # fmt: skip
            assert site.count("/no") == site.count("/no/where") == 0
            assert summary.requests == {"robots": 1, "page": 9, "retry": 1 + MAX_RETRIES}
            assert site.most_at_once <= 4

    def test_a_cookie_wall_is_passed_and_a_redirect_to_itself_without_one_is_asked_once(self, store, clock):
        def wall(request):
            if "wall=passed" in request.headers.get("cookie", ""):
                return Reply(body=html("Inside", links=["/deep", "/stuck", "/taken"]).encode())
            return Reply(status=302, headers={"Location": "/", "Set-Cookie": "wall=passed; Path=/"})

        routes = {
            "/": wall,
            "/deep": html("Deep"),
            "/stuck": redirect("/stuck", 302),
            "/taken": Reply(status=302, headers={"Location": "/taken", "Set-Cookie": "again=1; Path=/taken"}),
        }
        with LocalSite(routes) as site:
            desk = Desk(store, clock, site.url("/"))
            summary = run(desk.crawl_http(max_pages=0))
            assert desk.outcomes == {"/": "ok", "/deep": "ok", "/stuck": "redirect", "/taken": "redirect"}
            assert [site.count(path) for path in ("/", "/deep", "/stuck", "/taken")] == [2, 1, 1, 2]
            assert summary.requests["page"] == 6

    def test_successive_days_ask_conditionally_and_take_in_what_changed(self, store, clock):
        routes = {"/": html("Home", links=["/a", "/b"]), "/a": html("A"), "/b": html("B")}
        with LocalSite(routes) as site:
            desk = Desk(store, clock, site.url("/"))
            run(desk.crawl_http())
            clock.advance(timedelta(days=1).total_seconds())
            site.routes["/b"] = html("B", "with more words")
            summary = run(desk.crawl_http())
            assert summary.by_outcome == {"not_modified": 2, "ok": 1}
            assert desk.rows("SELECT count(*) FROM bodies") == [(4,)]


def test_the_summary_names_what_it_counted(desk, table):
    summary = run(desk.crawl(table(SITE | {"/a": make_result(status=500)}), max_pages=3))
    assert replace(summary, requests={}, reason="") == summary.__class__(
        crawl_id=1, pages=3, products=0, documents=0, by_outcome={"ok": 2, "http_error": 1},
        by_tier={"seed": 1, "regex": 1, "order": 1}, rejected={}, first_product_at=None, llm_calls=0, requests={},
        needs_rendering=0, unfetched=1, stopped_by=StoppedBy.BUDGET,
    )  # fmt: skip
