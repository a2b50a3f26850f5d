"""One site walked: order, budget, redirects, what is asked again and what comes over sockets."""

from dataclasses import replace
from datetime import timedelta

import pytest

from arborist_pipeline.core.crawl.frontier import SIFTED_AT_ONCE
from arborist_pipeline.core.crawl.policy import Walk
from arborist_pipeline.core.crawl.politeness import MAX_RETRIES
from arborist_pipeline.core.crawl.records import Discovery, Mode, StoppedBy
from arborist_pipeline.core.web.fetch import FailureKind
from arborist_pipeline.workflows.crawl import LARGE_BODY_BYTES
from arborist_pipeline_tests.support.builders import make_result
from arborist_pipeline_tests.support.paged_site import SITE, failing, page, robots, run
from arborist_pipeline_tests.support.site_server import LocalSite, Reply, html, in_turn, redirect
from arborist_pipeline_tests.workflows.conftest import Desk


class TestWalk:
    def test_every_linked_page_is_asked_once_products_first(self, desk, table):
        fetcher = table(SITE)
        summary = run(desk.crawl(fetcher))
        assert fetcher.paths[:2] == ["/", "/products/c"]
        assert sorted(fetcher.paths) == ["/", "/a", "/b", "/d", "/products/c"]
        assert (summary.pages, summary.stopped_by, summary.unfetched) == (5, StoppedBy.EXHAUSTED, 0)
        assert (summary.by_tier["seed"], summary.by_tier["regex"], sum(summary.by_tier.values())) == (1, 1, 5)
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
