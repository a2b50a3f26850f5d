"""What a frontier takes over from earlier runs, when a page is due again, and what it gives the store."""

from datetime import timedelta

import pytest

from arborist_pipeline.core.crawl.admission import Rejection
from arborist_pipeline.core.crawl.entries import State
from arborist_pipeline.core.crawl.frontier import GONE_RECHECK_AFTER, RECHECK_AFTER
from arborist_pipeline.core.crawl.policy import Walk
from arborist_pipeline.core.crawl.priority import Bucket
from arborist_pipeline.core.web.page import PageKind
from arborist_pipeline_tests.core.crawl.conftest import SEED, links_to, make_entry, path_of
from arborist_pipeline_tests.support.builders import NOON


class TestDue:
    @pytest.mark.parametrize(("kind", "links", "gone", "expected"), [
        (PageKind.PRODUCT, [], False, RECHECK_AFTER),
        (PageKind.OTHER, ["/n"], False, RECHECK_AFTER),
        (PageKind.LISTING, [], False, RECHECK_AFTER),
        (PageKind.LISTING, ["/n"], False, timedelta(0)),
        (PageKind.HOME, ["/n"], False, timedelta(0)),
        (None, [], True, GONE_RECHECK_AFTER),
    ])  # fmt: skip
    def test_a_page_is_due_again_by_what_it_is(self, walk, kind, links, gone, expected):
        drive = walk()
        drive.take()
        drive.fetch("/", ["/page"])
        drive.take()
        assert drive.fetch("/page", links, kind=kind, gone=gone) == NOON + expected

    def test_the_seed_is_due_in_every_run(self, walk):
        drive = walk()
        drive.take()
        assert drive.fetch("/", kind=PageKind.OTHER) == NOON

    def test_an_answer_that_tells_nothing_leaves_the_kind_as_it_was(self, walk):
        known = make_entry("/products/a", 1, kind=PageKind.PRODUCT)
        drive = walk(entries=[known])
        drive.take()
        drive.fetch("/products/a", kind=None)
        assert known.kind is PageKind.PRODUCT

    @pytest.mark.parametrize(("full", "expected"), [(False, ["/", "/c", "/b"]), (True, ["/", "/c", "/b", "/a"])])
    def test_pages_that_are_not_due_rest_unless_the_run_is_full(self, walk, full, expected):
        entries = [
            make_entry("/", 1, depth=0),
            make_entry("/a", 2, due_hours=5),
            make_entry("/b", 3, due_hours=0),
            make_entry("/c", 4, due_hours=-9),
        ]
        assert walk(entries=entries, full=full).drain() == expected


class TestWalks:
    def test_a_fresh_walk_begins_at_the_seed_and_meets_known_pages_again_with_their_history(self, walk):
        stored = object()
        entries = [make_entry("/", 1, depth=0), make_entry("/known", 2, stored=stored, kind=PageKind.LISTING),
                   make_entry("/unlinked", 3, state=State.QUEUED)]  # fmt: skip
        drive = walk(entries=entries, walk=Walk.FRESH)
        assert drive.take() == "/"
        drive.fetch("/", ["/known", "/new"])
        request = drive.frontier.next()
        assert (path_of(request.url), request.stored) == ("/known", stored)
        drive.fetch("/known")
        assert drive.drain() == ["/new"]
        rows = {path_of(row.url): row.is_new for row in drive.frontier.take_changes()}
        assert rows == {"/": False, "/known": False, "/new": True}

    def test_a_resumed_walk_takes_the_queue_as_it_stood_and_no_due_page(self, walk):
        entries = [
            make_entry("/", 1, depth=0),
            make_entry("/b", 2, state=State.QUEUED),
            make_entry("/a", 3, state=State.QUEUED),
            make_entry("/products/z", 4, kind=PageKind.PRODUCT),
        ]
        assert walk(entries=entries, walk=Walk.RESUME).drain() == ["/b", "/a"]

    def test_a_resumed_walk_with_nothing_known_begins_at_the_seed(self, walk):
        assert walk(walk=Walk.RESUME).drain() == ["/"]

    def test_a_nightly_walk_goes_on_where_the_last_one_stopped(self, walk):
        entries = [make_entry("/", 1, depth=0), make_entry("/a", 2, due_hours=10),
                   make_entry("/b", 3, state=State.QUEUED)]  # fmt: skip
        drive = walk(entries=entries)
        assert drive.drain({"/b": ["/c"]}) == ["/", "/b", "/c"]
        assert next(row.seq for row in drive.frontier.take_changes() if row.is_new) == 4

    def test_a_run_limited_to_some_urls_asks_for_these_alone_due_or_not(self, walk):
        entries = [make_entry("/", 1, depth=0), make_entry("/a", 2, due_hours=10), make_entry("/b", 3),
                   make_entry("/q", 4, state=State.QUEUED)]  # fmt: skip
        drive = walk(entries=entries, only=["/a", "/never-seen"])
        assert drive.take() == "/a"
        drive.fetch("/a", ["/found", "/b"])
        assert drive.drain() == ["/never-seen"]
        states = {path_of(row.url): row.state for row in drive.frontier.take_changes()}
        assert states["/found"] is State.QUEUED  # the next run has it

    def test_what_is_asked_for_by_name_may_lie_beyond_the_depth_limit(self, walk):
        entries = [make_entry("/far", 1, state=State.BEYOND, depth=9)]
        assert walk(entries=entries, only=["/far"], max_depth=2).drain() == ["/far"]

    def test_what_stands_last_may_be_asked_for_by_name_and_is_no_trap_then(self, walk):
        last = make_entry("/calendar?month=9", 1, state=State.QUEUED)
        last.bucket = Bucket.LAST
        drive = walk(entries=[last], only=["/calendar?month=9"])
        assert drive.drain() == ["/calendar?month=9"]
        assert drive.frontier.traps == ()

    def test_what_is_asked_for_by_name_must_be_the_sites(self, walk):
        drive = walk(only=["/a"], exclude=("/a",))
        assert drive.drain() == []
        assert drive.frontier.rejected == {Rejection.EXCLUDED: 1}


class TestChanges:
    def test_changes_are_given_once_each_and_new_rows_are_marked(self, walk):
        drive = walk()
        assert [(path_of(row.url), row.state, row.is_new) for row in drive.frontier.take_changes()] == [
            ("/", State.QUEUED, True)
        ]
        assert drive.frontier.take_changes() == ()
        drive.take()
        assert drive.frontier.take_changes() == ()  # in flight: a crash re-queues it
        drive.fetch("/", ["/a", "/products/b"])
        rows = drive.frontier.take_changes()
        assert [(path_of(row.url), row.state, row.is_new) for row in rows] == [
            ("/a", State.QUEUED, True), ("/products/b", State.QUEUED, True), ("/", State.DONE, False),
        ]  # fmt: skip
        assert [row.seq for row in rows] == [2, 3, 1]
        assert rows[0].anchor == "to /a"

    def test_a_row_that_is_new_and_changed_before_it_was_taken_is_still_new(self, walk):
        drive = walk()
        drive.take()
        drive.fetch("/", [])
        assert [(row.state, row.is_new) for row in drive.frontier.take_changes()] == [(State.DONE, True)]

    def test_a_lowered_depth_is_a_change(self, walk):
        drive = walk()
        drive.take()
        drive.fetch("/", ["/products/a", "/b"])
        drive.take()
        drive.fetch("/products/a", ["/c"])
        drive.frontier.take_changes()
        drive.frontier.follow(SEED, links_to(["/c"]))
        (row,) = drive.frontier.take_changes()
        assert (path_of(row.url), row.depth, row.parent, row.is_new) == ("/c", 1, SEED, False)

    def test_parent_and_anchor_always_belong_together(self, walk):
        drive = walk()
        drive.take()
        drive.fetch("/", ["/products/1", "/b"])
        for path, links in (("/products/1", ["/products/2"]), ("/products/2", ["/products/3"])):
            assert drive.take() == path
            drive.fetch(path, links)
        drive.frontier.take_changes()
        drive.frontier.follow(SEED, links_to(["/products/2"]))
        rows = {path_of(row.url): (path_of(row.parent), row.anchor) for row in drive.frontier.take_changes()}
        assert rows == {"/products/2": ("/", "to /products/2"), "/products/3": ("/products/2", "to /products/3")}

    def test_unfetched_counts_what_no_run_has_asked_for(self, walk):
        drive = walk(max_pages=2)
        drive.drain({"/": ["/a", "/b", "/c"]})
        assert drive.frontier.unfetched == 2
