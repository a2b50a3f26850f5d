"""A site on public addresses that tries to lead the crawler inside: by its names, by redirects, by robots.txt."""

import asyncio

import pytest

from arborist_pipeline.adapters.fetchers.http import HttpFetcher
from arborist_pipeline.core.web.fetch import FailureKind, FetchRequest
from arborist_pipeline.core.web.url import canonicalize
from arborist_pipeline_tests.support.public_names import PUBLIC, PublicNames
from arborist_pipeline_tests.support.site_server import LocalSite, Reply, html, redirect
from arborist_pipeline_tests.workflows.conftest import Desk, StampedFetcher

INSIDE = ["127.0.0.1", "10.0.0.7", "169.254.169.254"]


def guarded(names, work):
    """Run `work(fetcher)` with a fetcher for public addresses alone that knows these names."""

    async def run():
        async with HttpFetcher(user_agent="arborist-crawler/test", connections=2) as fetcher:
            names.install(fetcher)
            return await work(fetcher)

    return asyncio.run(run())


def fetch_all(names, *urls, between=lambda _: None):
    async def work(fetcher):
        results = []
        for url in urls:
            results.append(await fetcher.fetch(FetchRequest(url=canonicalize(url))))
            between(fetcher)
        return results

    return guarded(names, work)


def crawl(desk, names):
    return guarded(names, lambda fetcher: desk.crawl(StampedFetcher(fetcher, desk.clock), concurrency=2))


@pytest.fixture
def desk(store, clock):
    return Desk(store, clock)


class TestRebinding:
    @pytest.mark.parametrize("inside", INSIDE)
    def test_a_name_that_changes_its_mind_is_refused_when_it_does(self, inside):
        with LocalSite({"/": Reply(body=b"<p>x</p>", close=True)}) as site:
            names = PublicNames({"shop.example": [[PUBLIC], [inside]]}, {PUBLIC: site.port})
            first, second = fetch_all(names, "http://shop.example/", "http://shop.example/", between=names.forget)
        assert (first.status, second.failure.kind) == (200, FailureKind.BLOCKED_ADDRESS)
        assert names.connected == [PUBLIC]

    def test_the_connection_goes_to_the_address_that_was_checked(self):
        with LocalSite({"/": Reply(body=b"<p>x</p>", close=True)}) as site:
            names = PublicNames({"shop.example": [[PUBLIC], ["127.0.0.1"]]}, {PUBLIC: site.port})
            (result,) = fetch_all(names, "http://shop.example/")
        assert result.status == 200
        assert (names.asked, names.connected) == (["shop.example"], [PUBLIC])

    def test_one_private_address_among_public_ones_is_enough_to_refuse(self):
        names = PublicNames({"shop.example": [[PUBLIC, "10.0.0.7"]]}, {})
        (result,) = fetch_all(names, "http://shop.example/")
        assert (result.failure.kind, names.connected) == (FailureKind.BLOCKED_ADDRESS, [])

    def test_a_request_that_is_repeated_on_a_new_connection_is_checked_again(self):
        hang_up = Reply(raw=b"")
        with LocalSite({"/": "<p>x</p>", "/again": hang_up}) as site:
            names = PublicNames({"shop.example": [[PUBLIC], ["10.0.0.7"]]}, {PUBLIC: site.port})
            first, second = fetch_all(names, "http://shop.example/", "http://shop.example/again")
            assert site.targets == ["/", "/again"]
        assert (first.status, second.failure.kind) == (200, FailureKind.BLOCKED_ADDRESS)
        assert names.connected == [PUBLIC]


class TestRedirects:
    @pytest.mark.parametrize(
        "target", ["http://10.0.0.7/", "http://inside.example/", "http://[::1]/", "http://0x7f.1/"]
    )
    def test_a_redirect_inside_is_blocked_at_the_hop_that_leads_there(self, target):
        with LocalSite({"/go": redirect(target)}) as site:
            names = PublicNames({"shop.example": [[PUBLIC]], "inside.example": [["10.0.0.7"]]}, {PUBLIC: site.port})
            (hop,) = fetch_all(names, "http://shop.example/go")
            (there,) = fetch_all(names, hop.redirect_to)
        assert (hop.status, hop.failure) == (301, None)
        assert there.failure.kind is FailureKind.BLOCKED_ADDRESS
        assert set(names.connected) == {PUBLIC}

    def test_a_crawl_that_is_led_to_its_own_www_name_inside_ends_there_as_blocked_address(self, store, clock):
        desk = Desk(store, clock, "http://shop.example/")
        with LocalSite({"/": redirect("http://www.shop.example/")}) as site:
            names = PublicNames({"shop.example": [[PUBLIC]], "www.shop.example": [["10.0.0.7"]]}, {PUBLIC: site.port})
            crawl(desk, names)
        last = desk.pages[-1]
        assert last.url == "http://www.shop.example/"
        assert str(last.outcome) in ("blocked_address", "robots_denied")  # robots.txt is asked first, and blocked too
        assert "not public" in last.reason
        assert set(names.connected) == {PUBLIC}

    def test_robots_txt_that_leads_inside_is_not_followed_there(self, store, clock):
        desk = Desk(store, clock, "http://shop.example/")
        with LocalSite({"/": html("x"), "/robots.txt": redirect("http://169.254.169.254/latest")}) as site:
            names = PublicNames({"shop.example": [[PUBLIC]]}, {PUBLIC: site.port})
            summary = crawl(desk, names)
            assert site.targets[0] == "/robots.txt"
        assert set(names.connected) == {PUBLIC}
        assert (summary.pages, summary.stopped_by) == (0, "errors")
        assert "not public" in summary.reason

    def test_links_inside_are_never_asked_for(self, store, clock):
        desk = Desk(store, clock, "http://shop.example/")
        links = ["http://127.0.0.1/", "http://localhost/", "http://10.0.0.7/x", "/a", "//169.254.169.254/", "/go"]
        with LocalSite(
            {"/": html("x", links=links), "/a": html("A"), "/go": redirect("http://127.0.0.1/admin")}
        ) as site:
            names = PublicNames({"shop.example": [[PUBLIC]]}, {PUBLIC: site.port})
            crawl(desk, names)
        assert desk.outcomes == {"/": "ok", "/a": "ok", "/go": "redirect"}
        assert set(names.connected) == {PUBLIC}
