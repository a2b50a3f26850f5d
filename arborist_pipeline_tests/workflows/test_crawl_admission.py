"""What a crawl may ask for and what it takes for a page: robots.txt, the seed, soft 404s, traps, listed addresses."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest

from arborist_pipeline.core.crawl.records import Discovery, Mode, StoppedBy
from arborist_pipeline.core.errors import LeaseHeld
from arborist_pipeline.core.web.fetch import FailureKind
from arborist_pipeline_tests.support.builders import make_result
from arborist_pipeline_tests.support.paged_site import SITE, failing, page, robots, run
from arborist_pipeline_tests.support.site_server import LocalSite, Reply, html
from arborist_pipeline_tests.workflows.conftest import Desk


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

        summary = run(desk.crawl(fetcher, watch=let_a_day_pass, max_minutes=9_999, learns=False))
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

    def test_files_of_another_host_are_read_until_the_crawl_is_over_while_that_host_is_ours(self, store, clock):
        files = [f"/map-{number}.xml" for number in range(9)]
        seen = []

        def listed(request):
            seen.append(store.leases.tell_holder(f"127.0.0.1:{other.port}", clock.now()))
            return f"<urlset><url><loc>{site.url(request.path.removesuffix('.xml'))}</loc></url></urlset>"

        with LocalSite(dict.fromkeys(files, listed)) as other, LocalSite({"/": html("Home")}) as site:
            named = "".join(f"Sitemap: {other.url(path)}\n" for path in files)
            site.routes["/robots.txt"] = Reply(body=named.encode())
            desk = Desk(store, clock, site.url("/"), mode=Mode.POLITE)
            summary = run(desk.crawl_http(connections=1, discovery=Discovery.LINKS_AND_SITEMAP, max_minutes=0.1))
            assert other.targets == ["/robots.txt", *files[:3]]  # two seconds apart, and six seconds in all
            assert (summary.stopped_by, summary.unfetched) == (StoppedBy.TIME, 3)
            assert summary.requests == {"robots": 2, "page": 1, "sitemap": 3}
            assert all("is being crawled by test" in each for each in seen)
            assert store.leases.tell_holder(f"127.0.0.1:{other.port}", clock.now()) is None

    def test_files_of_a_host_in_other_hands_are_left(self, store, clock):
        with LocalSite({"/map.xml": "<urlset/>"}) as other, LocalSite({"/": html("Home")}) as site:
            site.routes["/robots.txt"] = Reply(body=f"Sitemap: {other.url('/map.xml')}".encode())
            desk = Desk(store, clock, site.url("/"))
            store.leases.acquire(f"127.0.0.1:{other.port}", holder="another", seconds=900, now=clock.now())
            summary = run(desk.crawl_http(discovery=Discovery.LINKS_AND_SITEMAP))
            assert (summary.stopped_by, other.requests) == (StoppedBy.EXHAUSTED, [])
