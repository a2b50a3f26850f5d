"""Crawls that are cut anywhere and resumed, night after night, against a plain model that keeps everything in lists."""

from copy import deepcopy
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arborist_pipeline.core.crawl.entries import State
from arborist_pipeline.core.crawl.memory_rows import MemoryRows
from arborist_pipeline.core.crawl.policy import Walk
from arborist_pipeline.core.crawl.priority import Bucket
from arborist_pipeline.core.web.page import PageKind
from arborist_pipeline_tests.core.crawl.conftest import Walk as Drive
from arborist_pipeline_tests.core.crawl.conftest import at, bucket_of, make_entry, path_of
from arborist_pipeline_tests.support.builders import NOON

PATHS = ["/", *(f"/{name}" for name in "abcdefghi"), *(f"/products/{name}" for name in "stuvwxyz")]
LISTS = st.lists(st.sampled_from(PATHS), max_size=5)
SITES = st.dictionaries(st.sampled_from(PATHS), LISTS, min_size=5).map(
    lambda site: {"/": ["/products/s", *"/a /b /c /d".split()], "/products/s": ["/products/t"]} | site
)
REDIRECTS = st.dictionaries(st.sampled_from(PATHS[1:]), st.sampled_from(PATHS), max_size=2)
STEPS = st.lists(st.sampled_from(["take", "take", "take", "close", "close", "seal", "write", "cut"]), max_size=60)
RUNS = st.lists(
    st.tuples(st.sampled_from([Walk.NIGHTLY, Walk.FRESH]), st.integers(0, 3), STEPS), min_size=1, max_size=3
)
KINDS = {True: PageKind.PRODUCT, False: PageKind.LISTING}


class Plain:
    """What a frontier is, without windows, marks or a store: rows of [state, bucket, seq, depth, due_at], by path."""

    def __init__(self, site, redirects, max_depth):
        self.site, self.redirects, self.max_depth = site, redirects, max_depth
        self.rows, self.left, self.under_way, self.asked, self.answered = {}, {}, [], set(), set()

    def begin(self, walk, cap, now):
        """Begin a crawl over what earlier ones left."""
        self.walk, self.cap, self.cutoff = walk, cap, now
        self.asked = set()
        if walk is Walk.FRESH:
            self.left, self.rows = self.left | self.rows, {}
        elif self.left:
            self.rows, self.left = self.left | self.rows, {}
        self.resume()

    def resume(self):
        self.under_way, self.spent, self.due_spent = [], 0, 0
        if "/" not in self.rows:
            self.meet("/", 0)
        self.lower({"/": 0})

    def next_seq(self):
        return max((row[2] for row in (*self.rows.values(), *self.left.values())), default=0) + 1

    def meet(self, path, depth):
        state = State.QUEUED if depth <= self.max_depth else State.BEYOND
        bucket = Bucket.QUEUE if path == "/" and not depth else bucket_of(at(path))
        self.rows[path] = [state, bucket, self.next_seq(), depth, None]
        self.left.pop(path, None)

    def add(self, paths, depth):
        shorter = {}
        new = 0
        for path in paths:
            if path not in self.rows:
                self.meet(path, depth)
                new += 1
            elif depth < self.rows[path][3]:
                shorter.setdefault(path, depth)
        self.lower(shorter)
        return new

    def lower(self, depths):
        while depths:
            further = {}
            for path, depth in depths.items():
                row = self.rows[path]
                if depth >= row[3]:
                    continue
                row[3] = depth
                if row[0] is State.BEYOND and depth <= self.max_depth:
                    row[0], row[2] = State.QUEUED, self.next_seq()
                if row[0] is State.DONE:
                    hop = path in self.redirects
                    for target in [self.redirects[path]] if hop else self.site.get(path, ()):
                        further[target] = min(depth + (not hop), further.get(target, 99))
            depths = further

    def order(self):
        """All that waits, as (bucket, place in it, path)."""
        for path, (state, bucket, seq, _, due_at) in self.rows.items():
            if path not in self.under_way and state is State.QUEUED:
                yield bucket, (seq,), path
            elif (path not in self.under_way and state is State.DONE and self.walk is Walk.NIGHTLY
                  and path not in self.asked and due_at <= self.cutoff):  # fmt: skip
                yield bucket, (path != "/", due_at, seq), path

    def take(self):
        waiting = sorted(self.order())
        if self.cap and (self.due_spent + 1) * 2 > self.cap:
            waiting = [each for each in waiting if each[0] in (Bucket.PRODUCT_SHAPED, Bucket.QUEUE)] or waiting
        if not waiting or (self.cap and self.spent >= self.cap):
            return None
        path = waiting[0][2]
        self.under_way.append(path)
        self.spent += 1
        self.due_spent += path in self.answered
        return path

    def close(self, path, due_at):
        self.under_way.remove(path)
        self.asked.add(path)
        self.answered.add(path)
        row = self.rows[path]
        row[0], row[4] = State.DONE, due_at
        row[1] = Bucket.DUE_PRODUCT if path.startswith("/products/") else Bucket.DUE_OTHER


def answer(drive, plain, path):
    """Close a request in both; a page that redirects has no links, and no kind but what it had."""
    depth = plain.rows[path][3]
    if path in plain.redirects:
        plain.add([plain.redirects[path]], depth)
        drive.redirect(path, plain.redirects[path], kind=KINDS[path.startswith("/products/")])
    else:
        plain.add(plain.site.get(path, ()), depth + 1)
        drive.fetch(path, plain.site.get(path, ()), kind=KINDS[path.startswith("/products/")])
    plain.close(path, drive.answers[at(path)].due_at)


def check(drive, written, plain):
    """What is stored is the model as it was when the batch was taken; what is known, the model as it is."""
    stored = {path_of(url): [entry.state, entry.bucket, entry.seq, entry.depth]
              for url, entry in drive.rows.entries_by_url.items()}  # fmt: skip
    assert stored == {path: row[:4] for path, row in (written.left | written.rows).items()}
    assert {path: drive.depth(path) for path in plain.rows} == {path: row[3] for path, row in plain.rows.items()}
    waiting = [path for path, row in plain.rows.items() if row[0] is State.QUEUED and path not in plain.answered]
    assert drive.frontier.unfetched == len(waiting)


@settings(max_examples=300)
@given(SITES, REDIRECTS, st.integers(1, 4), RUNS, st.integers(1, 3))
def test_crawls_cut_anywhere_go_on_as_the_plain_model_does_whatever_fits_into_memory(
    site, redirects, limit, runs, portion
):
    rows, plain, now = MemoryRows(), Plain(site, redirects, limit), NOON
    for night, (walk, cap, steps) in enumerate(runs):
        now = NOON + timedelta(days=night)
        began = {"rows": rows, "began_at": now, "walk": walk, "max_pages": cap, "max_depth": limit, "portion": portion}
        drive = Drive(now=now, **began)
        kept = deepcopy(plain)
        plain.begin(walk, cap, now)
        sealed = None
        for step in [*steps, *["take", "close"] * 3 * len(PATHS), "write", "seal", "write"]:
            now += timedelta(seconds=1)
            drive.now = now
            if step == "take":
                assert drive.take() == plain.take()
            elif step == "close" and plain.under_way:
                answer(drive, plain, plain.under_way[len(plain.under_way) // 2])
            elif step == "seal" and sealed is None:
                drive.seal()
                sealed = deepcopy(plain)
            elif step == "write" and sealed is not None:
                drive.write()
                kept, sealed = sealed, None
                check(drive, kept, plain)
            elif step == "cut":
                sealed = None
                drive = Drive(now=now, first_seq=drive.first_seq, is_resumed=True, **began)
                is_begun = kept.asked is not None and getattr(kept, "cutoff", None) == began["began_at"]
                plain = deepcopy(kept)
                plain.resume() if is_begun else plain.begin(walk, cap, began["began_at"])


def hundred(state, **options):
    return [make_entry(f"/page-{'abcdefghij'[n // 10]}{'abcdefghij'[n % 10]}", n + 2, state=state, **options)
            for n in range(100)]  # fmt: skip


class TestReview:
    @pytest.mark.parametrize(("state", "depth", "limit", "becomes"), [
        (State.QUEUED, 5, 4, State.BEYOND),
        (State.BEYOND, 5, 5, State.QUEUED),
        (State.REFUSED, 1, 5, State.QUEUED),
        (State.REFUSED, 5, 4, State.REFUSED),
        (State.BEYOND, 5, 4, State.BEYOND),
    ])  # fmt: skip
    def test_any_number_of_rows_is_put_right_and_never_many_at_once(self, state, depth, limit, becomes):
        rows, portions = MemoryRows(hundred(state, depth=depth)), []
        rows.commit = lambda changes, answers, arms: (
            portions.append(len(changes)) or MemoryRows.commit(rows, changes, answers, arms)
        )
        drive = Drive(rows=rows, max_depth=limit, portion=7)
        assert {entry.state for entry in rows.entries_by_url.values()} == {becomes}
        assert sum(portions) == (0 if becomes is state else 100)
        assert max(portions, default=0) <= 7
        assert drive.frontier.unfetched == (100 if becomes is State.QUEUED else 0) + 1

    def test_pages_that_other_hands_queued_again_find_their_place(self):
        entries = hundred(State.DONE)
        rows = MemoryRows(entries)
        for entry in entries:
            entry.state = State.QUEUED
        assert len(Drive(rows=rows, portion=7).drain()) == 101

    def test_rows_that_a_fresh_walk_has_not_met_are_left_as_they_are(self):
        drive = Drive(entries=hundred(State.QUEUED, depth=9), walk=Walk.FRESH, max_depth=2)
        assert drive.drain() == ["/"]
        assert {entry.state for entry in drive.rows.entries_by_url.values()} == {State.QUEUED}


class TestResumed:
    @pytest.mark.parametrize("is_cut", [False, True])
    def test_a_shorter_path_is_handed_on_from_what_the_store_has_of_a_page(self, is_cut):
        drive = Drive(max_depth=4)
        site = {"/": ["/products/a", "/short"], "/products/a": ["/products/b"], "/products/b": ["/products/c"],
                "/products/c": ["/1"], "/1": ["/2"], "/short": ["/products/c"]}  # fmt: skip
        for path in ("/", "/products/a", "/products/b", "/products/c"):
            assert drive.take() == path
            drive.fetch(path, site[path])
        assert drive.depth("/1") == 4
        drive.commit()
        drive = self.resume(drive, max_depth=4) if is_cut else drive
        assert drive.drain(site) == ["/short", "/1", "/2"]
        assert (drive.depth("/1"), drive.depth("/2")) == (3, 4)

    def resume(self, drive, **policy):
        return Drive(rows=drive.rows, began_at=NOON, first_seq=drive.first_seq, is_resumed=True, **policy)

    def test_a_full_run_asks_for_the_rest_whenever_it_is_due(self):
        drive = Drive(entries=hundred(State.DONE, due_hours=9), full=True, portion=3)
        drive.now = NOON + timedelta(hours=1)
        first = [drive.take() for _ in range(50)]
        for path in first:
            drive.fetch(path)
        drive.commit()
        rest = self.resume(drive, full=True, portion=3).drain()
        assert len(first) + len(rest) == len({*first, *rest}) == 101

    def test_a_run_limited_to_some_urls_asks_for_those_it_has_not_answered(self):
        only = [entry.url.removeprefix("https://shop.example") for entry in hundred(State.DONE)[:9]]
        drive = Drive(entries=hundred(State.DONE), only=only, portion=2)
        drive.now = NOON + timedelta(hours=1)
        first = [drive.take() for _ in range(4)]
        for path in first:
            drive.fetch(path)
        drive.commit()
        assert sorted([*first, *self.resume(drive, only=only).drain()]) == sorted(only)

    def test_a_page_that_is_asked_again_loses_its_place_in_front_and_nothing_else(self):
        drive = Drive()
        drive.take()
        drive.fetch("/", ["/one", "/two"])
        drive.take()
        drive.redirect("/one", "/")
        drive.frontier.ask_again(at("/one"))
        drive.commit()
        assert self.resume(drive).drain() == ["/one", "/two"]
