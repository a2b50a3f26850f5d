"""Stored pages asked about again: verdicts, manners, and what becomes due."""

import asyncio
import threading
from itertools import pairwise

import pytest

from arborist_pipeline.adapters.fetchers.http import HttpFetcher
from arborist_pipeline.core.crawl.politeness import MAX_DEAD_IN_A_ROW
from arborist_pipeline.core.crawl.records import Mode
from arborist_pipeline.core.errors import LeaseHeld
from arborist_pipeline.core.web.fetch import BodyRule, FailureKind, FetchFailure
from arborist_pipeline.core.web.freshness import Freshness
from arborist_pipeline.workflows.recrawl import recheck_pages
from arborist_pipeline_tests.support.builders import make_result
from arborist_pipeline_tests.support.site_server import LocalSite, Reply, html, redirect
from arborist_pipeline_tests.workflows.conftest import Desk

PAGES = ("/", "/a", "/b")


def page(*links, etag):
    anchors = "".join(f'<a href="{link}">x</a>' for link in links)
    return make_result(f"<p>Words of {etag}</p>{anchors}", headers={"etag": etag})


def site():
    return {"/": page("/a", "/b", etag='"0"'), "/a": page(etag='"a"'), "/b": page(etag='"b"')}


@pytest.fixture
def crawled(desk, table):
    """A desk with three pages in its store, seven hours later."""
    asyncio.run(desk.crawl(table(site())))
    desk.clock.advance(7 * 3_600)
    return desk


def recheck(desk, fetcher):
    """Recheck all stored pages; returns the counts and path to (verdict, reason)."""
    found = {}

    def watch(target, verdict):
        found["/" + target.url.split("://", 1)[1].partition("/")[2]] = verdict

    targets = desk.store.checks.check_targets(None, site_key="shop", limit=0)
    counts = asyncio.run(
        recheck_pages(
            [desk.site], targets, fetcher=fetcher, store=desk.store, clock=desk.clock, holder="a check", watch=watch
        )
    )
    return counts, found


def due(desk):
    stored = desk.store.crawls.frontier_rows("shop", 1)
    entries = stored.entries([known[0] for portion in stored.known(desk.clock.now()) for known in portion])
    return {"/" + entry.url.split("://", 1)[1].partition("/")[2] for entry in entries
            if entry.due_at is not None and entry.due_at <= desk.clock.now()}  # fmt: skip


def test_an_unchanged_site_is_fresh_by_conditional_heads_alone(crawled, table):
    fetcher = table(site())
    counts, _ = recheck(crawled, fetcher)
    assert counts == {Freshness.FRESH: 3}
    heads = fetcher.requests[1:]
    assert {(request.method, request.body) for request in heads} == {("HEAD", BodyRule.NONE)}
    assert all(request.validators.etag for request in heads)
    assert due(crawled) == {"/"}  # the seed always is


@pytest.mark.parametrize(("answer", "freshness", "is_due"), [
    (page(etag='"new"'), Freshness.STALE, True),
    (make_result("x"), Freshness.STALE, True),
    (make_result(status=404), Freshness.GONE, True),
    (make_result(status=410), Freshness.GONE, True),
    (make_result(status=301, location="/b"), Freshness.MOVED, True),
    (make_result(status=302, location="/b"), Freshness.STALE, True),
    (make_result(status=403), Freshness.UNKNOWN, False),
    (make_result(status=500), Freshness.UNKNOWN, False),
    (make_result(failure=FetchFailure(kind=FailureKind.TIMEOUT, message="x")), Freshness.UNKNOWN, False),
    (make_result(failure=FetchFailure(kind=FailureKind.BLOCKED_ADDRESS, message="x")), Freshness.BLOCKED, False),
    (make_result(status=301, location="/a"), Freshness.UNKNOWN, False),
])  # fmt: skip
def test_each_answer_has_its_verdict_and_what_changed_is_due(crawled, table, answer, freshness, is_due):
    _, found = recheck(crawled, table(site() | {"/a": answer}))
    assert found["/a"].freshness is freshness, found["/a"].reason
    assert found["/b"].freshness is Freshness.FRESH
    assert ("/a" in due(crawled)) is is_due
    stale = crawled.store.checks.stale_pages(limit=9)
    assert [url for _, urls, _ in stale for url in urls] == (["https://shop.example/a"] if is_due else [])


def test_a_moved_page_names_where_to(crawled, table):
    _, found = recheck(crawled, table(site() | {"/a": make_result(status=308, location="/b")}))
    assert found["/a"].moved_to == "https://shop.example/b"


def test_what_robots_forbids_is_blocked_and_not_asked(crawled, table):
    rules = make_result("User-agent: *\nDisallow: /a", headers={"content-type": "text/plain"})
    fetcher = table(site() | {"/robots.txt": rules})
    _, found = recheck(crawled, fetcher)
    assert found["/a"].freshness is Freshness.BLOCKED
    assert "line 2: Disallow: /a" in found["/a"].reason
    assert "/a" not in fetcher.paths


def test_a_redirect_is_not_followed_where_robots_forbids_the_target(crawled, table):
    rules = make_result("User-agent: *\nDisallow: /no", headers={"content-type": "text/plain"})
    fetcher = table(site() | {"/robots.txt": rules, "/a": make_result(status=301, location="/no/x")})
    _, found = recheck(crawled, fetcher)
    assert (found["/a"].freshness, found["/a"].moved_to) == (Freshness.MOVED, "https://shop.example/no/x")
    assert "/no/x" not in fetcher.paths


def test_a_circle_of_redirects_ends(crawled, table):
    circle = {one: make_result(status=301, location=two) for one, two in (("/a", "/x"), ("/x", "/y"), ("/y", "/x"))}
    fetcher = table(site() | circle)
    _, found = recheck(crawled, fetcher)
    assert found["/a"].freshness is Freshness.UNKNOWN
    assert len(fetcher.paths) < 20


BROKEN = FetchFailure(kind=FailureKind.PROTOCOL, message="content where there must be none")


@pytest.mark.parametrize("refusal", [make_result(status=405), make_result(status=501), make_result(failure=BROKEN)])
def test_a_host_without_head_is_asked_by_conditional_get_from_then_on(crawled, table, refusal):
    pages = site()

    def no_head(path):
        return lambda request: refusal if request.method == "HEAD" else pages[path]

    fetcher = table({path: no_head(path) for path in pages})
    counts, _ = recheck(crawled, fetcher)
    assert counts == {Freshness.FRESH: 3}
    assert [request.method for request in fetcher.requests[1:]] == ["HEAD", "GET", "GET", "GET"]


def test_head_is_not_given_up_for_a_host_that_fails_both_ways(crawled, table):
    fetcher = table(site() | {"/a": make_result(failure=BROKEN)})
    counts, found = recheck(crawled, fetcher)
    assert counts == {Freshness.FRESH: 2, Freshness.UNKNOWN: 1}
    assert found["/a"].freshness is Freshness.UNKNOWN
    assert sum(request.method == "GET" for request in fetcher.requests[1:]) == 1


def test_a_polite_site_is_asked_two_seconds_apart_or_as_it_asks_for(store, clock, table):
    desk = Desk(store, clock, mode=Mode.POLITE)
    asyncio.run(desk.crawl(table(site())))
    for rules, gap in (("", 2.0), ("Crawl-delay: 5", 5.0)):
        clock.advance(7 * 3_600)
        robots = make_result(f"User-agent: *\n{rules}", headers={"content-type": "text/plain"})
        fetcher = table(site() | {"/robots.txt": robots})
        recheck(desk, fetcher)
        assert [later - earlier for earlier, later in pairwise(fetcher.starts[1:])] == pytest.approx([gap, gap])


def test_a_wish_to_be_left_alone_is_heard(crawled, table):
    busy = make_result(status=503, headers={"retry-after": "30"})
    fetcher = table(site() | {"/": busy})
    recheck(crawled, fetcher)
    assert fetcher.starts[2] - fetcher.starts[1] == 30.0


def test_a_dead_host_is_left_alone_and_its_pages_are_unknown(desk, table):
    pages = {f"/{n}": page(etag=f'"{n}"') for n in range(30)}
    asyncio.run(desk.crawl(table({"/": page(*pages, etag='"s"')} | pages)))
    desk.clock.advance(7 * 3_600)
    dead = make_result(failure=FetchFailure(kind=FailureKind.CONNECT, message="refused"))
    fetcher = table(dict.fromkeys(["/", *pages], dead))
    counts, found = recheck(desk, fetcher)
    assert counts == {Freshness.UNKNOWN: 31}
    assert len(fetcher.paths) == MAX_DEAD_IN_A_ROW
    assert "not asked" in found["/29"].reason


def test_a_stale_page_that_is_fetched_again_is_fresh(crawled, table):
    changed = site() | {"/a": page(etag='"new"')}
    recheck(crawled, table(changed))
    asyncio.run(crawled.crawl(table(changed), only=("https://shop.example/a",)))
    assert crawled.store.checks.stale_pages(limit=9) == ()
    counts, _ = recheck(crawled, table(changed))
    assert counts == {Freshness.FRESH: 3}


def test_over_a_real_socket_all_verdicts_come_at_once(store, clock):
    pages = {"/": html("Home", links=["/same", "/new", "/gone", "/moved"]), "/same": html("Same"), "/new": html("Old"),
             "/gone": html("Gone"), "/moved": html("Moved")}  # fmt: skip
    with LocalSite(pages) as server:
        desk = Desk(store, clock, server.url("/"))
        asyncio.run(desk.crawl_http())
        clock.advance(86_400)
        server.routes |= {"/new": html("New"), "/gone": Reply(status=410), "/moved": redirect("/same")}
        server.requests.clear()
        counts, found = asyncio.run(_recheck_http(desk))
    assert counts == {Freshness.FRESH: 2, Freshness.STALE: 1, Freshness.GONE: 1, Freshness.MOVED: 1}
    assert found["/moved"].moved_to == server.url("/same")
    assert {request.method for request in server.requests if request.path != "/robots.txt"} == {"HEAD"}


def test_a_host_in_other_hands_is_not_asked_and_its_pages_keep_their_place(crawled, table):
    lease = crawled.store.leases.acquire("shop.example", holder="a crawl", seconds=900, now=crawled.clock.now())
    fetcher = table(site())
    counts, found = recheck(crawled, fetcher)
    assert counts == {Freshness.UNKNOWN: 3}
    assert found["/a"].reason.startswith("not asked: shop.example is being crawled by a crawl since")
    assert fetcher.requests == []
    assert crawled.rows("SELECT count(*) FROM recrawl_checks") == [(0,)]
    crawled.store.leases.release(lease, crawled.clock.now())
    assert recheck(crawled, table(site()))[0] == {Freshness.FRESH: 3}


def test_while_a_host_is_checked_it_is_held_and_free_afterwards(crawled, table):
    def meddle(_):
        with pytest.raises(LeaseHeld, match="by a check since"):
            crawled.store.leases.acquire("shop.example", holder="a crawl", seconds=900, now=crawled.clock.now())
        return page(etag='"a"')

    recheck(crawled, table(site() | {"/a": meddle}))
    crawled.store.leases.acquire("shop.example", holder="a crawl", seconds=900, now=crawled.clock.now())


def test_a_check_that_was_overtaken_asks_for_nothing_more(crawled, table, monkeypatch):
    monkeypatch.setattr("arborist_pipeline.workflows.host_leases.HEARTBEAT_SECONDS", 0.001)
    told = threading.Event()
    monkeypatch.setattr(type(crawled.store.leases), "renew", lambda *_, **__: told.set())
    fetcher = table(site() | {"/": lambda _: told.wait(60) and page("/a", "/b", etag='"0"')})
    counts, found = recheck(crawled, fetcher)
    assert counts == {Freshness.FRESH: 1, Freshness.UNKNOWN: 2}
    assert {found[path].reason for path in ("/a", "/b")} == {
        "not asked: another crawl took shop.example over; nothing more is written"
    }


@pytest.mark.parametrize("is_free", [True, False])
def test_where_a_page_moved_to_is_asked_only_while_that_host_is_ours(store, clock, is_free):
    holders = []

    def new(_):
        holders.append(store.leases.tell_holder(f"127.0.0.1:{other.port}", clock.now()))
        return html("New")

    with LocalSite({"/new": new}) as other, LocalSite({"/": html("Home", links=["/old"]), "/old": "Old"}) as server:
        desk = Desk(store, clock, server.url("/"))
        asyncio.run(desk.crawl_http())
        clock.advance(86_400)
        server.routes["/old"] = redirect(other.url("/new"))
        if not is_free:
            store.leases.acquire(f"127.0.0.1:{other.port}", holder="a crawl", seconds=900, now=clock.now())
        _, found = asyncio.run(_recheck_http(desk))
        assert (found["/old"].freshness, found["/old"].moved_to) == (Freshness.MOVED, other.url("/new"))
        assert [request.path for request in other.requests] == (["/robots.txt", "/new"] if is_free else [])
        assert all("is being crawled by a check" in holder for holder in holders)


async def _recheck_http(desk):
    found = {}
    targets = desk.store.checks.check_targets(None, site_key="shop", limit=0)
    async with HttpFetcher(user_agent="arborist-crawler/test", connections=1, allow_private=True) as fetcher:
        counts = await recheck_pages(
            [desk.site], targets, fetcher=fetcher, store=desk.store, clock=desk.clock, holder="a check",
            watch=lambda target, verdict: found.update({"/" + target.url.rpartition("/")[2]: verdict}),
        )  # fmt: skip
    return counts, found
