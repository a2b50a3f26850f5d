"""What a batch of pages leaves in the store, and what the next run finds there."""

import hashlib
from dataclasses import replace
from datetime import timedelta

import pytest

from arborist_pipeline.core.crawl.admission import build_admission
from arborist_pipeline.core.crawl.entries import State
from arborist_pipeline.core.crawl.frontier import Frontier
from arborist_pipeline.core.crawl.policy import CrawlPolicy, Walk
from arborist_pipeline.core.crawl.records import CrawledPage, Outcome, Priority, StoppedBy, Tier
from arborist_pipeline.core.errors import NothingToResume, StoreError
from arborist_pipeline.core.ports import CrawlBatch
from arborist_pipeline.core.web.fetch import FailureKind, FetchFailure
from arborist_pipeline.core.web.freshness import Validators
from arborist_pipeline.core.web.links import LinkKind
from arborist_pipeline.core.web.page import PageKind
from arborist_pipeline_tests.adapters.stores.conftest import (
    SITE,
    SUMMARY,
    answering,
    at,
    dump,
    known_entries,
    product_page,
    prose,
    rows,
    tagged,
    visit,
)
from arborist_pipeline_tests.support.builders import NOON, make_result

LATER = NOON + timedelta(hours=24)
EMPTY_BATCH = CrawlBatch(readings=(), forbidden=(), changes=())


def entry_of(store, path):
    return {entry.url: entry for entry in known_entries(store)}[at(path)]


class TestRecord:
    def test_a_page_its_body_its_links_and_their_urls_commit_together(self, store):
        visit(store, {"/": prose(links=["/a", "/products/b"])})
        assert rows(store, 'SELECT "order", outcome, title FROM pages') == [(1, "ok", "Lamps")]
        assert rows(store, "SELECT url, anchor, kind FROM links ORDER BY position") == [
            (at("/a"), "to /a", "a"), (at("/products/b"), "to /products/b", "a"),
        ]  # fmt: skip
        states = {entry.url: (entry.state, entry.depth) for entry in known_entries(store)}
        assert states == {
            at("/"): (State.DONE, 0), at("/a"): (State.QUEUED, 1), at("/products/b"): (State.QUEUED, 1),
        }  # fmt: skip

    def test_a_batch_that_breaks_leaves_nothing_of_itself(self, store):
        start = visit(store, {"/": prose()})
        before = dump(store)
        with pytest.raises(StoreError):  # the order is taken: the last of its inserts fails
            visit(store, {"/x": prose("x", links=["/y"])}, start=replace(start, last_order=0))
        assert dump(store) == before

    def test_a_batch_of_frontier_rows_alone_is_as_old_as_its_crawl(self, store):
        policy = CrawlPolicy()
        start = store.crawls.begin_crawl(SITE, policy, run_id=None, now=NOON)
        frontier = Frontier(policy, build_admission(at("/"), include=(), exclude=(), robots={}), at("/"),
                            rows=store.crawls.frontier_rows("shop", 1), began_at=NOON)  # fmt: skip
        frontier.start()
        store.crawls.record(start, replace(EMPTY_BATCH, changes=frontier.take_changes()), None)
        store.crawls.record(start, EMPTY_BATCH, None)
        assert rows(store, "SELECT url, discovered_at FROM frontier") == [(at("/"), "2026-01-15 12:00:00.000000")]

    def test_a_body_is_stored_once_however_many_pages_have_it(self, store):
        visit(store, {"/a": prose(), "/b": prose(), "/c": prose("Other words")})
        digest = hashlib.sha256(prose().encode()).digest()
        assert rows(store, "SELECT count(*) FROM bodies") == [(2,)]
        assert rows(store, "SELECT count(*) FROM frontier WHERE body_sha256 = :d", d=digest) == [(2,)]

    def test_links_are_stored_again_only_where_their_set_changed(self, store):
        visit(store, {"/": prose("One", links=["/a", "/b"])})
        visit(store, {"/": prose("Two", links=["/a", "/b"])}, when=LATER)
        assert rows(store, "SELECT count(*), count(DISTINCT page_id) FROM links") == [(2, 1)]
        visit(store, {"/": prose("Three", links=["/a"])}, when=LATER + timedelta(days=1))
        assert rows(store, "SELECT count(*), count(DISTINCT page_id) FROM links") == [(3, 2)]
        homes = [home for (home,) in rows(store, "SELECT links_page_id FROM pages ORDER BY id")]
        assert homes == [1, 1, 3]
        assert [link.url for link in store.crawls.load_links(entry_of(store, "/").stored.links_page_id)] == [at("/a")]

    def test_links_come_back_as_they_were(self, store):
        page = '<a href="/a" rel="nofollow">x</a><link rel="canonical" href="/c"><link rel="next" href="/?page=2">'
        visit(store, {"/": page})
        found = store.crawls.load_links(entry_of(store, "/").stored.links_page_id)
        assert {(link.url, link.kind, link.nofollow) for link in found} == {
            (at("/a"), LinkKind.ANCHOR, True), (at("/c"), LinkKind.CANONICAL, False),
            (at("/?page=2"), LinkKind.NEXT, False),
        }  # fmt: skip

    def test_a_page_whose_last_link_went_has_none(self, store):
        visit(store, {"/": prose("One", links=["/a"])})
        visit(store, {"/": prose("Two")}, when=LATER)
        assert store.crawls.load_links(entry_of(store, "/").stored.links_page_id) == ()

    def test_redirects_are_kept_with_their_raw_location_where_it_cannot_be_read(self, store):
        visit(store, {"/old": answering(301, location="/new"), "/bad": answering(302, location="http://")})
        assert rows(store, "SELECT url, target, location, status FROM redirects ORDER BY url") == [
            (at("/bad"), None, "http://", 302), (at("/old"), at("/new"), "/new", 301),
        ]  # fmt: skip

    def test_what_robots_forbids_has_a_row_without_an_order(self, store):
        start = visit(store, {"/": prose()})
        page = CrawledPage(order=None, url=at("/"), final_url=at("/"), depth=0, parent=None, anchor="",
                           priority=Priority(Tier.ORDER, 0.0, "never requested"), status=None,
                           outcome=Outcome.ROBOTS_DENIED, reason="robots.txt: line 2", kind=None, title=None,
                           elapsed_seconds=0.0, size_bytes=0, fetched_at=LATER)  # fmt: skip
        store.crawls.record(start, replace(EMPTY_BATCH, forbidden=(page, page)), None)
        assert rows(store, 'SELECT outcome, reason FROM pages WHERE "order" IS NULL') == [
            ("robots_denied", "robots.txt: line 2")
        ] * 2  # fmt: skip


class TestState:
    def test_a_304_renews_and_keeps_body_kind_and_links(self, store):
        visit(store, {"/products/a": tagged(product_page(), '"1"')})
        before = entry_of(store, "/products/a")
        visit(store, {"/products/a": answering(304, headers={"etag": '"1b"'})}, when=LATER)
        after = entry_of(store, "/products/a")
        assert after.stored.body_sha256 == before.stored.body_sha256
        assert (after.kind, after.stored.title) == (PageKind.PRODUCT, "Desk lamp")
        assert after.stored.validators == Validators(etag='"1b"')
        assert after.stored.page_id == before.stored.page_id
        assert after.due_at > before.due_at

    def test_a_200_without_validators_forgets_the_old_ones(self, store):
        visit(store, {"/": tagged(prose(), '"1"')})
        visit(store, {"/": prose("Changed")}, when=LATER)
        assert not entry_of(store, "/").stored.validators

    @pytest.mark.parametrize("answer", [
        answering(500), answering(403), answering(404), answering(301, location="/elsewhere"),
        answering(200, "  "), answering(200, "%PDF-1.7", headers={"content-type": "application/pdf"}),
        answering(200, failure=FetchFailure(kind=FailureKind.TIMEOUT, message="no whole answer within 15 s")),
    ])  # fmt: skip
    def test_an_answer_without_a_page_leaves_the_stored_version_as_it_was(self, store, answer):
        visit(store, {"/a": tagged(prose(), '"1"')})
        before = entry_of(store, "/a").stored
        visit(store, {"/a": answer}, when=LATER)
        assert entry_of(store, "/a").stored == before

    def test_a_gone_page_is_gone_since_it_first_said_so_and_until_it_answers_again(self, store):
        visit(store, {"/a": prose()})
        visit(store, {"/a": answering(404)}, when=LATER)
        visit(store, {"/a": answering(410)}, when=LATER + timedelta(days=1))
        assert rows(store, "SELECT gone_at FROM frontier WHERE url = :u", u=at("/a")) == [
            ("2026-01-16 12:00:00.000000",)
        ]  # fmt: skip
        visit(store, {"/a": prose()}, when=LATER + timedelta(days=2))
        assert rows(store, "SELECT gone_at FROM frontier WHERE url = :u", u=at("/a")) == [(None,)]

    def test_a_walk_without_bodies_leaves_the_validators_of_the_body_that_is_stored(self, store):
        visit(store, {"/": tagged(prose("One"), '"1"')})
        visit(store, {"/": tagged(prose("Two"), '"2"')}, when=LATER, keep_bodies=False)
        stored = entry_of(store, "/").stored
        assert stored.validators.etag == '"1"'  # so that the next walk with bodies gets the new text
        assert stored.body_sha256 == hashlib.sha256(prose("One").encode()).digest()
        visit(store, {"/": tagged(prose("Two"), '"2"')}, when=LATER + timedelta(days=1))
        stored = entry_of(store, "/").stored
        assert (stored.validators.etag, stored.body_sha256) == ('"2"', hashlib.sha256(prose("Two").encode()).digest())

    def test_a_walk_that_never_kept_bodies_keeps_validators_of_its_own(self, store):
        visit(store, {"/": tagged(prose("One"), '"1"')}, keep_bodies=False)
        visit(store, {"/": tagged(prose("Two"), '"2"')}, when=LATER, keep_bodies=False)
        assert entry_of(store, "/").stored.validators.etag == '"2"'
        assert rows(store, "SELECT count(*) FROM bodies") == [(0,)]

    def test_the_frontier_comes_back_as_it_went_in_order_of_seq(self, store):
        visit(store, {"/": prose(links=["/b", "/a", "/products/c"])})
        found = [(entry.url, entry.seq, entry.anchor, entry.priority.tier, entry.fetched)
                 for entry in known_entries(store)]  # fmt: skip
        assert found == [
            (at("/"), 1, "", Tier.SEED, True), (at("/b"), 2, "to /b", Tier.ORDER, False),
            (at("/a"), 3, "to /a", Tier.ORDER, False), (at("/products/c"), 4, "to /products/c", Tier.REGEX, False),
        ]  # fmt: skip

    def test_sites_do_not_see_each_other(self, store):
        store.sites.put_site(replace(SITE, key="other", seed_url=at("/").replace("shop", "other")), NOON)
        visit(store, {"/": prose()})
        assert known_entries(store, "other") == []
        with pytest.raises(StoreError, match="nobody"):
            known_entries(store, "nobody")


class TestCrawlRows:
    def test_each_crawl_has_a_row_and_its_summary(self, store):
        start = visit(store, {"/": prose()})
        store.crawls.finish_crawl(start, SUMMARY, now=LATER)
        assert rows(store, "SELECT id, stopped_by, pages, mode FROM crawls") == [(1, "exhausted", 1, "polite")]
        assert visit(store, {"/": prose()}).crawl_id == 2

    @pytest.mark.parametrize("stopped_by", [None, StoppedBy.INTERRUPTED, StoppedBy.BUDGET, StoppedBy.TIME])
    def test_resuming_opens_the_last_crawl_again_as_it_began(self, store, stopped_by):
        policy = {"only": (at("/"), at("/a")), "full": True}
        start = visit(store, {"/": prose(), "/a": prose("a")}, **policy)
        if stopped_by is not None:
            store.crawls.finish_crawl(start, replace(SUMMARY, stopped_by=stopped_by), now=NOON)
        again = store.crawls.begin_crawl(SITE, CrawlPolicy(walk=Walk.RESUME), run_id=None, now=LATER)
        assert again == replace(start, last_order=2, last_decision=4, part=1)
        assert (again.started_at, again.walk, again.only, again.full) == (NOON, Walk.NIGHTLY, *policy.values())

    def test_a_crawl_that_came_to_its_end_is_not_resumed_and_leaves_no_row(self, store):
        start = visit(store, {"/": prose()})
        store.crawls.finish_crawl(start, SUMMARY, now=NOON)
        with pytest.raises(NothingToResume, match=r"the last crawl of shop ran to its end \(2026-01-15 12:00 UTC\)"):
            store.crawls.begin_crawl(SITE, CrawlPolicy(walk=Walk.RESUME), run_id=None, now=LATER)
        assert rows(store, "SELECT id, stopped_by FROM crawls") == [(1, "exhausted")]

    def test_a_fresh_crawl_keeps_where_its_own_rows_begin(self, store):
        visit(store, {"/": prose(links=["/a"])})
        fresh = store.crawls.begin_crawl(SITE, CrawlPolicy(walk=Walk.FRESH), run_id=None, now=LATER)
        assert (fresh.first_seq, fresh.walk) == (3, Walk.FRESH)
        assert store.crawls.begin_crawl(SITE, CrawlPolicy(walk=Walk.RESUME), run_id=None, now=LATER) == replace(
            fresh, part=1
        )

    def test_who_was_overtaken_leaves_the_books_to_the_one_that_opened_them_again(self, store):
        first = visit(store, {"/": prose()})
        second = store.crawls.begin_crawl(SITE, CrawlPolicy(walk=Walk.RESUME), run_id=None, now=LATER)
        third = store.crawls.begin_crawl(SITE, CrawlPolicy(walk=Walk.RESUME), run_id=None, now=LATER)
        for late in (first, second):
            store.crawls.finish_crawl(late, replace(SUMMARY, stopped_by=StoppedBy.LEASE_LOST), now=LATER)
        assert rows(store, "SELECT finished_at, stopped_by FROM crawls") == [(None, None)]
        store.crawls.finish_crawl(third, SUMMARY, now=LATER)
        assert rows(store, "SELECT stopped_by FROM crawls") == [("exhausted",)]

    def test_a_resumed_crawl_counts_the_pages_of_both_parts(self, store):
        start = visit(store, {"/": prose()})
        store.crawls.finish_crawl(start, replace(SUMMARY, stopped_by=StoppedBy.INTERRUPTED, pages=1), now=NOON)
        again = store.crawls.begin_crawl(SITE, CrawlPolicy(walk=Walk.RESUME), run_id=None, now=LATER)
        visit(store, {"/a": prose("a")}, start=again)
        store.crawls.finish_crawl(again, replace(SUMMARY, pages=1), now=LATER)
        assert rows(store, "SELECT pages FROM crawls") == [(2,)]

    def test_a_site_without_a_crawl_has_nothing_to_resume(self, store):
        start = store.crawls.begin_crawl(SITE, CrawlPolicy(walk=Walk.RESUME), run_id="r1", now=NOON)
        assert (start.crawl_id, start.last_order) == (1, 0)

    def test_an_unknown_site_cannot_be_crawled(self, store):
        with pytest.raises(StoreError, match="arborist refresh nobody"):
            store.crawls.begin_crawl(replace(SITE, key="nobody"), CrawlPolicy(), run_id=None, now=NOON)


class TestHops:
    def test_a_refresh_is_kept_with_the_redirects_and_a_304_does_not_forget_it(self, store):
        body = '<meta http-equiv="refresh" content="0; url=/new"><p>Moved.</p>'
        etag = {"headers": {"etag": '"1"'}}
        visit(store, {"/old": lambda url, when: make_result(body, url=url, fetched_at=when, **etag)})
        assert rows(store, "SELECT url, target, status FROM redirects") == [(at("/old"), at("/new"), 200)]
        visit(store, {"/old": answering(304)}, when=LATER)
        assert rows(store, "SELECT outcome, redirect_to FROM frontier WHERE url = :url", url=at("/old")) == [
            ("not_modified", at("/new"))
        ]
        (entry,) = [entry for entry in known_entries(store) if entry.url == at("/old")]
        assert entry.stored.refresh_to == at("/new")


class TestParts:
    def test_links_of_a_body_that_did_not_come_whole_stand_until_a_whole_one_comes(self, store):
        part = '<a href="/b">b</a><p>'
        visit(store, {"/a": answering(200, part, truncated=True)})
        known = "SELECT stored_page_id, (SELECT count(*) FROM links WHERE page_id = links_page_id) FROM frontier"
        assert rows(store, known + " WHERE url = :url", url=at("/a")) == [(None, 1)]
        visit(store, {"/a": prose("a", links=("/b", "/c"))}, when=LATER)
        visit(store, {"/a": answering(200, part, truncated=True)}, when=LATER)
        assert rows(store, known + " WHERE url = :url AND stored_page_id IS NOT NULL", url=at("/a"))[0][1] == 2


class TestSoftErrors:
    def test_a_page_that_turns_out_to_be_none_is_relabelled_and_counts_as_gone(self, store):
        start = visit(store, {"/a": prose("a"), "/b": prose("b")})
        store.crawls.record(start, replace(EMPTY_BATCH, soft_errors=(at("/a"),)), None)
        query = "SELECT url, outcome, status, gone_at IS NOT NULL, kind FROM frontier ORDER BY url"
        assert rows(store, query)[0] == (at("/a"), "soft_404", 200, 1, "other")
        assert rows(store, query)[1][1:4] == ("ok", 200, 0)
        assert rows(store, "SELECT outcome, count(*) FROM pages GROUP BY 1 ORDER BY 1") == [("ok", 1), ("soft_404", 1)]

    def test_one_that_comes_alive_is_no_longer_gone(self, store):
        start = visit(store, {"/a": prose("a")})
        store.crawls.record(start, replace(EMPTY_BATCH, soft_errors=(at("/a"),)), None)
        visit(store, {"/a": prose("a", links=("/b",))}, when=LATER)
        assert rows(store, "SELECT outcome, gone_at FROM frontier WHERE url = :url", url=at("/a")) == [("ok", None)]


def test_addresses_as_written_go_with_links_and_frontier(store):
    visit(store, {"/": '<a href="/list?z=1&b=2">x</a>'})
    written = "https://shop.example/list?z=1&b=2"
    assert rows(store, "SELECT written FROM links") == [(written,)]
    (home,) = rows(store, "SELECT links_page_id FROM frontier WHERE url = :url", url=at("/"))[0]
    assert [link.written for link in store.crawls.load_links(home)] == [written]
    assert [entry.written for entry in known_entries(store)] == [None, written]
